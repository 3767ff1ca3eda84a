"""A review asked from Python: its record is that of the command, its schema is strict."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanasolve import api
from hanasolve.answers.review import ReviewAnswer
from hanasolve.errors import NotationError
from tests.answers.strict import assert_strict

LOST = str(Path(__file__).parents[2] / "scenarios" / "game-c79-last-turn.json")


@pytest.fixture(scope="module")
def found() -> ReviewAnswer:
    """A game that was lost on its last turn, with everything that can be asked."""
    return api.review(LOST, convention="smart", rollouts=20, open_states=2_000, agreement=["smart", "cheat"])


def test_the_record_is_that_of_the_command(found: ReviewAnswer, run: Callable[..., Any]) -> None:
    asked = ("--convention", "smart", "--rollouts", "20", "--open-states", "2000", "--agreement", "smart,cheat")
    printed = json.loads(run("review", LOST, *asked, "--json").out)
    record = json.loads(json.dumps(found.record()))
    assert record == {name: printed[name] for name in record} and set(printed) - set(record) == {"schema", "version"}


def test_the_schema_is_strict(found: ReviewAnswer) -> None:
    record = found.record()
    record["turns"] = record["turns"][-2:]  # the last one has moves of both kinds that were better
    assert {move["basis"] for move in record["turns"][-1]["better"]} == {"knowable", "hindsight"}
    assert_strict("hanasolve.review/1", record)
    assert_strict("hanasolve.review/1", api.review(LOST, open_states=0).record() | {"turns": []})


def test_progress_and_warnings_are_told() -> None:
    told: list[str] = []
    seen: list[tuple[str, int, int]] = []
    api.review(LOST, open_states=0, warn=told.append, progress=lambda *step: seen.append(step))
    assert len(told) == 1 and "the last 3 actions come after the end of the game" in told[0]
    assert seen[0][:2] == ("known deck", 0) and seen[-1][:2] == ("known deck", 50)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"states": -1}, "--states: found -1, expected 0 or more"),
        ({"open_states": -1}, "--open-states: found -1, expected 0 or more"),
        ({"rollouts": 9}, "--rollouts: found 9, expected 10 or more"),
        ({"agreement": " , "}, "--agreement: found ' , '"),
        ({"agreement": ()}, r"--agreement: found \(\)"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        api.review(LOST, **asked)
