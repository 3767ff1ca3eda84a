"""Kernel: open hands, the order of the deck unknown and uniform. Best play, counted over all deck orders.

States, actions and units are those of ``state.py``: a turn without a draw keeps the unit, and a draw sums over
the kinds of cards, each as often as it is left. Division comes at the very end.

- *Bounds.* An action is bounded by the sum of what is known of the states after its draws (``bounds.py``): by
  counting, by the table, and by the tables of easier questions, which are asked before a state is opened. The *free*
  game (tokens for nothing) has a fraction of the states and bounds all tokens and movers at once; the *easy* one
  (discards with all tokens) has no strikes, and more tokens are never worse in it. With tokens for all clues that can
  be wanted it is worth as much as the free one. Chances bound the score: it is at most the sum of the best chances
  of 1, 2, 3, .. points.
- *Windows.* A state is asked whether it is worth more than ``ALPHA``, what it would take to beat the best action so
  far of those above it. If not, an upper bound is answered and kept. An action whose draws cannot beat the best one
  any more is left; if its value beats it, all its draws were exact (an upper bound below what was needed brings the
  sum below what was needed). The value of the root, asked with ALPHA = -1, is exact.
- *Order.* The first action that may reach the bound of the state is tried before the others are looked at, then the
  one with the highest bound. This decides the time only: a state is finished when an action reaches its bound, or
  no other can beat the best.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.ranking.open_hands.bounds import (
    ANSWER,
    ASKED,
    DEEP,
    HIGH,
    LEVEL,
    LOST,
    LOW,
    NEED,
    NODES,
    PHASE,
    REACH,
    REAL,
    STATUS,
    STORED,
    VALUE,
    WHOM,
    look,
    store,
)
from hanasolve.hanabi.ranking.open_hands.draws import keep_real, list_draws
from hanasolve.hanabi.ranking.open_hands.state import (
    BELOW,
    LEFT,
    MOVER,
    NONE,
    STRIKES,
    TOKENS,
    WIDTH,
    ceiling,
    copy_state,
    end_turn,
    list_actions,
)
from hanasolve.jit import kernel

DEPTH, MAX_ACTIONS, MAX_KINDS = 128, 48, 40
RUNNING, DONE, FULL, ASKS = range(4)
ASKED_ALL = DEEP + 1
_ROOT, _OPEN, _ANSWER, _ACTION, _DRAW, _RETURN = range(6)

# One level of the search: what is known of its state, and the action that is being looked at.
STACK = np.dtype(
    [
        ("state", np.int64, (WIDTH,)),
        ("base", np.int64, (WIDTH,)),  # after the action, before its draw
        ("best", np.int64),
        ("best_real", np.int64),
        ("best_reach", np.int64),
        ("throws", np.bool_),  # whether the action at hand throws a card away
        ("allowed", np.bool_),  # whether the action needs no discard with all tokens
        ("alpha", np.int64),
        ("top", np.int64),
        ("upper", np.int64),  # bound of the actions that were left
        ("actions", np.int64),
        ("looked", np.int64),  # how many of them have a bound
        ("draws", np.bool_),  # whether the action at hand uses a card
        ("action", np.int64, (MAX_ACTIONS,)),
        ("bound", np.int64, (MAX_ACTIONS,)),  # -1: done
        ("sum", np.int64),  # of the draws so far, and the bounds of the others
        ("kinds", np.int64),
        ("current", np.int64),
        ("kind", np.int64, (MAX_KINDS,)),
        ("times", np.int64, (MAX_KINDS,)),
        ("high", np.int64, (MAX_KINDS,)),
        ("real", np.int64, (MAX_KINDS,)),
        ("reach", np.int64, (MAX_KINDS,)),
        ("open", np.uint8, (MAX_KINDS,)),
    ]
)


@kernel
def _whom_to_ask(rules: Any, level: Any, info: Any) -> bool:
    """The next easier count to ask about a state: the wins of its highest targets as long as they are not certain,
    then the easier game; False if there is none left."""
    state = level["state"]
    if info[ASKED] < DEEP:
        orders, top = rules["factorial"][state[LEFT]], min(ceiling(rules, state), rules["aim"])
        below = rules["aim"] - top + info[ASKED]
        certain = info[ASKED] > 0 and info[ANSWER] >= orders
        if rules["aim"] > 0 and below < BELOW and not certain and rules["wins_at"][below] >= 0:
            if info[ASKED] == 0:
                info[LOST] = 0
            info[ASKED] += 1
            info[WHOM] = rules["wins_at"][below]
            info[NEED] = max(-1, level["alpha"] - (top - 1) * orders + info[LOST])
            return True
        info[ASKED] = DEEP
    if info[ASKED] == DEEP and rules["easier"] != NONE:
        info[ASKED], info[WHOM], info[NEED] = ASKED_ALL, rules["easier_at"], level["alpha"]
        return True
    info[ASKED] = ASKED_ALL
    return False


@kernel
def _answer(rules: Any, state: Any, info: Any) -> int:
    """The upper bound of a state's value by the answer of the count that was asked last. (Its table may not hold it: it
    may come from still easier tables.)"""
    if info[ASKED] == ASKED_ALL:
        return int(info[ANSWER])
    orders, top = rules["factorial"][state[LEFT]], min(ceiling(rules, state), rules["aim"])
    info[LOST] += orders - info[ANSWER]
    return int(top * orders - info[LOST])


@kernel
def _open(rules: Any, level: Any, info: Any) -> None:
    """List the actions of a state; ``best``, ``alpha`` and ``top`` are set by whoever asks."""
    info[NODES] += 1
    level["upper"], level["looked"] = level["best"], 0
    level["actions"] = list_actions(rules, level["state"], level["action"])


@kernel
def _next_action(rules: Any, level: Any, below: Any, heap: Any, work: Any, info: Any) -> bool:
    """List the draws of the action to go on with; False if none can beat the best one.

    The first action whose bound reaches that of the state: none can be better, so the others need not be looked at
    yet. If there is none, the action with the highest bound.
    """
    while level["looked"] < level["actions"] and level["best"] < level["top"]:
        i = level["looked"]
        level["looked"] += 1
        list_draws(rules, level, i, below, heap, work, info)
        level["bound"][i] = level["sum"]
        if level["sum"] >= level["top"]:
            level["bound"][i] = -1
            return bool(level["best"] < level["top"])
    need, chosen = max(level["best"], level["alpha"]), -1
    if level["best"] >= level["top"]:
        return False
    for i in range(level["actions"]):
        bound = level["bound"][i]
        if bound > need and (chosen < 0 or bound > level["bound"][chosen]):
            chosen = i
    if chosen < 0:
        return False
    level["bound"][chosen] = -1
    list_draws(rules, level, chosen, below, heap, work, info)
    return True


@kernel
def _close(rules: Any, level: Any, heap: Any, work: Any, info: Any) -> None:
    """No action is left that may beat the best one: keep and return what is proven."""
    high = level["best"]
    if high <= level["alpha"]:
        for i in range(level["actions"]):
            level["upper"] = max(level["upper"], level["bound"][i])
        high = min(max(high, level["upper"]), level["top"])
    info[VALUE] = high
    store(rules, level["state"], level["best"], high, level["best_real"], level["best_reach"], heap, work, info)


@kernel
def _descend(rules: Any, stack: Any, heap: Any, work: Any, info: Any) -> None:
    """Go on with the action of a level: the next draw that is not decided, or what the action is worth."""
    level = stack[info[LEVEL]]
    need = max(level["best"], level["alpha"])
    if level["sum"] <= need:
        level["upper"] = max(level["upper"], level["sum"])
        info[PHASE] = _ACTION
        return
    chosen, weight = -1, 0
    for i in range(level["kinds"]):
        if level["open"][i] and level["times"][i] > weight:
            chosen, weight = i, level["times"][i]
    if chosen < 0:
        level["best"], real, reach = level["sum"], 0, int(rules["tokens_max"])
        for i in range(level["kinds"]):
            real += level["times"][i] * level["real"][i]
            reach = min(reach, level["reach"][i])
        keep_real(rules, level, real, reach)
        info[PHASE] = _ACTION
        return
    kid = stack[info[LEVEL] + 1]
    level["current"] = chosen
    copy_state(level["base"], kid["state"])
    end_turn(rules, kid["state"], level["draws"], level["kind"][chosen])
    look(rules, kid["state"], heap, work, info)
    rest = level["sum"] - weight * level["high"][chosen]
    kid["alpha"], kid["best"], kid["top"] = (need - rest) // weight, info[LOW], info[HIGH]
    kid["best_real"], kid["best_reach"] = info[REAL], info[REACH]
    info[VALUE] = info[HIGH]
    undecided = info[LOW] < info[HIGH] and info[HIGH] > kid["alpha"]
    info[LEVEL], info[PHASE], info[ASKED] = info[LEVEL] + 1, _OPEN if undecided else _RETURN, 0


@kernel
def _run(rules: Any, info: Any, stack: Any, heap: Any, work: Any, nodes: int) -> None:
    """Go on with the search of ``stack[0]`` until it is DONE, ASKS, its table is FULL or ``nodes`` were opened."""
    stop = info[NODES] + nodes
    info[STATUS] = RUNNING
    while info[NODES] < stop:
        level = stack[info[LEVEL]]
        if info[PHASE] == _ROOT or info[PHASE] == _ANSWER:
            look(rules, level["state"], heap, work, info)
            level["best"], level["top"] = info[LOW], info[HIGH]
            level["best_real"], level["best_reach"] = info[REAL], info[REACH]
            if info[PHASE] == _ANSWER:
                info[HIGH] = level["top"] = max(info[LOW], min(info[HIGH], _answer(rules, level["state"], info)))
            info[VALUE] = info[HIGH]
            undecided = info[LOW] < info[HIGH] and info[HIGH] > level["alpha"]
            info[PHASE] = _OPEN if undecided else _RETURN
        elif info[PHASE] == _OPEN:
            if _whom_to_ask(rules, level, info):
                info[STATUS], info[PHASE] = ASKS, _ANSWER
                return
            if info[STORED] + DEPTH > heap[rules["table"]] // 2:  # all open levels may still be stored
                info[STATUS] = FULL
                return
            _open(rules, level, info)
            info[PHASE] = _ACTION
        elif info[PHASE] == _ACTION:
            if _next_action(rules, level, stack[info[LEVEL] + 1]["state"], heap, work, info):
                info[PHASE] = _DRAW
            else:
                _close(rules, level, heap, work, info)
                info[PHASE] = _RETURN
        elif info[PHASE] == _DRAW:
            _descend(rules, stack, heap, work, info)
        else:
            if info[LEVEL] == 0:
                info[STATUS] = DONE
                return
            info[LEVEL] -= 1
            above = stack[info[LEVEL]]
            i = above["current"]
            above["sum"] -= above["times"][i] * (above["high"][i] - info[VALUE])
            above["high"][i], above["open"][i] = info[VALUE], False
            above["real"][i], above["reach"][i] = info[REAL] if above["allowed"] else 0, info[REACH]
            info[PHASE] = _DRAW


@kernel
def drive(counts: Any, infos: Any, stacks: Any, heap: Any, work: Any, control: Any, nodes: int) -> int:
    """Go on with a search until it is done, a table is full or ``nodes`` states were opened; how many were opened.

    Every count has its rules in ``counts``, its ``infos`` and its ``stacks``. Before a count opens a state, easier
    counts are asked whether the state can be worth what is needed. ``control``: how many are waiting, then the counts
    that wait for the answer of the one behind them, the last one being at work.
    """
    left = nodes
    while left > 0:
        at_work = control[1 + control[0]]
        rules, info, stack = counts[at_work], infos[at_work], stacks[at_work]
        before = info[NODES]
        _run(rules, info, stack, heap, work, left)
        left -= info[NODES] - before
        if info[STATUS] == ASKS:
            whom = info[WHOM]
            control[0] += 1
            control[1 + control[0]] = whom
            other, root = infos[whom], stacks[whom][0]
            copy_state(stack[info[LEVEL]]["state"], root["state"])
            if counts[whom]["free"]:
                root["state"][TOKENS] = root["state"][STRIKES] = root["state"][MOVER] = 0
            root["alpha"] = info[NEED]
            other[STATUS], other[LEVEL], other[PHASE], other[ASKED] = RUNNING, 0, _ROOT, 0
        elif info[STATUS] == DONE and control[0] > 0:
            control[0] -= 1
            infos[control[1 + control[0]]][ANSWER] = info[VALUE]
        else:
            break
    return nodes - left
