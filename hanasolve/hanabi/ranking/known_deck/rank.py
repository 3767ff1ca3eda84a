"""Every legal move with the best score that the known deck allows after it, each proven by the solver.

The maximum can only fall from turn to turn, so most moves need one question only: can the maximum from before
the move still be reached? Where it cannot, the next lower score is asked for, until the bracket is closed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from hanasolve.errors import IllegalAction, Interrupted, LimitReached
from hanasolve.hanabi.game.fireworks import score
from hanasolve.hanabi.game.records import Action, Replay
from hanasolve.hanabi.game.rules import DEAD, DISCARD, IMPOSSIBLE, STRIKEOUT
from hanasolve.hanabi.game.table import Table, act, knows_only_won, official_score, stored_action
from hanasolve.hanabi.notation.replay_url import format_url, lost_in_url
from hanasolve.hanabi.ranking.moves import (
    EngineAction,
    Move,
    Ranking,
    Situation,
    Undecided,
    after,
    effect,
    legal_actions,
    move_of,
    outlook,
    ranked,
    situation,
)
from hanasolve.hanabi.search.problem import problem_from_table
from hanasolve.hanabi.search.reasons import gone_cards
from hanasolve.hanabi.search.solve import Solution, Stopped, solve
from hanasolve.limits import Limit, stopped_by

METHOD = "known-deck"
ASSUMES = "upper bound: deck known, every card in view; players cannot know this"

_ENDINGS = {
    STRIKEOUT: "the last strike ends the game",
    DEAD: "nothing more can be placed, the game is over",
    IMPOSSIBLE: "the full score is out of reach, the game is over",
}


@dataclass(frozen=True)
class Best:
    """The proven best score from a table on, a line that reaches it, and why it is not ``asked``."""

    score: int
    line: tuple[Action, ...]
    reason: str | None


def best_from(table: Table, asked: int | None, limit: Limit, gone: Collection[int] = ()) -> Best:
    """The best score from this table on, which is at most ``asked`` (None: nothing is known about it).

    Where a table knows only won and lost, anything but the full score is 0. ``gone`` as in ``solve``. LimitReached
    names the bracket if the limit ends the search.
    """
    if table.game["ended"]:
        return Best(official_score(table), (), _ENDINGS.get(int(table.game["ended"]), "the game is over"))
    if asked is None:
        found = solve(table, limit)
        limit.spend(found.nodes)
        if not found.proved:
            raise _stopped(limit, found.score, found.upper_bound)
        lost = knows_only_won(table) and found.score < found.max_possible
        return Best(0 if lost else found.score, found.actions, found.reason)
    if limit.late:  # a quick line would be looked for yet, move after move
        raise _stopped(limit, score(table.rules, table.game), asked)
    reason: str | None = None
    for goal in goals_from(table, asked):
        found = solve(table, limit, goal, gone=gone)
        limit.spend(found.nodes)
        if found.score >= goal:
            return Best(goal, found.actions, reason)
        if found.upper_bound >= goal:
            raise _stopped(limit, found.score, min(found.upper_bound, asked))
        reason = reason or found.reason
        if found.score == goal - 1 and not knows_only_won(table):
            return Best(found.score, found.actions, reason)
    raise AssertionError("every position reaches 0")


def goals_from(table: Table, most: int) -> Sequence[int]:
    """The scores to ask for, one after the other, where no more than ``most`` is possible."""
    return (most, 0) if knows_only_won(table) else range(most, -1, -1)


def asked(table: Table, goal: int, limit: Limit, states: int, gone: Collection[int] = ()) -> Solution:
    """The solver's answer on whether a running game can reach ``goal``, with no more than ``states`` and no CP-SAT.

    LimitReached if ``limit`` ends it.
    """
    part = limit.part(nodes=min(states, limit.nodes_left or states))
    found = solve(table, part, goal, second_model=False, gone=gone)
    limit.spend(found.nodes)
    if found.score < goal <= found.upper_bound and limit.over:
        raise limit.reached(f"was hit before it was decided whether {goal} can still be reached")
    return found


def reaches(table: Table, goal: int, limit: Limit, states: int) -> tuple[bool | None, tuple[Action, ...]]:
    """Whether this table can reach ``goal``, with a line; None if that takes more than ``states``, as ``asked``."""
    if table.game["ended"]:
        return official_score(table) >= goal, ()
    found = asked(table, goal, limit, states)
    if found.score >= goal:
        return True, found.actions
    return (False if found.upper_bound < goal else None), ()


def _stopped(limit: Limit, low: int, high: int) -> LimitReached:
    return limit.reached(f"was hit: the best score is proven to lie between {low} and {high} only")


def solved_moves(table: Table, limit: Limit) -> tuple[Best, list[tuple[int, Best, Action]]]:
    """The best from here, and (group, best after it, the action that was solved) for every legal action, in order.

    Actions of one group lead to equal situations; the first of them is solved.
    """
    root = best_from(table, None, limit)
    return root, list(_each(table, root, limit))


def _each(table: Table, root: Best, limit: Limit) -> Iterator[tuple[int, Best, Action]]:
    """The rows of ``solved_moves``, one after the other."""
    actions, problem = legal_actions(table), problem_from_table(table)
    merge, gone = problem.clue_always, gone_cards(problem)
    known: dict[Situation, tuple[int, Best, Action]] = {}
    for action in actions:
        child = after(table, action)
        key = situation(child, merge)
        if key not in known:
            stored = stored_action(table, *action)
            if root.line and stored == root.line[0]:  # the solver's own line proves this one
                best = Best(root.score, root.line[1:], None)
            else:
                best = best_from(child, root.score, limit, gone)
            known[key] = len(known), best, stored
        yield known[key]


def rank_known_deck(table: Table, limit: Limit | None = None, goal: str = "win") -> Ranking:
    """All legal moves with the proven best score after each; moves into equal situations are solved once.

    At the limit or on Ctrl-C the moves that are proven, with ``stopped`` set and the others in ``undecided``.
    NotationError if a card is unknown or the game is over; UnsupportedVariant as the solver; LimitReached, or
    Interrupted, if not even the best score before the move could be proven in time.
    """
    limit, actions = (limit or Limit()).part(), legal_actions(table)
    try:
        root = best_from(table, None, limit)
    except Stopped as stop:
        low, high = stop.solution.score, stop.solution.upper_bound
        raise Interrupted(f"interrupted: the best score is proven to lie between {low} and {high} only") from None
    rows: list[tuple[int, Best, Action]] = []
    stopped = ""
    try:
        rows.extend(_each(table, root, limit))
    except (LimitReached, KeyboardInterrupt) as stop:
        stopped = stopped_by(stop)
    moves = [_move(table, root, action, row) for action, row in zip(actions, rows, strict=False)]
    undecided = []
    for action in actions[len(rows) :]:
        stored, text = move_of(table, action)
        if root.line and stored == root.line[0]:
            moves.append(_move(table, root, action, (len(rows), Best(root.score, root.line[1:], None), stored)))
        else:
            undecided.append(Undecided(stored, text, int(score(table.rules, table.game)), root.score))
    ranking = ranked(METHOD, ASSUMES, root.score, 1, moves, goal)
    return dataclasses.replace(ranking, stopped=stopped, undecided=tuple(undecided))


def _move(table: Table, root: Best, action: EngineAction, row: tuple[int, Best, Action]) -> Move:
    """One row of the ranking: ``row`` as in ``solved_moves``."""
    group, best, solved = row
    stored, text = move_of(table, action)
    child = after(table, action)
    line = line_for(child, stored, best, solved)
    why = f"{effect(table, action)}; {outlook(child)}"
    if best.score < root.score:
        why += f"; the maximum falls from {root.score} to {best.score}: {best.reason or 'proven by search'}"
    win = Fraction(int(best.score == root.score))
    strikes = int(child.game["strikes"])
    return Move(stored, text, Fraction(best.score), win, best.score, why, group, line=line, strikes=strikes)


def line_for(child: Table, stored: Action, best: Best, solved: Action) -> tuple[Action, ...]:
    """The line of an equal situation, with the two cards that changed places; empty if it does not fit here."""
    if stored == solved or stored.type > DISCARD:  # what a clue says decides nothing when all cards are known
        return best.line
    swap = {stored.target: solved.target, solved.target: stored.target}
    line = tuple(
        Action(step.type, swap.get(step.target, step.target)) if step.type <= DISCARD else step
        for step in best.line
    )
    trial = child.copy()
    try:
        for step in line:
            act(trial, step)
    except IllegalAction:
        return ()
    return line if score(trial.rules, trial.game) == best.score else ()


def line_url(replay: Replay | None, table: Table, actions: tuple[Action, ...]) -> str | None:
    """A link that shows these actions after the game so far; None where a link cannot hold the game."""
    if replay is None or replay.variant.id < 0 or replay.is_partial or lost_in_url(replay):
        return None
    turn = int(table.game["turn"])
    return format_url(dataclasses.replace(replay, actions=replay.actions[:turn] + actions, turn=turn + 1))
