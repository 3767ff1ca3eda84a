"""Our scores beside the published ones: plays the decks of every published row under the row's own rules.

The published rows are those of ``tests/data/conventions/published.json`` (means with n, standard deviation and
tolerance, from the sources that ``docs/conventions.md`` names).

Tolerances: ``stats.tolerance`` of the mean, ``stats.rate_tolerance`` of the perfect rate.
z = difference / sqrt(SE_ref^2 + SE_ours^2).
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hanasolve import stats
from hanasolve.errors import NotationError
from hanasolve.hanabi.conventions.find import find_convention
from hanasolve.hanabi.game.options import Options
from hanasolve.reports.how_made import Size, deck_seeds, how_made, write_page
from hanasolve.streams import tell

PUBLISHED = Path(__file__).parents[2] / "tests/data/conventions/published.json"


@dataclass(frozen=True)
class Reference:
    """A published row. Rates in per cent; ``scoring`` of the mean: keep or zero after a strike-out."""

    convention: str
    published_as: str
    players: int
    mean: float
    sd: float
    n: int
    perfect: float
    scoring: str
    kind: str
    strikes_max: int = 3
    discard_at_max: str = "forbid"

    @property
    def se(self) -> float:
        return self.sd / math.sqrt(self.n)


@dataclass(frozen=True)
class Score:
    """Ours beside a published row."""

    convention: str
    published_as: str
    players: int
    scoring: str
    kind: str
    games: int
    mean: float
    se: float
    perfect: float
    strikeout: float
    reference: float
    reference_se: float
    reference_n: int
    reference_perfect: float
    difference: float
    z: float
    tolerance: float
    perfect_difference: float
    perfect_tolerance: float
    verdict: str


def read_references(path: Path) -> list[Reference]:
    """The published rows of a JSON file ``{"rows": [...]}``; NotationError if there is none."""
    if not path.is_file():
        raise NotationError(f"{path}: found no such file, expected the published scores (run it in the repository)")
    return [Reference(**row) for row in json.loads(path.read_text(encoding="utf-8"))["rows"]]


def measure(row: Reference, games: int, first: int = 1) -> Score:
    """Play a row's convention under the row's own rules on the seeds ``first`` to ``first + games - 1``."""
    import numpy as np

    from hanasolve.hanabi.play.simulator import play_games

    options = Options(row.players, strikes_max=row.strikes_max, discard_at_max=row.discard_at_max)
    seeds = deck_seeds(row.players, games, first)
    results = play_games(find_convention(row.convention), seeds, row.players, options=options)
    placed = results["placed"].astype(np.float64)
    points = np.where(results["strikeout"], 0.0, placed) if row.scoring == "zero" else placed
    own = stats.mean_se(points)
    perfect = 100 * float(results["perfect"].mean())
    tolerance = stats.tolerance(row.sd, row.n, games)
    perfect_tolerance = 100 * stats.rate_tolerance(row.perfect / 100, row.n, games)
    inside = abs(own.mean - row.mean) <= tolerance and abs(perfect - row.perfect) <= perfect_tolerance
    return Score(
        row.convention, row.published_as, row.players, row.scoring, row.kind, games, own.mean, own.se, perfect,
        100 * float(results["strikeout"].mean()), row.mean, row.se, row.n, row.perfect, own.mean - row.mean,
        (own.mean - row.mean) / math.hypot(row.se, own.se), tolerance, perfect - row.perfect, perfect_tolerance,
        "inside" if inside else "outside",
    )  # fmt: skip


def write_csv(scores: list[Score], path: Path) -> None:
    """One line a row, numbers with six digits."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(asdict(scores[0])))
        writer.writeheader()
        for score in scores:
            fields: dict[str, Any] = asdict(score)
            writer.writerow({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in fields.items()})


def table_lines(scores: list[Score]) -> Iterator[str]:
    """The rows as a Markdown table."""
    heads = ("convention", "players", "ours ± SE", "published ± SE", "z", "tolerance", "perfect %")
    yield f"| {' | '.join((*heads, 'published', 'strike-outs %', 'verdict'))} |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for s in scores:
        name = s.published_as if s.published_as != s.convention else s.convention
        yield (
            f"| {s.convention}{'' if name == s.convention else f' ({name})'} | {s.players} | "
            f"{s.mean:.4f} ± {s.se:.4f} "
            f"| {s.reference:.4f} ± {s.reference_se:.4f} | {s.z:+.2f} | {s.tolerance:.3f} | {s.perfect:.2f} "
            f"| {s.reference_perfect:.2f} | {s.strikeout:.2f} | {s.verdict} |"
        )


def text(scores: list[Score]) -> list[str]:
    """The table with what it rests on."""
    inside = sum(score.verdict == "inside" for score in scores)
    outside = [score for score in scores if score.verdict == "outside"]
    names = "; ".join(f"{s.convention}, {s.players} players ({s.difference:+.3f})" for s in outside) or "none"
    return [
        "# Conventions: our scores beside the published ones",
        "",
        f"{scores[0].games:,} games a row, each row under its own rules (strikes, discards at full tokens, scoring); "
        "the same numbers are in `scores.csv`.",
        f"**{inside} of {len(scores)} rows inside the tolerance** of both the mean and the perfect rate:",
        "three combined standard errors, with the published standard deviation.",
        "Points are kept after the third strike unless the row says zero.",
        "",
        *table_lines(scores),
        "",
        f"Outside: {names}. With this many rows about one falls outside by chance every few runs.",
        "",
        "`simple` and `value`: the published runs count some strike-outs (0.015 to 0.165 %); as described, these two "
        "never play a card that does not fit, and ours never strike out. The means agree.",
        "",
    ]


def make(folder: Path = Path("reports/conventions"), games: Size = 10_000) -> None:
    """Play all published rows, ``games`` decks each, and write README.md and scores.csv."""
    scores = []
    for row in read_references(PUBLISHED):
        scores.append(measure(row, games))
        tell(f"{row.convention} {row.players}p: z {scores[-1].z:+.2f} {scores[-1].verdict}")
    made = how_made(f"conventions --games {games}", f"`p{{players}}v0s1` to `p{{players}}v0s{games}`")
    write_page(folder / "README.md", [*text(scores), *made])
    write_csv(scores, folder / "scores.csv")
