"""Dynamic programming for groups of slots whose card pools cross, such as "red" and "3".

The cards of one pool after another are handed out, group by group. A state is how many slots of each group
*in play* (some of its pools decided, some not) are still open, and how many cards of the pool at work are
taken. A pass forward counts the ways to reach each state, a pass back the ways to finish from it.

The kernel counts modulo a prime below 2^31, so every product fits in int64. It is run for as many primes as
the largest possible count needs, and the Chinese remainder theorem gives the exact integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, perm, prod
from typing import Any

import numpy as np

from hanasolve.errors import LimitReached
from hanasolve.hanabi.deduction.masks import members
from hanasolve.jit import kernel

# The largest primes below 2^31; enough for 80 slots: their product has 434 bits, 80 * 80! has 402.
_PRIMES = (
    2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549, 2147483543,
    2147483497, 2147483489, 2147483477, 2147483423, 2147483399, 2147483353, 2147483323,
)  # fmt: skip
_MOST_STATES = 1 << 26

# Columns of a step: cards of the pool, place value and radix of the group's digit, whether the group comes
# into play and whether it goes, whether the pool is finished, radix of the cards taken, number of states.
_SIZE, _STRIDE, _RADIX, _OPENS, _CLOSES, _POOL_ENDS, _BASE, _STATES = range(8)

Part = tuple[int, int]  # (mask of pools, slots) of a group


def count_deals(groups: Sequence[Part], sizes: Sequence[int]) -> tuple[int, list[list[int]]]:
    """Number of deals of physical cards, and for each group and pool the sum over deals of cards held."""
    most = perm(sum(sizes), sum(slots for _, slots in groups)) * max(slots for _, slots in groups)
    return _exact(groups, sizes, most, True)


def count_assignments(groups: Sequence[Part], copies: Sequence[int]) -> int:
    """Number of different assignments of identities (the pools) to slots."""
    most = prod(mask.bit_count() ** slots for mask, slots in groups)
    return _exact(groups, copies, most, False)[0]


def _exact(
    groups: Sequence[Part], sizes: Sequence[int], most: int, ordered: bool
) -> tuple[int, list[list[int]]]:
    orders = [_in_order(groups, pools) for pools in _pool_orders(groups)]
    plans = [(_plan(groups, sizes, pairs), pairs) for pairs in orders]
    (steps, offsets), pairs = min(plans, key=lambda plan: int(plan[0][1][-1]))
    if offsets[-1] > _MOST_STATES:
        raise LimitReached(f"{len(groups)} groups of differently clued cards: too many states to count")
    layers, after = np.zeros((2, offsets[-1] + 1), np.int64)
    rows = []
    modulus = 1
    for prime in _PRIMES:
        out = np.zeros(len(pairs) + 1, np.int64)
        _count(steps, offsets, _CHOOSE, prime, ordered, layers, after, out)
        rows.append(out.tolist())
        modulus *= prime
        if modulus > most:
            break
    values = [_from_remainders(remainders, modulus) for remainders in zip(*rows, strict=True)]
    held = [[0] * len(sizes) for _ in groups]
    for (pool, group), value in zip(pairs, values, strict=False):
        held[group][pool] = value
    return values[-1], held


def _from_remainders(remainders: tuple[int, ...], modulus: int) -> int:
    value, step = 0, 1
    for prime, remainder in zip(_PRIMES, remainders, strict=False):
        value += step * ((remainder - value) * pow(step, -1, prime) % prime)
        step *= prime
    return value % modulus


# ------------------------------------------------------------------------------- the order of the decisions


def _pool_orders(groups: Sequence[Part]) -> list[list[int]]:
    """Two good orders of the pools: narrow groups first, and fewest states in play next."""
    narrow: list[int] = []
    for mask, _ in sorted(groups, key=lambda part: part[0].bit_count()):
        narrow.extend(pool for pool in members(mask) if pool not in narrow)
    left, greedy, opened = set(narrow), [], 0
    while left:
        rest = sum(1 << pool for pool in left)

        def states(pool: int, rest: int = rest, opened: int = opened) -> tuple[int, int]:
            later = during = 1
            for i, (mask, slots) in enumerate(groups):
                touched = mask >> pool & 1
                if touched or (opened >> i & 1 and mask & rest):
                    during *= slots + 1
                    if mask & rest & ~(1 << pool):
                        later *= slots + 1
            return later, during

        best = min(sorted(left), key=states)
        greedy.append(best)
        left.remove(best)
        opened |= sum(1 << i for i, (mask, _) in enumerate(groups) if mask >> best & 1)
    return [narrow, greedy]


def _in_order(groups: Sequence[Part], pools: list[int]) -> list[tuple[int, int]]:
    return [(pool, i) for pool in pools for i, (mask, _) in enumerate(groups) if mask >> pool & 1]


def _plan(groups: Sequence[Part], sizes: Sequence[int], pairs: list[tuple[int, int]]) -> tuple[Any, Any]:
    """The kernel's step table, and where each step's layer of states begins."""
    last_of_pool = {pool: at for at, (pool, _) in enumerate(pairs)}
    last_of_group = {group: at for at, (_, group) in enumerate(pairs)}
    in_play: list[int] = []
    states, offset = 1, 0
    rows, offsets = [], []
    for at, (pool, group) in enumerate(pairs):
        slots = sum(count for mask, count in groups if mask >> pool & 1)
        base, radix = min(sizes[pool], slots) + 1, groups[group][1] + 1
        opens, closes = group not in in_play, last_of_group[group] == at
        stride = prod(groups[i][1] + 1 for i in (in_play if opens else in_play[: in_play.index(group)]))
        rows.append((sizes[pool], stride, radix, opens, closes, last_of_pool[pool] == at, base, states))
        offsets.append(offset)
        offset += states * base
        if opens and not closes:
            in_play.append(group)
            states *= radix
        elif closes and not opens:
            in_play.remove(group)
            states //= radix
    return np.array(rows, np.int64), np.array([*offsets, offset], np.int64)


_CHOOSE = np.array([[comb(n, k) for k in range(61)] for n in range(61)], np.int64)

# ----------------------------------------------------------------------------------------------- the kernel


@kernel
def _target(step: Any, state: int, used: int, taken: int, next_base: int) -> int:
    """Place, in the next layer, of the state after ``taken`` cards go to the group."""
    stride, radix = step[_STRIDE], step[_RADIX]
    if step[_OPENS]:
        if not step[_CLOSES]:
            state += (radix - 1 - taken) * stride  # a new highest digit
    elif step[_CLOSES]:
        state = state // (stride * radix) * stride + state % stride
    else:
        state -= taken * stride
    return int(state * next_base + (0 if step[_POOL_ENDS] else used + taken))


@kernel
def _factor(open_slots: int, cards: int, taken: int, choose: Any, prime: int, ordered: bool) -> int:
    """Ways to choose the slots and, if ``ordered``, to give them different cards."""
    ways = choose[open_slots, taken] % prime
    if ordered:
        for i in range(taken):
            ways = ways * (cards - i) % prime
    return int(ways)


@kernel
def _count(
    steps: Any, offsets: Any, choose: Any, prime: int, ordered: bool, layers: Any, after: Any, out: Any
) -> None:
    """``out[i]`` = sum over deals of the cards given in step i, ``out[-1]`` = number of deals, mod prime.

    ``layers`` and ``after`` hold all layers of states: ways to reach a state, ways to finish from it. The
    last element of each stands for the finished state.
    """
    layers[:] = 0
    after[:] = 0
    layers[0] = 1
    after[offsets[-1]] = 1
    count = steps.shape[0]
    for backward in range(2):
        for k in range(count):
            at = count - 1 - k if backward else k
            step = steps[at]
            base, begin = step[_BASE], offsets[at]
            next_base = steps[at + 1, _BASE] if at + 1 < count else 1
            given = 0
            for place in range(step[_STATES] * base):
                ways = layers[begin + place]
                if ways == 0:
                    continue
                state, used = place // base, place % base
                open_slots = step[_RADIX] - 1
                if not step[_OPENS]:
                    open_slots = state // step[_STRIDE] % step[_RADIX]
                cards = step[_SIZE] - used
                finish, held = 0, 0
                for taken in range(open_slots if step[_CLOSES] else 0, min(open_slots, cards) + 1):
                    to = offsets[at + 1] + _target(step, state, used, taken, next_base)
                    factor = _factor(open_slots, cards, taken, choose, prime, ordered)
                    if backward:
                        rest = factor * after[to] % prime
                        finish += rest
                        held += rest * taken
                    else:
                        layers[to] = (layers[to] + ways * factor) % prime
                if backward:
                    after[begin + place] = finish % prime
                    given = (given + ways * (held % prime)) % prime
            if backward:
                out[at] = given
    out[count] = layers[offsets[-1]]
