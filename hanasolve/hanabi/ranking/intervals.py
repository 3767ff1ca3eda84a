"""95 % intervals of what was sampled, honest also where all outcomes are alike and the standard error is 0.

An outcome that never came in n deals may still have a chance: up to 3.84 / (n + 3.84) by Wilson's interval.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hanasolve.stats import Z95, t_interval, wilson

Range = tuple[float, float]


def get_ready() -> None:
    """Load what the intervals need, which takes a moment, before work that has a limit and not after it."""
    t_interval(0.0, 1.0, 2)


def standard_error(values: NDArray[Any]) -> float:
    """Of the mean; 0 for fewer than two values."""
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


def win_range(wins: NDArray[np.bool_]) -> Range:
    """Wilson's interval of a chance."""
    return wilson(int(wins.sum()), len(wins), Z95)


def score_range(scores: NDArray[Any], most: int) -> Range:
    """Student's interval of a mean, inside 0 to ``most``. Where all scores are one number, another one may have the
    chance that Wilson leaves it, and be 0 or ``most``."""
    mean, n = float(scores.mean()), len(scores)
    error = standard_error(scores)
    if error > 0:
        low, high = t_interval(mean, error, n)
        return max(0.0, low), min(float(most), high)
    other = wilson(0, n, Z95)[1]
    return mean - other * mean, mean + other * (max(most, mean) - mean)
