"""``cheat-q`` (O'Dwyer, Quuxplusone/Hanabi, CheatBot): all hands are known, the deck is not.

It looks at its own hand, so it is no convention: it bounds what perfect communication would reach.
"""

from __future__ import annotations

from typing import Any

from hanasolve.hanabi.conventions.players.cheat import hand_set
from hanasolve.hanabi.conventions.tools.building_blocks import (
    bit,
    card_at,
    dead_set,
    deck_left,
    discard_card,
    hand_size,
    has,
    is_playable,
    oldest_number,
    play_card,
    playable_set,
    seat_after,
    stack,
)
from hanasolve.hanabi.game.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
from hanasolve.jit import kernel, kernel_of


@kernel
def lowest_play(view: Any, successors: Any) -> int:
    """My lowest playable card, of those whose successor is in a set (0: no such demand); -1."""
    best, lowest = -1, 9
    for i in range(hand_size(view, view["seat"])):
        identity = card_at(view, view["seat"], i)
        rank = identity % 5
        if rank >= lowest or not is_playable(view, identity):
            continue
        if successors == 0 or (rank < 4 and has(successors, identity + 1)):
            best, lowest = i, rank
    return best


@kernel
def best_play(view: Any) -> int:
    """The lowest card that lets the next possible player go on, else the lowest; -1."""
    for step in range(1, view["players"]):
        hand = hand_set(view, seat_after(view, view["seat"], step))
        if hand != 0:
            index = lowest_play(view, hand)
            if index >= 0:
                return index
    return lowest_play(view, bit(0) ^ bit(0))


@kernel
def worthless_index(view: Any, seat: int, dead: Any) -> int:
    """First card that is placed, unreachable, or there twice in this hand; -1."""
    for i in range(hand_size(view, seat)):
        identity = card_at(view, seat, i)
        if has(dead, identity):
            return i
        for k in range(hand_size(view, seat)):
            if k != i and card_at(view, seat, k) == identity:
                return i
    return -1


@kernel
def doubled_index(view: Any, seat: int) -> int:
    """First card of which another hand holds a copy; -1."""
    others = bit(0) ^ bit(0)
    for other in range(view["players"]):
        if other != seat:
            others |= hand_set(view, other)
    for i in range(hand_size(view, seat)):
        if has(others, card_at(view, seat, i)):
            return i
    return -1


@kernel
def farthest_spare(view: Any) -> int:
    """The non-5 farthest above its stack with another copy left, first on ties; -1."""
    best, farthest = -1, 0
    for i in range(hand_size(view, view["seat"])):
        identity = card_at(view, view["seat"], i)
        distance = identity % 5 + 1 - stack(view, identity // 5)
        spare = view["discarded"][identity] + 1 < view["copies"][identity]
        if identity % 5 < 4 and spare and distance > farthest:
            best, farthest = i, distance
    return best


@kernel
def highest_card(view: Any) -> int:
    """The card of the highest rank, first on ties."""
    best = 0
    for i in range(hand_size(view, view["seat"])):
        if card_at(view, view["seat"], i) % 5 > card_at(view, view["seat"], best) % 5:
            best = i
    return best


@kernel
def get_rid(view: Any, dead: Any) -> int:
    """Get rid of a worthless card (at full tokens by playing it, with strikes to spare) or a doubled one;
    -1."""
    me, full = view["seat"], view["clues"] >= view["clues_max"]
    index = worthless_index(view, me, dead)
    if index >= 0 and not full:
        return discard_card(index)
    if index >= 0 and view["strikes_max"] - view["strikes"] >= 2:
        return play_card(index)
    index = doubled_index(view, me)
    return discard_card(index) if index >= 0 and not full else -1


@kernel
def somebody_holds(view: Any, dead: Any) -> tuple[bool, bool]:
    """(somebody holds a playable card, somebody holds a worthless or doubled one)."""
    playable, spare = False, False
    for seat in range(view["players"]):
        playable = playable or (hand_set(view, seat) & playable_set(view)) != 0
        spare = spare or worthless_index(view, seat, dead) >= 0 or doubled_index(view, seat) >= 0
    return playable, spare


@kernel
def is_early(view: Any) -> bool:
    """Tokens are plenty for the points still to come: at most 0 1 2 3 4 5 8 25 25 for 0 to 8 tokens."""
    missing = view["full_score"]
    for suit in range(view["suits"]):
        missing -= stack(view, suit)
    tokens = view["clues"]
    limit = tokens if tokens < 6 else (8 if tokens == 6 else 25)
    return bool(missing <= limit or missing >= deck_left(view) + 1)


@kernel_of(DECIDE_SIGNATURE)
def decide(view: Any, memory: Any) -> int:
    """Play; clue while that is cheap; get rid of cards."""
    index = best_play(view)
    if index >= 0:
        return play_card(index)
    dead = dead_set(view)
    full = view["clues"] >= view["clues_max"]
    somebody_plays, somebody_spares = somebody_holds(view, dead)
    if not somebody_plays:
        action = get_rid(view, dead)
        if action >= 0:
            return action
        index = farthest_spare(view)
        if not somebody_spares and not full and index >= 0:
            return discard_card(index)
    clue = oldest_number(view, seat_after(view, view["seat"], 1))
    if view["clues"] > 0 and is_early(view):
        return clue
    action = get_rid(view, dead)
    if action >= 0:
        return action
    if view["clues"] > 0:
        return clue
    index = farthest_spare(view)
    return discard_card(index if index >= 0 else highest_card(view))


@kernel_of(UPDATE_SIGNATURE)
def update(view: Any, memory: Any, event: Any) -> int:
    """Nothing to note."""
    return 0
