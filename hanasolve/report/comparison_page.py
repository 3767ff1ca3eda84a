"""The page of ``hanasolve compare --html``."""

from __future__ import annotations

from hanasolve import stats
from hanasolve.answers.compare import CompareAnswer
from hanasolve.batch.comparison import Comparison
from hanasolve.report.figures import Difference, Histogram, color, difference_figure, running_figure, score_figure
from hanasolve.report.page import MINUS, page


def comparison_page(answer: CompareAnswer, command: str) -> str:
    """The report of all tables of a comparison; ``command``: how it was made."""
    tables = []
    for table in answer.tables:
        found, fields = table.found, table.record()
        for row, result in zip(fields["conventions"], found.results, strict=True):
            row["about"] = result.about
        tables.append({**fields, "figures": comparison_figures(found), "shown": found.has_intervals})
    return page(
        "compare.html",
        tables=tables,
        command=command,
        colors=[color(index) for index in range(8)],
        needed=stats.MIN_FOR_INTERVAL,
    )


def comparison_figures(found: Comparison) -> dict[str, str]:
    """The figures of one table by name; differences and running means need enough games."""
    figures: dict[str, str] = {
        "scores": score_figure([Histogram(one.name, one.summary.histogram, one.struck) for one in found.results])
    }
    if not found.has_intervals:
        return figures
    if found.pairs:
        figures["differences"] = difference_figure(
            [
                Difference(f"{pair.b} {MINUS} {pair.a}", pair.paired.difference, pair.paired.low, pair.paired.high)
                for pair in found.pairs
            ]
        )
    if len(found.pairs) == 1:
        pair = found.pairs[0]
        curves = {f"{pair.b} {MINUS} {pair.a}": pair.curve}
        figures["learning"] = running_figure(curves, "difference in points", zero=True)
    else:
        figures["learning"] = running_figure({one.name: one.curve for one in found.results}, "mean score")
    return figures
