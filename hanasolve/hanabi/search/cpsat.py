"""The independent second model of the known deck: can a score be reached, decided by CP-SAT (OR-tools).

Two formulations of the same question:

* **events** (``cpsat_events.py``). Time is counted in *events*: the actions that use a card. The e-th event draws the
  e-th card of the deck, so it is known when a card comes and only unknown to whom; clues are mere numbers
  of passes between two events. Cards that are never placed in the line are not modelled one by one: a player
  can discard iff the cards that he keeps for later are fewer than his hand.
* **turns** (``cpsat_turns.py``): every turn, every card, every rule, literally. Far slower on whole decks,
  with no assumption about the touch of clues; it decides what the events formulation only bounds.

A reachable score comes with a line, walked by the rules (``cpsat_walk.py``); an unreachable one is an exhausted search.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from hanasolve.hanabi.search.cpsat_events import build_events, events_fit
from hanasolve.hanabi.search.cpsat_solver import run_solver
from hanasolve.hanabi.search.cpsat_turns import solve_turns
from hanasolve.hanabi.search.cpsat_walk import walk_solution
from hanasolve.hanabi.search.problem import PLAY, Line, Problem


@dataclass(frozen=True)
class Decision:
    """Whether a score can be reached: True with a line, False proven, None when the limit came first.

    ``formulation`` is what decided: ``counting`` (placed cards and lost cards), ``events`` or ``turns``.
    """

    reachable: bool | None
    line: Line | None
    formulation: str
    seconds: float


@dataclass(frozen=True)
class Best:
    """Bounds of the best score and a line that reaches ``lower``; proven if they meet."""

    lower: int
    upper: int
    line: Line
    seconds: float

    @property
    def proven(self) -> bool:
        return self.lower == self.upper


def best(problem: Problem, limit: float = 60.0, workers: int = 1) -> Best:
    """The best score of a problem within ``limit`` seconds: targets are refuted from the top downwards."""
    start = time.monotonic()
    upper = target = problem.reachable_score()
    while target > problem.placed:
        left = limit - (time.monotonic() - start)
        decision = decide(problem, target, left, workers)
        if decision.reachable:
            return Best(target, upper, decision.line or [], time.monotonic() - start)
        if decision.reachable is False and target == upper:
            upper -= 1
        target -= 1
    return Best(problem.placed, max(upper, problem.placed), [], time.monotonic() - start)


def decide(
    problem: Problem, target: int, limit: float = 60.0, workers: int = 1, work: float | None = None
) -> Decision:
    """Decide whether ``target`` cards can be placed (see ``Problem`` for what that means).

    ``work``: CP-SAT's own measure of its work (about seconds), the same on every machine where ``limit`` is not.
    """
    start = time.monotonic()
    counted = _by_counting(problem, target)
    if counted is not None:
        return counted
    fit = events_fit(problem, target)
    if fit is not None:
        status, line = _solve_events(problem, target, limit, workers, work)
        if status is False or line is not None:
            return Decision(status, line, "events", time.monotonic() - start)
        if status is None:
            return Decision(None, None, "events", time.monotonic() - start)
    left = limit - (time.monotonic() - start)
    status, line = solve_turns(problem, target, left, workers, work)
    return Decision(status, line, "turns", time.monotonic() - start)


def _by_counting(problem: Problem, target: int) -> Decision | None:
    """What needs no search: nothing left to do, cards that are lost, a game that ends after one action."""
    if target <= problem.placed:
        return Decision(True, [], "counting", 0.0)
    if problem.over or target > problem.reachable_score():
        return Decision(False, None, "counting", 0.0)
    if problem.stop_when_impossible and problem.reachable_score() < problem.full_score:
        # The end is tested after an action, so exactly one action is left.
        orders = list(problem.hand_orders[problem.to_move])
        if problem.deck_plays and len(problem.deck) == 1:
            orders.append(problem.deck_order)
        for order in orders:
            suit, step = divmod(problem.identity_of(order), problem.stack_size)
            if problem.stacks[suit] == step and target == problem.placed + 1:
                return Decision(True, [(PLAY, order)], "counting", 0.0)
        return Decision(False, None, "counting", 0.0)
    return None


def _solve_events(
    problem: Problem, target: int, limit: float, workers: int, work: float | None
) -> tuple[bool | None, Line | None]:
    """(True, line), (False, None), (None, None) at the limit; (True, None) if its line is not legal."""
    if limit <= 0:
        return None, None
    start = time.monotonic()
    v = build_events(problem, target)
    if v is None:
        return False, None
    status, solver = run_solver(v.model, limit - (time.monotonic() - start), workers, work)
    if not status:
        return status, None
    return True, walk_solution(v, solver)
