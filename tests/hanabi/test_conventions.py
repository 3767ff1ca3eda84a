"""Each convention against its own recorded games and against its published score.

``tests/data/conventions/games.json``: placed cards and turns of the first games of every convention, written
by ``python -m tests.hanabi.test_conventions`` after a change that is meant to alter play. ``published.json``:
the published rows with n and standard deviation.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hanasolve.hanabi.conventions.find import convention_names, find_convention
from hanasolve.hanabi.conventions.rule_names import LISTS, RULES, Rule
from hanasolve.hanabi.play.simulator import play_games
from hanasolve.reports.conventions import Reference, measure, read_references

DATA = Path(__file__).parents[1] / "data" / "conventions"
QUICK = ("random-legal", "simple", "smart", "internal", "iggi", "piers", "cox-recommendation")
GAMES = 12


def record(name: str, players: int) -> list[list[int]]:
    """[placed, turns] of the first games."""
    results = play_games(name, [f"p{players}v0s{i}" for i in range(1, GAMES + 1)], players)
    return [
        [int(placed), int(turns)] for placed, turns in zip(results["placed"], results["turns"], strict=True)
    ]


def recorded() -> list[Any]:
    """(name, players, games) with the long to compile ones marked slow."""
    file = DATA / "games.json"
    games: dict[str, dict[str, Any]] = json.loads(file.read_text()) if file.exists() else {}
    return [
        pytest.param(name, int(players), rows, marks=() if name in QUICK else pytest.mark.slow)
        for name, by_players in games.items()
        for players, rows in by_players.items()
    ]


@pytest.mark.parametrize(("name", "players", "rows"), recorded())
def test_games_are_those_that_were_recorded(name: str, players: int, rows: list[list[int]]) -> None:
    assert record(name, players) == rows


def test_every_convention_is_recorded() -> None:
    games = json.loads((DATA / "games.json").read_text())
    assert sorted(games) == sorted(convention_names())


def test_every_convention_says_what_it_is() -> None:
    for name in convention_names():
        convention = find_convention(name)
        assert len(convention.about) > 40 and convention.source
        assert bool(convention.label) == convention.open_hands == name.startswith("cheat")


def test_rule_lists_name_known_rules() -> None:
    for rules in LISTS.values():
        assert all(rule.name in RULES for rule in rules)
    assert Rule("TellUseful", tokens_below=4).numbers() == (14.0, 0.0, 0.0, 99.0, 4.0, 0.0)


PUBLISHED = read_references(DATA / "published.json")


@pytest.mark.slow
@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"{row.published_as}-{row.players}")
def test_the_published_score_is_reproduced(row: Reference) -> None:
    """Inside three combined standard errors at 10,000 fixed decks; a miss must hold on 40,000 new ones."""
    score = measure(row, 10_000)
    if score.verdict == "outside":
        score = measure(row, 40_000, first=10_001)
    assert score.verdict == "inside", score


@pytest.mark.parametrize("name", ["simple", "iggi"])
def test_a_few_games_are_near_the_published_score(name: str) -> None:
    rows = [row for row in PUBLISHED if row.convention == name]
    assert len(rows) == 4
    for row in rows:
        assert measure(row, 400).verdict == "inside"


def main() -> None:
    """Record the games of all conventions."""
    games = {
        name: {str(p): record(name, p) for p in (2, 3, 4, 5) if p in find_convention(name).players}
        for name in convention_names()
    }
    rows = [f'"{name}": {json.dumps(by_players)}' for name, by_players in games.items()]
    (DATA / "games.json").write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
