"""Games of a convention: many at once, and one game with its actions. The loop itself stands in ``games.py``.

Game n's deck is that of a hanab.live seed text.

A convention whose notes are public (``shared``) is played with one MEMORY for all seats, updated once an
action through the actor's view: the actor knows what he told. ``separate=True`` gives every seat its own
MEMORY and view instead; tests require the same games and the same notes.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hanasolve.errors import IllegalAction
from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.conventions.find import find_convention
from hanasolve.hanabi.game import deck as decks
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.records import Action, Replay, default_names
from hanasolve.hanabi.game.rules import (
    CODES,
    DISCARD,
    GAME,
    PLAY,
    make_rules,
)
from hanasolve.hanabi.game.shuffle import shuffle_many, table_array
from hanasolve.hanabi.game.table import clue_name
from hanasolve.hanabi.game.variants import NO_VARIANT, Variant, load_variant
from hanasolve.hanabi.game.view import (
    EVENT,
    MEMORY,
    new_view,
)
from hanasolve.hanabi.play.games import RESULT, play_batch
from hanasolve.hanabi.play.plain_table import play_plain
from hanasolve.jit import JIT_DISABLED
from hanasolve.user_code import Stuck, run_watched

MAX_TURNS = 512
_SLICE_SECONDS = 0.08
PATIENCE = 30.0
"""Seconds that a user's compiled function may take before the run is given up."""

class Simulator:
    """The records of one table and one convention, ready to play any number of games."""

    def __init__(
        self,
        convention: Convention | str,
        players: int = 3,
        variant: Variant | str = NO_VARIANT,
        options: Options | None = None,
        *,
        separate: bool = False,
        jit: bool = True,
    ) -> None:
        """``jit=False`` runs the convention and all that it calls as plain Python (the rules engine of the
        game itself stays compiled)."""
        self.convention = find_convention(convention) if isinstance(convention, str) else convention
        self.variant = load_variant(variant) if isinstance(variant, str) else variant
        self.options = options or Options(players)
        self.convention.check_table(self.variant, self.options)
        self.jit = jit and not JIT_DISABLED and self.convention.build is None
        self.functions = self.convention.functions(self.jit)
        self.shared = self.convention.shared and not separate
        self.rules = make_rules(self.variant, self.options)
        self.game, self.event = np.zeros(1, GAME)[0], np.zeros(1, EVENT)[0]
        self.view = new_view(self.rules)
        self.memory = np.zeros(1 if self.shared else self.options.players, MEMORY)
        self.setup = np.array(self.convention.setup, np.float64)
        self._creation_order = np.array(self.variant.deck_in_order(), np.int8)
        self._table = table_array()
        self._slice = 8  # games of a kernel call, as many as take _SLICE_SECONDS

    @property
    def seed_prefix(self) -> str:
        """Seed texts of this table begin with this; printed variants take their nearest site id, 0."""
        return f"p{self.options.players}v{max(self.variant.id, 0)}s"

    def decks(self, numbers: NDArray[np.int64]) -> NDArray[np.int8]:
        """The decks of seed numbers, int8[n, N]."""
        return shuffle_many(numbers, self._creation_order, self._table)

    def play(self, numbers: NDArray[np.int64], cards: NDArray[np.int8] | None = None) -> NDArray[Any]:
        """RESULT[n] of games whose dice (and decks, unless ``cards`` are given) come from ``numbers``."""
        numbers = np.ascontiguousarray(numbers, np.int64)
        cards = self.decks(numbers) if cards is None else np.ascontiguousarray(cards, np.int8)
        results = np.zeros(len(numbers), RESULT)
        log = np.empty((0, 3), np.int16)
        done = 0
        while done < len(numbers):
            began = time.perf_counter()
            part = slice(done, min(done + self._slice, len(numbers)))
            stopped = self._run(cards[part], numbers[part], results[part], log)
            if stopped < part.stop - part.start:
                self._refuse(results[done + stopped], f"seed number {numbers[done + stopped]}")
            done, games = part.stop, part.stop - part.start
            wanted = int(games * _SLICE_SECONDS / max(time.perf_counter() - began, 1e-6))
            self._slice = max(1, min(4 * self._slice, wanted))
        return results

    def play_one(self, seed: str, cards: Sequence[int] = ()) -> tuple[Any, Replay]:
        """One game with its actions; ``cards`` replaces the seed's deck."""
        numbers = np.array([decks.seed_number(seed)], np.int64)
        deck = np.array([cards], np.int8) if cards else self.decks(numbers)
        results, log = np.zeros(1, RESULT), np.full((MAX_TURNS, 3), -1, np.int16)
        self._run(deck, numbers, results, log)
        if results[0]["refused"]:
            self._refuse(results[0], f"seed {seed}")
        actions = tuple(Action(int(k), int(t), int(v)) for k, t, v in log[: results[0]["turns"]])
        names = default_names(self.options.players)
        replay = Replay(self.variant, self.options, names, tuple(deck[0].tolist()), actions, seed=seed)
        return results[0], replay

    def _run(self, cards: Any, numbers: Any, results: Any, log: Any) -> int:
        table = (self.rules, self.game, self.view, self.memory, self.event)
        access = (self.shared, self.convention.open_hands)
        if self.jit:
            args = (*table, *self.functions[:2], *access, self.setup, cards, numbers, results, log)
            if self.convention.pair is None:
                return int(play_batch(*args))
            return self._run_watched(args, numbers, results)
        with np.errstate(over="ignore"):  # sets wrap around, as compiled
            return play_plain(*table, self.functions, *access, self.setup, cards, numbers, results, log)

    def _run_watched(self, args: Sequence[Any], numbers: Any, results: Any) -> int:
        """A user's functions may never return: they run in a thread, so that Ctrl-C and an error can end the wait."""
        results["ended"] = 0
        try:
            return int(run_watched(lambda: play_batch(*args), lambda: self.game.tobytes(), PATIENCE))
        except Stuck:
            row = min(int((results["ended"] != 0).sum()), len(numbers) - 1)
            raise IllegalAction(
                f"convention {self.convention.name}, seed number {numbers[row]}, {self.options.players} players, "
                f"turn {int(self.game['turn']) + 1}: no answer for {PATIENCE:g} s, an endless loop?",
                "no_answer",
            ) from None

    def _refuse(self, result: Any, seed: str) -> None:
        code = CODES[int(result["refused"])]
        move = describe_code(self.variant, int(result["action"]))
        turn = int(result["turns"]) + 1
        raise IllegalAction(
            f"convention {self.convention.name}, {seed}, {self.options.players} players, turn {turn}: "
            f"{move} is illegal ({code})",
            code,
        )


def describe_code(variant: Variant, code: int) -> str:
    """An encoded action in words, for errors."""
    kind, target, value = code >> 16, (code >> 8) & 255, code & 255
    if kind in (PLAY, DISCARD):
        return f"{('play', 'discard')[kind]} of hand index {target}"
    if kind in (2, 3):
        return f"clue {clue_name(variant, kind, value)} to seat {target}"
    return f"action code {code}"


def seed_numbers(seeds: Sequence[str]) -> NDArray[np.int64]:
    """The generator's seeds of seed texts."""
    return np.array([decks.seed_number(seed) for seed in seeds], np.int64)


def play_games(
    convention: Convention | str,
    seeds: Sequence[str],
    players: int = 3,
    variant: Variant | str = NO_VARIANT,
    options: Options | None = None,
    *,
    separate: bool = False,
    jit: bool = True,
) -> NDArray[Any]:
    """RESULT[n]: the games of a convention on the decks of these seed texts, in their order.

    ``options`` (default: the printed rules) must have the same number of players. IllegalAction names the
    convention, the seed, the turn and the move if the convention breaks the rules.
    """
    table = Simulator(convention, players, variant, options, separate=separate, jit=jit)
    try:
        return table.play(seed_numbers(seeds))
    except IllegalAction as error:
        raise _name_seed(error, seeds) from None


def _name_seed(error: IllegalAction, seeds: Sequence[str]) -> IllegalAction:
    for seed in seeds:
        mark = f"seed number {decks.seed_number(seed)},"
        if mark in str(error):
            return IllegalAction(str(error).replace(mark, f"seed {seed},"), error.code)
    return error


def play_one(
    convention: Convention | str,
    seed: str,
    players: int | None = None,
    variant: Variant | str = NO_VARIANT,
    options: Options | None = None,
    *,
    separate: bool = False,
    jit: bool = True,
) -> Replay:
    """One game as a replay (deck, actions, seed) that every format can write; ``players`` None: those of the seed."""
    if players is None:
        players = options.players if options is not None else decks.parse_seed(seed).players
    return Simulator(convention, players, variant, options, separate=separate, jit=jit).play_one(seed)[1]
