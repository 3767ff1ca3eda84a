"""``search:NAME``: exact hands, the same games when repeated, privacy, and no loss against its convention."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from hanasolve.errors import NotationError
from hanasolve.hanabi.conventions.base import find_convention
from hanasolve.hanabi.conventions.search import Searcher, count_unseen, draw_hand
from hanasolve.hanabi.rules import MAX_IDS
from hanasolve.hanabi.simulate import Simulator, act, play_games, play_one, seed_numbers
from hanasolve.hanabi.view import aim, fill_game


def searcher_of(table: Simulator) -> Searcher:
    found: Any = table.functions.decide
    assert isinstance(found.__self__, Searcher)
    return found.__self__


def stop_at(table: Simulator, seed: str, turns: int) -> None:
    """Play the convention without search up to a turn, and aim the view at the player who is to move."""
    replay = play_one("simple", seed, table.options.players)
    begin_game(table, seed, list(replay.deck))
    for _ in range(turns):
        aim(table.view, table.game, int(table.game["to_move"]), False)
        code = searcher_of(table).decide_of(table.view, table.memory[0])
        assert act(table.rules, table.game, table.view, table.event, int(code), False) == 0
        table.functions.update(table.view, table.memory[0], table.event)
    aim(table.view, table.game, int(table.game["to_move"]), False)


def begin_game(table: Simulator, seed: str, deck: list[int]) -> None:
    from hanasolve.hanabi.simulate import begin

    parts = (table.rules, table.game, table.view, table.memory, table.event)
    begin(*parts, np.array(deck, np.int8), table.setup, int(seed_numbers([seed])[0]), False)
    table.functions.update(table.view, table.memory[0], table.event)


def test_two_games_are_played_and_repeat() -> None:
    names = ["p2v0s1", "p2v0s2"]
    table = Simulator("search:simple:800", 2)
    first = table.play(seed_numbers(names))
    searcher = searcher_of(table)
    assert searcher.deviations > 0
    assert 0 < searcher.rollouts <= 3 * 800 * searcher.moves
    assert searcher.unfiltered == 0  # the others follow the convention: the true hand explains what they did
    assert np.array_equal(first, play_games("search:simple:800", names, 2))


def test_a_search_without_rollouts_is_the_convention() -> None:
    names = [f"p3v0s{i}" for i in range(1, 11)]
    assert np.array_equal(play_games("search:simple:1", names, 3), play_games("simple", names, 3))


def test_the_decision_rests_on_what_the_player_can_know() -> None:
    """Deal his hand and the deck anew: the view is the same, and so is the move."""
    table, rng = Simulator("search:simple:1000", 2), np.random.default_rng(3)
    searcher = searcher_of(table)
    for number in range(1, 13):
        stop_at(table, f"p2v0s{number}", 16 + 2 * number)
        assert table.game["to_move"] == 0
        move = searcher.decide(table.view, table.memory[0])
        other = table.game.copy()
        hidden = [o for o in range(other["deck_size"]) if other["where"][o] in (-1, 0)]
        other["deck"][hidden] = rng.permutation(other["deck"][hidden])
        fill_game(table.view, other, 0, False)
        assert searcher.decide(table.view, table.memory[0]) == move
    assert searcher.deviations > 0


def test_hands_are_drawn_uniformly_from_the_deals_that_clues_allow() -> None:
    """Two cards, one of which must be red: every ordered pair of different copies equally often."""
    table = Simulator("search:simple", 2)
    stop_at(table, "p2v0s1", 0)
    view = table.view
    view["hand_sizes"][0] = 2
    view["copies"][:] = 0
    view["copies"][[0, 1, 5]] = 2, 1, 1
    view["deck"][:], view["deck_size"], view["next"] = -1, 4, 2
    view["hands"][0, :2] = 0, 1
    view["fits"][0], view["fits"][1] = 0b11, 0b100011
    unseen, deck = np.zeros(MAX_IDS, np.int64), np.zeros(4, np.int8)
    count_unseen(view, unseen)
    copies = [0, 0, 1, 5]
    wanted = Counter((copies[a], copies[b]) for a, b in permutations(range(4), 2) if copies[a] in (0, 1))
    state, seen = np.array([12345], np.uint64), Counter[tuple[int, int]]()
    while seen.total() < 9000:
        if draw_hand(view, unseen, state, deck):
            seen[int(deck[0]), int(deck[1])] += 1
            assert sorted(deck.tolist()) == copies
    assert set(seen) == set(wanted)
    chi = sum((seen[pair] - 1000 * ways) ** 2 / (1000 * ways) for pair, ways in wanted.items())
    assert chi < 20  # five degrees of freedom: 0.1 %


def test_names_of_searches() -> None:
    convention = find_convention("search:info")
    assert convention.name == "search:info" and convention.players == (2, 3, 4, 5)
    assert "2,000 rollouts" in convention.about and convention.source
    for text, message in (
        ("search:cheat", "needs a convention with public notes"),
        ("search:iggi", "without dice"),
        ("search:simple:many", "expected rollouts of a move"),
        ("search:smrt", "unknown convention 'smrt'"),
    ):
        with pytest.raises(NotationError, match=message):
            find_convention(text)


@pytest.mark.slow
def test_a_search_does_not_lose_against_its_convention() -> None:
    """The same 40 decks, one-sided 5 % (2 players, smart)."""
    names = [f"p2v0s{i}" for i in range(1, 41)]
    search, alone = (play_games(name, names, 2)["placed"].astype(float) for name in ("search:smart:800", "smart"))
    gain = search - alone
    assert gain.mean() > -1.645 * gain.std(ddof=1) / np.sqrt(len(gain))
