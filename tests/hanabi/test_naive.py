"""The naive known-deck search: its rules twin against the engine, and values known from published cases.

Cases E15 to E55 are those of the project's rules reference: exact solutions of small endgames.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.table import Table, act, stored_action
from hanasolve.hanabi.search.problem import (
    ANY_CLUE,
    CLUE_COLOR,
    CLUE_RANK,
    DISCARD,
    PLAY,
    Problem,
    problem_from_table,
    replay_line,
)
from tests.oracles.naive_search import Search, State, TooManyStates, Twin, naive_best, replay_naive
from tests.oracles.random_problems import random_problem, random_table

SEEDS = st.integers(0, 2**32 - 1)


def endgame(stacks: str, hands: str, deck: str = "", **fields: Any) -> Problem:
    """A Problem in text: ``endgame("r4 b3", "r5 b1 | b4 b5", "r1", clues=2)``; junk is any placed card."""
    suits = [word[0] for word in stacks.split()]

    def card(name: str) -> int:
        return suits.index(name[0]) * 5 + int(name[1]) - 1

    cards = [tuple(card(name) for name in hand.split()) for hand in hands.split("|")]
    orders: list[tuple[int, ...]] = []
    for hand in cards:
        start = sum(len(known) for known in orders)
        orders.append(tuple(range(start, start + len(hand))))
    return Problem(
        players=len(cards),
        suits=len(suits),
        stack_size=5,
        stacks=tuple(int(word[1]) for word in stacks.split()),
        hands=tuple(cards),
        deck=tuple(card(name) for name in deck.split()),
        hand_orders=tuple(orders),
        deck_order=sum(len(hand) for hand in cards),
        bonus=(1,) * len(suits),
        **fields,
    )


# name, problem, value. Junk cards are 1s of suits that have them placed.
KNOWN = (
    ("E15: the drawer plays twice",
     endgame("r4 y4 g4 b4 w4", "r5 r1 | y5 r1 | g5 r1 | b5 r1", "w5", clues=0), 25),
    ("E16: r5 cannot follow the drawer's r4",
     endgame("r3 y5", "r1 r1 | r5 r1", "r4", clues=0), 9),
    ("one card a player in a running last round",
     endgame("r4 y4 g4", "g1 r1 | r5 y5 | g5 r1", "", turns_left=3, clues=1), 14),
    ("E46: one card in the deck, one step short",
     endgame("r3 b3", "r4 r5 r1 | b4 b5 b1", "r1", clues=8), 9),
    ("E46: two cards in the deck",
     endgame("r3 b3", "r4 r5 r1 | b4 b5 b1", "r1 r1", clues=8), 10),
    ("E51: r4 first", endgame("r3 b4", "b5 r4 b1 | r5 b1 b1", "b1", clues=0), 10),
    ("E54: both y3 at the bottom, y4 and y5 apart",
     endgame("y2 r5", "y4 r1 r1 | y5 r1 r1", "y3 y3", clues=8), 10),
    ("E54: both y3 at the bottom, y4 and y5 together",
     endgame("y2 r5", "y4 y5 r1 | r1 r1 r1", "y3 y3", clues=8), 9),
    ("a bonus is lost at the maximum, so nobody can pass twice",
     endgame("r4 y3", "r5 r1 | y5 r1 | y4 r1", "r1", clues=1, clues_max=1), 10),
)


@pytest.mark.parametrize(("problem", "value"), [case[1:] for case in KNOWN], ids=[case[0] for case in KNOWN])
def test_known_endgames(problem: Problem, value: int) -> None:
    found, line = naive_best(problem)
    assert found == value
    assert replay_naive(problem, line) == value


def test_e52_both_y2_at_the_bottom() -> None:
    """At most one point short for two players, however y3, y4 and y5 are split; some split reaches that."""
    values = []
    for split in range(8):
        hands = [["r1"], ["r1"]]
        for i, name in enumerate(("y3", "y4", "y5")):
            hands[(split >> i) & 1].append(name)
        for hand in hands:
            hand += ["r1"] * (4 - len(hand))
        text = " | ".join(" ".join(hand) for hand in hands)
        values.append(naive_best(endgame("y1 r5", text, "y2 y2", clues=4))[0])
    assert max(values) == 9
    three = endgame("y1 r5", "y5 r1 r1 | y3 r1 r1 | y4 r1 r1", "y2 y2", clues=4)
    assert naive_best(three)[0] == 10


def test_first_moves_of_e55() -> None:
    """Three junk cards in the deck: junk 25, r4 24, r4 discarded 23; with a fourth one r4 keeps 25 too."""
    hands = "r4 g1 g1 | r5 p5 b5 | g1 g1 g1"
    for junk, values in ((3, (25, 24, 23)), (4, (25, 25, 23))):
        problem = endgame("r3 g5 b4 p4 y5", hands, "g1 " * junk, clues=0)
        search = Search(problem)
        start = search.twin.first()
        actions = ((DISCARD, 1), (PLAY, 0), (DISCARD, 0))
        assert tuple(search.value(search.twin.after(start, action)) for action in actions) == values


def test_full_tokens_forbid_discards_and_a_strike_draws_instead() -> None:
    problem = endgame("r4 y4", "r1 r1 | r1 r1", "y5", clues=1, clues_max=1, strikes_max=2, strikes=0)
    twin = Twin(problem)
    assert all(kind != DISCARD for kind, _ in twin.actions(twin.first()))
    after = twin.after(twin.first(), (PLAY, 0))
    assert (after.strikes, after.clues, after.hands[0]) == (1, 1, (1, 4))


@settings(max_examples=500)
@given(SEEDS)
def test_memo_changes_nothing(seed: int) -> None:
    rng = Random(seed)
    problem = random_problem(
        rng, hand=(1, 2), players=(2, 3), deck=(0, 3), most_cards=6, clue_always=None, normal=None
    )
    try:
        value, _ = naive_best(problem, memo=False, max_nodes=3000)
    except TooManyStates:
        return
    assert naive_best(problem)[0] == value


def _engine_actions(table: Table, alternating: bool) -> set[tuple[int, int | None]]:
    """The engine's legal actions in the twin's terms."""
    out = np.zeros((engine.MAX_ACTIONS, 3), np.int64)
    count = engine.legal_actions(table.rules, table.game, out)
    found: set[tuple[int, int | None]] = set()
    for kind, target, value in out[:count].tolist():
        if kind in (CLUE_COLOR, CLUE_RANK):
            found.add((kind if alternating else ANY_CLUE, None))
        else:
            found.add((kind, stored_action(table, kind, target, value).target))
    return found


def _assert_same(table: Table, state: State) -> None:
    game = table.game
    sizes = game["hand_sizes"].tolist()
    hands = tuple(tuple(game["hands"][p, : sizes[p]].tolist()) for p in range(len(state.hands)))
    assert hands == state.hands
    assert tuple(game["stacks"][: len(state.stacks)].tolist()) == state.stacks
    assert (game["clues"], game["strikes"], game["to_move"]) == (state.clues, state.strikes, state.to_move)
    assert (None if game["turns_left"] < 0 else int(game["turns_left"])) == state.turns_left


@settings(max_examples=1000)
@given(SEEDS)
def test_the_twin_and_the_engine_play_the_same_game(seed: int) -> None:
    """A random game: the same legal actions and the same state on every turn, and the same end.

    ``stop_when_dead`` ends games earlier in the engine, but only when nothing more can be placed.
    """
    rng = Random(seed)
    table = random_table(rng, clue_always=rng.random() < 0.5, normal=rng.random() < 0.5, most_cards=12)
    problem = problem_from_table(table)
    twin = Twin(problem)
    state = twin.first()
    for _ in range(60):
        if table.options.stop_when_dead and table.game["ended"] == engine.DEAD:
            return
        actions = twin.actions(state)
        assert set(actions) == _engine_actions(table, problem.alternating)
        if table.game["ended"] != engine.STUCK:  # no card and no token: the twin just has no action
            assert bool(table.game["ended"]) == state.over
        if not actions:
            return
        action = rng.choice(actions)
        _, stored = replay_line(table, [action])
        act(table, stored[0])
        state = twin.after(state, action)
        _assert_same(table, state)


@settings(max_examples=300)
@given(SEEDS)
def test_naive_lines_replay_in_the_engine(seed: int) -> None:
    rng = Random(seed)
    table = random_table(
        rng, clue_always=rng.random() < 0.7, normal=rng.random() < 0.7, most_cards=8, deck=3
    )
    problem = problem_from_table(table)
    try:
        value, line = naive_best(problem, max_nodes=5_000)
    except TooManyStates:
        return
    final, _ = replay_line(table, line)
    assert int(final.game["stacks"].sum()) == value
    assert replay_naive(problem, line) == value
    if value == problem.full_score and not problem.over:
        assert final.game["ended"] == engine.PERFECT
