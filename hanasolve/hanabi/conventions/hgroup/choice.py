"""The best clue, the best known play, and what to discard."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.elimination import is_single
from hanasolve.hanabi.conventions.hgroup.clues import clued_set
from hanasolve.hanabi.conventions.hgroup.parameters import LOW_FIRST, PLAY_NOW
from hanasolve.hanabi.conventions.hgroup.state import is_clued
from hanasolve.hanabi.conventions.hgroup.trial import try_clue
from hanasolve.hanabi.conventions.hgroup.worth import (
    BASE,
    ROUND,
    base_set,
    clue_worth,
    forecast,
    round_worth,
)
from hanasolve.hanabi.conventions.kit import (
    bit,
    card_at,
    clue_color,
    clue_rank,
    count_bits,
    first_bit,
    hand_size,
    has,
    last_copy_set,
    order_at,
    seat_after,
)
from hanasolve.hanabi.rules import CLUE_COLOR, CLUE_RANK, MAX_DECK
from hanasolve.hanabi.view import CARD_ROWS, MASK_ROWS, NOTES
from hanasolve.jit import kernel

# What `find_clue` may propose: clues that mislead nobody, ranked by their worth; the same, ranked by the cards
# placed until the end; any clue, when there is nothing else to do.
HONEST, LAST_ROUND, ANY = 0, 1, 2
CLUE_WORTH, PLAY_WORTH = 20, 21  # places in `work_float`
NOTHING = -1000.0


@kernel
def find_clue(view: Any, memory: Any, sets: Any, mode: int, least: float) -> int:
    """The clue that is worth most, if more than ``least``; -1. Ties: the next player first, colours first."""
    masks, marks = np.empty((MASK_ROWS, MAX_DECK), np.uint64), np.empty((CARD_ROWS, MAX_DECK), np.int8)
    notes, colors = np.empty(NOTES, np.int64), int(np.int64(view["colors"]))
    best, most = -1, least
    for steps in range(1, view["players"]):
        seat = seat_after(view, int(np.int64(view["seat"])), steps)
        for n in range(colors + view["clue_ranks"]):
            kind = CLUE_COLOR if n < colors else CLUE_RANK
            value = n if n < colors else int(np.int64(view["rank_values"][n - colors]))
            if clued_set(view, seat, kind, value) == 0:
                continue
            if not try_clue(view, memory, seat, kind, value, sets, masks, marks, notes) and mode != ANY:
                continue
            worth = clue_worth(view, memory)
            if mode == LAST_ROUND:
                worth = memory["work_float"][ROUND] + 0.0001 * worth
            if worth > most:
                most = worth
                best = clue_color(seat, value) if kind == CLUE_COLOR else clue_rank(seat, value)
    memory["work_float"][CLUE_WORTH] = most
    return best


@kernel
def find_play(view: Any, memory: Any, sets: Any) -> int:
    """The index of the known play with the best next round, its worth in PLAY_WORTH; -1."""
    me = int(np.int64(view["seat"]))
    best, most = -1, NOTHING
    for i in range(hand_size(view, me)):
        own = base_set(memory, me, i)
        if (own & ~sets[0]) != 0:
            continue
        forecast(view, memory, BASE, sets, own if is_single(own) else np.uint64(0))
        worth = round_worth(view, memory) + memory["setup"][PLAY_NOW]
        worth -= memory["setup"][LOW_FIRST] * (first_bit(own) % 5)
        if worth > most:
            best, most = i, worth
    memory["work_float"][PLAY_WORTH] = most
    return best


@kernel
def find_trash(view: Any, memory: Any, dead: Any) -> int:
    """The index of the first own card known to be useless, or to be clued in another hand too; -1."""
    me, gotten = int(np.int64(view["seat"])), np.uint64(0)
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            if seat != me and is_clued(memory, order_at(view, seat, i)):
                gotten |= bit(card_at(view, seat, i))
    for i in range(hand_size(view, me)):
        own = base_set(memory, me, i)
        if (own & ~dead) == 0:
            return i
        if is_clued(memory, order_at(view, me, i)) and (own & ~(dead | gotten)) == 0:
            return i
    return -1


@kernel
def least_needed(view: Any, memory: Any) -> int:
    """Locked: the index of the card that is least likely a last copy, oldest on ties."""
    me, last = int(np.int64(view["seat"])), last_copy_set(view)
    best, least = 0, 2.0
    for i in range(hand_size(view, me)):
        own = base_set(memory, me, i)
        chance = count_bits(own & last) / max(1, count_bits(own))
        if chance < least:
            best, least = i, chance
    return best


@kernel
def play_chance(view: Any, memory: Any, index: int, playable: Any) -> float:
    """The share of the unseen copies an own card may be that can be played now."""
    me = int(np.int64(view["seat"]))
    own, fits, total = base_set(memory, me, index), 0, 0
    for identity in range(view["identities"]):
        if not has(own, identity):
            continue
        left = int(np.int64(view["copies"][identity])) - int(np.int64(view["discarded"][identity]))
        for seat in range(view["players"]):
            for i in range(hand_size(view, seat)):
                if seat != me and card_at(view, seat, i) == identity:
                    left -= 1
        left = max(0, left)
        total += left
        if has(playable, identity):
            fits += left
    return fits / total if total > 0 else 0.0
