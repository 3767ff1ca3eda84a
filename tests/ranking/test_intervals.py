"""Intervals of sampled chances and scores: where nothing else came, and coverage at the nominal rate."""

from __future__ import annotations

import numpy as np
import pytest

from hanasolve.hanabi.ranking.intervals import score_range, standard_error, win_range


def test_an_outcome_that_never_came_may_still_come() -> None:
    """Wilson by hand: 0 of 100 leaves up to z^2 / (n + z^2) = 3.8415 / 103.8415; the exact 95 % bound of 0 of 100 (one
    side 2.5 %) is 1 - 0.025^(1/100) = 0.0362."""
    low, high = win_range(np.zeros(100, np.bool_))
    assert low == 0 and high == pytest.approx(3.8415 / 103.8415, abs=1e-5) and high > 1 - 0.025 ** (1 / 100)
    low, high = win_range(np.ones(100, np.bool_))
    assert high == 1 and low == pytest.approx(1 - 3.8415 / 103.8415, abs=1e-5)


def test_scores_that_are_all_alike_are_not_certain() -> None:
    scores = np.full(50, 20)
    assert standard_error(scores) == 0
    low, high = score_range(scores, 25)
    other = 3.8415 / 53.8415
    assert (low, high) == (pytest.approx(20 - 20 * other, abs=1e-3), pytest.approx(20 + 5 * other, abs=1e-3))
    assert score_range(np.full(50, 25), 25)[1] == 25


@pytest.mark.parametrize("chance", [0.002, 0.01, 0.05, 0.3, 0.9, 0.995])
def test_coverage_of_chances(chance: float) -> None:
    """Mean coverage of 95 % intervals over drawn samples; Wilson's lies near the nominal rate for every chance, where a
    standard error of 0 would cover nothing."""
    dice = np.random.default_rng(7)
    inside = plain = 0
    sizes = range(80, 480)
    for n in sizes:
        wins = dice.random(n) < chance
        low, high = win_range(wins)
        inside += low <= chance <= high
        plain += abs(wins.mean() - chance) <= 1.96 * standard_error(wins)
    assert inside / len(sizes) > 0.95 - 3 * (0.95 * 0.05 / len(sizes)) ** 0.5
    assert chance > 0.01 or plain / len(sizes) < 0.9


@pytest.mark.parametrize(
    ("weights", "least"), [((0.7, 0.15, 0.1, 0.05, 0.0), 0.93), ((0.7, 0.15, 0.08, 0.05, 0.02), 0.9)]
)
def test_coverage_of_scores(weights: tuple[float, ...], least: float) -> None:
    """Skewed scores as games have them: mostly the maximum, sometimes less; with 2 % of lost games Student's interval
    covers 92 %, which the documentation says."""
    dice = np.random.default_rng(8)
    values = np.array([25, 24, 23, 18, 0])
    true, inside = float((values * weights).sum()), 0
    for _ in range(1000):
        low, high = score_range(dice.choice(values, 300, p=weights), 25)
        inside += low <= true <= high
    assert least <= inside / 1000 <= 0.975
