"""The known-deck solver on whole decks: published verdicts, hard decks, limits, goals, other variants."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from hanasolve import api
from hanasolve.errors import UnsupportedVariant
from hanasolve.hanabi.game.options import Options, site_options
from hanasolve.hanabi.game.records import Action
from hanasolve.hanabi.game.table import Table, deal
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.search.solve import Solution, solve
from hanasolve.hanabi.search.verify import verify
from hanasolve.limits import Limit

DATA = Path(__file__).parents[1] / "data" / "known_deck"

# Nobody had decided this one: not refuted by any one to three suits with clues for free. CP-SAT refutes it.
UNDECIDED = "p5v0sunblinkingly-kobe-prescriptively"
# Decks whose refutation takes more than about a second; they are in the slow set.
LONG = {UNDECIDED, "random.Random(4071) 3p", "random.Random(1493) 4p", "random 4p open", "random 5p pair", "p5c1s98804"}


def read(name: str) -> list[dict[str, Any]]:
    with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def table_of(row: dict[str, Any]) -> Table:
    variant = load_variant(0)
    deck = tuple(suit * 5 + rank - 1 for suit, rank in row["deck"])
    return deal(variant, site_options(row["players"]), deck)


def check(table: Table, solution: Solution) -> None:
    """What every solution must be: proven, replayed, with a reason where it stays below the maximum."""
    assert solution.proved
    final = api.replay(table, solution.actions)
    assert api.score(final) == solution.score
    assert final.game["strikes"] < 3
    assert (solution.reason is None) == (solution.score == solution.max_possible)


def test_published_verdicts_of_random_decks() -> None:
    """random-decks.jsonl: verdicts of a published SAT model, its lines replayed."""
    rows = read("random-decks.jsonl.gz")
    assert len(rows) == 305
    for row in rows:
        table = table_of(row)
        solution = solve(table)
        check(table, solution)
        assert (solution.score == 25) == row["reaches_25"], f"{row['players']} players, seed {row['seed']}"


def test_published_lines_replay() -> None:
    """The lines of the same file; their clues stand for a pass and may name what is not there."""
    checked = 0
    for row in read("random-decks.jsonl.gz"):
        if row["line"]:
            table = table_of(row)
            for kind, target, _ in row["line"]:
                if kind < 2:
                    api.act(table, Action(kind, target))
                else:
                    clue = next(action for action in api.legal_actions(table) if action.type >= 2)
                    api.act(table, clue)
            assert api.score(table) == 25
            checked += 1
    assert checked > 50


HARD = read("hard-decks.jsonl.gz")


@pytest.mark.parametrize("part", range(4))
def test_hard_decks(part: int) -> None:
    """hard-decks.json: decks that other programs found hard, those left open by all of them included."""
    for row in HARD[part::4]:
        if row["name"] not in LONG:
            table = table_of(row)
            solution = solve(table)
            check(table, solution)
            if row["reaches_25"] is not None:
                assert (solution.score == 25) == row["reaches_25"], row["name"]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(LONG))
def test_hard_decks_that_take_long(name: str) -> None:
    row = next(row for row in HARD if row["name"] == name)
    table = table_of(row)
    solution = solve(table)
    check(table, solution)
    assert row["reaches_25"] in (None, solution.score == 25)


def test_a_limit_leaves_a_bracket_with_a_line() -> None:
    row = next(row for row in HARD if row["name"] == UNDECIDED)
    solution = solve(table_of(row), Limit(nodes=300_000))
    assert solution.score in (23, 24) and solution.upper_bound == 25 and not solution.proved


@pytest.mark.parametrize(
    "seed", ["p2v0s40", "p2v0s220", "p2v0s242", "p2v0s1", "p3v0s2", "p4v0s3", "p5v0s4"]
)
def test_cp_sat_confirms_line_and_bound(seed: str) -> None:
    table = api.load(seed)
    solution = solve(table)
    check(table, solution)
    assert verify(table, solution.score, solution.upper_bound, 120.0)


def test_reasons_name_the_cards() -> None:
    """p2v0s220: g2 is drawn last but one, so g3 g4 g5 would need three plays in two last turns."""
    solution = solve(api.load("p2v0s220"))
    assert solution.score == 24 and solution.method == "bound"
    assert solution.reason is not None and "g3 g4 g5" in solution.reason


def test_a_limit_gives_a_bracket() -> None:
    solution = solve(api.load("p2v0s1"), Limit(nodes=1))
    assert solution.upper_bound == 25 and solution.score <= 25


@pytest.mark.parametrize(("seed", "goal", "reachable"), [("p2v0s220", 24, True), ("p2v0s220", 25, False)])
def test_goals(seed: str, goal: int, reachable: bool) -> None:
    solution = solve(api.load(seed), goal=goal)
    assert (solution.score >= goal) == reachable
    assert reachable or solution.upper_bound < goal


VARIANTS = [
    "6 Suits", "Rainbow (6 Suits)", "Black (6 Suits)", "White Reversed (6 Suits)", "3 Suits",
    "Clue Starved (5 Suits)", "Alternating Clues (5 Suits)", "Throw It in a Hole (5 Suits)",
    "Null (5 Suits)", "Color Mute (5 Suits)", "Critical Fours (5 Suits)", "Scarce Ones (5 Suits)",
    "base", "six-suits", "one-of-each", "wild", "black-powder", "wild+black-powder",
]  # fmt: skip


@pytest.mark.parametrize("name", VARIANTS)
def test_variants_are_solved(name: str) -> None:
    """Decks of every kind of variant: proven, and the line replays under that variant's rules."""
    from random import Random

    variant = load_variant(name)
    cards = variant.deck_in_order()
    Random(7).shuffle(cards)
    for players in (3, 4):
        options = site_options(players) if variant.id >= 0 else Options(players)
        table = deal(variant, options, tuple(cards))
        check(table, solve(table, Limit(seconds=120)))


@pytest.mark.parametrize("name", ["Up or Down (5 Suits)", "Sudoku (5 Suits)"])
def test_suits_without_a_fixed_order_are_refused_by_name(name: str) -> None:
    variant = load_variant(name)
    table = deal(variant, site_options(2), tuple(variant.deck_in_order()))
    with pytest.raises(UnsupportedVariant, match=name.split(" (")[0]):
        solve(table)


@pytest.mark.parametrize("mode", ["perfect_or_defeat", "royal_favor"])
def test_modes_without_a_last_round(mode: str) -> None:
    """p2v0s220 loses a card to the last round; without one all 25 can be placed."""
    variant = load_variant("base")
    deck = api.load("p2v0s220").game["deck"][:50].tolist()
    table = deal(variant, Options(2, mode=mode), tuple(deck))
    solution = solve(table)
    check(table, solution)
    assert solution.score == 25


# Decks that cannot reach 25, from this tool's own report, and winnable ones: CP-SAT must say the same.
LOST = [
    "p2v0s40", "p2v0s220", "p2v0s242", "p2v0s251", "p2v0s2604", "p2v0s2607", "p2v0s2686", "p2v0s4700", "p2v0s4973",
    "p2v0s9847", "p2v0s9957", "p3v0s1152", "p3v0s4848", "p3v0s8802", "p5v0s3174", "p5v0s8826",
]  # fmt: skip
WINNABLE = [f"p{players}v0s{number}" for players in (2, 3, 4, 5) for number in range(11, 18)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", LOST + WINNABLE)
def test_kernel_and_cp_sat_agree_on_whole_decks(seed: str) -> None:
    table = api.load(seed)
    solution = solve(table)
    check(table, solution)
    assert (solution.score < 25) == (seed in LOST)
    assert verify(table, solution.score, solution.upper_bound, 200.0)
