"""``hanasolve analyze``: fields, methods, labels, exit codes, bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanasolve import api
from hanasolve.hanabi.notation.replay_url import parse_url

ROOT = Path(__file__).parents[2]
PUZZLES = ROOT / "scenarios"
GAMES = json.loads((ROOT / "tests" / "data" / "hanab_live" / "replays.json").read_text(encoding="utf-8"))["games"]
REPLAY: str = next(game["compact"] for game in GAMES if "compact" in game)
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


def test_sampled_orders(run: Run) -> None:
    """Asked for by name, and where too many cards are left; the same command gives the same bytes."""
    path = str(PUZZLES / "puzzle-p15-hard-endgame.yaml")
    asked = ("analyze", path, "--method", "open-hands-sampled", "--rollouts", "40", "--seed", "3", "--json")
    answer = run(*asked)
    found = json.loads(answer.out)
    assert (found["method"], found["worlds"], found["seed"]) == ("open-hands-sampled", 40, 3)
    assert found["assumes"].startswith("optimistic: open cards") and found["moves"][0]["samples"] == 40
    assert found["moves"][0]["score_exact"] is None and run(*asked).out == answer.out
    text = run("analyze", path, "--method", "open-hands-sampled", "--rollouts", "40", "--seed", "3")
    assert text.code == 0 and "behind" in text.out and "seed 3" in text.out
    stopped = run("analyze", path, "--method", "open-hands-sampled", "--limit", "1nodes")
    assert stopped.code == 3 and "limit of 1nodes" in stopped.err and "optimistic" in stopped.out


def test_text_marks_ties_and_merges_clues(run: Run) -> None:
    answer = run("analyze", str(PUZZLES / "puzzle-p08-play-to-start-the-last-round.yaml"), "--quiet")
    assert answer.code == 0
    stars = [line for line in answer.out.splitlines() if line.startswith("* ")]
    assert any("any clue" in line for line in stars) and any("play r4" in line for line in stars)
    assert "kinds of move tie" in answer.out and "maximum before the move" in answer.out


def test_hidden_hands(run: Run) -> None:
    game = str(PUZZLES / "game-smart-p3v0s2.json")
    found = analyzed(run, game, "--turn", "19", "--convention", "smart", "--rollouts", "1500", "--seed", "7")
    assert (found["method"], found["convention"], found["seed"]) == ("hidden-rollouts", "smart", 7)
    assert found["eyes"] == "Alice" and found["worlds"] >= 100 and found["why_best"]
    first = found["moves"][0]
    assert first["best"] and first["se_win"] > 0 and first["score_exact"] is None
    again = analyzed(run, game, "--turn", "19", "--convention", "smart", "--rollouts", "1500", "--seed", "7")
    assert again == found
    answer = run("analyze", game, "--turn", "19", "--player", "Bob", "--rollouts", "600", "--quiet")
    assert answer.code == 0 and "as Bob sees it, under smart" in answer.out and "seed 0" in answer.out


def test_a_sampled_continuation_is_a_legal_game(run: Run) -> None:
    found = analyzed(run, "p3v0s17", "--convention", "smart", "--rollouts", "600")
    assert "one drawn deal, everybody on smart" in found["line_is"]
    for move in (found["moves"][0], found["moves"][-1]):
        line = api.load(move["line_url"].partition("#")[0])
        assert line.game["ended"] and 0 <= api.score(line) <= 25
        first = parse_url(move["line_url"]).actions[0]
        assert (first.type, first.target) == (move["action"]["type"], move["action"]["target"])


def test_a_hand_with_unknown_cards_is_hidden(run: Run) -> None:
    found = analyzed(run, str(PUZZLES / "deduce-w10-midgame.yaml"), "--rollouts", "800")
    assert found["method"] == "hidden-rollouts" and "know what was clued" in found["assumes"]
    assert "clues only (no history)" in found["assumes"]
    assert any("4/7" in move["why"] for move in found["moves"])  # deduction.md, W10: slot 1 is playable with 4/7


def test_a_limit_keeps_what_there_is(run: Run) -> None:
    path = str(PUZZLES / "deduce-w10-midgame.yaml")
    answer = run("analyze", path, "--limit", "500nodes")
    assert answer.code == 3 and "the limit of 500nodes" in answer.err and "clue green to Bob" in answer.out


def test_ranking_by_score(run: Run) -> None:
    path = str(PUZZLES / "puzzle-e55-discards.yaml")
    found = analyzed(run, path, "--goal", "score")
    assert found["ranked_by"] == "score" and {move["max_after"] for move in found["moves"]} >= {23, 24, 25}


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["scenarios/deduce-w10-midgame.yaml", "--method", "open-hands"], 2, "cards of Alice are hidden"),
        (["scenarios/deduce-w10-midgame.yaml", "--method", "known-deck"], 2, "hanasolve deduce"),
        (["p3v0s17", "--method", "open-hands", "--convention", "smart"], 2, "belong to hidden hands"),
        (["p3v0s17", "--convention", "cheat"], 2, "sees the own hand"),
        (["p3v0s17", "--convention", "smrt"], 2, "nearest: smart"),
        (["p3v0s17", "--rollouts", "0"], 2, "--rollouts"),
        (["p3v0s17", "--max-worlds", "-5"], 2, "--max-worlds"),
        (["p3v0s17", "--limit", "0.5"], 2, "a number with its unit"),
        (["p3v0s17", "--player", "Zoe"], 2, "--player"),
        (["p3v0s17", "--method", "magic"], 2, "--method"),
        (["p3v0s17", "--goal", "fun"], 2, "--goal"),
        (["p3v0s17", "--method", "open-hands"], 3, "up to 19"),
        (["p3v0s17", "--method", "open-hands-sampled", "--convention", "smart"], 2, "belong to hidden hands"),
        (["scenarios/deduce-w10-midgame.yaml", "--method", "open-hands-sampled"], 2, "cards of Alice are hidden"),
        (["scenarios/puzzle-p15-hard-endgame.yaml", "--method", "known-deck"], 2, "not known"),
        (["p2v24s1"], 2, "Up or Down"),
    ],
)
def test_bad_input(run: Run, args: list[str], code: int, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    answer = run("analyze", *args)
    assert answer.code == code and words in answer.err and answer.out == ""


def test_open_hands_show_a_line_on_a_drawn_order(run: Run) -> None:
    """Labelled as drawn; the link is a legal game that begins as the record does, with the move in its place."""
    found = analyzed(run, REPLAY, "--turn", "46", "--method", "open-hands")
    assert "one order of the deck" in found["line_is"] and "as if it were known" in found["line_is"]
    for move in (found["moves"][0], found["moves"][-1]):
        line = parse_url(move["line_url"])
        assert line.actions[:45] == parse_url(REPLAY).actions[:45]
        assert (line.actions[45].type, line.actions[45].target) == (move["action"]["type"], move["action"]["target"])
        table = api.load(move["line_url"].partition("#")[0])
        assert table.game["ended"] and api.score(table) <= found["target"]


def test_why_the_best_beats_the_second(run: Run) -> None:
    """In the text of every method, as in JSON."""
    path = str(PUZZLES / "max-e55-discard-first.yaml")
    words = "discard y1 (slot 5) (and 3 that tie) beats play r4 (slot 1): certain against no chance"
    assert words in run("analyze", path).out
    path = str(PUZZLES / "puzzle-p01-three-cards-left.yaml")
    answer, found = run("analyze", path), analyzed(run, path)
    assert found["why_best"] in answer.out and " beats " in found["why_best"]
