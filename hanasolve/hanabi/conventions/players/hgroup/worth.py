"""What the next round brings, as far as one player can foresee it, and what a clue is worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.players.hgroup.parameters import (
    CHOP_LAST,
    CHOP_OTHER,
    CHOP_PLAYABLE,
    CHOP_TWO,
    DOUBLED_CARD,
    GOTTEN_NEW,
    LATER_CHOP,
    LOST_CHOP,
    PLAY_TOLD,
    ROUND_PLAY,
    STRIKE,
    THIRD_STRIKE,
    TOLD_CARD,
    WRONG_CARD,
)
from hanasolve.hanabi.conventions.players.hgroup.reading import URGENT
from hanasolve.hanabi.conventions.players.hgroup.state import chop_index, waits_for_one
from hanasolve.hanabi.conventions.tools.building_blocks import (
    bit,
    card_at,
    first_bit,
    hand_size,
    has,
    last_copy_set,
    order_at,
    seat_after,
)
from hanasolve.jit import inline_kernel, kernel

NOW, BASE = 0, 60  # places in `work_mask` of everybody's sets: with a clue on trial, and without
URGENT_BASE = 90  # place in `work` of the cards asked for without it
# Places in `work_float`: what a clue does, then what the next round brings.
PLAYS, GOTTEN, DOUBLED, WRONG, TOLD, STRIKES, LOST, ROUND = range(8)
EFFECTS = 8


@kernel
def keep_base(view: Any, memory: Any) -> None:
    """Remember everybody's reading of the notes as they are."""
    for seat in range(view["players"]):
        memory["work"][URGENT_BASE + seat] = memory["work"][URGENT + seat]
        for i in range(10):
            memory["work_mask"][BASE + 10 * seat + i] = memory["work_mask"][NOW + 10 * seat + i]


@inline_kernel
def base_set(memory: Any, seat: int, index: int) -> Any:
    """What a player holds possible for his card before any clue on trial."""
    return memory["work_mask"][BASE + 10 * seat + index]


@kernel
def raised(identities: Any) -> Any:
    """The next identities of their suits."""
    fives = np.uint64(0)
    for suit in range(9):
        fives |= bit(5 * suit + 4)
    return (identities & ~fives) << np.uint64(1)


@kernel
def next_play(view: Any, memory: Any, seat: int, at: int, playable: Any, placed: Any) -> int:
    """The hand index of the card that this player would play, -1; ``placed``: foreseen on the stacks."""
    urgent = memory["work"][(URGENT if at == NOW else URGENT_BASE) + seat]
    best, lowest = -1, 100
    for i in range(hand_size(view, seat)):
        own = memory["work_mask"][at + 10 * seat + i] & ~placed
        if own == 0 or (own & ~playable) != 0 or waits_for_one(view, memory, seat, i, at, playable):
            continue
        if urgent >= 0 and order_at(view, seat, i) == urgent:
            return i
        rank = first_bit(own) % 5
        if rank < lowest:
            best, lowest = i, rank
    return best


@kernel
def has_trash(view: Any, memory: Any, seat: int, at: int, dead: Any) -> bool:
    for i in range(hand_size(view, seat)):
        if (memory["work_mask"][at + 10 * seat + i] & ~dead) == 0:
            return True
    return False


@kernel
def chop_worth(view: Any, memory: Any, seat: int, sets: Any) -> float:
    """What is lost if this player discards his chop. ``sets``: playable, useless and gotten identities."""
    i = chop_index(view, memory, seat)
    if i < 0:
        return 0.0
    identity = card_at(view, seat, i)
    if has(sets[1], identity):
        return 0.0
    if has(last_copy_set(view), identity):
        return float(memory["setup"][CHOP_LAST])
    for other in range(view["players"]):
        if other == view["seat"]:
            continue
        for j in range(hand_size(view, other)):
            if (other != seat or j != i) and card_at(view, other, j) == identity:
                return 0.0
    if identity % 5 == 1:
        return float(memory["setup"][CHOP_TWO])
    return float(memory["setup"][CHOP_PLAYABLE if has(sets[0], identity) else CHOP_OTHER])


@kernel
def forecast(view: Any, memory: Any, at: int, sets: Any, placed: Any) -> None:
    """The others' next turns: strikes, plays, and useful chops that are discarded.

    ``at``: place of everybody's sets; ``placed``: what the player's own action puts on the stacks. A chop
    counts only while nobody before its holder is free to save it. In the last round only turns that come.
    """
    out, me = memory["work_float"], int(np.int64(view["seat"]))
    playable, free, last = sets[0], False, int(np.int64(view["turns_left"]))
    if placed != 0:
        playable = (playable & ~placed) | raised(placed)
    out[STRIKES], out[LOST], out[ROUND] = 0.0, 0.0, 0.0
    for steps in range(1, view["players"]):
        if last >= 0 and steps >= last:
            break
        seat = seat_after(view, me, steps)
        i = next_play(view, memory, seat, at, playable, placed)
        if i < 0:
            if not free and not has_trash(view, memory, seat, at, sets[1]):
                share = 1.0 if steps == 1 else memory["setup"][LATER_CHOP]
                out[LOST] += chop_worth(view, memory, seat, sets) * share
            free = True
        elif has(playable, card_at(view, seat, i)):
            card = bit(card_at(view, seat, i))
            out[ROUND] += 1
            placed |= card
            playable = (playable & ~card) | raised(card)
        else:
            out[STRIKES] += 1.0 if steps == 1 else 0.8


@kernel
def round_worth(view: Any, memory: Any) -> float:
    """The forecast in points."""
    out, setup = memory["work_float"], memory["setup"]
    strike = setup[STRIKE] + (setup[THIRD_STRIKE] if view["strikes"] + 1 == view["strikes_max"] else 0.0)
    return float(setup[ROUND_PLAY] * out[ROUND] - strike * out[STRIKES] - setup[LOST_CHOP] * out[LOST])


@kernel
def clue_worth(view: Any, memory: Any) -> float:
    """What the clue that was tried last does, and the round after it, in points."""
    out, setup = memory["work_float"], memory["setup"]
    told = setup[PLAY_TOLD] * out[PLAYS] + setup[GOTTEN_NEW] * out[GOTTEN] + setup[TOLD_CARD] * out[TOLD]
    harm = setup[DOUBLED_CARD] * out[DOUBLED] + setup[WRONG_CARD] * out[WRONG]
    return float(told - harm) + round_worth(view, memory)
