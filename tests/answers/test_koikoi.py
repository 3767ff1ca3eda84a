"""Koi-Koi asked from Python: the records are those of the commands, their schemas are strict."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanasolve.answers.answer import Answer
from hanasolve.answers.koikoi.maximum import KnownDeal
from hanasolve.api import Limit, koikoi
from hanasolve.errors import LimitReached, NotationError, UnsupportedVariant
from tests.answers.strict import assert_strict
from tests.conftest import validator

Run = Callable[..., Any]
CURTAIN, CUP = 8, 32
SCENARIOS = Path(__file__).parents[2] / "scenarios/koikoi"
KNOWN, DECIDE, LATE = (
    str(SCENARIOS / f"{name}.yaml") for name in ("known-deal-koikoi", "stop-or-koikoi", "turn-14-after-a-call")
)


def timeless(value: Any) -> Any:
    """A record without seconds."""
    if isinstance(value, dict):
        return {name: timeless(part) for name, part in value.items() if not name.startswith("seconds")}
    return [timeless(part) for part in value] if isinstance(value, list) else value


def same(run: Run, answer: Answer, *args: str) -> dict[str, Any]:
    """The record of an answer, which must be that of the command."""
    printed = json.loads(run("koikoi", *args, "--json").out)
    record = answer.record()
    assert timeless({"schema": answer.schema, "version": printed["version"], **record}) == timeless(printed)
    return record


def test_scores(run: Run, tmp_path: Path) -> None:
    one = same(run, koikoi.score("3b 9a"), "score", "3b 9a")
    assert koikoi.score([("pile", [CURTAIN, CUP])]).record() == one
    assert_strict("koikoi-score/1", one)
    file = tmp_path / "piles"
    file.write_text("3b 9a\n3b 8b 9a\n")
    many = koikoi.score(["3b 9a", "3b 8b 9a"], opponent_called=True, changes={"double_at": 5})
    record = same(run, many, "score", str(file), "--opponent-called", "-o", "double_at=5")
    assert [one["round_score"] for one in record["results"]] == [20, 40]
    assert_strict("koikoi-score/1", record)
    lucky = koikoi.score("1b 1r 1p 1p 2a 3b 4a 5a", hand=True)
    assert_strict("koikoi-score/1", same(run, lucky, "score", "1b 1r 1p 1p 2a 3b 4a 5a", "--hand"))
    assert koikoi.score([]).record() == {"results": []}


def test_known_deals(run: Run) -> None:
    record = same(run, koikoi.maximum(KNOWN, coop=True), "max", KNOWN, "--coop")
    assert record["value"] == {"A": 14, "B": -14}
    assert_strict("koikoi-max/1", record)
    several: list[KnownDeal] = []
    answer = koikoi.maximum(KNOWN, seed="1..2", values_only=True, changes={"cup": "animal"}, each=several.append)
    record = same(run, answer, "max", KNOWN, "--seed", "1..2", "--values", "-o", "cup=animal")
    assert tuple(several) == answer.results and [one.source for one in several] == [KNOWN, "seed 1", "seed 2"]
    assert_strict("koikoi-max/1", record)
    assert koikoi.maximum(seed=2, values_only=True).results[0].value == koikoi.maximum(seed="2").results[0].value


def test_known_deals_up_to_a_limit(run: Run) -> None:
    """Seed 4 needs about 4 000 states, seed 5 ten times as many."""
    answer = koikoi.maximum(seed="4..5", values_only=True, limit=Limit(nodes=10_000))
    assert len(answer.results) == 1 and answer.stopped.startswith("the limit of 10000nodes was hit")
    record = same(run, answer, "max", "--seed", "4..5", "--values", "--limit", "10000nodes")
    assert_strict("koikoi-max/1", record)
    with pytest.raises(LimitReached, match="the limit of 10nodes was hit before the value was proven"):
        koikoi.maximum(seed=3, limit=Limit(nodes=10))


def test_analyses(run: Run) -> None:
    """A decision in a match; a choice of cards; the last turns, which are valued without open cards."""
    record = same(
        run, koikoi.analyze(DECIDE, match=(11, 23, 31)), "analyze", DECIDE, "--match", "23:31", "--round", "11"
    )
    assert record["best"] == "koikoi" and record["match"] == {"round": 11, "scores": {"A": 23, "B": 31}}
    assert_strict("koikoi-analyze/1", record, ("scores", "A", "B"))
    drawn = same(
        run, koikoi.analyze(LATE, worlds=3, max_worlds=1, seed=5, changes={"cup": "animal"}),
        "analyze", LATE, "--worlds", "3", "--max-worlds", "1", "--seed", "5", "-o", "cup=animal",
    )  # fmt: skip
    assert (drawn["method"], drawn["worlds"], drawn["options"][0]["sum"]) == ("average-pi", 3, None)
    exact = str(SCENARIOS / "exact-10-turn-16.yaml")
    last = same(run, koikoi.analyze(exact), "analyze", exact)
    assert last["method"] == "exact" and last["options"][0]["win"] is None
    for one in (drawn, last):
        check = validator("koikoi-analyze/1")
        whole = {"schema": "koikoi-analyze/1", "version": "0", **one}
        assert check.is_valid(whole) and check.is_valid(whole | {"stopped": "Ctrl-C"})
        assert not check.is_valid(whole | {"match": {"round": 1, "scores": {}}})  # its options say nothing of it


def test_matches(run: Run) -> None:
    names = ("greedy+stop", "random+stop", "progress+t7h5")
    answer = koikoi.compare(names, pairs=3, rounds=2, seed=4, changes={"double_at": 0})
    record = same(run, answer, "compare", *names, "--pairs", "3", "--rounds", "2", "--seed", "4", "-o", "double_at=0")
    assert len(record["results"]) == 3 and record["options"]["double_at"] == 0
    assert_strict("koikoi-compare/1", record)
    alone = koikoi.compare(names[:2], pairs=1).record()
    assert alone["results"][0]["se"] is None
    assert validator("koikoi-compare/1").is_valid({"schema": "koikoi-compare/1", "version": "0", **alone})


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: koikoi.score([("pile", [8, 48])]), "pile: found 48, expected card ids from 0 to 47, each once"),
        (lambda: koikoi.score([("pile", [8, 8])]), "pile: found 8, expected card ids from 0 to 47, each once"),
        (lambda: koikoi.score("3b 3b"), "already"),
        (lambda: koikoi.maximum(), "nothing to solve"),
        (lambda: koikoi.maximum(seed=-1), 'found "-1", expected a number like 17'),
        (lambda: koikoi.maximum(DECIDE), "max needs a known deal"),
        (lambda: koikoi.analyze(DECIDE, worlds=1), "--worlds: found 1, expected 2 or more"),
        (lambda: koikoi.analyze(DECIDE, max_worlds=0), "--max-worlds: found 0, expected 1 or more"),
        (lambda: koikoi.analyze(DECIDE, match=(0, 1, 1)), "--round: found 0, expected 1 or more"),
        (lambda: koikoi.analyze(DECIDE, match=(13, 1, 1)), "round 13: a match has 12 rounds"),
        (lambda: koikoi.compare(["greedy+stop"]), "found 1 strategy, expected two or more"),
        (lambda: koikoi.compare(["greedy+stop", "random+stop"], pairs=0), "--pairs: found 0, expected 1 or more"),
        (lambda: koikoi.compare(["greedy+stop", "random+stop"], jobs=-2), "--jobs: found -2, expected 0 or more"),
    ],
)
def test_what_cannot_be_asked(ask: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(NotationError) as error:
        ask()
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: koikoi.score("3b", changes={"bowl": "both"}),
        lambda: koikoi.maximum(KNOWN, changes={"cup": "bath"}),
        lambda: koikoi.analyze(DECIDE, changes={"double_at": "many"}),
        lambda: koikoi.compare(["greedy+stop", "random+stop"], rounds=0),
        lambda: koikoi.maximum(seed=1, preset="hamburg"),
    ],
)
def test_unknown_rules(ask: Callable[[], Any]) -> None:
    with pytest.raises(UnsupportedVariant):
        ask()
