"""``hanasolve review``: fields, text, exit codes, bad input."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanasolve import api
from hanasolve.hanabi.game.records import Replay
from hanasolve.hanabi.notation.replay_url import format_url, parse_url

ROOT = Path(__file__).parents[2]
GAMES = json.loads((ROOT / "tests" / "data" / "hanab_live" / "replays.json").read_text())["games"]
LINK = next(game["compact"] for game in GAMES if "compact" in game)
FIELDS = {"turns", "lost_at", "saving_line_url", "players", "agreement"}
TURN_FIELDS = {
    "turn", "player", "action", "text", "max_before", "max_after", "open_win_before", "open_win_after",
    "estimate_before", "estimate_after", "grade", "knowable", "better",
}  # fmt: skip

Run = Callable[..., Any]


def test_fields(run: Run) -> None:
    answer = run("review", LINK, "--json", "--quiet")
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)
    assert found["schema"] == "hanasolve.review/1" and set(found) >= FIELDS
    assert all(set(turn) >= {*TURN_FIELDS, "why"} for turn in found["turns"])
    assert found["turns"][0]["open_win_before"] is None  # beyond the budget
    assert (found["maximum"], found["score"], found["lost_at"]) == (25, 24, 50)
    lost = found["turns"][49]
    assert (lost["max_before"], lost["max_after"], lost["grade"]) == (25, 24, None)  # hindsight gives no grade
    assert [(move["text"], move["basis"]) for move in lost["better"]] == [("play r5 (slot 1)", "hindsight")]
    assert (lost["open_win_before"], lost["open_win_after"]) == (1.0, 0.0)
    assert lost["estimate_before"] is lost["knowable"] is None
    assert found["agreement"] is None and found["convention"] is None
    assert found["players"][1]["points_lost"] == 1 and found["players"][0]["points_lost"] == 0
    assert found["saving_line_url"].endswith("#50") and "hindsight" in found["assumes"]


def test_text(run: Run) -> None:
    answer = run("review", LINK, "--quiet")
    assert answer.code == 0
    assert "lost at turn 50 by Bob" in answer.out and "25 -> 24" in answer.out
    assert "deck known" in answer.out and "points lost" in answer.out


def test_agreement(run: Run) -> None:
    """A game that `smart` played: it would have done the same at every turn."""
    game = str(ROOT / "scenarios" / "game-smart-p3v0s2.json")
    answer = run("review", game, "--agreement", "simple,smart", "--json", "--open-states", "0")
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)["agreement"]
    assert [one["name"] for one in found["conventions"]] == ["smart", "simple"] and found["left_out"] == []
    smart, simple = found["conventions"]
    assert (smart["same"], smart["turns"], smart["rate"], smart["high"]) == (60, 60, 1.0, 1.0)
    assert len(simple["choices"]) == 60 and sum(one["verdict"] == "same" for one in simple["choices"]) == simple["same"]
    assert sum(share["same"] for share in simple["players"]) == simple["same"] < 60
    text = run("review", game, "--agreement", "smart,cheat").out
    assert "100 %    94 to 100 %" in text and "not asked: cheat: it sees the own hand" in text


def test_estimates_under_a_convention(run: Run) -> None:
    """The first six turns of a recorded game, judged by what the players could know."""
    game = parse_url(LINK)
    link = format_url(dataclasses.replace(game, actions=game.actions[:6]))
    args = ("review", link, "--convention", "value", "--rollouts", "60", "--open-states", "0")
    answer = run(*args, "--json")
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)
    assert found["convention"] == "value" and "under value" in found["estimate_assumes"] and len(found["turns"]) == 6
    for turn in found["turns"]:
        one = turn["estimate"]
        assert 0 <= turn["estimate_after"] <= turn["estimate_before"] <= 1
        assert turn["estimate_before"] == one["win_best"] and one["se_win_best"] >= 0 and one["deals"] >= 12
        graded = turn["grade"] is not None
        assert turn["knowable"] in ((True,) if graded else (None, False))
        assert [move["basis"] for move in turn["better"] if move["basis"] == "knowable"] == ["knowable"] * graded
        assert not graded or (one["separable"] and one["loss"] > 2 * one["se_loss"])
    assert found["players"][0]["accuracy"] is None  # fewer than five moves
    assert run(*args, "--json").out == answer.out
    text = run(*args).out
    assert "by what the player" in text or not any(turn["grade"] for turn in found["turns"])
    assert "estimate: under value" in text and "accuracy" in text


def test_the_page_is_written(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    assert run("review", LINK, "--html", str(page), "--quiet").code == 0
    first = page.read_bytes()
    assert b"<title>" in first and run("review", LINK, "--html", str(page), "--quiet").code == 0
    assert page.read_bytes() == first


def test_a_limit_keeps_what_is_done(run: Run) -> None:
    """The deck of p5v0s2989 takes about two million states; this is one clue played with it."""
    table = api.load("p5v0s2989")
    clue = next(action for action in api.legal_actions(table) if action.type > 1)
    deck = tuple(int(card) for card in table.game["deck"][:50])
    link = format_url(Replay(table.variant, table.options, table.names, deck, (clue,)))
    answer = run("review", link, "--limit", "1000nodes", "--json")
    assert answer.code == 3 and json.loads(answer.out)["complete"] is False and "turns are done" in answer.err


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["p3v0s17"], "no action"),
        (["scenarios/puzzle-p15-hard-endgame.yaml"], "found a position"),
        (["p3v0s17", "--limit", "soon"], "--limit"),
        (["p3v0s17", "--rollouts", "3"], "--rollouts"),
        (["p3v0s17", "--open-states", "-1"], "--open-states"),
        (["scenarios/game-smart-p3v0s2.json", "--convention", "cheat"], "sees the own hand"),
        (["scenarios/game-smart-p3v0s2.json", "--agreement", "smrat"], "nearest: smart"),
        (["scenarios/game-smart-p3v0s2.json", "--agreement", "cox-information"], "is for 5 players, not 3"),
        (["scenarios/game-smart-p3v0s2.json", "--agreement", ","], "--agreement"),
        (["scenarios/game-smart-p3v0s2.json", "--html", "no/such/folder/x.html"], "a folder that exists"),
    ],
)
def test_bad_input(run: Run, args: list[str], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    answer = run("review", *args)
    assert answer.code == 2 and words in answer.err and answer.out == ""
