"""``cox-information`` (Cox, De Silva, DeOrsey, Kenter, Retter, Tobin 2015): a clue tells all about one card
each.

Every player has a target card, publicly the likeliest playable one, whose possible identities are split into
eight classes; a clue names the sum of the four classes modulo 8 by its receiver and kind. Five players.

Public notes: mask[0] by order = possible identities, closed under ``eliminate``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.players.cox_recommendation import named_sum
from hanasolve.hanabi.conventions.tools.building_blocks import (
    bit,
    card_at,
    clue_color,
    clue_rank,
    count_bits,
    count_left,
    discard_card,
    discards,
    first_bit,
    hand_size,
    has,
    is_last_copy,
    order_at,
    placed_set,
    play_card,
    playable_set,
    seat_after,
)
from hanasolve.hanabi.conventions.tools.elimination import (
    POSSIBLE,
    color_set,
    eliminate,
    exhausted_set,
    forget_all,
    is_single,
    known_color,
    known_rank,
    mark_clue,
    rank_set,
)
from hanasolve.hanabi.game.rules import CLUE_COLOR, CLUE_RANK
from hanasolve.hanabi.game.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
from hanasolve.jit import kernel, kernel_of


@kernel
def target_index(view: Any, memory: Any, seat: int) -> int:
    """The card that is not identified and most likely playable, oldest on ties; 0 if none can be.

    Weights: ``work`` holds the copies that are not counted publicly (left there by ``exhausted_set``).
    """
    playable = playable_set(view)
    best, best_good, best_all = 0, 0, 1
    for i in range(hand_size(view, seat)):
        mask = memory["mask"][POSSIBLE, order_at(view, seat, i)]
        if is_single(mask):
            continue
        good, total = 0, 0
        for identity in range(view["identities"]):
            if has(mask, identity):
                total += memory["work"][identity]
                if has(playable, identity):
                    good += memory["work"][identity]
        if total > 0 and good * best_all > best_good * total:
            best, best_good, best_all = i, good, total
    return best


@kernel
def class_set(view: Any, mask: Any, number: int) -> Any:
    """The identities of a class of a card's possible ones.

    Placed ones are class 0 together, if any. The others go by rank, then suit: alone in the first classes, as
    many as leave room for the rest at eight a class.
    """
    placed = mask & placed_set(view)
    at = 1 if placed != 0 else 0
    count = count_bits(mask & ~placed) + at
    singles = 8
    while singles > 0 and singles + 8 * (8 - singles) < count:
        singles -= 1
    if at == 1 and number == 0:
        return placed
    result, inside = np.uint64(0), 0
    for rank in range(5):
        for suit in range(view["suits"]):
            identity = suit * 5 + rank
            if not has(mask, identity) or has(placed, identity):
                continue
            if at == number:
                result |= bit(identity)
            inside += 1
            if at + 1 <= singles or inside == 8:
                at, inside = at + 1, 0
    return result


@kernel
def class_of(view: Any, mask: Any, identity: int) -> int:
    """The class of an identity."""
    for number in range(8):
        if has(class_set(view, mask, number), identity):
            return number
    return 0


@kernel
def sum_of_others(view: Any, memory: Any, giver: int, me: int) -> int:
    """Sum of the classes of the target cards of all but the giver and me."""
    exhausted_set(view, memory)
    total = 0
    for seat in range(view["players"]):
        if seat != giver and seat != me:
            i = target_index(view, memory, seat)
            total += class_of(view, memory["mask"][POSSIBLE, order_at(view, seat, i)], card_at(view, seat, i))
    return total


@kernel
def read_clue(view: Any, memory: Any, event: Any) -> None:
    """Targets and classes on the old tables; then each player's class, then the plain facts."""
    giver, me = event["actor"], view["seat"]
    own = (named_sum(view, event) - sum_of_others(view, memory, giver, me)) % 8
    for seat in range(view["players"]):
        if seat == giver:
            continue
        i = target_index(view, memory, seat)
        order = order_at(view, seat, i)
        mask = memory["mask"][POSSIBLE, order]
        number = own if seat == me else class_of(view, mask, card_at(view, seat, i))
        memory["mask"][POSSIBLE, order] = class_set(view, mask, number)
    touch = color_set(event["value"]) if event["kind"] == CLUE_COLOR else rank_set(view, event["value"])
    mark_clue(view, memory, event, touch)


@kernel_of(UPDATE_SIGNATURE)
def update(view: Any, memory: Any, event: Any) -> int:
    """Read a clue, then close the tables."""
    if event["kind"] < 0:
        forget_all(view, memory)
    elif event["kind"] == CLUE_COLOR or event["kind"] == CLUE_RANK:
        read_clue(view, memory, event)
    eliminate(view, memory)
    return 0


# --- deciding --------------------------------------------------------------------------------------------


@kernel
def private_tables(view: Any, memory: Any) -> None:
    """work_mask[i] = what own card i can be with what I see, to a fixpoint."""
    seat, left, table = view["seat"], memory["work"], memory["work_mask"]
    size = hand_size(view, seat)
    for i in range(size):
        table[i] = memory["mask"][POSSIBLE, order_at(view, seat, i)]
    again = True
    while again:
        again = False
        count_left(view, left)
        for other in range(view["players"]):
            for i in range(hand_size(view, other)):
                if other != seat:
                    left[card_at(view, other, i)] -= 1
                elif is_single(table[i]):
                    left[first_bit(table[i])] -= 1
        for i in range(size):
            if is_single(table[i]):
                continue
            for identity in range(view["identities"]):
                if left[identity] <= 0 and has(table[i], identity) and not is_single(table[i]):
                    table[i] &= ~bit(identity)
                    again = True


@kernel
def first_among(view: Any, memory: Any, those: Any, private: bool) -> int:
    """First own card all of whose possible identities are among ``those``; -1."""
    for i in range(hand_size(view, view["seat"])):
        mask = memory["mask"][POSSIBLE, order_at(view, view["seat"], i)]
        if private:
            mask = memory["work_mask"][i]
        if (mask & ~those) == 0:
            return i
    return -1


@kernel
def shown_value(view: Any, memory: Any, seat: int, color: bool) -> int:
    """The card whose value a clue names: the last of unknown rank (colour), else the oldest."""
    best = 0
    for i in range(hand_size(view, seat)):
        mask = memory["mask"][POSSIBLE, order_at(view, seat, i)]
        known = known_color(mask) if color else known_rank(mask)
        if known == 0:
            best = i
    return card_at(view, seat, best)


@kernel
def give_clue(view: Any, memory: Any) -> int:
    """The clue that names the sum."""
    seat = view["seat"]
    total = sum_of_others(view, memory, seat, seat) % 8
    target = seat_after(view, seat, 1 + total % 4)
    shown = shown_value(view, memory, target, total >= 4)
    return clue_rank(target, shown % 5 + 1) if total < 4 else clue_color(target, shown // 5)


@kernel
def doubled(view: Any, memory: Any) -> int:
    """First identified own card of which another identified copy is in a hand; -1."""
    me = view["seat"]
    for i in range(hand_size(view, me)):
        mask = memory["mask"][POSSIBLE, order_at(view, me, i)]
        if not is_single(mask):
            continue
        copies = 0
        for seat in range(view["players"]):
            for k in range(hand_size(view, seat)):
                if memory["mask"][POSSIBLE, order_at(view, seat, k)] == mask:
                    copies += 1
        if copies > 1:
            return i
    return -1


@kernel
def last_resort(view: Any, memory: Any) -> int:
    """Identified and not critical, else not identified as critical, else the oldest."""
    unknown = -1
    for i in range(hand_size(view, view["seat"])):
        mask = memory["mask"][POSSIBLE, order_at(view, view["seat"], i)]
        if not is_single(mask):
            unknown = i if unknown < 0 else unknown
        elif not is_last_copy(view, first_bit(mask)):
            return i
    return unknown if unknown >= 0 else 0


@kernel_of(DECIDE_SIGNATURE)
def decide(view: Any, memory: Any) -> int:
    """Play, discard dead cards early, clue, discard what is needed least."""
    private_tables(view, memory)
    index = first_among(view, memory, playable_set(view), True)
    if index >= 0:
        return play_card(index)
    dead = first_among(view, memory, placed_set(view), False)
    if dead >= 0 and discards(view) < 5 and view["clues"] < view["clues_max"]:
        return discard_card(dead)
    if view["clues"] > 0:
        return give_clue(view, memory)
    if dead >= 0:
        return discard_card(dead)
    index = doubled(view, memory)
    return discard_card(index if index >= 0 else last_resort(view, memory))
