"""Exact joint counting of deals: totals, probabilities of every card, and joint queries.

A *deal* gives every hidden slot its own physical card; all deals that agree with what is known are equally
likely, since every order of the deck is. The number of deals behind an assignment x of identities is the
product over c of a(c) (a(c)-1) ... (a(c)-n_c+1) for n_c uses of c with a(c) copies available.

Physical cards which the same slots may hold are interchangeable, so cards are counted in *pools* of such
cards, and slots in *groups* with the same set. Two kinds of groups come off by a closed formula: one whose
cards no other group tells apart is dealt first, one whose cards include all the others' is dealt last.
What is left (groups that cross, such as "red" and "3") is counted by dynamic programming (``crossing``). All
numbers are Python integers and fractions: nothing overflows or rounds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import perm

from hanasolve.errors import ImpossiblePosition
from hanasolve.hanabi.deduction.crossing import count_assignments, count_deals
from hanasolve.hanabi.deduction.masks import members
from hanasolve.hanabi.deduction.matching import possible_sets

Density = list[Fraction]  # by pool: probability that a slot of the group holds one particular card of it
_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Group:
    """``slots`` slots that may hold the cards of the pools in ``mask``."""

    mask: int
    slots: int


def deals(groups: Sequence[Group], sizes: Sequence[int]) -> tuple[int, list[Density]]:
    """Number of deals, and for each group the density over the pools. ``sizes[i]`` = cards of pool i.

    With no deal at all the number is 0 and the densities mean nothing.
    """
    shape = _shape(tuple(groups), len(sizes))
    small = [sum([sizes[pool] for pool in pools]) for pools in shape.merged]
    total = 1
    wide = [[_ZERO] * len(sizes) for _ in groups]
    for component, part in shape.components:
        count, densities = _connected(part, small)
        total *= count
        for i, group, density in zip(component, part, densities, strict=True):
            row = wide[i]
            for new in members(group.mask):
                for pool in shape.merged[new]:
                    row[pool] = density[new]
    return total, wide


@dataclass(frozen=True)
class _Shape:
    """What does not depend on the sizes: merged pools, and the components over them with their groups."""

    merged: list[list[int]]
    components: list[tuple[list[int], list[Group]]]


@lru_cache(maxsize=1024)
def _shape(groups: tuple[Group, ...], pools: int) -> _Shape:
    merged = _merge_pools(groups, pools)
    recast = _recast(groups, merged)
    return _Shape(merged, [(part, [recast[i] for i in part]) for part in _components(recast)])


def _merge_pools(groups: Sequence[Group], pools: int) -> list[list[int]]:
    """Pools that no group tells apart, together; pools of no group are left out."""
    seen: dict[int, list[int]] = defaultdict(list)
    for pool in range(pools):
        seen[sum(1 << i for i, group in enumerate(groups) if group.mask >> pool & 1)].append(pool)
    seen.pop(0, None)
    return list(seen.values())


def _recast(groups: Sequence[Group], merged: list[list[int]]) -> list[Group]:
    """The groups over the merged pools."""
    firsts = [(1 << i, pools[0]) for i, pools in enumerate(merged)]
    return [
        Group(sum(flag for flag, pool in firsts if group.mask >> pool & 1), group.slots) for group in groups
    ]


def _components(groups: Sequence[Group]) -> list[list[int]]:
    """Groups linked by common pools."""
    parts: list[tuple[int, list[int]]] = []
    for i, group in enumerate(groups):
        mask, inside, rest = group.mask, [i], []
        for part in parts:
            if part[0] & group.mask:
                mask, inside = mask | part[0], part[1] + inside
            else:
                rest.append(part)
        parts = [*rest, (mask, inside)]
    return [inside for _, inside in parts]


def _connected(groups: list[Group], sizes: list[int]) -> tuple[int, list[Density]]:
    """``deals`` for linked groups whose pools are merged."""
    union = 0
    for group in groups:
        union |= group.mask
    for i, group in enumerate(groups):
        if group.mask & (group.mask - 1) == 0:
            return _dealt_first(i, groups, sizes)
    for i, group in enumerate(groups):
        if group.mask == union:
            return _dealt_last(i, groups, sizes)
    return _crossing(groups, sizes)


def _dealt_first(first: int, groups: list[Group], sizes: list[int]) -> tuple[int, list[Density]]:
    """A group with one pool: its slots take cards there, the others find so many fewer."""
    group = groups[first]
    pool = group.mask.bit_length() - 1
    size, left = sizes[pool], sizes[pool] - group.slots
    if left < 0:
        return 0, [[_ZERO] * len(sizes) for _ in groups]
    smaller = [*sizes[:pool], left, *sizes[pool + 1 :]]
    total, densities = deals([*groups[:first], *groups[first + 1 :]], smaller)
    for density in densities:
        if density[pool]:
            density[pool] *= Fraction(left, size)
    own = [_ZERO] * len(sizes)
    own[pool] = Fraction(1, size)
    return total * perm(size, group.slots), [*densities[:first], own, *densities[first:]]


def _dealt_last(last: int, groups: list[Group], sizes: list[int]) -> tuple[int, list[Density]]:
    """A group that includes all others: each card the others leave is equally likely for its slots."""
    group = groups[last]
    rest = [*groups[:last], *groups[last + 1 :]]
    total, densities = deals(rest, sizes)
    left = sum(sizes[pool] for pool in members(group.mask)) - sum(other.slots for other in rest)
    if total == 0 or left < group.slots:
        return 0, [[_ZERO] * len(sizes) for _ in groups]
    own = [_ZERO] * len(sizes)
    for pool in members(group.mask):
        taken = sum((g.slots * d[pool] for g, d in zip(rest, densities, strict=True) if d[pool]), _ZERO)
        own[pool] = (_ONE - taken) / left
    return total * perm(left, group.slots), [*densities[:last], own, *densities[last:]]


def _crossing(groups: list[Group], sizes: list[int]) -> tuple[int, list[Density]]:
    """Groups that cross: dynamic programming, see ``crossing``."""
    total, held = count_deals([(group.mask, group.slots) for group in groups], sizes)
    if total == 0:
        return 0, [[_ZERO] * len(sizes) for _ in groups]
    return total, [
        [Fraction(n, total * group.slots * sizes[pool]) if n else _ZERO for pool, n in enumerate(row)]
        for group, row in zip(groups, held, strict=True)
    ]


def grouped(sets: Sequence[int]) -> tuple[list[Group], list[int]]:
    """Slots with the same set as groups, and the group of each slot."""
    places: dict[int, int] = {}
    where = [places.setdefault(mask, len(places)) for mask in sets]
    return [Group(mask, where.count(place)) for mask, place in places.items()], where


class Count:
    """All deals of hidden slots: ``masks[i]`` = identities of slot i by its clues, ``copies`` available.

    ImpossiblePosition (kind joint) if there is no deal.
    """

    def __init__(self, masks: Sequence[int], copies: Sequence[int]) -> None:
        sets = possible_sets(masks, copies)
        if sets is None:
            raise ImpossiblePosition("no deal agrees with the clues and the copies that exist", "joint")
        self.sets: list[int] = sets
        self.copies: list[int] = list(copies)

    @cached_property
    def _solved(self) -> tuple[int, list[Density], list[int]]:
        groups, where = grouped(self.sets)
        total, densities = deals(groups, self.copies)
        return total, densities, where

    @property
    def total(self) -> int:
        """Number of deals (the sum of all weights)."""
        return self._solved[0]

    @cached_property
    def assignments(self) -> int:
        """Number of different assignments of identities to the slots."""
        groups, _ = grouped(self.sets)
        product = 1
        for component in _components(groups):
            part = [(groups[i].mask, groups[i].slots) for i in component]
            product *= count_assignments(part, self.copies)
        return product

    @cached_property
    def marginals(self) -> list[dict[int, Fraction]]:
        """For each slot the exact probability of each possible identity."""
        _, densities, where = self._solved
        rows: dict[int, dict[int, Fraction]] = {}
        for slot, mask in enumerate(self.sets):
            if where[slot] not in rows:
                density = densities[where[slot]]
                rows[where[slot]] = {c: self.copies[c] * density[c] for c in members(mask)}
        return [rows[place] for place in where]

    def expected(self, identity: int) -> Fraction:
        """Mean number of copies of an identity in the slots."""
        return sum((row.get(identity, _ZERO) for row in self.marginals), _ZERO)

    def chance(self, wanted: Mapping[int, int]) -> Fraction:
        """Probability that every slot of ``wanted`` holds an identity of the set given for it."""
        masks = [mask & wanted.get(slot, mask) for slot, mask in enumerate(self.sets)]
        if 0 in masks:
            return _ZERO
        groups, _ = grouped(masks)
        return Fraction(deals(groups, self.copies)[0], self.total)

    def given(self, known: Mapping[int, int]) -> Count:
        """The count after learning that slots hold identities of these sets."""
        masks = [mask & known.get(slot, mask) for slot, mask in enumerate(self.sets)]
        return Count(masks, self.copies)

    def probability(self, slots: Sequence[int], predicate: Callable[..., bool]) -> Fraction:
        """Probability that ``predicate(identity of slots[0], identity of slots[1], ...)`` is true.

        Every combination of identities of these slots is asked for; for "each slot in a set" ``chance`` is
        quicker.
        """
        others, _ = grouped([mask for slot, mask in enumerate(self.sets) if slot not in slots])
        pools = _merge_pools(others, len(self.copies))
        groups = _recast(others, pools)
        left = list(self.copies)
        known: dict[tuple[int, ...], int] = {}

        def rest() -> int:
            sizes = tuple(sum(left[identity] for identity in pool) for pool in pools)
            if sizes not in known:
                known[sizes] = deals(groups, sizes)[0]
            return known[sizes]

        def count(chosen: tuple[int, ...], ways: int) -> int:
            if len(chosen) == len(slots):
                return ways * rest() if predicate(*chosen) else 0
            found = 0
            for identity in members(self.sets[slots[len(chosen)]]):
                if left[identity]:
                    left[identity] -= 1
                    found += count((*chosen, identity), ways * (left[identity] + 1))
                    left[identity] += 1
            return found

        return Fraction(count((), 1), self.total)
