"""``hgroup1`` to ``hgroup3``: the H-Group convention (hanabi.github.io), levels 1 to 3. See ``docs/h-group.md``."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.players.hgroup.choice import (
    ANY,
    CLUE_WORTH,
    HONEST,
    LAST_ROUND,
    NOTHING,
    PLAY_WORTH,
    find_clue,
    find_play,
    find_trash,
    least_needed,
    play_chance,
)
from hanasolve.hanabi.conventions.players.hgroup.notes import update
from hanasolve.hanabi.conventions.players.hgroup.parameters import (
    DISCARD_CHOP,
    DISCARD_LOCKED,
    DISCARD_TRASH,
    LAST_TOKEN,
    NO_PACE,
    SECOND_TOKEN,
)
from hanasolve.hanabi.conventions.players.hgroup.reading import URGENT, read_all
from hanasolve.hanabi.conventions.players.hgroup.state import chop_index
from hanasolve.hanabi.conventions.players.hgroup.trial import gotten_before
from hanasolve.hanabi.conventions.players.hgroup.worth import (
    BASE,
    ROUND,
    base_set,
    forecast,
    keep_base,
    round_worth,
)
from hanasolve.hanabi.conventions.tools.building_blocks import (
    dead_set,
    deck_left,
    discard_card,
    hand_size,
    index_of,
    play_card,
    playable_set,
)
from hanasolve.hanabi.conventions.tools.elimination import is_single
from hanasolve.hanabi.game.fireworks import max_score, score
from hanasolve.hanabi.game.view import DECIDE_SIGNATURE
from hanasolve.jit import kernel, kernel_of

__all__ = ["decide", "update"]

SURE = 0.001  # worths closer than this are equal


@kernel
def last_turn(view: Any, memory: Any, sets: Any) -> int:
    """The last round: what places most cards until the end; a guess, unless a strike would lose the game."""
    me = int(np.int64(view["seat"]))
    forecast(view, memory, BASE, sets, np.uint64(0))
    idle = memory["work_float"][ROUND]
    best, most = -1, idle
    for i in range(hand_size(view, me)):
        own = base_set(memory, me, i)
        if (own & ~sets[0]) == 0:
            forecast(view, memory, BASE, sets, own if is_single(own) else np.uint64(0))
            worth = 1.0 + memory["work_float"][ROUND]
        elif view["strikes"] + 1 < view["strikes_max"]:
            worth = idle + play_chance(view, memory, i, sets[0])
        else:
            continue
        if worth > most + SURE:
            best, most = play_card(i), worth
    clue = find_clue(view, memory, sets, LAST_ROUND, most + SURE) if can_clue(view) else -1
    if clue >= 0:
        return clue
    if best >= 0:
        return best
    if can_discard(view):
        return discard_card(0)
    return find_clue(view, memory, sets, ANY, NOTHING)


@kernel
def can_clue(view: Any) -> bool:
    return bool(view["clues"] >= view["clue_cost"])


@kernel
def can_discard(view: Any) -> bool:
    return bool(view["clues"] < view["clues_max"])


@kernel
def token_price(view: Any, memory: Any) -> float:
    """What the last tokens are worth more than the others."""
    left = (view["clues"] - view["clue_cost"]) // view["clue_cost"]
    if left > 1:
        return 0.0
    return float(memory["setup"][SECOND_TOKEN if left == 1 else LAST_TOKEN])


@kernel
def discard_worth(view: Any, memory: Any, sets: Any, trash: int) -> float:
    """The worth of discarding: a known useless card, else the chop, else a card that was clued."""
    setup = memory["setup"]
    forecast(view, memory, BASE, sets, np.uint64(0))
    worth = round_worth(view, memory) + setup[DISCARD_CHOP]
    if score(view, view) + deck_left(view) + view["players"] <= max_score(view, view):
        worth -= setup[NO_PACE]
    if trash >= 0:
        worth += setup[DISCARD_TRASH]
    elif chop_index(view, memory, view["seat"]) < 0:
        worth += setup[DISCARD_LOCKED]
    return float(worth)


@kernel
def discard_index(view: Any, memory: Any, trash: int) -> int:
    """The card to discard: as in ``discard_worth``."""
    if trash >= 0:
        return trash
    chop = chop_index(view, memory, int(np.int64(view["seat"])))
    return chop if chop >= 0 else least_needed(view, memory)


@kernel_of(DECIDE_SIGNATURE)
def decide(view: Any, memory: Any) -> int:
    """A card asked for first; otherwise the known play, honest clue or discard that is worth most."""
    me = int(np.int64(view["seat"]))
    sets = np.empty(3, np.uint64)  # playable, useless and gotten identities
    sets[0], sets[1] = playable_set(view), dead_set(view)
    read_all(view, memory, sets[0])
    keep_base(view, memory)
    sets[2] = gotten_before(view, memory)
    urgent = int(memory["work"][URGENT + me])
    if urgent >= 0:
        return play_card(index_of(view, me, urgent))
    if view["turns_left"] >= 0:
        return last_turn(view, memory, sets)
    play = find_play(view, memory, sets)
    best, most = play_card(play), memory["work_float"][PLAY_WORTH]
    if can_clue(view):
        clue = find_clue(view, memory, sets, HONEST, NOTHING)
        worth = memory["work_float"][CLUE_WORTH] - token_price(view, memory)
        if clue >= 0 and (play < 0 or worth > most):
            best, most = clue, worth
    if can_discard(view):
        trash = find_trash(view, memory, sets[1])
        if (play < 0 and most == NOTHING) or discard_worth(view, memory, sets, trash) > most:
            return discard_card(discard_index(view, memory, trash))
    if most > NOTHING:
        return best
    return find_clue(view, memory, sets, ANY, NOTHING)
