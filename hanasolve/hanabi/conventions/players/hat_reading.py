"""How ``hat`` reads: what a clue tells each player, and what all expect each to do next.

A clue stays open until its reader is free of the one before. ``take_note`` brings the notes up to date after an
action; ``hat`` then plans the own turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.players.hat_actions import (
    AFTER,
    BEFORE,
    BEFORE_COUNT,
    CLUE,
    COUNT,
    DISCARDED,
    DUE,
    DUE_CARD,
    EXPECTED,
    FRESH,
    FRESH_CARD,
    GIVER,
    MODIFIED,
    PROMISED,
    PROMISING,
    TOLD,
    USELESS,
    VALUE,
    between,
    discard_counts,
    index_of,
    is_play,
    safe_discard,
    standard_action,
)
from hanasolve.hanabi.conventions.tools.building_blocks import bit, card_at, hand_size, order_at, seat_after
from hanasolve.hanabi.game.rules import DISCARD, PLAY
from hanasolve.jit import kernel


@kernel
def clue_number(view: Any, event: Any) -> int:
    """0 number or 1 colour touching the newest card, 2 a clue missing it, by players skipped."""
    target = event["target"]
    steps = target - event["actor"] - 1
    if steps < 0:
        steps += view["players"]
    kind = 2
    if (event["touched"] >> (hand_size(view, target) - 1)) & 1:
        kind = 0 if event["kind"] == 3 else 1
    if view["players"] == 4:
        return int(3 * steps + kind)
    return 8 if kind == 2 else int(2 * steps + kind)


@kernel
def expect(notes: Any, seat: int, action: int, identity: int) -> int:
    """Note that a clue told a seat this action; returns the action's number."""
    if is_play(action):
        notes[FRESH + seat], notes[FRESH_CARD + seat] = index_of(action), identity
        suit, rank = identity // 5, identity % 5 + 1
        if notes[PROMISING + suit] < rank:
            notes[PROMISING + suit] = rank
    return action


@kernel
def told_action(notes: Any, seat: int, action: int, identity: int) -> int:
    """The action that a player was told, from the one he took: he may clue instead, or follow a later clue."""
    if seat == notes[MODIFIED]:
        return action
    if is_play(action) and notes[PROMISED + identity // 5] >= identity % 5:
        return action
    return int(notes[EXPECTED + seat]) if notes[EXPECTED + seat] >= 0 else action


@kernel
def card_of(view: Any, seat: int, action: int) -> int:
    """The card that an action would use, -1 for a clue or a card that is not there."""
    if action == CLUE or index_of(action) >= hand_size(view, seat):
        return -1
    return card_at(view, seat, index_of(action))


@kernel
def expect_discards(view: Any, memory: Any, giver: int) -> None:
    """EXPECTED: the action of each hand, as it was when the clue came, if it has nothing to play."""
    notes, cards = memory["notes"], memory["work"]
    for seat in range(view["players"]):
        notes[EXPECTED + seat] = -1
        if seat == giver or seat == view["seat"]:
            continue
        size = hand_size(view, seat)
        for i in range(size):
            cards[i] = card_at(view, seat, i)
        since = int(np.int64(memory["log"][0, 2 * seat])) - 1
        if notes[COUNT] > 0 and since > CLUE:
            size = size if size == 4 else size + 1
            for i in range(size - 1, index_of(since), -1):
                cards[i] = cards[i - 1]
            cards[index_of(since)] = memory["log"][0, 2 * seat + 1]
        notes[EXPECTED + seat] = safe_discard(notes, cards, size)


@kernel
def open_clue(view: Any, memory: Any, giver: int) -> tuple[int, Any]:
    """Read the oldest clue, or prepare an own one; returns the sum of the actions told, and the cards played.

    The sum leaves out the modified player's action (own clue); otherwise VALUE becomes what is left for me
    and for those who act before me.
    """
    notes, me = memory["notes"], int(np.int64(view["seat"]))
    players = int(np.int64(view["players"]))
    modified = seat_after(view, giver, 1)
    for _ in range(players):
        if notes[DUE + modified] >= 0:
            modified = seat_after(view, modified, 1)
    notes[MODIFIED] = modified
    expect_discards(view, memory, giver)
    notes[TOLD], notes[BEFORE_COUNT] = 0, 0
    for seat in range(players):
        notes[FRESH + seat], notes[FRESH_CARD + seat] = -1, -1
    total, taken = tell_later(view, memory, giver, modified)
    seat = seat_after(view, giver, 1)
    if giver != me:
        for _ in range(players):
            since = int(np.int64(memory["log"][0, 2 * seat])) - 1
            if since >= 0:
                card = int(np.int64(memory["log"][0, 2 * seat + 1]))
                total += expect(notes, seat, told_action(notes, seat, since, card), card)
                seat = seat_after(view, seat, 1)
        if seat == me:
            notes[VALUE] = (notes[VALUE] - total) % 9
            return total, taken
    if between(seat, giver, modified) and seat == seat_after(view, me, 1):
        while notes[DUE + seat] >= 0 and seat != modified:
            total += 4 - int(notes[DUE + seat])
            notes[FRESH + seat], notes[FRESH_CARD + seat] = notes[DUE + seat], notes[DUE_CARD + seat]
            notes[BEFORE + notes[BEFORE_COUNT]] = 4 - notes[DUE + seat]
            notes[BEFORE_COUNT] += 1
            seat = seat_after(view, seat, 1)
    if giver == me:
        return total, taken
    if between(modified, giver, me):
        notes[VALUE] = (notes[VALUE] - total) % 9
        return total, taken
    action = int((notes[VALUE] - total) % 9)  # I have just played; the modified player is still to come
    card = card_of(view, modified, action)
    if card >= 0 or action == CLUE:
        expect(notes, modified, action, card)
    join_actions(notes, action)
    return total, taken


@kernel
def tell_later(view: Any, memory: Any, giver: int, modified: int) -> tuple[int, Any]:
    """Standard actions from the last player before the giver back to me or the modified player."""
    notes, players = memory["notes"], int(np.int64(view["players"]))
    discarded = memory["mask"][DISCARDED, 0] if giver != view["seat"] else discard_counts(view)
    count = 0
    seat = seat_after(view, giver, players - 1)
    while seat != view["seat"] and seat != modified:
        count += 1
        seat = seat_after(view, seat, players - 1)
    notes[TOLD] = count
    total, taken = 0, np.uint64(0)
    seat = seat_after(view, giver, players - 1)
    for k in range(count - 1, -1, -1):
        action = standard_action(view, memory, giver, seat, taken, discarded)
        card = card_of(view, seat, action)
        total += expect(notes, seat, action, card)
        notes[AFTER + k] = action
        if is_play(action):
            taken |= bit(card)
        seat = seat_after(view, seat, players - 1)
    return total, taken


@kernel
def join_actions(notes: Any, action: int) -> None:
    """AFTER becomes the actions before the modified player, his, and those after him."""
    before, after = int(notes[BEFORE_COUNT]), int(notes[TOLD])
    for k in range(after - 1, -1, -1):
        notes[AFTER + before + 1 + k] = notes[AFTER + k]
    for k in range(before):
        notes[AFTER + k] = notes[BEFORE + k]
    notes[AFTER + before] = action
    notes[TOLD] = before + 1 + after


@kernel
def close_clue(view: Any, notes: Any) -> None:
    """What the oldest clue promised (or the own one that is given now) holds for the next."""
    for suit in range(view["suits"]):
        notes[PROMISED + suit] = notes[PROMISING + suit]
    following = notes[GIVER + 1] if notes[COUNT] > 1 else view["to_move"]
    for seat in range(view["players"]):
        keep = notes[FRESH + seat] >= 0
        if notes[COUNT] > 0:
            giver = notes[GIVER]
            keep = keep and giver != following and not between(seat, giver, following)
        notes[DUE + seat] = notes[FRESH + seat] if keep else -1
        notes[DUE_CARD + seat] = notes[FRESH_CARD + seat] if keep else -1


@kernel
def resolve_clues(view: Any, memory: Any) -> int:
    """Read all clues in order, up to one that tells me to play on my turn; returns the last told action."""
    notes, me = memory["notes"], view["seat"]
    action = CLUE
    while notes[COUNT] > 0:
        action = int(notes[VALUE])
        if me == view["to_move"]:
            if is_play(action):
                return action
            if action != CLUE and index_of(action) < hand_size(view, me):
                notes[USELESS] = 1 + order_at(view, me, index_of(action))
        close_clue(view, notes)
        notes[COUNT] -= 1
        for k in range(notes[COUNT]):
            notes[VALUE + k], notes[GIVER + k] = notes[VALUE + k + 1], notes[GIVER + k + 1]
            memory["mask"][DISCARDED, k] = memory["mask"][DISCARDED, k + 1]
            for at in range(2 * view["players"]):
                memory["log"][k, at] = memory["log"][k + 1, at]
        if notes[COUNT] > 0:
            open_clue(view, memory, int(notes[GIVER]))
    return action


@kernel
def take_note(view: Any, memory: Any, event: Any) -> None:
    """An action: what it says about the clues that are not resolved; a clue joins them."""
    notes, me, actor = memory["notes"], view["seat"], event["actor"]
    action, identity = CLUE, int(event["identity"])
    if event["kind"] == PLAY:
        action = 4 - int(event["target"])
    elif event["kind"] == DISCARD:
        action = 8 - int(event["target"])
    for k in range(1, notes[COUNT]):
        memory["log"][k, 2 * actor], memory["log"][k, 2 * actor + 1] = 1 + action, identity
    if actor == me:
        if event["kind"] == PLAY:
            expect(notes, me, action, identity)
            resolve_clues(view, memory)
        notes[COUNT] = 0  # all were read on my turn, unless I did not do as I was told
        return
    if notes[COUNT] > 0:
        told = told_action(notes, actor, action, identity)
        notes[VALUE] = (notes[VALUE] - expect(notes, actor, told, identity)) % 9
    elif notes[DUE + actor] >= 0:
        if not is_play(action) or notes[DUE + actor] != index_of(action):
            suit = notes[DUE_CARD + actor] // 5
            notes[PROMISED + suit] = notes[PROMISING + suit] = view["stacks"][suit]
        notes[DUE + actor], notes[DUE_CARD + actor] = -1, -1
    if action != CLUE:
        return
    k = int(notes[COUNT])
    notes[VALUE + k], notes[GIVER + k] = clue_number(view, event), actor
    memory["mask"][DISCARDED, k] = discard_counts(view)
    for at in range(2 * view["players"]):
        memory["log"][k, at] = 0
    notes[COUNT] = k + 1
    if k == 0:
        open_clue(view, memory, int(actor))
