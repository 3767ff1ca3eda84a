"""``hanasolve deal``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hanasolve.cli.text import style
from hanasolve.hanabi.game.variants import load_variant

SEEDS = json.loads((Path(__file__).parents[1] / "data" / "hanab_live" / "seeds.json").read_text())


def test_json(run: Callable[..., Any]) -> None:
    cases = SEEDS[::20]
    outcome = run("deal", *(case["seed"] for case in cases), "--json")
    answer = json.loads(outcome.out)
    assert answer["schema"] == "hanasolve.deal/1" and outcome.code == 0
    for case, result in zip(cases, answer["results"], strict=True):
        variant = load_variant(case["variant"])
        assert result["deck_indices"] == case["deck"]
        assert result["deck"] == [variant.card_name(variant.identity(*card)) for card in case["deck"]]
        assert (result["seed"], result["source"]) == (case["seed"], case["seed"])
        assert (result["players"], result["variant"]) == (case["players"], case["variant"])
        hands = result["hands"]
        size = {2: 5, 3: 5, 4: 4, 5: 4, 6: 3}[case["players"]]
        assert [len(hand) for hand in hands] == [size] * case["players"]
        assert [card for hand in hands for card in hand] == result["deck"][: size * case["players"]]


def test_text(run: Callable[..., Any]) -> None:
    """p4v0s10 deals y3 g5 p3 b3, g4 b3 y3 y5, y4 r2 b1 b2, r1 r4 g1 r1; shown with the newest card first."""
    lines = run("deal", "p4v0s10").out.splitlines()
    assert lines[0] == "p4v0s10: No Variant, 4 players, 50 cards"
    assert lines[1:5] == [
        "  Alice   b3 p3 g5 y3",
        "  Bob     y5 y3 b3 g4",
        "  Cathy   b2 b1 r2 y4",
        "  Donald  r1 g1 r4 r1",
    ]
    assert sum(len(line.split()) for line in lines[5:]) == 34 + 1


def test_a_range_keeps_its_order(run: Callable[..., Any]) -> None:
    results = json.loads(run("deal", "p2v0s9..p2v0s11", "p2v0s1", "--json").out)["results"]
    assert [result["seed"] for result in results] == ["p2v0s9", "p2v0s10", "p2v0s11", "p2v0s1"]


def test_colours_only_on_a_terminal(monkeypatch: Any) -> None:
    variant = load_variant(0)
    assert style.cards_text(variant, [0, 24]) == "r1 p5"
    monkeypatch.setattr(style, "colourful", lambda: True)
    coloured = style.cards_text(variant, [0, 24])
    assert coloured != "r1 p5" and "r1" in coloured and "p5" in coloured
