"""Games of a convention that is plain Python functions: the loop of ``games.py`` on dictionaries.

A kernel called from Python takes 20 microseconds or more, and reading a field of a record one: so a table's
records are given as ``PlainRecord``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.convention import SEARCH_COST, Functions
from hanasolve.hanabi.conventions.tools.plain_python import PlainRecord, plain
from hanasolve.hanabi.game.view import aim
from hanasolve.hanabi.play.games import act, begin, summarize


def play_plain(
    rules: Any, game: Any, view: Any, memory: Any, event: Any, functions: Functions,
    shared: bool, open_hands: bool, setup: Any, cards: Any, numbers: Any, results: Any, log: Any,
) -> int:  # fmt: skip
    """As ``play_batch``, with the convention as plain Python functions."""
    table = PlainTable(game, view, memory, event, functions, shared, open_hands)
    for row in range(len(cards)):
        begin(rules, game, view, memory, event, cards[row], setup, int(numbers[row]), open_hands)
        table.tell()
        result = results[row]
        while table.game["ended"] == 0:
            code = table.decide()
            refused = act(rules, game, view, event, code, open_hands)
            if refused:
                result["refused"], result["action"] = refused, code
                break
            turn = table.game["turn"] - 1
            if turn < len(log):
                target = event["target"] if event["order"] < 0 else event["order"]
                log[turn] = event["kind"], target, event["value"]
            table.tell()
        summarize(rules, game, result)
        if functions.cost is not None:
            for name, count in zip(SEARCH_COST, functions.cost(), strict=True):
                result[name] = count
        if result["refused"]:
            return row
    return len(cards)


class PlainTable:
    """The records of a table as dictionaries: a kernel called from Python takes 20 microseconds or more."""

    def __init__(
        self, game: Any, view: Any, memory: Any, event: Any, functions: Functions, shared: bool,
        open_hands: bool,
    ) -> None:  # fmt: skip
        self.game, self.view, self.event = PlainRecord(game), PlainRecord(view), PlainRecord(event)
        self.memory = [PlainRecord(notes) for notes in memory]
        self.functions, self.shared, self.open_hands = functions, shared, open_hands
        self._aim = plain(aim)

    def decide(self) -> int:
        """Ask the player to move."""
        seat = self.game["to_move"]
        self._aim(self.view, self.game, seat, self.open_hands)
        code = self.functions.decide(self.view, self.memory[0 if self.shared else seat])
        if not isinstance(code, (int, np.integer)):
            raise TypeError(f"found {code!r} as the answer, expected an action such as play_card(0)")
        return int(code)

    def tell(self) -> None:
        """As the kernel ``tell``."""
        if self.shared:
            self.functions.update(self.view, self.memory[0], self.event)
            return
        for seat, notes in enumerate(self.memory):
            self._aim(self.view, self.game, seat, self.open_hands)
            self.functions.update(self.view, notes, self.event)
