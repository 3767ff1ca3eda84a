"""The public notes of the H-Group players, and what everybody can tell from them.

The notes hold public facts only, so all players keep the same ones; what a player makes of them with his own
eyes is worked out anew when it is needed (``reading``). Rows of ``mask`` by order of a card: POSSIBLE =
identities that the facts allow; INFERRED = those the convention leaves, as far as everybody can tell; SAVES =
for the focus of a clue, the readings that only ask to keep it. Rows of ``card``: CLUED, SINCE = turn of the
first clue, PROMISE, CLUER = who gave it.

An *open clue* still speaks; there is one for each focus card in a hand, oldest first. PASSED (by open clue and
seat) = identities that a player, having had the chance, did not play for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.tools.building_blocks import hand_size, order_at
from hanasolve.hanabi.conventions.tools.elimination import known_rank
from hanasolve.jit import inline_kernel, kernel

POSSIBLE, INFERRED, PASSED, SAVES = 0, 1, 2, 4  # PASSED fills two rows
CLUED, SINCE, PROMISE, CLUER = 0, 1, 2, 3
NO_PROMISE, TO_PLAY, TO_KEEP = 0, 1, 2

TURN, EARLY, OPEN_CLUES = 0, 1, 2  # places in `notes`
_FIRST, _FIELDS, MAX_OPEN_CLUES = 8, 5, 24
FOCUS, GIVER, WHEN, NEXT, CHAINS = 0, 1, 2, 3, 4  # of an open clue; NEXT = order of the card drawn next then

LEVEL = 0  # place in `setup`, the others are in `parameters`


@inline_kernel
def level(memory: Any) -> int:
    return int(memory["setup"][LEVEL])


@inline_kernel
def clue_field(memory: Any, k: int, field: int) -> int:
    return int(np.int64(memory["notes"][_FIRST + _FIELDS * k + field]))


@inline_kernel
def open_clues(memory: Any) -> int:
    return int(np.int64(memory["notes"][OPEN_CLUES]))


@inline_kernel
def passed_set(memory: Any, k: int, seat: int) -> Any:
    at = 6 * k + seat
    return memory["mask"][PASSED + at // 80, at % 80]


@inline_kernel
def set_passed(memory: Any, k: int, seat: int, those: Any) -> None:
    at = 6 * k + seat
    memory["mask"][PASSED + at // 80, at % 80] = those


@inline_kernel
def is_clued(memory: Any, order: int) -> bool:
    return bool(memory["card"][CLUED, order] != 0)


@kernel
def chop_index(view: Any, memory: Any, seat: int) -> int:
    """The oldest card without a clue; -1 if the hand is locked."""
    for i in range(hand_size(view, seat)):
        if not is_clued(memory, order_at(view, seat, i)):
            return i
    return -1


@kernel
def is_fresh(view: Any, order: int) -> bool:
    """Drawn after the deal."""
    return bool(order >= view["players"] * view["hand_size"])


@kernel
def place_of_one(view: Any, memory: Any, order: int) -> int:
    """Level 3: the place of a clued 1 in the order in which they are played, least first; -1: not such a card.

    The focus of a clue (the chop, if that was touched), fresh cards newest first, the starting hand oldest first.
    """
    if memory["card"][PROMISE, order] != TO_PLAY or known_rank(memory["mask"][POSSIBLE, order]) != 1:
        return -1
    for k in range(open_clues(memory)):
        if clue_field(memory, k, FOCUS) == order:
            return k
    return 200 - order if is_fresh(view, order) else 200 + order


@kernel
def waits_for_one(view: Any, memory: Any, seat: int, index: int, at: int, playable: Any) -> bool:
    """Whether a 1 of this hand comes after another one that its holder takes for playable (sets at ``at``)."""
    if level(memory) < 3:
        return False
    own = place_of_one(view, memory, order_at(view, seat, index))
    if own < 0:
        return False
    for i in range(hand_size(view, seat)):
        mask = memory["work_mask"][at + 10 * seat + i]
        if i != index and mask != 0 and (mask & ~playable) == 0:
            other = place_of_one(view, memory, order_at(view, seat, i))
            if 0 <= other < own:
                return True
    return False


@kernel
def close_clue(memory: Any, k: int) -> None:
    """Forget an open clue; later ones move up."""
    last = open_clues(memory) - 1
    for j in range(k, last):
        for field in range(_FIELDS):
            memory["notes"][_FIRST + _FIELDS * j + field] = clue_field(memory, j + 1, field)
        for seat in range(6):
            set_passed(memory, j, seat, passed_set(memory, j + 1, seat))
    for field in range(_FIELDS):
        memory["notes"][_FIRST + _FIELDS * last + field] = 0
    for seat in range(6):
        set_passed(memory, last, seat, np.uint64(0))
    memory["notes"][OPEN_CLUES] = last


@kernel
def close_clue_of(memory: Any, order: int) -> None:
    """Forget the open clue with this focus, if there is one."""
    for k in range(open_clues(memory)):
        if clue_field(memory, k, FOCUS) == order:
            close_clue(memory, k)
            return


@kernel
def open_clue(view: Any, memory: Any, focus: int, giver: int, chains: bool) -> None:
    """Note a clue as the newest; ``chains``: it may call for other cards to be played first."""
    close_clue_of(memory, focus)
    k = open_clues(memory)
    if k == MAX_OPEN_CLUES:
        close_clue(memory, 0)
        k -= 1
    at = _FIRST + _FIELDS * k
    memory["notes"][at + FOCUS], memory["notes"][at + GIVER] = focus, giver
    memory["notes"][at + WHEN], memory["notes"][at + NEXT] = memory["notes"][TURN], view["next"]
    memory["notes"][at + CHAINS] = 1 if chains else 0
    memory["notes"][OPEN_CLUES] = k + 1
