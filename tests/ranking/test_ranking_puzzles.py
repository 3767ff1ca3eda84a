"""scenarios/puzzle-*.yaml: the known value of every kind of move, and which moves are best.

Published cases that state a value without a complete position, and what stands for them here:

- C45 (one own slot or two deck cards: stalling 2/3, discarding 0): ``puzzle-c45-own-slot`` and ``puzzle-p05``, below.
- C56 (g3 or b5 first): ``puzzle-c56-lower-card-first``. It is not a law: with g4 at the partner, g5 in a deck of two
  and no token, two players win by b5 always and by g3 in half of the orders (``test_b5_first_may_be_right``).
- C43 (a lowered maximum is no win): the ``discard r3`` and ``discard r4`` of many puzzles, and hidden-p17.
- C49 (ties): ``puzzle-p08``, ``p09``, ``p11``; every label says that all orders of the deck count alike.
- C54 (the very last turn): ``hidden-c54-last-turn``.
- Not rebuilt: C46 (4/5 and 3/5), C48 (100 % against 66 %) and C51 (4/7 and 5/7). They name chances, not hands,
  tokens or who holds what follows, and 3/5 and 5/7 rest on how blind plays are counted; a position made to fit would
  prove nothing. ``puzzle-p18`` has the same shape as C46: 3/5 x 1 + 2/5 x 1/2 = 4/5.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from hanasolve import api
from hanasolve.hanabi.game.fireworks import needed_mask, playable
from hanasolve.hanabi.game.table import Table
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


def wins_of(name: str) -> dict[str, Fraction]:
    table = api.load(str(ROOT / "scenarios" / name))
    return {kind_of(table, move): move.win for move in rank(table).moves}


def mean(places: list[tuple[int, dict[str, Fraction]]], kind: str) -> Fraction:
    """Over equally likely places of a card; the number says how many of them an entry stands for."""
    return sum((count * wins[kind] for count, wins in places), Fraction(0)) / sum(count for count, _ in places)


def test_places_together() -> None:
    """C45: stalling 2/3, discarding 0. P18: 4/5 for the play and for a clue."""
    places = [(1, wins_of("puzzle-c45-own-slot.yaml")), (2, wins_of("puzzle-p05-final-useful-draw.yaml"))]
    assert (mean(places, "clue"), mean(places, "discard trash")) == (Fraction(2, 3), 0)
    places = [(3, wins_of("puzzle-p18-four-fifths-hand.yaml")), (2, wins_of("puzzle-p18-four-fifths-deck.yaml"))]
    assert mean(places, "clue") == mean(places, "play r3") == Fraction(4, 5)


def test_b5_first_may_be_right(tmp_path: Path) -> None:
    """By hand: the token for the blue suit lets Bob pass, and Alice draws g5 or holds it when g4 is down. After g3
    Bob has no token: he must draw, which ends the game too early unless it is he who draws g5."""
    path = tmp_path / "position.yaml"
    path.write_text("""
players: [Alice, Bob]
fireworks: {r: 5, y: 5, g: 2, b: 4, p: 5}
clues: 0
discards: r2 r3 r4 y2 y3 y4 g1 g1 g2 g3 g4 b1 b1 b2 b3 b4 p1 p1 p2 p3 p4
hands:
  Alice: g3 b5 r1
  Bob: g4 r1 y1
deck: 2                   # g5 y1
""")
    table = api.load(str(path))
    wins = {kind_of(table, move): move.win for move in rank(table).moves}
    assert (wins["play b5"], wins["play g3"]) == (1, Fraction(1, 2))
