"""True expectations on turns 15 and 16, where each player chooses by what he sees.

Sums over equally likely worlds, as whole numbers: 9 worlds on turn 16 (the stock card), 990 on turn 15 (stock
card, opponent's card, his stock card: 11 * 10 * 9). Values are the mover's round score minus the opponent's.
"""

from __future__ import annotations

from typing import Any

from hanasolve.jit import kernel
from hanasolve.koikoi.game.rules import (
    exhausted_score,
    field_after,
    is_new,
    pile_after,
    round_score,
    take_count,
    take_option,
)
from hanasolve.koikoi.game.yaku import names, points, popcount


@kernel
def _end_value(
    pile: int, before: int, names_before: int, other: int, calls: int, other_calls: int, rules: Any
) -> int:
    """Round score of the turn's player if he has a new yaku (his hand is empty, he stops), else -1."""
    worth = points(pile, rules)
    if is_new(before, names_before, pile, worth, rules):
        return round_score(pile, worth, calls, other_calls, rules)
    return -1


@kernel
def last_turn(
    card: int,
    taken: int,
    field: int,
    pile: int,
    other: int,
    calls: int,
    other_calls: int,
    unseen: int,
    rules: Any,
) -> int:
    """Turn 16: sum over the unseen cards as stock card of the best match, for the second seat."""
    before, names_before = points(pile, rules), names(pile, rules)
    field = field_after(field, card, taken)
    pile = pile_after(pile, card, taken)
    return last_draws(field, pile, other, calls, other_calls, unseen, before, names_before, rules)


@kernel
def last_draws(
    field: int,
    pile: int,
    other: int,
    calls: int,
    other_calls: int,
    unseen: int,
    before: int,
    names_before: int,
    rules: Any,
) -> int:
    """The same after the hand card."""
    total = 0
    while unseen != 0:
        drawn = popcount((unseen & -unseen) - 1)
        unseen &= unseen - 1
        best = -(1 << 30)
        for k in range(take_count(field, drawn, rules)):
            after = pile_after(pile, drawn, take_option(field, drawn, k, rules))
            value = _end_value(after, before, names_before, other, calls, other_calls, rules)
            if value < 0:
                value = -exhausted_score(other, after, other_calls, calls, rules)
            best = max(best, value)
        total += best
    return total


@kernel
def _opponents_turn(
    field: int, pile: int, other: int, calls: int, other_calls: int, unseen: int, rules: Any
) -> int:
    """Turn 16 seen from turn 15: sum over the opponent's card and stock card of his best option's value."""
    total = 0
    left = unseen
    while left != 0:
        card = popcount((left & -left) - 1)
        left &= left - 1
        best = -(1 << 30)
        for k in range(take_count(field, card, rules)):
            taken = take_option(field, card, k, rules)
            rest = unseen & ~(1 << card)
            value = last_turn(card, taken, field, pile, other, calls, other_calls, rest, rules)
            best = max(best, value)
        total += best
    return total


@kernel
def match_before_last(
    drawn: int,
    taken: int,
    field: int,
    pile: int,
    other: int,
    calls: int,
    other_calls: int,
    unseen: int,
    before: int,
    names_before: int,
    rules: Any,
) -> int:
    """Turn 15, stock card taking ``taken``: sum over the opponent's card and stock card (``unseen``: 10
    cards)."""
    after = pile_after(pile, drawn, taken)
    value = _end_value(after, before, names_before, other, calls, other_calls, rules)
    if value >= 0:
        count = popcount(unseen)
        return value * count * (count - 1)
    left = field_after(field, drawn, taken)
    return -_opponents_turn(left, other, after, other_calls, calls, unseen, rules)


@kernel
def play_before_last(
    card: int,
    taken: int,
    field: int,
    pile: int,
    other: int,
    calls: int,
    other_calls: int,
    unseen: int,
    rules: Any,
) -> int:
    """Turn 15: sum over stock card, opponent's card and his stock card (``unseen``: 11 cards)."""
    before, names_before = points(pile, rules), names(pile, rules)
    field = field_after(field, card, taken)
    pile = pile_after(pile, card, taken)
    total = 0
    left = unseen
    while left != 0:
        drawn = popcount((left & -left) - 1)
        left &= left - 1
        best = -(1 << 30)
        rest = unseen & ~(1 << drawn)
        for k in range(take_count(field, drawn, rules)):
            way = take_option(field, drawn, k, rules)
            value = match_before_last(
                drawn, way, field, pile, other, calls, other_calls, rest, before, names_before, rules
            )
            best = max(best, value)
        total += best
    return total
