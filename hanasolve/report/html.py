"""Pages that open offline: one HTML file with its figures inside, no script, nothing to load.

``page`` fills the common frame; ``comparison_page`` is the report of ``hanasolve compare``. The same input
gives the same bytes: no dates, no random ids.
"""

from __future__ import annotations

from typing import Any

from hanasolve import stats
from hanasolve.answers.compare import CompareAnswer
from hanasolve.batch.comparison import Comparison
from hanasolve.report.figures import (
    Difference,
    Histogram,
    color,
    difference_figure,
    running_figure,
    score_figure,
)
from hanasolve.report.render import render

MINUS = "−"


def page(template: str, **fields: Any) -> str:
    """An HTML template filled in, with the filters below for numbers and ``svg`` for figures."""
    from markupsafe import Markup

    filters = {"fixed": fixed, "signed": signed, "percent": percent, "p": p_text, "svg": Markup}
    return render(template, filters, **fields)


def fixed(value: float | None, digits: int = 2) -> str:
    """A number with that many digits after the point, a dash for a missing one."""
    return "–" if value is None else f"{value:,.{digits}f}".replace("-", MINUS)


def signed(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:+,.{digits}f}".replace("-", MINUS)


def percent(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f} %"


def p_text(value: float | None) -> str:
    """A p value; small ones by their bound."""
    if value is None:
        return "–"
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


# ----------------------------------------------------------------------------------------- comparisons


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
                Difference(
                    f"{pair.b} {MINUS} {pair.a}", pair.paired.difference, pair.paired.low, pair.paired.high
                )
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
