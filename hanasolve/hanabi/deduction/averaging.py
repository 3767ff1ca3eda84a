"""Probabilities in the empathy view: the chance that q expects p to give, over the hands q may hold.

P(s = c) = sum over hands y of q of P(y) * P(s = c as p judges when he sees y). What p judges depends on y
only through how many cards of each of p's pools y takes away, so q's hands are counted by these numbers and
p's hand is solved once for each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from hanasolve.hanabi.deduction.counting import Count, Density, Group, deals, grouped
from hanasolve.hanabi.deduction.masks import members

Taken = tuple[int, ...]  # cards in q's hand, by joint pool


def expected_marginals(
    unseen: Count, own: int, sets: Sequence[int], visible: Sequence[int]
) -> list[dict[int, Fraction]]:
    """For each slot of p the mean of p's probabilities over q's deals.

    ``unseen``: q's own hand, its first ``own`` slots, and behind them cards that nobody knows; ``sets``: p's possible
    sets in the view, and behind them those of other cards that p does not know either; ``visible[c]``: copies that lie
    where ``unseen`` and ``sets`` have their slots or in the deck.
    """
    groups, where = grouped(sets)
    pools, p_pool = _joint_pools(unseen, groups)
    sizes = [sum(unseen.copies[c] for c in pool) for pool in pools]
    hands = _hands(unseen, own, pools, sizes)
    by_view: dict[Taken, list[tuple[Taken, int]]] = defaultdict(list)
    for taken, ways in hands.items():
        by_view[_for_p(taken, p_pool)].append((taken, ways))
    p_sizes = _for_p([sum(visible[c] for c in pool) for pool in pools], p_pool)
    p_groups = [
        Group(sum({1 << p_pool[j] for j, pool in enumerate(pools) if group.mask >> pool[0] & 1}), group.slots)
        for group in groups
    ]
    totals, moments, solved = [], [], []
    for view, worlds in by_view.items():
        totals.append(sum(ways for _, ways in worlds))
        moments.append([sum(ways * taken[j] for taken, ways in worlds) for j in range(len(pools))])
        solved.append(deals(p_groups, [size - out for size, out in zip(p_sizes, view, strict=True)])[1])
    everything = sum(totals)
    rows = []
    for i, group in enumerate(groups):
        row = {}
        for j, pool in enumerate(pools):
            if group.mask >> pool[0] & 1:
                plain, weighted = _sums([d[i] for d in solved], p_pool[j], totals, [m[j] for m in moments])
                for c in pool:
                    # p sees those of them that q holds: on average a share of q's cards of the pool
                    share = Fraction(unseen.copies[c], sizes[j]) if sizes[j] else 0
                    row[c] = (visible[c] * plain - share * weighted) / everything
        rows.append({c: row[c] for c in members(group.mask)})
    return [rows[place] for place in where]


def _joint_pools(unseen: Count, groups: Sequence[Group]) -> tuple[list[list[int]], list[int]]:
    """Identities that neither q's nor p's slots tell apart, and the index of p's pool for each."""
    masks = list(dict.fromkeys(unseen.sets))
    joint: dict[tuple[int, int], list[int]] = defaultdict(list)
    for c in range(len(unseen.copies)):
        mine = sum(1 << i for i, mask in enumerate(masks) if mask >> c & 1)
        theirs = sum(1 << i for i, group in enumerate(groups) if group.mask >> c & 1)
        if mine or theirs:
            joint[mine, theirs].append(c)
    index: dict[int, int] = {}
    p_pool = [index.setdefault(theirs, len(index)) for _, theirs in joint]
    return list(joint.values()), p_pool


def _hands(unseen: Count, own: int, pools: list[list[int]], sizes: list[int]) -> dict[Taken, int]:
    """How many deals give q so many cards of each joint pool."""
    nothing = (0,) * len(pools)
    hands: dict[tuple[Taken, Taken], int] = {(nothing, nothing): 1}  # (in q's hand, in all slots)
    for part, masks in enumerate((unseen.sets[:own], unseen.sets[own:])):
        for mask in sorted(masks, key=int.bit_count):
            inside = [j for j, pool in enumerate(pools) if mask >> pool[0] & 1]
            more: dict[tuple[Taken, Taken], int] = defaultdict(int)
            for (mine, taken), ways in hands.items():
                for j in inside:
                    if sizes[j] > taken[j]:
                        new = (*taken[:j], taken[j] + 1, *taken[j + 1 :])
                        more[mine if part else new, new] += ways * (sizes[j] - taken[j])
            hands = more
    of_q: dict[Taken, int] = defaultdict(int)
    for (mine, _), ways in hands.items():
        of_q[mine] += ways
    return of_q


def _for_p(taken: Sequence[int], p_pool: Sequence[int]) -> Taken:
    sums = [0] * (max(p_pool, default=-1) + 1)
    for count, pool in zip(taken, p_pool, strict=True):
        sums[pool] += count
    return tuple(sums)


def _sums(
    densities: list[Density], pool: int, totals: list[int], moments: list[int]
) -> tuple[Fraction, Fraction]:
    """Sum of density * total and of density * moment, over one common denominator."""
    common = lcm(*(density[pool].denominator for density in densities))
    plain = weighted = 0
    for density, total, moment in zip(densities, totals, moments, strict=True):
        scaled = density[pool].numerator * (common // density[pool].denominator)
        plain += scaled * total
        weighted += scaled * moment
    return Fraction(plain, common), Fraction(weighted, common)
