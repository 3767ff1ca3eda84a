"""What a search gains and costs: ``python -m hanasolve.reports.search FILE [RUN ...]``.

A run is ``NAME:PLAYERS:GAMES[:ROLLOUTS]``. It plays ``search:NAME`` and ``NAME`` on the decks
``p{players}v0s1`` to ``..s{GAMES}`` (default: smart, 2 players, 200 games), repeats the first 20 games on a
fresh table, and writes a Markdown file with the paired differences and the cost. Strike-outs score zero, as
in the searched games themselves.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hanasolve import __version__, stats
from hanasolve.hanabi.conventions.convention import SEARCH_COST
from hanasolve.hanabi.conventions.searching.searcher import ROLLOUTS

REPEATED = 20
DEFAULT = "smart:2:200"


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

    seeds = [f"p{players}v0s{i}" for i in range(1, games + 1)]
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


def lines(gains: list[Gain], command: str) -> list[str]:
    """The report."""
    text = [
        "# One searching seat on top of a convention",
        "",
        f"Written by `{command}`; hanasolve {__version__}. Seat 0 searches, the others follow the convention; "
        "zero points after the third strike.",
        "",
        "| convention | players | games | rollouts a move | convention | with search | difference | upper 95 % bound "
        "| perfect | repeated |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for g in gains:
        verdict = "same" if g.repeats else "DIFFERENT"
        text.append(
            f"| {g.convention} | {g.players} | {g.games} | {g.rollouts:,} | {g.usual.mean:.3f} ± {g.usual.se:.3f} | "
            f"{g.searched.mean:.3f} ± {g.searched.se:.3f} | {g.difference.mean:+.3f} ± {g.difference.se:.3f} | "
            f"{g.upper:+.3f} | {g.perfect[0]} -> {g.perfect[1]} | {min(REPEATED, g.games)} games: {verdict} |"
        )
    text += [
        "",
        "| convention | players | searched moves | rollouts | deviations | moves with belief: clues only "
        "| CPU s a game | CPU ms a searched move |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for g in gains:
        c = g.counts
        text.append(
            f"| {g.convention} | {g.players} | {c['searched']:,} | {c['rollouts']:,} | {c['deviations']:,} | "
            f"{c['clues_only']:,} | {g.seconds / g.games:.2f} | {1000 * g.seconds / max(1, c['searched']):.0f} |"
        )
    return [
        *text,
        "",
        "The search is no loss (paired, one-sided 5 %) while the upper bound of the difference is not below 0. "
        "CPU time on a shared machine with 2 cores; all else is the same in every run.",
    ]


def main(arguments: list[str]) -> None:
    """Measure and write."""
    out, *wanted = arguments or ["reports/search.md"]
    gains = []
    for text in wanted or [DEFAULT]:
        name, *numbers = text.split(":")
        gains.append(measure(name, *map(int, numbers)))
        print(f"{text}: {gains[-1].difference.mean:+.3f}", file=sys.stderr, flush=True)
        command = " ".join(["python -m hanasolve.reports.search", *arguments])
        Path(out).write_text("\n".join(lines(gains, command)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
