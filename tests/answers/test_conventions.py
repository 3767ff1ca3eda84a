"""Conventions asked from Python: the list and the check are those of the command, their schemas are strict."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanasolve import api
from hanasolve.errors import NotationError
from tests.answers.strict import assert_strict


def test_the_list_is_that_of_the_command(run: Callable[..., Any]) -> None:
    printed = json.loads(run("conventions", "--json").out)
    record = api.conventions().record()
    assert record["conventions"] == printed["conventions"]
    assert {"simple", "hgroup3", "oracle"} <= {one["name"] for one in record["conventions"]}
    assert_strict("hanasolve.conventions/1", api.conventions("cheat").record())


def test_a_check_is_that_of_the_command(run: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from hanasolve.hanabi.conventions.convention import named_convention\n"
        "def decide(view, memory):\n    return 1 << 16\n"
        "def update(view, memory, event):\n    return 0\n"
        "mine = named_convention('mine', decide=decide, update=update)\n"
    )
    found = api.check_convention(str(file), games=2, players=3)
    printed = json.loads(run("conventions", "check", str(file), "--games", "2", "--players", "3", "--json").out)
    record = json.loads(json.dumps(found.record()))
    assert record == {name: printed[name] for name in record} and not found.found.ok
    assert_strict("hanasolve.conventions-check/1", record)
    sound = api.check_convention("simple", games=8).record()
    assert sound["ok"] and [one["players"] for one in sound["means"]] == [2, 3, 4, 5] and sound["problems"] == []
    assert_strict("hanasolve.conventions-check/1", sound)


def test_a_check_needs_games() -> None:
    with pytest.raises(NotationError, match="--games: found 0, expected at least 1"):
        api.check_convention("simple", games=0)
