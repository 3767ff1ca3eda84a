"""Exact chances of the deal, by counting months: lucky hands, cancelled fields, both hands together.

Plain whole numbers: the ways to choose the field and the two hands are multiplied up month by month,
remembering only what the events need (a quadruple, or every month held exactly twice). Rules: preset
``nintendo``.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from math import comb

HAND = 8

# What a group of cards has shown so far: cards, whether a month was held four times, whether only 0s and 2s.
_Group = tuple[int, bool, bool]
_EMPTY: _Group = (0, False, True)


def _add(group: _Group, held: int) -> _Group:
    cards, four, pairs = group
    return cards + held, four or held == 4, pairs and held in (0, 2)


def is_lucky(group: _Group) -> bool:
    """Teshi or kuttsuki: a quadruple, or four pairs."""
    return group[1] or group[2]


@cache
def _deals(hands: int, field: bool) -> dict[tuple[int, tuple[_Group, ...]], int]:
    """Ways to deal ``hands`` hands of eight, and before them a field of eight without a quadruple.

    Keys: cards on the field, and what the hands have shown, in order (hands are alike, so sorted).
    """
    ways: dict[tuple[int, tuple[_Group, ...]], int] = {(0, (_EMPTY,) * hands): 1}
    splits = [split for split in _month_splits(hands + 1, 4) if split[0][0] < (4 if field else 1)]
    for _ in range(12):
        after: dict[tuple[int, tuple[_Group, ...]], int] = defaultdict(int)
        for (lying, groups), count in ways.items():
            for (on_field, *held), choices in splits:
                if lying + on_field > HAND:
                    continue
                added = sorted(_add(group, n) for group, n in zip(groups, held, strict=True))
                if not added or added[-1][0] <= HAND:
                    after[lying + on_field, tuple(added)] += count * choices
        ways = after
    full = HAND if field else 0
    return {
        state: count
        for state, count in ways.items()
        if state[0] == full and all(group[0] == HAND for group in state[1])
    }


def _month_splits(groups: int, cards: int) -> list[tuple[tuple[int, ...], int]]:
    """Ways to give each group some of a month's cards: the numbers, and how many choices of cards that is."""
    if groups == 0:
        return [((), 1)]
    return [
        ((held, *rest), comb(cards, held) * choices)
        for held in range(cards + 1)
        for rest, choices in _month_splits(groups - 1, cards - held)
    ]


def hands() -> int:
    """Number of hands of eight cards."""
    return sum(_deals(1, False).values())


def teshi_hands() -> int:
    return sum(count for (_, (hand,)), count in _deals(1, False).items() if hand[1])


def kuttsuki_hands() -> int:
    return sum(count for (_, (hand,)), count in _deals(1, False).items() if hand[2] and not hand[1])


def redeal_chance() -> Fraction:
    """Chance that the field shows four cards of a month."""
    return Fraction(teshi_hands(), hands())


def lucky_given_accepted_field() -> tuple[Fraction, Fraction]:
    """(chance of at least one lucky hand, chance of two) given a field that does not cancel the deal."""
    accepted = one = two = 0
    for (_, both), count in _deals(2, True).items():
        accepted += count
        lucky = sum(is_lucky(hand) for hand in both)
        one += count * (lucky > 0)
        two += count * (lucky == 2)
    return Fraction(one, accepted), Fraction(two, accepted)
