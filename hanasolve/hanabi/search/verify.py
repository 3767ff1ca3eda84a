"""CP-SAT as the independent second model: settles what the searches leave open, confirms what they found."""

from __future__ import annotations

from hanasolve.hanabi.game.records import Action
from hanasolve.hanabi.game.table import Table, official_score
from hanasolve.hanabi.search.cpsat import decide
from hanasolve.hanabi.search.problem import Problem, problem_from_table, replay_line

DEFAULT_SECONDS = 120.0  # for each question, when the user sets no limit


def reach(
    table: Table, problem: Problem, total: int, seconds: float | None, work: float | None = None
) -> tuple[bool | None, Table, list[Action]]:
    """(verdict, table after the line, line): True with a line that the rules engine replayed, False proven.

    None: not decided within ``seconds`` (``DEFAULT_SECONDS`` if None) or within CP-SAT's ``work``.
    """
    decision = decide(problem, total, DEFAULT_SECONDS if seconds is None else seconds, work=work)
    if not decision.reachable:
        return decision.reachable, table, []
    final, actions = replay_line(table, decision.line or [])
    return True, final, actions


def verify(table: Table, score: int, upper_bound: int, seconds: float | None) -> bool:
    """Whether CP-SAT confirms on its own that ``score`` is reached and more than ``upper_bound`` is not.

    False means that it did not finish within ``seconds``, which both questions share. Should it ever
    contradict the search, that is a fault of ours and raises AssertionError.
    """
    problem = problem_from_table(table)
    if problem.over:  # nothing is left to decide
        return score == upper_bound == official_score(table)
    limit = DEFAULT_SECONDS if seconds is None else seconds
    reached = decide(problem, score, limit)
    beyond = decide(problem, upper_bound + 1, limit - reached.seconds)
    if reached.reachable is False or beyond.reachable is True:
        raise AssertionError(f"the two models disagree about {score} to {upper_bound}")
    return reached.reachable is True and beyond.reachable is False
