"""Connections: which cards must be played before the focus of a clue, and who is asked to play them.

All is seen with the eyes of one seat, ``eyes`` (-1: of nobody, what everybody can tell); the cards in his hand
are hidden from him. ``view`` is that of the player who works it out: what he cannot see of his own hand stays
hidden in all eyes, unless he knows the card (``work[OWN_KNOWN]``).

A *prompt* is the newest clued card of a player that could be the wanted one; the *finesse position* is his
newest card that was not clued, nor asked for, when the clue was given.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.players.hgroup.state import (
    CHAINS,
    FOCUS,
    GIVER,
    INFERRED,
    NEXT,
    POSSIBLE,
    PROMISE,
    SINCE,
    TO_PLAY,
    WHEN,
    clue_field,
    is_clued,
    level,
    passed_set,
)
from hanasolve.hanabi.conventions.tools.building_blocks import bit, hand_size, has, is_playable, order_at
from hanasolve.hanabi.conventions.tools.elimination import color_set, is_single, known_rank
from hanasolve.jit import inline_kernel, kernel

# Places in `work`: chain length, then its cards, identities and kinds; what eyes assign to cards, by order.
LENGTH, STEP, WANTED, KIND, WAITS = 56, 57, 62, 67, 72
OWN_KNOWN, ASSIGNED = 80, 100
MOST_STEPS = 5
PROMPT, FINESSE, OWN_PROMPT, OWN_FINESSE = 1, 2, 3, 4
# Places in `work_mask`: sets of the hand of the eyes, by hand index.
SETS = 0


@inline_kernel
def set_of(memory: Any, eyes: int, index: int) -> Any:
    """What the owner of these eyes holds possible for his card."""
    return memory["work_mask"][SETS + 10 * eyes + index]


@kernel
def seen_identity(view: Any, memory: Any, eyes: int, seat: int, index: int) -> int:
    """The identity of a card as these eyes see it, -1 if they do not."""
    if seat == eyes or eyes < 0:
        return -1
    identity = int(np.int64(view["deck"][view["hands"][seat, index]]))
    if identity < 0:
        return int(np.int64(memory["work"][OWN_KNOWN + index]))
    return identity


@kernel
def in_chain(memory: Any, order: int) -> bool:
    for n in range(memory["work"][LENGTH]):
        if memory["work"][STEP + n] == order:
            return True
    return False


@kernel
def will_be_played(
    view: Any, memory: Any, eyes: int, k: int, identity: int, claimed: int, playable: Any
) -> bool:
    """Whether a clued card, or one already asked for, is known to be this one and to be played in time.

    ``claimed``: what the focus is taken for.
    """
    focus, giver = clue_field(memory, k, FOCUS), clue_field(memory, k, GIVER)
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            order = order_at(view, seat, i)
            if order == focus:
                continue
            if memory["work"][ASSIGNED + order] == identity + 1:
                return True
            if not is_clued(memory, order):
                continue
            inferred = memory["mask"][INFERRED, order]
            if not has(inferred, identity):
                continue
            if is_single(inferred):
                return True
            to_play = memory["card"][PROMISE, order] == TO_PLAY
            if seat == eyes:
                own = set_of(memory, eyes, i)
                if own == bit(identity) or (to_play and has(own, identity) and (own & ~playable) == 0):
                    return True
            elif eyes < 0:
                if to_play:
                    return True  # those who see the card may know that it is the one
            elif seen_identity(view, memory, eyes, seat, i) == identity:
                if to_play and (seat != giver or has(playable, identity)):
                    return True
                if seat == giver and giver_knows(view, memory, eyes, k, order, identity, claimed):
                    return True
    return False


@kernel
def giver_knows(view: Any, memory: Any, eyes: int, k: int, order: int, identity: int, claimed: int) -> bool:
    """Whether the giver can tell his clued card, given that the focus is ``claimed``: by good touch it is none
    of the clued cards that he sees."""
    giver = clue_field(memory, k, GIVER)
    left = memory["mask"][INFERRED, order] & ~bit(claimed)
    for seat in range(view["players"]):
        if seat == giver:
            continue
        for i in range(hand_size(view, seat)):
            if is_clued(memory, order_at(view, seat, i)):
                seen = seen_identity(view, memory, eyes, seat, i)
                if seen >= 0:
                    left &= ~bit(seen)
    return bool(left == bit(identity))


@kernel
def misnamed(facts: Any, identity: int) -> bool:
    """Whether a number that touches several ranks of a suit (pink) told another rank: no prompt for this one."""
    rank = known_rank(facts & ~color_set(identity // 5))
    return bool(rank > 0 and rank != identity % 5 + 1)


@kernel
def prompted(view: Any, memory: Any, eyes: int, k: int, seat: int, identity: int) -> int:
    """The hand index that a prompt for this identity points to, -1 none, -2 a card that is another one."""
    for i in range(hand_size(view, seat) - 1, -1, -1):
        order = order_at(view, seat, i)
        if not is_clued(memory, order) or memory["card"][SINCE, order] >= clue_field(memory, k, WHEN):
            continue
        if order == clue_field(memory, k, FOCUS) or in_chain(memory, order):
            continue
        could_be = set_of(memory, eyes, i) if seat == eyes else memory["mask"][INFERRED, order]
        if not has(could_be, identity):
            continue
        seen = seen_identity(view, memory, eyes, seat, i)
        if seen != identity and eyes >= 0 and misnamed(memory["mask"][POSSIBLE, order], identity):
            continue
        if seen < 0 or seen == identity:
            return i
        if not is_playable(view, seen):
            return -2
    return -1


@kernel
def finesse_index(view: Any, memory: Any, k: int, seat: int) -> int:
    """The finesse position at the time of the clue, cards already asked for left out; -1."""
    for i in range(hand_size(view, seat) - 1, -1, -1):
        order = order_at(view, seat, i)
        if order >= clue_field(memory, k, NEXT) or in_chain(memory, order):
            continue
        if is_clued(memory, order) and memory["card"][SINCE, order] <= clue_field(memory, k, WHEN):
            continue
        if memory["work"][ASSIGNED + order] == 0:
            return i
    return -1


@inline_kernel
def add_step(memory: Any, order: int, identity: int, kind: int) -> None:
    n = memory["work"][LENGTH]
    memory["work"][STEP + n] = order
    memory["work"][WANTED + n] = identity
    memory["work"][KIND + n] = kind
    memory["work"][LENGTH] = n + 1


@kernel
def could_hold(view: Any, memory: Any, eyes: int, seat: int, index: int, identity: int) -> bool:
    """Whether a card that these eyes do not see may be this one."""
    if seat == eyes:
        return has(set_of(memory, eyes, index), identity)
    return eyes < 0 and has(memory["mask"][POSSIBLE, order_at(view, seat, index)], identity)


@kernel
def find_step(view: Any, memory: Any, eyes: int, k: int, target: int, identity: int) -> bool:
    """Find the card that is asked to be played as ``identity``; False if nobody can have it.

    Prompts before finesses, players in turn order after the giver, the receiver last; the reader's own hand
    after the cards he sees, unless it is a prompt.
    """
    giver, players = clue_field(memory, k, GIVER), int(np.int64(view["players"]))
    reach = (target - giver) % players if level(memory) < 2 else players
    own_prompt, blocked = -1, 0
    for steps in range(1, reach):
        seat = (giver + steps) % players
        if seat == target or has(passed_set(memory, k, seat), identity):
            continue
        i = prompted(view, memory, eyes, k, seat, identity)
        if i == -2:
            blocked |= 1 << seat
        elif i >= 0:
            order = order_at(view, seat, i)
            if seen_identity(view, memory, eyes, seat, i) == identity:
                add_step(memory, order, identity, PROMPT)
                return True
            if could_hold(view, memory, eyes, seat, i, identity):
                own_prompt = order
            else:
                blocked |= 1 << seat
    if own_prompt >= 0:
        add_step(memory, own_prompt, identity, OWN_PROMPT)
        return True
    own_finesse = -1
    for steps in range(1, reach):
        seat = (giver + steps) % players
        if seat == target or (blocked >> seat) & 1 or has(passed_set(memory, k, seat), identity):
            continue
        i = finesse_index(view, memory, k, seat)
        if i < 0:
            continue
        order = order_at(view, seat, i)
        if seen_identity(view, memory, eyes, seat, i) == identity:
            add_step(memory, order, identity, FINESSE)
            return True
        if could_hold(view, memory, eyes, seat, i, identity):
            own_finesse = order
    if level(memory) >= 2 and receiver_step(view, memory, eyes, k, target, identity):
        return True
    if own_finesse >= 0:
        add_step(memory, own_finesse, identity, OWN_FINESSE)
        return True
    return False


@kernel
def receiver_step(view: Any, memory: Any, eyes: int, k: int, target: int, identity: int) -> bool:
    """A self-prompt or self-finesse of the receiver."""
    if has(passed_set(memory, k, target), identity):
        return False
    own = eyes == target or eyes < 0
    i = prompted(view, memory, eyes, k, target, identity)
    kind = OWN_PROMPT if own else PROMPT
    if i == -1:
        i = finesse_index(view, memory, k, target)
        kind = OWN_FINESSE if own else FINESSE
    if i < 0:
        return False
    seen = seen_identity(view, memory, eyes, target, i)
    if seen == identity or (seen < 0 and could_hold(view, memory, eyes, target, i, identity)):
        add_step(memory, order_at(view, target, i), identity, kind)
        return True
    return False


@kernel
def connect(view: Any, memory: Any, eyes: int, k: int, target: int, identity: int, playable: Any) -> bool:
    """Whether the focus can be this identity: all lower cards are placed, sure to be played, or asked for.

    Writes the chain of asked cards into ``work``; WAITS = 1 if another card must be played before its first.
    """
    work = memory["work"]
    work[LENGTH], work[WAITS] = 0, 0
    suit = identity // 5
    limit = MOST_STEPS if level(memory) >= 2 else 1
    if clue_field(memory, k, CHAINS) == 0:
        limit = 0
    for lower in range(5 * suit + int(np.int64(view["stacks"][suit])), identity):
        if will_be_played(view, memory, eyes, k, lower, identity, playable):
            if work[LENGTH] == 0:
                work[WAITS] = 1
            continue
        if work[LENGTH] >= limit or not find_step(view, memory, eyes, k, target, lower):
            return False
    return True
