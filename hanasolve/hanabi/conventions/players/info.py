"""``info``: the general information strategy for 2 to 5 players (Wu, hanabi.rs, information strategy).

A clue names a number that tells all other players about their hands at once (``questions``); a discard among
several known useless cards does the same, and a discard at all says that nobody needed a clue.

Public notes: mask[0] by order = public table of each card; mask[1] = the sets of ``questions``. With the sets
of the board before an action the tables after it can be computed by everybody.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.players.info_reading import (
    USELESS,
    all_numbers,
    clue_number,
    knows_play,
    list_useless,
    mark_index,
    numbers_of,
    read_discard,
    read_sum,
    without_plays,
)
from hanasolve.hanabi.conventions.tools.building_blocks import (
    bit,
    card_at,
    clue_color,
    clue_rank,
    deck_left,
    discard_card,
    discards,
    hand_size,
    has,
    is_playable,
    oldest_number,
    order_at,
    play_card,
    seat_after,
    spare_cards,
)
from hanasolve.hanabi.conventions.tools.elimination import (
    POSSIBLE,
    color_set,
    forget_all,
    is_single,
    mark_clue,
    rank_set,
)
from hanasolve.hanabi.conventions.tools.questions import (
    DEAD,
    DISPENSABLE,
    PLAYABLE,
    SETS,
    WEIGHT_1,
    WEIGHT_2,
    answer,
    load_hand,
    public_weight,
    renew_sets,
)
from hanasolve.hanabi.game.rules import CLUE_COLOR, CLUE_RANK, DISCARD
from hanasolve.hanabi.game.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
from hanasolve.jit import inline_kernel, kernel, kernel_of


@kernel_of(UPDATE_SIGNATURE)
def update(view: Any, memory: Any, event: Any) -> int:
    """Read the event on the old tables, then renew the sets and drop what has no weight left."""
    kind = event["kind"]
    if kind < 0:
        forget_all(view, memory)
    elif kind == DISCARD:
        read_discard(view, memory, event)
    elif kind == CLUE_COLOR or kind == CLUE_RANK:
        budget = all_numbers(view, memory, event["actor"])
        read_sum(view, memory, event["actor"], budget, clue_number(view, memory, event))
        touch = color_set(event["value"]) if kind == CLUE_COLOR else rank_set(view, event["value"])
        mark_clue(view, memory, event, touch)
        return 0
    renew_sets(view, memory)
    weighty = memory["mask"][SETS, WEIGHT_1] | memory["mask"][SETS, WEIGHT_2]
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            memory["mask"][POSSIBLE, order_at(view, seat, i)] &= weighty
    return 0


@kernel
def private_weights(view: Any, memory: Any) -> Any:
    """work[identity] = public weight minus the copies in other hands; returns the set that has some left.

    work[50 + identity] = 1 + number of other players who hold it.
    """
    work, sets = memory["work"], memory["mask"]
    for identity in range(view["identities"]):
        weight = int(np.int64(has(sets[SETS, WEIGHT_1], identity))) + 2 * int(
            np.int64(has(sets[SETS, WEIGHT_2], identity))
        )
        work[identity], work[50 + identity] = weight, 1
    for seat in range(view["players"]):
        if seat == view["seat"]:
            continue
        hand = np.uint64(0)
        for i in range(hand_size(view, seat)):
            identity = card_at(view, seat, i)
            work[identity] -= 1
            if not has(hand, identity):
                work[50 + identity] += 1
            hand |= bit(identity)
    some = np.uint64(0)
    for identity in range(view["identities"]):
        if work[identity] > 0:
            some |= bit(identity)
    return some


@kernel
def private_weight(view: Any, memory: Any, mask: Any) -> int:
    """Total private weight of a set."""
    total = 0
    for identity in range(view["identities"]):
        if has(mask, identity):
            total += memory["work"][identity]
    return total


@inline_kernel
def own_table(view: Any, memory: Any, index: int, some: Any) -> Any:
    """What an own card can be with what I see."""
    return memory["mask"][POSSIBLE, order_at(view, view["seat"], index)] & some


@kernel
def sure_play(view: Any, memory: Any, some: Any) -> int:
    """Privately sure play that opens most and that others hold least; -1."""
    best, most = -1, -1.0
    for i in range(hand_size(view, view["seat"])):
        mask = own_table(view, memory, i, some)
        if (mask & ~memory["mask"][SETS, PLAYABLE]) != 0:
            continue
        total, weight = 0.0, 0
        for identity in range(view["identities"]):
            if has(mask, identity):
                holders = memory["work"][50 + identity] if deck_left(view) > 0 else 1
                total += memory["work"][identity] * ((9 - identity % 5) / holders)
                weight += memory["work"][identity]
        if total / max(1, weight) > most:
            best, most = i, total / max(1, weight)
    return best


@kernel
def harmless_gamble(view: Any, memory: Any, some: Any) -> int:
    """A card that is playable or dead, and playable with more than 0.75: the likeliest; -1."""
    best, most = -1, 0.75
    playable, dead = memory["mask"][SETS, PLAYABLE], memory["mask"][SETS, DEAD]
    for i in range(hand_size(view, view["seat"])):
        mask = own_table(view, memory, i, some)
        if (mask & ~(playable | dead)) == 0:
            chance = private_weight(view, memory, mask & playable) / max(1, private_weight(view, memory, mask))
            if chance > most:
                best, most = i, chance
    return best


@kernel
def private_useless(view: Any, memory: Any, some: Any) -> int:
    """First own card that is surely dead, or identified twice in the hand; -1."""
    size = hand_size(view, view["seat"])
    identified, twice = np.uint64(0), np.uint64(0)
    for i in range(size):
        mask = own_table(view, memory, i, some)
        if is_single(mask):
            twice |= identified & mask
            identified |= mask
    for i in range(size):
        mask = own_table(view, memory, i, some)
        if (mask & ~memory["mask"][SETS, DEAD]) == 0 or (is_single(mask) and (mask & twice) != 0):
            return i
    return -1


@kernel
def least_needed(view: Any, memory: Any, some: Any) -> int:
    """The own card that is most likely held by another, dispensable, and high."""
    best, most = 0, -1.0
    work = memory["work"]
    for i in range(hand_size(view, view["seat"])):
        mask = own_table(view, memory, i, some)
        total, weight = 0.0, 0
        for identity in range(view["identities"]):
            if has(mask, identity):
                worth = identity % 5 + 1
                if work[50 + identity] > 1:
                    worth += 20
                if has(memory["mask"][SETS, DISPENSABLE], identity):
                    worth += 10
                total += work[identity] * worth
                weight += work[identity]
        if total / max(1, weight) > most:
            best, most = i, total / max(1, weight)
    return best


@kernel
def others_play(view: Any, memory: Any) -> int:
    """0: no other player has a playable card; 1: all who have know one publicly; 2: one of them does not."""
    found = 0
    for seat in range(view["players"]):
        if seat == view["seat"]:
            continue
        for i in range(hand_size(view, seat)):
            if is_playable(view, card_at(view, seat, i)):
                if not knows_play(view, memory, seat):
                    return 2
                found = 1
                break
    return found


@kernel
def sum_for_others(view: Any, memory: Any, budget: int, nobody_needs: bool) -> int:
    """The number that tells all others their values; ``nobody_needs``: as after a discard that says so."""
    total = 0
    for seat in range(view["players"]):
        if seat != view["seat"]:
            load_hand(view, memory, seat)
            if nobody_needs and not knows_play(view, memory, seat):
                without_plays(view, memory, seat)
            total += answer(view, memory, seat, budget)
    return total % budget


@kernel
def narrowing(view: Any, memory: Any, seat: int, touch: Any) -> float:
    """How much the plain facts of a clue narrow the open cards of a hand."""
    dead, product = memory["mask"][SETS, DEAD], 1.0
    for i in range(hand_size(view, seat)):
        mask = memory["mask"][POSSIBLE, order_at(view, seat, i)]
        if (mask & ~dead) == 0 or is_single(mask):
            continue
        after = mask & touch if has(touch, card_at(view, seat, i)) else mask & ~touch
        product *= public_weight(memory, mask) / max(1, public_weight(memory, after))
        if is_single(after) or (after & ~dead) == 0:
            product *= 2.0
    return product


@kernel
def best_miss(view: Any, memory: Any, seat: int, marked: int, colors: bool, ranks: bool) -> int:
    """The best clue to a player that touches some card, but not the marked one."""
    cards = np.uint64(0)
    for i in range(hand_size(view, seat)):
        cards |= bit(card_at(view, seat, i))
    best, most = -1, 0.0
    for value in range(view["suits"] + 5):
        is_color = value < view["suits"]
        if not (colors if is_color else ranks):
            continue
        touch = color_set(value) if is_color else rank_set(view, value - view["suits"] + 1)
        if (cards & touch) == 0 or has(touch, marked):
            continue
        value_of = narrowing(view, memory, seat, touch)
        if value_of > most:
            most = value_of
            best = clue_color(seat, value) if is_color else clue_rank(seat, value - view["suits"] + 1)
    return best


@kernel
def best_clue(view: Any, memory: Any) -> int:
    """The best clue that names the number for the others."""
    me = view["seat"]
    number = sum_for_others(view, memory, all_numbers(view, memory, me), False)
    seat = seat_after(view, me, 1)
    while number >= numbers_of(view, memory, seat):
        number -= numbers_of(view, memory, seat)
        seat = seat_after(view, seat, 1)
    marked = card_at(view, seat, mark_index(view, memory, seat))
    if number == 0:
        return clue_rank(seat, marked % 5 + 1)
    if number == 1:
        return clue_color(seat, marked // 5)
    four = numbers_of(view, memory, seat) == 4
    clue = best_miss(view, memory, seat, marked, number == 3 or not four, number == 2)
    return clue if clue >= 0 else oldest_number(view, seat)


@kernel
def best_discard(view: Any, memory: Any, useless: int, some: Any) -> int:
    """Tell a number by the choice among public useless cards, else a useless card, else the least needed."""
    me = view["seat"]
    count = list_useless(view, memory, me, hand_size(view, me), -1, 0)
    if count > 1:
        wanted = memory["work"][USELESS + sum_for_others(view, memory, count, view["clues"] > 0)]
        for i in range(hand_size(view, me)):
            if order_at(view, me, i) == wanted:
                return discard_card(i)
    return discard_card(useless if useless >= 0 else least_needed(view, memory, some))


@kernel_of(DECIDE_SIGNATURE)
def decide(view: Any, memory: Any) -> int:
    """Play what is sure, gamble where it is free, clue whoever needs it, discard while the deck allows."""
    some = private_weights(view, memory)
    index = sure_play(view, memory, some)
    can_spare = discards(view) <= spare_cards(view)
    if index < 0 and can_spare and view["strikes_max"] - view["strikes"] > 1:
        index = harmless_gamble(view, memory, some)
    if index >= 0:
        return play_card(index)
    tokens, need = view["clues"], others_play(view, memory)
    useless = private_useless(view, memory, some)
    if tokens >= view["clues_max"] or (tokens > 0 and need == 2):
        return best_clue(view, memory)
    if useless >= 0 and can_spare:
        return best_discard(view, memory, useless, some)
    if (tokens > 0 and need > 0) or tokens > 4:
        return best_clue(view, memory)
    return best_discard(view, memory, useless, some)
