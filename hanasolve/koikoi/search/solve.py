"""Known deals solved exactly: value, values of the options, principal line. All values assume open cards.

Values are the round score (after doubling) of one player minus the other's. The kernel runs in slices, so a
limit and Ctrl-C work; lines are replayed by the rules engine before they are returned.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hanasolve.jit import slice_size
from hanasolve.koikoi.game import rules as engine
from hanasolve.koikoi.game.rules import DECIDE, DRAW, OVER, PLAY, Action
from hanasolve.koikoi.notation.text import Turn, format_turn, play_turn
from hanasolve.koikoi.search import kernel as k
from hanasolve.koikoi.search.kernel import Space, new_space
from hanasolve.limits import Limit

SLICE_NODES = 200_000
SLOTS = 1 << 17


def nodes(space: Space) -> int:
    """Nodes of all searches in this space so far."""
    return int(space.control[k.NODES])


def value(
    game: Any,
    rules: Any,
    space: Space,
    window: tuple[int, int] = (-k.INFINITE, k.INFINITE),
    limit: Limit | None = None,
) -> int:
    """The mover's value of a GAME of the deal set in ``space``; exact inside the window, else a bound."""
    k.start(game, -1, -1, *window, space, rules)
    proven(lambda size: bool(k.search(space, rules, size)), space, limit or Limit())
    return int(space.control[k.RESULT])


def proven(search: Callable[[int], bool], space: Space, limit: Limit) -> None:
    """Call ``search`` for so many nodes until it is done; LimitReached where the limit comes first."""
    most, done = min(SLICE_NODES, limit.nodes or SLICE_NODES), False
    while not done:
        before = nodes(space)
        done = search(slice_size(most))
        limit.spend(nodes(space) - before)
        if not done and limit.over:
            raise limit.reached("was hit before the value was proven")


@dataclass(frozen=True)
class Option:
    """One full turn (or the rest of one) at the root with its exact value for the mover."""

    turn: Turn
    value: int


@dataclass
class Solution:
    """Answer for one known deal. ``value`` is A's round score minus B's."""

    value: int
    line: list[Turn]
    moves: list[Option]
    final: Any  # the GAME at the end of the line
    nodes: int
    seconds: float


def solve(game: Any, rules: Any, space: Space | None = None, limit: Limit | None = None) -> Solution:
    """Value, principal line and the value of every option at the root of a known deal."""
    started, limit = time.perf_counter(), (limit or Limit()).part()
    space = space or new_space(SLOTS)
    first = nodes(space)
    k.set_deal(game, space)
    mover = int(game["mover"])
    best = value(game, rules, space, limit=limit)
    moves = [
        Option(turn, _value_after(after, mover, rules, space, (-k.INFINITE, k.INFINITE), limit))
        for turn, after in turns(game, rules)
    ]
    line, final = _line(game, rules, space, best, limit)
    value_a = best if mover == 0 else -best
    return Solution(value_a, line, moves, final, nodes(space) - first, time.perf_counter() - started)


def _value_after(
    after: Any,
    mover: int,
    rules: Any,
    space: Space,
    window: tuple[int, int],
    limit: Limit,
) -> int:
    """Value for ``mover`` of a GAME between two turns or over."""
    if int(after["phase"]) == OVER:
        return signed_score(after, mover)
    return -value(after, rules, space, (-window[1], -window[0]), limit)


def signed_score(game: Any, player: int) -> int:
    """Round score of a finished round, seen by ``player``."""
    if int(game["winner"]) == engine.NOBODY:
        return 0
    return int(game["score"]) if int(game["winner"]) == player else -int(game["score"])


def turns(game: Any, rules: Any) -> Iterator[tuple[Turn, Any]]:
    """Every way to finish the current turn of a known deal, by the tie rule, with the GAME after it.

    Order: hand card, card taken by it, card taken by the stock card, stop before koi-koi. In phases draw and
    decide the steps already done are shown as card -1.
    """
    phase, mover = int(game["phase"]), int(game["mover"])
    if phase == PLAY:
        for action in engine.legal(game, rules):
            after = engine.copy_game(game)
            engine.apply(after, rules, action)
            yield from _finish(after, rules, Turn(mover, action.card, action.taken, -1, 0))
    elif phase != OVER:
        yield from _finish(game, rules, Turn(mover, -1, 0, -1, 0))


def _finish(game: Any, rules: Any, turn: Turn) -> Iterator[tuple[Turn, Any]]:
    if int(game["phase"]) not in (DRAW, DECIDE):
        yield turn, game
        return
    for action in engine.legal(game, rules):
        after = engine.copy_game(game)
        engine.apply(after, rules, action)
        yield from _finish_step(after, rules, turn, action)


def _finish_step(after: Any, rules: Any, turn: Turn, action: Action) -> Iterator[tuple[Turn, Any]]:
    if action.kind != "match":
        yield (
            Turn(turn.player, turn.card, turn.taken, turn.drawn, turn.drawn_taken, action.kind == "call"),
            after,
        )
        return
    done = Turn(turn.player, turn.card, turn.taken, action.card, action.taken)
    if int(after["phase"]) == OVER and int(after["winner"]) == turn.player and not int(after["exhausted"]):
        done = Turn(turn.player, turn.card, turn.taken, action.card, action.taken, False)
    yield from _finish(after, rules, done)


def _line(
    game: Any, rules: Any, space: Space, best: int, limit: Limit
) -> tuple[list[Turn], Any]:
    """The principal line by the tie rule, replayed by the rules engine to its value."""
    line: list[Turn] = []
    at, left = game, best
    while int(at["phase"]) != OVER:
        mover = int(at["mover"])
        for turn, after in turns(at, rules):
            if _value_after(after, mover, rules, space, (left - 1, left + 1), limit) == left:
                line.append(turn)
                at, left = after, left if int(after["mover"]) == mover else -left
                break
        else:
            raise AssertionError("no option keeps the value: the search is wrong")
    _check_line(game, rules, line, best)
    return line, at


def _check_line(game: Any, rules: Any, line: list[Turn], best: int) -> None:
    """Replay the turns that begin with a hand card from the start; the end must be worth the value."""
    at = engine.copy_game(game)
    for turn in line:
        if turn.card >= 0:
            play_turn(at, rules, turn)
            continue
        if turn.drawn >= 0:
            engine.apply(at, rules, Action("match", turn.drawn, turn.drawn_taken))
        if int(at["phase"]) == DECIDE:
            engine.apply(at, rules, Action("call" if turn.call else "stop"))
    if int(at["phase"]) != OVER or signed_score(at, int(game["mover"])) != best:
        shown = "; ".join(format_turn(turn) for turn in line if turn.card >= 0)
        raise AssertionError(f"line does not replay to its value {best}: {shown}")


def value_a(game: Any, rules: Any, space: Space, limit: Limit | None = None) -> int:
    """Only the value of a known deal, A's round score minus B's (for batches)."""
    k.set_deal(game, space)
    best = value(game, rules, space, limit=(limit or Limit()).part())
    return best if int(game["mover"]) == 0 else -best
