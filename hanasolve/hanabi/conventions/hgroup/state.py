"""The public notes of the H-Group players, and what everybody can tell from them.

The notes hold public facts only, so all players keep the same ones; what a player makes of them with his own
eyes is worked out anew when it is needed (``reading``). Rows of ``mask`` by order of a card: POSSIBLE =
identities that the facts allow; INFERRED = those the convention leaves, as far as everybody can tell; SAVES =
for the focus of a clue, the readings that only ask to keep it. Rows of ``card``: CLUED, SINCE = turn of the
first clue, PROMISE, CLUER = who gave it.

A *record* is a clue that still speaks, one for each focus card in a hand, oldest first; PASSED (by record and
seat) = identities that a player, having had the chance, did not play for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.kit import hand_size, order_at
from hanasolve.jit import inline_kernel, kernel

POSSIBLE, INFERRED, PASSED, SAVES = 0, 1, 2, 4  # PASSED fills two rows
CLUED, SINCE, PROMISE, CLUER = 0, 1, 2, 3
NO_PROMISE, TO_PLAY, TO_KEEP = 0, 1, 2

TURN, EARLY, RECORDS = 0, 1, 2  # places in `notes`
_FIRST, _FIELDS, MAX_RECORDS = 8, 5, 24
FOCUS, GIVER, WHEN, NEXT, CHAINS = 0, 1, 2, 3, 4  # of a record; NEXT = order of the card drawn next then

LEVEL = 0  # place in `setup`, the others are in `parameters`


@inline_kernel
def level(memory: Any) -> int:
    return int(memory["setup"][LEVEL])


@inline_kernel
def of_record(memory: Any, k: int, field: int) -> int:
    return int(np.int64(memory["notes"][_FIRST + _FIELDS * k + field]))


@inline_kernel
def records(memory: Any) -> int:
    return int(np.int64(memory["notes"][RECORDS]))


@inline_kernel
def passed(memory: Any, k: int, seat: int) -> Any:
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
def drop_record(memory: Any, k: int) -> None:
    """Forget a record; later ones move up."""
    last = records(memory) - 1
    for j in range(k, last):
        for field in range(_FIELDS):
            memory["notes"][_FIRST + _FIELDS * j + field] = of_record(memory, j + 1, field)
        for seat in range(6):
            set_passed(memory, j, seat, passed(memory, j + 1, seat))
    for field in range(_FIELDS):
        memory["notes"][_FIRST + _FIELDS * last + field] = 0
    for seat in range(6):
        set_passed(memory, last, seat, np.uint64(0))
    memory["notes"][RECORDS] = last


@kernel
def drop_focus(memory: Any, order: int) -> None:
    """Forget the record of a focus card, if there is one."""
    for k in range(records(memory)):
        if of_record(memory, k, FOCUS) == order:
            drop_record(memory, k)
            return


@kernel
def add_record(view: Any, memory: Any, focus: int, giver: int, chains: bool) -> None:
    """Note a clue as the newest; ``chains``: it may call for other cards to be played first."""
    drop_focus(memory, focus)
    k = records(memory)
    if k == MAX_RECORDS:
        drop_record(memory, 0)
        k -= 1
    at = _FIRST + _FIELDS * k
    memory["notes"][at + FOCUS], memory["notes"][at + GIVER] = focus, giver
    memory["notes"][at + WHEN], memory["notes"][at + NEXT] = memory["notes"][TURN], view["next"]
    memory["notes"][at + CHAINS] = 1 if chains else 0
    memory["notes"][RECORDS] = k + 1
