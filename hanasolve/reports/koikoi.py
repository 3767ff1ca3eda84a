"""Koi-Koi in numbers: the values of known deals with open cards, and strategies in pairs of matches."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hanasolve import stats
from hanasolve.report.figures import Difference, count_figure, difference_figure
from hanasolve.reports.how_made import Jobs, Size, how_made, write_page
from hanasolve.streams import tell

SEED = 11
PAIRINGS = [  # A, B, and their share of the pairs of matches: a search takes long
    ("random+stop", "random+stop", 1.0),
    ("greedy+stop", "random+stop", 1.0),
    ("progress+stop", "random+stop", 1.0),
    ("progress+stop", "greedy+stop", 1.0),
    ("progress+always", "progress+stop", 1.0),
    ("progress+t7h3", "progress+stop", 1.0),
    ("progress+t7h5", "progress+stop", 1.0),
    ("progress+t4h3", "progress+stop", 1.0),
    ("progress+t99h4", "progress+stop", 1.0),
    ("progress+pimc10", "progress+t7h5", 0.1),
    ("flat30+stop", "progress+stop", 0.03),
    ("flat30+t7h5", "progress+t7h5", 0.03),
]


def measure(pairs: int, jobs: int | None) -> list[dict[str, Any]]:
    """Each pairing on its own, as ``hanasolve koikoi compare`` answers it; two pairs of matches are the fewest."""
    from hanasolve.answers.koikoi.compare import compare

    results = []
    for a, b, share in PAIRINGS:
        found = compare([a, b], pairs=max(2, round(share * pairs)), seed=SEED, jobs=jobs or 0)
        results += found.record()["results"]
        tell(f"{a} : {b}: {results[-1]['diff']:+.2f}")
    return results


def make(folder: Path = Path("reports/koikoi"), deals: Size = 1_000, pairs: Size = 10_000, jobs: Jobs = None) -> None:
    """Solve known deals, play the pairings; write README.md, and the numbers with a figure of each."""
    from hanasolve.answers.koikoi.maximum import maximum

    values = [deal.value for deal in maximum(seed=f"0..{deals - 1}", values_only=True).results]
    results = measure(pairs, jobs)
    made = how_made(f"koikoi --deals {deals} --pairs {pairs}", f"deals 0 to {deals - 1}, matches {SEED}")
    write(folder, values, results, made)


def write(folder: Path, values: Sequence[int], results: Sequence[Mapping[str, Any]], made: list[str]) -> None:
    """Write README.md, known-deals and strategies as JSON and SVG; the same results give the same bytes."""
    write_page(folder / "README.md", [*text(values, results), "", *made])
    (folder / "known-deals.json").write_text(json.dumps(list(values)) + "\n", encoding="utf-8")
    (folder / "strategies.json").write_text(json.dumps(list(results), indent=1) + "\n", encoding="utf-8")
    what = "open-card value of the deal, dealer minus other (round score)"
    (folder / "known-deals.svg").write_text(count_figure(values, what, "deals"), encoding="utf-8")
    (folder / "strategies.svg").write_text(difference_figure([_bar(result) for result in results]), encoding="utf-8")


def _bar(result: Mapping[str, Any]) -> Difference:
    diff, half = result["diff"], stats.Z95 * result["se"]
    return Difference(f"{result['a']} : {result['b']}", diff, diff - half, diff + half)


def text(values: Sequence[int], results: Sequence[Mapping[str, Any]]) -> list[str]:
    """The page without how it was made."""
    import numpy as np

    mean, count = stats.mean_se(np.array(values, np.float64)), len(values)
    won, lost = sum(value > 0 for value in values), sum(value < 0 for value in values)
    return [
        "# Koi-Koi results",
        "",
        "Rules: preset `nintendo`.",
        "",
        "## Known deals",
        "",
        f"Open-card values of {count:,} random deals, dealer minus other (lucky hands and cancelled fields played on): "
        f"mean {mean.mean:+.2f} ± {mean.se:.2f}, standard deviation {np.std(values, ddof=1):.1f}; dealer wins "
        f"{_percent(won / count)}, other {_percent(lost / count)}, zero {_percent((count - won - lost) / count)}. "
        "Values: `known-deals.json`.",
        "",
        "![values](known-deals.svg)",
        "",
        "## Strategies",
        "",
        "Simulation: 12-round matches, two for each pair, standard errors over pairs. All fields: `strategies.json`.",
        "",
        "| A | B | matches | A wins | diff per match | per round | calls of A followed by an own new yaku |",
        "|---|---|---|---|---|---|---|",
        *(_row(result) for result in results),
        "",
        "![differences](strategies.svg)",
    ]


def _row(result: Mapping[str, Any]) -> str:
    followed = f"{100 * result['followed_a'] / result['calls_a']:.0f} %" if result["calls_a"] else "-"
    return (
        f"| {result['a']} | {result['b']} | {result['matches']:,} | {_percent(result['wins_a'] / result['matches'])} | "
        f"{result['diff']:+.2f} ± {result['se']:.2f} | {result['diff_round']:+.3f} | {followed} |"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
