"""Deduction asked from Python: the command's record, a strict schema, typed arguments, what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from hanasolve import api
from hanasolve.errors import ImpossiblePosition, NotationError
from hanasolve.hanabi.notation.source import read_source
from tests.answers.strict import assert_strict

ROOT = Path(__file__).parents[2]
MIDGAME = str(ROOT / "scenarios" / "deduce-w10-midgame.yaml")
GAME = str(ROOT / "tests" / "data" / "hgroup" / "first-turns.json")
SCHEMA, ANY_NAMES = "hanasolve.deduce/1", ("probabilities", "trash", "critical", "critical_at_bottom_cards")


def test_the_record_is_that_of_the_command(run: Callable[..., Any]) -> None:
    asked: list[tuple[list[str], dict[str, Any]]] = [
        ([MIDGAME], {}),
        ([MIDGAME, "--view", "common"], {"view": "common"}),
        ([MIDGAME, "--why", "slot=1"], {"why": "slot=1"}),
        (["p3v0s17", "--player", "2"], {"player": "2"}),
        ([GAME, "--turn", "4", "--convention", "hgroup1"], {"turn": 4, "convention": "hgroup1"}),
    ]
    for (source, *options), arguments in asked:
        printed = json.loads(run("deduce", source, *options, "--json").out)
        found = api.deduce(source, **arguments).record()
        assert found == {name: printed[name] for name in found} and len(found) == len(printed) - 2


@pytest.mark.parametrize(
    "arguments", [{}, {"view": "empathy"}, {"why": "slot=2"}, {"source": GAME, "turn": 3, "convention": "hgroup2"}]
)
def test_the_schema_is_strict(arguments: dict[str, Any]) -> None:
    record = api.deduce(**{"source": MIDGAME, **arguments}).record()
    assert_strict(SCHEMA, {**record, "cards": record["cards"][:2]}, ANY_NAMES)


def test_a_view_that_the_position_hides_is_null() -> None:
    record = api.deduce(MIDGAME, view="holder").record()
    assert [card["holder"] is None for card in record["cards"]] == [False] * 3 + [True] * 3
    assert_strict(SCHEMA, {**record, "cards": record["cards"][2:4]}, ANY_NAMES)


def test_cards_that_the_source_leaves_open_count_for_who_asks() -> None:
    record = api.deduce(MIDGAME, player="Bob", view="holder").record()
    assert record["unknown_to_all"] == ["Alice slot 1", "Alice slot 2", "Alice slot 3"] and int(record["deals"]) > 665
    assert [card["holder"] is None for card in record["cards"]] == [False] * 6
    assert_strict(SCHEMA, {**record, "cards": record["cards"][2:4]}, ANY_NAMES)


def test_the_answer_counts_exactly() -> None:
    """docs/deduction.md, W10: 665 deals; Alice's slot 1 is y3 with 2/7."""
    found = api.deduce(MIDGAME)
    assert found.viewer == 0 and found.deduction.count(0).total == 665
    view = found.deduction.holder(0)
    names = found.deduction.shown.variant.card_name
    assert view is not None and {names(c): p for c, p in view.marginals[-1].items()}["y3"] == Fraction(2, 7)


def test_an_item_is_taken_as_well_as_a_text_and_warnings_are_told() -> None:
    (item,) = read_source(GAME)
    told: list[str] = []
    assert api.deduce(item, turn=3, warn=told.append).record() == api.deduce(GAME, turn=3).record()
    assert told == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"view": "mine"}, "--view: found 'mine', expected holder, empathy or common"),
        ({"why": "slot=9"}, "--why: found slot 9, expected 1 to 3"),
        ({"turn": 3}, "--turn: found 3, expected none"),
        ({"player": "Zoe"}, "--player"),
        ({"convention": "hgroup1"}, "is a single position"),
        ({"convention": "smart"}, "expected hgroup1, hgroup2, hgroup3"),
    ],
)
def test_what_cannot_be_asked(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(NotationError, match=words):
        api.deduce(MIDGAME, **arguments)


def test_an_impossible_position_names_its_file(tmp_path: Path) -> None:
    path = tmp_path / "gone.yaml"
    path.write_text("discards: [b5]\nhands: {Alice: [{told: [5, blue]}], Bob: []}\n")
    with pytest.raises(ImpossiblePosition, match=f"^{path}: Alice slot 1"):
        api.deduce(str(path))
