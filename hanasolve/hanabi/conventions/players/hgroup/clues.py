"""What a clue says to everybody: facts, focus, the readings that ask to keep a card or to play it."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.bits import has
from hanasolve.hanabi.conventions.players.hgroup.state import (
    CLUED,
    CLUER,
    EARLY,
    INFERRED,
    NO_PROMISE,
    POSSIBLE,
    PROMISE,
    SAVES,
    SINCE,
    TO_KEEP,
    TO_PLAY,
    TURN,
    chop_index,
    close_clue_of,
    is_clued,
    is_fresh,
    level,
    open_clue,
    place_of_one,
)
from hanasolve.hanabi.conventions.tools.building_blocks import (
    dead_set,
    hand_size,
    last_copy_set,
    order_at,
    playable_set,
)
from hanasolve.hanabi.game.rules import CLUE_RANK, touch_mask
from hanasolve.jit import kernel


@kernel
def rank_column(view: Any, rank: int) -> Any:
    """All identities of a rank, suits of five."""
    mask = np.uint64(0)
    for suit in range(view["suits"]):
        mask |= np.uint64(1) << np.uint64(5 * suit + rank - 1)
    return mask


@kernel
def first_one(view: Any, memory: Any, seat: int, touched: int, chop: int) -> int:
    """Level 3: the 1 that plays first: the chop, fresh cards newest first, the starting hand oldest first."""
    if chop >= 0 and (touched >> chop) & 1:
        return chop
    size = hand_size(view, seat)
    for i in range(size - 1, -1, -1):
        order = order_at(view, seat, i)
        if (touched >> i) & 1 and not is_clued(memory, order) and is_fresh(view, order):
            return i
    for i in range(size):
        if (touched >> i) & 1 and not is_clued(memory, order_at(view, seat, i)):
            return i
    return -1


@kernel
def focus_index(view: Any, memory: Any, seat: int, touched: int, chop: int) -> int:
    """The card that a clue speaks about: the touched chop, else the newest new card, else the newest."""
    if chop >= 0 and (touched >> chop) & 1:
        return chop
    newest = -1
    for i in range(hand_size(view, seat) - 1, -1, -1):
        if (touched >> i) & 1:
            if not is_clued(memory, order_at(view, seat, i)):
                return i
            if newest < 0:
                newest = i
    return newest


@kernel
def save_set(view: Any, kind: int, value: int, dead: Any) -> Any:
    """Readings of a clue on the chop that only ask to keep the card."""
    if kind == CLUE_RANK and (value == 5 or value == 2):
        return rank_column(view, value) & ~dead
    critical = last_copy_set(view) & ~dead
    return critical if kind == CLUE_RANK else critical & ~saved_by_number(view)


@kernel
def saved_by_number(view: Any) -> Any:
    """Identities that a colour never saves, since their number does: 5s, and 2s that exist once (dark suits)."""
    mask = rank_column(view, 5)
    for suit in range(view["suits"]):
        if view["copies"][5 * suit + 1] == 1:
            mask |= np.uint64(1) << np.uint64(5 * suit + 1)
    return mask


@kernel
def settle_hand(view: Any, memory: Any, seat: int, dead: Any) -> None:
    """Keep INFERRED inside POSSIBLE; what is contradicted starts again from the useful identities."""
    for i in range(hand_size(view, seat)):
        order = order_at(view, seat, i)
        facts = memory["mask"][POSSIBLE, order]
        left = memory["mask"][INFERRED, order] & facts
        if left == 0:
            left = facts & ~dead
        memory["mask"][INFERRED, order] = left if left != 0 else facts


@kernel
def is_stall(view: Any, memory: Any, giver: int, kind: int, value: int, tokens: int) -> bool:
    """Level 2: a number 5 in the early game, or by a player who may not discard, asks for nothing."""
    if level(memory) < 2 or kind != CLUE_RANK or value != 5:
        return False
    early = memory["notes"][EARLY] != 0
    return bool(early or tokens >= view["clues_max"] or chop_index(view, memory, giver) < 0)


@kernel
def stopped_index(view: Any, memory: Any, seat: int, touch: Any, touched: int) -> int:
    """Level 3: the card that a clue stops: nothing new is told of the touched ones, and it would be played; -1."""
    if level(memory) < 3:
        return -1
    focus, first = -1, 1000
    for i in range(hand_size(view, seat)):
        order = order_at(view, seat, i)
        if not (touched >> i) & 1:
            continue
        if (memory["mask"][POSSIBLE, order] & ~touch) != 0 or not is_clued(memory, order):
            return -1
        place = place_of_one(view, memory, order)
        place = place if place >= 0 else 500 - i
        if place < first:
            focus, first = i, place
    inferred = memory["mask"][INFERRED, order_at(view, seat, focus)]
    useless = memory["mask"][POSSIBLE, order_at(view, seat, focus)] & dead_set(view)
    if memory["card"][PROMISE, order_at(view, seat, focus)] != TO_PLAY or useless == 0:
        return -1
    return focus if inferred != 0 and (inferred & ~playable_set(view)) == 0 else -1


@kernel
def stop_card(view: Any, memory: Any, seat: int, index: int, dead: Any) -> int:
    """Note that a card is useless; returns its order."""
    order = order_at(view, seat, index)
    memory["mask"][INFERRED, order] = memory["mask"][POSSIBLE, order] & dead
    memory["mask"][SAVES, order] = 0
    memory["card"][PROMISE, order] = NO_PROMISE
    close_clue_of(memory, order)
    return order


@kernel
def read_clue(
    view: Any, memory: Any, giver: int, seat: int, kind: int, value: int, touched: int, tokens: int
) -> int:
    """Write a clue into the notes (``tokens`` before it); returns the order of its focus."""
    touch, dead = touch_mask(view, kind, value), dead_set(view)
    stopped = stopped_index(view, memory, seat, touch, touched)
    if stopped >= 0:
        return stop_card(view, memory, seat, stopped, dead)
    chop = chop_index(view, memory, seat)
    focus = focus_index(view, memory, seat, touched, chop)
    fresh = not is_clued(memory, order_at(view, seat, focus))
    ones = kind == CLUE_RANK and value == 1
    if ones and fresh and level(memory) >= 3:
        focus = first_one(view, memory, seat, touched, chop)
    order = order_at(view, seat, focus)
    saves = np.uint64(0)
    if fresh and focus == chop:
        saves = save_set(view, kind, value, dead)
    elif fresh and is_stall(view, memory, giver, kind, value, tokens):
        saves = rank_column(view, 5) & ~dead
    stall = saves != 0 and focus != chop
    for i in range(hand_size(view, seat)):
        card = order_at(view, seat, i)
        if not (touched >> i) & 1:
            memory["mask"][POSSIBLE, card] &= ~touch
            continue
        memory["mask"][POSSIBLE, card] &= touch
        if not is_clued(memory, card):
            memory["card"][CLUED, card] = 1
            memory["card"][CLUER, card] = giver
            memory["card"][SINCE, card] = min(127, memory["notes"][TURN])
            memory["card"][PROMISE, card] = TO_PLAY if ones else NO_PROMISE
            memory["mask"][INFERRED, card] = memory["mask"][POSSIBLE, card] & ~dead
    if stall:
        memory["mask"][INFERRED, order] &= saves
    settle_hand(view, memory, seat, dead)
    if fresh or memory["card"][PROMISE, order] != TO_PLAY:
        saves &= memory["mask"][INFERRED, order]
        memory["mask"][SAVES, order] = saves
        memory["card"][PROMISE, order] = TO_PLAY if saves == 0 else TO_KEEP
        forced = tokens >= view["clues_max"] and memory["notes"][EARLY] == 0
        open_clue(view, memory, order, giver, not forced)
    return order


@kernel
def clued_set(view: Any, seat: int, kind: int, value: int) -> int:
    """Bits of the hand indices that a clue to a hand in sight would touch."""
    touch = touch_mask(view, kind, value)
    touched = 0
    for i in range(hand_size(view, seat)):
        identity = int(np.int64(view["deck"][view["hands"][seat, i]]))
        if has(touch, identity):
            touched |= 1 << i
    return touched
