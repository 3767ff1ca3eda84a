"""Rankings asked from Python: the command's record, a strict schema, progress, what is stopped or refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from hanasolve import api
from hanasolve.answers.analyze import unanswered
from hanasolve.errors import LimitReached, NotationError
from hanasolve.limits import Limit
from tests.answers.strict import assert_strict

SCENARIOS = Path(__file__).parents[2] / "scenarios"
HARD = str(SCENARIOS / "puzzle-p15-hard-endgame.yaml")
HIDDEN = str(SCENARIOS / "deduce-w10-midgame.yaml")
SCHEMA = "hanasolve.analyze/1"


def test_the_record_is_that_of_the_command(run: Callable[..., Any]) -> None:
    asked: list[tuple[list[str], dict[str, Any]]] = [
        (["p3v0s17"], {}),
        ([HARD, "--goal", "score"], {"goal": "score"}),
        ([HIDDEN, "--rollouts", "300", "--seed", "5", "--no-confirm"], {"rollouts": 300, "seed": 5, "confirm": False}),
    ]
    for (source, *options), arguments in asked:
        printed = json.loads(run("analyze", source, *options, "--json").out)
        found = api.analyze(source, **arguments).record()
        assert found == {name: printed[name] for name in found} and len(found) == len(printed) - 2


@pytest.mark.parametrize(
    "arguments",
    [
        {"source": "p3v0s17"},
        {"source": HARD},
        {"source": HARD, "method": "open-hands-sampled", "rollouts": 20},
        {"source": HIDDEN, "rollouts": 300},
    ],
)
def test_the_schema_is_strict(arguments: dict[str, Any]) -> None:
    assert_strict(SCHEMA, api.analyze(**arguments).record())


def test_the_schema_of_stopped_work_is_strict() -> None:
    record = unanswered("p3v0s17", stopped="the limit of 1nodes ended it").record()
    assert record["moves"] == []
    assert_strict(SCHEMA, record)


def test_moves_hold_exact_chances_and_say_what_is_done() -> None:
    told: list[tuple[str, int, int]] = []
    found = api.analyze(HARD, progress=lambda *step: told.append(step))
    assert found.ranking is not None and found.ranking.moves[0].win == Fraction(1, 3)
    assert {what for what, _, _ in told} == {"counted"}
    done = [one for _, one, _ in told]
    assert len(done) > 3 and done == sorted(done) and done[-1] <= told[-1][2]


def test_a_limit_ends_with_the_values_so_far_or_with_an_error() -> None:
    found = api.analyze(HIDDEN, limit=Limit(nodes=500))
    assert found.stopped and found.record()["stopped"] == found.stopped and found.record()["moves"]
    with pytest.raises(LimitReached, match="up to 19"):
        api.analyze("p3v0s17", method="open-hands")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"goal": "fun"}, "--goal: found 'fun', expected win or score"),
        ({"rollouts": 0}, "--rollouts: found 0, expected 1 or more"),
        ({"max_worlds": -5}, "--max-worlds: found -5, expected 0 or more"),
        ({"method": "magic"}, "--method: found 'magic'"),
        ({"player": "Zoe"}, "--player"),
    ],
)
def test_what_cannot_be_asked(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(NotationError, match=words):
        api.analyze("p3v0s17", **arguments)
