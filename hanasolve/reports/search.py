"""What a search gains and costs: paired differences on the same decks, and the time they took.

A run is ``NAME:PLAYERS:GAMES[:ROLLOUTS]``: ``search:NAME`` and ``NAME`` on the decks ``p{players}v0s1`` to
``..s{GAMES}``; the first 20 games are repeated on a fresh table. Strike-outs score zero, as in the searched games
themselves.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from hanasolve import stats
from hanasolve.errors import NotationError
from hanasolve.hanabi.conventions.convention import SEARCH_COST
from hanasolve.hanabi.conventions.searching.searcher import ROLLOUTS
from hanasolve.reports.how_made import deck_seeds, how_made, write_page
from hanasolve.streams import tell

REPEATED = 20
RUNS = ["info:3:200:400", "smart:2:200:400"]


@dataclass(frozen=True)
class Gain:
    """One search beside its convention on the same decks. ``seconds``: CPU time of the searched games."""

    convention: str
    players: int
    games: int
    rollouts: int
    usual: stats.MeanSe
    searched: stats.MeanSe
    perfect: tuple[int, int]
    difference: stats.MeanSe
    counts: dict[str, int]  # SEARCH_COST over all games
    seconds: float
    repeats: bool

    @property
    def upper(self) -> float:
        """One-sided 95 % upper bound of the difference; the search is worse if it lies below 0."""
        return self.difference.mean + stats.t_quantile(0.95, self.difference.n) * self.difference.se


def measure(convention: str, players: int, games: int, rollouts: int = ROLLOUTS) -> Gain:
    """Play both on the same decks, and the first games once more."""
    import numpy as np

    from hanasolve.hanabi.play.simulator import Simulator, play_games, seed_numbers

    def points(results: Any) -> Any:
        return np.where(results["strikeout"], 0, results["placed"])

    seeds = deck_seeds(players, games)
    name = f"search:{convention}:{rollouts}"
    usual = play_games(convention, seeds, players)
    table = Simulator(name, players)
    began = time.process_time()
    results = table.play(seed_numbers(seeds))
    seconds = time.process_time() - began
    again = play_games(name, seeds[:REPEATED], players)
    a, b = points(usual), points(results)
    return Gain(
        convention, players, games, rollouts, stats.mean_se(a), stats.mean_se(b),
        (int(usual["perfect"].sum()), int(results["perfect"].sum())), stats.mean_se(b - a),
        {field: int(results[field].sum()) for field in SEARCH_COST}, seconds,
        bool(np.array_equal(results[:REPEATED], again)),
    )  # fmt: skip


def text(gains: list[Gain]) -> list[str]:
    """The two tables: points and cost."""
    lines = [
        "# One searching seat on top of a convention",
        "",
        "Seat 0 searches, the others follow the convention; zero points after the third strike.",
        "",
        "| convention | players | games | rollouts a move | convention | with search | difference | upper 95 % bound "
        "| perfect | repeated |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for g in gains:
        verdict = "same" if g.repeats else "DIFFERENT"
        lines.append(
            f"| {g.convention} | {g.players} | {g.games} | {g.rollouts:,} | {g.usual.mean:.3f} ± {g.usual.se:.3f} | "
            f"{g.searched.mean:.3f} ± {g.searched.se:.3f} | {g.difference.mean:+.3f} ± {g.difference.se:.3f} | "
            f"{g.upper:+.3f} | {g.perfect[0]} -> {g.perfect[1]} | {min(REPEATED, g.games)} games: {verdict} |"
        )
    lines += [
        "",
        "| convention | players | searched moves | rollouts | deviations | moves with belief: clues only "
        "| CPU s a game | CPU ms a searched move |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for g in gains:
        c = g.counts
        lines.append(
            f"| {g.convention} | {g.players} | {c['searched']:,} | {c['rollouts']:,} | {c['deviations']:,} | "
            f"{c['clues_only']:,} | {g.seconds / g.games:.2f} | {1000 * g.seconds / max(1, c['searched']):.0f} |"
        )
    return [
        *lines,
        "",
        "The search is no loss (paired, one-sided 5 %) while the upper bound of the difference is not below 0. "
        "CPU time on a shared machine; all else is the same in every run.",
        "",
    ]


def run_of(text: str) -> tuple[str, list[int]]:
    """(convention, numbers for ``measure``) of a run."""
    name, *numbers = text.split(":")
    if len(numbers) not in (2, 3) or not all(number.isdecimal() for number in numbers) or int(numbers[1]) < 2:
        expected = f"NAME:PLAYERS:GAMES[:ROLLOUTS] with two games or more, e.g. {RUNS[0]}"
        raise NotationError(f"found the run {text!r}, expected {expected}")
    return name, [int(number) for number in numbers]


def make(runs: Annotated[list[str], typer.Argument()] = RUNS, folder: Path = Path("reports")) -> None:
    """Measure runs NAME:PLAYERS:GAMES[:ROLLOUTS] and write search.md."""
    gains = []
    for name, numbers in [run_of(run) for run in runs]:
        gains.append(measure(name, *numbers))
        tell(f"{name} {numbers}: {gains[-1].difference.mean:+.3f}")
    made = how_made(
        f"search {' '.join(runs)}",
        "`p{players}v0s1`, `p{players}v0s2` and so on, as many as the table says",
        seconds=sum(gain.seconds for gain in gains),
    )
    write_page(folder / "search.md", [*text(gains), *made])
