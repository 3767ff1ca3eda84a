"""scenarios/hidden-*.yaml: known values with a hidden hand, each with the assumption that the label names."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from hanasolve import api
from hanasolve.errors import LimitReached
from hanasolve.hanabi.game.table import from_replay
from hanasolve.hanabi.play.simulator import play_one
from hanasolve.hanabi.ranking.choice import Asked, rank
from hanasolve.hanabi.ranking.moves import Ranking

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def ranked(name: str, convention: str = "smart") -> Ranking:
    ranking = rank(api.load(str(SCENARIOS / name)), "hidden-exact", asked=Asked(convention=convention))
    assert "exact for information sets" in ranking.assumes and f"partners play {convention}" in ranking.assumes
    return ranking


def test_one_sixth() -> None:
    """P17: the source counts 1/6 for y5 where Bob draws it; a guess among four slots on the last turn adds 1/6.

    With open hands the same move wins for every place of y5 (scenarios/puzzle-p17-*.yaml).
    """
    moves = {move.text: move for move in ranked("hidden-p17-one-sixth.yaml").moves}
    assert moves["play slot 5"].best and moves["play slot 5"].win == Fraction(1, 3)
    assert sum(move.best for move in moves.values()) == 1
    lost = moves["discard slot 5"]  # C43: the maximum before the move counts, not the lowered one
    assert lost.win == 0 and lost.max_after == 22 and "the maximum falls from 25 to 22" in lost.why
    assert lost.why.startswith("discards r3, the last copy, certainly")
    assert "discards the last y5 with 1/6" in moves["discard slot 2"].why
    assert moves["play slot 5"].why.startswith("plays r3 certainly")


def test_the_very_last_turn() -> None:
    """C54: the card that is known to be playable; a guess has the chance that counting gives."""
    ranking = ranked("hidden-c54-last-turn.yaml")
    wins = {move.text: move.win for move in ranking.moves}
    assert ranking.target == 24 and ranking.moves[0].text == "play slot 5" and wins["play slot 5"] == 1
    assert {wins[f"play slot {slot}"] for slot in (1, 2, 3, 4)} == {Fraction(1, 4)}
    assert all(win == 0 for text, win in wins.items() if not text.startswith("play"))


def test_partners_optimal() -> None:
    ranking = rank(api.load(str(SCENARIOS / "hidden-c54-last-turn.yaml")), asked=Asked(partners="optimal"))
    assert "partners reply as with open hands" in ranking.assumes and ranking.method == "hidden-exact"
    assert ranking.moves[0].win == 1


def test_partners_optimal_beyond_the_bounds() -> None:
    """The convention's answer, the label says why; named by method, it ends without an answer."""
    game = play_one("smart", "p2v0s3", 2)
    table = from_replay(game, len(game.actions) - 4)
    asked = Asked(partners="optimal", history=game.actions, rollouts=500)
    ranking = rank(table, asked=asked)
    assert "instead of --partners optimal, which was not counted: 7,200 worlds" in ranking.assumes
    assert ranking.partners == "convention" and ranking.convention == "smart"
    plain = rank(table, "hidden", asked=replace(asked, partners=None))
    assert plain.moves == ranking.moves and plain.method == ranking.method
    foreseen = rank(from_replay(game, len(game.actions) - 2), asked=asked)
    assert "50,000 games are foreseen" in foreseen.assumes and foreseen.partners == "convention"
    with pytest.raises(LimitReached, match="7,200 worlds"):
        rank(table, "hidden-exact", asked=asked)
