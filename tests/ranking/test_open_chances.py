"""Open-hands chances of a reviewed game: against one ranking a turn, and where the budget ends them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from hanasolve import api
from hanasolve.errors import LimitReached
from hanasolve.hanabi.game.table import from_replay
from hanasolve.hanabi.notation.replay_url import parse_url
from hanasolve.hanabi.ranking.open_hands.chances import open_chances
from hanasolve.hanabi.ranking.open_hands.rank import rank_open_hands
from hanasolve.hanabi.ranking.review.game_review import ReviewOptions, review
from hanasolve.limits import Limit

DATA = Path(__file__).parents[1] / "data" / "hanab_live" / "replays.json"
LINK = next(game["compact"] for game in json.loads(DATA.read_text())["games"] if "compact" in game)


def test_from_the_end_back() -> None:
    """Every turn is one ranking; the deck is empty on the last four turns, so chances are 0 or 1 there."""
    game = parse_url(LINK)
    found = list(open_chances(game, 3_000, Limit()))
    assert [one.number for one in found] == list(range(50, 50 - len(found), -1)) and len(found) >= 4
    for one in found:
        ranking = rank_open_hands(from_replay(game, one.number))
        action = game.actions[one.number - 1]
        assert one.target == ranking.target
        assert one.before == max(move.win for move in ranking.moves)
        assert one.after == next(move.win for move in ranking.moves if move.action == action) <= one.before
    assert (found[0].before, found[0].after) == (1, 0)  # the last turn lost the 25
    with pytest.raises(LimitReached):
        rank_open_hands(from_replay(game, found[-1].number - 1), Limit(nodes=3_000))


def test_in_a_review() -> None:
    game = parse_url(LINK)
    found = review(game, options=ReviewOptions(open_states=300))
    chances = {turn.number: turn.open_chance for turn in found.turns}
    assert chances[1] is None and chances[50] is not None and chances[50].before == Fraction(1)
    assert found.open_assumes is not None and "ideal communication" in found.open_assumes
    without = review(game, options=ReviewOptions(open_states=0))
    assert without.open_assumes is None and all(turn.open_chance is None for turn in without.turns)
    assert [turn.fall for turn in without.turns] == [turn.fall for turn in found.turns]


def test_a_tables_rules_that_it_does_not_know() -> None:
    """A blind play of the last card is beyond the method: the review says so and goes on."""
    import dataclasses

    game = parse_url(LINK)
    other = dataclasses.replace(game, options=dataclasses.replace(game.options, deck_plays=True))
    found = review(other)
    assert found.open_assumes is not None and "no chances with open hands" in found.open_assumes
    assert len(found.turns) == 50 and found.stopped is None
    assert api.score(from_replay(other)) == 24
