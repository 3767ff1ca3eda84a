"""Koi-Koi again, slow and obvious: cards as text codes, piles as sets, minimax without pruning, table or
merging.

Nothing here is shared with ``hanasolve.koikoi``; the rules are those of preset ``nintendo`` with a few
options.
"""

from __future__ import annotations

import itertools

_MONTHS = ("brpp", "arpp", "brpp", "arpp", "arpp", "arpp", "arpp", "bapp", "arpp", "arpp", "barp", "bppp")
MONTH = [card // 4 for card in range(48)]
KIND = [_MONTHS[card // 4][card % 4] for card in range(48)]
RAIN, CURTAIN, MOON, CUP = 40, 8, 28, 32
BOARS, RED, BLUE = {20, 24, 36}, {1, 5, 9}, {21, 33, 37}
DEFAULTS = {
    "cup_plain": True,
    "rain_cancels": False,
    "sum_red_blue": False,
    "stack": False,
    "double_at": 7,
    "once": False,
    "double_after_call": True,
    "unlimited": False,
    "new_name": False,
    "exhausted": "none",
    "choose_three": False,
}


def yaku(pile, o=DEFAULTS):
    """Name -> points."""
    found = {}
    brights = [c for c in pile if KIND[c] == "b"]
    rain = RAIN in pile
    if len(brights) == 5:
        found["goko"] = 10
    elif len(brights) == 4:
        found["ame-shiko" if rain else "shiko"] = 7 if rain else 8
    elif len(brights) == 3 and not rain:
        found["sanko"] = 5
    if CUP in pile and not (rain and o["rain_cancels"]):
        if CURTAIN in pile:
            found["hanami"] = 5
        if MOON in pile:
            found["tsukimi"] = 5
    animals = sum(KIND[c] == "a" for c in pile)
    ribbons = sum(KIND[c] == "r" for c in pile)
    plains = sum(KIND[c] == "p" for c in pile) + (CUP in pile and o["cup_plain"])
    if set(pile) >= BOARS:
        found["inoshikacho"] = 5 if o["stack"] else 5 + animals - 3
    if animals >= 5 and (o["stack"] or "inoshikacho" not in found):
        found["tane"] = animals - 4
    red, blue = set(pile) >= RED, set(pile) >= BLUE
    if red and blue and not o["sum_red_blue"]:
        found["akatan+aotan"] = 10 if o["stack"] else 10 + ribbons - 6
    else:
        if red:
            found["akatan"] = 5 if o["stack"] else 5 + ribbons - 3
        if blue:
            found["aotan"] = 5 if o["stack"] else 5 + ribbons - 3
    if ribbons >= 5 and (o["stack"] or not (red or blue)):
        found["tan"] = ribbons - 4
    if plains >= 10:
        found["kasu"] = plains - 9
    return found


def points(pile, o=DEFAULTS):
    return sum(yaku(pile, o).values())


def round_score(points_, opponent_called, o=DEFAULTS):
    seven = o["double_at"] and points_ >= o["double_at"]
    after = opponent_called and o["double_after_call"]
    if seven and after and o["once"]:
        return 2 * points_
    return points_ * (2 if seven else 1) * (2 if after else 1)


def takes(field, card, o=DEFAULTS):
    """All sets of field cards that laying the card may take."""
    matching = [c for c in field if MONTH[c] == MONTH[card]]
    if len(matching) == 2 or (len(matching) == 3 and o["choose_three"]):
        return [{c} for c in matching]
    return [set(matching)]


def lay(field, pile, card, taken):
    """(field, pile) after laying a card."""
    if not taken:
        return field | {card}, pile
    return field - taken, pile | taken | {card}


def minimax(hands, piles, field, stock, mover, turn, calls, o=DEFAULTS):
    """Mover's round score minus the other's; both see everything. ``stock`` begins with the next card."""
    best = None
    for field_2, pile_2, hand_2 in outcomes(hands[mover], piles[mover], field, stock[0], o):
        value = after_turn(hands, piles, field_2, pile_2, hand_2, stock[1:], mover, turn, calls, o)
        best = value if best is None else max(best, value)
    return best


def outcomes(hand, pile, field, drawn, o):
    """Every (field, pile, hand) at the end of a turn."""
    for card in sorted(hand):
        for taken in takes(field, card, o):
            field_1, pile_1 = lay(field, pile, card, taken)
            for drawn_taken in takes(field_1, drawn, o):
                field_2, pile_2 = lay(field_1, pile_1, drawn, drawn_taken)
                yield field_2, pile_2, hand - {card}


def after_turn(hands, piles, field, pile, hand, stock, mover, turn, calls, o):
    other = 1 - mover
    before = yaku(piles[mover], o)
    now = yaku(pile, o)
    if o["new_name"]:
        new = bool(set(now) - set(before))
    else:
        new = sum(now.values()) > sum(before.values())
    hands_2 = [set(), set()]
    hands_2[mover], hands_2[other] = hand, hands[other]
    piles_2 = [set(), set()]
    piles_2[mover], piles_2[other] = pile, piles[other]
    if not new:
        return go_on(hands_2, piles_2, field, stock, mover, turn, calls, o)
    stop = round_score(sum(now.values()), calls[other] > 0, o)
    if not hand or (sum(calls) and not o["unlimited"]):
        return stop
    called = list(calls)
    called[mover] += 1
    return max(stop, go_on(hands_2, piles_2, field, stock, mover, turn, called, o))


def go_on(hands, piles, field, stock, mover, turn, calls, o):
    if turn < 16:
        return -minimax(hands, piles, field, stock, 1 - mover, turn + 1, calls, o)
    if o["exhausted"] == "none" or not any(calls):
        return 0
    scores = [round_score(points(piles[p], o), calls[1 - p] > 0, o) for p in range(2)]
    if o["exhausted"] == "caller":
        scores = [score if calls[p] else 0 for p, score in enumerate(scores)]
        better = max(range(2), key=lambda p: scores[p])
        signed = 0 if scores[0] == scores[1] else scores[better] if better == mover else -scores[better]
        return signed
    totals = [points(pile, o) for pile in piles]
    if totals[0] == totals[1]:
        return 0
    better = int(totals[1] > totals[0])
    return scores[better] if better == mover else -scores[better]


def all_hands_counted():
    """(teshi, kuttsuki, all) hands of 8 by going through every way to hold 0 to 4 cards of each month."""
    ways = (1, 4, 6, 4, 1)
    teshi = kuttsuki = total = 0
    for half in _vectors(12, 8):
        weight = 1
        for held in half:
            weight *= ways[held]
        total += weight
        teshi += weight * (4 in half)
        kuttsuki += weight * (half.count(2) == 4)
    return teshi, kuttsuki, total


def _vectors(months, cards):
    """Every way to spread ``cards`` over ``months`` with at most four each."""
    if months == 1:
        return [(cards,)] if cards <= 4 else []
    return list(
        itertools.chain.from_iterable(
            ((first, *rest) for rest in _vectors(months - 1, cards - first))
            for first in range(min(4, cards) + 1)
        )
    )
