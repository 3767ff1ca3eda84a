"""The H-Group convention knows no suit by name: with the suits exchanged, the same game is read and valued alike.

The notes, everybody's readings, the verdict on every clue and its worth are compared after every action. The
decision may be another one only where two clues are worth the same (ties go by the order of the suits).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hanasolve.hanabi.conventions.players.hgroup.choice import CLUE_WORTH, clued_set
from hanasolve.hanabi.conventions.players.hgroup.reading import URGENT, read_all
from hanasolve.hanabi.conventions.players.hgroup.trial import gotten_before, try_clue
from hanasolve.hanabi.conventions.players.hgroup.worth import clue_worth, keep_base
from hanasolve.hanabi.conventions.tools.building_blocks import clue_color, clue_rank, dead_set, playable_set
from hanasolve.hanabi.game.rules import CLUE_COLOR, CLUE_RANK, MAX_DECK
from hanasolve.hanabi.game.view import CARD_ROWS, MASK_ROWS, NOTES, aim
from hanasolve.hanabi.play.games import act, begin
from hanasolve.hanabi.play.simulator import Simulator, seed_numbers

ORDER = (3, 0, 4, 1, 2)  # suit s becomes suit ORDER[s]


def moved(mask: Any) -> int:
    """A set of identities with the suits exchanged."""
    return sum(1 << 5 * ORDER[i // 5] + i % 5 for i in range(25) if int(mask) >> i & 1)


def moved_action(code: int) -> int:
    kind, target, value = code >> 16, code >> 8 & 255, code & 255
    return clue_color(target, ORDER[value]) if kind == CLUE_COLOR else code


class Seat:
    """One table, with what its player to move makes of it."""

    def __init__(self, level: str, players: int) -> None:
        self.table = Simulator(level, players)
        self.memory = self.table.memory[0]

    def start(self, deck: Any, number: int) -> None:
        table = self.table
        begin(table.rules, table.game, table.view, table.memory, table.event, deck, table.setup, number, False)
        table.functions.update(table.view, self.memory, table.event)

    def look(self) -> tuple[list[list[int]], list[int], dict[int, tuple[bool, float]], int, float]:
        """Readings by seat and hand index, who must play what, clues with verdict and worth, the decision."""
        table, view, memory = self.table, self.table.view, self.memory
        aim(view, table.game, int(table.game["to_move"]), False)
        sets = np.array([playable_set(view), dead_set(view), 0], np.uint64)
        read_all(view, memory, sets[0])
        players = table.options.players
        read = [[int(memory["work_mask"][10 * seat + i]) for i in range(5)] for seat in range(players)]
        urgent = [int(memory["work"][URGENT + seat]) for seat in range(players)]
        keep_base(view, memory)
        sets[2] = gotten_before(view, memory)
        clues = self._clues(sets)
        code = int(table.functions.decide(view, memory))
        return read, urgent, clues, code, float(memory["work_float"][CLUE_WORTH])

    def _clues(self, sets: Any) -> dict[int, tuple[bool, float]]:
        view, memory, found = self.table.view, self.memory, {}
        masks, marks = np.empty((MASK_ROWS, MAX_DECK), np.uint64), np.empty((CARD_ROWS, MAX_DECK), np.int8)
        notes = np.empty(NOTES, np.int64)
        for seat in range(self.table.options.players):
            for n in range(10):
                kind, value = (CLUE_COLOR, n) if n < 5 else (CLUE_RANK, n - 4)
                if seat == view["seat"] or clued_set(view, seat, kind, value) == 0:
                    continue
                good = try_clue(view, memory, seat, kind, value, sets, masks, marks, notes)
                code = clue_color(seat, value) if kind == CLUE_COLOR else clue_rank(seat, value)
                found[int(code)] = bool(good), round(float(clue_worth(view, memory)), 6)
        return found

    def act(self, code: int) -> None:
        table = self.table
        assert act(table.rules, table.game, table.view, table.event, code, False) == 0
        table.functions.update(table.view, self.memory, table.event)


def compare(one: Seat, other: Seat) -> int:
    """Assert that both tables are read alike; returns the decision at the first."""
    for row in range(5):
        if row not in (2, 3):  # what was passed is compared below, through what it does to the readings
            assert [moved(m) for m in one.memory["mask"][row]] == [int(m) for m in other.memory["mask"][row]]
    assert (one.memory["card"] == other.memory["card"]).all()
    assert (one.memory["notes"] == other.memory["notes"]).all()
    read, urgent, clues, code, worth = one.look()
    read2, urgent2, clues2, code2, worth2 = other.look()
    assert [[moved(m) for m in hand] for hand in read] == read2
    assert urgent == urgent2
    assert {moved_action(clue): value for clue, value in clues.items()} == clues2
    if moved_action(code) != code2:
        assert min(code, code2) >> 16 >= CLUE_COLOR, "another play or discard"
        assert abs(worth - worth2) < 1e-6, "another clue, not worth the same"
    return code


@pytest.mark.parametrize("level", ["hgroup1", "hgroup2", "hgroup3"])
def test_suits_may_be_exchanged(level: str) -> None:
    actions = 0
    for players in (2, 3, 4, 5):
        one, other = Seat(level, players), Seat(level, players)
        number = seed_numbers([f"p{players}v0s{players + 20}"])
        deck = one.table.decks(number)[0]
        one.start(deck, int(number[0]))
        other.start(np.array([5 * ORDER[card // 5] + card % 5 for card in deck], np.int8), int(number[0]))
        while not one.table.game["ended"]:
            code = compare(one, other)
            one.act(code)
            other.act(moved_action(code))
            actions += 1
        assert other.table.game["ended"]
        stacks = other.table.game["stacks"]
        assert [one.table.game["stacks"][suit] for suit in range(5)] == [stacks[ORDER[suit]] for suit in range(5)]
    assert actions > 200
