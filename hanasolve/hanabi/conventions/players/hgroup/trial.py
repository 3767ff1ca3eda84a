"""What a clue would do: write it into the notes, read them with everybody's eyes, judge, and take it back.

The giver accepts a clue only if everybody who reads it is told the truth: no card is taken for playable that is
not, the focus and every card asked for are what they are taken for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.players.hgroup.chains import LENGTH, STEP, WANTED, connect, set_of
from hanasolve.hanabi.conventions.players.hgroup.clues import clued_set, read_clue
from hanasolve.hanabi.conventions.players.hgroup.reading import read_as, read_until
from hanasolve.hanabi.conventions.players.hgroup.state import (
    FOCUS,
    SAVES,
    clue_field,
    is_clued,
    open_clues,
)
from hanasolve.hanabi.conventions.players.hgroup.worth import (
    DOUBLED,
    EFFECTS,
    GOTTEN,
    NOW,
    PLAYS,
    TOLD,
    WRONG,
    base_set,
    forecast,
)
from hanasolve.hanabi.conventions.tools.building_blocks import (
    bit,
    card_at,
    hand_size,
    has,
    index_of,
    order_at,
)
from hanasolve.hanabi.conventions.tools.elimination import is_single
from hanasolve.hanabi.game.rules import MAX_DECK
from hanasolve.hanabi.game.view import CARD_ROWS, NOTES
from hanasolve.jit import kernel


@kernel
def back_up(view: Any, memory: Any, seat: int, masks: Any, marks: Any, notes: Any) -> None:
    """Save what a clue to this hand may change."""
    for n in range(NOTES):
        notes[n] = memory["notes"][n]
    for n in range(MAX_DECK):
        masks[2, n], masks[3, n] = memory["mask"][2, n], memory["mask"][3, n]
    for i in range(hand_size(view, seat)):
        order = order_at(view, seat, i)
        for row in (0, 1, 4):
            masks[row, order] = memory["mask"][row, order]
        for row in range(CARD_ROWS):
            marks[row, order] = memory["card"][row, order]


@kernel
def bring_back(view: Any, memory: Any, seat: int, masks: Any, marks: Any, notes: Any) -> None:
    """Undo ``back_up``."""
    for n in range(NOTES):
        memory["notes"][n] = notes[n]
    for n in range(MAX_DECK):
        memory["mask"][2, n], memory["mask"][3, n] = masks[2, n], masks[3, n]
    for i in range(hand_size(view, seat)):
        order = order_at(view, seat, i)
        for row in (0, 1, 4):
            memory["mask"][row, order] = masks[row, order]
        for row in range(CARD_ROWS):
            memory["card"][row, order] = marks[row, order]


@kernel
def gotten_before(view: Any, memory: Any) -> Any:
    """Identities of cards that are clued, or asked for, before the clue; of own cards those that are known."""
    gotten, me = np.uint64(0), int(np.int64(view["seat"]))
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            own = base_set(memory, seat, i)
            if seat == me:
                if is_single(own):
                    gotten |= own
            elif is_clued(memory, order_at(view, seat, i)) or is_single(own):
                gotten |= bit(card_at(view, seat, i))
    return gotten


@kernel
def judge_cards(view: Any, memory: Any, playable: Any, dead: Any, gotten: Any, marks: Any, target: int) -> bool:
    """Count what changed in all hands; False if somebody would be misled."""
    out, told_plays = memory["work_float"], np.uint64(0)
    honest = True
    me = int(np.int64(view["seat"]))
    for seat in range(view["players"]):
        if seat == me:
            continue
        for i in range(hand_size(view, seat)):
            order, identity = order_at(view, seat, i), card_at(view, seat, i)
            now, before = set_of(memory, seat, i), base_set(memory, seat, i)
            clued = is_clued(memory, order)
            sure, sure_before = (now & ~playable) == 0, (before & ~playable) == 0
            plays = has(playable, identity)
            if sure and not plays and not sure_before:
                honest = False
            if sure_before and plays and not sure:
                out[WRONG] += 1
            if not has(now, identity) and has(before, identity):
                honest = honest and clued and (now & ~dead) != 0
                out[WRONG] += 1
            if sure and plays and not sure_before and not has(told_plays, identity):
                told_plays |= bit(identity)
                out[PLAYS] += 1
            new = clued and seat == target and marks[0, order] == 0
            asked = not clued and is_single(now) and not is_single(before)
            if new or asked:
                if has(dead, identity) or has(gotten, identity):
                    out[DOUBLED] += 1
                else:
                    out[GOTTEN] += 1
                    gotten |= bit(identity)
            if clued and now != before:
                out[TOLD] += 1
    return honest


@kernel
def judge_focus(view: Any, memory: Any, playable: Any, dead: Any, target: int, focus: int) -> bool:
    """Whether the receiver reads the focus rightly and all cards that it asks for know of it."""
    i = index_of(view, target, focus)
    identity = card_at(view, target, i)
    if has(dead, identity):
        return bool((set_of(memory, target, i) & ~playable) != 0)
    if not has(set_of(memory, target, i), identity):
        return False
    if has(memory["mask"][SAVES, focus], identity) or has(playable, identity):
        return True
    last = open_clues(memory) - 1
    if last < 0 or clue_field(memory, last, FOCUS) != focus:
        return True
    me, work = int(np.int64(view["seat"])), memory["work"]
    read_until(view, memory, me, playable, last, True)
    if not connect(view, memory, me, last, target, identity, playable):
        return False
    for n in range(work[LENGTH]):
        seat = int(np.int64(view["where"][work[STEP + n]]))
        if set_of(memory, seat, index_of(view, seat, work[STEP + n])) != bit(work[WANTED + n]):
            return False
    return True


@kernel
def try_clue(
    view: Any, memory: Any, target: int, kind: int, value: int, sets: Any, masks: Any, marks: Any, notes: Any
) -> bool:
    """Judge a clue; ``sets`` = playable, dead and gotten identities. Its effects are in ``work_float``."""
    out = memory["work_float"]
    for n in range(EFFECTS):
        out[n] = 0.0
    me = int(np.int64(view["seat"]))
    touched = clued_set(view, target, kind, value)
    back_up(view, memory, target, masks, marks, notes)
    memory["notes"][0] += 1
    focus = read_clue(view, memory, me, target, kind, value, touched, int(np.int64(view["clues"])))
    for seat in range(view["players"]):
        if seat != me:
            read_as(view, memory, seat, sets[0])
    good = judge_cards(view, memory, sets[0], sets[1], sets[2], marks, target)
    good = good and judge_focus(view, memory, sets[0], sets[1], target, focus)
    forecast(view, memory, NOW, sets, np.uint64(0))
    bring_back(view, memory, target, masks, marks, notes)
    return good
