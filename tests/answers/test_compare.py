"""A comparison asked from Python: its record, its schema, and arguments that are not texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanasolve import api
from hanasolve.answers.answer import to_json
from hanasolve.answers.compare import CompareAnswer, ComparedTable, save_games
from hanasolve.answers.compare_tables import options_of, span_of, tables
from hanasolve.batch.comparison import Comparison
from hanasolve.batch.running_scores import Until
from hanasolve.errors import NotationError
from hanasolve.hanabi.game.options import Options
from tests.answers.strict import assert_strict
from tests.batch.tables import compared

SCORES = {"a<b": [20, 22, 25] * 20, "b": [21, 23, 25] * 20}


def link(name: str, seed: str) -> str | None:
    return f"https://hanab.live/replay-json/{seed}-{name[0]}"


def answer(*found: Comparison) -> CompareAnswer:
    return CompareAnswer(tuple(ComparedTable(one, (), (), link) for one in found), len(found))


def test_the_record_is_json_without_nan() -> None:
    same = answer(compared({"a": [20] * 40, "b": [20] * 40}))
    json.loads(to_json(same))
    record = same.record()
    pair = record["pairs"][0]
    assert (pair["difference"], pair["correlation"], pair["verdict"]) == (0, None, "not separable")
    assert record["conventions"][0]["histogram"][20] == 40 and len(record["conventions"][0]["histogram"]) == 26
    assert record["groups"][0]["members"] == ["a", "b"] and record["sequential"] is None


def test_the_schema_is_strict() -> None:
    tested = compared(SCORES, until=Until(0, 0.1, max_games=60))
    few = compared({"a": [20, 22] * 5, "b": [21, 23] * 5})
    assert_strict("hanasolve.compare/1", answer(tested).record(), free=["least"])
    assert_strict("hanasolve.compare/1", answer(tested, few).record(), free=["least"])


def test_two_tables_are_results() -> None:
    few = compared({"a": [20, 22] * 5})
    assert answer(few, few).record() == {"results": [answer(few).record()] * 2}


def test_typed_arguments_are_those_of_the_command(tmp_path: Path) -> None:
    found = api.compare(["simple", "value"], games=3, rules={"strikes_max": 2, "discard_at_max": "allow"})
    texts = api.compare(["simple", "value"], seeds=range(1, 4), rules=["strikes_max=2", "discard_at_max=allow"])
    records = [found.record(), texts.record()]
    for record in records:
        assert all(one.pop("games_per_second") > 0 for one in record["conventions"])
    assert records[0] == records[1] and records[0]["rules"]["strikes"] == 2
    save_games(found, tmp_path / "games")
    assert len(list((tmp_path / "games").iterdir())) == 6


def test_a_test_may_be_named_by_its_numbers() -> None:
    found = api.compare(["simple", "value"], until={"d1": 0.3}, max_games=10)
    test = found.record()["sequential"]
    assert (test["d0"], test["d1"], test["alpha"], test["max_games"]) == (0, 0.3, 0.05, 10)


def test_rules_and_seeds() -> None:
    assert options_of(3, {"stop_when_dead": True, "clues_max": 4}) == Options(3, stop_when_dead=True, clues_max=4)
    assert span_of(range(2, 9), None, False, None) == ("2", "8", "--seeds")
    assert tables(4, None, ("1", "8", "--seeds")).counts == tables("4", None, ("1", "8", "--seeds")).counts == (4,)
    for bad in (range(1, 9, 2), range(5, 5)):
        with pytest.raises(NotationError, match="--seeds: found"):
            tables(3, None, span_of(bad, None, False, None))
    with pytest.raises(NotationError, match="--rule clues_max: found 'none'"):
        options_of(3, {"clues_max": "None"})


def test_what_cannot_be_asked_is_one_sentence() -> None:
    with pytest.raises(NotationError, match="--scoring: found 'best'"):
        api.compare(["simple"], scoring="best", games=2)
