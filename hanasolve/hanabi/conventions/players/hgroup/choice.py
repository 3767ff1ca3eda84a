"""The best clue, the best known play, and what to discard."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.players.hgroup.clues import clued_set
from hanasolve.hanabi.conventions.players.hgroup.parameters import DOUBT, LOW_FIRST, PLAY_MORE, PLAY_NOW, THRIFT
from hanasolve.hanabi.conventions.players.hgroup.state import EARLY, POSSIBLE, is_clued, waits_for_one
from hanasolve.hanabi.conventions.players.hgroup.trial import try_clue
from hanasolve.hanabi.conventions.players.hgroup.worth import (
    BASE,
    GOTTEN,
    ROUND,
    base_set,
    clue_worth,
    forecast,
    round_worth,
)
from hanasolve.hanabi.conventions.tools.building_blocks import (
    bit,
    card_at,
    clue_color,
    clue_rank,
    copies_left,
    count_bits,
    deck_left,
    first_bit,
    hand_size,
    has,
    last_copy_set,
    order_at,
    placed_set,
    reach,
    seat_after,
)
from hanasolve.hanabi.conventions.tools.elimination import is_single
from hanasolve.hanabi.game.fireworks import max_score, score
from hanasolve.hanabi.game.rules import CLUE_COLOR, CLUE_RANK, MAX_DECK
from hanasolve.hanabi.game.view import CARD_ROWS, MASK_ROWS, NOTES
from hanasolve.jit import kernel

# What `find_clue` may propose: clues that mislead nobody, ranked by their worth; the same, ranked by the cards
# placed until the end; any clue, when there is nothing else to do.
HONEST, LAST_ROUND, ANY = 0, 1, 2
CLUE_WORTH, PLAY_WORTH = 20, 21  # places in `work_float`
NOTHING = -1000.0


@kernel
def clues_are_scarce(view: Any, memory: Any, sets: Any) -> bool:
    """Future efficiency: more than 1.25 cards must be gotten with a clue, after the early game.

    Cards still to be gotten, over the tokens at hand, those of the discards that the pace allows, and those of 5s.
    """
    if memory["setup"][THRIFT] == 0.0 or memory["notes"][EARLY] != 0:
        return False
    full, placed, fives = max_score(view, view), score(view, view), 0
    for suit in range(view["suits"]):
        if view["stacks"][suit] < 5 and reach(view, suit) == 5:
            fives += 1
    wanted = full - placed - count_bits(sets[2] & ~sets[1])
    pace = max(0, placed + deck_left(view) + int(np.int64(view["players"])) - full)
    return bool(4 * wanted > 5 * (int(np.int64(view["clues"])) + pace + fives))


@kernel
def find_clue(view: Any, memory: Any, sets: Any, mode: int, least: float) -> int:
    """The clue that is worth most, if more than ``least``; -1. Ties: the next player first, colours first."""
    masks, marks = np.empty((MASK_ROWS, MAX_DECK), np.uint64), np.empty((CARD_ROWS, MAX_DECK), np.int8)
    notes, colors = np.empty(NOTES, np.int64), int(np.int64(view["colors"]))
    best, most, scarce = -1, least, clues_are_scarce(view, memory, sets)
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
            if scarce and memory["work_float"][GOTTEN] < 2:
                worth -= memory["setup"][THRIFT]
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
    plain = memory["setup"][PLAY_NOW] + (memory["setup"][PLAY_MORE] if view["players"] > 2 else 0.0)
    for i in range(hand_size(view, me)):
        own = base_set(memory, me, i)
        if (own & ~sets[0]) != 0 or waits_for_one(view, memory, me, i, BASE, sets[0]):
            continue
        forecast(view, memory, BASE, sets, own if is_single(own) else np.uint64(0))
        worth = round_worth(view, memory) + plain
        worth -= memory["setup"][LOW_FIRST] * (first_bit(own) % 5)
        worth -= doubt_worth(view, memory, i, sets[0])
        if worth > most:
            best, most = i, worth
    memory["work_float"][PLAY_WORTH] = most
    return best


@kernel
def unseen_copies(view: Any, those: Any) -> int:
    """Copies of these identities that are neither placed, discarded nor in another hand."""
    total = 0
    for identity in range(view["identities"]):
        if has(those, identity):
            total += copies_left(view, identity)
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            if seat != view["seat"] and has(those, card_at(view, seat, i)):
                total -= 1
    return total


@kernel
def doubt_worth(view: Any, memory: Any, index: int, playable: Any) -> float:
    """What the risk of the last strike costs: an own card, playable by good touch, is a copy of a placed one.

    The share of placed identities among the unseen copies that the facts allow, times the weight ``doubt``; of
    own cards taken for the same one only one can be it.
    """
    me, weight = int(np.int64(view["seat"])), memory["setup"][DOUBT]
    if view["strikes"] + 1 < view["strikes_max"]:
        return 0.0
    own = base_set(memory, me, index)
    useless = memory["mask"][POSSIBLE, order_at(view, me, index)] & placed_set(view)
    if weight == 0.0 or useless == 0:
        return 0.0
    same = 0
    for i in range(hand_size(view, me)):
        if is_single(own) and base_set(memory, me, i) == own:
            same += 1
    good, bad = max(1, unseen_copies(view, own)), max(0, unseen_copies(view, useless))
    share = good / (good + bad)
    return float(weight * (1.0 - (share / same if same > 1 else share)))


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
