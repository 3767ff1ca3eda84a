"""The counting itself: small problems against listing, large ones against a closed formula."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb, factorial, perm, prod

import pytest

from hanasolve.errors import ImpossiblePosition
from hanasolve.hanabi.deduction import Count
from hanasolve.hanabi.deduction.counting import Group, deals
from hanasolve.hanabi.deduction.crossing import _PRIMES


def listed(masks: list[int], copies: list[int]) -> list[tuple[int, ...]]:
    cards = [c for c, n in enumerate(copies) for _ in range(n)]
    return [
        deal
        for deal in permutations(cards, len(masks))
        if all(mask >> card & 1 for mask, card in zip(masks, deal, strict=True))
    ]


def test_random_problems_agree_with_listing() -> None:
    rng = random.Random(1)
    for _ in range(600):
        copies = [rng.randint(0, 3) for _ in range(rng.randint(2, 6))]
        kinds = [rng.randrange(1, 1 << len(copies)) for _ in range(rng.randint(1, 4))]
        masks = [rng.choice(kinds) for _ in range(rng.randint(1, 4))]
        if sum(copies) > 8:
            continue
        expected = listed(masks, copies)
        if not expected:
            with pytest.raises(ImpossiblePosition):
                Count(masks, copies)
            continue
        count = Count(masks, copies)
        assert (count.total, count.assignments) == (len(expected), len(set(expected)))
        for slot, row in enumerate(count.marginals):
            found = Counter(deal[slot] for deal in expected)
            assert row == {c: Fraction(n, len(expected)) for c, n in found.items()}


def test_large_crossing_groups_agree_with_a_closed_formula() -> None:
    """Ten slots for pools 0 and 1, ten for pools 1 and 2, twenty cards each: over 2^100 deals.

    If i of the first ten slots take cards of pool 1, the others choose among 40 - i cards.
    """
    sizes = [20, 20, 20]
    parts = [comb(10, i) * perm(20, i) * perm(20, 10 - i) * perm(40 - i, 10) for i in range(11)]
    total, densities = deals([Group(0b011, 10), Group(0b110, 10)], sizes)
    assert total == sum(parts) > 2**100
    mean = Fraction(sum(i * part for i, part in enumerate(parts)), total)
    assert 10 * 20 * densities[0][1] == mean
    assert 10 * (20 * densities[0][0] + 20 * densities[0][1]) == 10


def test_the_primes_are_primes_and_enough_for_any_deck() -> None:
    def is_prime(n: int) -> bool:
        return all(n % divisor for divisor in range(2, int(n**0.5) + 1))

    assert all(is_prime(p) and p < 2**31 for p in _PRIMES)
    assert len(set(_PRIMES)) == len(_PRIMES)
    assert prod(_PRIMES) > 80 * factorial(80)
