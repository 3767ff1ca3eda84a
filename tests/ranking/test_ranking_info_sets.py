"""Hidden hands exactly: equal to plain recursion over information sets, and bounded by open hands and known decks."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from hanasolve.errors import LimitReached
from hanasolve.hanabi.conventions.find import find_convention
from hanasolve.hanabi.game.rules import score
from hanasolve.hanabi.game.table import Table, from_replay
from hanasolve.hanabi.play.simulator import play_one
from hanasolve.hanabi.ranking.hidden_hands.belief import codes_of
from hanasolve.hanabi.ranking.hidden_hands.info_sets import TooMany, all_worlds, rank_exact
from hanasolve.hanabi.ranking.hidden_hands.rank import rank_hidden
from hanasolve.hanabi.ranking.hidden_hands.viewpoint import Viewpoint, code_of
from hanasolve.hanabi.ranking.known_deck.rank import rank_known_deck
from hanasolve.hanabi.ranking.moves import Move, Ranking
from hanasolve.hanabi.ranking.open_hands.rank import rank_open_hands
from hanasolve.limits import Limit
from tests.oracles.naive_hidden import Naive
from tests.ranking.ranking_cases import hidden_ending


def code(table: Table, move: Move) -> int:
    from hanasolve.hanabi.game.table import engine_action

    return code_of(engine_action(table, move.action))


def check(table: Table, name: str, history: Any = None, codes: Any = None) -> Ranking:
    """Every value of ``rank_exact`` against the recursion."""
    ranking = rank_exact(Viewpoint(table, None, name, history))
    naive = Naive(table, int(table.game["to_move"]), name, codes)
    assert ranking.worlds == len(naive.deals)
    wins, scores = naive.best_plan(ranking.target), naive.best_plan(0)
    assert {code(table, move): (move.win, move.score) for move in ranking.moves} == {
        first: (wins[first], scores[first]) for first in wins
    }
    return ranking


@pytest.mark.parametrize("name", ["simple", "smart"])
def test_equals_plain_recursion_on_the_last_turns(name: str) -> None:
    values: set[Fraction] = set()
    for number in range(14):
        table = hidden_ending(random.Random(number), 2 + number % 2, 2, 0)
        values |= {move.score for move in check(table, name).moves}
    assert len(values) > 8 and any(value.denominator > 1 for value in values)


def test_equals_plain_recursion_with_a_card_to_draw() -> None:
    checked = 0
    for number in range(100, 140):
        table = hidden_ending(random.Random(number), 2, 2, 1)
        if table.game["clues"] <= 1 and table.game["deck_size"] > table.game["next"]:
            check(table, "simple")
            checked += 1
        if checked == 4:
            break
    assert checked == 4


# (players, cards of a hand, cards to draw, positions of each convention and variant): 4,000 in about three minutes of
# CPU, nearly all of it in the plain recursion.
TINY = [(2, 2, 0, 80), (2, 3, 0, 40), (2, 4, 0, 8), (3, 2, 0, 60), (3, 3, 0, 15), (4, 2, 0, 40), (2, 2, 1, 20)]


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["No Variant", "6 Suits", "3 Suits", "Orange (5 Suits)"])
@pytest.mark.parametrize("name", ["simple", "smart", "holmes", "info"])
def test_equals_plain_recursion_on_thousands(name: str, variant: str) -> None:
    """Every move of some 250 tiny positions a convention and variant, over several player counts."""
    values: set[Fraction] = set()
    for place, (players, size, cards, count) in enumerate(TINY):
        if players not in find_convention(name).players:
            continue
        for number in range(count):
            rng = random.Random(f"{name} {variant} {place} {number}")
            table = hidden_ending(rng, players, size, cards, variant)
            if cards and table.game["clues"] > 1:  # many clues make many plans
                continue
            values |= {move.score for move in check(table, name).moves}
    assert len(values) > 20 and any(value.denominator > 2 for value in values)


def last_turns(name: str, seed: str, players: int, left: int) -> tuple[Any, int]:
    """A game of a convention and the first turn with so few turns left."""
    game = play_one(name, seed, players)
    return game, len(game.actions) - left + 1


@pytest.mark.parametrize(("name", "seed", "left"), [("smart", "p3v0s2", 2), ("info", "p3v0s7", 1)])
def test_equals_plain_recursion_with_a_history(name: str, seed: str, left: int) -> None:
    game, turn = last_turns(name, seed, int(seed[1]), left)
    table = from_replay(game, turn)
    assert table.game["deck_size"] == table.game["next"]
    check(table, name, game.actions, list(codes_of(table, game.actions[: turn - 1])))


def test_never_above_open_hands_or_known_decks() -> None:
    """hidden <= open <= known deck, each averaged over what the better informed player knows more."""
    compared = 0
    for number in range(200, 212):
        table = hidden_ending(random.Random(number), 2, 2, 2)
        viewpoint = Viewpoint(table, None, "smart")
        try:
            hidden = rank_exact(viewpoint)
        except TooMany:
            continue
        decks, weights = all_worlds(viewpoint.belief)
        opened: dict[Any, Fraction] = {}
        known: dict[Any, Fraction] = {}
        for deck, weight in zip(decks, weights, strict=True):
            world = table.copy()
            world.game["deck"][:] = deck
            for values, ranking in ((opened, rank_open_hands(world)), (known, rank_known_deck(world))):
                for move in ranking.moves:
                    share = move.score * weight / sum(weights)
                    values[move.action] = values.get(move.action, Fraction(0)) + share
        for move in hidden.moves:
            assert move.score <= opened[move.action] <= known[move.action], (number, move.text)
            compared += 1
    assert compared > 60


def test_rollouts_never_above_the_best_plan() -> None:
    """Following the convention is one of the plans: the exact values bound the rollouts' ones from above."""
    for number in (3, 5, 8):
        table = hidden_ending(random.Random(number), 2, 2, 1)
        exact = {move.action: move for move in rank_exact(Viewpoint(table, None, "smart")).moves}
        for move in rank_hidden(table, convention="smart", rollouts=4000).moves:
            assert float(move.score) <= float(exact[move.action].score) + 4 * move.se_score + 1e-9


def test_intervals_cover_the_exact_value() -> None:
    """Over many positions and seeds, 95 % intervals of rollouts hold the value that plain enumeration gives.

    Moves whose games all end alike have no interval; they must be exact.
    """
    inside = asked = 0
    for number in range(40, 64):
        table = hidden_ending(random.Random(number), 2, 2, 1)
        naive = Naive(table, int(table.game["to_move"]), "simple")
        exact: dict[int, Fraction] = {}
        for seed in range(24):
            ranking = rank_hidden(table, convention="simple", rollouts=1600, seed=seed, confirm=False, goal="score")
            for move in ranking.moves[:3]:
                first = code(table, move)
                exact.setdefault(first, Fraction(-1))
                if exact[first] < 0:
                    exact[first] = naive.by_convention(first, 0)
                if move.se_score > 0:
                    asked += 1
                    inside += abs(float(move.score - exact[first])) <= 1.96 * move.se_score
                else:
                    assert move.score == exact[first]
            if all(move.se_score == 0 for move in ranking.moves[:3]):
                break
    assert asked >= 250
    assert abs(inside / asked - 0.95) < 3 * (0.95 * 0.05 / asked) ** 0.5, (inside, asked)


def test_bounds_end_the_count() -> None:
    game = play_one("smart", "p3v0s2", 3)
    viewpoint = Viewpoint(from_replay(game, 54), None, "smart", game.actions)
    with pytest.raises(TooMany, match="6 worlds"):
        rank_exact(viewpoint, max_worlds=5)
    with pytest.raises(TooMany, match="nodes"):
        rank_exact(viewpoint, max_nodes=3)
    with pytest.raises(LimitReached, match="the limit of 0s was not enough"):
        rank_exact(viewpoint, limit=Limit(seconds=0))


def test_labels_and_targets() -> None:
    game, turn = last_turns("smart", "p3v0s2", 3, 3)
    table = from_replay(game, turn)
    ranking = rank_exact(Viewpoint(table, None, "smart", game.actions))
    assert ranking.method == "hidden-exact" and "exact for information sets" in ranking.assumes
    assert "partners play smart" in ranking.assumes and ranking.convention == "smart"
    assert max(move.win for move in ranking.moves) > 0
    assert int(score(table.rules, table.game)) <= ranking.target <= 25
    assert all(move.samples is None and move.se_score == 0.0 for move in ranking.moves)
    assert np.isclose(float(ranking.moves[0].diff), 0)
