"""``hanasolve.api`` offers every question, and says of each what it takes, what it answers and what goes wrong."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

from hanasolve import api
from hanasolve.answers.reading import read_one
from hanasolve.cli.app import COMMANDS
from hanasolve.errors import IllegalAction, NotationError
from tests.conftest import schema_file

ROWS = re.findall(r"^(\w+) {2,}(``.*?``) {2,}", api.__doc__ or "", re.MULTILINE)
EXPLAINED = {"source", "sources", "name", "players", "variant", "limit", "progress", "warn", "stdin"}  # on that page
NOT_ASKED = {"warm-up"}  # answers nothing


def questions() -> dict[str, Callable[..., Any]]:
    """Every function that the module's page lists."""
    found = {}
    for command, names in ROWS:
        for name in re.findall(r"``(\w+)``", names):
            part = getattr(api, name)
            if callable(part):
                found[name] = part
            else:
                found |= {f"{command}.{one}": getattr(part, one) for one in part.__all__}
    return found


QUESTIONS = questions()


def test_every_command_has_its_question() -> None:
    assert [command for command, _ in ROWS] == [name for name in COMMANDS if name not in NOT_ASKED]
    assert {name.partition(".")[0] for name in QUESTIONS} <= set(api.__all__)


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions_say_what_they_answer(name: str) -> None:
    function = QUESTIONS[name]
    text = inspect.getdoc(function) or ""
    assert re.search(r"NotationError|UnsupportedVariant|LimitReached", text), "no word about errors"
    asked = set(inspect.signature(function).parameters) - EXPLAINED
    assert not [one for one in asked if f"``{one}``" not in text]
    returned = str(inspect.signature(function).return_annotation)
    answers = [inspect.getmodule(function).__dict__[one] for one in returned.split(" | ")]
    for answer in answers:
        assert schema_file(answer.schema).is_file() and (answer.__doc__ or "").strip()
        assert inspect.getdoc(answer.record), answer


@pytest.mark.parametrize("name", api.__all__)
def test_everything_has_a_docstring(name: str) -> None:
    text = inspect.getdoc(getattr(api, name)) or ""
    assert text and not text.startswith(f"{name}("), "the docstring that dataclasses make"


def test_tables_are_loaded_from_sources_and_items() -> None:
    item = read_one("p2v0s220")
    for table in (api.load("p2v0s220"), api.load(item), api.load(item, 1)):
        assert (table.names, int(table.game["turn"]), len(api.legal_actions(table))) == (("Alice", "Bob"), 0, 13)
    solved = api.maximum("p2v0s220")
    end = api.load(solved.found.url)
    assert api.score(end) == 24 and api.legal_actions(end) == []
    assert api.score(api.replay(table, solved.solution.actions)) == 24


@pytest.mark.parametrize(
    ("source", "turn", "words"),
    [
        ("p2v0s1..p2v0s2", None, "found several decks, expected one"),
        ("p2v0s1", 2, "--turn: found 2, expected 1 to 1"),
        ("scenarios/deduce-w10-midgame.yaml", 1, "is a single position"),
        ("missing.json", None, "missing.json"),
    ],
)
def test_what_cannot_be_loaded(source: str, turn: int | None, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        api.load(source, turn)


def test_the_first_action_that_is_refused_is_named() -> None:
    table = api.load("p2v0s220")
    with pytest.raises(IllegalAction, match=r"^actions\[1\]: "):
        api.replay(table, [api.legal_actions(table)[0]] * 2)
