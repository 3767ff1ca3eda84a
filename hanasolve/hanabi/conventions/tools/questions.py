"""Questions that public tables ask: how a number tells a player about his hand (general information
strategy).

A player's public table of a card is a set of identities; the weight of an identity is the number of its
copies that are not placed or discarded, the same in every table. An answer to a budget of M values is built
from a chain of questions that depend on public knowledge only, each narrowing the tables before the next is
asked, so whoever sees the hand computes the value and its holder can undo it.

The sets that questions need stand in mask[1] of a MEMORY (``renew_sets``); the tables that a chain narrows
stand in ``work_mask[10 * seat + index]`` (``load_hand``).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.tools.building_blocks import (
    bit,
    card_at,
    copies_left,
    count_bits,
    dead_set,
    hand_size,
    has,
    last_copy_set,
    order_at,
    playable_set,
)
from hanasolve.hanabi.conventions.tools.elimination import POSSIBLE, is_single
from hanasolve.jit import inline_kernel, kernel

SETS = 1
PLAYABLE, DEAD, DISPENSABLE, WEIGHT_1, WEIGHT_2 = 0, 1, 2, 3, 4  # weights as binary digits: 1s and 2s
HAND = 10
_KIND, _CARD = 100, 120  # where `work` keeps the list of a combined question; its chances in `work_float`


@inline_kernel
def public_weight(memory: Any, mask: Any) -> int:
    """Total public weight of a set."""
    sets = memory["mask"]
    return count_bits(mask & sets[SETS, WEIGHT_1]) + 2 * count_bits(mask & sets[SETS, WEIGHT_2])


@kernel
def renew_sets(view: Any, memory: Any) -> None:
    """The board's sets and the public weights, as of now."""
    sets = memory["mask"]
    dead = dead_set(view)
    sets[SETS, PLAYABLE], sets[SETS, DEAD] = playable_set(view), dead
    sets[SETS, DISPENSABLE] = dead | ~last_copy_set(view)
    ones, twos = np.uint64(0), np.uint64(0)
    for identity in range(view["identities"]):
        weight = copies_left(view, identity)
        if weight & 1:
            ones |= bit(identity)
        if weight & 2:
            twos |= bit(identity)
    sets[SETS, WEIGHT_1], sets[SETS, WEIGHT_2] = ones, twos


@kernel
def load_hand(view: Any, memory: Any, seat: int) -> None:
    """Copy a player's public tables to where a chain of questions narrows them."""
    for i in range(hand_size(view, seat)):
        memory["work_mask"][HAND * seat + i] = memory["mask"][POSSIBLE, order_at(view, seat, i)]


@kernel
def store_hand(view: Any, memory: Any, seat: int) -> None:
    """Make the narrowed tables of a player the public ones."""
    for i in range(hand_size(view, seat)):
        memory["mask"][POSSIBLE, order_at(view, seat, i)] = memory["work_mask"][HAND * seat + i]


@kernel
def answer(view: Any, memory: Any, seat: int, budget: int) -> int:
    """The value a visible hand gives to a chain of questions; narrows the loaded tables."""
    value, modulus = 0, 1
    while True:
        left = (budget - value - 1) // modulus + 1
        size, reply = _ask(view, memory, seat, left, -1)
        if size == 0:
            return value
        value += modulus * reply
        modulus = min(budget, modulus * size)


@kernel
def understand(view: Any, memory: Any, seat: int, budget: int, value: int) -> None:
    """Narrow the loaded tables by the value that was told: the inverse of ``answer``."""
    left = budget
    while True:
        size, reply = _ask(view, memory, seat, left, value)
        if size == 0:
            return
        value //= size
        left = (left - reply - 1) // size + 1


@kernel
def _ask(view: Any, memory: Any, seat: int, left: int, told: int) -> tuple[int, int]:
    """One question: (size, reply), the tables narrowed by it; size 0 if none is asked.

    ``told`` < 0: the reply comes from the hand; else it is ``told`` modulo the size.
    """
    if left <= 1:
        return 0, 0
    playable, dead = memory["mask"][SETS, PLAYABLE], memory["mask"][SETS, DEAD]
    size = hand_size(view, seat)
    knows_play, knows_dead = False, False
    for i in range(size):
        mask = memory["work_mask"][HAND * seat + i]
        knows_play = knows_play or (mask & ~playable) == 0
        knows_dead = knows_dead or (mask & ~dead) == 0
    if not knows_play:
        count = _list_questions(view, memory, seat, not knows_dead)
        if count > 0:
            count = _choose_questions(memory, count, left - 1)
            return count + 1, _combined(view, memory, seat, count, told)
    card, lowest = _nearest_play(view, memory, seat), -1
    if card >= 0:
        reply = told % 2 if told >= 0 else int(np.int64(has(playable, card_at(view, seat, card))))
        memory["work_mask"][HAND * seat + card] &= playable if reply == 1 else ~playable
        return 2, reply
    lowest = _least_dead(view, memory, seat)
    if lowest < 0:
        return 0, 0
    return _partition(view, memory, seat, lowest, left, told)


@inline_kernel
def _is_open(mask: Any, dead: Any) -> bool:
    """Neither identified nor surely dead."""
    return bool((mask & ~dead) != 0 and not is_single(mask))


@kernel
def _list_questions(view: Any, memory: Any, seat: int, ask_dead: bool) -> int:
    """List "is i playable?" and, if wanted, "is i dead?" for the open cards where the chance is not 0."""
    work, count = memory["work"], 0
    for kind in range(2 if ask_dead else 1):
        wanted = memory["mask"][SETS, PLAYABLE if kind == 0 else DEAD]
        for i in range(hand_size(view, seat)):
            mask = memory["work_mask"][HAND * seat + i]
            if _is_open(mask, memory["mask"][SETS, DEAD]) and (mask & wanted) != 0:
                work[_KIND + count], work[_CARD + count] = kind, i
                memory["work_float"][count] = public_weight(memory, mask & wanted) / max(1, public_weight(memory, mask))
                count += 1
    return count


@kernel
def _sort_questions(memory: Any, count: int, sign: float) -> None:
    """Stable: playable questions first, then by sign * chance."""
    kinds, cards, chances = memory["work"], memory["work"], memory["work_float"]
    for n in range(1, count):
        kind, card, chance = kinds[_KIND + n], cards[_CARD + n], chances[n]
        m = n
        while m > 0 and (
            kinds[_KIND + m - 1] > kind
            or (kinds[_KIND + m - 1] == kind and sign * chances[m - 1] > sign * chance)
        ):
            kinds[_KIND + m], cards[_CARD + m] = kinds[_KIND + m - 1], cards[_CARD + m - 1]
            chances[m] = chances[m - 1]
            m -= 1
        kinds[_KIND + m], cards[_CARD + m], chances[m] = kind, card, chance


@kernel
def _choose_questions(memory: Any, count: int, most: int) -> int:
    """Keep the likeliest, put them in the order in which they are asked, return how many."""
    if count > most:
        _sort_questions(memory, count, -1.0)
        count = most
    _sort_questions(memory, count, 1.0)
    return count


@kernel
def _combined(view: Any, memory: Any, seat: int, count: int, told: int) -> int:
    """Which listed question is the first that is true (from 1), 0 = none; those before it are false."""
    reply = told % (count + 1) if told >= 0 else 0
    for n in range(count):
        i = memory["work"][_CARD + n]
        wanted = memory["mask"][SETS, PLAYABLE if memory["work"][_KIND + n] == 0 else DEAD]
        if told < 0 and has(wanted, card_at(view, seat, i)):
            reply = n + 1
        if reply == n + 1:
            memory["work_mask"][HAND * seat + i] &= wanted
            break
        memory["work_mask"][HAND * seat + i] &= ~wanted
    return reply


@kernel
def _nearest_play(view: Any, memory: Any, seat: int) -> int:
    """The open card whose chance to be playable is nearest to 0.7, within 0.2; -1."""
    best, nearest = -1, 0.2
    for i in range(hand_size(view, seat)):
        mask = memory["work_mask"][HAND * seat + i]
        if _is_open(mask, memory["mask"][SETS, DEAD]):
            chance = public_weight(memory, mask & memory["mask"][SETS, PLAYABLE]) / max(1, public_weight(memory, mask))
            if abs(chance - 0.7) < nearest:
                best, nearest = i, abs(chance - 0.7)
    return best


@kernel
def _least_dead(view: Any, memory: Any, seat: int) -> int:
    """The open card that is least likely dead; -1."""
    best, least = -1, 2.0
    dead = memory["mask"][SETS, DEAD]
    for i in range(hand_size(view, seat)):
        mask = memory["work_mask"][HAND * seat + i]
        if _is_open(mask, dead):
            chance = public_weight(memory, mask & dead) / max(1, public_weight(memory, mask))
            if chance < least:
                best, least = i, chance
    return best


@kernel
def _partition(view: Any, memory: Any, seat: int, card: int, left: int, told: int) -> tuple[int, int]:
    """Which class of identities: those alive dealt out in turn, the dead ones together as the last class."""
    mask, dead = memory["work_mask"][HAND * seat + card], memory["mask"][SETS, DEAD]
    alive = mask & ~dead
    some_dead = (mask & dead) != 0
    classes = min(left - 1 if some_dead else left, count_bits(alive))
    size = classes + 1 if some_dead else classes
    truth = -1 if told >= 0 else card_at(view, seat, card)
    reply = told % size if told >= 0 else classes
    groups = memory["work_mask"]
    for group in range(classes):
        groups[100 + group] = np.uint64(0)
    nth = 0
    for identity in range(view["identities"]):
        if has(alive, identity):
            groups[100 + nth] |= bit(identity)
            if identity == truth:
                reply = nth
            nth = nth + 1 if nth + 1 < classes else 0
    memory["work_mask"][HAND * seat + card] = groups[100 + reply] if reply < classes else mask & dead
    return size, reply
