"""scenarios/game-*.json: what `hanasolve review` must find in games whose course is known (scenarios/README.md)."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from hanasolve import api
from hanasolve.hanabi.game.records import Replay
from hanasolve.hanabi.notation.source import read_source
from hanasolve.hanabi.ranking.review.game_review import Review, ReviewOptions, review

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def reviewed(name: str, options: ReviewOptions) -> Review:
    game = next(read_source(str(SCENARIOS / name))).record
    assert isinstance(game, Replay)
    return review(game, options=options)


def test_lost_on_the_last_turn() -> None:
    """C79: 24 points (red 4). The r5 that was not played is the loss, with open hands and by what Bob could know."""
    found = reviewed("game-c79-last-turn.json", ReviewOptions(convention="smart", rollouts=100, open_states=20_000))
    assert (found.score, found.maximum, found.lost_at) == (24, 25, 50)
    lost = found.turns[49]
    assert [one.text for one in lost.fall.keeping] == ["play r5 (slot 1)"]
    assert lost.open_chance is not None and (lost.open_chance.before, lost.open_chance.after) == (1, Fraction(0))
    assert lost.grade == "blunder" and lost.knowable is True
    assert found.saving_line_url is not None
    assert api.score(api.load(found.saving_line_url.partition("#")[0])) == 25


def test_a_perfect_game() -> None:
    """C71: 25 on action 55; so every maximum on the way was 25."""
    found = reviewed("game-c71-perfect.json", ReviewOptions(open_states=0))
    assert (found.score, found.maximum, found.lost_at, len(found.turns)) == (25, 25, None, 55)
    assert all((turn.fall.max_before, turn.fall.max_after) == (25, 25) for turn in found.turns)


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("game-*.json")), ids=lambda path: path.stem)
def test_every_game_is_told(path: Path) -> None:
    assert f"`{path.name}`" in (SCENARIOS / "README.md").read_text(encoding="utf-8")
