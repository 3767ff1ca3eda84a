"""Score bands, pace, usable clues and efficiency against the recorded values of the rules."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from hanasolve.hanabi.game import statistics as stats
from hanasolve.hanabi.game.options import Options, site_options
from hanasolve.hanabi.game.records import Action
from hanasolve.hanabi.game.table import act, deal
from hanasolve.hanabi.game.variants import load_variant

DATA = json.loads((Path(__file__).parents[1] / "data" / "rules" / "rules-cases.json").read_text())


@pytest.mark.parametrize("row", DATA["score_bands"], ids=lambda row: f"{row['score']}of{row['max']}")
def test_score_band(row: dict[str, Any]) -> None:
    assert stats.score_band(row["score"], row["max"]) == row["band"]


def test_absolute_scale() -> None:
    assert [stats.score_band(score, 30, "absolute") for score in (24, 25, 30)] == [5, 6, 6]


@pytest.mark.parametrize("row", DATA["starting_statistics"], ids=lambda r: f"{r['variant']}-{r['players']}")
def test_starting_statistics(row: dict[str, Any]) -> None:
    variant = load_variant(row["variant"])
    found = stats.statistics(deal(variant, Options(row["players"]), tuple(variant.deck_in_order())))
    assert (found.deck, found.pace, found.usable) == (
        row["deck_after_deal"], row["starting_pace"], row["max_clues"],
    )  # fmt: skip
    assert found.minimum is not None and found.future == found.minimum
    assert round(float(found.minimum), 4) == row["min_efficiency"]
    assert (found.got, found.spent, found.current) == (0, 0, None)


def test_clue_starved_efficiency() -> None:
    """Rules section 13: Clue Starved with 6 suits."""
    variant = load_variant("Clue Starved (6 Suits)")
    expected = {2: 1.4286, 3: 1.5789, 4: 1.5789, 5: 1.7647, 6: 1.5789}
    for players, value in expected.items():
        table = deal(variant, site_options(players), tuple(variant.deck_in_order()))
        found = stats.minimum_efficiency(table)
        assert found is not None and round(float(found), 4) == value


@pytest.mark.parametrize("row", DATA["clues_still_usable"], ids=str)
def test_clues_still_usable(row: dict[str, Any]) -> None:
    assert row["score"] == sum(row["stacks"])
    found = stats.clues_still_usable(
        row["stacks"], row["max_per_suit"], row["deck"], row["last_round_turns"], Fraction(row["tokens"])
    )
    assert found == row["expected"]


@pytest.mark.parametrize("row", DATA["pace"], ids=str)
def test_pace(row: dict[str, Any]) -> None:
    assert stats.pace(row["score"], row["deck"], row["players"], row["max"]) == row["pace"]


@pytest.mark.parametrize("row", DATA["pace_risk"], ids=str)
def test_pace_risk(row: dict[str, Any]) -> None:
    assert stats.pace_risk(row["pace"], row["players"]) == row["risk"]


@pytest.mark.parametrize("row", DATA["efficiency"], ids=str)
def test_efficiency(row: dict[str, Any]) -> None:
    found = stats.efficiency(row["got"], row["clues_given"] + row["lost"])
    assert (found if found is None else float(found)) == row["value"]


def test_a_clued_twin_of_a_placed_card_is_known_trash() -> None:
    """Two clued r1: after one is placed the other is no longer counted, though it still lies in a hand."""
    variant = load_variant("base")
    deck = [variant.names[name] for name in "r2 y1 y2 y3 y4 r1 r1 g1 g2 g3 b5".split()]
    rest = list(variant.deck_in_order())
    for card in deck:
        rest.remove(card)
    table = deal(variant, Options(2), tuple(deck + rest))
    act(table, Action(2, 1, 0))
    assert stats.statistics(table).got == 2
    act(table, Action(0, 5))
    act(table, Action(3, 1, 1))
    found = stats.statistics(table)
    # One card placed, the g1 clued by the 1; the other r1 is red and 1, so everybody knows it is trash.
    assert (found.score, found.got, found.spent) == (1, 2, 2)
    assert found.current == 1


def test_a_strike_counts_as_a_spent_clue() -> None:
    """Rules section 13: one clue, one play, one strike give 1/2."""
    variant = load_variant("base")
    deck = [variant.names[name] for name in "r1 y1 y2 y3 y4 r2 g2 g3 b2 b3".split()]
    rest = list(variant.deck_in_order())
    for card in deck:
        rest.remove(card)
    table = deal(variant, Options(3), tuple(deck + rest))
    act(table, Action(0, 0))
    act(table, Action(0, 6))
    act(table, Action(3, 0, 4))
    found = stats.statistics(table)
    assert (found.spent, found.strikes) == (2, 1)
    assert stats.efficiency(1, 2) == Fraction(1, 2)
