"""The card parts ``random``, ``greedy`` and ``progress`` and the simple koi-koi parts, as kernels.

They see what a player sees: his hand, the field, both piles. Values are whole numbers, hundredths of the
weights in the rules' section 5.4, so equal values tie exactly. The first option with the highest value is
chosen.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.bits import count_bits, first_bit
from hanasolve.jit import inline_kernel, kernel
from hanasolve.koikoi.game import cards
from hanasolve.koikoi.game.cards import (
    ANIMALS,
    BLUE_RIBBONS,
    BOAR_DEER_BUTTERFLIES,
    CUP,
    CURTAIN,
    DRY_BRIGHTS,
    MOON,
    PLAINS,
    RAIN,
    RED_RIBBONS,
    RIBBONS,
)
from hanasolve.koikoi.game.deck import below
from hanasolve.koikoi.game.rules import pile_after, take_count, take_option
from hanasolve.koikoi.game.yaku import points
from hanasolve.koikoi.search.moves import TWINS_BELOW, WORTH

RANDOM, GREEDY, PROGRESS, OTHER_CARDS = range(4)
STOP, ALWAYS, THRESHOLD, OTHER_CALLS = range(4)

# The parts of a strategy: card part, koi-koi part, X and Y of tXhY.
STRATEGY = np.dtype([(name, np.int64) for name in ("cards", "call", "points_below", "hand_least")])

CARD_WORTH = np.array([WORTH[16 * (c // 4) + (1 << c % 4)] for c in range(cards.CARDS)], np.int64)


@inline_kernel
def _set_potential(own: int, other: int, wanted: int) -> int:
    held = count_bits(own & wanted)
    return 90 * held * held if (other & wanted) == 0 else 0


@inline_kernel
def _cup_potential(own: int, other: int) -> int:
    both = own | other
    if (own & CUP) != 0:
        return 200 + (100 if (both & CURTAIN) == 0 else 0) + (100 if (both & MOON) == 0 else 0)
    if (other & CUP) != 0:
        return 0
    return (150 if (own & CURTAIN) != 0 else 0) + (150 if (own & MOON) != 0 else 0)


@inline_kernel
def potential(own: int, other: int) -> int:
    """P of a pile against the other's, in hundredths."""
    total = _cup_potential(own, other)
    if count_bits(other & DRY_BRIGHTS) <= 1:
        dry = count_bits(own & DRY_BRIGHTS)
        total += 120 * dry * dry + (80 if (own & RAIN) != 0 else 0)
    total += _set_potential(own, other, BOAR_DEER_BUTTERFLIES)
    total += _set_potential(own, other, RED_RIBBONS) + _set_potential(own, other, BLUE_RIBBONS)
    total += 35 * count_bits(own & ANIMALS) + 30 * count_bits(own & RIBBONS)
    return total + 12 * count_bits(own & (PLAINS | CUP))


@inline_kernel
def _value(kind: int, card: int, taken: int, pile: int, other: int, before: int, rules: Any) -> int:
    """Worth of laying ``card`` and taking ``taken`` (greedy or progress).

    ``pile`` is the pile so far in this turn; ``before`` is the ``reference`` of the turn's start.
    """
    if taken == 0:
        return int(-100 - CARD_WORTH[card] * (30 if kind == PROGRESS else 100))
    after = pile_after(pile, card, taken)
    if kind == PROGRESS:
        return 600 * points(after, rules) + potential(after, other) - before
    month = card & -4
    worth = WORTH[4 * month + (((taken | 1 << card) >> month) & 15)]
    return int(10000 * points(after, rules) - before + 100 * worth)


@inline_kernel
def reference(kind: int, pile: int, other: int, rules: Any) -> int:
    """What ``_value`` subtracts, from the pile at the start of the turn."""
    if kind == PROGRESS:
        return 600 * points(pile, rules) + potential(pile, other)
    return 10000 * points(pile, rules)


@kernel
def choose_play(
    kind: int, hand: int, field: int, pile: int, other: int, state: Any, rules: Any
) -> tuple[int, int]:
    """(hand card, set taken) by the card part ``kind``."""
    before = reference(kind, pile, other, rules) if kind != RANDOM else 0
    best, best_card, best_taken, seen = 0, -1, 0, 0
    left = hand
    while left != 0:
        card = first_bit(left)
        left &= left - 1
        if hand & TWINS_BELOW[card] != 0:
            continue
        for k in range(take_count(field, card, rules)):
            taken = take_option(field, card, k, rules)
            seen += 1
            if kind == RANDOM:
                better = below(state, seen) == 0  # each option stays with the same probability
                value = 0
            else:
                value = _value(kind, card, taken, pile, other, before, rules)
                better = best_card < 0 or value > best
            if better:
                best, best_card, best_taken = value, card, taken
    return best_card, best_taken


@kernel
def choose_match(
    kind: int, drawn: int, field: int, pile: int, start_pile: int, other: int, state: Any, rules: Any
) -> int:
    """The set that the stock card takes, by the card part ``kind``."""
    ways = take_count(field, drawn, rules)
    if ways == 1:
        return take_option(field, drawn, 0, rules)
    if kind == RANDOM:
        return take_option(field, drawn, below(state, ways), rules)
    before = reference(kind, start_pile, other, rules)
    best, best_taken = 0, -1
    for k in range(ways):
        taken = take_option(field, drawn, k, rules)
        value = _value(kind, drawn, taken, pile, other, before, rules)
        if best_taken < 0 or value > best:
            best, best_taken = value, taken
    return best_taken


@kernel
def choose_call(strategy: Any, hand: int, points_now: int) -> bool:
    """Whether the koi-koi part calls."""
    if strategy["call"] == ALWAYS:
        return True
    if strategy["call"] != THRESHOLD:
        return False
    return bool(points_now < strategy["points_below"] and count_bits(hand) >= strategy["hand_least"])


def progress_stop() -> Any:
    """The two STRATEGY records of progress+stop against itself."""
    records = np.zeros(2, STRATEGY)
    records["cards"], records["call"] = PROGRESS, STOP
    return records
