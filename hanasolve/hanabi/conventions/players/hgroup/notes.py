"""How the public notes follow the game: clues, plays, discards, and what it says that nobody played."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.players.hgroup.chains import ASSIGNED, connect
from hanasolve.hanabi.conventions.players.hgroup.clues import read_clue
from hanasolve.hanabi.conventions.players.hgroup.state import (
    CHAINS,
    EARLY,
    FOCUS,
    GIVER,
    INFERRED,
    NEXT,
    OPEN_CLUES,
    POSSIBLE,
    SAVES,
    SINCE,
    TURN,
    WHEN,
    close_clue,
    clue_field,
    is_clued,
    level,
    open_clues,
    passed_set,
    set_passed,
)
from hanasolve.hanabi.conventions.tools.building_blocks import (
    bit,
    dead_set,
    hand_size,
    has,
    order_at,
    placed_set,
    playable_set,
)
from hanasolve.hanabi.conventions.tools.elimination import eliminate, forget_all, is_single
from hanasolve.hanabi.game.rules import CLUE_COLOR, CLUE_RANK, DISCARD, PLAY
from hanasolve.hanabi.game.view import UPDATE_SIGNATURE
from hanasolve.jit import kernel, kernel_of


@kernel
def higher(identity: int) -> Any:
    """The identities of the same suit above this one."""
    suit = identity // 5
    return (np.uint64(31) << np.uint64(5 * suit)) & ~((bit(identity) << np.uint64(1)) - np.uint64(1))


@kernel
def playable_before(view: Any, event: Any) -> Any:
    """What could be played before the event."""
    now = playable_set(view)
    if event["kind"] == PLAY and event["scored"] == 1:
        placed = bit(event["identity"])
        if event["identity"] % 5 < 4:
            now &= ~(placed << np.uint64(1))
        now |= placed
    return now


@kernel
def was_prompted(view: Any, memory: Any, event: Any, playable: Any) -> bool:
    """Whether a clued card that was a strike may have been asked for: then its holder has not let the call pass."""
    order = int(np.int64(event["order"]))
    for k in range(open_clues(memory)):
        focus = clue_field(memory, k, FOCUS)
        older = memory["card"][SINCE, order] < clue_field(memory, k, WHEN)
        if focus == order or not older or clue_field(memory, k, GIVER) == event["actor"]:
            continue
        for identity in range(view["identities"]):
            if has(memory["mask"][INFERRED, order] & playable, identity):
                if (memory["mask"][INFERRED, focus] & higher(identity)) != 0:
                    return True
    return False


@kernel
def answers(view: Any, memory: Any, event: Any, playable: Any) -> bool:
    """Whether a play may answer a call: a card without a clue, or a clued one that others wait for."""
    if event["kind"] != PLAY:
        return False
    order = int(np.int64(event["order"]))
    if not is_clued(memory, order):
        return True
    if event["scored"] == 0:
        return was_prompted(view, memory, event, playable)
    if (memory["mask"][INFERRED, order] & ~playable) == 0:
        return False
    for k in range(open_clues(memory)):
        focus = clue_field(memory, k, FOCUS)
        if focus != order and clue_field(memory, k, GIVER) != event["actor"]:
            if (memory["mask"][INFERRED, focus] & higher(event["identity"])) != 0:
                return True
    return False


@kernel
def others_passed(view: Any, memory: Any, k: int, holder: int) -> bool:
    """Whether all others have acted since the clue without answering: then its receiver can tell."""
    for seat in range(view["players"]):
        if seat != holder and seat != clue_field(memory, k, GIVER) and passed_set(memory, k, seat) == 0:
            return False
    return True


@kernel
def note_passing(view: Any, memory: Any, event: Any) -> None:
    """Whoever acts without answering a call has no card for it that could be played now."""
    actor = int(np.int64(event["actor"]))
    playable = playable_before(view, event)
    if answers(view, memory, event, playable):
        return
    for k in range(open_clues(memory)):
        holder = view["where"][clue_field(memory, k, FOCUS)]
        if clue_field(memory, k, GIVER) == actor or clue_field(memory, k, CHAINS) == 0:
            continue
        if holder != actor or others_passed(view, memory, k, actor):
            set_passed(memory, k, actor, passed_set(memory, k, actor) | playable)


@kernel
def was_called(view: Any, memory: Any, event: Any) -> bool:
    """Whether some call that the actor has not let pass explains a blind play; else it answers an older one."""
    order, identity = int(np.int64(event["order"])), int(np.int64(event["identity"]))
    for k in range(open_clues(memory)):
        focus = clue_field(memory, k, FOCUS)
        above = memory["mask"][INFERRED, focus] & higher(identity) & ~memory["mask"][SAVES, focus]
        called = clue_field(memory, k, GIVER) != event["actor"] and order < clue_field(memory, k, NEXT)
        if focus != order and above != 0 and called and not has(passed_set(memory, k, event["actor"]), identity):
            return True
    return False


@kernel
def reopen_calls(view: Any, memory: Any, event: Any) -> None:
    """A blind play that no reading explains any more answers a call that was taken for passed: it speaks again."""
    order, above = int(np.int64(event["order"])), higher(int(np.int64(event["identity"]))) & ~dead_set(view)
    for k in range(open_clues(memory)):
        focus = clue_field(memory, k, FOCUS)
        if focus == order or clue_field(memory, k, CHAINS) == 0 or clue_field(memory, k, GIVER) == event["actor"]:
            continue
        if order < clue_field(memory, k, NEXT) and (memory["mask"][POSSIBLE, focus] & above) != 0:
            memory["mask"][INFERRED, focus] = memory["mask"][POSSIBLE, focus] & above
            for seat in range(view["players"]):
                set_passed(memory, k, seat, np.uint64(0))


@kernel
def note_play(view: Any, memory: Any, event: Any) -> None:
    """A card was placed: readings that it does not fit are dropped, those that it answers are confirmed."""
    order, identity = int(np.int64(event["order"])), int(np.int64(event["identity"]))
    blind = not is_clued(memory, order)
    if blind and not was_called(view, memory, event):
        reopen_calls(view, memory, event)
    answered, answers_of = -1, 0
    for k in range(open_clues(memory)):
        focus = clue_field(memory, k, FOCUS)
        above = memory["mask"][INFERRED, focus] & higher(identity) & ~memory["mask"][SAVES, focus]
        if focus == order or above == 0:
            continue
        known_then = not blind and memory["card"][SINCE, order] <= clue_field(memory, k, WHEN)
        called = blind and clue_field(memory, k, GIVER) != event["actor"]
        fits = order < clue_field(memory, k, NEXT) and (known_then or called)
        if has(passed_set(memory, k, event["actor"]), identity):
            fits = known_then
        if not fits:
            rest = memory["mask"][INFERRED, focus] & ~above
            if rest != 0:
                memory["mask"][INFERRED, focus] = rest
        elif called and clue_field(memory, k, CHAINS) == 1:
            answered, answers_of = focus, answers_of + 1
    if answers_of == 1:
        memory["mask"][INFERRED, answered] &= higher(identity) & ~memory["mask"][SAVES, answered]


@kernel
def note_strike(view: Any, memory: Any, event: Any, dead: Any) -> None:
    """After a strike the inferences of the chains it may belong to are dropped; the facts stay."""
    order, actor = int(np.int64(event["order"])), event["actor"]
    blind = not is_clued(memory, order)
    for k in range(open_clues(memory)):
        focus = clue_field(memory, k, FOCUS)
        if focus == order or clue_field(memory, k, GIVER) == actor:
            continue
        if blind and order < clue_field(memory, k, NEXT):
            set_passed(memory, k, actor, passed_set(memory, k, actor) | playable_set(view))
            facts = memory["mask"][POSSIBLE, focus] & ~dead
            memory["mask"][INFERRED, focus] = facts if facts != 0 else memory["mask"][POSSIBLE, focus]


@kernel
def was_locked(view: Any, memory: Any, event: Any) -> bool:
    """Whether the actor had no chop before he drew."""
    seat = int(np.int64(event["actor"]))
    for i in range(hand_size(view, seat)):
        order = order_at(view, seat, i)
        if order != event["drawn"] and not is_clued(memory, order):
            return False
    return True


@kernel
def note_sarcasm(view: Any, memory: Any, event: Any) -> None:
    """Level 3: a useful clued card is discarded: another clued card, the only one that can, is the same."""
    order, identity = int(np.int64(event["order"])), int(np.int64(event["identity"]))
    if not is_clued(memory, order) or has(dead_set(view), identity) or was_locked(view, memory, event):
        return
    if not has(memory["mask"][INFERRED, order], identity):
        return  # its holder took it for another one, useless
    found, count = -1, 0
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            other = order_at(view, seat, i)
            if seat != event["actor"] and is_clued(memory, other):
                if has(memory["mask"][POSSIBLE, other], identity):
                    found, count = other, count + 1
    if count == 1:
        memory["mask"][INFERRED, found] = bit(identity)


@kernel
def tidy(view: Any, memory: Any) -> None:
    """Drop clues whose focus left, placed identities, and readings that nobody can answer any more."""
    dead, playable, placed = dead_set(view), playable_set(view), placed_set(view)
    k = 0
    while k < open_clues(memory):
        holder = view["where"][clue_field(memory, k, FOCUS)]
        if holder < 0 or holder >= view["players"]:
            close_clue(memory, k)
        else:
            k += 1
    eliminate(view, memory)
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            order = order_at(view, seat, i)
            memory["work"][ASSIGNED + order] = 0
            facts = memory["mask"][POSSIBLE, order]
            inferred = memory["mask"][INFERRED, order] & facts
            if (inferred & ~placed) != 0:
                inferred &= ~placed  # what was lost since may have been useful when it was clued
            elif inferred == 0:
                inferred = facts & ~dead if (facts & ~dead) != 0 else facts
            memory["mask"][INFERRED, order] = inferred
    for k in range(open_clues(memory)):
        narrow_focus(view, memory, k, playable)


@kernel
def narrow_focus(view: Any, memory: Any, k: int, playable: Any) -> None:
    """What everybody can tell of a focus: saves, and plays that somebody may still answer."""
    focus = clue_field(memory, k, FOCUS)
    inferred = memory["mask"][INFERRED, focus]
    if is_single(inferred):
        return
    keep = inferred & memory["mask"][SAVES, focus]
    seat = int(np.int64(view["where"][focus]))
    for identity in range(view["identities"]):
        if has(inferred & ~keep, identity):
            if connect(view, memory, -1, k, seat, identity, playable):
                keep |= bit(identity)
    if keep != 0:
        memory["mask"][INFERRED, focus] = keep


@kernel_of(UPDATE_SIGNATURE)
def update(view: Any, memory: Any, event: Any) -> int:
    """Read a public event."""
    kind = event["kind"]
    if kind < 0:
        forget_all(view, memory)
        for order in range(view["deck_size"]):
            memory["mask"][INFERRED, order] = memory["mask"][POSSIBLE, order]
        memory["notes"][EARLY], memory["notes"][OPEN_CLUES], memory["notes"][TURN] = 1, 0, 0
        return 0
    memory["notes"][TURN] += 1
    note_passing(view, memory, event)
    if kind == CLUE_COLOR or kind == CLUE_RANK:
        read_clue(
            view, memory, event["actor"], event["target"], kind, event["value"], event["touched"],
            event["clues_before"],
        )  # fmt: skip
    elif kind == DISCARD:
        if not is_clued(memory, event["order"]):
            memory["notes"][EARLY] = 0
        elif level(memory) >= 3:
            note_sarcasm(view, memory, event)
    elif event["scored"] == 1:
        note_play(view, memory, event)
    else:
        note_strike(view, memory, event, dead_set(view))
    tidy(view, memory)
    return 0
