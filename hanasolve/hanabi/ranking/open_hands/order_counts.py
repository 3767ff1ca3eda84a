"""How many deck orders a question wins with open hands: from a table to the kernels' records, tables and searches.

A question is a target, or 0 for the score. Its count stands beside those of the easier games that bound it, and all
their tables lie in one heap.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hanasolve.errors import LimitReached, UnsupportedVariant
from hanasolve.hanabi.game.table import Table, final_score
from hanasolve.hanabi.ranking.open_hands import bounds as bd
from hanasolve.hanabi.ranking.open_hands import expectimax as ex
from hanasolve.hanabi.ranking.open_hands import state as st
from hanasolve.hanabi.search.problem import Problem, problem_from_table
from hanasolve.jit import run_sliced, slice_size
from hanasolve.limits import Limit

MAX_BYTES = 1_600_000_000  # of the tables of a ranking
FIRST_BYTES = 1 << 19
_SLICE = 50_000  # states between two looks at the limit
_MOST_COUNTS = 3 * (st.MAX_SUITS * 8 + 2)  # games * targets, 0 among them


def check_open(problem: Problem) -> None:
    """UnsupportedVariant, by name, for what open hands are not counted for."""
    reasons = {
        "games that play on after the last card": not problem.last_round,
        "alternating clues, and clues that may miss every card": not problem.clue_always,
        "games that stop when the full score is out of reach": problem.stop_when_impossible,
        "the blind play of the last card (deck_plays)": problem.deck_plays,
        "hands of fewer than two cards": any(len(hand) < 2 for hand in problem.hands),
    }
    for words, found in reasons.items():
        if found:
            raise UnsupportedVariant(f"open-hands ranking does not know {words}; with the deck order known-deck does")


def open_rules(problem: Problem, target: int, free: bool = False) -> Any:
    """The OPEN_RULES record of a problem."""
    rules = np.zeros(1, st.OPEN_RULES)[0]
    rules["players"], rules["suits"], rules["steps"] = problem.players, problem.suits, problem.stack_size
    rules["tokens_max"], rules["clue_cost"] = 0 if free else problem.clues_max, problem.clue_cost
    rules["discard_gain"], rules["strikes_max"] = problem.discard_gain, problem.strikes_max
    rules["gain_most"] = max(problem.discard_gain, *problem.bonus)
    rules["surely"] = problem.clues_max - 1 + rules["gain_most"]
    rules["discard_at_max"], rules["free"], rules["target"] = problem.discard_at_max, free, target
    rules["wins_at"] = -1
    rules["bonus"][: problem.suits] = problem.bonus
    rules["first_steps"] = sum(1 << suit * problem.stack_size for suit in range(problem.suits))
    rules["factorial"][:] = [math.factorial(n) for n in range(st.MAX_DRAWS + 1)]
    return rules


def question(problem: Problem, target: int, counts: Counts, wins: Sequence[OrderCount] = ()) -> OrderCount:
    """The count of a question, with those of the easier games that bound it.

    ``wins``, for the score: the counts of the highest target that any order allows, of one less, and so on.
    """
    number = -1
    games = (st.NONE, st.FREE) if problem.discard_at_max else (st.NONE, st.FREE, st.EASY)
    for place, easier in enumerate(games):
        rules = open_rules(problem, target, free=easier == st.NONE)
        rules["easier"], rules["easier_at"] = easier, number
        rules["discard_at_max"] = easier < st.EASY or problem.discard_at_max
        if wins:
            rules["aim"] = wins[0].rules["target"]
            below = [other.part(len(games) - 1 - place).number for other in wins[: st.BELOW]]
            rules["wins_at"][: len(below)] = below
        number = counts.add(rules)
    return OrderCount(counts, number)


def encode(rules: Any, problem: Problem) -> Any:
    """The state vector of a problem (whose deck is a set here)."""
    state = np.zeros(st.WIDTH, np.int64)
    state[st.MOVER] = problem.to_move
    if not rules["free"]:
        state[st.TOKENS], state[st.STRIKES] = problem.clues, problem.strikes
    elif problem.turns_left is None:
        state[st.MOVER] = 0
    state[st.TURNS_LEFT] = -1 if problem.turns_left is None else problem.turns_left
    state[st.LEFT] = len(problem.deck)
    state[st.HEIGHT : st.HEIGHT + problem.suits] = problem.stacks
    size = problem.stack_size
    for card, copies in Counter(problem.deck).items():
        if card % size < problem.stacks[card // size]:
            state[st.TRASH] += copies
        else:
            state[st.DECK0] |= (copies & 1) << card
            state[st.DECK1] |= (copies >> 1) << card
    for seat, hand in enumerate(problem.hands):
        state[st.HAND + seat], state[st.SIZE + seat] = sum(1 << card for card in set(hand)), len(hand)
    st.forget_all_dead(rules, state)
    return state


class Counts:
    """The counts of a position, one for each question and game: their rules, searches, and tables in one heap."""

    def __init__(self, limit: Limit) -> None:
        self.limit, self.number, self.used = limit, 0, 0
        self.rules = np.zeros(_MOST_COUNTS, st.OPEN_RULES)
        self.infos = np.zeros((_MOST_COUNTS, bd.INFO), np.int64)
        self.stacks = np.zeros((_MOST_COUNTS, ex.DEPTH), ex.STACK)  # zeros that are never used cost nothing
        self.work = np.zeros(bd.WORK, np.int64)
        self.heap = np.empty(FIRST_BYTES // 8, np.int64)

    def add(self, rules: Any) -> int:
        """A count of its own for these rules; its number."""
        number = self.number
        self.rules[number] = rules
        self.rules[number]["table"] = self._new_table(number, 2 * ex.DEPTH)
        self.number += 1
        self._point()
        return number

    def _point(self) -> None:
        """Tell every count where the tables are that it looks into."""
        rules = self.rules[: self.number]
        for whom, where in (("easier_at", "easier_table"), ("wins_at", "win_tables")):
            rules[where] = np.where(rules[whom] >= 0, self.rules["table"][rules[whom]], -1)

    def _size(self, number: int, rows: int) -> tuple[int, int]:
        """(width of a row, numbers in a table of so many rows)"""
        rules = self.rules[number]
        levels = 1 if rules["free"] else int(rules["tokens_max"]) + 1
        width = int(rules["suits"]) + 1 + bd.BOUNDS * levels
        return width, 2 + rows * (2 + width)

    def _new_table(self, number: int, rows: int) -> int:
        """An empty table at the end of the heap; where it begins."""
        width, size = self._size(number, rows)
        if self.used + size > len(self.heap):
            self._compact(self.used + size)
        at = self.used
        self.heap[at], self.heap[at + 1] = 2 * rows, width
        self.heap[at + 2 : at + 2 + 2 * rows] = -1
        self.used += size
        return at

    def _compact(self, wanted: int) -> None:
        """Move the tables that are still needed to a heap that is large enough, and twice as large if it may be."""
        old, most = self.heap, MAX_BYTES // 8
        sizes = [self._size(number, int(old[self.rules[number]["table"]]) // 2)[1] for number in range(self.number)]
        wanted -= self.used - sum(sizes)
        if wanted > most:
            raise LimitReached("", f"the limit of {MAX_BYTES / 1e9:g} GB for states")
        self.heap = np.empty(min(most, max(2 * wanted, len(old))), np.int64)
        self.used = 0
        for number, size in enumerate(sizes):
            at = int(self.rules[number]["table"])
            self.heap[self.used : self.used + size] = old[at : at + size]
            self.rules[number]["table"] = self.used
            self.used += size
        self._point()

    def grow(self, number: int) -> None:
        """Double the table of a count."""
        larger = self._new_table(number, int(self.heap[self.rules[number]["table"]]))
        bd.move_rows(self.heap, int(self.rules[number]["table"]), larger, int(self.infos[number, bd.STORED]))
        self.rules[number]["table"] = larger
        self._point()

    def value(self, number: int, state: Any) -> int:
        """The exact value of a state in one of the counts."""
        root, info = self.stacks[number, 0], self.infos[number]
        root["state"], root["alpha"] = state, -1
        info[bd.LEVEL] = info[bd.PHASE] = info[bd.ASKED] = 0
        most = min(_SLICE, self.limit.nodes or _SLICE)
        control, opened = np.zeros(16, np.int64), 0
        control[1] = number

        def step() -> bool:
            nonlocal opened
            opened = ex.drive(self.rules, self.infos, self.stacks, self.heap, self.work, control, slice_size(most))
            at_work = int(control[1 + control[0]])
            if self.infos[at_work, bd.STATUS] == ex.FULL:
                self.grow(at_work)
            return bool(control[0] == 0 and info[bd.STATUS] == ex.DONE)

        def keep_going() -> bool:
            nonlocal opened
            spent, opened = opened, 0
            return self.limit.spend(spent)

        if not run_sliced(step, keep_going) or not keep_going():
            raise self.limit.reached("was hit")
        return int(info[bd.VALUE])


@dataclass(frozen=True)
class OrderCount:
    """Counts deck orders for one question (a target, or 0 = the score) in one game, and remembers states."""

    counts: Counts
    number: int

    @property
    def rules(self) -> Any:
        return self.counts.rules[self.number]

    def value(self, table: Table) -> int:
        """Won orders (or the sum of scores) of a table whose game is running, in units of (cards left)!."""
        return self.counts.value(self.number, encode(self.rules, problem_from_table(table)))

    def part(self, games: int) -> OrderCount:
        """The same question in the game that is so many steps easier."""
        easier = int(self.rules["easier_at"])
        return self if games == 0 or easier < 0 else OrderCount(self.counts, easier).part(games - 1)

    def easiest(self) -> OrderCount:
        """The count of the free game."""
        return self.part(st.EASY)


def worth_at_end(table: Table, target: int) -> int:
    """What a finished game is worth for one deck order: its score, or 1 if the target (not 0) is reached."""
    reached = final_score(table)
    return int(reached >= target) if target else reached
