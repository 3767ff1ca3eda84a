"""``hat`` (van Doorn 2018): a clue tells all other players at once what to do, as a sum modulo 9.

The clue's receiver, kind and whether it touches the newest card name a number 0 to 8. The first player who has
nothing left to play from the clue before gets an action that the giver chooses; every other one his *standard
action*, which all can compute who see his hand. Each finds his own by subtraction. Four or five players with
four cards; the notes differ between seats, since each reads a clue when he is free to.

The turn is planned at the end of ``update``, when the table already stands as ``decide`` will see it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.players.hat_actions import (
    AFTER,
    BEFORE,
    BEFORE_COUNT,
    CLUE,
    DUE,
    DUE_CARD,
    EXPECTED,
    FRESH,
    FRESH_CARD,
    MODIFIED,
    PLAN,
    PROMISED,
    PROMISING,
    TOLD,
    USELESS,
    hands_set,
    index_of,
    is_play,
    modified_action,
    unplaced,
)
from hanasolve.hanabi.conventions.players.hat_reading import (
    card_of,
    close_clue,
    expect,
    join_actions,
    open_clue,
    resolve_clues,
    take_note,
)
from hanasolve.hanabi.conventions.tools.building_blocks import (
    bit,
    card_at,
    clue_color,
    clue_rank,
    deck_left,
    discard_card,
    hand_size,
    order_at,
    play_card,
    playable_set,
    seat_after,
)
from hanasolve.hanabi.game.view import DECIDE_SIGNATURE, START, UPDATE_SIGNATURE
from hanasolve.jit import kernel, kernel_of


@kernel
def clue_missing_newest(view: Any, seat: int) -> int:
    """A clue that does not touch the newest card; -1 if there is none."""
    size = hand_size(view, seat)
    newest = card_at(view, seat, size - 1)
    for i in range(size - 1):
        card = card_at(view, seat, i)
        if card % 5 != newest % 5:
            return clue_rank(seat, card % 5 + 1)
        if card // 5 != newest // 5:
            return clue_color(seat, card // 5)
    return -1


@kernel
def number_clue(view: Any, number: int) -> int:
    """The clue that names a number; where none can, the number of the newest card (a wrong message)."""
    players, me = int(np.int64(view["players"])), int(np.int64(view["seat"]))
    if players == 5 and number == 8:
        for step in range(1, players):
            clue = clue_missing_newest(view, seat_after(view, me, step))
            if clue >= 0:
                return clue
        number = 0
    kinds = 3 if players == 4 else 2
    seat, kind = seat_after(view, me, 1 + number // kinds), number % kinds
    newest = card_at(view, seat, hand_size(view, seat) - 1)
    clue = clue_missing_newest(view, seat) if kind == 2 else -1
    if clue >= 0:
        return clue
    return clue_color(seat, newest // 5) if kind == 1 else clue_rank(seat, newest % 5 + 1)


# --- the own turn ----------------------------------------------------------------------------------------


@kernel
def useless_index(view: Any, notes: Any) -> int:
    """Hand index of the remembered useless card; -1."""
    for i in range(hand_size(view, view["seat"])):
        if order_at(view, view["seat"], i) + 1 == notes[USELESS]:
            return i
    return -1


@kernel
def last_guess(view: Any) -> bool:
    """Whether the deck is empty, a strike can be borne and a playable card is neither seen nor discarded."""
    if deck_left(view) > 0 or view["strikes"] >= view["strikes_max"] - 1:
        return False
    known = hands_set(view, -1)
    for identity in range(view["identities"]):
        if view["discarded"][identity] > 0:
            known |= bit(identity)
    return bool((playable_set(view) & ~known) != 0)


@kernel
def had_better_discard(view: Any, notes: Any, action: int, told_before: int) -> bool:
    """Whether the useless card goes instead of the clue that is ready (``action``: the modified player's)."""
    me, players = int(np.int64(view["seat"])), int(np.int64(view["players"]))
    if view["clues"] >= view["clues_max"] or useless_index(view, notes) < 0:
        return False
    endgame = unplaced(view) - deck_left(view)
    steps = (int(notes[MODIFIED]) - me - 1 + players) % players
    if is_play(action) and (endgame > 0 or told_before <= steps):
        return False
    tokens = int(np.int64(view["clues"])) - 1
    for k in range(notes[BEFORE_COUNT]):  # a 5 before the modified player's turn gives one back
        seat = seat_after(view, me, 1 + k)
        if card_at(view, seat, index_of(int(notes[BEFORE + k]))) % 5 == 4:
            tokens += 1
    if tokens == 0 or endgame <= 0 or view["clues"] <= 1:
        return True
    for k in range(notes[TOLD]):
        if is_play(int(notes[AFTER + k])):
            return False
    return True


@kernel
def plan_clue(view: Any, memory: Any) -> int:
    """The clue to the others, or the discard of the useless card instead."""
    notes, me = memory["notes"], int(np.int64(view["seat"]))
    may_discard, told_before = notes[MODIFIED] != me, int(notes[TOLD])
    total, taken = open_clue(view, memory, me)
    seat = int(notes[MODIFIED])
    action = modified_action(view, memory, taken)
    expect(notes, seat, action, card_of(view, seat, action))
    join_actions(notes, action)
    if may_discard and had_better_discard(view, notes, action, told_before):
        for suit in range(view["suits"]):
            notes[PROMISING + suit] = notes[PROMISED + suit]
        return discard_card(useless_index(view, notes))
    close_clue(view, notes)
    return number_clue(view, (total + action) % 9)


@kernel
def plan(view: Any, memory: Any) -> int:
    """The action of my turn; the notes become those after it."""
    notes, me = memory["notes"], int(np.int64(view["seat"]))
    newest = hand_size(view, me) - 1
    action = resolve_clues(view, memory)
    if is_play(action):
        return play_card(min(index_of(action), newest))
    useless = useless_index(view, notes)
    if last_guess(view):
        return play_card(min(1, newest) if useless == 0 else 0)
    if action != CLUE and view["clues"] < view["clues_max"] and (view["clues"] == 0 or me == notes[MODIFIED]):
        code = discard_card(min(index_of(action), newest))
    elif view["clues"] == 0:
        code = discard_card(useless if useless >= 0 else newest)
    else:
        code = plan_clue(view, memory)
    notes[TOLD] = 0
    return code


@kernel_of(DECIDE_SIGNATURE)
def decide(view: Any, memory: Any) -> int:
    """What was planned with the last action."""
    return int(memory["notes"][PLAN])


@kernel_of(UPDATE_SIGNATURE)
def update(view: Any, memory: Any, event: Any) -> int:
    """Read the action; plan when it is my turn next."""
    notes = memory["notes"]
    if event["kind"] == START:
        notes[MODIFIED] = -1
        for seat in range(view["players"]):
            notes[EXPECTED + seat] = notes[DUE + seat] = notes[DUE_CARD + seat] = -1
            notes[FRESH + seat] = notes[FRESH_CARD + seat] = -1
    else:
        take_note(view, memory, event)
    if view["to_move"] == view["seat"] and view["ended"] == 0:
        notes[PLAN] = plan(view, memory)
    return 0
