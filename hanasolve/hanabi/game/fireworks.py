"""What the fireworks and the discard pile allow: next cards, maximum score, trash, critical cards.

All functions are kernels over the RULES and GAME records of ``state.py``. Sets of identities are ``uint64``
masks. A suit's building order is a number: 0 up, 1 down, 2 up or down, 3 sudoku.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.bits import bit, has
from hanasolve.jit import kernel

ORDER_UP, ORDER_DOWN, ORDER_UP_OR_DOWN, ORDER_SUDOKU = 0, 1, 2, 3
START_INDEX = 5  # rank index of START in Up or Down


@kernel
def next_rank(rules: Any, game: Any, suit: int) -> int:
    """Rank index that a begun or one-way suit takes next, -1 if complete, -2 if there is a choice."""
    placed = int(game["stacks"][suit])
    if placed == rules["stack_size"]:
        return -1
    order = int(rules["order"][suit])
    if order == ORDER_UP:
        return placed
    if order == ORDER_DOWN:
        return int(rules["stack_size"]) - 1 - placed
    if order == ORDER_SUDOKU:
        if placed == 0:
            return -2
        return (int(game["starts"][suit]) + placed) % int(rules["ranks"])
    direction = int(game["directions"][suit])
    if direction == 0:
        return -2
    return placed if direction > 0 else 4 - placed


@kernel
def playable(rules: Any, game: Any, identity: int) -> bool:
    """Whether this card is the next of its firework."""
    suit, rank = int(rules["suit_of"][identity]), int(rules["rank_of"][identity])
    wanted = next_rank(rules, game, suit)
    if wanted != -2:
        return rank == wanted
    if rules["order"][suit] == ORDER_SUDOKU:
        for other in range(rules["suits"]):
            if game["stacks"][other] > 0 and game["starts"][other] == rank:
                return False
        return True
    if game["stacks"][suit] == 0:
        return rank == 0 or rank == 4 or rank == START_INDEX
    return rank == 1 or rank == 3  # after START


@kernel
def alive(rules: Any, game: Any, identity: int) -> bool:
    """Whether a copy exists outside the discard pile (placed cards count as existing)."""
    return bool(game["discarded"][identity] < rules["copies"][identity])


@kernel
def _run(rules: Any, game: Any, suit: int, start: int, step: int, most: int) -> int:
    """How many ranks from ``start`` on, in steps of ``step`` (cyclic), are alive; at most ``most``."""
    ranks = int(rules["ranks"])
    rank, count = start, 0
    while count < most and alive(rules, game, suit * ranks + rank):
        count += 1
        rank = (rank + step) % ranks
    return count


@kernel
def _up_or_down_sides(rules: Any, game: Any, suit: int) -> tuple[int, int]:
    """Cards that an undecided Up or Down suit can reach going up, going down (START counts as a card)."""
    base = suit * int(rules["ranks"])
    if game["stacks"][suit] == 1:  # START lies there
        return 1 + _run(rules, game, suit, 1, 1, 4), 1 + _run(rules, game, suit, 3, -1, 4)
    up, down = 0, 0
    if alive(rules, game, base) or alive(rules, game, base + START_INDEX):
        up = 1 + _run(rules, game, suit, 1, 1, 4)
    if alive(rules, game, base + 4) or alive(rules, game, base + START_INDEX):
        down = 1 + _run(rules, game, suit, 3, -1, 4)
    return up, down


@kernel
def suit_max(rules: Any, game: Any, suit: int) -> int:
    """Cards this suit can still reach (not for an unstarted Sudoku suit: those share their starts)."""
    placed = int(game["stacks"][suit])
    wanted = next_rank(rules, game, suit)
    if wanted == -1:
        return placed
    if wanted == -2:
        up, down = _up_or_down_sides(rules, game, suit)
        return max(up, down)
    order = int(rules["order"][suit])
    step = 1
    if order == ORDER_DOWN or (order == ORDER_UP_OR_DOWN and game["directions"][suit] < 0):
        step = -1
    return placed + _run(rules, game, suit, wanted, step, int(rules["stack_size"]) - placed)


@kernel
def _sudoku_unstarted_max(rules: Any, game: Any) -> int:
    """Best total of the unstarted Sudoku suits over all choices of different free starts.

    A table over sets of used starts, suit by suit. A suit may also stay empty.
    """
    ranks = int(rules["ranks"])
    size = 1 << ranks
    used = 0
    for suit in range(rules["suits"]):
        if game["stacks"][suit] > 0:
            used |= 1 << int(game["starts"][suit])
    best = np.full(size, -1, np.int64)
    best[used] = 0
    for suit in range(rules["suits"]):
        if game["stacks"][suit] > 0:
            continue
        for taken in range(size - 1, -1, -1):  # downwards: each suit is placed once
            if best[taken] < 0:
                continue
            for start in range(ranks):
                if (taken >> start) & 1 == 0:
                    value = best[taken] + _run(rules, game, suit, start, 1, ranks)
                    if value > best[taken | (1 << start)]:
                        best[taken | (1 << start)] = value
    return int(best.max())


@kernel
def max_score(rules: Any, game: Any) -> int:
    """Highest number of placed cards that the cards outside the discard pile still allow."""
    total = 0
    unstarted = False
    for suit in range(rules["suits"]):
        if rules["order"][suit] == ORDER_SUDOKU and game["stacks"][suit] == 0:
            unstarted = True
        else:
            total += suit_max(rules, game, suit)
    if unstarted:
        total += _sudoku_unstarted_max(rules, game)
    return total


@kernel
def score(rules: Any, game: Any) -> int:
    """Cards placed."""
    total = 0
    for suit in range(rules["suits"]):
        total += int(game["stacks"][suit])
    return total


@kernel
def _run_mask(rules: Any, game: Any, suit: int, start: int, step: int, most: int) -> Any:
    ranks = int(rules["ranks"])
    mask = np.uint64(0)
    rank = start
    for _ in range(_run(rules, game, suit, start, step, most)):
        mask |= bit(suit * ranks + rank)
        rank = (rank + step) % ranks
    return mask


@kernel
def _suit_needed(rules: Any, game: Any, suit: int) -> Any:
    """Identities of one suit that can still be placed by some order of plays."""
    placed, ranks = int(game["stacks"][suit]), int(rules["ranks"])
    wanted = next_rank(rules, game, suit)
    order = int(rules["order"][suit])
    if wanted == -1:
        return np.uint64(0)
    if wanted >= 0:
        down = order == ORDER_DOWN or (order == ORDER_UP_OR_DOWN and game["directions"][suit] < 0)
        most = int(rules["stack_size"]) - placed
        return _run_mask(rules, game, suit, wanted, -1 if down else 1, most)
    mask = np.uint64(0)
    if order == ORDER_SUDOKU:
        for start in range(ranks):
            if playable(rules, game, suit * ranks + start):
                mask |= _run_mask(rules, game, suit, start, 1, ranks)
        return mask
    up, down_side = _up_or_down_sides(rules, game, suit)
    for side, first, step in ((up, 0, 1), (down_side, 4, -1)):
        if side == 0:
            continue
        if placed == 0:
            for start in (first, START_INDEX):
                if alive(rules, game, suit * ranks + start):
                    mask |= bit(suit * ranks + start)
        mask |= _run_mask(rules, game, suit, first + step, step, 4)
    return mask


@kernel
def needed_mask(rules: Any, game: Any) -> Any:
    """Identities that can still be placed. Everything else is trash."""
    mask = np.uint64(0)
    for suit in range(rules["suits"]):
        mask |= _suit_needed(rules, game, suit)
    return mask


@kernel
def playable_mask(rules: Any, game: Any) -> Any:
    """Identities that could be placed right now."""
    mask = np.uint64(0)
    for identity in range(rules["identities"]):
        if playable(rules, game, identity):
            mask |= bit(identity)
    return mask


@kernel
def critical_mask(rules: Any, game: Any) -> Any:
    """Needed identities with one copy left outside the discard pile."""
    needed = needed_mask(rules, game)
    mask = np.uint64(0)
    for identity in range(rules["identities"]):
        if has(needed, identity) and game["discarded"][identity] == rules["copies"][identity] - 1:
            mask |= bit(identity)
    return mask
