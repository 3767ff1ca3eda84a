"""Statistics of scores: pure functions, no input or output.

Scores are points of one game; two conventions are compared on the *same* decks, so game i of A and game i of
B form a pair, and n counts decks. Differences are B - A. What cannot be computed (the spread of one game, the
correlation with a constant) is ``nan``; arguments that make no sense raise ``ValueError``.

Intervals of means and differences are Student's, those of rates Wilson's, all two-sided with 95 % unless told
otherwise. They need about 30 games (``MIN_FOR_INTERVAL``): with fewer, callers print the games and no
interval. SciPy is imported by the functions that need it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Values: TypeAlias = "Sequence[float] | NDArray[Any]"
Interval: TypeAlias = "tuple[float, float]"

Z95 = 1.959963984540054
"""The 0.975 quantile of the normal distribution."""
MIN_FOR_INTERVAL = 30
"""Fewest games for which an interval is worth printing."""


# -------------------------------------------------------------------------------------------- means


@dataclass(frozen=True)
class MeanSe:
    """Mean, standard deviation (divisor n - 1) and standard error sd / sqrt(n) of n values, in their unit."""

    n: int
    mean: float
    sd: float
    se: float


def mean_se(values: Values) -> MeanSe:
    """Mean and standard error of at least one value; ``sd`` and ``se`` are nan for a single value."""
    array = _array(values)
    sd = _sd(array)
    return MeanSe(array.size, float(array.mean()), sd, sd / math.sqrt(array.size))


def _array(values: Values) -> NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"expected a non-empty list of numbers, found an array of shape {array.shape}")
    return array


def _sd(array: NDArray[np.float64]) -> float:
    if array.size < 2:
        return math.nan
    if array.min() == array.max():
        return 0.0  # exactly: rounding in the mean must not make a constant vary
    return float(array.std(ddof=1))


def t_quantile(probability: float, n: int) -> float:
    """Quantile of Student's t with n - 1 degrees of freedom; nan for n < 2."""
    if n < 2:
        return math.nan
    from scipy.special import stdtrit

    return float(stdtrit(n - 1, probability))


def t_interval(mean: float, se: float, n: int, confidence: float = 0.95) -> Interval:
    """Student's interval mean -+ t((1 + confidence)/2, n - 1) se; (nan, nan) for n < 2."""
    half = t_quantile((1 + confidence) / 2, n) * se
    return mean - half, mean + half


def tolerance(sd: float, reference_n: int, own_n: int, factor: float = 3.0) -> float:
    """How far an own mean may lie from a reference mean: factor * sd * sqrt(1/reference_n + 1/own_n)."""
    return factor * sd * math.sqrt(1 / reference_n + 1 / own_n)


def rate_tolerance(rate: float, reference_n: int, own_n: int, factor: float = 3.0) -> float:
    """``tolerance`` of a rate, sd = sqrt(p(1-p)); p is kept 0.0005 away from 0 and 1."""
    p = min(max(rate, 0.0005), 0.9995)
    return tolerance(math.sqrt(p * (1 - p)), reference_n, own_n, factor)


# -------------------------------------------------------------------------------------------- rates


def wilson(successes: int, n: int, z: float = Z95) -> Interval:
    """Wilson's score interval of a rate (E. B. Wilson 1927), inside [0, 1].

    Centre (p + z^2/2n)/(1 + z^2/n), half width z sqrt(p(1-p)/n + z^2/4n^2)/(1 + z^2/n).
    """
    if not 0 <= successes <= n or n == 0:
        raise ValueError(f"expected 0 <= successes <= n and n > 0, found {successes} and {n}")
    p, share = successes / n, z * z / n
    centre = (p + share / 2) / (1 + share)
    half = z * math.sqrt(p * (1 - p) / n + share / (4 * n)) / (1 + share)
    low = 0.0 if successes == 0 else centre - half  # exactly 0 and 1: rounding must not leave the range
    high = 1.0 if successes == n else centre + half
    return low, high


@dataclass(frozen=True)
class Mcnemar:
    """McNemar's test of two rates on pairs (Q. McNemar 1947): p values and the uncorrected chi-square.

    ``b``, ``c``: pairs in which only B, only A succeeded. ``exact_p``: two-sided binomial of min(b, c) in
    b + c with 1/2, at most 1; ``mid_p`` counts the observed value half; without any such pair both are 1.
    """

    b: int
    c: int
    exact_p: float
    mid_p: float
    chi_square: float


def mcnemar(b: int, c: int) -> Mcnemar:
    """McNemar's test from the numbers of discordant pairs (only B succeeded, only A succeeded)."""
    if b < 0 or c < 0:
        raise ValueError(f"expected counts of pairs, found {b} and {c}")
    if b + c == 0:
        return Mcnemar(b, c, 1.0, 1.0, 0.0)
    from scipy.special import bdtr

    least, total = min(b, c), b + c
    up_to = float(bdtr(least, total, 0.5))
    below = float(bdtr(least - 1, total, 0.5)) if least else 0.0
    return Mcnemar(b, c, min(1.0, 2 * up_to), min(1.0, up_to + below), (b - c) ** 2 / total)


@dataclass(frozen=True)
class PairedRates:
    """Difference B - A of two rates on n pairs, its standard error and its normal 95 % interval."""

    n: int
    difference: float
    se: float
    low: float
    high: float


def paired_rates(b: int, c: int, n: int, z: float = Z95) -> PairedRates:
    """Difference (b - c)/n with SE sqrt(b + c - (b-c)^2/n)/n; only B succeeded in b pairs, only A in c."""
    if b < 0 or c < 0 or n < max(1, b + c):
        raise ValueError(f"expected b, c >= 0 and b + c <= n, found {b}, {c} and {n}")
    difference = (b - c) / n
    se = math.sqrt(max(0.0, b + c - (b - c) ** 2 / n)) / n
    return PairedRates(n, difference, se, difference - z * se, difference + z * se)


def discordant(a: Sequence[bool] | NDArray[Any], b: Sequence[bool] | NDArray[Any]) -> tuple[int, int]:
    """From success per game: in how many pairs only B succeeded, and in how many only A."""
    first, second = np.asarray(a, dtype=bool), np.asarray(b, dtype=bool)
    _check_pairs(first, second)
    return int((second & ~first).sum()), int((first & ~second).sum())


# ------------------------------------------------------------------------------------------- pairs


@dataclass(frozen=True)
class Paired:
    """Two conventions on the same n decks; differences are B - A, in points.

    ``low``, ``high``: Student's 95 % interval of the mean difference, ``p`` the two-sided p of no difference.
    ``correlation``: Pearson's of the two scores. ``variance_ratio``: s^2(B - A) / (s^2(A) + s^2(B)), below 1
    where pairing helped. All of these are nan where a spread is missing.
    """

    n: int
    mean_a: float
    mean_b: float
    difference: float
    sd: float
    se: float
    low: float
    high: float
    p: float
    correlation: float
    variance_ratio: float


def _check_pairs(a: NDArray[Any], b: NDArray[Any]) -> None:
    if a.shape != b.shape:
        raise ValueError(f"expected pairs of games, found {a.size} and {b.size} games")


def paired(a: Values, b: Values, confidence: float = 0.95) -> Paired:
    """Compare the scores of B with those of A on the same decks (Student's test for pairs)."""
    first, second = _array(a), _array(b)
    _check_pairs(first, second)
    change = mean_se(second - first)
    low, high = t_interval(change.mean, change.se, change.n, confidence)
    sd_a, sd_b = _sd(first), _sd(second)
    return Paired(
        n=change.n,
        mean_a=float(first.mean()),
        mean_b=float(second.mean()),
        difference=change.mean,
        sd=change.sd,
        se=change.se,
        low=low,
        high=high,
        p=_t_test(change),
        correlation=_correlation(first, second, sd_a * sd_b),
        variance_ratio=_ratio(change.sd**2, sd_a**2 + sd_b**2),
    )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else math.nan


def _correlation(a: NDArray[np.float64], b: NDArray[np.float64], spread: float) -> float:
    if not spread > 0:
        return math.nan
    covariance = float(np.dot(a - a.mean(), b - b.mean())) / (a.size - 1)
    return min(1.0, max(-1.0, covariance / spread))


def _t_test(change: MeanSe) -> float:
    """Two-sided p of a zero mean; without any spread 1 for a zero mean and 0 for another."""
    if change.n < 2:
        return math.nan
    if change.se == 0:
        return 1.0 if change.mean == 0 else 0.0
    from scipy.special import stdtr

    return 2 * float(stdtr(change.n - 1, -abs(change.mean / change.se)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p values (S. Holm 1979), in the order given.

    Sorted p(1) <= .. <= p(m): the running maximum of min(1, (m - i + 1) p(i)).
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError("expected p values between 0 and 1")
    count = len(p_values)
    adjusted = [0.0] * count
    highest = 0.0
    for rank, index in enumerate(sorted(range(count), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (count - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


@dataclass(frozen=True)
class Group:
    """The conventions that cannot be separated from the best one.

    ``least[i]``: the least of mean_i - mean_j + c SE_ij over the others j; i is a member where that is not
    negative. The true best is a member with probability of at least 1 - alpha.
    """

    members: tuple[str, ...]
    c: float
    least: dict[str, float]


def group_of_means(
    means: Mapping[str, float], se: Mapping[tuple[str, str], float], n: int, alpha: float = 0.05
) -> Group:
    """The group from the means and the standard errors of the paired differences, on n shared decks.

    ``se`` needs each pair of names once, in either order. c = t(1 - alpha/(k-1), n - 1) for k conventions
    (comparison with the best, corrected as Bonferroni did). A single convention is its own group; with n < 2
    nobody is separated.
    """
    others = len(means) - 1
    c = t_quantile(1 - alpha / others, n) if others > 0 else 0.0

    def margin(i: str, j: str) -> float:
        return means[i] - means[j] + c * (se[i, j] if (i, j) in se else se[j, i])

    least = {i: min((margin(i, j) for j in means if j != i), default=0.0) for i in means}
    return Group(tuple(name for name in means if not least[name] < 0), c, least)


def not_separable_group(scores: Mapping[str, Values], alpha: float = 0.05) -> Group:
    """The conventions not separable from the best by their scores on the same decks (``group_of_means``)."""
    arrays = {name: _array(values) for name, values in scores.items()}
    if not arrays:
        raise ValueError("expected the scores of at least one convention")
    names = list(arrays)
    se: dict[tuple[str, str], float] = {}
    for index, i in enumerate(names):
        for j in names[:index]:
            _check_pairs(arrays[i], arrays[j])
            se[i, j] = mean_se(arrays[i] - arrays[j]).se
    means = {name: float(array.mean()) for name, array in arrays.items()}
    return group_of_means(means, se, arrays[names[0]].size, alpha)


# --------------------------------------------------------------------------------------- histograms


@dataclass(frozen=True)
class ScoreSummary:
    """The scores of one convention under both scorings.

    ``keep``: a struck-out game keeps the points it had; ``zero``: it scores 0. ``histogram``: games by points
    kept, 0 to the maximum; ``minimum``: the fewest points kept. Rates are shares of n with Wilson's interval;
    a perfect game has the maximum and did not strike out.
    """

    n: int
    keep: MeanSe
    zero: MeanSe
    minimum: int
    perfect: int
    perfect_rate: float
    perfect_interval: Interval
    strikeouts: int
    strikeout_rate: float
    strikeout_interval: Interval
    histogram: tuple[int, ...]


def counts(values: Iterable[int] | NDArray[Any]) -> dict[int, int]:
    """How often each whole number occurs, in ascending order."""
    return dict(sorted(Counter(int(value) for value in values).items()))


def mean_se_of_counts(histogram: Mapping[int, int]) -> MeanSe:
    """``mean_se`` of the values of a histogram (value: games); exact until the last step."""
    n = sum(histogram.values())
    if n <= 0 or min(histogram.values()) < 0:
        raise ValueError("expected a histogram with at least one game and no negative count")
    total = sum(value * games for value, games in histogram.items())
    squares = sum(value * value * games for value, games in histogram.items())
    if n == 1:
        return MeanSe(1, float(total), math.nan, math.nan)
    sd = math.sqrt((n * squares - total * total) / (n * (n - 1)))
    return MeanSe(n, total / n, sd, sd / math.sqrt(n))


def summarize(finished: Mapping[int, int], struck_out: Mapping[int, int], maximum: int) -> ScoreSummary:
    """Both scorings from two histograms (points: games): of the games that did not strike out, and did."""
    kept = Counter(finished)
    kept.update(struck_out)
    kept = Counter({score: games for score, games in kept.items() if games})
    if not kept or min(kept) < 0 or max(kept) > maximum:
        raise ValueError(f"expected games with scores of 0 to {maximum}, found {sorted(kept) or 'no game'}")
    strikeouts = sum(struck_out.values())
    zeroed = Counter(finished)
    zeroed[0] += strikeouts
    n, perfect = kept.total(), finished.get(maximum, 0)
    return ScoreSummary(
        n=n,
        keep=mean_se_of_counts(kept),
        zero=mean_se_of_counts(zeroed),
        minimum=min(kept),
        perfect=perfect,
        perfect_rate=perfect / n,
        perfect_interval=wilson(perfect, n),
        strikeouts=strikeouts,
        strikeout_rate=strikeouts / n,
        strikeout_interval=wilson(strikeouts, n),
        histogram=tuple(kept[score] for score in range(maximum + 1)),
    )


def summarize_scores(
    scores: Sequence[int] | NDArray[Any], struck_out: Sequence[bool] | NDArray[Any], maximum: int
) -> ScoreSummary:
    """``summarize`` from the points kept and the strike-out mark of each game."""
    points, out = np.asarray(scores), np.asarray(struck_out, dtype=bool)
    _check_pairs(points, out)
    return summarize(counts(points[~out]), counts(points[out]), maximum)
