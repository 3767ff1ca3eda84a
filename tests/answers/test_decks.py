"""Deals, formats and variants asked from Python: records are those of the commands, their schemas are strict."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from hanasolve import api
from hanasolve.answers.answer import to_json
from hanasolve.answers.deal import deals
from hanasolve.errors import NotationError, UnsupportedVariant
from tests.answers.strict import assert_strict

Run = Callable[..., Any]


def test_deal(run: Run) -> None:
    answer = api.deal(["p2v0s9..p2v0s11", "p4v0s10"])
    assert to_json(answer) + "\n" == run("deal", "p2v0s9..p2v0s11", "p4v0s10", "--json").out
    assert [deal.source for deal in answer.deals] == ["p2v0s9", "p2v0s10", "p2v0s11", "p4v0s10"]
    assert api.deal("p4v0s10").record()["results"] == answer.record()["results"][-1:]
    assert_strict("hanasolve.deal/1", answer.record())


def test_a_long_range_is_dealt_one_at_a_time() -> None:
    assert [deal.replay.seed for deal in islice(deals("p2v0s1..p2v0s900000"), 2)] == ["p2v0s1", "p2v0s2"]


def test_positions_deal_nothing() -> None:
    with pytest.raises(NotationError, match="found a position, expected a seed, a deck or a game"):
        api.deal("scenarios/deduce-w10-midgame.yaml")


@pytest.mark.parametrize("form", ["json", "url", "position", "text"])
def test_convert(run: Run, form: str) -> None:
    answer = api.convert("p2v0s1", form)
    assert to_json(answer) + "\n" == run("convert", "p2v0s1", "--to", form, "--json").out
    assert answer.text == run("convert", "p2v0s1", "--to", form).out
    assert_strict("hanasolve.convert/1", answer.record())


def test_what_cannot_be_converted() -> None:
    with pytest.raises(NotationError, match="--to: found 'yaml', expected json, url, position, text"):
        api.convert("p2v0s1", "yaml")
    with pytest.raises(NotationError, match="--to position: found 2 decks, expected one"):
        api.convert(["p2v0s1", "p2v0s2"], "position")
    with pytest.raises(NotationError, match="SOURCE: found no deck, expected at least one"):
        api.convert([], "text")


@pytest.mark.parametrize("name", ["No Variant", "24", "black-powder", "rainbow 6"])
def test_variants(run: Run, name: str) -> None:
    answer = api.variants(name)
    assert to_json(answer) + "\n" == run("variants", name, "--json").out
    assert_strict("hanasolve.variants/1", answer.record(), ("copies", "clue_colors", "clue_ranks"))


def test_all_variants(run: Run) -> None:
    assert api.variants().record()["variants"] == json.loads(run("variants", "--json").out)["variants"]
    with pytest.raises(UnsupportedVariant):
        api.variants("zzz")
