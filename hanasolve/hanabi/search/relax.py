"""Proofs of loss: the game with clues for free, all its states layer by layer.

With clue tokens ignored anybody may act before the last card is drawn, so the order of turns does not matter
until then: a state is (hands, heights) after d draws, and every player may play or throw away a card. The
last round is exact, seat by seat. If no state reaches the last round with the target in reach, the target is
out of reach in the real game, which has fewer lines. Targets may leave suits out (their height as it is):
then only the other suits have to be finished, a further relaxation with far fewer states.

A player who can play a needed card need not be tried with a throw instead: let B throw a card x of player p
and A play p's playable card u, both drawing the same card for p. A keeps x and treats it as u's substitute:
whenever B plays or throws u, A throws x (clues are free, so tokens never forbid it; in the last round A
idles). A has u placed earlier and everything else alike, so A reaches what B reaches.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.bits import bit
from hanasolve.hanabi.search.kernel import (
    COUNT,
    COUNTS,
    CUT,
    EXHAUSTED,
    FOUND,
    NODES,
    PEAK,
    RUNNING,
    STATUS,
    TURN,
    copy_words,
    find_row,
    finish,
    slack,
)
from hanasolve.hanabi.search.state import (
    count_cards,
    draw_card,
    goal_reached,
    height_of,
    pack,
    root_state,
    size_of,
)
from hanasolve.jit import kernel

CURSOR, ROWS = 7, 8  # further fields of `info`


@kernel
def begin_relaxed(known: Any, target: Any, states: Any, info: Any) -> None:
    """The root without tokens and strikes."""
    counts = np.empty(COUNTS, np.int64)
    info[:] = 0
    players = int(known["players"])
    root_state(known, target, states[0])
    states[0, players] = pack(known["height"], int(known["suits"]), 0, 0, 0)
    info[COUNT] = 1
    info[STATUS] = RUNNING
    if known["turns_left"] >= 0 or not known["last_round"] or known["deck_plays"]:
        info[STATUS] = CUT  # no relaxation for these
    elif goal_reached(known, target, states[0, players]):
        info[STATUS] = FOUND
    elif slack(known, target, states[0], counts) < 0:
        info[STATUS] = EXHAUSTED


@kernel
def _relaxed_moves(known: Any, target: Any, state: Any, player: int, out: Any) -> int:
    """Identities to play (id), to throw (64 + id) or 128 = throw trash, of one player."""
    hand = state[player]
    word = state[known["players"]]
    steps = int(known["steps"])
    count = 0
    for suit in range(known["suits"]):
        height = height_of(word, suit)
        if height < target[suit] and (hand >> np.uint64(suit * steps + height)) & np.uint64(1):
            out[count] = suit * steps + height
            count += 1
    if count > 0:
        return count
    if size_of(hand) > count_cards(hand):
        out[0] = 128
        return 1
    for identity in range(known["suits"] * steps):
        if (hand >> np.uint64(identity)) & np.uint64(1):
            out[count] = 64 + identity
            count += 1
    return count


@kernel
def relax_layer(
    known: Any, target: Any, info: Any, node_budget: int, states: Any, kids: Any, table: Any
) -> None:
    """All states after one more draw, from ``states`` into ``kids`` (the caller swaps them).

    Stops in the middle of a layer when ``node_budget`` states were made and goes on there when called again:
    ``info[CURSOR]`` is the next parent, ``info[ROWS]`` the number of states found so far.
    """
    players = int(known["players"])
    words = players + 1
    counts = np.empty(COUNTS, np.int64)
    options = np.empty(64, np.int64)
    tail = np.empty(16, np.int64)
    used = 64
    while used < 8 * players * info[COUNT] and used < table.shape[0]:
        used *= 2
    view = table[:used]
    if info[CURSOR] == 0:
        view[:] = -1
        info[ROWS] = 0
    room = min(kids.shape[0], used // 2)
    stop = info[NODES] + node_budget
    last = info[TURN] == known["draws"] - 1
    while info[CURSOR] < info[COUNT]:
        parent = states[info[CURSOR]]
        info[CURSOR] += 1
        for player in range(players):
            for i in range(_relaxed_moves(known, target, parent, player, options)):
                if info[ROWS] >= room:
                    info[STATUS] = CUT
                    return
                kid = kids[info[ROWS]]
                copy_words(kid, parent, words)
                _relaxed_move(known, target, kid, player, options[i])
                info[NODES] += 1
                if goal_reached(known, target, kid[players]):
                    info[STATUS] = FOUND
                    return
                if last:
                    if finish(known, target, kid, (player + 1) % players, players, tail) >= 0:
                        info[STATUS] = FOUND
                        return
                elif slack(known, target, kid, counts) >= 0:
                    if find_row(view, kids, kid, words, info[ROWS]) < 0:
                        info[ROWS] += 1
        if info[NODES] >= stop and info[CURSOR] < info[COUNT]:
            return
    info[COUNT] = info[ROWS]
    info[PEAK] = max(info[PEAK], info[ROWS])
    info[CURSOR] = 0
    info[TURN] += 1
    if info[COUNT] == 0 or last:
        info[STATUS] = EXHAUSTED


@kernel
def _relaxed_move(known: Any, target: Any, state: Any, player: int, move: int) -> None:
    players = int(known["players"])
    if move < 64:
        state[players] += bit(3 * (move // int(known["steps"])))
        for p in range(players):
            state[p] &= ~bit(move)
    elif move < 128:
        state[player] &= ~bit(move - 64)
    draw_card(known, target, state, player)


@kernel
def run_relaxed(
    known: Any, target: Any, info: Any, node_budget: int, states: Any, kids: Any, table: Any
) -> None:
    """Layers until the end or until ``node_budget`` more states were made."""
    stop = info[NODES] + node_budget
    while info[STATUS] == RUNNING and info[NODES] < stop:
        if info[TURN] % 2 == 0:
            relax_layer(known, target, info, stop - info[NODES], states, kids, table)
        else:
            relax_layer(known, target, info, stop - info[NODES], kids, states, table)
