"""One game of a convention, action by action, in which a fault of the user's functions is caught with its place."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hanasolve import user_code
from hanasolve.hanabi.conventions.tools.plain_python import PlainRecord
from hanasolve.hanabi.game.deck import seed_number
from hanasolve.hanabi.game.records import Action, Replay, default_names
from hanasolve.hanabi.game.rules import CODES
from hanasolve.hanabi.game.view import MEMORY, aim
from hanasolve.hanabi.notation.replay_url import format_url
from hanasolve.hanabi.play import games, plain_table, simulator
from hanasolve.hanabi.play.games import RESULT, act, begin, summarize
from hanasolve.hanabi.play.plain_table import PlainTable
from hanasolve.hanabi.play.simulator import Simulator, describe_code

ILLEGAL, CRASH, ENDLESS, LEAK = "illegal move", "crash", "no answer", "leak"
UNSTEADY, COMPILE, DIFFERS = "not repeatable", "does not compile", "compiled game differs"
PATIENCE = 10.0  # seconds that one call of a user's function may take as plain Python
NOTES = [name for name in MEMORY.names or () if not name.startswith("work") and name != "dice"]
"""The fields of MEMORY that a convention writes."""
_MAX_TURNS = 400
_FRAME_FILES = {__file__, *(module.__file__ for module in (games, plain_table, simulator, user_code))}  # not the user's


@dataclass(frozen=True)
class Problem:
    """One fault. ``turn``: number of the action, from 1, None where it has none; ``url`` shows it."""

    kind: str
    text: str
    players: int
    seed: str | None = None
    turn: int | None = None
    url: str | None = None


class Crash(Exception):
    """An exception in the user's function: its name and the place in his file."""

    def __init__(self, function: str, error: Exception) -> None:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename not in _FRAME_FILES]
        own = [frame for frame in frames if frame.name == function] or frames
        place = function
        if own:
            last = frames[-1] if frames[-1].filename == own[-1].filename else own[-1]
            place = f"{function}, {last.filename}:{last.lineno}"
        self.kind = ENDLESS if isinstance(error, user_code.Stuck) else CRASH
        if self.kind == ENDLESS:
            super().__init__(f"still in {place} after {PATIENCE:g} s, an endless loop?")
        else:
            super().__init__(f"{type(error).__name__} in {place}: {error}")


class WatchedGame:
    """One game at a time, action by action; ``plain``: the same records for functions in plain Python."""

    def __init__(self, table: Simulator) -> None:
        self.table = table
        self.plain: PlainTable | None = None
        if not table.jit:
            records = table.game, table.view, table.memory, table.event
            self.plain = PlainTable(*records, table.functions, table.shared, table.convention.open_hands)
        self.patience = PATIENCE if table.convention.pair is not None else 0.0  # only a user's functions may hang
        self.game = PlainRecord(table.game)
        self.event = PlainRecord(table.event)
        self.actions: list[Action] = []
        self.codes: list[int] = []

    def begin(self, deck: NDArray[np.int8], number: int) -> None:
        table = self.table
        self.deck, self.actions, self.codes = deck, [], []
        table.memory[:] = np.zeros_like(table.memory)
        begin(
            table.rules, table.game, table.view, table.memory, table.event,
            deck, table.setup, number, table.convention.open_hands,
        )  # fmt: skip
        self._tell()

    def notes(self) -> Any:
        """The notes of the player to move."""
        return self.table.memory[0 if self.table.shared else int(self.table.game["to_move"])]

    def decide(self) -> int:
        """What the player to move would do."""
        try:
            if self.plain is not None:
                with user_code.time_limit(self.patience):
                    return self.plain.decide()
            return int(self.table.functions.decide(self.table.view, self.notes()))
        except Exception as error:
            raise Crash("decide", error) from error

    def aim_view(self) -> None:
        """Aim the view at the player to move (as plain Python, ``decide`` does it)."""
        table = self.table
        if self.plain is not None:
            return
        aim(table.view, table.game, int(table.game["to_move"]), table.convention.open_hands)

    def act(self, code: int) -> str:
        """Carry out an action and tell everybody; the rules' word if it is illegal, else nothing."""
        table = self.table
        refused = act(table.rules, table.game, table.view, table.event, code, table.convention.open_hands)
        if refused:
            return CODES[refused]
        event = self.event
        target = event["target"] if event["order"] < 0 else event["order"]
        self.actions.append(Action(int(event["kind"]), int(target), int(event["value"])))
        self.codes.append(code)
        self._tell()
        return ""

    def _tell(self) -> None:
        table = self.table
        try:
            if self.plain is not None:
                with user_code.time_limit(self.patience):
                    self.plain.tell()
            elif table.shared:
                table.functions.update(table.view, table.memory[0], table.event)
            else:
                for seat in range(table.options.players):
                    aim(table.view, table.game, seat, table.convention.open_hands)
                    table.functions.update(table.view, table.memory[seat], table.event)
        except Exception as error:
            raise Crash("update", error) from error

    def result(self) -> Any:
        result = np.zeros(1, RESULT)[0]
        summarize(self.table.rules, self.table.game, result)
        return result

    def problem(self, kind: str, text: str, seed: str) -> Problem:
        """A problem at the action that comes next; the link shows the position before it."""
        turn = len(self.actions) + 1
        table = self.table
        names = default_names(table.options.players)
        deck = tuple(self.deck.tolist())
        replay = Replay(table.variant, table.options, names, deck, tuple(self.actions), seed, turn=turn)
        url = format_url(replay, force=True) if table.variant.id >= 0 else None
        return Problem(kind, text, table.options.players, seed, turn, url)

    def other_notes(self) -> str:
        """A field of the notes that is not the same for all seats, in words; nothing if there is none."""
        memory = self.table.memory
        for name in NOTES:
            for seat in range(1, len(memory)):
                if not np.array_equal(memory[name][seat], memory[name][0]):
                    return f"seat {seat} has other notes in memory[{name!r}] than seat 0, so they are not public"
        return ""

    def play(self, seed: str, same_notes: bool = False) -> Problem | None:
        """Play the game of a seed to its end, or to the first problem; ``same_notes``: they must be so for all."""
        number = seed_number(seed)
        try:
            self.begin(self.table.decks(np.array([number]))[0], number)
            while not self.game["ended"]:
                if same_notes and (difference := self.other_notes()):
                    return self.problem(LEAK, difference, seed)
                self.aim_view()
                code = self.decide()
                refused = self.act(code)
                if refused:
                    move = describe_code(self.table.variant, code)
                    return self.problem(ILLEGAL, f"{move} is illegal ({refused})", seed)
                if len(self.actions) > _MAX_TURNS:
                    return self.problem(ILLEGAL, f"the game has no end after {_MAX_TURNS} turns", seed)
        except Crash as crash:
            return self.problem(crash.kind, str(crash), seed)
        return None
