"""Rule lists: ordered named rules, the first that fires decides (fossgalaxy; Osawa 2015; van den Bergh
2015/16; Walton-Rivers and others 2017). One interpreter plays them all; the list stands in
``memory["setup"]``.

These players keep *places*: a drawn card takes the place of the card that left, and "first" means the lowest
place. What a card may be comes from its clue marks alone (``view["fits"]``); Fit = the unseen cards among
those, weighted by the copies that this player does not see.

Public notes: notes[10 * seat + place] = order + 1 of the card there, 0 = empty.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.players.random_legal import random_action
from hanasolve.hanabi.conventions.players.rule_list_clues import (
    PLACES,
    lowest_stack,
    order_in_place,
    tell_dispensable,
    tell_most,
    tell_playable,
    tell_playable_random,
    tell_random,
    tell_unknown,
    tell_useful,
)
from hanasolve.hanabi.conventions.rule_names import ENTRY, MAX_RULES
from hanasolve.hanabi.conventions.tools.building_blocks import (
    count_left,
    dead_set,
    discard_card,
    hand_size,
    has,
    index_of,
    order_at,
    play_card,
    playable_set,
    reach,
    roll,
    seat_after,
    stack,
)
from hanasolve.hanabi.conventions.tools.elimination import known_color, known_rank
from hanasolve.hanabi.game.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
from hanasolve.jit import inline_kernel, kernel, kernel_of


@kernel
def count_unseen(view: Any, memory: Any) -> None:
    """work[identity] = copies in the deck and the own hand, as far as this player sees."""
    unseen = memory["work"]
    count_left(view, unseen)
    for seat in range(view["players"]):
        if seat != view["seat"]:
            for i in range(hand_size(view, seat)):
                unseen[int(np.int64(view["deck"][order_at(view, seat, i)]))] -= 1


@kernel
def share(view: Any, memory: Any, order: int, those: Any) -> float:
    """Share of the identities ``those`` in Fit of a card; -1 if Fit is empty. Needs ``count_unseen``."""
    fits = view["fits"][order]
    good, total = 0, 0
    for identity in range(view["identities"]):
        if has(fits, identity):
            total += memory["work"][identity]
            if has(those, identity):
                good += memory["work"][identity]
    return good / total if total > 0 else -1.0


@kernel
def most_likely(view: Any, memory: Any, those: Any, least: float) -> int:
    """Hand index of the card with the greatest share of ``those``, last place on ties, if >= ``least``;
    -1."""
    count_unseen(view, memory)
    seat = view["seat"]
    best, best_share = -1, least
    for place in range(view["hand_size"]):
        order = order_in_place(memory, seat, place)
        if order >= 0:
            value = share(view, memory, order, those)
            if value >= best_share:
                best, best_share = order, value
    return index_of(view, seat, best) if best >= 0 else -1


@kernel
def first_safe(view: Any, memory: Any) -> int:
    """First place all of whose Fit is playable."""
    count_unseen(view, memory)
    playable = playable_set(view)
    for place in range(view["hand_size"]):
        order = order_in_place(memory, view["seat"], place)
        if order >= 0 and share(view, memory, order, playable) >= 1.0:
            return index_of(view, view["seat"], order)
    return -1


@kernel
def first_certain(view: Any, memory: Any, playable: bool) -> int:
    """First place of known colour and number that is playable, or (``playable`` False) already placed."""
    for place in range(view["hand_size"]):
        order = order_in_place(memory, view["seat"], place)
        if order < 0:
            continue
        color, rank = known_color(view["fits"][order]), known_rank(view["fits"][order])
        if color > 0 and rank > 0:
            height = stack(view, color - 1)
            if (playable and rank == height + 1) or (not playable and rank <= height):
                return index_of(view, view["seat"], order)
    return -1


@kernel
def is_useless(view: Any, order: int, lowest: int) -> bool:
    """Useless by known attributes alone."""
    color, rank = known_color(view["fits"][order]), known_rank(view["fits"][order])
    if color > 0:
        height = stack(view, color - 1)
        if height == 5 or (rank > 0 and (rank <= height or rank > reach(view, color - 1))):
            return True
    return 0 < rank <= lowest


@kernel
def safe_discard(view: Any, memory: Any) -> int:
    """First place that is useless by known attributes."""
    lowest = lowest_stack(view)
    for place in range(view["hand_size"]):
        order = order_in_place(memory, view["seat"], place)
        if order >= 0 and is_useless(view, order, lowest):
            return index_of(view, view["seat"], order)
    return -1


@kernel
def useless_discard(view: Any, memory: Any) -> int:
    """First place of known colour whose lowest number in Fit can no longer be reached."""
    count_unseen(view, memory)
    for place in range(view["hand_size"]):
        order = order_in_place(memory, view["seat"], place)
        if order < 0:
            continue
        color = known_color(view["fits"][order])
        if color == 0:
            continue
        rank = 1
        while rank <= 5 and not fits_unseen(view, memory, order, 5 * color + rank - 6):
            rank += 1
        if 5 >= rank > reach(view, color - 1):
            return index_of(view, view["seat"], order)
    return -1


@inline_kernel
def fits_unseen(view: Any, memory: Any, order: int, identity: int) -> bool:
    return bool(has(view["fits"][order], identity) and memory["work"][identity] > 0)


# --- the list --------------------------------------------------------------------------------------------


@kernel
def play_rule(view: Any, memory: Any, rule: int, chance: float) -> int:
    """Rules 1 to 3: an own card to play, -1 if the rule does not fire."""
    index = -1
    if rule == 1:
        index = first_certain(view, memory, True)
    elif rule == 2:
        index = first_safe(view, memory)
    elif rule == 3:
        index = most_likely(view, memory, playable_set(view), chance)
    return play_card(index) if index >= 0 else -1


@kernel
def discard_rule(view: Any, memory: Any, rule: int, chance: float) -> int:
    """Rules 4 to 10: an own card to discard; none at full tokens."""
    if view["clues"] >= view["clues_max"]:
        return -1
    index = -1
    if rule == 4 or rule == 6:
        index = safe_discard(view, memory)
    if rule == 5 or (rule == 6 and index < 0):
        index = useless_discard(view, memory)
    if rule == 7:
        index = first_certain(view, memory, False)
    elif rule == 8:
        index = 0
    elif rule == 9:
        index = roll(view, memory, hand_size(view, view["seat"]))
    elif rule == 10:
        index = most_likely(view, memory, dead_set(view), chance)
    return discard_card(index) if index >= 0 else -1


@kernel
def tell_rule(view: Any, memory: Any, rule: int) -> int:
    """Rules 11 to 17: a clue; none without a token."""
    if view["clues"] < view["clue_cost"]:
        return -1
    if rule == 11:
        return tell_playable_random(view, memory)
    if rule == 12:
        return tell_playable(view, memory, seat_after(view, view["seat"], 1))
    if rule == 13:
        return tell_unknown(view, memory)
    if rule == 14:
        return tell_useful(view, memory)
    if rule == 15:
        return tell_dispensable(view, memory)
    if rule == 16:
        return tell_most(view, memory)
    return tell_random(view, memory)


@kernel
def applies(view: Any, setup: Any, at: int) -> bool:
    """Whether the conditions of the entry that starts at ``at`` hold."""
    left = view["strikes_max"] - view["strikes"]
    if left <= setup[at + 2] or left > setup[at + 3] or view["clues"] >= setup[at + 4]:
        return False
    return bool(setup[at + 5] == 0 or view["next"] == view["deck_size"])


@kernel_of(DECIDE_SIGNATURE)
def decide(view: Any, memory: Any) -> int:
    """The first rule of the list that fires; if none does, any legal action."""
    setup = memory["setup"]
    for entry in range(MAX_RULES):
        at = entry * ENTRY
        rule, chance = int(setup[at]), setup[at + 1]
        if rule == 0:
            break
        if applies(view, setup, at):
            if rule <= 3:
                action = play_rule(view, memory, rule, chance)
            elif rule <= 10:
                action = discard_rule(view, memory, rule, chance)
            else:
                action = tell_rule(view, memory, rule)
            if action >= 0:
                return action
    return random_action(view, memory)


@kernel_of(UPDATE_SIGNATURE)
def update(view: Any, memory: Any, event: Any) -> int:
    """Keep the places."""
    notes = memory["notes"]
    if event["kind"] < 0:
        for seat in range(view["players"]):
            for i in range(hand_size(view, seat)):
                notes[PLACES * seat + i] = order_at(view, seat, i) + 1
    elif event["order"] >= 0:
        base = PLACES * event["actor"]
        for place in range(view["hand_size"]):
            if notes[base + place] == event["order"] + 1:
                notes[base + place] = event["drawn"] + 1
    return 0
