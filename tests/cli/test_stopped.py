"""At a limit and on Ctrl-C: what is proven is said, as text and as JSON, with exit codes 3 and 130."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hanasolve.batch
from hanasolve.errors import Interrupted, LimitReached
from hanasolve.hanabi.ranking.hidden_hands import rank as hidden
from hanasolve.hanabi.ranking.known_deck import rank as known_deck
from hanasolve.hanabi.ranking.review import game_review as reviewing
from hanasolve.hanabi.search import engine

Run = Callable[..., Any]
ROOT = Path(__file__).parents[2]
GAME = str(ROOT / "scenarios" / "game-c79-last-turn.json")


@pytest.fixture
def hard(tmp_path: Path) -> str:
    """A deck for which quick searches find 23 and counting allows 25 (hard-decks.json)."""
    with gzip.open(ROOT / "tests" / "data" / "known_deck" / "hard-decks.jsonl.gz", "rt") as lines:
        row = next(row for row in map(json.loads, lines) if "unblinkingly" in row["name"])
    path = tmp_path / "hard.json"
    path.write_text(json.dumps({"deck": row["deck"], "players": row["players"]}))
    return str(path)


def interrupt(*args: Any, **named: Any) -> Any:
    raise KeyboardInterrupt


def test_max_says_the_bracket(run: Run, hard: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "relaxed", interrupt)
    text = run("max", hard)
    assert text.code == 130 and text.err.endswith("error: interrupted\n")
    assert "best score: between 23 and 25, interrupted" in text.out
    told = run("max", hard, "--target", "25", "--json")
    found = json.loads(told.out)["results"][0]
    assert told.code == 130 and (found["score"], found["upper_bound"], found["reachable"]) == (23, 25, None)


def test_analyze_says_the_bracket_of_the_deck(run: Run, hard: str, monkeypatch: pytest.MonkeyPatch) -> None:
    limited = run("analyze", hard, "--limit", "1nodes", "--json")
    assert limited.code == 3 and json.loads(limited.out)["moves"] == []
    assert "between 23 and 25" in limited.err and "between 23 and 25" in json.loads(limited.out)["stopped"]
    monkeypatch.setattr(engine, "relaxed", interrupt)
    stopped = run("analyze", hard, "--json")
    assert stopped.code == 130 and "between 23 and 25" in stopped.err
    assert "between 23 and 25" in json.loads(stopped.out)["stopped"]


@pytest.mark.parametrize(("error", "code"), [(LimitReached("here"), 3), (KeyboardInterrupt(), 130)])
def test_analyze_keeps_the_moves_that_are_proven(
    error: BaseException, code: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = json.loads(run("analyze", GAME, "--turn", "50", "--json").out)
    plain, calls = known_deck.best_from, []

    def late(*args: Any) -> Any:
        calls.append(args)
        if len(calls) == 4:
            raise error
        return plain(*args)

    monkeypatch.setattr(known_deck, "best_from", late)
    told = run("analyze", GAME, "--turn", "50", "--json")
    found = json.loads(told.out)
    assert told.code == code and found["stopped"] and found["target"] == whole["target"] == 25
    exact = {one["text"]: one["score"] for one in whole["moves"]}
    assert found["moves"] and all(one["score"] == exact[one["text"]] for one in found["moves"])
    assert any(one["best"] for one in found["moves"])  # the solver's own line is among them
    for one in found["undecided"]:
        low, high = one["score_proven"]
        assert low <= exact[one["text"]] <= high
    assert sorted(one["text"] for key in ("moves", "undecided") for one in found[key]) == sorted(exact)
    calls.clear()
    assert "not decided, between 24 and 25: " in run("analyze", GAME, "--turn", "50").out


def test_review_keeps_what_was_done_before_open_hands(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def chances(*args: Any) -> Iterator[Any]:
        raise Interrupted("interrupted after 5 states")
        yield

    monkeypatch.setattr(reviewing, "open_chances", chances)
    told = run("review", GAME, "--json")
    found = json.loads(told.out)
    assert told.code == 130 and told.err.endswith("error: interrupted\n")
    assert len(found["turns"]) == 50 and found["stopped"] == "interrupted" and found["lost_at"] == 50


def test_ctrl_c_before_the_first_game_is_no_limit(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden._Look, "run", interrupt)
    told = run("analyze", GAME, "--turn", "20", "--method", "hidden-rollouts")
    assert told.code == 130 and "interrupted before any game was played" in told.err
    told = run("review", GAME, "--convention", "smart", "--open-states", "0", "--json")
    assert told.code == 130 and len(json.loads(told.out)["turns"]) == 50


def test_many_decks_as_json(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = hanasolve.batch.run_batch

    def stopped(grid: Any, out: Any, **named: Any) -> Any:
        plain(grid, out, **named)
        raise KeyboardInterrupt

    monkeypatch.setattr(hanasolve.batch, "run_batch", stopped)
    told = run("max", "p2v0s1..p2v0s3", "--json")
    assert told.code == 130 and len(json.loads(told.out)["results"]) == 3


@pytest.mark.parametrize(
    ("target", "code", "reached", "undecided"), [("24", 0, 2, 0), ("25", 1, 1, 0), ("26", 1, 0, 0)]
)
def test_a_target_of_many_decks(target: str, code: int, reached: int, undecided: int, run: Run) -> None:
    """p2v0s40 reaches 24 (seeds.json: its hands are too small), p2v0s1 25."""
    told = run("max", "p2v0s40", "p2v0s1", "--target", target, "--json")
    found = json.loads(told.out)
    assert told.code == code and found["summary"]["reached"] == reached
    assert len(found["summary"]["undecided"]) == undecided
    assert [row["reachable"] for row in found["results"]] == [int(target) <= 24, int(target) <= 25]
    assert f"reach {target}: {reached} (" in run("max", "p2v0s40", "p2v0s1", "--target", target).out


def test_a_target_that_is_open(run: Run, hard: str) -> None:
    told = run("max", hard, "p2v0s1", "--target", "25", "--limit", "1nodes", "--json")
    assert told.code == 3 and json.loads(told.out)["summary"]["undecided"] == [hard]


