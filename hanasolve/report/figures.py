"""Figures as SVG texts: score histograms, differences with intervals, running means, time distributions.

The same input gives the same bytes. ``png`` renders the same figures for eyes that cannot read SVG.
Colours are those of Okabe and Ito, which remain distinct for colour-blind readers.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hanasolve import stats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F3C8D", "#555555")
_INK, _FAINT, _GRID = "#222222", "#777777", "#E4E4E4"
_STYLE = {
    "svg.hashsalt": "hanasolve",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.5,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": "#999999",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "grid.color": _GRID,
    "xtick.color": "#555555",
    "ytick.color": "#555555",
    "figure.facecolor": "white",
    "legend.frameon": False,
}
_WIDTH = 8.0  # inches


@dataclass(frozen=True)
class Histogram:
    """Games by score, 0 to the maximum; ``struck`` (of the same length) are those that struck out."""

    label: str
    counts: Sequence[int]
    struck: Sequence[int] = ()

    @property
    def lowest(self) -> int:
        return next((score for score, games in enumerate(self.counts) if games), 0)

    @property
    def mean(self) -> float:
        return float(np.average(np.arange(len(self.counts)), weights=self.counts))


@dataclass(frozen=True)
class Difference:
    """A mean difference in points with its interval."""

    label: str
    mean: float
    low: float
    high: float


@contextmanager
def _figure(rows: int, height: float, **options: Any) -> Iterator[tuple[Figure, list[Axes]]]:
    """A figure of ``rows`` axes below each other, in this module's style, without pyplot's global state."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        axes = figure.subplots(rows, 1, squeeze=False, **options)[:, 0]
        yield figure, list(axes)


def color(index: int) -> str:
    return COLORS[index % len(COLORS)]


# ------------------------------------------------------------------------------------------ the figures


def score_figure(histograms: Sequence[Histogram], form: str = "svg") -> Any:
    """Shares of games by score, one strip for each histogram on a common axis; struck-out games are pale."""
    maximum = len(histograms[0].counts) - 1
    lowest = max(0, min(one.lowest for one in histograms) - 1)
    scores = np.arange(lowest, maximum + 1)
    height = 0.75 + 1.0 * len(histograms)
    with _figure(len(histograms), height, sharex=True) as (figure, axes):
        for index, (axis, one) in enumerate(zip(axes, histograms, strict=True)):
            _strip(axis, one, scores, color(index))
        axes[-1].set_xlabel("cards placed")
        step = 1 if len(scores) <= 16 else 5
        axes[-1].set_xticks([score for score in scores if score % step == 0 or score == maximum])
        axes[-1].set_xlim(lowest - 0.6, maximum + 0.6)
        return _render(figure, form)


def _strip(axis: Axes, one: Histogram, scores: Any, shade: str) -> None:
    games = sum(one.counts)
    share = np.array(one.counts)[scores] * (100 / games)
    struck = np.array(one.struck)[scores] * (100 / games) if one.struck else np.zeros(len(scores))
    axis.bar(scores, share - struck, 0.84, bottom=struck, color=shade)
    if struck.any():
        axis.bar(scores, struck, 0.84, color=shade, alpha=0.35, hatch="////", edgecolor="white", linewidth=0)
    axis.axvline(one.mean, ymax=0.8, color=_INK, linewidth=1, linestyle=(0, (3, 2)))
    top = int(share.argmax())
    axis.annotate(
        f"{share[top]:.1f} %", (scores[top], share[top]), (0, 2), textcoords="offset points",
        ha="center", fontsize=8, color=_FAINT,
    )  # fmt: skip
    axis.set_ylim(0, share[top] * 1.22)
    axis.set_yticks([])
    axis.spines["left"].set_visible(False)
    note = f", {100 * sum(one.struck) / games:.1f} % struck out (pale)" if any(one.struck) else ""
    axis.set_title(f"{one.label}: mean {one.mean:.2f}{note}", pad=2)


def difference_figure(differences: Sequence[Difference], form: str = "svg") -> Any:
    """Mean differences with their intervals beside the line of no difference."""
    with _figure(1, 0.9 + 0.36 * len(differences)) as (figure, (axis,)):
        places = np.arange(len(differences))[::-1]
        for place, one in zip(places, differences, strict=True):
            apart = one.low > 0 or one.high < 0
            shade = COLORS[0] if apart else _FAINT
            axis.plot([one.low, one.high], [place, place], color=shade, linewidth=2.2, solid_capstyle="butt")
            axis.plot(one.mean, place, "o", color=shade, markersize=6.5)
            axis.annotate(
                f"{one.mean:+.3f}".replace("-", "−"), (one.mean, place), (0, 6), textcoords="offset points",
                ha="center", fontsize=8.5, color=shade, bbox={"facecolor": "white", "lw": 0, "pad": 0.8},
            )  # fmt: skip
        axis.axvline(0, color=_INK, linewidth=1, zorder=0)
        axis.set_yticks(places, [one.label for one in differences])
        axis.tick_params(axis="y", length=0)
        axis.set_ylim(-0.6, len(differences) - 0.25)
        axis.grid(axis="x")
        axis.spines["left"].set_visible(False)
        axis.set_xlabel("difference in points, with 95 % interval")
        axis.margins(x=0.08)
        return _render(figure, form)


def count_figure(values: Sequence[int], quantity: str, what: str, form: str = "svg") -> Any:
    """How many of ``what`` there are of each value, and their mean."""
    places, counts = np.unique(values, return_counts=True)
    with _figure(1, 2.8) as (figure, (axis,)):
        axis.bar(places, counts, 1.0, color=COLORS[0])
        axis.axvline(float(np.mean(values)), color=_INK, linewidth=1, linestyle=(0, (3, 2)))
        axis.set_xlabel(f"{quantity}; dashed: the mean")
        axis.set_ylabel(f"{what} of {len(values):,}")
        return _render(figure, form)


def running_figure(
    curves: Mapping[str, Sequence[stats.MeanSe]], quantity: str, zero: bool = False, form: str = "svg"
) -> Any:
    """How estimates settle: running means with their 95 % bands over the number of games."""
    from matplotlib.ticker import LogLocator

    with _figure(1, 3.1) as (figure, (axis,)):
        for index, (label, curve) in enumerate(curves.items()):
            shown = [point for point in curve if point.n >= stats.MIN_FOR_INTERVAL] or list(curve)
            games = [point.n for point in shown]
            bands = [stats.t_interval(point.mean, point.se, point.n) for point in shown]
            shade = color(index)
            axis.fill_between(
                games, [low for low, _ in bands], [high for _, high in bands], color=shade, alpha=0.16, lw=0
            )
            axis.plot(games, [point.mean for point in shown], color=shade, linewidth=1.7, label=label)
        if zero:
            axis.axhline(0, color=_INK, linewidth=1)
        axis.set_xscale("log")
        axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        _plain_numbers(axis.xaxis)
        axis.grid()
        axis.set_xlabel("games")
        axis.set_ylabel(quantity)
        axis.margins(x=0.01)
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        return _render(figure, form)


def time_figure(seconds: Mapping[str, stats.Values], form: str = "svg") -> Any:
    """For each label the share of decks that took longer than a time, both on logarithmic axes."""
    with _figure(1, 3.3) as (figure, (axis,)):
        for index, (label, values) in enumerate(seconds.items()):
            times = np.sort(np.maximum(np.asarray(values, np.float64), 1e-7))
            left = 100 * np.arange(len(times), 0, -1) / len(times)
            axis.step(times, left, where="post", color=color(index), linewidth=1.7, label=label)
            axis.plot(times[-1], left[-1], "o", color=color(index), markersize=4)
        axis.set_xscale("log")
        axis.set_yscale("log")
        _plain_numbers(axis.yaxis)
        axis.xaxis.set_major_formatter(lambda value, _: _time_text(value))
        axis.grid()
        axis.set_xlabel("time for one deck (the dot is the slowest)")
        axis.set_ylabel("% of decks that took longer")
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        return _render(figure, form)


def _plain_numbers(axis: Any) -> None:
    """Write 1,000 instead of 10^3, and no labels between the powers of ten."""
    axis.set_major_formatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}")
    axis.set_minor_formatter(lambda value, _: "")


def _time_text(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size * 0.999:
            return f"{seconds / size:g} {unit}"
    return f"{seconds / 1e-9:g} ns"


# ------------------------------------------------------------------------------------------- rendering


def _render(figure: Figure, form: str) -> Any:
    """The figure as SVG text for a page, or as the bytes of a PNG."""
    buffer = io.BytesIO()
    if form == "png":
        figure.savefig(buffer, format="png", dpi=110)
        return buffer.getvalue()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue().decode()
    text = text[text.index("<svg") :]
    text = re.sub(r'<g id="[^"]*"', "<g", text)  # several figures on one page: ids must not repeat
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return text.rstrip() + "\n"
