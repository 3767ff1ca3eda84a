"""How ``smart`` reads: what a clue, a discard, and a clue that was not given tell everybody.

Public notes: mask[0] by order = possible identities; mask[1] = the sets of playable, worthless and valuable
identities (indices 0 to 2) as they were when the notes were written. A card *is* playable, worthless or
valuable (publicly) if all its possible identities are, *may be* if some are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.players.simple import is_reclaim
from hanasolve.hanabi.conventions.tools.building_blocks import bit, card_at, count_bits, hand_size, order_at, seat_after
from hanasolve.hanabi.conventions.tools.elimination import POSSIBLE, mark_clue, rank_set
from hanasolve.jit import inline_kernel, kernel

SETS, PLAYABLE, WORTHLESS, VALUABLE = 1, 0, 1, 2


@inline_kernel
def surely(mask: Any, those: Any) -> bool:
    return bool((mask & ~those) == 0)


@inline_kernel
def maybe(mask: Any, those: Any) -> bool:
    """Some but not all."""
    return bool((mask & those) != 0 and (mask & ~those) != 0)


@kernel
def discard_index(view: Any, memory: Any, seat: int) -> int:
    """D: the non-valuable card with the greatest share of worthless identities; -1 if a card is of use."""
    playable, worthless = memory["mask"][SETS, PLAYABLE], memory["mask"][SETS, WORTHLESS]
    valuable = memory["mask"][SETS, VALUABLE]
    best, best_bad, best_all = -1, -1, 1
    for i in range(hand_size(view, seat)):
        mask = memory["mask"][POSSIBLE, order_at(view, seat, i)]
        if surely(mask, playable) or surely(mask, worthless):
            return -1
        if surely(mask, valuable):
            continue
        bad, total = count_bits(mask & worthless), count_bits(mask)
        if best < 0 or bad * best_all > best_bad * total:
            best, best_bad, best_all = i, bad, total
    return best


@kernel
def narrow(memory: Any, order: int, those: Any) -> None:
    """Keep only these identities, unless none would be left."""
    if (memory["mask"][POSSIBLE, order] & those) != 0:
        memory["mask"][POSSIBLE, order] &= those


@kernel
def could_be_valuable(view: Any, memory: Any, order: int, rank: int) -> bool:
    """Whether this card, not surely valuable, could be with this rank."""
    mask, valuable = memory["mask"][POSSIBLE, order], memory["mask"][SETS, VALUABLE]
    return bool(maybe(mask, valuable) and (mask & valuable & rank_set(view, rank)) != 0)


@kernel
def no_warning(view: Any, memory: Any, event: Any) -> None:
    """The next player was not clued though he could have been: the card he would discard is not valuable."""
    if event["deck_before"] == 0 or event["clues_before"] == 0:
        return
    seat = seat_after(view, event["actor"], 1)
    index = discard_index(view, memory, seat)
    if index >= 0:
        narrow(memory, order_at(view, seat, index), ~memory["mask"][SETS, VALUABLE])


@kernel
def read_clue(view: Any, memory: Any, event: Any, touch: Any, says_more: bool) -> None:
    """The facts; unless they make a card surely playable, the newest touched one that may be is playable."""
    playable, seat = memory["mask"][SETS, PLAYABLE], event["target"]
    newest, revealed = -1, False
    for i in range(hand_size(view, seat) - 1, -1, -1):
        order = order_at(view, seat, i)
        mask = memory["mask"][POSSIBLE, order]
        if not maybe(mask, playable):
            continue
        touched = (event["touched"] >> i) & 1
        after = mask & touch if touched else mask & ~touch
        if surely(after, playable):
            revealed = True
        elif touched and newest < 0 and maybe(after, playable):
            newest = order
    mark_clue(view, memory, event, touch)
    if says_more and not revealed and newest >= 0:
        narrow(memory, newest, playable)


@kernel
def read_number(view: Any, memory: Any, event: Any) -> None:
    """A number that touches the next player's discard and could make it valuable is a warning."""
    seat, rank = event["target"], event["value"]
    reclaim = is_reclaim(view, event)
    warned = False
    if seat == seat_after(view, event["actor"], 1) and not reclaim:
        index = discard_index(view, memory, seat)
        if index >= 0 and (event["touched"] >> index) & 1:
            order = order_at(view, seat, index)
            warned = could_be_valuable(view, memory, order, rank)
            if warned:
                narrow(memory, order, memory["mask"][SETS, VALUABLE])
    read_clue(view, memory, event, rank_set(view, rank), not warned and not reclaim)


@kernel
def read_finesse(view: Any, memory: Any, event: Any) -> None:
    """A discard of an identified playable card: somebody's newest card is that one, mine if I see none."""
    card, actor = bit(event["identity"]), event["actor"]
    if memory["mask"][POSSIBLE, event["order"]] != card or (card & memory["mask"][SETS, PLAYABLE]) == 0:
        return
    holder = int(np.int64(view["seat"]))
    for seat in range(view["players"]):
        size = hand_size(view, seat)
        if seat != actor and seat != view["seat"] and size > 0:
            if card_at(view, seat, size - 1) == event["identity"]:
                holder = int(np.int64(seat))
                break
    size = hand_size(view, holder)
    if holder != actor and size > 0:
        memory["mask"][POSSIBLE, order_at(view, holder, size - 1)] = card
