"""The one rules engine: a round of Koi-Koi as a GAME record, its legal actions, and what they do.

Players are 0 (A) and 1 (B). Sets of cards are int64 bit sets, taken cards are the set of field cards taken
(the card laid down is not in it). A turn is up to three steps, the GAME's ``phase`` says which comes next:
``PLAY`` a hand card, ``DRAW`` match the stock card that was turned up, ``DECIDE`` stop or call koi-koi.
Points are the sum of yaku before doubling, ``score`` is the round score after it.

The kernels do not check; ``legal`` and ``apply`` are the checked door for everything that comes from outside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hanasolve.bits import count_bits
from hanasolve.errors import IllegalAction
from hanasolve.jit import inline_kernel, kernel
from hanasolve.koikoi.game import cards, options, yaku
from hanasolve.koikoi.game.scoring import exhausted_score, is_new, round_score

TURNS = 16
NOBODY = -1
PLAY, DRAW, DECIDE, OVER = range(4)
PHASES = ("play", "draw", "decide", "over")
PLAYERS = "AB"

RULES = np.dtype([(name, np.int64) for name in options.OPTIONS])

GAME = np.dtype(
    [
        ("hands", np.int64, (2,)),
        ("piles", np.int64, (2,)),
        ("field", np.int64),
        ("stock", np.int64, (24,)),  # in draw order, -1 where unknown
        ("next", np.int64),  # index in stock of the next card
        ("drawn", np.int64),  # card turned up and not yet placed, or -1
        ("dealer", np.int64),
        ("mover", np.int64),
        ("turn", np.int64),  # 1 to 16; odd turns belong to the dealer
        ("phase", np.int64),
        ("calls", np.int64, (2,)),  # koi-koi calls of each player
        ("before", np.int64),  # mover's points before his turn
        ("names_before", np.int64),  # mover's yaku before his turn
        ("winner", np.int64),  # NOBODY while the round goes on and when it was undecided
        ("score", np.int64),  # round score of the winner
        ("exhausted", np.int64),  # 1 if the cards ran out
        ("undecided", np.int64),  # 1 after a round that nobody won by yaku, lucky hand or option
        ("lucky", np.int64, (2,)),  # points of a lucky hand dealt to each player
    ]
)


def make_rules(preset: str = "nintendo", changes: Mapping[str, object] | None = None) -> Any:
    """The RULES record of a preset with changed options."""
    values = options.complete(preset, changes)
    record = np.zeros(1, RULES)
    for name, value in values.items():
        record[0][name] = options.number(name, value)
    return record[0]


def new_game() -> Any:
    """An empty GAME: nothing dealt, unknown stock, A is dealer and to move."""
    game = np.zeros(1, GAME)[0]
    game["stock"][:] = -1
    game["drawn"] = game["winner"] = -1
    game["turn"] = 1
    return game


def copy_game(game: Any) -> Any:
    copy = np.zeros(1, GAME)
    copy[0] = game
    return copy[0]


# --- cards on the field -----------------------------------------------------------------------------------


@inline_kernel
def month_of(card: int) -> int:
    """The set of the four cards of the card's month."""
    return 15 << (card & -4)


@inline_kernel
def take_count(field: int, card: int, rules: Any) -> int:
    """Number of ways to treat a card laid on the field (equal plains counted apart)."""
    matching = count_bits(field & month_of(card))
    if matching == 2 or (matching == 3 and rules["match_three"] == 1):
        return matching
    return 1


@inline_kernel
def take_option(field: int, card: int, index: int, rules: Any) -> int:
    """The ``index``-th way: the set of field cards taken, 0 if nothing matches. By id of the card taken."""
    matching = field & month_of(card)
    many = count_bits(matching)
    if many < 2 or (many == 3 and rules["match_three"] == 0):
        return matching
    for _ in range(index):
        matching &= matching - 1
    return matching & -matching


@inline_kernel
def field_after(field: int, card: int, taken: int) -> int:
    return field & ~taken if taken != 0 else field | (1 << card)


@inline_kernel
def pile_after(pile: int, card: int, taken: int) -> int:
    return pile | taken | (1 << card) if taken != 0 else pile


# --- the deal ---------------------------------------------------------------------------------------------


@kernel
def lucky_points(hand: int, rules: Any) -> int:
    """6 for four cards of a month or four pairs (12 for two quadruples if ``lucky_twice``), else 0."""
    fours, pairs = 0, 0
    for month in range(12):
        held = count_bits((hand >> (4 * month)) & 15)
        fours += held == 4
        pairs += held == 2
    if fours == 2 and rules["lucky_twice"] == 1:
        return 12
    return 6 if fours > 0 or pairs == 4 else 0


@kernel
def field_cancelled(field: int, rules: Any) -> bool:
    """Whether the dealt field cancels the deal."""
    most, pairs = 0, 0
    for month in range(12):
        held = count_bits((field >> (4 * month)) & 15)
        most = max(most, held)
        pairs += held == 2
    if most == 4 or (rules["redeal_field"] == 2 and most == 3):
        return True
    return bool(rules["redeal_field"] == 1 and pairs == 4)


@kernel
def deal(game: Any, deck: Any, dealer: int, rules: Any) -> bool:
    """Lay out a deck (48 cards, top first) for a new round. False: cancelled, deal another deck."""
    other = 1 - dealer
    game["field"] = 0
    game["hands"][0] = 0
    game["hands"][1] = 0
    for k in range(4):
        for j in range(2):
            game["field"] |= 1 << deck[6 * k + j]
            game["hands"][other] |= 1 << deck[6 * k + 2 + j]
            game["hands"][dealer] |= 1 << deck[6 * k + 4 + j]
    for k in range(24):
        game["stock"][k] = deck[24 + k]
    for player in range(2):
        game["piles"][player] = 0
        game["calls"][player] = 0
        game["lucky"][player] = lucky_points(game["hands"][player], rules)
    game["next"] = 0
    game["drawn"] = -1
    game["dealer"] = dealer
    game["mover"] = dealer
    game["turn"] = 1
    game["phase"] = PLAY
    game["before"] = 0
    game["names_before"] = 0
    game["winner"] = NOBODY
    game["score"] = 0
    game["undecided"] = 0
    game["exhausted"] = 0
    if field_cancelled(game["field"], rules):
        return False
    return _settle_lucky(game, rules)


@kernel
def _settle_lucky(game: Any, rules: Any) -> bool:
    """End the round if a hand is lucky. False: dealt again (option ``lucky_hands: redeal``)."""
    lucky_a, lucky_b = game["lucky"][0], game["lucky"][1]
    if lucky_a + lucky_b == 0 or rules["lucky_hands"] == 1:
        return True
    if rules["lucky_hands"] == 2:
        return False
    game["phase"] = OVER
    if lucky_a > 0 and lucky_b > 0:
        if rules["lucky_both"] == 1:
            game["winner"] = game["dealer"]
            game["score"] = game["lucky"][game["dealer"]]
        else:
            game["undecided"] = 1
        return True
    game["winner"] = 0 if lucky_a > 0 else 1
    game["score"] = lucky_a + lucky_b
    return True


# --- the turn ---------------------------------------------------------------------------------------------


@kernel
def play(game: Any, card: int, taken: int, rules: Any) -> None:
    """Step 1: a hand card, taking the set ``taken``; the stock card is turned up if it is known."""
    mover = game["mover"]
    pile = game["piles"][mover]
    game["before"] = yaku.points(pile, rules)
    game["names_before"] = yaku.names(pile, rules)
    game["hands"][mover] &= ~(1 << card)
    game["field"] = field_after(game["field"], card, taken)
    game["piles"][mover] = pile_after(pile, card, taken)
    game["drawn"] = game["stock"][game["next"]]
    game["next"] += 1
    game["phase"] = DRAW


@kernel
def match(game: Any, taken: int, rules: Any) -> None:
    """Step 2: place the stock card ``drawn``, taking ``taken``; then look at the yaku."""
    mover = game["mover"]
    game["field"] = field_after(game["field"], game["drawn"], taken)
    game["piles"][mover] = pile_after(game["piles"][mover], game["drawn"], taken)
    game["drawn"] = -1
    pile = game["piles"][mover]
    points = yaku.points(pile, rules)
    if not is_new(game["before"], game["names_before"], pile, points, rules):
        _next_turn(game, rules)
    elif may_call(game["hands"][mover], game["calls"][mover], game["calls"][1 - mover], rules):
        game["phase"] = DECIDE
    else:
        stop(game, rules)


@inline_kernel
def may_call(hand: int, own_calls: int, other_calls: int, rules: Any) -> bool:
    return bool(hand != 0 and (rules["koikoi_limit"] == 1 or own_calls + other_calls == 0))


@kernel
def stop(game: Any, rules: Any) -> None:
    """The mover ends the round and wins it."""
    mover = game["mover"]
    pile = game["piles"][mover]
    points = yaku.points(pile, rules)
    game["winner"] = mover
    game["score"] = round_score(pile, points, game["calls"][mover], game["calls"][1 - mover], rules)
    game["phase"] = OVER


@kernel
def call(game: Any, rules: Any) -> None:
    """The mover calls koi-koi."""
    game["calls"][game["mover"]] += 1
    _next_turn(game, rules)


@kernel
def _next_turn(game: Any, rules: Any) -> None:
    if game["turn"] < TURNS:
        game["turn"] += 1
        game["mover"] = 1 - game["mover"]
        game["phase"] = PLAY
        return
    dealer = game["dealer"]
    other = 1 - dealer
    piles, calls = game["piles"], game["calls"]
    score = exhausted_score(piles[dealer], piles[other], calls[dealer], calls[other], rules)
    game["phase"] = OVER
    game["winner"] = NOBODY if score == 0 else dealer if score > 0 else other
    game["score"] = abs(score)
    settled = rules["exhausted_call"] > 0 and calls[0] + calls[1] > 0 and score != 0
    game["undecided"] = 0 if settled else 1
    game["exhausted"] = 1


# --- the match --------------------------------------------------------------------------------------------


@kernel
def next_dealer(game: Any, rules: Any) -> int:
    """Who deals after the round ``game``: its winner; nobody won: the other player, or the same."""
    if game["undecided"] == 0:
        return int(game["winner"])
    return int(game["dealer"] if rules["undecided_dealer"] == 1 else 1 - game["dealer"])


def first_dealer(card_a: int, card_b: int, rules: Any) -> int:
    """0 or 1 by the cards turned up for the deal, or -1: draw again."""
    keys = [(cards.month(card),) for card in (card_a, card_b)]
    if rules["dealer_tie"] == 1:
        keys = [(cards.month(card), cards.CLASS[card]) for card in (card_a, card_b)]  # type: ignore[misc]
    return -1 if keys[0] == keys[1] else int(keys[1] < keys[0])


# --- the checked door ---------------------------------------------------------------------------------------


class Action(NamedTuple):
    """One step: ``play`` card taking a set, ``match`` the drawn card taking a set, ``stop`` or ``call``."""

    kind: str
    card: int = -1
    taken: int = 0


def legal(game: Any, rules: Any) -> list[Action]:
    """All legal actions: hand card by id, then cards taken by id; stop before call. Empty when over."""
    phase, mover = int(game["phase"]), int(game["mover"])
    if phase == PLAY:
        return [
            Action("play", card, taken)
            for card in cards.cards_of(game["hands"][mover])
            for taken in takes(game["field"], card, rules)
        ]
    if phase == DRAW:
        drawn = int(game["drawn"])
        return [Action("match", drawn, taken) for taken in takes(game["field"], drawn, rules)]
    return [Action("stop"), Action("call")] if phase == DECIDE else []


def takes(field: int, card: int, rules: Any) -> list[int]:
    """Every set of field cards that laying ``card`` may take (only the empty set if nothing matches)."""
    field = int(field)
    ways = int(take_count(field, card, rules))
    return [int(take_option(field, card, index, rules)) for index in range(ways)]


def apply(game: Any, rules: Any, action: Action) -> None:
    """Do a legal action in place. Raises IllegalAction with a code and says what would be legal."""
    if action.card < 0 and action.kind == "match":
        action = action._replace(card=int(game["drawn"]))
    if action not in legal(game, rules):
        raise _illegal(game, rules, action)
    if action.kind == "play":
        play(game, action.card, action.taken, rules)
    elif action.kind == "match":
        match(game, action.taken, rules)
    elif action.kind == "stop":
        stop(game, rules)
    else:
        call(game, rules)


def _illegal(game: Any, rules: Any, action: Action) -> IllegalAction:
    phase = PHASES[int(game["phase"])]
    where = f"turn {int(game['turn'])}, player {PLAYERS[int(game['mover'])]}"
    expected = {"play": ("play",), "draw": ("match",), "decide": ("stop", "call"), "over": ()}[phase]
    if action.kind not in expected:
        wanted = " or ".join(expected) or "nothing, the round is over"
        return IllegalAction(f"{where}: {action.kind} is not possible now; expected {wanted}", "wrong_phase")
    code = cards.CODES[action.card]
    if action.kind == "play" and not int(game["hands"][game["mover"]]) >> action.card & 1:
        hand = " ".join(cards.codes(int(game["hands"][game["mover"]])))
        return IllegalAction(f"{where}: {code} is not in the hand ({hand})", "not_in_hand")
    ways = takes(game["field"], action.card, rules)
    shown = " or ".join("nothing" if way == 0 else " ".join(cards.codes(way)) for way in ways)
    found = " ".join(cards.codes(action.taken)) or "nothing"
    return IllegalAction(f"{where}: {code} takes {shown}, not {found}", "wrong_capture")


def deal_record(deck: Sequence[int], dealer: int, rules: Any) -> Any:
    """A GAME dealt from a deck; whether the field cancels the deal is not judged here (see ``deal``)."""
    game = new_game()
    deal(game, np.asarray(deck, np.int64), dealer, rules)
    return game
