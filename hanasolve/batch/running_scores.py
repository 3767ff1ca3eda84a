"""Scores of a comparison while its games come in, and the sequential test that may stop it.

A game costs five bytes a convention and its seed text, whatever happens in it.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hanasolve import sequential, stats
from hanasolve.batch.grid import Row
from hanasolve.errors import NotationError
from hanasolve.hanabi.conventions.convention import SEARCH_COST

"""What a game is worth after the last strike: nothing (printed rules), or the points it had."""


@dataclass
class Scores:
    """The games of one convention, in the order of the seeds.

    ``keep``: cards placed; ``out``, ``perfect``: 0 or 1; ``cost``: for a search, an array for each of
    SEARCH_COST; ``cpu``: seconds spent on ``timed`` games (games read from a file have no time).
    """

    keep: array[int] = field(default_factory=lambda: array("B"))
    out: array[int] = field(default_factory=lambda: array("B"))
    perfect: array[int] = field(default_factory=lambda: array("B"))
    turns: array[int] = field(default_factory=lambda: array("H"))
    cost: tuple[array[int], ...] = ()
    cpu: float = 0.0
    timed: int = 0

    def columns(self) -> tuple[array[int], ...]:
        return self.keep, self.out, self.perfect, self.turns, *self.cost

    def add(self, row: Row) -> None:
        if not self.keep and row.get(SEARCH_COST[0]) is not None:  # the first game says whether this is a search
            self.cost = tuple(array("q") for _ in SEARCH_COST)
        self.keep.append(row["keep"])
        self.out.append(row["strikeout"])
        self.perfect.append(row["perfect"])
        self.turns.append(row["turns"])
        for name, column in zip(SEARCH_COST, self.cost):  # noqa: B905  # empty without a search
            column.append(row[name])

    def points(self, scoring: str) -> NDArray[np.uint8]:
        """The scores of all games."""
        keep = np.array(self.keep, np.uint8)
        return np.where(self.struck_out(), np.uint8(0), keep) if scoring == "zero" else keep

    def struck_out(self) -> NDArray[np.bool_]:
        return np.array(self.out, np.bool_)

    def is_perfect(self) -> NDArray[np.bool_]:
        return np.array(self.perfect, np.bool_)


@dataclass(frozen=True)
class Until:
    """The sequential test of B - A: hypotheses in points, error rates, most pairs."""

    d0: float = 0.0
    d1: float = 0.1
    alpha: float = 0.05
    beta: float = 0.05
    max_games: int = 10_000


def parse_until(text: str, max_games: int) -> Until:
    """``d0=0,d1=0.1,alpha=0.05,beta=0.05``, any of them; NotationError names the part at fault."""
    found: dict[str, float] = {}
    for part in filter(None, text.replace(" ", "").split(",")):
        name, _, value = part.partition("=")
        if name not in ("d0", "d1", "alpha", "beta"):
            raise NotationError(f"--until: found {part!r}, expected d0=, d1=, alpha= or beta= and a number")
        try:
            found[name] = float(value)
        except ValueError:
            found[name] = math.nan
        if not math.isfinite(found[name]):
            raise NotationError(f"--until: found {part!r}, expected a number after {name}=")
    until = Until(**found, max_games=max_games)
    try:
        sequential.gsprt_bounds(until.alpha, until.beta)
    except ValueError as error:
        raise NotationError(f"--until: {error}") from None
    if not until.d0 < until.d1:
        raise NotationError(f"--until: found d0={until.d0:g} and d1={until.d1:g}, expected d0 < d1")
    return until


class RunningScores:
    """All games of a comparison at one table so far. ``take`` is what a batch hands its rows to."""

    def __init__(self, names: Sequence[str], scoring: str = "zero", until: Until | None = None) -> None:
        self.scores = {name: Scores() for name in names}
        self.seeds: list[str] = []
        self.scoring, self.until = scoring, until
        self.differences: Counter[int] = Counter()
        self.test: sequential.Gsprt | None = None
        if until is not None and len(names) != 2:
            raise NotationError(f"--until compares two conventions, found {len(names)}")

    @property
    def games(self) -> int:
        return len(self.seeds)

    def take(self, rows: Sequence[Row]) -> bool:
        """Add rows, deck by deck; True when the sequential test has decided."""
        names = list(self.scores)
        for row in rows:
            scores = self.scores[row["convention"]]
            scores.add(row)
            if row["convention"] == names[-1]:
                self.seeds.append(row["seed"])
                if self.until is not None and self._decided(self.until):
                    return True
        self._add_times(rows)
        return False

    def drop_unfinished(self) -> None:
        """Drop a game that an interruption left incomplete."""
        whole = min(len(column) for scores in self.scores.values() for column in scores.columns())
        whole = min(whole, len(self.seeds))
        del self.seeds[whole:]
        for scores in self.scores.values():
            for column in scores.columns():
                del column[whole:]

    def _add_times(self, rows: Sequence[Row]) -> None:
        counts = Counter(row["convention"] for row in rows)
        for row in rows:
            if "cpu" in row:
                self.scores[row["convention"]].cpu += row["cpu"]
                self.scores[row["convention"]].timed += counts[row["convention"]]

    def _decided(self, until: Until) -> bool:
        """Count the last pair; look at the test where it is due."""
        first, second = (self._last(scores) for scores in self.scores.values())
        self.differences[second - first] += 1
        last_one = self.games >= until.max_games
        if not (sequential.gsprt_due(self.games) or last_one):
            return False
        self.test = sequential.gsprt(
            self.differences, until.d0, until.d1, until.alpha, until.beta, max_pairs=until.max_games
        )
        return self.test.decision != sequential.GO_ON

    def _last(self, scores: Scores) -> int:
        return 0 if self.scoring == "zero" and scores.out[-1] else scores.keep[-1]

    def estimate(self) -> str:
        """The running means, for a progress line."""
        if self.games < 2:
            return ""
        parts = []
        for name, scores in self.scores.items():
            found = stats.mean_se(scores.points(self.scoring))
            parts.append(f"{name} {found.mean:.2f} ± {found.se:.2f}")
        if self.test is not None:
            parts.append(f"LLR {self.test.llr:.2f}")
        return " · ".join(parts)


def running_means(values: NDArray[Any], points: int = 60) -> list[stats.MeanSe]:
    """Mean and standard error after growing numbers of games (about evenly spaced in their logarithm)."""
    n = len(values)
    if n < 2:
        return []
    ends = sorted({round(end) for end in np.geomspace(min(10, n), n, points)})
    sums, squares = np.cumsum(values, dtype=np.float64), np.cumsum(np.square(values, dtype=np.float64))
    found = []
    for end in ends:
        mean = float(sums[end - 1]) / end
        variance = max(0.0, (float(squares[end - 1]) - end * mean * mean) / (end - 1))
        found.append(stats.MeanSe(end, mean, variance**0.5, (variance / end) ** 0.5))
    return found
