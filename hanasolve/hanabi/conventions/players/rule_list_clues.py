"""What rule lists tell: the clues of ``rule_list.py``, and the places that its players keep."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.tools.building_blocks import (
    clue_color,
    clue_rank,
    hand_size,
    is_playable,
    order_at,
    roll,
    seat_after,
    stack,
)
from hanasolve.hanabi.conventions.tools.elimination import known_color, known_rank
from hanasolve.jit import inline_kernel, kernel

PLACES = 10


@inline_kernel
def order_in_place(memory: Any, seat: int, place: int) -> int:
    """The card in a place, -1 if it is empty."""
    return int(np.int64(memory["notes"][PLACES * seat + place])) - 1


@kernel
def lowest_stack(view: Any) -> int:
    lowest = 5
    for suit in range(view["suits"]):
        lowest = min(lowest, stack(view, suit))
    return lowest


@inline_kernel
def knows_color(view: Any, order: int) -> bool:
    return known_color(view["fits"][order]) > 0


@inline_kernel
def knows_rank(view: Any, order: int) -> bool:
    return known_rank(view["fits"][order]) > 0


@inline_kernel
def name_color(view: Any, seat: int, order: int) -> int:
    return clue_color(seat, int(np.int64(view["deck"][order])) // 5)


@inline_kernel
def name_rank(view: Any, seat: int, order: int) -> int:
    return clue_rank(seat, int(np.int64(view["deck"][order])) % 5 + 1)


@kernel
def tell_playable(view: Any, memory: Any, seat: int) -> int:
    """First playable card with an unknown attribute, number first; -1."""
    for place in range(view["hand_size"]):
        order = order_in_place(memory, seat, place)
        if order >= 0 and is_playable(view, int(np.int64(view["deck"][order]))):
            if not knows_rank(view, order):
                return name_rank(view, seat, order)
            if not knows_color(view, order):
                return name_color(view, seat, order)
    return -1


@kernel
def tell_useful(view: Any, memory: Any) -> int:
    """``tell_playable`` to the others in turn order; -1."""
    for step in range(1, view["players"]):
        clue = tell_playable(view, memory, seat_after(view, view["seat"], step))
        if clue >= 0:
            return clue
    return -1


@kernel
def tell_playable_random(view: Any, memory: Any) -> int:
    """The next player's first playable card, number or colour by the toss of a coin; -1."""
    seat = seat_after(view, view["seat"], 1)
    for place in range(view["hand_size"]):
        order = order_in_place(memory, seat, place)
        if order >= 0 and is_playable(view, int(np.int64(view["deck"][order]))):
            if roll(view, memory, 2) == 0:
                return name_rank(view, seat, order)
            return name_color(view, seat, order)
    return -1


@kernel
def tell_unknown(view: Any, memory: Any) -> int:
    """The next player's first card with an unknown attribute, colour first; -1."""
    seat = seat_after(view, view["seat"], 1)
    for place in range(view["hand_size"]):
        order = order_in_place(memory, seat, place)
        if order >= 0:
            if not knows_color(view, order):
                return name_color(view, seat, order)
            if not knows_rank(view, order):
                return name_rank(view, seat, order)
    return -1


@kernel
def tell_random(view: Any, memory: Any) -> int:
    """Next player, random card, number or colour by the toss of a coin."""
    seat = seat_after(view, view["seat"], 1)
    order = order_at(view, seat, roll(view, memory, hand_size(view, seat)))
    return name_rank(view, seat, order) if roll(view, memory, 2) == 0 else name_color(view, seat, order)


@kernel
def tell_dispensable(view: Any, memory: Any) -> int:
    """The first card, in seat order, that one attribute shows to be useless; -1."""
    lowest = lowest_stack(view)
    for seat in range(view["players"]):
        if seat == view["seat"]:
            continue
        for place in range(view["hand_size"]):
            order = order_in_place(memory, seat, place)
            if order < 0:
                continue
            suit, rank = int(np.int64(view["deck"][order])) // 5, int(np.int64(view["deck"][order])) % 5 + 1
            color_open, rank_open = not knows_color(view, order), not knows_rank(view, order)
            if color_open and stack(view, suit) == 5:
                return clue_color(seat, suit)
            if rank_open and rank <= lowest:
                return clue_rank(seat, rank)
            if color_open != rank_open and rank <= stack(view, suit):
                return clue_color(seat, suit) if color_open else clue_rank(seat, rank)
    return -1


@kernel
def tell_most(view: Any, memory: Any) -> int:
    """The clue that tells most cards an attribute they do not know yet; seat order, numbers first; -1."""
    best, most = -1, 0
    for seat in range(view["players"]):
        if seat == view["seat"]:
            continue
        news = 0  # four bits a clue: numbers from bit 0, colours from bit 20
        for i in range(hand_size(view, seat)):
            order = order_at(view, seat, i)
            identity = int(np.int64(view["deck"][order]))
            if not knows_rank(view, order):
                news += 1 << (4 * (identity % 5))
            if not knows_color(view, order):
                news += 1 << (20 + 4 * (identity // 5))
        for clue in range(12):
            count = (news >> (4 * clue)) & 15
            if count > most:
                most = count
                best = clue_rank(seat, clue + 1) if clue < 5 else clue_color(seat, clue - 5)
    return best
