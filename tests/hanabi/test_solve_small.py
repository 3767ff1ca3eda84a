"""The known-deck solver against the naive twin on thousands of small cases, and every line replayed.

The naive twin (tests/oracles/naive_search.py) has its own rules, no bounds, no order of moves and no
abstraction of trash; it was written without knowledge of the search.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from hanasolve.hanabi.game.fireworks import score as placed_cards
from hanasolve.hanabi.game.table import act, official_score
from hanasolve.hanabi.search import engine
from hanasolve.hanabi.search.problem import Problem, problem_from_table
from hanasolve.hanabi.search.solve import solve, targets
from hanasolve.limits import Limit
from tests.oracles.naive_search import naive_best
from tests.oracles.random_problems import random_problem, random_table


def kernel_best(problem: Problem) -> int:
    """The kernel's answer to a bare Problem: exhaustive searches from the top level downwards."""
    known = engine.known_deck(problem)
    high = (problem.stack_size,) * problem.suits
    for total in range(problem.full_score, problem.placed, -1):
        for heights in targets(problem.stacks, high, total):
            target = np.zeros(7, np.int8)
            target[: len(heights)] = heights
            status, _, _ = engine.beam(known, target, 4000, Limit())
            assert status in (engine.FOUND, engine.EXHAUSTED), "the small search had to cut"
            if status == engine.FOUND:
                return total
    return problem.placed


def relaxation_refutes(problem: Problem, total: int) -> bool:
    """Whether the game with free clues refutes every way to a total."""
    known = engine.known_deck(problem)
    high = (problem.stack_size,) * problem.suits
    for heights in targets(problem.stacks, high, total):
        target = np.zeros(7, np.int8)
        target[: len(heights)] = heights
        status, _ = engine.relaxed(known, target, 20_000, Limit())
        if status != engine.EXHAUSTED:
            return False
    return True


def check_problem(seed: int, most_cards: int = 8) -> None:
    problem = random_problem(Random(seed), most_cards=most_cards)
    best, _ = naive_best(problem)
    assert kernel_best(problem) == best, f"seed {seed}: {problem}"
    if best > problem.placed:
        assert not relaxation_refutes(problem, best), f"seed {seed}: the relaxation refutes what is reached"


def check_table(seed: int, most_cards: int = 8, **kinds: bool) -> None:
    table = random_table(Random(seed), most_cards=most_cards, deck=4, **kinds)
    problem = problem_from_table(table)
    best, _ = naive_best(problem)
    solution = solve(table)
    assert solution.proved, f"seed {seed}"
    worth = official_score(table) if problem.over else best  # a game that is lost is worth nothing
    assert solution.score == worth, f"seed {seed}: {problem}"
    replayed = table.copy()
    for action in solution.actions:
        act(replayed, action)
    assert placed_cards(replayed.rules, replayed.game) == best, f"seed {seed}: the line"
    if best < problem.full_score and not problem.over:
        assert solution.reason, f"seed {seed}: no reason"


@pytest.mark.parametrize("block", range(8))
def test_kernel_and_naive_agree_on_problems(block: int) -> None:
    for seed in range(block * 150, (block + 1) * 150):
        check_problem(seed)


@pytest.mark.parametrize("block", range(8))
def test_solver_and_naive_agree_on_tables(block: int) -> None:
    for seed in range(block * 100, (block + 1) * 100):
        check_table(seed)


def test_solver_and_naive_agree_where_clues_may_be_impossible() -> None:
    for seed in range(150):
        check_table(seed, clue_always=False)


def test_solver_and_naive_agree_without_a_last_round() -> None:
    for seed in range(150):
        check_table(seed, normal=False)


@pytest.mark.slow
def test_more_of_the_same() -> None:
    for seed in range(10_000, 14_000):
        check_problem(seed)
        check_table(seed)
    for seed in range(20_000, 20_100):
        check_problem(seed, most_cards=11)
    for seed in range(10_000, 10_400):
        check_table(seed, normal=False)
        check_table(seed, clue_always=False)
