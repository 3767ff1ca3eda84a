"""From games to reported numbers: fixed tables of the statistics contract, ranking, the sequential test."""

from __future__ import annotations

import math

import pytest

from hanasolve.batch.running_scores import RunningScores, Until, parse_until, running_means
from hanasolve.errors import NotationError
from tests.batch.tables import compared, rows

A = [21, 23, 25, 19, 24, 22, 20, 25, 18, 23]  # worked example S3 of the statistics contract
B = [22, 23, 25, 21, 24, 21, 22, 25, 20, 24]


def test_pairs_give_the_worked_example() -> None:
    found = compared({"a": A, "b": B})
    pair = found.pairs[0].paired
    assert (pair.mean_a, pair.mean_b, pair.difference) == pytest.approx((22.0, 22.7, 0.7))
    assert pair.se == pytest.approx(0.334996, abs=1e-6)
    assert (pair.low, pair.high) == pytest.approx((-0.057813, 1.457813), abs=1e-6)
    assert (pair.correlation, pair.variance_ratio) == pytest.approx((0.924171, 0.123021), abs=1e-6)


def test_few_games_have_no_interval_and_no_verdict() -> None:
    found = compared({"a": A, "b": B})
    assert not found.has_intervals and found.group is None and found.pairs[0].p_holm is None
    assert found.pairs[0].verdict == "too few games (fewer than 30)"
    assert found.results[0].scores == tuple(A)


def test_both_scorings_give_the_worked_example() -> None:
    scores = [25] * 12 + [24] * 20 + [23] * 30 + [22] * 18 + [20] * 10 + [14] * 10  # S2
    found = compared({"a": scores}, {"a": range(90, 100)})
    summary = found.results[0].summary
    assert (summary.keep.mean, summary.keep.se) == pytest.approx((22.06, 0.301116), abs=1e-6)
    assert (summary.zero.mean, summary.zero.se) == pytest.approx((20.66, 0.704849), abs=1e-6)
    assert found.results[0].struck[14] == 10 and sum(found.results[0].struck) == 10
    assert (summary.perfect, summary.strikeouts, found.results[0].turns) == (12, 10, 60.5)


def test_the_scoring_decides_what_a_strike_out_costs() -> None:
    scores = {"a": [20, 22] * 20, "b": [21, 23] * 20}
    struck = {"b": range(20)}
    assert compared(scores, struck, "keep").pairs[0].verdict == "b is better"
    assert compared(scores, struck, "zero").pairs[0].verdict == "a is better"
    assert compared(scores, struck, "zero").results[1].worst[0] == ("p3v0s1", 0)
    assert compared(scores, struck, "keep").results[1].worst[0] == ("p3v0s1", 21)


def test_open_hands_are_not_ranked() -> None:
    scores = {"a": [20, 22] * 20, "b": [21, 23] * 20, "cheat": [24, 25] * 20}
    found = compared(scores, open_hands=["cheat"])
    assert found.group is not None and found.group.members == ("b",)
    verdicts = {(pair.a, pair.b): pair for pair in found.pairs}
    assert verdicts["a", "b"].verdict == "b is better"
    assert verdicts["a", "cheat"].verdict == "not ranked (cheat: open hands: ideal communication)"
    assert verdicts["a", "cheat"].p_holm is None and verdicts["a", "cheat"].paired.difference == 3.5


def test_p_values_are_adjusted_over_all_pairs() -> None:
    scores = {"a": [20, 22, 21] * 20, "b": [22, 20, 21] * 20, "c": [21, 21, 22] * 20}
    pairs = compared(scores).pairs
    raw = sorted(pair.paired.p for pair in pairs)
    least = next(pair for pair in pairs if pair.paired.p == raw[0])
    assert least.p_holm == pytest.approx(3 * raw[0])
    for pair in pairs:
        assert pair.p_holm is not None and pair.p_holm >= pair.paired.p
        assert (pair.verdict == "not separable") == (pair.p_holm >= 0.05)


def test_mcnemar_counts_perfect_games_of_one_side_only() -> None:
    found = compared({"a": [25] * 10 + [20] * 30, "b": [25] * 4 + [20] * 30 + [25] * 6})
    assert (found.pairs[0].mcnemar.b, found.pairs[0].mcnemar.c) == (6, 6)
    assert found.pairs[0].perfect.difference == 0


def test_the_worst_and_the_most_different_games_are_named() -> None:
    found = compared({"a": [20, 3, 22, 25] * 8, "b": [20, 20, 4, 25] * 8})
    assert found.results[0].worst[:2] == (("p3v0s2", 3), ("p3v0s6", 3))
    assert found.pairs[0].different[0] == ("p3v0s3", 22, 4)
    same = compared({"a": [20] * 30, "b": [20] * 30})
    assert same.pairs[0].different == () and same.pairs[0].verdict == "not separable"
    assert math.isnan(same.pairs[0].paired.correlation)


# ----------------------------------------------------------------------------------- sequential test


def spread(counts: dict[int, int]) -> dict[str, list[int]]:
    """Scores whose differences B - A have these counts, well mixed."""
    differences = [d for d, games in counts.items() for _ in range(games)]
    order = sorted(range(len(differences)), key=lambda i: i * 7919 % len(differences))
    return {"a": [12] * len(differences), "b": [12 + differences[i] for i in order]}


def test_the_sequential_test_gives_the_fixed_table() -> None:
    counts = {-2: 10, -1: 60, 0: 500, 1: 80, 2: 20}  # G1: go on
    found = compared(spread(counts), until=Until(max_games=670))
    assert found.test is not None and found.games == 670
    assert found.test.llr == pytest.approx(1.729043, abs=1e-6)
    assert found.test.decision == "undecided" and found.interval_label == ""


def test_the_sequential_test_stops_at_a_hundred() -> None:
    scores = spread({-1: 300, 0: 900, 1: 250})  # G5 decides for H0 before its end
    running = RunningScores(["a", "b"], until=Until(0, 0.05, max_games=5000))
    assert running.take(rows(scores)) is True
    assert running.games % 100 == 0 and 200 <= running.games < 1450
    assert running.test is not None and running.test.decision == "accept H0"
    found = compared(scores, until=Until(0, 0.05))
    assert found.interval_label == "after sequential stop: biased away from 0"


@pytest.mark.parametrize("size", [1, 10, 100])
def test_the_stop_does_not_depend_on_the_chunks(size: int) -> None:
    scores = spread({-1: 200, 0: 600, 1: 700})
    running = RunningScores(["a", "b"], until=Until(0, 0.1))
    games = rows(scores)
    for start in range(0, len(games), 2 * size):
        if running.take(games[start : start + 2 * size]):
            break
    assert running.games == 200 and running.test is not None and running.test.decision == "accept H1"


def test_the_options_of_the_test_are_read() -> None:
    assert parse_until("d0=0, d1=0.2,alpha=0.01", 500) == Until(0.0, 0.2, 0.01, 0.05, 500)
    assert parse_until("", 10) == Until(max_games=10)
    for text, message in [
        ("d2=1", "found 'd2=1', expected d0=, d1=, alpha= or beta="),
        ("d1=much", "expected a number after d1="),
        ("d0=1,d1=1", "expected d0 < d1"),
        ("alpha=0.7,beta=0.6", "alpha, beta > 0"),
    ]:
        with pytest.raises(NotationError, match=message):
            parse_until(text, 10)
    with pytest.raises(NotationError, match="compares two conventions, found 3"):
        RunningScores(["a", "b", "c"], until=Until())


# -------------------------------------------------------------------------------------- interruptions


def test_a_game_left_incomplete_is_dropped() -> None:
    running = RunningScores(["a", "b"])
    running.take(rows({"a": [20, 21, 22], "b": [19, 20, 21]})[:-1])
    running.scores["a"].keep.append(9)
    running.drop_unfinished()
    assert running.games == 2 and running.scores["a"].points("keep").tolist() == [20, 21]
    assert running.estimate() == "a 20.50 ± 0.50 · b 19.50 ± 0.50"


def test_times_count_only_the_games_that_were_played() -> None:
    running = RunningScores(["a"])
    games = rows({"a": [20] * 40})
    running.take(games[:20])
    games[20]["cpu"] = 0.5
    running.take(games[20:])
    assert (running.scores["a"].cpu, running.scores["a"].timed, running.games) == (0.5, 20, 40)


def test_running_means_end_at_the_mean() -> None:
    import numpy as np

    from hanasolve import stats

    values = np.array([3, 5, 8, 1, 9, 4, 4, 7, 2, 6, 5, 3])
    curve = running_means(values)
    assert vars(curve[-1]) == pytest.approx(vars(stats.mean_se(values)))
    assert vars(curve[0]) == pytest.approx(vars(stats.mean_se(values[:10])))
    assert running_means(values[:1]) == []
