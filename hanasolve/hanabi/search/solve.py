"""The best achievable score of a known deck, with proof.

A score T is reached exactly if some *target*, a height for every suit with sum T, is reached. Levels go from
the highest sum that the cards allow downwards; a level is refuted when every target of it is, and the first
target that is found ends the search. The attacks on a level grow together: small searches for a line,
relaxations that prove loss, larger ones, at last CP-SAT as the second model.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from hanasolve.errors import IllegalAction, LimitReached
from hanasolve.hanabi.game.fireworks import score as placed_cards
from hanasolve.hanabi.game.records import Action
from hanasolve.hanabi.game.table import Table, official_score
from hanasolve.hanabi.search import engine, reasons
from hanasolve.hanabi.search.line import write_line
from hanasolve.hanabi.search.problem import Problem, problem_from_table
from hanasolve.hanabi.search.state import MAX_SUITS
from hanasolve.limits import CTRL_C, Limit, stopped_by

# The attacks in order: ("beam", 0, width), ("relaxed", suits at a time, rows) with 0 = all suits at once, and
# ("cp-sat", 0, seconds): the second model settles in seconds what would take the searches minutes.
LADDER: tuple[tuple[str, int, int], ...] = (
    ("beam", 0, 1),
    ("beam", 0, 8),
    ("beam", 0, 64),
    ("relaxed", 1, 5_000),
    ("relaxed", 0, 20_000),
    ("beam", 0, 512),
    ("relaxed", 2, 5_000),
    ("relaxed", 0, 100_000),
    ("beam", 0, 4_096),
    ("cp-sat", 0, 100),
    ("relaxed", 0, 300_000),
    ("relaxed", 2, 200_000),
    ("relaxed", 3, 300_000),
    ("beam", 0, 32_768),
    ("relaxed", 0, 2_000_000),
    ("relaxed", 2, 2_000_000),
    ("beam", 0, 150_000),
)

_QUICK_TARGETS = 12  # targets of a level that are tried for a line after the limit
_QUICK_SECONDS = 0.4  # for all of them, where time is what ended the search


@dataclass(frozen=True)
class Solution:
    """The answer: ``score`` is reached by ``actions`` (replayed by the rules engine), ``upper_bound`` proven.

    ``reason`` says why no more is possible (None if the maximum of the variant is reached). ``method`` is
    what settled it: ``bound`` (counting), ``search`` (states), ``cp-sat``. ``final`` is the table after the
    line.
    """

    score: int
    upper_bound: int
    max_possible: int
    reason: str | None
    method: str
    actions: tuple[Action, ...]
    final: Table = field(compare=False, repr=False)
    nodes: int = 0
    seconds: float = 0.0

    @property
    def proved(self) -> bool:
        return self.score == self.upper_bound


class Stopped(KeyboardInterrupt):
    """Ctrl-C during a search; ``solution`` is the bracket that was proven before, with a line to its lower end."""

    def __init__(self, solution: Solution) -> None:
        super().__init__(f"between {solution.score} and {solution.upper_bound}")
        self.solution = solution


def solve(
    table: Table, limit: Limit | None = None, goal: int | None = None,
    on_progress: Callable[[str], None] | None = None, second_model: bool = True, gone: Collection[int] = (),
) -> Solution:
    """The best score from this table on, every card known.

    With ``goal`` the question is only whether this score can be reached: the search stops when it is, or when
    the bound falls below it. UnsupportedVariant and NotationError as ``problem_from_table``. At the limit the
    bracket [score, upper_bound] is what was proven so far; score is never below the cards already placed. Nodes
    are counted here alone, not in ``limit``.
    ``second_model`` False: only the searches, which count in nodes; neither CP-SAT nor, at the limit, a line below it.
    ``gone``: cards (``reasons.gone_cards``) whose loss is an old story, not to be told as the reason.
    On Ctrl-C the bracket comes as ``Stopped``.
    """
    return _Solver(table, limit or Limit(), goal, on_progress or (lambda text: None), second_model, gone).run()


class _Solver:
    def __init__(
        self, table: Table, limit: Limit, goal: int | None, on_progress: Callable[[str], None],
        second_model: bool, gone: Collection[int],
    ) -> None:  # fmt: skip
        self.table, self.goal, self.on_progress, self.second_model = table, goal, on_progress, second_model
        self.gone = gone
        self.problem: Problem = problem_from_table(table)
        self.known = engine.known_deck(self.problem)
        self.limit, self.start = limit.part(), time.perf_counter()
        self.caps = _caps(self.problem)
        self.method = "bound"
        self.reason: str | None = None
        self.best: tuple[int, Table, tuple[Action, ...]] | None = None
        self.refuted_states = 0
        self.upper = sum(self.caps)

    def run(self) -> Solution:
        problem = self.problem
        if problem.over:
            return self._over()
        top = sum(self.caps)
        upper, stopped = top, False
        try:
            upper = self._answer_goal(upper) if self.goal is not None else self._descend(upper)
        except (LimitReached, KeyboardInterrupt) as stop:
            stopped = stopped_by(stop) == CTRL_C
            upper = self.upper
            if self.second_model:
                self._fallback_line(upper, Limit(_QUICK_SECONDS if self.limit.late else None))
        if self.best is None:
            final, actions = write_line(self.table, problem, [], self._target(problem.stacks))
            self.best = (problem.placed, final, tuple(actions))
        reached, end, line = self.best
        if upper == self.problem.full_score and self.method == "bound":
            self.method = "search"  # nothing was refuted: the line itself is the proof
        full = self.problem.full_score
        solution = Solution(
            reached, max(upper, reached), full, self._why(upper, top), self.method, line,
            end, self.limit.spent, time.perf_counter() - self.start,
        )  # fmt: skip
        if stopped:
            raise Stopped(solution)
        return solution

    def _why(self, upper: int, top: int) -> str | None:
        """Why no more than ``upper``: cards that are gone (``top`` is what the others allow), and what stops the rest;
        of a goal only what decides that."""
        lost = reasons.lost_cards(self.table.variant, self.problem, self.gone)
        if self.goal is not None and self.goal <= top:
            lost = None
        found = [lost, self.reason if upper < top else None]
        return "; ".join(filter(None, found)) or None if upper < self.problem.full_score else None

    def _over(self) -> Solution:
        """Of a game that has ended: what it is worth, and no line."""
        worth, full = official_score(self.table), self.problem.full_score
        reason = None if worth == full else "the game is over"
        if worth < self.problem.placed:
            reason = f"the game is over, lost with {self.problem.placed} cards placed"
        return Solution(worth, worth, full, reason, "bound", (), self.table.copy())

    def _descend(self, top: int) -> int:
        """Level by level from the top to the first that is reached."""
        self.upper = top
        while self.upper > self.problem.placed and not self._level(self.upper):
            self.upper -= 1
        return self.upper

    def _answer_goal(self, top: int) -> int:
        """The upper bound after asking for the goal alone: a game that reaches more passes through it."""
        assert self.goal is not None
        self.upper = top
        if self.problem.placed < self.goal <= top and not self._level(self.goal):
            self.upper = self.goal - 1
        if self.upper < self.goal and self.second_model:
            self._fallback_line(self.upper, self.limit.only_time())  # a good line, though not the answer
        return self.upper

    # --- one level -----------------------------------------------------------------------------------

    def _level(self, total: int) -> bool:
        """True if ``total`` is reached (``best`` is set), False if it is proven out of reach."""
        if self.problem.stop_when_impossible and total < self.problem.full_score:
            return self._second_model(total)  # the game ends early: not in the compact state
        open_targets = self._root_survivors(total, self.limit)
        searched = bool(open_targets)
        for kind, suits, size in LADDER:
            if not open_targets:
                break
            self.on_progress(f"{total}: {len(open_targets)} ways open, {kind} {size:,}")
            if kind == "relaxed":
                open_targets = [t for t in open_targets if not self._refute(t, suits, size)]
            elif kind == "cp-sat":
                verdict = self._ask_second_model(total, size)
                if verdict is not None:
                    return verdict
            else:
                remaining = self._beams(open_targets, size, total)
                if remaining is None:
                    return True
                open_targets = remaining
        if open_targets:
            return self._second_model(total)
        if searched and self.method == "bound":
            self.method = "search"
        if self.reason is None and self.refuted_states == 0:
            self.reason = f"no line of play reaches {total}"
        if self.reason is None:
            self.reason = f"all {self.refuted_states:,} states that could lead to {total} were exhausted"
        return False

    def _root_survivors(self, total: int, limit: Limit) -> list[Any]:
        """The targets of a level that counting does not refute, most spare plays first."""
        scored = []
        for heights in targets(self.problem.stacks, self.caps, total):
            target = self._target(heights)
            spare = engine.spare_plays(self.known, target)
            if spare >= 0 or (not self.problem.last_round and spare > -1000):
                scored.append((spare, target))
            elif self.reason is None:
                variant = self.table.variant
                self.reason = reasons.counting(variant, self.problem, target) or reasons.capacity(
                    variant, self.problem, target
                )
            _spend(limit, 1)
        scored.sort(key=lambda item: -item[0])
        return [target for _, target in scored]

    def _target(self, heights: tuple[int, ...]) -> Any:
        target = np.zeros(MAX_SUITS, np.int8)
        target[: len(heights)] = heights
        return target

    def _beams(self, open_targets: list[Any], width: int, total: int) -> list[Any] | None:
        """The targets that a search of this width leaves open; None if one was reached."""
        remaining = []
        for target in open_targets:
            status = self._try_beam(target, width, total)
            if status == engine.FOUND:
                return None
            if status != engine.EXHAUSTED:
                remaining.append(target)
        return remaining

    def _try_beam(self, target: Any, width: int, total: int) -> int:
        status, moves, nodes = engine.beam(self.known, target, width, self.limit)
        if status == engine.STOPPED:
            raise self.limit.reached("")
        _spend(self.limit, 0)
        if status == engine.FOUND:
            return engine.FOUND if self._accept(moves, target, total) else engine.CUT
        if status == engine.EXHAUSTED:
            self.refuted_states += nodes
        return status

    def _accept(self, moves: list[int], target: Any, total: int) -> bool:
        """Replay a line by the rules engine. Only a variant whose clues may miss every card can refuse it."""
        try:
            final, actions = write_line(self.table, self.problem, moves, target)
        except IllegalAction:
            if self.problem.clue_always:
                raise
            return False
        reached = placed_cards(final.rules, final.game)
        if reached < total and not (self.problem.clue_always and not self.problem.stop_when_impossible):
            return False  # the compact state knows neither of these rules
        if reached < total:
            raise AssertionError(f"the line reaches {reached}, the search promised {total}")
        if self.best is None or reached > self.best[0]:
            self.best = (reached, final, tuple(actions))
        return True

    def _refute(self, target: Any, suits_at_a_time: int, rows: int) -> bool:
        """Whether the game with free clues, for some suits at a time, refutes a target."""
        suits = self.problem.suits
        size = suits_at_a_time or suits
        if suits_at_a_time >= suits:
            return False
        for chosen in combinations(range(suits), size):
            part = np.array(self.known["height"])
            for suit in chosen:
                part[suit] = target[suit]
            if (part == self.known["height"]).all():
                continue
            status, nodes = engine.relaxed(self.known, part, rows, self.limit)
            if status == engine.STOPPED:
                raise self.limit.reached("")
            _spend(self.limit, 0)
            if status == engine.EXHAUSTED:
                self.refuted_states += nodes
                if self.reason is None:
                    self.reason = reasons.suits_alone(self.table.variant, self.problem, chosen, nodes)
                return True
        return False

    def _second_model(self, total: int) -> bool:
        """What the searches leave open goes to CP-SAT, within what is left of the limit."""
        verdict = self._ask_second_model(total, None)
        if verdict is None:
            raise self.limit.reached("")
        return verdict

    def _ask_second_model(self, total: int, seconds: float | None) -> bool | None:
        """CP-SAT's verdict on a level, with its line if there is one; None if it takes longer."""
        if not self.second_model:
            return None
        from hanasolve.hanabi.search.verify import reach

        left = self.limit.left
        if left is not None:
            seconds = left if seconds is None else min(seconds, left)
        verdict, final, actions = reach(self.table, self.problem, total, seconds)
        _spend(self.limit, 0)
        if verdict is not None:
            self.method = "cp-sat"
        if verdict:
            self.best = (placed_cards(final.rules, final.game), final, tuple(actions))
        elif verdict is False and self.reason is None:
            self.reason = f"CP-SAT, as an independent model, proves that {total} is out of reach"
        return verdict

    def _fallback_line(self, upper: int, quick: Limit) -> None:
        """After the limit: the best line that quick searches find, so that the bracket has a lower end."""
        promising: dict[int, list[Any]] = {}
        try:
            for width in (1, 8, 64, 512):
                least = self.problem.placed if self.best is None else self.best[0]
                for total in range(upper, least, -1):
                    if total not in promising:
                        promising[total] = self._root_survivors(total, quick)[:_QUICK_TARGETS]
                    if self._quick_line(total, promising[total], width, quick):
                        break
        except LimitReached:
            return

    def _quick_line(self, total: int, promising: list[Any], width: int, quick: Limit) -> bool:
        """Whether a search of this width finds a line to one of the targets."""
        for target in promising:
            status, moves, nodes = engine.beam(self.known, target, width, quick)
            self.limit.spent += nodes
            if status == engine.FOUND and self._accept(moves, target, total):
                return True
            _spend(quick, 0)
        return False


def _spend(limit: Limit, nodes: int) -> None:
    if not limit.spend(nodes):
        raise limit.reached("")


def _caps(problem: Problem) -> tuple[int, ...]:
    """Height that each suit can reach with the cards that are left."""
    here = {card for hand in problem.hands for card in hand} | set(problem.deck)
    caps = []
    for suit, height in enumerate(problem.stacks):
        while height < problem.stack_size and suit * problem.stack_size + height in here:
            height += 1
        caps.append(height)
    return tuple(caps)


def targets(low: tuple[int, ...], high: tuple[int, ...], total: int) -> Iterator[tuple[int, ...]]:
    """All height vectors between ``low`` and ``high`` with the given sum."""
    if len(low) == 1:
        if low[0] <= total <= high[0]:
            yield (total,)
        return
    rest_low, rest_high = sum(low[1:]), sum(high[1:])
    for first in range(min(high[0], total - rest_low), max(low[0], total - rest_high) - 1, -1):
        for rest in targets(low[1:], high[1:], total - first):
            yield (first, *rest)
