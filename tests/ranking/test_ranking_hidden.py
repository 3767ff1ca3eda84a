"""Hidden hands: beliefs from plain enumeration, nothing leaks, the same seed gives the same answer, labels, limits."""

from __future__ import annotations

import numpy as np
import pytest

from hanasolve.errors import LimitReached, NotationError, UnsupportedVariant
from hanasolve.hanabi.conventions.find import find_convention
from hanasolve.hanabi.game.records import Action, Replay
from hanasolve.hanabi.game.table import Table, from_replay
from hanasolve.hanabi.play.simulator import play_one
from hanasolve.hanabi.ranking.hidden_hands.belief import Belief, Setting, codes_of
from hanasolve.hanabi.ranking.hidden_hands.rank import estimate, estimate_many, rank_hidden
from hanasolve.hanabi.ranking.hidden_hands.viewpoint import Viewpoint
from hanasolve.hanabi.ranking.moves import Ranking
from hanasolve.limits import Limit


def at(game: Replay, turn: int) -> Table:
    return from_replay(game, turn)


def ranked(game: Replay, turn: int, convention: str, rollouts: int = 1500, seed: int = 0) -> Ranking:
    return rank_hidden(
        at(game, turn), convention=convention, history=game.actions, rollouts=rollouts, seed=seed
    )


@pytest.mark.parametrize(("name", "seed"), [("smart", "p3v0s2"), ("info", "p4v0s5"), ("holmes", "p2v0s3")])
def test_the_true_hand_is_believed_where_all_follow(name: str, seed: str) -> None:
    game, listed = play_one(name, seed, int(seed[1])), 0
    for turn in range(2, len(game.actions), 5):
        table = at(game, turn)
        setting = Setting(table, find_convention(name), codes_of(table, game.actions[: turn - 1]))
        belief = Belief(setting, int(table.game["to_move"]), 1)
        assert belief.filtered and not belief.retold, turn
        if belief.rows is None:
            assert len(belief.draw(50)) == 50
            continue
        true = table.game["deck"][belief.hidden.orders]
        assert (belief.rows == true).all(axis=1).sum() == 1
        listed += 1
    assert listed >= 4


def test_nothing_leaks() -> None:
    """Deal the mover's hand and the deck anew, as the belief allows: every number stays the same."""
    game = play_one("smart", "p3v0s2", 3)
    for turn in (9, 20):
        table = at(game, turn)
        viewpoint = Viewpoint(table, None, "smart", game.actions, 5)
        one = rank_hidden(table, convention="smart", history=game.actions, rollouts=600)
        deck = viewpoint.belief.decks(viewpoint.belief.draw(1))[0]
        other = table.copy()
        other.game["deck"][:] = deck
        assert (other.game["deck"] != table.game["deck"]).any()
        two = rank_hidden(other, convention="smart", history=game.actions, rollouts=600)
        assert one == two


def test_the_same_seed_gives_the_same_ranking() -> None:
    game = play_one("smart", "p2v0s3", 2)
    one, two, other = (ranked(game, 15, "smart", seed=seed) for seed in (3, 3, 4))
    assert one == two and one.seed == 3
    assert [move.score for move in one.moves] != [move.score for move in other.moves]


def test_fields_of_a_ranking() -> None:
    game = play_one("smart", "p3v0s2", 3)
    found = ranked(game, 25, "smart", 4000)
    assert found.method == "hidden-rollouts" and found.convention == "smart" and found.by == "win"
    assert "under smart" in found.assumes and "what the others did" in found.assumes
    best = found.moves[0]
    assert best.best and best.fresh and best.diff == 0 and best.se_diff == 0 and best.se_win > 0
    assert found.moves[1].fresh and not any(move.fresh for move in found.moves[2:])
    assert all(move.samples is not None and 0 <= move.win <= 1 and move.why for move in found.moves)
    legal = {(m.action.type, m.action.target, m.action.value) for m in found.moves}
    assert len(legal) == len(found.moves) and found.stopped == ""
    without = rank_hidden(at(game, 25), convention="smart", history=game.actions, rollouts=2000, confirm=False)
    assert without.fresh_worlds is None and not any(move.fresh for move in without.moves)


def test_somebody_did_not_follow() -> None:
    """One misplay no convention would make, by another player: the clues alone speak, and the label says so."""
    game = play_one("smart", "p3v0s2", 3)
    table = at(game, 10)
    hand = table.game["hands"][table.game["to_move"]]
    odd = next(Action(0, int(order)) for order in hand if Action(0, int(order)) != game.actions[9])
    strange = Replay(game.variant, game.options, game.names, game.deck, (*game.actions[:9], odd))
    found = ranked(strange, 11, "smart", 500)
    assert "belief: clues only" in found.assumes and "would explain" in found.assumes


def test_estimates_agree_with_the_ranking() -> None:
    game = play_one("smart", "p3v0s2", 3)
    table = at(game, 25)
    viewpoint = Viewpoint(table, None, "smart", game.actions, 0)
    usual, played = estimate_many(viewpoint, (None, game.actions[24]), 300)
    assert usual == played  # the game followed the convention
    alone = estimate(table, convention="smart", history=game.actions, deals=300)
    assert (alone.score, alone.win) == (usual.score, usual.win)
    ranking = ranked(game, 25, "smart", 6000)
    row = next(move for move in ranking.moves if move.action == game.actions[24])
    assert abs(float(row.score) - usual.score) < 4 * np.hypot(row.se_score, usual.se_score)


def test_limits_and_refusals() -> None:
    game = play_one("smart", "p3v0s2", 3)
    table = at(game, 20)
    few = rank_hidden(table, convention="smart", history=game.actions, limit=Limit(nodes=900))
    assert few.stopped == "the limit of 900nodes" and few.moves
    with pytest.raises(LimitReached):
        rank_hidden(table, convention="smart", history=game.actions, limit=Limit(seconds=0))
    for name, words in (("cheat", "sees the own hand"), ("search:smart", "the convention below it")):
        with pytest.raises(NotationError, match=words):
            rank_hidden(table, convention=name, history=game.actions)
    with pytest.raises(UnsupportedVariant, match="cox-information is for 5 players"):
        rank_hidden(table, convention="cox-information", history=game.actions)
