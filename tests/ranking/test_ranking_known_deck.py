"""Known-deck values of all moves: equal to the solver asked anew for each, and to plain search; lines replay."""

from __future__ import annotations

import random

import pytest

from hanasolve import api
from hanasolve.errors import NotationError
from hanasolve.hanabi.game.deck import shuffle
from hanasolve.hanabi.game.options import site_options
from hanasolve.hanabi.game.table import Table, act, deal
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.ranking.known_deck.rank import rank_known_deck
from hanasolve.hanabi.search.problem import problem_from_table
from hanasolve.hanabi.search.solve import solve
from tests.oracles.naive_search import naive_best
from tests.ranking.ranking_cases import random_ending


def final_value(table: Table) -> int:
    """The maximum after a move, asked without any knowledge of the maximum before it."""
    if table.game["strikes"] >= table.rules["strikes_max"]:
        return 0
    return solve(table).score


def random_middle(seed: int, variant_id: int, players: int, turns: int) -> Table:
    rng = random.Random(seed)
    variant = load_variant(variant_id)
    deck = shuffle(f"p{players}v{variant_id}s{seed}", variant.deck_in_order())
    table = deal(variant, site_options(players), tuple(deck))
    for _ in range(turns):
        if table.game["ended"] or table.game["strikes"] >= 2:
            break
        actions = api.legal_actions(table)
        act(table, rng.choice(actions))
    return table


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("variant_id", [0, 15, 21])
def test_equals_the_solver_asked_for_each_move(players: int, variant_id: int) -> None:
    table = random_middle(players, variant_id, players, 25)
    ranking = rank_known_deck(table)
    assert len(ranking.moves) == len(api.legal_actions(table))
    assert ranking.target == solve(table).score == max(move.max_after for move in ranking.moves)
    solved: dict[int, int] = {}
    for move in ranking.moves:
        child = api.replay(table, [move.action])
        if move.group not in solved:
            solved[move.group] = final_value(child)
        assert move.max_after == move.score == solved[move.group], move.text
        if move.line:
            assert api.score(api.replay(child, move.line)) == move.score
        assert (move.max_after < ranking.target) == ("the maximum falls" in move.why)


def test_equals_plain_search_on_small_endings() -> None:
    for number in range(40):
        table = random_ending(random.Random(number), most_cards=2, players=2)
        ranking = rank_known_deck(table)
        for move in {move.group: move for move in ranking.moves}.values():
            child = api.replay(table, [move.action])
            struck = child.game["strikes"] >= child.rules["strikes_max"]
            expected = 0 if struck else naive_best(problem_from_table(child))[0]
            assert move.score == expected, (number, move.text)


def test_sorted_with_ties() -> None:
    ranking = rank_known_deck(random_middle(7, 0, 3, 30))
    scores = [move.score for move in ranking.moves]
    assert scores == sorted(scores, reverse=True)
    assert all(move.best == (move.score == scores[0]) for move in ranking.moves)
    assert all(move.diff == move.win - 1 for move in ranking.moves) and ranking.by == "win"


def test_nobody_to_move() -> None:
    table = api.load("p2v0s1")
    done = api.replay(table, solve(table).actions)
    with pytest.raises(NotationError, match="the game is over"):
        rank_known_deck(done)
