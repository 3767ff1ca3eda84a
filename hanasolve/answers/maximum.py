"""The proven best score of a known deck: what players with every card in view could reach.

``maxima`` asks the same of many decks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from hanasolve.answers.answer import Answer, Tell, silent
from hanasolve.answers.reading import read_one, table_of
from hanasolve.errors import NotationError
from hanasolve.limits import Limit

if TYPE_CHECKING:
    from hanasolve.batch.decks import Question, Solved
    from hanasolve.hanabi.notation.source import Item
    from hanasolve.hanabi.search.solve import Solution

_FIELDS = (
    "source", "players", "variant", "deck", "score", "score_word", "upper_bound", "proved", "max_possible", "reason",
    "method", "verified", "line", "actions", "replay_url", "clues", "strikes", "turns", "nodes", "seconds", "assumes",
)  # fmt: skip


@dataclass(frozen=True)
class MaxAnswer(Answer):
    """The best score of ``item``, as ``question`` asked; ``found`` holds solution, CPU seconds, link, CP-SAT's word.

    ``limit`` names the limit that was given.
    """

    schema = "hanasolve.max/1"
    item: Item
    question: Question
    found: Solved
    limit: str

    @property
    def solution(self) -> Solution:
        """Score and upper bound, the line that reaches the score, the reason why there is no more."""
        return self.found.solution

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it; the bracket is what was proven before."""
        return self.found.interrupted

    @property
    def settled(self) -> bool | None:
        """Whether the target is reached, or the best score proven; None: open."""
        solution, target = self.solution, self.question.goal
        if target is None:
            return solution.proved or None
        return reachable(solution.score, solution.upper_bound, target)

    def record(self) -> dict[str, Any]:
        """The fields of ``--json``: ``results`` with one."""
        from hanasolve.batch.decks import columns_of, more_of

        row = columns_of(self.item, self.found) | more_of(self.item, self.found)
        row["seconds"] = round(self.found.seconds, 3)
        return {"results": [{name: row[name] for name in _FIELDS} | asked_fields(self.question, row)]}


def maximum(
    source: str | Item, *, target: int | None = None, limit: Limit | None = None, verify: bool = False,
    players: int | None = None, variant: str | None = None, turn: int | None = None, progress: Tell | None = None,
    warn: Tell = silent, stdin: TextIO | None = None,
) -> MaxAnswer:  # fmt: skip
    """The best score that a known deck can reach, with a line and a proof that no line reaches more.

    ``source``: a seed, a file, a link, or an item that was read. ``turn``: before the turn-th action, 1-based; without
    it the start of a deck, the end of a game. ``target``: ask only whether so many points can be reached.
    ``limit``: seconds of wall-clock time, or nodes (states); at its end ``solution`` is a bracket
    [score, upper_bound]. ``verify``: let CP-SAT confirm line and bound. ``progress`` is told in words how far a
    search is.

    NotationError for a source, a target or a turn that cannot be, UnsupportedVariant for rules that the search does
    not know.
    """
    question = question_of(target, limit, verify, players, variant, turn)
    item = read_one(source, players, variant, stdin, warn)
    table_of(item, turn, warn)  # says what is wrong with the turn, and warns of actions after the end

    from hanasolve.batch.decks import solve_item

    limit = limit or Limit()
    return MaxAnswer(item, question, solve_item(item, question, progress, limit), str(limit))


def question_of(
    target: int | None, limit: Limit | None, verify: bool, players: int | None, variant: str | None, turn: int | None,
    lines: bool = False,
) -> Question:  # fmt: skip
    """The question in the form that is sent to workers."""
    if target is not None and target < 0:
        raise NotationError(f"--target: found {target}, expected a score from 0")
    from hanasolve.batch.decks import Question

    seconds, nodes = (None, None) if limit is None else (limit.seconds, limit.nodes)
    return Question(seconds, nodes, target, verify, players, variant, turn, lines)


def reachable(score: int, upper_bound: int, target: int) -> bool | None:
    """Whether a target lies in reach of a bracket; None if the bracket leaves that open."""
    return True if score >= target else False if upper_bound < target else None


def asked_fields(question: Question, row: dict[str, Any]) -> dict[str, Any]:
    """The last fields of a result: about the target, if one was asked for."""
    if question.goal is None:
        return {}
    return {"target": question.goal, "reachable": reachable(row["score"], row["upper_bound"], question.goal)}
