"""Cooperative bound of a known deal: the largest round score a player can reach when both play for him.

All rules stay in force: a new yaku of the helper may be called (which doubles the score) but not kept quiet.
The search visits every state once, as far as the points still in reach could beat the best score found;
states forgotten by the table of fixed size are only visited again. It is an upper bound for real play.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from hanasolve.jit import inline_kernel, kernel
from hanasolve.koikoi.game.rules import TURNS
from hanasolve.koikoi.game.yaku import points
from hanasolve.koikoi.search import kernel as k
from hanasolve.koikoi.search.kernel import (
    CONTROL_SIZE,
    DEPTH,
    EVERY,
    FIRST_TURN,
    INFINITE,
    NODES,
    RESULT,
    SLOTS,
    Space,
    _enter,
    _next_move,
    _slot,
    set_keys,
)
from hanasolve.koikoi.search.moves import (
    AT,
    CALL,
    CALLS,
    COUNT,
    FIELD,
    GO_ON,
    HAND,
    KEY_0,
    KEY_1,
    KIND,
    ORDER,
    OTHER_CALLS,
    OTHER_HAND,
    OTHER_PILE,
    PILE,
    STOP,
    VALUE,
    fill_moves,
)
from hanasolve.koikoi.search.solve import proven
from hanasolve.limits import Limit

SLOTS_COOP = 1 << 22


@inline_kernel
def _seen(rows: Any, d: int, table: Any, control: Any) -> bool:
    """Whether the state was visited; it is remembered now."""
    slot = _slot(rows[d, KEY_0], rows[d, KEY_1], control[SLOTS])
    for step in range(2):
        if table[slot + step, 0] == rows[d, KEY_0] and table[slot + step, 1] == rows[d, KEY_1]:
            return True
    table[slot + 1, 0] = table[slot, 0]
    table[slot + 1, 1] = table[slot, 1]
    table[slot, 0] = rows[d, KEY_0]
    table[slot, 1] = rows[d, KEY_1]
    return False


@kernel
def _most(rows: Any, d: int, is_mover: bool, turn: int, draws: Any, rules: Any) -> int:
    """A score that the player cannot beat: the points of everything in reach with every doubling left."""
    if rules["rain_viewing"] + rules["own_calls"] + rules["exhausted_call"] + rules["exhausted_dealer"] > 0:
        return INFINITE  # scores that this bound does not cover
    reach = rows[d, FIELD] | rows[d, HAND] | rows[d, OTHER_HAND]
    for later in range(turn, TURNS + 1):
        reach |= 1 << draws[later]
    pile = rows[d, PILE] if is_mover else rows[d, OTHER_PILE]
    helped = rows[d, OTHER_CALLS] if is_mover else rows[d, CALLS]
    highest = points(pile | reach, rules)
    open_call = helped > 0 or rows[d, CALLS] + rows[d, OTHER_CALLS] == 0 or rules["koikoi_limit"] == 1
    if rules["double_at"] > 0 and highest >= rules["double_at"]:
        highest *= 2
        open_call = open_call and rules["double_combine"] == 0
    return 2 * highest if open_call and rules["double_after_call"] == 1 else highest


@inline_kernel
def _prefer(rows: Any, moves: Any, d: int, is_mover: bool) -> None:
    """Order: the player takes what is worth most and stops last, his helper leaves it and calls."""
    if is_mover:
        return
    for count in range(rows[d, COUNT]):
        if moves[d, count, KIND] == CALL:
            moves[d, count, ORDER] = 100
        elif moves[d, count, KIND] == GO_ON:
            moves[d, count, ORDER] = -moves[d, count, ORDER]


@kernel
def coop_search(space: Any, rules: Any, seat: int, budget: int) -> bool:
    """Go on for ``budget`` nodes with the largest score of ``seat`` (after ``start``). True: done, in
    RESULT."""
    rows, moves, table, control = space.rows, space.moves, space.table, space.control
    d, first, best = control[DEPTH], control[FIRST_TURN], control[RESULT]
    nodes = 0
    while d >= 0 and nodes < budget:
        if rows[d, AT] >= rows[d, COUNT]:
            d -= 1
            continue
        turn = first + d
        is_mover = 1 - turn % 2 == seat
        count = _next_move(rows, moves, d)
        if moves[d, count, KIND] == STOP:
            score = moves[d, count, VALUE] if is_mover else -moves[d, count, VALUE]
            best = max(best, score)
            continue
        _enter(rows, moves, d, count)
        nodes += 1
        set_keys(rows, d + 1, turn + 1, control)
        if _most(rows, d + 1, not is_mover, turn + 1, space.draws, rules) <= best:
            continue
        if _seen(rows, d + 1, table, control):
            continue
        d += 1
        fill_moves(rows, moves, d, turn + 1, EVERY, EVERY, space.held, space.draws, rules)
        _prefer(rows, moves, d, not is_mover)
    control[DEPTH] = d
    control[NODES] += nodes
    control[RESULT] = best
    return bool(d < 0)


def coop_values(game: Any, rules: Any, space: Space, limit: Limit | None = None) -> tuple[int, int]:
    """(coop_A, coop_B) of a known deal; ``space`` has ``SLOTS_COOP`` slots. LimitReached as ``solve.value``."""
    assert len(space.control) == CONTROL_SIZE
    answers, limit = [], (limit or Limit()).part()
    for player in range(2):
        k.set_deal(game, space)
        k.start(game, -1, -1, -INFINITE, INFINITE, space, rules)
        space.control[RESULT] = 0
        seat = 0 if player == int(game["dealer"]) else 1
        proven(partial(coop_search, space, rules, seat), space, limit)
        answers.append(int(space.control[RESULT]))
    return answers[0], answers[1]
