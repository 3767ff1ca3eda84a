"""Conventions compared on the same decks at one table: from scores to the numbers that are reported.

Differences are B - A in points. Under ``zero`` a struck-out game scores 0 (the printed rules), under ``keep``
it keeps its points; means are given under both, pairs under the scoring that was chosen. Conventions that see
their own hand stand apart: they are not ranked with the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from hanasolve import sequential, stats
from hanasolve.batch.games import NamedConvention
from hanasolve.batch.running_scores import RunningScores, Scores, Until, running_means
from hanasolve.hanabi.conventions.convention import SEARCH_COST
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.variants import Variant

SHOWN_GAMES = 5
"""How many of the worst and of the most different games are named."""
SIGNIFICANT = 0.05


@dataclass(frozen=True)
class SearchCost:
    """What a search cost: ``budget`` rollouts a move, and SEARCH_COST over all games (moves searched, games played
    out, moves changed, moves whose hands fit the clues only)."""

    budget: int
    searched: int
    rollouts: int
    deviations: int
    clues_only: int


@dataclass(frozen=True)
class ConventionResult:
    """One convention at one table.

    ``struck``: games that struck out, by cards placed; ``worst``: (seed, score), worst first; ``scores``: all
    of them where there are too few for intervals; ``games_per_second`` of CPU time, None for games from a
    file; ``curve``: the running mean; ``search``: what a search cost, None for all others.
    """

    name: str
    about: str
    label: str
    summary: stats.ScoreSummary
    struck: tuple[int, ...]
    turns: float
    games_per_second: float | None
    worst: tuple[tuple[str, int], ...]
    scores: tuple[int, ...]
    curve: tuple[stats.MeanSe, ...]
    search: SearchCost | None

    @property
    def ranked(self) -> bool:
        return not self.label


@dataclass(frozen=True)
class Pair:
    """B against A under one scoring.

    ``p_holm``: adjusted over all ranked pairs, None with too few games or for a pair that is not ranked;
    ``verdict`` in words; ``different``: (seed, score of A, score of B), most different first; ``curve``: the
    running mean difference.
    """

    a: str
    b: str
    paired: stats.Paired
    mcnemar: stats.Mcnemar
    perfect: stats.PairedRates
    p_holm: float | None
    verdict: str
    different: tuple[tuple[str, int, int], ...]
    curve: tuple[stats.MeanSe, ...]


@dataclass(frozen=True)
class Comparison:
    """Everything a report needs about one table; ``group`` holds what is not separable from the best."""

    variant: Variant
    options: Options
    scoring: str
    seeds: tuple[str, str]
    games: int
    results: tuple[ConventionResult, ...]
    pairs: tuple[Pair, ...]
    group: stats.Group | None
    until: Until | None
    test: sequential.Gsprt | None
    interrupted: bool = False

    @property
    def has_intervals(self) -> bool:
        """Whether there are enough games for intervals."""
        return self.games >= stats.MIN_FOR_INTERVAL

    @property
    def interval_label(self) -> str:
        """The words that must stand beside intervals, or nothing."""
        stopped = self.test is not None and self.test.decision in (sequential.ACCEPT_H0, sequential.ACCEPT_H1)
        return sequential.AFTER_SEQUENTIAL_STOP if stopped else ""


def compare(
    running: RunningScores, conventions: Sequence[NamedConvention], variant: Variant, options: Options,
    interrupted: bool = False,
) -> Comparison:  # fmt: skip
    """The comparison of at least one game."""
    results = tuple(_result(named, running, variant.max_score) for named in conventions)
    ranked = {result.name: running.scores[result.name].points(running.scoring) for result in results if result.ranked}
    enough = running.games >= stats.MIN_FOR_INTERVAL
    return Comparison(
        variant=variant,
        options=options,
        scoring=running.scoring,
        seeds=(running.seeds[0], running.seeds[-1]),
        games=running.games,
        results=results,
        pairs=_pairs(running, results, enough),
        group=stats.not_separable_group(ranked) if enough and ranked else None,
        until=running.until,
        test=running.test,
        interrupted=interrupted,
    )


def _result(named: NamedConvention, running: RunningScores, maximum: int) -> ConventionResult:
    scores = running.scores[named.name]
    keep, chosen, out = scores.points("keep"), scores.points(running.scoring), scores.struck_out()
    worst = np.lexsort((keep, chosen))[:SHOWN_GAMES]
    return ConventionResult(
        name=named.name,
        about=named.convention.about,
        label=named.convention.label,
        summary=stats.summarize_scores(keep, out, maximum),
        struck=tuple(np.bincount(keep[out], minlength=maximum + 1).tolist()),
        turns=sum(scores.turns) / running.games,
        games_per_second=scores.timed / scores.cpu if scores.cpu > 0 else None,
        worst=tuple((running.seeds[i], int(chosen[i])) for i in worst),
        scores=tuple(chosen.tolist()) if running.games < stats.MIN_FOR_INTERVAL else (),
        curve=tuple(running_means(chosen)),
        search=_search_cost(named, scores),
    )


def _search_cost(named: NamedConvention, scores: Scores) -> SearchCost | None:
    if not scores.cost:
        return None
    return SearchCost(named.convention.rollouts, **dict(zip(SEARCH_COST, map(sum, scores.cost), strict=True)))


def _pairs(running: RunningScores, results: Sequence[ConventionResult], enough: bool) -> tuple[Pair, ...]:
    """All pairs in the order given; Holm's adjustment is over those that are ranked."""
    points = [running.scores[result.name].points(running.scoring).astype(np.int16) for result in results]
    couples = list(combinations(range(len(results)), 2))
    found = {(a, b): stats.paired(points[a], points[b]) for a, b in couples}
    ranked = [(a, b) for a, b in couples if results[a].ranked and results[b].ranked]
    adjusted = stats.holm([found[couple].p for couple in ranked]) if enough else []
    p_holm = dict(zip(ranked, adjusted, strict=False))
    pairs = []
    for a, b in couples:
        first, second = running.scores[results[a].name], running.scores[results[b].name]
        only_b, only_a = stats.discordant(first.is_perfect(), second.is_perfect())
        pairs.append(
            Pair(
                a=results[a].name,
                b=results[b].name,
                paired=found[a, b],
                mcnemar=stats.mcnemar(only_b, only_a),
                perfect=stats.paired_rates(only_b, only_a, running.games),
                p_holm=p_holm.get((a, b)),
                verdict=_verdict(results[a], results[b], found[a, b], p_holm.get((a, b))),
                different=_most_different(running.seeds, points[a], points[b]),
                curve=tuple(running_means(points[b] - points[a])),
            )
        )
    return tuple(pairs)


def _verdict(a: ConventionResult, b: ConventionResult, found: stats.Paired, p_holm: float | None) -> str:
    for result in (a, b):
        if not result.ranked:
            return f"not ranked ({result.name}: {result.label})"
    if p_holm is None:
        return f"too few games (fewer than {stats.MIN_FOR_INTERVAL})"
    if p_holm >= SIGNIFICANT:
        return "not separable"
    return f"{b.name if found.difference > 0 else a.name} is better"


def _most_different(
    seeds: Sequence[str], a: NDArray[np.int16], b: NDArray[np.int16]
) -> tuple[tuple[str, int, int], ...]:
    gaps = np.abs(b - a)
    order = np.argsort(-gaps, kind="stable")[:SHOWN_GAMES]
    return tuple((seeds[i], int(a[i]), int(b[i])) for i in order if gaps[i])
