"""scenarios/puzzle-*.yaml: the known value of every kind of move, and which moves are best."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from hanasolve import api
from hanasolve.hanabi.board import needed_mask, playable
from hanasolve.hanabi.game import Table
from hanasolve.hanabi.ranking.choice import rank
from hanasolve.hanabi.ranking.moves import Move

ROOT = Path(__file__).parents[2]
CASES: list[dict[str, Any]] = json.loads(
    (ROOT / "tests" / "data" / "puzzles" / "puzzles.json").read_text(encoding="utf-8")
)["cases"]


def kind_of(table: Table, move: Move) -> str:
    """``clue``, ``play r4``, ``misplay r5``, ``discard trash`` and the like."""
    if move.action.type > 1:
        return "clue"
    card = int(table.game["deck"][move.action.target])
    verb = "discard"
    if move.action.type == 0:
        verb = "play" if playable(table.rules, table.game, card) else "misplay"
    useful = (int(needed_mask(table.rules, table.game)) >> card) & 1
    return f"{verb} {table.variant.card_name(card) if useful else 'trash'}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["file"]))
def test_known_answers(case: dict[str, Any]) -> None:
    table = api.load(str(ROOT / "scenarios" / case["file"]))
    ranking = rank(table, goal=case["goal"])
    assert ranking.method == case["method"]
    values: dict[str, set[Fraction]] = {}
    scores: dict[str, set[Fraction]] = {}
    for move in ranking.moves:
        value = move.win if case["goal"] == "win" else move.score - case["offset"]
        values.setdefault(kind_of(table, move), set()).add(value)
        scores.setdefault(kind_of(table, move), set()).add(move.score)
    if case["goal"] == "win":
        assert ranking.target == 25
    for kind, value in case["values"].items():
        assert values[kind] == {Fraction(value)}, kind
    for kind, score in case.get("scores", {}).items():
        assert scores[kind] == {Fraction(score)}, kind
    best = {kind_of(table, move) for move in ranking.moves if move.best}
    assert best >= set(case["best"])
    assert not best & {kind for kind in case["values"] if kind not in case["best"]} or case["goal"] == "score"


def test_every_scenario_has_its_answer() -> None:
    files = {path.name for path in (ROOT / "scenarios").glob("puzzle-*.yaml")}
    assert files == {case["file"] for case in CASES} and len(files) >= 25
