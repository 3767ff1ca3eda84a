"""Driving the kernels: arrays of a search, slices between which Python runs, and the two attacks on a target.

``beam`` looks for a line (and proves there is none if it never had to cut); ``relaxed`` proves loss.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from hanasolve.hanabi.search import kernel as search
from hanasolve.hanabi.search import relax
from hanasolve.hanabi.search import state as st
from hanasolve.hanabi.search.problem import Problem
from hanasolve.jit import run_sliced, slice_size
from hanasolve.limits import Limit

FOUND, EXHAUSTED, CUT, STOPPED = search.FOUND, search.EXHAUSTED, search.CUT, search.RUNNING

# spare plays, placed minus drawn, tokens, placed, needed cards held, cap of the first, offset; see value_of
WEIGHTS = np.array([8, 4, 4, 4, 2, 6, 100], np.int64)
_SLICE = 100_000  # states between two looks at the clock, 50 to 100 ms
_CACHED_WIDTH, _CACHED_ROWS = 512, 20_000  # larger arrays are not kept between decks


def known_deck(problem: Problem) -> Any:
    """The KNOWN_DECK record of a Problem."""
    known = np.zeros(1, st.KNOWN_DECK)[0]
    known["players"], known["suits"], known["steps"] = problem.players, problem.suits, problem.stack_size
    known["draws"], known["to_move"] = len(problem.deck), problem.to_move
    known["tokens"], known["tokens_max"] = problem.clues, problem.clues_max
    known["clue_cost"], known["discard_gain"] = problem.clue_cost, problem.discard_gain
    known["misplays"] = problem.strikes_max - 1 - problem.strikes
    known["turns_left"] = -1 if problem.turns_left is None else problem.turns_left
    known["discard_at_max"], known["last_round"] = problem.discard_at_max, problem.last_round
    known["clue_without_cards"] = not problem.empty_hand_ends
    known["deck_plays"], known["deck_discards"] = problem.deck_plays, problem.deck_discards
    known["full_height"][: problem.suits] = problem.stack_size
    known["height"][: problem.suits] = problem.stacks
    known["bonus"][: problem.suits] = problem.bonus or (1,) * problem.suits
    for seat, hand in enumerate(problem.hands):
        known["hand_size"][seat] = len(hand)
        mask = 0
        for identity in hand:
            mask |= 1 << identity
        known["hand"][seat] = np.uint64(mask)
    known["deck"][: len(problem.deck)] = problem.deck
    st.index_deck(known)
    return known


class _BeamArrays:
    """Everything a search of one width needs, reused from deck to deck."""

    def __init__(self, players: int, width: int) -> None:
        rows = width * 10 + 64 if width <= _CACHED_WIDTH else width * 4
        words = players + 1
        self.info = np.zeros(12, np.int64)
        self.scratch = np.zeros(search.SCRATCH, np.int64)
        self.states = np.zeros((width, words), np.uint64)
        self.kids = np.zeros((rows, words), np.uint64)
        self.values = np.zeros(rows, np.int16)
        self.origins = np.zeros((rows, 2), np.int32)
        self.table = np.zeros(1 << (2 * rows - 1).bit_length(), np.int32)
        self.parents = np.zeros((search.MAX_TURNS, width), np.int32)
        self.moves = np.zeros((search.MAX_TURNS, width), np.uint8)
        self.line = np.zeros(search.MAX_TURNS + 16, np.int64)


class _RelaxArrays:
    def __init__(self, players: int, rows: int) -> None:
        self.info = np.zeros(12, np.int64)
        self.states = np.zeros((rows, players + 1), np.uint64)
        self.kids = np.zeros((rows, players + 1), np.uint64)
        self.table = np.zeros(1 << (2 * rows - 1).bit_length(), np.int32)


@lru_cache(maxsize=8)
def _kept_beam(players: int, width: int) -> _BeamArrays:
    return _BeamArrays(players, width)


@lru_cache(maxsize=4)
def _kept_relax(players: int, rows: int) -> _RelaxArrays:
    return _RelaxArrays(players, rows)


def _slice(limit: Limit) -> int:
    """States of one kernel call: those that are left where they are bounded, so that every way to run stops alike."""
    size = slice_size(_SLICE)
    return size if limit.nodes_left is None else min(size, limit.nodes_left)


def beam(known: Any, target: Any, width: int, limit: Limit) -> tuple[int, list[int], int]:
    """(status, moves, states made): FOUND with the moves of a line, EXHAUSTED = proven out of reach."""
    players = int(known["players"])
    small = width <= _CACHED_WIDTH
    arrays = _kept_beam(players, width) if small else _BeamArrays(players, width)
    info, seen = arrays.info, 0
    search.begin(known, target, arrays.states, arrays.line, info)

    def step() -> bool:
        nonlocal seen
        seen = int(info[search.NODES])
        search.run_layers(
            known, target, width, WEIGHTS, info, arrays.scratch, _slice(limit), arrays.states, arrays.kids,
            arrays.values, arrays.origins, arrays.table, arrays.parents, arrays.moves, arrays.line,
        )  # fmt: skip
        return bool(info[search.STATUS] != search.RUNNING)

    if info[search.STATUS] == search.RUNNING:
        run_sliced(step, lambda: limit.spend(int(info[search.NODES]) - seen))
    limit.spend(int(info[search.NODES]) - seen if info[search.STATUS] != search.RUNNING else 0)
    moves = arrays.line[: info[search.LINE_LENGTH]].tolist()
    return int(info[search.STATUS]), moves, int(info[search.NODES])


def relaxed(known: Any, target: Any, rows: int, limit: Limit) -> tuple[int, int]:
    """(status, states made) of the game with free clues: EXHAUSTED = the target is out of reach."""
    players = int(known["players"])
    small = rows <= _CACHED_ROWS
    arrays = _kept_relax(players, rows) if small else _RelaxArrays(players, rows)
    info, seen = arrays.info, 0
    relax.begin_relaxed(known, target, arrays.states, info)

    def step() -> bool:
        nonlocal seen
        seen = int(info[search.NODES])
        relax.run_relaxed(known, target, info, _slice(limit), arrays.states, arrays.kids, arrays.table)
        return bool(info[search.STATUS] != search.RUNNING)

    if info[search.STATUS] == search.RUNNING:
        run_sliced(step, lambda: limit.spend(int(info[search.NODES]) - seen))
    limit.spend(int(info[search.NODES]) - seen if info[search.STATUS] != search.RUNNING else 0)
    return int(info[search.STATUS]), int(info[search.NODES])


def spare_plays(known: Any, target: Any) -> int:
    """The root's value of ``kernel.slack``: negative = refuted by counting."""
    words = np.zeros(int(known["players"]) + 1, np.uint64)
    st.root_state(known, target, words)
    return int(search.slack(known, target, words, np.zeros(search.COUNTS, np.int64)))
