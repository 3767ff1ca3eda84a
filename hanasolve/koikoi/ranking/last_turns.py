"""True expectations on turns 15 and 16, where each player chooses by what he sees.

Sums over equally likely worlds, as whole numbers: 9 worlds on turn 16 (the stock card), 990 on turn 15 (stock
card, opponent's card, his stock card: 11 * 10 * 9). Values are the mover's round score minus the opponent's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hanasolve.bits import count_bits, first_bit
from hanasolve.jit import kernel
from hanasolve.koikoi.game.rules import DRAW, PLAY, TURNS, field_after, month_of, pile_after, take_count, take_option
from hanasolve.koikoi.game.scoring import exhausted_score, is_new, round_score
from hanasolve.koikoi.game.yaku import names, points

LEAST = -(1 << 30)


class Seen(NamedTuple):
    """What lies open, seen by the player of the turn: ``pile`` and ``calls`` are his, ``other`` the other's pile."""

    field: int
    pile: int
    other: int
    calls: int
    other_calls: int


@kernel
def _after(seen: Seen, card: int, taken: int) -> Seen:
    """What lies open when the player has placed a card."""
    field, pile = field_after(seen.field, card, taken), pile_after(seen.pile, card, taken)
    return Seen(field, pile, seen.other, seen.calls, seen.other_calls)


@kernel
def _end_value(seen: Seen, before: tuple[int, int], rules: Any) -> int:
    """Round score of the turn's player if he has a new yaku (his hand is empty, he stops), else -1.

    ``before``: points and names of his yaku before the turn.
    """
    worth = points(seen.pile, rules)
    if is_new(before[0], before[1], seen.pile, worth, rules):
        return round_score(seen.pile, worth, seen.calls, seen.other_calls, rules)
    return -1


@kernel
def _last_turn(seen: Seen, card: int, taken: int, unseen: int, rules: Any) -> int:
    """Turn 16: sum over the unseen cards as stock card of the best match, for the second seat."""
    before = points(seen.pile, rules), names(seen.pile, rules)
    return _last_draws(_after(seen, card, taken), before, unseen, rules)


@kernel
def _last_draws(seen: Seen, before: tuple[int, int], unseen: int, rules: Any) -> int:
    """The same after the hand card."""
    total = 0
    while unseen != 0:
        drawn, best = first_bit(unseen), LEAST
        unseen &= unseen - 1
        for k in range(take_count(seen.field, drawn, rules)):
            end = _after(seen, drawn, take_option(seen.field, drawn, k, rules))
            value = _end_value(end, before, rules)
            if value < 0:
                value = -exhausted_score(end.other, end.pile, end.other_calls, end.calls, rules)
            best = max(best, value)
        total += best
    return total


@kernel
def _opponents_turn(seen: Seen, unseen: int, rules: Any) -> int:
    """Turn 16 seen from turn 15: sum over the opponent's card and stock card of his best option's value."""
    total, left = 0, unseen
    while left != 0:
        card, best = first_bit(left), LEAST
        left &= left - 1
        for k in range(take_count(seen.field, card, rules)):
            taken = take_option(seen.field, card, k, rules)
            best = max(best, _last_turn(seen, card, taken, unseen & ~(1 << card), rules))
        total += best
    return total


@kernel
def _match_before_last(
    seen: Seen, before: tuple[int, int], drawn: int, taken: int, unseen: int, rules: Any
) -> int:
    """Turn 15, stock card taking ``taken``: sum over the opponent's card and stock card (``unseen``: 10
    cards)."""
    seen = _after(seen, drawn, taken)
    value = _end_value(seen, before, rules)
    if value >= 0:
        count = count_bits(unseen)
        return value * count * (count - 1)
    turned = Seen(seen.field, seen.other, seen.pile, seen.other_calls, seen.calls)
    return -_opponents_turn(turned, unseen, rules)


@kernel
def _play_before_last(seen: Seen, card: int, taken: int, unseen: int, rules: Any) -> int:
    """Turn 15: sum over stock card, opponent's card and his stock card (``unseen``: 11 cards)."""
    before = points(seen.pile, rules), names(seen.pile, rules)
    seen = _after(seen, card, taken)
    total, left = 0, unseen
    while left != 0:
        drawn, best = first_bit(left), LEAST
        left &= left - 1
        for k in range(take_count(seen.field, drawn, rules)):
            way = take_option(seen.field, drawn, k, rules)
            best = max(best, _match_before_last(seen, before, drawn, way, unseen & ~(1 << drawn), rules))
        total += best
    return total


def exact_sum(game: Any, card: int, taken: int, unseen: int, rules: Any) -> int:
    """Exact sum over all worlds of placing ``card`` on turn 15 or 16, in phase play or draw."""
    mover = int(game["mover"])
    piles, calls = ([int(game[name][seat]) for seat in (mover, 1 - mover)] for name in ("piles", "calls"))
    seen, last = Seen(int(game["field"]), *piles, *calls), int(game["turn"]) == TURNS
    if int(game["phase"]) == PLAY:
        return int((_last_turn if last else _play_before_last)(seen, card, taken, unseen, rules))
    assert int(game["phase"]) == DRAW
    before = int(game["before"]), int(game["names_before"])
    if last:  # nothing is hidden any more: the drawn card is the only world's
        narrowed = seen._replace(field=taken | (seen.field & ~int(month_of(card))))
        return int(_last_draws(narrowed, before, 1 << card, rules))
    return int(_match_before_last(seen, before, card, taken, unseen, rules))
