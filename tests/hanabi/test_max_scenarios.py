"""The positions `scenarios/max-*.yaml`: each names its answer in its second line; CP-SAT agrees with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hanasolve import api
from hanasolve.hanabi.search.verify import verify

FILES = sorted((Path(__file__).parents[2] / "scenarios").glob("max-*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_answer_is_the_stated_one(path: Path) -> None:
    stated = re.search(r"Answer of `hanasolve max`: (\d+)", path.read_text(encoding="utf-8"))
    assert stated is not None
    table = api.load(str(path))
    solution = api.solve(table)
    assert (solution.score, solution.upper_bound) == (int(stated.group(1)),) * 2
    assert verify(table, solution.score, solution.upper_bound, 60.0)


def test_the_only_way_to_begin() -> None:
    """E51 and E55: what the first action must be."""
    first = {path.stem: api.solve(api.load(str(path))).actions[0] for path in FILES}
    table = api.load(str(next(path for path in FILES if "e51" in path.stem)))
    assert api.describe(table, first["max-e51-order-of-plays"]).startswith("play r4")
    assert first["max-e55-discard-first"].type == 1
