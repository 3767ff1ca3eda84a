"""Made-up conventions and games for the tests of comparisons: no simulator, no kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hanasolve.batch.comparison import Comparison, compare
from hanasolve.batch.games import NamedConvention
from hanasolve.batch.running_scores import RunningScores, Until
from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.variants import NO_VARIANT, load_variant


def players(*names: str, open_hands: Sequence[str] = ()) -> list[NamedConvention]:
    return [NamedConvention(name, Convention(name, f"About {name}.", open_hands=name in open_hands)) for name in names]


def rows(scores: Mapping[str, Sequence[int]], struck: Mapping[str, Sequence[int]] | None = None) -> list[Any]:
    """Rows of games, deck by deck; ``struck``: the places of the games that struck out."""
    struck = struck or {}
    games = len(next(iter(scores.values())))
    return [
        {
            "seed": f"p3v0s{game + 1}",
            "convention": name,
            "keep": points[game],
            "strikeout": game in struck.get(name, ()),
            "perfect": points[game] == 25,
            "turns": 60 + game % 2,
        }
        for game in range(games)
        for name, points in scores.items()
    ]


def compared(
    scores: Mapping[str, Sequence[int]],
    struck: Mapping[str, Sequence[int]] | None = None,
    scoring: str = "zero",
    until: Until | None = None,
    open_hands: Sequence[str] = (),
) -> Comparison:
    """The comparison of made-up scores with 3 players."""
    running = RunningScores(list(scores), scoring, until)
    running.take(rows(scores, struck))
    return compare(running, players(*scores, open_hands=open_hands), load_variant(NO_VARIANT), Options(3))
