"""Kernels for writing conventions: actions as numbers, hands, touch masks, dice.

An action is one int64, kind * 65536 + target * 256 + value, made by ``play_card``, ``discard_card``,
``clue_color`` and ``clue_rank``. Hand indices: 0 = oldest card. Colours are indices, ranks are 1 to 5; an
identity is ``suit * 5 + rank - 1`` where suits are plain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.bits import ONE as ONE
from hanasolve.bits import bit as bit
from hanasolve.bits import count_bits as count_bits
from hanasolve.bits import first_bit as first_bit
from hanasolve.bits import has as has
from hanasolve.hanabi.game.rules import CLUE_COLOR, CLUE_RANK, DISCARD
from hanasolve.jit import inline_kernel, kernel


@inline_kernel
def play_card(index: int) -> int:
    return index << 8


@inline_kernel
def discard_card(index: int) -> int:
    return (DISCARD << 16) | (index << 8)


@inline_kernel
def clue_color(seat: int, color: int) -> int:
    return (CLUE_COLOR << 16) | (seat << 8) | color


@inline_kernel
def clue_rank(seat: int, rank: int) -> int:
    return (CLUE_RANK << 16) | (seat << 8) | rank


@inline_kernel
def seat_after(view: Any, seat: int, steps: int) -> int:
    """The seat that many turns after another."""
    later = seat + steps
    players = int(np.int64(view["players"]))
    return later - players if later >= players else later


@inline_kernel
def order_at(view: Any, seat: int, index: int) -> int:
    """The order (name for life) of the card at a hand index."""
    return int(np.int64(view["hands"][seat, index]))


@inline_kernel
def card_at(view: Any, seat: int, index: int) -> int:
    """The identity at a hand index, -1 if this player does not see it."""
    return int(np.int64(view["deck"][view["hands"][seat, index]]))


@inline_kernel
def hand_size(view: Any, seat: int) -> int:
    return int(np.int64(view["hand_sizes"][seat]))


@kernel
def index_of(view: Any, seat: int, order: int) -> int:
    """Hand index of a card by its order, -1 if it is not in this hand."""
    for i in range(hand_size(view, seat)):
        if order_at(view, seat, i) == order:
            return i
    return -1


@inline_kernel
def deck_left(view: Any) -> int:
    return int(np.int64(view["deck_size"])) - int(np.int64(view["next"]))


@inline_kernel
def discards(view: Any) -> int:
    """Cards in the discard pile, misplays included."""
    total = 0
    for identity in range(view["identities"]):
        total += int(np.int64(view["discarded"][identity]))
    return total


@inline_kernel
def spare_cards(view: Any) -> int:
    """T: discards that the deck allows before the end comes too soon: cards - full score - cards in hands."""
    return int(np.int64(view["deck_size"] - view["full_score"] - view["players"] * view["hand_size"]))


@inline_kernel
def is_touched(event: Any, index: int) -> bool:
    return bool((event["touched"] >> index) & 1)


@kernel
def random_below(state: Any, limit: int) -> int:
    """A number of 0 .. limit - 1 (a multiply-with-carry generator; ``state``: uint64[1])."""
    low = state[0] & np.uint64(0xFFFFFFFF)
    state[0] = low * np.uint64(4294883355) + (state[0] >> np.uint64(32))
    fresh = (state[0] ^ (state[0] >> np.uint64(32))) & np.uint64(0xFFFFFFFF)
    return int(np.int64((fresh * np.uint64(limit)) >> np.uint64(32)))


@kernel
def roll(view: Any, memory: Any, sides: int) -> int:
    """A number of 0 .. sides - 1 from the own dice."""
    seat = view["seat"]
    return random_below(memory["dice"][seat : seat + 1], sides)


# --- plain suits (colour i touches suit i only, ranks 1 to 5 upwards) -------------------------------------


@inline_kernel
def stack(view: Any, suit: int) -> int:
    return int(np.int64(view["stacks"][suit]))


@inline_kernel
def is_playable(view: Any, identity: int) -> bool:
    suit = identity // 5
    return bool(view["stacks"][suit] == identity - 5 * suit)


@inline_kernel
def is_placed(view: Any, identity: int) -> bool:
    suit = identity // 5
    return bool(view["stacks"][suit] > identity - 5 * suit)


@inline_kernel
def is_last_copy(view: Any, identity: int) -> bool:
    """Whether all copies but one were discarded (it may be placed)."""
    return bool(view["discarded"][identity] + 1 == view["copies"][identity])


@inline_kernel
def copies_left(view: Any, identity: int) -> int:
    """Copies that are neither placed nor discarded: in hands and in the deck."""
    out = int(np.int64(view["discarded"][identity])) + (1 if is_placed(view, identity) else 0)
    return int(np.int64(view["copies"][identity])) - out


@kernel
def count_left(view: Any, left: Any) -> None:
    """``copies_left`` of every identity."""
    for identity in range(view["identities"]):
        left[identity] = copies_left(view, identity)


@kernel
def none_left(view: Any, left: Any) -> Any:
    """The identities whose count in ``left`` has come down to 0."""
    mask = np.uint64(0)
    for identity in range(view["identities"]):
        if left[identity] <= 0:
            mask |= bit(identity)
    return mask


@kernel
def reach(view: Any, suit: int) -> int:
    """Highest rank that this suit can still reach."""
    rank = int(np.int64(view["stacks"][suit]))
    while rank < 5 and view["discarded"][suit * 5 + rank] < view["copies"][suit * 5 + rank]:
        rank += 1
    return rank


@kernel
def playable_set(view: Any) -> Any:
    """Identities that go on a stack now."""
    mask = np.uint64(0)
    for suit in range(view["suits"]):
        placed = int(np.int64(view["stacks"][suit]))
        if placed < 5:
            mask |= bit(suit * 5 + placed)
    return mask


@kernel
def placed_set(view: Any) -> Any:
    mask = np.uint64(0)
    for suit in range(view["suits"]):
        mask |= (bit(int(np.int64(view["stacks"][suit]))) - ONE) << np.uint64(5 * suit)
    return mask


@kernel
def dead_set(view: Any) -> Any:
    """Identities that are placed or can no longer be reached."""
    mask = np.uint64(0)
    for suit in range(view["suits"]):
        alive = (bit(reach(view, suit)) - ONE) & ~(bit(int(np.int64(view["stacks"][suit]))) - ONE)
        mask |= (np.uint64(31) & ~alive) << np.uint64(5 * suit)
    return mask


@kernel
def last_copy_set(view: Any) -> Any:
    """Identities of which one copy is left outside the discard pile."""
    mask = np.uint64(0)
    for identity in range(view["identities"]):
        if view["discarded"][identity] + 1 == view["copies"][identity]:
            mask |= bit(identity)
    return mask


@kernel
def oldest_number(view: Any, seat: int) -> int:
    """The clue that names the number of a player's oldest card."""
    return clue_rank(seat, card_at(view, seat, 0) % 5 + 1)
