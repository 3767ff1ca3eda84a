"""Maxima asked from Python: the records are those of ``hanasolve max``, their schema is strict."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanasolve import api
from hanasolve.errors import NotationError, UnsupportedVariant
from tests.answers.strict import assert_strict

Run = Callable[..., Any]
FREE = ("histogram",)


def timeless(value: Any) -> Any:
    """A record without CPU seconds, nor the order that they make."""
    if isinstance(value, dict):
        return {name: timeless(part) for name, part in value.items() if name not in ("seconds", "slowest")}
    return [timeless(part) for part in value] if isinstance(value, list) else value


def printed(run: Run, *args: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(run("max", *args, "--json", "--quiet").out)
    return {name: part for name, part in record.items() if name not in ("schema", "version")}


def test_one_deck(run: Run) -> None:
    answer = api.maximum("p2v0s220")
    assert (answer.solution.score, answer.solution.upper_bound, answer.settled) == (24, 24, True)
    assert timeless(answer.record()) == timeless(printed(run, "p2v0s220"))
    assert_strict("hanasolve.max/1", answer.record())


def test_a_target(run: Run) -> None:
    settled = {target: api.maximum("p2v0s220", target=target).settled for target in (23, 24, 25, 26)}
    assert settled == {23: True, 24: True, 25: False, 26: False}
    answer = api.maximum("p2v0s220", target=25)
    assert timeless(answer.record()) == timeless(printed(run, "p2v0s220", "--target", "25"))
    assert_strict("hanasolve.max/1", answer.record())


def test_a_limit_leaves_it_open(run: Run) -> None:
    """p5v0s2989 needs about two million states."""
    answer = api.maximum("p5v0s2989", limit=api.Limit(nodes=1000))
    assert answer.settled is None and answer.solution.score < answer.solution.upper_bound
    assert timeless(answer.record()) == timeless(printed(run, "p5v0s2989", "--limit", "1000nodes"))


@pytest.mark.parametrize("more", [(), ("--target", "25")])
def test_many_decks(run: Run, tmp_path: Path, more: tuple[str, ...]) -> None:
    """Also from the rows of a file, and without keeping them."""
    seeds, target, out = "p2v0s218..p2v0s221", 25 if more else None, tmp_path / "kept.csv"
    expected = timeless(printed(run, seeds, *more))
    for _ in range(2):
        answer = api.maxima(seeds, target=target, out=out)
        assert timeless(answer.record()) == expected
    assert [row["source"] for row in answer.summary.lost] == ["p2v0s220"]
    assert answer.settled is (False if more else True)
    assert_strict("hanasolve.max/1", answer.record(), FREE)
    counted = api.maxima(seeds, target=target, keep_rows=False)
    assert counted.rows == () and timeless(counted.record()["summary"]) == expected["summary"]


def test_open_decks(run: Run) -> None:
    answer = api.maxima(["p5v0s1", "p5v0s2989"], limit=api.Limit(nodes=1000))
    assert answer.settled is None and answer.record()["summary"]["undecided"] == ["p5v0s2989"]
    assert timeless(answer.record()) == timeless(printed(run, "p5v0s1", "p5v0s2989", "--limit", "1000nodes"))


def test_records_that_were_read_can_be_asked_about() -> None:
    from hanasolve.answers.reading import read_one

    item = read_one("p2v0s220")
    assert api.maximum(item).solution.actions == api.maximum("p2v0s220").solution.actions
    assert [row["score"] for row in api.maxima([item, read_one("p2v0s1")]).rows] == [24, 25]


def test_what_cannot_be_asked() -> None:
    with pytest.raises(NotationError, match="--target: found -1, expected a score from 0"):
        api.maximum("p2v0s1", target=-1)
    with pytest.raises(NotationError, match="--target: found -1"):
        api.maxima("p2v0s1", target=-1)
    with pytest.raises(NotationError, match="--jobs: found -1, expected 0"):
        api.maxima("p2v0s1..p2v0s3", jobs=-1)
    with pytest.raises(NotationError, match="found several decks"):
        api.maximum("p2v0s1..p2v0s2")
    with pytest.raises(UnsupportedVariant, match="Up or Down"):
        api.maximum("p2v24s1")
