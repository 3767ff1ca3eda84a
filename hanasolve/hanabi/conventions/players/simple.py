"""``simple`` (O'Dwyer, Quuxplusone/Hanabi, SimpleBot): a touched card is playable, every clue says only that.

Public notes by order: card[0] colour + 1 (0 unknown), card[1] rank (0 unknown), card[2] the playable mark.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.tools.building_blocks import (
    clue_color,
    clue_rank,
    discard_card,
    hand_size,
    is_touched,
    oldest_number,
    order_at,
    play_card,
    seat_after,
    stack,
)
from hanasolve.hanabi.game.rules import CLUE_COLOR, CLUE_RANK, PLAY
from hanasolve.hanabi.game.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
from hanasolve.jit import inline_kernel, kernel, kernel_of

COLOR, RANK, PLAYABLE = 0, 1, 2


@inline_kernel
def is_reclaim(view: Any, event: Any) -> bool:
    """A number clue at full tokens to the giver's right that touches the oldest card: it says nothing."""
    return bool(
        event["kind"] == CLUE_RANK
        and event["clues_before"] >= view["clues_max"]
        and event["actor"] == seat_after(view, event["target"], 1)
        and event["touched"] & 1
    )


@inline_kernel
def drop_play_marks(view: Any, memory: Any, identity: int, spare_row: int) -> None:
    """A card was played: playable marks that could have meant it are lost, but for known 5s.

    Cards with a mark in ``spare_row`` are spared (-1: no such row). Without branches, as no processor can
    guess them.
    """
    color, rank = identity // 5 + 1, identity % 5 + 1
    card = memory["card"]
    for seat in range(view["players"]):
        for i in range(view["hand_sizes"][seat]):
            order = order_at(view, seat, i)
            known_color, known_rank = card[COLOR, order], card[RANK, order]
            kept = (known_rank == 5) | ((known_color != 0) & (known_color != color))
            kept |= (known_rank != 0) & (known_rank != rank)
            if spare_row >= 0:
                kept |= card[spare_row, order] != 0
            card[PLAYABLE, order] = card[PLAYABLE, order] if kept else 0


@inline_kernel
def first_lowest_playable(view: Any, memory: Any) -> int:
    """Hand index of the own marked card of lowest rank (unknown rank counts lowest), first on ties; -1."""
    seat = int(np.int64(view["seat"]))
    card = memory["card"]
    best = 256  # 16 * rank + index
    for i in range(view["hand_sizes"][seat]):
        order = order_at(view, seat, i)
        key = 16 * int(np.int64(card[RANK, order])) + i
        best = min(best, key if card[PLAYABLE, order] else 256)
    return best & 15 if best < 256 else -1


@inline_kernel
def color_counter(suit: int) -> int:
    """Counters of all clues to a player fit one number, four bits each: colours from bit 0, ranks from bit 36."""
    return 1 << (4 * suit)


@inline_kernel
def rank_counter(rank: int) -> int:
    return 1 << (32 + 4 * rank)


@inline_kernel
def largest(counters: int) -> tuple[int, int]:
    """The largest of such counters, and those that have it (bit 0 of each)."""
    value, having = 0, 0x1111111111111111 >> 4
    for place in (3, 2, 1, 0):
        some = (counters >> place) & having
        value = 2 * value + (1 if some else 0)
        having = some if some else having
    return value, having


@inline_kernel
def first_clue(seat: int, having: int) -> int:
    """The clue of the lowest counter: colours before ranks."""
    at = 0
    while (having >> (4 * at)) & 1 == 0:
        at += 1
    return clue_color(seat, at) if at < 9 else clue_rank(seat, at - 8)


@kernel
def best_clue(view: Any, memory: Any) -> int:
    """The clue that marks most unmarked playable cards and touches no other card that is unplayable; -1.

    The first seat and the lowest counter win ties.
    """
    next_cards = 0
    for suit in range(view["suits"]):
        placed = stack(view, suit)
        next_cards |= (1 << (5 * suit + placed)) if placed < 5 else 0
    marks = memory["card"]
    most, clues, clued = 0, 0, 0
    for step in range(1, view["players"]):
        seat = seat_after(view, int(np.int64(view["seat"])), step)
        fresh, bad = 0, 0
        for i in range(view["hand_sizes"][seat]):
            order = order_at(view, seat, i)
            identity = int(np.int64(view["deck"][order]))
            suit = identity // 5
            at = color_counter(suit) | rank_counter(identity - 5 * suit + 1)
            fits = (next_cards >> identity) & 1
            bad |= 0 if fits else at
            fresh += 0 if marks[PLAYABLE, order] else at
        count, having = largest(fresh & ~(15 * bad))
        most, clues, clued = (count, having, seat) if count > most else (most, clues, clued)
    return first_clue(clued, clues) if most > 0 else -1


@kernel_of(DECIDE_SIGNATURE)
def decide(view: Any, memory: Any) -> int:
    """Lowest marked card; best clue; at full tokens the reclaim clue; else discard the oldest card."""
    index = first_lowest_playable(view, memory)
    if index >= 0:
        return play_card(index)
    if view["clues"] > 0:
        clue = best_clue(view, memory)
        if clue >= 0:
            return clue
    if view["clues"] >= view["clues_max"]:
        return oldest_number(view, seat_after(view, view["seat"], view["players"] - 1))
    return discard_card(0)


@kernel_of(UPDATE_SIGNATURE)
def update(view: Any, memory: Any, event: Any) -> int:
    """Touched cards are marked; any attempt to play wipes the marks that could have meant that card."""
    kind = event["kind"]
    card = memory["card"]
    if kind == PLAY:
        drop_play_marks(view, memory, event["identity"], -1)
    elif kind == CLUE_COLOR or (kind == CLUE_RANK and not is_reclaim(view, event)):
        seat, value = event["target"], event["value"]
        for i in range(hand_size(view, seat)):
            order = order_at(view, seat, i)
            touched = is_touched(event, i)
            card[PLAYABLE, order] = 1 if touched else card[PLAYABLE, order]
            if kind == CLUE_COLOR:
                card[COLOR, order] = value + 1 if touched else card[COLOR, order]
                card[RANK, order] = stack(view, value) + 1 if touched else card[RANK, order]
            else:
                card[RANK, order] = value if touched else card[RANK, order]
    return 0
