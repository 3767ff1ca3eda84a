"""Estimates of a reviewed game: arithmetic on given points, a known blunder in a real game, the same bytes twice."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hanasolve.errors import LimitReached, NotationError, UnsupportedVariant
from hanasolve.hanabi.game.records import Action, Replay
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.notation.replay_url import parse_url
from hanasolve.hanabi.notation.source import read_source
from hanasolve.hanabi.ranking.hidden_hands.viewpoint import Viewpoint
from hanasolve.hanabi.ranking.known_deck.hindsight import Fall
from hanasolve.hanabi.ranking.review import knowable_values as estimates
from hanasolve.hanabi.ranking.review.game_review import ReviewOptions, Turn, review
from hanasolve.hanabi.ranking.review.grades import Grade
from hanasolve.hanabi.ranking.review.knowable_values import Estimator, MoveEstimate, TurnEstimate
from hanasolve.limits import Limit

ROOT = Path(__file__).parents[2]
GAMES = json.loads((ROOT / "tests" / "data" / "hanab_live" / "replays.json").read_text())["games"]
LINK = next(game["compact"] for game in GAMES if "compact" in game)


def smart_game(turns: int) -> Replay:
    """The first turns of a game that `smart` played."""
    game = next(read_source(str(ROOT / "scenarios" / "game-smart-p3v0s2.json"))).record
    assert isinstance(game, Replay)
    return dataclasses.replace(game, actions=game.actions[:turns])


def test_a_real_game_with_a_known_blunder() -> None:
    """Recorded game: 24 of 25. On the last turn (50) Bob, who can know his r5, clues instead of playing it."""
    found = review(parse_url(LINK), options=ReviewOptions(convention="smart", rollouts=40))
    last = found.turns[49]
    assert last.estimate is not None and last.fall.loss == 1 and found.lost_at == 50
    assert (last.grade, last.knowable) == ("blunder", True)
    assert (last.estimate.best.win, last.estimate.played.win) == (1, 0)
    assert last.estimate.best.text == "play slot 1"  # as its holder may say it
    assert "blunder: win chance -1.00 ± 0.00" in last.estimate.verdict
    bob = found.players[1]
    assert bob.grades is not None and bob.grades["blunder"] >= 1
    assert bob.accuracy is not None and bob.accuracy.moves <= bob.turns
    losses = [t.estimate.grade.win_loss for t in found.turns if t.fall.seat == 1 and t.estimate]
    choices = [t.estimate.choices for t in found.turns if t.fall.seat == 1 and t.estimate]
    kept = [min(loss, 0.3) for loss, count in zip(losses, choices, strict=True) if count > 1]
    assert bob.accuracy.value == pytest.approx(100 * (1 - sum(kept) / len(kept) / 0.3))
    assert found.estimate_assumes is not None and "the table played otherwise" in found.estimate_assumes
    assert all(turn.grade is None for turn in found.turns if turn.estimate and not turn.estimate.grade.separable)


def test_a_conventions_own_game_twice() -> None:
    game = smart_game(12)
    found = list(Estimator(game, "smart", 60, 5, Limit()).turns())
    assert [one.number for one in found] == list(range(1, 13))
    assert all(one.grade.forced and one.filtered and one.target == 25 for one in found)
    for one in found:
        assert one.grade.win_loss == pytest.approx(max(0.0, one.best.win - one.played.win))
        assert (one.best == one.played) == (one.grade.loss == 0)
    assert list(Estimator(game, "smart", 60, 5, Limit()).turns()) == found
    assert list(Estimator(game, "smart", 60, 6, Limit()).turns()) != found
    wins = [one for one in found if one.verdict and one.grade.word]
    assert all("forced" in one.verdict for one in wins)


def test_the_paired_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Points that are given: the first legal move is better than the one played on 3 of 10 deals, worse on none."""
    given = {True: [25, 25, 25, 25, 20, 20, 20, 20, 20, 20], False: [20, 25, 20, 20, 20, 20, 20, 20, 20, 20]}
    game = smart_game(1)
    kind, order = game.actions[0].type, 0
    assert kind > 1

    def play(self: Viewpoint, codes: Any, count: int, budget: Any) -> Any:
        columns = [np.resize(given[code == order << 8], count) for code in codes]  # play of the oldest card
        return np.array(columns, np.int16).T

    monkeypatch.setattr(Viewpoint, "play", play)
    (one,) = Estimator(game, "smart", 50, 0, Limit()).turns()  # 2 candidates on 10 fresh deals
    assert one.deals == 10 and one.best.text == "play slot 5"
    assert (one.best.win, one.played.win) == (0.4, 0.1)
    differences = np.array([1, 0, 1, 1, 0, 0, 0, 0, 0, 0])
    se = differences.std(ddof=1) / np.sqrt(10)
    assert one.grade.loss == pytest.approx(0.3) and one.grade.se == pytest.approx(se)
    assert (one.grade.word, one.grade.separable) == (None, False)  # 0.3 is not more than 2 x 0.153
    assert one.best.score == 22 and one.best.se_score == pytest.approx(np.std(given[True], ddof=1) / np.sqrt(10))


def estimated(grade: str | None, separable: bool = True) -> TurnEstimate:
    value = MoveEstimate(Action(0, 0), "play slot 1", 0.5, 0.01, 20.0, 0.1)
    loss = 0.2 if grade or not separable else 0.0
    judgement = Grade("win", loss, 0.01 if separable else 0.2, loss, grade, separable)
    return TurnEstimate(1, value, value, judgement, None, 9, 100, 25, True, "")


@pytest.mark.parametrize(
    ("fell", "one", "knowable"),
    [
        (1, None, None),
        (0, estimated(None), None),
        (1, estimated(None), False),
        (1, estimated(None, separable=False), None),
        (1, estimated("mistake"), True),
        (0, estimated("mistake"), True),
    ],
)
def test_knowable(fell: int, one: TurnEstimate | None, knowable: bool | None) -> None:
    turn = Turn(Fall(1, 0, Action(0, 0), "play r1 (slot 1)", 25, 25 - fell), one)
    assert turn.knowable is knowable
    assert turn.grade == (one.grade.word if one else None)


def test_what_is_refused_and_limits() -> None:
    game = smart_game(3)
    with pytest.raises(NotationError, match="sees the own hand"):
        review(game, options=ReviewOptions(convention="cheat"))
    with pytest.raises(UnsupportedVariant, match="does not know the suits"):
        Estimator(dataclasses.replace(game, variant=load_variant("Rainbow (5 Suits)")), "smart", 10, 0, Limit())
    with pytest.raises(LimitReached):
        list(Estimator(game, "smart", 10_000, 0, Limit(seconds=0.01)).turns())


def test_ctrl_c_keeps_the_estimates_that_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    real = estimates.rank_hidden

    def stop(table: Any, **options: Any) -> Any:
        if int(table.game["turn"]) == 2:
            raise KeyboardInterrupt
        return real(table, **options)

    monkeypatch.setattr(estimates, "rank_hidden", stop)
    found = review(smart_game(5), options=ReviewOptions(convention="smart", rollouts=30))
    assert found.interrupted and len(found.turns) == 5
    assert [turn.estimate is not None for turn in found.turns] == [True, True, False, False, False]
