"""``cheat`` (Wu, hanabi.rs, cheating strategy): every player knows all hands; the deck is unknown.

It looks at its own hand, so it is no convention: it bounds what perfect communication would reach.
"""

from __future__ import annotations

from typing import Any

from hanasolve.hanabi.conventions.tools.building_blocks import (
    bit,
    card_at,
    dead_set,
    discard_card,
    discards,
    has,
    is_playable,
    last_copy_set,
    oldest_number,
    play_card,
    playable_set,
    seat_after,
    spare_cards,
)
from hanasolve.hanabi.game.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
from hanasolve.jit import kernel, kernel_of


@kernel
def hand_load(view: Any, seat: int, dead: Any, critical: Any) -> int:
    """How much a hand has to keep: 0 for dead cards, 10 - rank for critical ones, 1 for others."""
    load = 0
    for i in range(view["hand_sizes"][seat]):
        identity = card_at(view, seat, i)
        if has(critical, identity):
            load += 9 - identity % 5
        elif not has(dead, identity):
            load += 1
    return load


@kernel
def best_play(view: Any, others: Any) -> int:
    """Playable own card of lowest rank; cards that a less loaded player also holds come last; -1."""
    seat = view["seat"]
    best, best_value = -1, -1
    for i in range(view["hand_sizes"][seat]):
        identity = card_at(view, seat, i)
        if not is_playable(view, identity):
            continue
        value = 19 - identity % 5
        if has(others, identity) and is_less_loaded(view, identity):
            value = 9 - identity % 5
        if value > best_value:
            best, best_value = i, value
    return best


@kernel
def is_less_loaded(view: Any, identity: int) -> bool:
    """Whether another player holds this card and has less to keep."""
    seat = view["seat"]
    dead = dead_set(view)
    critical = last_copy_set(view) & ~dead
    load = hand_load(view, seat, dead, critical)
    for other in range(view["players"]):
        if other != seat and has(hand_set(view, other), identity):
            if hand_load(view, other, dead, critical) < load:
                return True
    return False


@kernel
def hand_set(view: Any, seat: int) -> Any:
    """The identities in a hand that is seen."""
    cards = bit(63) ^ bit(63)
    for i in range(view["hand_sizes"][seat]):
        cards |= bit(card_at(view, seat, i))
    return cards


@kernel
def first_useless(view: Any, dead: Any) -> int:
    """Lowest index of a dead card or of the second copy inside the own hand; -1."""
    seat = view["seat"]
    before = dead
    for i in range(view["hand_sizes"][seat]):
        card = bit(card_at(view, seat, i))
        if (before & card) != 0:
            return i
        before |= card
    return -1


@kernel
def least_needed(view: Any, others: Any, critical: Any) -> int:
    """The card with the greatest (copy in another hand, not critical, rank), first on ties."""
    seat = view["seat"]
    best, best_value = 0, -1
    for i in range(view["hand_sizes"][seat]):
        identity = card_at(view, seat, i)
        value = identity % 5
        if not has(critical, identity):
            value += 10
        if has(others, identity):
            value += 20
        if value > best_value:
            best, best_value = i, value
    return best


@kernel_of(DECIDE_SIGNATURE)
def decide(view: Any, memory: Any) -> int:
    """Play; at full tokens or for others' plays a throwaway clue; else the least needed card."""
    seat = view["seat"]
    others = bit(63) ^ bit(63)
    for other in range(view["players"]):
        if other != seat:
            others |= hand_set(view, other)
    index = best_play(view, others)
    if index >= 0:
        return play_card(index)
    throwaway = oldest_number(view, seat_after(view, seat, 1))
    if view["clues"] >= view["clues_max"]:
        return throwaway
    dead = dead_set(view)
    useless = first_useless(view, dead)
    if useless >= 0 and discards(view) <= spare_cards(view):
        return discard_card(useless)
    if view["clues"] > 0 and (others & playable_set(view)) != 0:
        return throwaway
    if useless >= 0:
        return discard_card(useless)
    return discard_card(least_needed(view, others, last_copy_set(view) & ~dead))


@kernel_of(UPDATE_SIGNATURE)
def update(view: Any, memory: Any, event: Any) -> int:
    """Nothing to note."""
    return 0
