"""What the owner of a pair of eyes makes of the notes: a set for each of his cards, and what he must play now.

``read_as`` is the one reading: of a player about his own cards, of a giver about how others will take a clue,
and of the command ``deduce``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.players.hgroup.chains import (
    ASSIGNED,
    FINESSE,
    KIND,
    LENGTH,
    OWN_KNOWN,
    OWN_PROMPT,
    SETS,
    STEP,
    WAITS,
    WANTED,
    connect,
    prompted,
    seen_identity,
    set_of,
)
from hanasolve.hanabi.conventions.players.hgroup.state import (
    CLUER,
    FOCUS,
    GIVER,
    INFERRED,
    POSSIBLE,
    SAVES,
    SINCE,
    chop_index,
    clue_field,
    is_clued,
    open_clues,
)
from hanasolve.hanabi.conventions.tools.building_blocks import (
    bit,
    count_left,
    first_bit,
    hand_size,
    has,
    index_of,
    last_copy_set,
    none_left,
    order_at,
)
from hanasolve.hanabi.conventions.tools.elimination import is_single
from hanasolve.jit import kernel

URGENT = 50  # place in `work`, by seat: order of the card to be played before everything else, -1


@kernel
def seen_exhausted(view: Any, memory: Any, eyes: int) -> Any:
    """Identities of which these eyes see all copies outside their own hand."""
    left = memory["work"]
    count_left(view, left)
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            identity = seen_identity(view, memory, eyes, seat, i)
            if identity >= 0:
                left[identity] -= 1
    return none_left(view, left)


@kernel
def seen_gotten(view: Any, memory: Any, eyes: int, card: int) -> Any:
    """Identities of clued cards in other hands: by good touch ``card`` is none of them.

    Left out is what the player who clued ``card`` had in his own hand then, unless everybody knows it.
    """
    gotten = np.uint64(0)
    cluer, since = memory["card"][CLUER, card], memory["card"][SINCE, card]
    for seat in range(view["players"]):
        if seat == eyes:
            continue
        for i in range(hand_size(view, seat)):
            order = order_at(view, seat, i)
            if not is_clued(memory, order):
                continue
            inferred = memory["mask"][INFERRED, order]
            if is_single(inferred):
                gotten |= inferred
            elif seat != cluer or memory["card"][SINCE, order] > since:
                identity = seen_identity(view, memory, eyes, seat, i)
                if identity >= 0:
                    gotten |= bit(identity)
    return gotten


@kernel
def first_sets(view: Any, memory: Any, eyes: int, counts: bool) -> None:
    """Facts, what the eyes see (if it ``counts``), and good touch; before any clue is read."""
    out = seen_exhausted(view, memory, eyes) if counts else np.uint64(0)
    sets = memory["work_mask"]
    for i in range(hand_size(view, eyes)):
        order = order_at(view, eyes, i)
        facts = memory["mask"][POSSIBLE, order]
        if (facts & ~out) != 0:
            facts &= ~out
        if is_clued(memory, order):
            inferred = facts & memory["mask"][INFERRED, order]
            if inferred != 0:
                facts = inferred
            if not is_single(facts):
                gotten = seen_gotten(view, memory, eyes, order)
                if (facts & ~gotten) != 0:
                    facts &= ~gotten
        sets[SETS + 10 * eyes + i] = facts
    own_twins(view, memory, eyes)


@kernel
def own_twins(view: Any, memory: Any, eyes: int) -> None:
    """An own clued card that is identified is no other clued card of the hand (good touch)."""
    sets = memory["work_mask"]
    for i in range(hand_size(view, eyes)):
        one = sets[SETS + 10 * eyes + i]
        if not is_single(one):
            continue
        for j in range(hand_size(view, eyes)):
            other = sets[SETS + 10 * eyes + j]
            if j != i and is_clued(memory, order_at(view, eyes, j)) and (other & ~one) != 0:
                sets[SETS + 10 * eyes + j] = other & ~one


@kernel
def twos_in_sight(view: Any, memory: Any, eyes: int, giver: int) -> Any:
    """2s that these eyes see in a hand other than the giver's: not saved by a number 2, unless on the chop too."""
    found = np.uint64(0)
    for seat in range(view["players"]):
        if seat == eyes or seat == giver:
            continue
        chop = chop_index(view, memory, seat)
        for i in range(hand_size(view, seat)):
            identity = seen_identity(view, memory, eyes, seat, i)
            if identity >= 0 and identity % 5 == 1 and i != chop:
                found |= bit(identity)
    return found


@kernel
def read_own(view: Any, memory: Any, eyes: int, k: int, playable: Any, counts: bool) -> None:
    """A clue whose focus is the reader's own card: saves, plays, and own cards asked for if nothing else."""
    sets, focus = memory["work_mask"], clue_field(memory, k, FOCUS)
    at = SETS + 10 * eyes + index_of(view, eyes, focus)
    asked_for = asked_elsewhere(view, memory, eyes)
    if (sets[at] & ~asked_for) != 0:
        sets[at] &= ~asked_for
    saves = memory["mask"][SAVES, focus]
    if counts:
        saves &= ~(twos_in_sight(view, memory, eyes, clue_field(memory, k, GIVER)) & ~last_copy_set(view))
    keep, own, fewest = sets[at] & saves, np.uint64(0), 10000
    for identity in range(view["identities"]):
        if not has(sets[at] & ~keep, identity):
            continue
        if connect(view, memory, eyes, k, eyes, identity, playable):
            asked = cost_of_own(memory)
            if asked > 0 and begins_in_sight(view, memory, eyes, k):
                asked = 0  # the next round shows whether it is meant
            if asked > fewest:
                continue
            if asked > 0:
                own = own | bit(identity) if asked == fewest else bit(identity)
                fewest = asked
            else:
                keep |= bit(identity)
    if keep != 0:
        sets[at] = keep
    elif own != 0:
        sets[at] = own
        ask_own(view, memory, eyes, k, own, playable)


@kernel
def cost_of_own(memory: Any) -> int:
    """0 if the chain asks for no card of the reader; else the less, the simpler the chain is to believe."""
    own, cost = False, 0
    for n in range(memory["work"][LENGTH]):
        kind = memory["work"][KIND + n]
        own = own or kind >= OWN_PROMPT
        cost += 1 if kind < OWN_PROMPT else 10 if kind == OWN_PROMPT else 100
    return cost if own else 0


@kernel
def begins_in_sight(view: Any, memory: Any, eyes: int, k: int) -> bool:
    """Whether the chain begins with a blind play of somebody else, for which the reader can wait.

    Not if he may hold the card himself among his clued ones: prompts come before finesses.
    """
    work = memory["work"]
    if work[KIND] != FINESSE or work[WAITS] != 0:
        return False
    steps, work[LENGTH] = work[LENGTH], 0
    own = prompted(view, memory, eyes, k, eyes, work[WANTED])
    work[LENGTH] = steps
    return bool(own == -1)


@kernel
def asked_elsewhere(view: Any, memory: Any, eyes: int) -> Any:
    """Identities that older clues ask others to play: by good touch not clued again."""
    asked = np.uint64(0)
    for seat in range(view["players"]):
        if seat != eyes:
            for i in range(hand_size(view, seat)):
                assigned = memory["work"][ASSIGNED + order_at(view, seat, i)]
                if assigned > 0:
                    asked |= bit(assigned - 1)
    return asked


@kernel
def ask_own(view: Any, memory: Any, eyes: int, k: int, focus_set: Any, playable: Any) -> None:
    """Self-prompt or self-finesse: narrow the own cards that some reading of the focus asks for."""
    sets, work = memory["work_mask"], memory["work"]
    for i in range(hand_size(view, eyes)):
        order = order_at(view, eyes, i)
        wanted, asked_first = np.uint64(0), False
        for identity in range(view["identities"]):
            if not has(focus_set, identity) or not connect(view, memory, eyes, k, eyes, identity, playable):
                continue
            for n in range(work[LENGTH]):
                if work[STEP + n] == order:
                    wanted |= bit(work[WANTED + n])
                    asked_first = asked_first or (n == 0 and work[WAITS] == 0)
        if wanted != 0:
            sets[SETS + 10 * eyes + i] &= wanted
            if asked_first and work[URGENT + eyes] < 0:
                work[URGENT + eyes] = order
    for i in range(hand_size(view, eyes)):
        if i != index_of(view, eyes, clue_field(memory, k, FOCUS)):
            order = order_at(view, eyes, i)
            if not is_clued(memory, order) and is_single(sets[SETS + 10 * eyes + i]):
                work[ASSIGNED + order] = first_bit(sets[SETS + 10 * eyes + i]) + 1


@kernel
def read_other(view: Any, memory: Any, eyes: int, seat: int, k: int, playable: Any) -> None:
    """A clue whose focus the reader sees: who is asked to play, perhaps he."""
    work, focus = memory["work"], clue_field(memory, k, FOCUS)
    identity = seen_identity(view, memory, eyes, seat, index_of(view, seat, focus))
    if identity < 0 or not has(memory["mask"][INFERRED, focus], identity):
        return
    if has(memory["mask"][SAVES, focus], identity):
        return
    if not connect(view, memory, eyes, k, seat, identity, playable):
        return
    for n in range(work[LENGTH]):
        order, wanted = work[STEP + n], work[WANTED + n]
        work[ASSIGNED + order] = wanted + 1
        if work[KIND + n] >= OWN_PROMPT:
            i = index_of(view, eyes, order)
            memory["work_mask"][SETS + 10 * eyes + i] = bit(wanted)
            if n == 0 and work[WAITS] == 0 and work[URGENT + eyes] < 0:
                work[URGENT + eyes] = order


@kernel
def read_until(view: Any, memory: Any, eyes: int, playable: Any, stop: int, counts: bool) -> None:
    """As ``read_as``, with the clues before ``stop`` only.

    ``counts``: the reader excludes the copies that he sees; without, what others make of his cards when they
    leave his eyes out of account, except for the cards that a clue asks for.
    """
    work = memory["work"]
    work[URGENT + eyes] = -1
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            work[ASSIGNED + order_at(view, seat, i)] = 0
    first_sets(view, memory, eyes, counts)
    for k in range(stop):
        seat = int(np.int64(view["where"][clue_field(memory, k, FOCUS)]))
        if seat == eyes:
            read_own(view, memory, eyes, k, playable, counts)
        elif clue_field(memory, k, GIVER) != eyes:
            read_other(view, memory, eyes, seat, k, playable)
        else:
            read_given(view, memory, eyes, seat, k, playable)
    own_twins(view, memory, eyes)


@kernel
def read_as(view: Any, memory: Any, eyes: int, playable: Any) -> None:
    """Fill the sets of one hand and its URGENT card, as its owner reads the notes."""
    read_until(view, memory, eyes, playable, open_clues(memory), True)


@kernel
def read_given(view: Any, memory: Any, eyes: int, seat: int, k: int, playable: Any) -> None:
    """An own clue: the cards it asks for are spoken for."""
    work, focus = memory["work"], clue_field(memory, k, FOCUS)
    identity = seen_identity(view, memory, eyes, seat, index_of(view, seat, focus))
    if identity >= 0 and not has(memory["mask"][SAVES, focus], identity):
        if connect(view, memory, eyes, k, seat, identity, playable):
            for n in range(work[LENGTH]):
                work[ASSIGNED + work[STEP + n]] = work[WANTED + n] + 1


@kernel
def note_own(view: Any, memory: Any) -> None:
    """Note which own cards the player at the view knows, so that other eyes see them."""
    seat = int(np.int64(view["seat"]))
    for i in range(10):
        memory["work"][OWN_KNOWN + i] = -1
    for i in range(hand_size(view, seat)):
        mask = set_of(memory, seat, i)
        if is_single(mask):
            memory["work"][OWN_KNOWN + i] = first_bit(mask)


@kernel
def read_all(view: Any, memory: Any, playable: Any) -> None:
    """Everybody's reading, as the player at the view can tell: his own first."""
    me = int(np.int64(view["seat"]))
    for i in range(10):
        memory["work"][OWN_KNOWN + i] = -1
    read_as(view, memory, me, playable)
    note_own(view, memory)
    for seat in range(view["players"]):
        if seat != me:
            read_as(view, memory, seat, playable)
