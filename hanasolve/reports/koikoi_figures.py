"""Figures of Koi-Koi results, as SVG: values of known deals, differences between strategies.

They draw what the commands answered (``--json``) and compute nothing themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def _axes(width: float, height: float) -> tuple[Any, Any]:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "hanasolve"  # the same figure gives the same file
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(width, height), layout="constrained")
    return figure, axes


def _save(figure: Any, path: Path) -> None:
    from matplotlib import pyplot

    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def value_histogram(values: Sequence[int], path: Path) -> None:
    """Number of known deals by open-card value, dealer's round score minus the other's."""
    figure, axes = _axes(7, 3.2)
    low, high = min(values), max(values)
    axes.hist(values, bins=range(low, high + 2), align="left", color="#2f6f8f")
    axes.axvline(sum(values) / len(values), color="#b5483a", linewidth=1, label="mean")
    axes.set_xlabel("open-card value of the deal, dealer minus other (round score)")
    axes.set_ylabel(f"deals of {len(values)}")
    axes.legend(frameon=False)
    _save(figure, path)


def strategy_differences(results: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Difference per match with two standard errors for each pairing of ``koikoi compare``."""
    figure, axes = _axes(7, 0.6 + 0.35 * len(results))
    names = [f"{result['a']}  :  {result['b']}" for result in results]
    diffs = [result["diff"] for result in results]
    errors = [2 * (result["se"] or 0.0) for result in results]
    places = range(len(results), 0, -1)
    axes.errorbar(diffs, places, xerr=errors, fmt="o", color="#2f6f8f", capsize=3)
    axes.axvline(0, color="#999999", linewidth=1)
    axes.set_yticks(list(places), names)
    axes.set_xlabel("points of the first minus the second per match, with two standard errors (simulation)")
    _save(figure, path)
