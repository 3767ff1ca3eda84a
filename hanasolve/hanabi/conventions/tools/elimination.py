"""What the public marks of cards leave possible, to a fixpoint: for ``holmes``, ``smart`` and Cox's players.

mask[0] of a MEMORY holds the possible identities of every card by order. A card is *identified* when one is
left. Each identity whose copies are all placed, discarded or held by identified cards is impossible
elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.tools.building_blocks import (
    ONE,
    bit,
    count_left,
    first_bit,
    hand_size,
    none_left,
    order_at,
)
from hanasolve.jit import inline_kernel, kernel

POSSIBLE = 0


@inline_kernel
def is_single(mask: Any) -> bool:
    return bool(mask != 0 and (mask & (mask - ONE)) == 0)


@kernel
def all_identities(view: Any) -> Any:
    return bit(view["identities"]) - ONE


@kernel
def rank_set(view: Any, rank: int) -> Any:
    """All identities of a rank (1 to 5), plain suits."""
    mask = np.uint64(0)
    for suit in range(view["suits"]):
        mask |= bit(suit * 5 + rank - 1)
    return mask


@inline_kernel
def color_set(suit: int) -> Any:
    return np.uint64(31) << np.uint64(5 * suit)


@kernel
def known_rank(mask: Any) -> int:
    """The one rank (1 to 5) of a set of identities of plain suits, 0 if there are several."""
    folded = mask | (mask >> np.uint64(5)) | (mask >> np.uint64(10))
    folded = (folded | (folded >> np.uint64(15)) | (folded >> np.uint64(30))) & np.uint64(31)
    return first_bit(folded) + 1 if is_single(folded) else 0


@kernel
def known_color(mask: Any) -> int:
    """1 + the one suit of a set of identities of plain suits, 0 if there are several."""
    if mask == 0:
        return 0
    suit = first_bit(mask) // 5
    return suit + 1 if (mask & ~color_set(suit)) == 0 else 0


@kernel
def forget_all(view: Any, memory: Any) -> None:
    """Every card may be anything: the start of a game. At a position without history its clues are known."""
    everything = all_identities(view)
    for order in range(view["deck_size"]):
        memory["mask"][POSSIBLE, order] = everything & view["fits"][order]


@kernel
def mark_clue(view: Any, memory: Any, event: Any, touch: Any) -> None:
    """The plain facts of a clue: touched cards are in ``touch``, the others of that hand are not."""
    seat = event["target"]
    for i in range(hand_size(view, seat)):
        keep = touch if (event["touched"] >> i) & 1 else ~touch
        memory["mask"][POSSIBLE, order_at(view, seat, i)] &= keep


@kernel
def exhausted_set(view: Any, memory: Any) -> Any:
    """Identities all of whose copies are placed, discarded or held by identified cards."""
    held = memory["work"]
    count_left(view, held)
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            mask = memory["mask"][POSSIBLE, order_at(view, seat, i)]
            if is_single(mask):
                held[first_bit(mask)] -= 1
    return none_left(view, held)


@kernel
def eliminate(view: Any, memory: Any) -> None:
    """Exclude exhausted identities from all cards that are not identified, until nothing changes."""
    again = True
    while again:
        again = False
        gone = exhausted_set(view, memory)
        for seat in range(view["players"]):
            for i in range(hand_size(view, seat)):
                order = order_at(view, seat, i)
                mask = memory["mask"][POSSIBLE, order]
                if is_single(mask) or (mask & gone) == 0 or (mask & ~gone) == 0:
                    continue
                memory["mask"][POSSIBLE, order] = mask & ~gone
                again = again or is_single(mask & ~gone)
