"""Statistics against fixed tables, against SciPy and against simulation.

``tests/data/statistics.json`` holds worked examples computed elsewhere: Wilson, McNemar, Holm, pairs, the
group of the best, and seven sequential tests G1 to G7.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from hanasolve import sequential, stats

TABLES: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "statistics.json").read_text())
TOLERANCE = 1e-6

scores = st.lists(st.integers(0, 25), min_size=2, max_size=60)
score_pairs = st.lists(st.tuples(st.integers(0, 25), st.integers(0, 25)), min_size=2, max_size=60)


def close(expected: float) -> Any:
    return pytest.approx(expected, abs=TOLERANCE, rel=0)


# -------------------------------------------------------------------------------------------- means


@given(scores)
def test_mean_se_equals_scipy(values: list[int]) -> None:
    result = stats.mean_se(values)
    assert result.n == len(values)
    assert result.mean == pytest.approx(np.mean(values))
    assert result.sd == pytest.approx(np.std(values, ddof=1))
    assert result.se == pytest.approx(scipy.stats.sem(values))


def test_a_single_value_has_no_spread() -> None:
    result = stats.mean_se([7])
    assert (result.n, result.mean) == (1, 7.0)
    assert math.isnan(result.sd) and math.isnan(result.se)
    assert all(map(math.isnan, stats.t_interval(7.0, result.se, 1)))


def test_constants_have_exactly_no_spread() -> None:
    assert stats.mean_se([0.1] * 7).sd == 0.0


@pytest.mark.parametrize("values", [[], [[1, 2], [3, 4]]])
def test_means_need_a_list_of_values(values: Any) -> None:
    with pytest.raises(ValueError, match="non-empty list of numbers"):
        stats.mean_se(values)


@given(scores, st.sampled_from([0.8, 0.95, 0.99]))
def test_t_interval_equals_scipy(values: list[int], confidence: float) -> None:
    assume(len(set(values)) > 1)
    result = stats.mean_se(values)
    expected = scipy.stats.t.interval(confidence, len(values) - 1, np.mean(values), scipy.stats.sem(values))
    interval = stats.t_interval(result.mean, result.se, result.n, confidence)
    assert interval == pytest.approx(tuple(expected), rel=1e-9, abs=1e-9)


def test_t_quantile_of_the_worked_example() -> None:
    assert stats.t_quantile(0.975, 10) == close(2.262157)


def test_tolerance() -> None:
    assert stats.tolerance(1.34, 1000, 10_000) == pytest.approx(0.133, abs=5e-4)  # worked example S8
    # reference tables: simple, 2 players (20,000 games); rates 0 % (10,000 games)
    assert stats.tolerance(2.806, 20_000, 10_000) == pytest.approx(0.103, abs=5e-4)
    assert 100 * stats.rate_tolerance(0.0, 10_000, 10_000) == pytest.approx(0.095, abs=5e-4)
    assert stats.rate_tolerance(1.0, 500, 900) == pytest.approx(stats.rate_tolerance(0.0, 500, 900))


# -------------------------------------------------------------------------------------------- rates


@pytest.mark.parametrize("case", TABLES["wilson"], ids=lambda case: f"{case['k']} of {case['n']}")
def test_wilson_tables(case: dict[str, float]) -> None:
    low, high = stats.wilson(int(case["k"]), int(case["n"]))
    assert low == close(case["low"])
    assert high == close(case["high"])


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_equals_scipy_and_stays_in_range(case: tuple[int, int]) -> None:
    k, n = case
    low, high = stats.wilson(k, n)
    expected = scipy.stats.binomtest(k, n).proportion_ci(0.95, "wilson")
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert 0 <= low <= k / n <= high <= 1
    assert stats.wilson(n - k, n) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@pytest.mark.parametrize(("k", "n"), [(0, 0), (-1, 5), (6, 5)])
def test_wilson_refuses_impossible_counts(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="successes"):
        stats.wilson(k, n)


@pytest.mark.parametrize("case", TABLES["mcnemar"], ids=lambda case: f"{case['b']}-{case['c']}")
def test_mcnemar_tables(case: dict[str, float]) -> None:
    result = stats.mcnemar(int(case["b"]), int(case["c"]))
    assert result.exact_p == close(case["exact_p"])
    assert result.chi_square == close(case["chi2"])


@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_equals_scipy(b: int, c: int) -> None:
    assume(b + c > 0)
    result = stats.mcnemar(b, c)
    assert result.exact_p == pytest.approx(scipy.stats.binomtest(b, b + c).pvalue, rel=1e-9)
    half = 0.5 * scipy.stats.binom.pmf(min(b, c), b + c, 0.5)
    mid = 2 * (scipy.stats.binom.cdf(min(b, c), b + c, 0.5) - half)
    assert result.mid_p == pytest.approx(min(1.0, mid), rel=1e-6, abs=1e-15)
    assert result.mid_p <= result.exact_p <= 1
    assert result.exact_p == stats.mcnemar(c, b).exact_p


def test_perfect_rates_of_the_worked_example() -> None:
    case = TABLES["perfect_difference"]
    result = stats.paired_rates(case["b"], case["c"], case["n"])
    assert result.difference == close(case["difference"])
    assert result.se == close(case["se"])
    assert [result.low, result.high] == [close(end) for end in case["ci95"]]


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=200))
def test_paired_rates_equal_the_mean_of_differences(pairs: list[tuple[bool, bool]]) -> None:
    a, b = np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs])
    only_b, only_a = stats.discordant(a, b)
    result = stats.paired_rates(only_b, only_a, len(pairs))
    change = b.astype(int) - a.astype(int)
    assert result.difference == pytest.approx(change.mean())
    assert result.se == pytest.approx(change.std() / math.sqrt(len(pairs)), abs=1e-9)


@pytest.mark.parametrize(("b", "c", "n"), [(-1, 0, 5), (0, -1, 5), (3, 3, 5), (0, 0, 0)])
def test_paired_rates_refuse_impossible_counts(b: int, c: int, n: int) -> None:
    with pytest.raises(ValueError, match="b, c"):
        stats.paired_rates(b, c, n)
    if min(b, c) < 0:
        with pytest.raises(ValueError, match="counts of pairs"):
            stats.mcnemar(b, c)


# -------------------------------------------------------------------------------------------- pairs


def test_pairs_of_the_worked_example() -> None:
    case = TABLES["paired"]
    result = stats.paired(case["a"], case["b"])
    assert (result.n, result.mean_a, result.mean_b) == (10, close(22.0), close(22.7))
    for name in ("difference", "sd", "se", "p", "correlation", "variance_ratio"):
        assert getattr(result, name) == close(case[name]), name
    assert [result.low, result.high] == [close(end) for end in case["ci95"]]
    unpaired = math.hypot(stats.mean_se(case["a"]).se, stats.mean_se(case["b"]).se)
    assert unpaired == close(0.955103)


@given(score_pairs)
def test_pairs_equal_scipy(pairs: list[tuple[int, int]]) -> None:
    a, b = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assume(len(set(a)) > 1 and len(set(b)) > 1 and len({y - x for x, y in pairs}) > 1)
    result = stats.paired(a, b)
    expected = scipy.stats.ttest_rel(b, a)
    interval = expected.confidence_interval()
    assert result.p == pytest.approx(expected.pvalue, rel=1e-7, abs=1e-12)
    assert (result.low, result.high) == pytest.approx((interval.low, interval.high), rel=1e-7, abs=1e-9)
    assert result.correlation == pytest.approx(scipy.stats.pearsonr(a, b).statistic, abs=1e-9)
    # the ratio follows from the correlation: s^2(B-A) = s^2(A) + s^2(B) - 2 r s(A) s(B)
    sd_a, sd_b = np.std(a, ddof=1), np.std(b, ddof=1)
    ratio = 1 - 2 * result.correlation * sd_a * sd_b / (sd_a**2 + sd_b**2)
    assert result.variance_ratio == pytest.approx(ratio, abs=1e-9)
    swapped = stats.paired(b, a)
    assert (swapped.low, swapped.high) == pytest.approx((-result.high, -result.low))


def test_pairs_without_spread() -> None:
    same = stats.paired([20, 22, 25], [20, 22, 25])
    assert (same.difference, same.se, same.low, same.high, same.p) == (0, 0, 0, 0, 1)
    assert same.correlation == pytest.approx(1.0) and same.variance_ratio == 0
    shifted = stats.paired([20, 20, 20], [21, 21, 21])
    assert (shifted.low, shifted.high, shifted.p) == (1, 1, 0)
    assert math.isnan(shifted.correlation) and math.isnan(shifted.variance_ratio)
    single = stats.paired([20], [21])
    assert single.difference == 1
    assert all(map(math.isnan, (single.se, single.low, single.p, single.correlation, single.variance_ratio)))


def test_pairs_need_the_same_games() -> None:
    with pytest.raises(ValueError, match="found 2 and 3 games"):
        stats.paired([1, 2], [1, 2, 3])


def test_holm_table() -> None:
    case = TABLES["holm"]
    assert stats.holm(case["p"]) == [close(p) for p in case["adjusted"]]
    shuffled = [case["p"][index] for index in (3, 0, 4, 2, 1)]
    assert stats.holm(shuffled) == [close(case["adjusted"][index]) for index in (3, 0, 4, 2, 1)]


@given(st.lists(st.floats(0, 1), max_size=12), st.floats(0.001, 0.5))
def test_holm_rejects_what_the_step_down_procedure_rejects(p_values: list[float], alpha: float) -> None:
    adjusted = stats.holm(p_values)
    rejected: set[int] = set()
    for index in sorted(range(len(p_values)), key=p_values.__getitem__):
        if min(1.0, (len(p_values) - len(rejected)) * p_values[index]) > alpha:
            break
        rejected.add(index)
    assert {index for index, p in enumerate(adjusted) if p <= alpha} == rejected
    assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))


@pytest.mark.parametrize("p", [-0.1, 1.1, math.nan])
def test_holm_refuses_what_is_no_p_value(p: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        stats.holm([0.5, p])


def test_group_of_the_worked_example() -> None:
    case = TABLES["group"]
    se = {(pair[0], pair[1]): value for pair, value in case["se"].items()}
    result = stats.group_of_means(case["means"], se, case["n"], case["alpha"])
    assert result.c == close(case["c"])
    assert result.least == {name: close(value) for name, value in case["least"].items()}
    assert list(result.members) == case["group"]


@given(st.lists(st.lists(st.integers(0, 25), min_size=30, max_size=30), min_size=1, max_size=4))
def test_group_from_scores(rows: list[list[int]]) -> None:
    by_name = {f"convention {index}": row for index, row in enumerate(rows)}
    result = stats.not_separable_group(by_name)
    means = {name: float(np.mean(row)) for name, row in by_name.items()}
    assert max(means, key=means.__getitem__) in result.members
    for name in by_name:
        reasons = []
        for other in by_name:
            difference = np.subtract(by_name[other], by_name[name])
            reasons.append(difference.mean() > result.c * difference.std(ddof=1) / math.sqrt(30) + 1e-9)
        if any(reasons):
            assert name not in result.members
        elif result.least[name] > 1e-9:
            assert name in result.members


def test_group_of_one_and_of_single_games() -> None:
    assert stats.not_separable_group({"only": [1, 2, 3]}).members == ("only",)
    assert stats.not_separable_group({"a": [25], "b": [3]}).members == ("a", "b")
    with pytest.raises(ValueError, match="at least one convention"):
        stats.not_separable_group({})


# --------------------------------------------------------------------------------------- histograms


def test_both_scorings_of_the_worked_example() -> None:
    # worked example S2
    result = stats.summarize({25: 12, 24: 20, 23: 30, 22: 18, 20: 10}, {14: 10}, 25)
    assert (result.n, result.minimum, result.perfect, result.strikeouts) == (100, 14, 12, 10)
    assert (result.keep.mean, result.keep.sd, result.keep.se) == (
        close(22.06),
        close(3.011158),
        close(0.301116),
    )
    assert (result.zero.mean, result.zero.sd, result.zero.se) == (
        close(20.66),
        close(7.048490),
        close(0.704849),
    )
    assert result.perfect_interval == stats.wilson(12, 100)
    assert result.strikeout_interval == stats.wilson(10, 100)
    assert result.histogram == (0,) * 14 + (10, 0, 0, 0, 0, 0, 10, 0, 18, 30, 20, 12)


@given(st.lists(st.tuples(st.integers(0, 24), st.booleans()), min_size=2, max_size=80), st.integers(0, 9))
def test_summary_equals_the_statistics_of_the_games(games: list[tuple[int, bool]], perfect: int) -> None:
    points = [score for score, _ in games] + [25] * perfect
    out = [mark for _, mark in games] + [False] * perfect
    result = stats.summarize_scores(points, out, 25)
    zeroed = [0 if mark else score for score, mark in zip(points, out, strict=True)]
    for found, values in ((result.keep, points), (result.zero, zeroed)):
        expected = stats.mean_se(values)
        assert found.n == expected.n
        assert (found.mean, found.sd, found.se) == pytest.approx((expected.mean, expected.sd, expected.se))
    assert result.perfect == perfect and result.strikeouts == sum(out)
    assert (result.perfect_rate, result.strikeout_rate) == (perfect / len(points), sum(out) / len(points))
    assert sum(result.histogram) == len(points) and result.minimum == min(points)
    assert [result.histogram[score] for score in points] == [points.count(score) for score in points]


def test_one_game_has_a_mean_only() -> None:
    result = stats.mean_se_of_counts({17: 1})
    assert result.mean == 17 and math.isnan(result.sd)


@pytest.mark.parametrize(
    ("finished", "struck_out"),
    [({}, {}), ({26: 1}, {}), ({-1: 1}, {}), ({}, {30: 2}), ({3: 0}, {}), ({3: -1}, {})],
)
def test_summary_refuses_impossible_histograms(finished: dict[int, int], struck_out: dict[int, int]) -> None:
    with pytest.raises(ValueError, match="expected"):
        stats.summarize(finished, struck_out, 25)


# --------------------------------------------------------------------------------- sequential test

whole_differences = st.dictionaries(st.integers(-25, 25), st.integers(1, 500), min_size=3, max_size=12)


def table_counts(case: dict[str, Any]) -> dict[int, int]:
    return {int(difference): games for difference, games in case["counts"].items()}


@pytest.mark.parametrize("case", TABLES["gsprt"], ids=lambda case: case["id"])
def test_gsprt_tables(case: dict[str, Any]) -> None:
    result = sequential.gsprt(table_counts(case), case["d0"], case["d1"], case["alpha"], case["beta"])
    assert result.n == case["n"]
    assert result.mean == close(case["mean"])
    assert result.variance == close(case["variance_n"])
    assert result.llr == close(case["llr"])
    assert result.approximation == close(case["llr_approximation"])
    assert result.decision == case["decision"]
    assert (result.lower, result.upper) == (close(-2.944439), close(2.944439))


def naive_log_likelihood(counts: dict[int, int], mean: float) -> float:
    """Owen's dual: minus the maximum over l of sum ln(1 + l(a - mean)), by SciPy's bounded search."""
    values, games = np.array(list(counts)), np.array(list(counts.values()))
    low, high = -1 / (values.max() - mean), 1 / (mean - values.min())
    found = scipy.optimize.minimize_scalar(
        lambda multiplier: -np.sum(games * np.log1p(multiplier * (values - mean))),
        bounds=(low * (1 - 1e-12), high * (1 - 1e-12)),
        method="bounded",
        options={"xatol": 1e-12, "maxiter": 2000},
    )
    return float(found.fun)


@given(whole_differences, st.floats(0.02, 0.98), st.floats(0.02, 0.98))
def test_gsprt_equals_the_dual_problem(counts: dict[int, int], first: float, second: float) -> None:
    assume(abs(first - second) > 1e-3)
    least, most = min(counts), max(counts)
    d0, d1 = sorted(least + share * (most - least) for share in (first, second))
    expected = naive_log_likelihood(counts, d1) - naive_log_likelihood(counts, d0)
    assert sequential.gsprt_llr(counts, d0, d1) == pytest.approx(expected, rel=1e-6, abs=1e-5)


def test_gsprt_equals_the_likeliest_distribution_found_directly() -> None:
    """Without the dual: maximise sum w ln p over distributions p with the given mean."""
    counts = {-2: 10, -1: 60, 0: 500, 1: 80, 2: 20}  # G1
    values, games = np.array(list(counts)), np.array(list(counts.values()))

    def best(mean: float) -> float:
        found = scipy.optimize.minimize(
            lambda p: -np.sum(games / games.sum() * np.log(p)),
            np.full(len(values), 1 / len(values)),
            bounds=[(1e-9, 1)] * len(values),
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "eq", "fun": lambda p: p @ values - mean},
            ],
            options={"ftol": 1e-15, "maxiter": 1000},
        )
        return -float(found.fun) * float(games.sum())

    assert sequential.gsprt_llr(counts, 0.0, 0.1) == pytest.approx(best(0.1) - best(0.0), abs=1e-3)


@given(whole_differences, st.floats(-3, 3), st.floats(0.05, 2), st.integers(-5, 5))
def test_gsprt_mirrors_and_shifts(counts: dict[int, int], d0: float, gap: float, shift: int) -> None:
    d1 = d0 + gap
    llr = sequential.gsprt_llr(counts, d0, d1)
    assume(not math.isnan(llr))
    mirrored = {-difference: games for difference, games in counts.items()}
    assert sequential.gsprt_llr(mirrored, -d1, -d0) == pytest.approx(-llr, rel=1e-7, abs=1e-7)
    moved = {difference + shift: games for difference, games in counts.items()}
    inside = min(moved) < d0 + shift and d1 + shift < max(moved)
    if inside:
        assert sequential.gsprt_llr(moved, d0 + shift, d1 + shift) == pytest.approx(llr, rel=1e-6, abs=1e-6)
    doubled = {difference: 2 * games for difference, games in counts.items()}
    assert sequential.gsprt_llr(doubled, d0, d1) == pytest.approx(2 * llr, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("counts", [{0: 500}, {0: 400, 1: 100}, {-1: 100, 0: 400}, {-1: 5, 0: 5, 1: 0}])
def test_gsprt_waits_until_both_hypotheses_lie_inside_what_was_seen(counts: dict[int, int]) -> None:
    result = sequential.gsprt(counts)
    assert math.isnan(result.llr) and result.decision == sequential.GO_ON


def test_gsprt_waits_for_200_pairs_and_ends_undecided() -> None:
    early = {-1: 10, 0: 20, 1: 150}
    assert sequential.gsprt(early).llr > sequential.gsprt_bounds()[1]
    assert sequential.gsprt(early).decision == sequential.GO_ON
    assert sequential.gsprt({-1: 150, 0: 20, 1: 10}).llr < sequential.gsprt_bounds()[0]
    assert sequential.gsprt({-1: 150, 0: 20, 1: 10}).decision == sequential.GO_ON
    assert sequential.gsprt({-1: 300, 0: 40, 1: 20}).decision == sequential.ACCEPT_H0
    assert sequential.gsprt({-1: 20, 0: 40, 1: 300}).decision == sequential.ACCEPT_H1
    open_case = table_counts(TABLES["gsprt"][0])
    assert sequential.gsprt(open_case, max_pairs=671).decision == sequential.GO_ON
    assert sequential.gsprt(open_case, max_pairs=670).decision == sequential.UNDECIDED
    assert [n for n in range(0, 501) if sequential.gsprt_due(n)] == [200, 300, 400, 500]


def test_gsprt_ignores_empty_classes_and_refuses_nonsense() -> None:
    counts = table_counts(TABLES["gsprt"][0])
    assert sequential.gsprt_llr({**counts, 25: 0, -25: 0}, 0, 0.1) == sequential.gsprt_llr(counts, 0, 0.1)
    with pytest.raises(ValueError, match="d0 < d1"):
        sequential.gsprt(counts, 0.1, 0.1)
    with pytest.raises(ValueError, match="alpha"):
        sequential.gsprt(counts, alpha=0.0)
    with pytest.raises(ValueError, match="at least one game"):
        sequential.gsprt({})


# ---------------------------------------------------------------------------------------- coverage
#
# Simulated games with known means: how often does an interval hold the truth? Seeded, so a run cannot fail by
# chance; the bounds are three binomial standard errors around what the theory says.

SHARES = np.array([0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.3, 0.2])  # of the scores 18 to 25
POINTS = np.arange(18, 26)
RUNS = 4000
THREE_SE = 3 * math.sqrt(0.95 * 0.05 / RUNS)


def test_t_interval_covers_the_mean() -> None:
    rng = np.random.default_rng(1)
    truth = float(POINTS @ SHARES)
    games = rng.choice(POINTS, size=(RUNS, 200), p=SHARES)
    hits = 0
    for row in games:
        result = stats.mean_se(row)
        low, high = stats.t_interval(result.mean, result.se, result.n)
        hits += low <= truth <= high
    assert hits / RUNS == pytest.approx(0.95, abs=THREE_SE)


def test_paired_interval_covers_the_difference_and_its_p_is_uniform() -> None:
    rng = np.random.default_rng(2)
    deck = rng.choice(POINTS, size=(RUNS, 200), p=SHARES)
    a, b = deck - rng.integers(0, 4, deck.shape), deck - rng.integers(0, 4, deck.shape)
    results = [stats.paired(first, second) for first, second in zip(a, b, strict=True)]
    assert np.mean([r.low <= 0 <= r.high for r in results]) == pytest.approx(0.95, abs=THREE_SE)
    assert np.mean([r.p <= 0.05 for r in results]) == pytest.approx(0.05, abs=THREE_SE)
    assert np.mean([r.variance_ratio for r in results]) < 0.5  # 2 * 1.25 / (2 * (1.25 + deck's variance))


@pytest.mark.parametrize("rate", [0.01, 0.15, 0.5, 0.85])
def test_wilson_covers_the_rate(rate: float) -> None:
    """Exactly, by summing the binomial distribution: coverage near 95 % although counts are whole numbers."""
    n = 1000
    covered = [low <= rate <= high for low, high in (stats.wilson(k, n) for k in range(n + 1))]
    coverage = scipy.stats.binom.pmf(np.arange(n + 1), n, rate) @ np.array(covered)
    assert 0.94 <= coverage <= 0.97


def test_exact_mcnemar_keeps_its_level() -> None:
    """Exactly, over all splits of 60 discordant pairs: rejections at 5 % in at most 5 % of the cases."""
    weights = scipy.stats.binom.pmf(np.arange(61), 60, 0.5)
    results = [stats.mcnemar(b, 60 - b) for b in range(61)]
    assert weights @ np.array([r.exact_p <= 0.05 for r in results]) <= 0.05
    assert 0.03 <= weights @ np.array([r.mid_p <= 0.05 for r in results]) <= 0.06


def test_group_holds_the_true_best() -> None:
    """Three equal best conventions (the worst case) and a clearly worse one; each best one is a true best."""
    rng = np.random.default_rng(3)
    runs, held, worse = 1000, 0, 0
    for _ in range(runs):
        deck = rng.choice(POINTS, size=200, p=SHARES)
        games = {name: deck - rng.integers(0, 3, 200) for name in "abc"}
        group = stats.not_separable_group({**games, "d": deck - 2}).members
        held += "a" in group
        worse += "d" in group
    assert held / runs >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / runs)
    assert worse == 0


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, sequential.ACCEPT_H1), (0.1, sequential.ACCEPT_H0)])
def test_gsprt_keeps_its_error_rates(truth: float, wrong: str) -> None:
    rng = np.random.default_rng(4)
    values = np.array([-2, -1, 0, 1, 2])
    base = np.array([0.03, 0.12, 0.7, 0.12, 0.03])
    shares = base + truth / 2 * np.array([0, -1, 0, 1, 0])  # moves the mean by truth
    runs, errors, undecided = 300, 0, 0
    for _ in range(runs):
        counts = dict.fromkeys(values.tolist(), 0)
        decision = sequential.GO_ON
        while decision == sequential.GO_ON:
            for value, games in zip(counts, rng.multinomial(sequential.GSPRT_BATCH, shares), strict=True):
                counts[value] += int(games)
            if sequential.gsprt_due(sum(counts.values())):
                decision = sequential.gsprt(counts, 0.0, 0.1, max_pairs=20_000).decision
        errors += decision == wrong
        undecided += decision == sequential.UNDECIDED
    assert undecided == 0
    assert errors / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
