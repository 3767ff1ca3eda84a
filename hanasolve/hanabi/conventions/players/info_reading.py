"""How ``info`` reads: the number that a clue, or the choice of a discard, names, and what it tells each player."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.tools.building_blocks import bit, hand_size, order_at, seat_after
from hanasolve.hanabi.conventions.tools.elimination import POSSIBLE, is_single, known_color, known_rank
from hanasolve.hanabi.conventions.tools.questions import (
    DEAD,
    HAND,
    PLAYABLE,
    SETS,
    answer,
    load_hand,
    store_hand,
    understand,
)
from hanasolve.hanabi.game.rules import CLUE_RANK
from hanasolve.jit import inline_kernel, kernel

USELESS = 150  # where `work` lists the publicly useless cards (their orders)


@kernel
def numbers_of(view: Any, memory: Any, seat: int) -> int:
    """f: how many numbers a clue to this player can name: 4 if two colours and two ranks are certain, else
    3."""
    colors, ranks = np.uint64(255), np.uint64(31)
    for i in range(hand_size(view, seat)):
        mask = memory["mask"][POSSIBLE, order_at(view, seat, i)]
        suits, column = np.uint64(0), np.uint64(0)
        for suit in range(view["suits"]):
            part = (mask >> np.uint64(5 * suit)) & np.uint64(31)
            column |= part
            if part != 0:
                suits |= bit(suit)
        colors &= suits
        ranks &= column
    return 4 if colors == 0 and ranks == 0 else 3


@kernel
def all_numbers(view: Any, memory: Any, giver: int) -> int:
    """N: how many numbers a clue of this player can name."""
    total = 0
    for seat in range(view["players"]):
        if seat != giver:
            total += numbers_of(view, memory, seat)
    return total


@kernel
def mark_index(view: Any, memory: Any, seat: int) -> int:
    """The card whose touch a clue's number counts: most open attributes, oldest on ties."""
    best, most = 0, -1
    for i in range(hand_size(view, seat)):
        mask = memory["mask"][POSSIBLE, order_at(view, seat, i)]
        open_ones = 0
        if (mask & ~memory["mask"][SETS, DEAD]) != 0 and not is_single(mask):
            open_ones = 1
            if known_color(mask) == 0:
                open_ones += 1
            if known_rank(mask) == 0:
                open_ones += 1
        if open_ones > most:
            best, most = i, open_ones
    return best


@kernel
def clue_number(view: Any, memory: Any, event: Any) -> int:
    """The number that a clue names."""
    total = 0
    seat = seat_after(view, event["actor"], 1)
    while seat != event["target"]:
        total += numbers_of(view, memory, seat)
        seat = seat_after(view, seat, 1)
    is_rank = event["kind"] == CLUE_RANK
    if (event["touched"] >> mark_index(view, memory, seat)) & 1:
        return total if is_rank else total + 1
    return total + 2 if is_rank or numbers_of(view, memory, seat) == 3 else total + 3


@kernel
def read_sum(view: Any, memory: Any, giver: int, budget: int, number: int) -> None:
    """Everybody but the giver learns his value; the reader undoes his own from the rest of the sum."""
    me = view["seat"]
    total = 0
    for seat in range(view["players"]):
        if seat != giver and seat != me:
            load_hand(view, memory, seat)
            total += answer(view, memory, seat, budget)
            store_hand(view, memory, seat)
    if me != giver:
        load_hand(view, memory, me)
        understand(view, memory, me, budget, (number - total) % budget)
        store_hand(view, memory, me)


@kernel
def knows_play(view: Any, memory: Any, seat: int) -> bool:
    """Whether it is public that this player has a playable card."""
    for i in range(hand_size(view, seat)):
        if (memory["mask"][POSSIBLE, order_at(view, seat, i)] & ~memory["mask"][SETS, PLAYABLE]) == 0:
            return True
    return False


@kernel
def without_plays(view: Any, memory: Any, seat: int) -> None:
    """Nothing playable in this hand: drop it from the loaded tables."""
    for i in range(hand_size(view, seat)):
        rest = memory["work_mask"][HAND * seat + i] & ~memory["mask"][SETS, PLAYABLE]
        if rest != 0:
            memory["work_mask"][HAND * seat + i] = rest


@kernel
def nobody_needs(view: Any, memory: Any, actor: int) -> None:
    """A discard with tokens: whoever has no public play has nothing playable."""
    for seat in range(view["players"]):
        if seat != actor and not knows_play(view, memory, seat):
            load_hand(view, memory, seat)
            without_plays(view, memory, seat)
            store_hand(view, memory, seat)


@inline_kernel
def is_useless(memory: Any, order: int, twice: Any) -> bool:
    """Publicly dead, or identified with another identified copy in the hand."""
    mask = memory["mask"][POSSIBLE, order]
    return bool((mask & ~memory["mask"][SETS, DEAD]) == 0 or (is_single(mask) and (mask & twice) != 0))


@kernel
def list_useless(view: Any, memory: Any, seat: int, size: int, left: int, left_at: int) -> int:
    """List the publicly useless cards of a hand of ``size`` cards, oldest first; returns how many.

    ``left`` >= 0: the order of a card that has just left the hand from index ``left_at``; the hand is taken
    as it was before.
    """
    work = memory["work"]
    identified, twice = np.uint64(0), np.uint64(0)
    count = 0
    for i in range(size):
        mask = memory["mask"][POSSIBLE, old_order(view, seat, i, left, left_at)]
        if is_single(mask):
            twice |= identified & mask
            identified |= mask
    for i in range(size):
        order = old_order(view, seat, i, left, left_at)
        if is_useless(memory, order, twice):
            work[USELESS + count] = order
            count += 1
    return count


@inline_kernel
def old_order(view: Any, seat: int, index: int, left: int, left_at: int) -> int:
    """The card at an index of the hand before the card ``left`` left it."""
    if left < 0 or index < left_at:
        return order_at(view, seat, index)
    return left if index == left_at else order_at(view, seat, index - 1)


@kernel
def read_discard(view: Any, memory: Any, event: Any) -> None:
    """Nobody needed a clue; among several useless cards the choice is a number."""
    actor = event["actor"]
    if event["clues_before"] > 0:
        nobody_needs(view, memory, actor)
    size = hand_size(view, actor) + (1 if event["drawn"] < 0 else 0)
    count = list_useless(view, memory, actor, size, event["order"], event["target"])
    if count > 1:
        number = 0
        while number < count - 1 and memory["work"][USELESS + number] != event["order"]:
            number += 1
        read_sum(view, memory, actor, count, number)
