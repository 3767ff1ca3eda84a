"""The sequential test of two conventions: stop playing as soon as their difference is decided.

A generalised sequential probability ratio test (GSPRT) on paired differences B - A, games of the same decks. Pure
functions, as in ``stats``; arguments that make no sense raise ``ValueError``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from hanasolve.stats import Interval, mean_se_of_counts

GO_ON, ACCEPT_H0, ACCEPT_H1, UNDECIDED = "go on", "accept H0", "accept H1", "undecided"
GSPRT_MIN_PAIRS = 200
GSPRT_BATCH = 100
AFTER_SEQUENTIAL_STOP = "after sequential stop: biased away from 0"
"""The label of a plain interval whose number of games was chosen by the sequential test."""


@dataclass(frozen=True)
class Gsprt:
    """State of the sequential test after n pairs.

    ``mean`` and ``variance`` (divisor n) of the differences; ``llr``: exact log likelihood ratio of H1 to H0,
    nan while d0 or d1 is not strictly inside the observed range; ``approximation``: the normal one, for
    orientation only (heavy tails separate the two). The test stops at ``lower`` (H0) or ``upper`` (H1).
    """

    n: int
    mean: float
    variance: float
    llr: float
    approximation: float
    lower: float
    upper: float
    decision: str


def gsprt_bounds(alpha: float = 0.05, beta: float = 0.05) -> Interval:
    """Wald's bounds ln(beta/(1-alpha)) and ln((1-beta)/alpha) of the log likelihood ratio."""
    if not (0 < alpha and 0 < beta and alpha + beta < 1):
        raise ValueError(f"expected alpha, beta > 0 and alpha + beta < 1, found {alpha} and {beta}")
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def gsprt_due(n: int) -> bool:
    """Whether the test is evaluated after n pairs: after each batch of 100, not before 200."""
    return n >= GSPRT_MIN_PAIRS and n % GSPRT_BATCH == 0


def gsprt(
    differences: Mapping[int, int],
    d0: float = 0.0,
    d1: float = 0.1,
    alpha: float = 0.05,
    beta: float = 0.05,
    max_pairs: int | None = None,
) -> Gsprt:
    """Generalised sequential probability ratio test: is the mean difference d0 (H0) or d1 > d0 (H1)?

    ``differences``: histogram of B - A in points over the pairs so far. The ratio compares the likeliest
    distributions on the observed differences with mean d1 and with mean d0 (Owen's empirical likelihood, as
    in the testing of chess engines). The decision is ``accept H0``, ``accept H1``, ``go on`` or, from
    ``max_pairs`` on, ``undecided``; nothing is accepted before 200 pairs. Call it when ``gsprt_due`` says so:
    looking more often raises the error rates.
    """
    if not d0 < d1:
        raise ValueError(f"expected d0 < d1, found {d0} and {d1}")
    lower, upper = gsprt_bounds(alpha, beta)
    summary = mean_se_of_counts(differences)
    n, mean = summary.n, summary.mean
    variance = summary.sd**2 * (n - 1) / n if n > 1 else 0.0
    llr = gsprt_llr(differences, d0, d1)
    drift = n * (d1 - d0) * (2 * mean - d0 - d1)
    approximation = drift / (2 * variance) if variance > 0 else math.nan
    decision = _decide(llr, lower, upper, n, max_pairs)
    return Gsprt(n, mean, variance, llr, approximation, lower, upper, decision)


def _decide(llr: float, lower: float, upper: float, n: int, max_pairs: int | None) -> str:
    if n >= GSPRT_MIN_PAIRS and llr >= upper:
        return ACCEPT_H1
    if n >= GSPRT_MIN_PAIRS and llr <= lower:
        return ACCEPT_H0
    return UNDECIDED if max_pairs is not None and n >= max_pairs else GO_ON


def gsprt_llr(differences: Mapping[int, int], d0: float, d1: float) -> float:
    """The exact ratio n sum w_a ln(p_a(d1)/p_a(d0)); nan unless d0 and d1 lie strictly inside the range."""
    seen = {a: games for a, games in differences.items() if games}
    if not (min(seen) < d0 and d1 < max(seen)):
        return math.nan
    return _log_likelihood(seen, d1) - _log_likelihood(seen, d0)


def _log_likelihood(seen: Mapping[int, int], mean: float) -> float:
    """n sum w_a ln(p_a/w_a), p_a = w_a/(1 + l(a - mean)): the likeliest distribution with that mean."""
    multiplier = _multiplier(seen, mean)
    return -math.fsum(games * math.log1p(multiplier * (a - mean)) for a, games in seen.items())


def _multiplier(seen: Mapping[int, int], mean: float) -> float:
    """The root l of sum w_a (a - mean)/(1 + l(a - mean)), which falls in l, by bisection.

    No p_a may exceed 1, so the root lies between (w_max - 1)/(max - mean) and (1 - w_min)/(mean - min),
    inside the poles (Owen, Empirical Likelihood, 2001).
    """
    n, lowest, highest = sum(seen.values()), min(seen), max(seen)
    low = (seen[highest] / n - 1) / (highest - mean)
    high = (1 - seen[lowest] / n) / (mean - lowest)
    for _ in range(100):  # 2^-100 of the first width
        middle = (low + high) / 2
        slope = sum(games * (a - mean) / (1 + middle * (a - mean)) for a, games in seen.items())
        if slope > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
