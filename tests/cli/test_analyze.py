"""``hanasolve analyze``: fields, methods, labels, exit codes, bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanasolve import api

ROOT = Path(__file__).parents[2]
PUZZLES = ROOT / "scenarios"
FIELDS = {"player", "method", "assumes", "convention", "target", "worlds", "seed", "moves"}
MOVE_FIELDS = {
    "action", "text", "score", "win", "se_score", "se_win", "diff", "se_diff", "best", "max_after", "why", "line_url",
}  # fmt: skip

Run = Callable[..., Any]


def analyzed(run: Run, *args: str) -> dict[str, Any]:
    answer = run("analyze", *args, "--json", "--quiet")
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)
    assert found["schema"] == "hanasolve.analyze/1" and set(found) >= FIELDS
    assert all(set(move) >= MOVE_FIELDS for move in found["moves"])
    return dict(found)


def test_a_seed_is_a_known_deck(run: Run) -> None:
    found = analyzed(run, "p3v0s17")
    assert (found["method"], found["target"], found["player"]) == ("known-deck", 25, "Alice")
    assert "upper bound: deck known" in found["assumes"]
    assert [move["score"] for move in found["moves"]] == sorted((m["score"] for m in found["moves"]), reverse=True)
    first, last = found["moves"][0], found["moves"][-1]
    assert first["best"] and not last["best"] and last["max_after"] == 24
    assert api.score(api.load(first["line_url"].partition("#")[0])) == 25
    assert api.score(api.load(last["line_url"].partition("#")[0])) == 24


def test_a_position_with_unknown_deck(run: Run) -> None:
    found = analyzed(run, str(PUZZLES / "puzzle-p15-hard-endgame.yaml"))
    assert found["method"] == "open-hands-exact" and found["worlds"] == 24 and found["target"] == 25
    assert found["moves"][0]["win_exact"] == "1/3" and found["moves"][0]["score_exact"] == "289/12"
    assert found["moves"][0]["line_url"] is None


def test_the_deck_may_be_taken_as_unknown(run: Run) -> None:
    path = str(PUZZLES / "puzzle-p22-blind-play-by-elimination.yaml")
    assert analyzed(run, path)["method"] == "known-deck"
    found = analyzed(run, path, "--method", "open-hands")
    assert found["method"] == "open-hands-exact" and found["moves"][0]["text"] == "play r5 (slot 1)"


def test_text_marks_ties_and_merges_clues(run: Run) -> None:
    answer = run("analyze", str(PUZZLES / "puzzle-p08-play-to-start-the-last-round.yaml"), "--quiet")
    assert answer.code == 0
    stars = [line for line in answer.out.splitlines() if line.startswith("* ")]
    assert any("any clue" in line for line in stars) and any("play r4" in line for line in stars)
    assert "kinds of move tie" in answer.out and "maximum before the move" in answer.out


def test_ranking_by_score(run: Run) -> None:
    path = str(PUZZLES / "puzzle-e55-discards.yaml")
    found = analyzed(run, path, "--goal", "score")
    assert found["ranked_by"] == "score" and {move["max_after"] for move in found["moves"]} >= {23, 24, 25}


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["scenarios/deduce-w10-midgame.yaml"], 2, "hidden"),
        (["scenarios/deduce-w10-midgame.yaml"], 2, "hanasolve deduce"),
        (["p3v0s17", "--method", "magic"], 2, "--method"),
        (["p3v0s17", "--goal", "fun"], 2, "--goal"),
        (["p3v0s17", "--method", "open-hands"], 3, "up to 19"),
        (["scenarios/puzzle-p15-hard-endgame.yaml", "--method", "known-deck"], 2, "not known"),
        (["p2v24s1"], 2, "Up or Down"),
    ],
)
def test_bad_input(run: Run, args: list[str], code: int, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    answer = run("analyze", *args)
    assert answer.code == code and words in answer.err and answer.out == ""
