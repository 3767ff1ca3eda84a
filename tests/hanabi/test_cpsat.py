"""CP-SAT against the naive search on small cases of every kind, its rules one by one, and whole decks."""

from __future__ import annotations

import json
import os
import signal
import threading
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ortools.sat.python import cp_model

from hanasolve.errors import IllegalAction, NotationError, UnsupportedVariant
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.table import Table, deal
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.search.cpsat import best, decide
from hanasolve.hanabi.search.cpsat_events import events_fit
from hanasolve.hanabi.search.cpsat_solver import run_solver
from hanasolve.hanabi.search.cpsat_turns import horizon, solve_turns
from hanasolve.hanabi.search.problem import (
    ANY_CLUE,
    CLUE_COLOR,
    CLUE_RANK,
    DISCARD,
    PLAY,
    Problem,
    pass_action,
    problem_from_table,
    replay_line,
)
from tests.oracles.naive_search import TooManyStates, naive_best, replay_naive
from tests.oracles.random_problems import random_problem, random_table

SEEDS = st.integers(0, 2**32 - 1)
DECKS = Path(__file__).parents[1] / "data" / "known_deck" / "cpsat_decks.jsonl"
SECONDS = 120.0  # far more than these cases need


def check(problem: Problem, table: Table | None = None, turns: bool = False) -> None:
    """Both formulations reach the naive value and refute the next one; lines replay in twin and engine."""
    try:
        value, _ = naive_best(problem, max_nodes=3000)
    except TooManyStates:
        return
    for target in (value, value + 1):
        if target > problem.full_score:
            continue
        decision = decide(problem, target, SECONDS)
        assert decision.reachable is (target <= value), decision
        if events_fit(problem, target) == "exact":
            assert decision.formulation != "turns", "the events formulation found an illegal line"
        if decision.line is not None:
            assert replay_naive(problem, decision.line) >= target
            if table is not None:
                final, _ = replay_line(table, decision.line)
                assert int(final.game["stacks"].sum()) >= target
        if turns and target > problem.placed and not problem.over:
            reachable, line = solve_turns(problem, target, SECONDS, workers=1)
            assert reachable is (target <= value)
            if line is not None:
                assert replay_naive(problem, line) >= target


@settings(max_examples=80)
@given(SEEDS)
def test_normal_games(seed: int) -> None:
    check(random_problem(Random(seed)))


@settings(max_examples=80)
@given(SEEDS)
def test_games_of_every_mode_and_kind_of_clue(seed: int) -> None:
    check(random_problem(Random(seed), clue_always=None, normal=None))


@settings(max_examples=60)
@given(SEEDS)
def test_tables_and_their_lines(seed: int) -> None:
    rng = Random(seed)
    table = random_table(rng, clue_always=rng.random() < 0.6, normal=rng.random() < 0.6)
    check(problem_from_table(table), table)


@settings(max_examples=40)
@given(SEEDS)
def test_the_turns_formulation(seed: int) -> None:
    problem = random_problem(Random(seed), most_cards=8, deck=(0, 4), clue_always=None, normal=None)
    check(problem, turns=True)


@settings(max_examples=15)
@given(SEEDS)
def test_best_is_the_naive_value(seed: int) -> None:
    problem = random_problem(Random(seed), most_cards=9)
    try:
        value, _ = naive_best(problem, max_nodes=3000)
    except TooManyStates:
        return
    found = best(problem, SECONDS)
    assert (found.lower, found.upper) == (value, value)
    assert replay_naive(problem, found.line) >= value


# --- one rule at a time ----------------------------------------------------------------------------------
#
# Two suits of three cards, red = 0 1 2 and blue = 3 4 5. Red misses its last card or cards, blue is mostly
# complete: the answer turns on one rule. Junk is a card that is placed already.

JUNK = 0


def tiny(hands: tuple[tuple[int, ...], ...], deck: tuple[int, ...] = (), **fields: Any) -> Problem:
    orders: list[tuple[int, ...]] = []
    for hand in hands:
        start = sum(len(known) for known in orders)
        orders.append(tuple(range(start, start + len(hand))))
    settings = {
        "stacks": (2, 3), "bonus": (1, 1), "clues": 0, "clues_max": 1, "strikes_max": 1,
        "color_touchable": (True,) * 6, "rank_touchable": (True,) * 6,
    } | fields
    return Problem(
        players=len(hands), suits=2, stack_size=3, hands=hands, deck=deck, hand_orders=tuple(orders),
        deck_order=sum(len(hand) for hand in hands), **settings,  # type: ignore[arg-type]
    )


def test_the_drawer_plays_in_his_last_turn() -> None:
    """One card in the deck: who draws it plays it a round later; in a deck that is gone it is too late."""
    assert decide(tiny(((JUNK,), (JUNK,)), (2,)), 6).reachable
    assert decide(tiny(((JUNK,), (2,)), turns_left=2), 6).reachable
    assert not decide(tiny(((JUNK,), (2,)), turns_left=1), 6).reachable


def test_seats_follow_each_other() -> None:
    hands = ((2,), (1,), (JUNK,))
    assert decide(tiny(hands, stacks=(1, 3), turns_left=3, to_move=1), 6).reachable
    assert not decide(tiny(hands, stacks=(1, 3), turns_left=3, to_move=0), 6).reachable


def test_a_pass_costs_its_tokens() -> None:
    """Bob holds 1, Alice 2, and Alice is to move with nothing but these: she passes or cannot."""
    hands = ((2, JUNK), (1, JUNK))
    assert decide(tiny(hands, stacks=(1, 3), last_round=False, clues=1, clues_max=1), 6).reachable
    single = tiny(((2,), (1,)), stacks=(1, 3), last_round=False, clues=0, clues_max=2, clue_cost=2)
    assert not decide(single, 6).reachable
    assert not decide(replace(single, clues=1), 6).reachable
    assert decide(replace(single, clues=2), 6).reachable


def test_no_discard_at_the_maximum_and_a_strike_instead() -> None:
    """Alice needs the next card at once, because Bob holds nothing but a card to keep; a clue is no help."""
    problem = tiny(((JUNK,), (2,)), (1, JUNK), stacks=(1, 3), clues=1, clues_max=1, strikes_max=2)
    struck = decide(problem, 6)
    assert struck.reachable and struck.line is not None
    assert struck.line[0] == (PLAY, 0)
    assert not decide(replace(problem, strikes_max=1), 6).reachable
    assert decide(replace(problem, strikes_max=1, discard_at_max=True), 6).reachable


def test_hands_hold_so_many_cards() -> None:
    """1 and 2 must be kept until 0 comes: hands of one card are full then, hands of two are not."""
    junk = 3
    for size, reachable in ((1, False), (2, True)):
        hands = tuple((card,) + (junk,) * (size - 1) for card in (2, junk))
        problem = tiny(hands, (1, 0, junk, junk), stacks=(0, 3), clues=4, clues_max=8, to_move=1)
        assert decide(problem, 6).reachable is reachable


def test_a_bonus_is_paid_below_the_maximum_only() -> None:
    """Blue's last card pays the token with which Bob passes, if there is room for it."""
    hands = ((5, 2), (JUNK, JUNK), (1, JUNK))
    problem = tiny(hands, stacks=(1, 2), last_round=False, clues=0, clues_max=1, clue_cost=1)
    assert decide(problem, 6).reachable is (naive_best(problem)[0] == 6)
    last = tiny(((5,), (1,), (2,), (4,)), stacks=(0, 1), last_round=False, to_move=3, bonus=(1, 0))
    assert best(last, SECONDS).lower == naive_best(last)[0]


def test_blind_plays() -> None:
    """The last card of the deck is placed from the deck: one turn earlier than by drawing it."""
    problem = tiny(((2,), (JUNK,)), (1,), stacks=(1, 3), clues=1, clues_max=1, to_move=1)
    assert not decide(problem, 6).reachable
    decision = decide(replace(problem, deck_plays=True), 6)
    assert decision.reachable and decision.line is not None
    assert (PLAY, problem.deck_order) in decision.line


def test_royal_favor_ends_before_a_turn_without_cards() -> None:
    hands = ((1,), (JUNK,), (2,))
    problem = tiny(hands, stacks=(1, 3), last_round=False, clues=1, clues_max=1)
    assert decide(problem, 6).reachable
    late = tiny(((1,), (2,)), stacks=(0, 3), last_round=False, clues=0, clues_max=1)
    assert not decide(replace(late, empty_hand_ends=True), 6).reachable
    two = tiny(((1,), (0, 2)), stacks=(0, 3), last_round=False, clues=1, clues_max=1)
    assert decide(two, 6).reachable is (naive_best(two)[0] == 6)
    royal = replace(two, empty_hand_ends=True)
    assert decide(royal, 6).reachable is (naive_best(royal)[0] == 6)


def test_clues_must_touch_and_alternate() -> None:
    """Alice has to pass: a clue needs a card that it touches, and not the kind of the last clue."""
    none = (False,) * 6
    single = tiny(((2,), (1,)), stacks=(1, 3), last_round=False, clues=1, clue_always=False)
    assert decide(single, 6).reachable
    dark = replace(single, color_touchable=none, rank_touchable=none)
    decision = decide(dark, 6)
    assert decision.reachable is False and decision.formulation == "turns"
    color_only = replace(single, rank_touchable=none, alternating=True)
    assert decide(replace(color_only, last_clue=CLUE_RANK), 6).reachable
    assert decide(replace(color_only, last_clue=CLUE_COLOR), 6).reachable is False


def test_counting_needs_no_search() -> None:
    problem = tiny(((JUNK,), (JUNK,)), (JUNK,))
    assert decide(problem, 6).formulation == "counting"
    assert decide(problem, 5).line == []
    over = tiny(((2,), (JUNK,)), over=True)
    assert decide(over, 6).reachable is False


def test_a_game_that_ends_for_impossibility_has_one_action_left() -> None:
    problem = tiny(((1, 0), (2, 3)), stacks=(1, 2), stop_when_impossible=True, last_round=False)
    assert naive_best(problem)[0] == 4
    assert best(problem).lower == 4


# --- limits, horizon, lines ------------------------------------------------------------------------------


def load_decks() -> list[tuple[str, Table, bool]]:
    rows = [json.loads(line) for line in DECKS.read_text(encoding="utf-8").splitlines()]
    base = load_variant("base")
    return [
        (
            row["name"],
            deal(base, Options(row["players"]), tuple(5 * suit + rank - 1 for suit, rank in row["deck"])),
            row["reaches_25"],
        )
        for row in rows
    ]


@pytest.mark.parametrize(
    ("table", "reaches"), [deck[1:] for deck in load_decks()], ids=[deck[0] for deck in load_decks()]
)
def test_whole_decks(table: Table, reaches: bool) -> None:
    problem = problem_from_table(table)
    decision = decide(problem, 25, SECONDS)
    assert decision.reachable is reaches
    if decision.line is not None:
        final, actions = replay_line(table, decision.line)
        assert int(final.game["stacks"].sum()) == 25
        assert len(actions) == len(decision.line) <= horizon(problem, 25)


def test_below_the_maximum() -> None:
    """A deck that cannot reach 25 reaches 24, with a line."""
    name, table, reaches = next(deck for deck in load_decks() if not deck[2])
    assert not reaches, name
    found = best(problem_from_table(table), SECONDS)
    assert (found.lower, found.upper, found.proven) == (24, 24, True)
    final, _ = replay_line(table, found.line)
    assert int(final.game["stacks"].sum()) >= 24


def test_a_limit_leaves_a_bracket() -> None:
    _, table, _ = load_decks()[0]
    problem = problem_from_table(table)
    assert decide(problem, 25, limit=0.0).reachable is None
    bracket = best(problem, limit=0.0)
    assert (bracket.lower, bracket.upper, bracket.proven, bracket.line) == (0, 25, False, [])


# --- problems from tables --------------------------------------------------------------------------------


def first_table(name: str, players: int = 3, **options: Any) -> Table:
    variant = load_variant(name)
    return deal(variant, Options(players, **options), tuple(variant.deck_in_order()))


@pytest.mark.parametrize("name", ["Up or Down (5 Suits)", "Sudoku (5 Suits)"])
def test_suits_without_a_fixed_order_are_refused(name: str) -> None:
    with pytest.raises(UnsupportedVariant, match=name.split(" (")[0]):
        problem_from_table(first_table(name))


def test_bonus_tiles_are_refused() -> None:
    with pytest.raises(UnsupportedVariant, match="tiles"):
        problem_from_table(first_table("base", tiles=("look",)))


def test_unknown_cards_are_counted() -> None:
    base = load_variant("base")
    table = deal(base, Options(2), tuple(base.deck_in_order()[:20]))
    with pytest.raises(NotationError, match="30 of the 40 cards of the deck are unknown"):
        problem_from_table(table)
    table = deal(base, Options(2), (-1, *base.deck_in_order()[:49]))
    with pytest.raises(NotationError, match="1 of the 10 cards in the hands are unknown"):
        problem_from_table(table)


def test_downward_suits_are_relabelled() -> None:
    table = first_table("black-powder", 2)
    problem = problem_from_table(table)
    k5 = table.variant.identity(5, 5)
    assert problem.deck[-1] == 25  # k5 is the first card of the black firework
    assert problem.original[25] == k5
    assert problem.full_score == 30 and problem.placed == 0 and problem.reachable_score() == 30
    assert problem.identity_of(problem.deck_order) == problem.deck[0]
    with pytest.raises(KeyError):
        problem.identity_of(60)


def test_a_pass_is_a_legal_clue_to_the_next_player() -> None:
    table = first_table("base")
    assert pass_action(table) == (CLUE_COLOR, 1, 0)
    assert pass_action(table, CLUE_RANK) == (CLUE_RANK, 1, 3)
    table.game["clues"] = 0
    assert pass_action(table) is None
    with pytest.raises(IllegalAction, match=r"line\[0\]: no legal clue"):
        replay_line(table, [(ANY_CLUE, None)])
    with pytest.raises(IllegalAction, match=r"line\[1\]: "):
        replay_line(table, [(DISCARD, 0), (DISCARD, 0)])


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_ends_cp_sat_and_is_not_lost() -> None:
    """CP-SAT has a signal handler of its own: with it the solver stops, and the program goes on as if at a limit."""
    model, random = cp_model.CpModel(), Random(1)
    terms = [model.new_bool_var("") for _ in range(600)]
    for _ in range(2556):  # 4.26 clauses a variable: the hardest of random 3-SAT, hours of work
        model.add_bool_or(term if random.random() < 0.5 else ~term for term in random.sample(terms, 3))
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            run_solver(model, 60.0, 1)
    finally:
        timer.cancel()
