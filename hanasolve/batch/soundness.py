"""Is a convention sound? Games that look for illegal moves, crashes, leaks and differences.

A user's functions are played in plain Python, where a fault has a line of his file, then compiled, then compiled
again in another order. ``leaks.py`` looks for decisions by what a named cannot know.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hanasolve import stats
from hanasolve.batch.games import NamedConvention, fault_text, seed_texts
from hanasolve.batch.leaks import look_for_leak
from hanasolve.batch.oracle import ORACLE
from hanasolve.batch.watched_game import COMPILE, DIFFERS, ENDLESS, UNSTEADY, Problem, WatchedGame
from hanasolve.errors import NotationError
from hanasolve.hanabi.conventions.convention import SEARCH_COST
from hanasolve.hanabi.game.deck import seed_number
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.variants import Variant
from hanasolve.hanabi.play.games import RESULT
from hanasolve.hanabi.play.simulator import Simulator

MAX_PROBLEMS = 5
_REPEATED = 20  # games that are played twice as plain Python
_OUTCOME = [name for name in RESULT.names or () if name not in SEARCH_COST]


@dataclass
class Check:
    """What was found. ``means``: mean points kept by number of players, with standard error."""

    name: str
    games: int = 0
    means: dict[int, stats.MeanSe] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    plain_per_second: float | None = None
    compiled_per_second: float | None = None
    leaks_checked: int = 0

    @property
    def ok(self) -> bool:
        return not self.problems

    @property
    def enough(self) -> bool:
        """Whether enough problems were found to stop; a function that does not return is enough."""
        endless = any(problem.kind == ENDLESS for problem in self.problems)
        return endless or len(self.problems) >= MAX_PROBLEMS


def check_convention(named: NamedConvention, variant: Variant, counts: Sequence[int], games: int = 200) -> Check:
    """Play about ``games`` games, an equal share with each number of players, and report what is wrong.

    A user's functions are played as plain Python first, where faults have a line; everything else is played
    compiled.
    """
    if named.convention is ORACLE:
        raise NotationError("oracle is the search of known decks, not a convention: there is nothing to check")
    check = Check(named.name)
    tables = [Options(count) for count in counts]
    for options in tables:
        named.convention.check_table(variant, options)
    share = max(1, games // len(tables))
    with np.errstate(over="ignore", under="ignore", divide="raise", invalid="raise"):  # as compiled code does
        for options in tables:
            if not check.enough:
                seeds = seed_texts(variant, options.players, 1, share)
                _check_table(check, Simulator(named.convention, options.players, variant, options, jit=False), seeds)
    return check


def _check_table(check: Check, plain: Simulator, seeds: list[str]) -> None:
    numbers = np.array([seed_number(seed) for seed in seeds])
    compiled = _compile(check, plain)
    own_functions = plain.convention.pair is not None or compiled is None
    first = plain if own_functions else compiled
    assert first is not None
    began = time.perf_counter()
    results = list(_play_all(check, WatchedGame(first), seeds))
    spent = time.perf_counter() - began
    if len(results) < len(seeds):
        return
    kept = np.array(results, RESULT)
    players = plain.options.players
    check.games += len(results)
    check.means[players] = stats.mean_se(kept["placed"])
    if own_functions:
        check.plain_per_second = len(seeds) / spent
        again = plain.play(numbers[:_REPEATED][::-1].copy())[::-1]
        _compare(check, UNSTEADY, "again, after other games:", kept, again, players, seeds)
    if compiled is not None:
        _check_compiled(check, compiled, numbers, kept, seeds)
    if not plain.convention.open_hands:
        _check_secrets(check, compiled or plain, seeds)


def _check_secrets(check: Check, table: Simulator, seeds: Sequence[str]) -> None:
    """Leaks, every seat with notes of its own; first whether notes that are said to be public are the same in all.

    One memory for all seats is written with the eyes of whoever acts, who knows what he means to tell: on another
    deal, where he would have acted otherwise, that is not what the others read.
    """
    own_notes = Simulator(table.convention, table.options.players, table.variant, table.options, separate=True,
                          jit=table.jit)  # fmt: skip
    game = WatchedGame(own_notes)
    for seed in seeds if table.convention.shared else ():
        if not check.enough and (problem := game.play(seed, same_notes=True)) is not None:
            check.problems.append(problem)
    for seed in seeds:
        if not check.enough:
            tried, problem = look_for_leak(game, seed)
            check.leaks_checked += tried
            check.problems += [problem] if problem is not None else []


def _play_all(check: Check, game: WatchedGame, seeds: Sequence[str]) -> Iterator[Any]:
    """The results of games that end; others become problems."""
    for seed in seeds:
        problem = game.play(seed)
        if problem is None:
            yield game.result()
        else:
            check.problems.append(problem)
            if check.enough:
                return


def _compile(check: Check, plain: Simulator) -> Simulator | None:
    """The same table with compiled functions; None, and a problem, if they cannot be compiled."""
    options = plain.options
    try:
        compiled = Simulator(plain.convention, options.players, plain.variant, options)
        for function in compiled.functions[:2]:
            getattr(function, "compiled", None)  # made when it is asked for
        return compiled
    except Exception as error:  # numba raises many kinds; all of them concern the user's functions
        if not any(problem.kind == COMPILE for problem in check.problems):
            text = fault_text(error).removeprefix(f"{COMPILE}: ")
            check.problems.append(Problem(COMPILE, text, options.players))
        return None


def _check_compiled(
    check: Check, compiled: Simulator, numbers: NDArray[np.int64], kept: NDArray[Any], seeds: list[str]
) -> None:
    """The same games compiled, twice, and in another order the second time."""
    players = compiled.options.players
    began = time.perf_counter()
    try:
        fast = compiled.play(numbers)
    except Exception as error:
        check.problems.append(Problem(DIFFERS, f"{type(error).__name__}: {error}", players))
        return
    check.compiled_per_second = len(seeds) / (time.perf_counter() - began)
    _compare(check, DIFFERS, "uncompiled:", fast, kept, players, seeds)
    again = compiled.play(numbers[::-1].copy())[::-1]
    _compare(check, UNSTEADY, "again, after other games:", fast, again, players, seeds)


def _compare(
    check: Check, kind: str, text: str, first: NDArray[Any], second: NDArray[Any], players: int,
    seeds: Sequence[str],
) -> None:  # fmt: skip
    """Add a problem for the first game whose result is not the same in both runs."""
    for seed, a, b in zip(seeds, first[_OUTCOME], second[_OUTCOME], strict=False):
        if a != b:
            outcome = f"{_outcome(a)}; {text} {_outcome(b)}"
            check.problems.append(Problem(kind, outcome, players, seed))
            return


def _outcome(result: Any) -> str:
    return f"{result['placed']} points after {result['turns']} turns"
