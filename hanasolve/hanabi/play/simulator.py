"""Whole games of a convention: the loop, many games at once, and one game with its actions.

Every game is played by ``rules.legal`` and ``rules.apply``; a convention is asked for an action (``decide``)
and told of every action (``update``) through VIEW, MEMORY and EVENT records (``view.py``). Game n's deck is
that of a hanab.live seed text, and each seat's dice are seeded by (seed, seat): the same seed gives the same
game.

A convention whose notes are public (``shared``) is played with one MEMORY for all seats, updated once an
action through the actor's view: the actor knows what he told. ``separate=True`` gives every seat its own
MEMORY and view instead; tests require the same games and the same notes.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from hanasolve.errors import IllegalAction
from hanasolve.hanabi import deck as decks
from hanasolve.hanabi.conventions.base import SEARCH_COST, Convention, Functions, find_convention
from hanasolve.hanabi.deck_kernel import shuffle_many, table_array
from hanasolve.hanabi.game import clue_name
from hanasolve.hanabi.options import Options
from hanasolve.hanabi.records import Action, Replay, default_names
from hanasolve.hanabi.rules import (
    CODES,
    DISCARD,
    GAME,
    PERFECT,
    PLAY,
    RULES,
    STRIKEOUT,
    apply,
    legal,
    make_rules,
    start,
)
from hanasolve.hanabi.variants import NO_VARIANT, Variant, load_variant
from hanasolve.hanabi.view import (
    DECIDE_SIGNATURE,
    EVENT,
    EVENT_TYPE,
    MEMORY,
    UPDATE_SIGNATURE,
    VIEW_TYPE,
    aim,
    announce,
    blank,
    fill_game,
    new_view,
    open_event,
    refresh,
)
from hanasolve.jit import JIT_DISABLED, kernel, kernel_of
from hanasolve.watch import Stuck, run_watched

RESULT = np.dtype(
    [
        ("placed", np.int16),  # cards placed = the score, unless a strike-out counts as zero
        ("strikes", np.int16),
        ("clues", np.int16),  # clues given
        ("turns", np.int16),
        ("ended", np.int16),  # rules.ENDED_NAMES
        ("perfect", np.bool_),
        ("strikeout", np.bool_),
        ("refused", np.int16),  # 0, else the code of the illegal action that stopped the game
        ("action", np.int64),  # that action
        *((name, np.int64) for name in SEARCH_COST),  # 0 without a search
    ]
)
"""One game. Both scorings follow: keep = placed, zero = placed unless ``strikeout``."""

MAX_TURNS = 512
_SLICE_SECONDS = 0.08
PATIENCE = 30.0
"""Seconds that a user's compiled function may take before the run is given up."""

_GAME_TYPE, _RULES_TYPE = numba.from_dtype(GAME), numba.from_dtype(RULES)
_RESULT_TYPE, _MEMORY_TYPE = numba.from_dtype(RESULT), numba.from_dtype(MEMORY)
_FUNCTIONS = (types.FunctionType(DECIDE_SIGNATURE), types.FunctionType(UPDATE_SIGNATURE))
_TABLE = (_RULES_TYPE, _GAME_TYPE, VIEW_TYPE, _MEMORY_TYPE[::1], EVENT_TYPE)
_LOG_TYPE = types.int16[:, ::1]
_PLAY_ON = types.void(*_TABLE, *_FUNCTIONS, types.boolean, types.boolean, _RESULT_TYPE, _LOG_TYPE)
_PLAY_BATCH = types.int64(
    *_TABLE, *_FUNCTIONS, types.boolean, types.boolean, types.float64[::1],
    types.int8[:, ::1], types.int64[::1], _RESULT_TYPE[::1], _LOG_TYPE,
)  # fmt: skip


@kernel
def scramble(number: Any) -> Any:
    """A 32-bit mixing function (on uint64), so that neighbouring seeds and seats roll unrelated dice."""
    low = np.uint64(0xFFFFFFFF)
    number = ((number ^ (number >> np.uint64(16))) * np.uint64(0x7FEB352D)) & low
    number = ((number ^ (number >> np.uint64(15))) * np.uint64(0x846CA68B)) & low
    return number ^ (number >> np.uint64(16))


@kernel
def dice_seed(number: int, seat: int) -> Any:
    """Start state of a seat's generator; ``number`` = ``deck.seed_number`` of the seed text."""
    first = scramble(np.uint64(number) ^ np.uint64(seat << 8))
    second = scramble(first + np.uint64(seat + 1))
    return (first << np.uint64(32)) | second | np.uint64(1)


@kernel
def begin(
    rules: Any,
    game: Any,
    view: Any,
    memory: Any,
    event: Any,
    deck: Any,
    setup: Any,
    number: int,
    open_hands: bool,
) -> None:
    """Deal, and make all notes blank but for the convention's constants and the dice."""
    start(rules, game, deck)
    fill_game(view, game, game["to_move"], open_hands)
    for m in range(memory.shape[0]):
        notes = memory[m]
        blank(notes)
        for i in range(setup.shape[0]):
            notes["setup"][i] = setup[i]
        for seat in range(rules["players"]):
            notes["dice"][seat] = dice_seed(number, seat)
    open_event(game, event)


@kernel
def tell(game: Any, view: Any, memory: Any, event: Any, update: Any, shared: bool, open_hands: bool) -> None:
    """Let every MEMORY take note of the event; the view is left aimed at the last reader."""
    if shared:
        update(view, memory[0], event)
        return
    for seat in range(view["players"]):
        aim(view, game, seat, open_hands)
        update(view, memory[seat], event)


@kernel
def act(rules: Any, game: Any, view: Any, event: Any, code: int, open_hands: bool) -> int:
    """Carry out an encoded action and refresh view and event; returns the rules' code if it is refused."""
    kind, target, value = code >> 16, (code >> 8) & 255, code & 255
    refused = 2 if code < 0 else legal(rules, game, kind, target, value)
    if refused == 0 and kind > 3:
        refused = 2
    if refused:
        return refused
    announce(game, view, event, kind, target, value)
    apply(rules, game, kind, target, value)
    refresh(view, game, event, open_hands)
    return 0


@kernel
def summarize(rules: Any, game: Any, result: Any) -> None:
    """Write the outcome of a game into a RESULT."""
    placed = 0
    for suit in range(rules["suits"]):
        placed += int(np.int64(game["stacks"][suit]))
    result["placed"], result["strikes"], result["turns"] = placed, game["strikes"], game["turn"]
    result["clues"], result["ended"] = game["clues_given"], game["ended"]
    result["perfect"] = game["ended"] == PERFECT
    result["strikeout"] = game["ended"] == STRIKEOUT


@kernel_of(_PLAY_ON)
def play_on(
    rules: Any, game: Any, view: Any, memory: Any, event: Any,
    decide: Any, update: Any, shared: bool, open_hands: bool, result: Any, log: Any,
) -> None:  # fmt: skip
    """Play a game to its end from where it stands; ``memory`` must agree with the history.

    ``log``: int16[turns, 3] of (kind, target, value), cards by order; may have no rows.
    """
    result["refused"] = 0
    while game["ended"] == 0:
        seat = int(np.int64(game["to_move"]))
        aim(view, game, seat, open_hands)
        code = decide(view, memory[0 if shared else seat])
        refused = act(rules, game, view, event, code, open_hands)
        if refused:
            result["refused"], result["action"] = refused, code
            break
        turn = int(np.int64(game["turn"])) - 1
        if turn < log.shape[0]:
            card = event["order"]
            log[turn, 0], log[turn, 1], log[turn, 2] = event["kind"], event["target"], event["value"]
            if card >= 0:
                log[turn, 1] = card
        tell(game, view, memory, event, update, shared, open_hands)
    summarize(rules, game, result)


@kernel_of(_PLAY_BATCH)
def play_batch(
    rules: Any, game: Any, view: Any, memory: Any, event: Any,
    decide: Any, update: Any, shared: bool, open_hands: bool, setup: Any,
    cards: Any, numbers: Any, results: Any, log: Any,
) -> int:  # fmt: skip
    """Play the decks ``cards``, int8[n, N]; returns the index of the game that an illegal action stopped,
    or n."""
    for row in range(cards.shape[0]):
        begin(rules, game, view, memory, event, cards[row], setup, numbers[row], open_hands)
        tell(game, view, memory, event, update, shared, open_hands)
        play_on(rules, game, view, memory, event, decide, update, shared, open_hands, results[row], log)
        if results[row]["refused"]:
            return row
    return int(np.int64(cards.shape[0]))


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
            return _play_plain(*table, self.functions, *access, self.setup, cards, numbers, results, log)

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


def _play_plain(
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
        from hanasolve.hanabi.conventions.plain import PlainRecord, plain

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
