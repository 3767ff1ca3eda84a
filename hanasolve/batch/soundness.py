"""Is a convention sound? Games in plain Python, looking for illegal moves, crashes, leaks and differences.

*Leak*: before some turn, the own hand and the rest of the deck are exchanged for another deal that looks the
same to the player who is to move. The same actions are then carried out from the start; all his decisions up
to that turn and his notes must be the same. A convention that reads what a player cannot know, through
variables of the module or shared notes, gives itself away.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hanasolve import stats
from hanasolve import user_code as watch
from hanasolve.batch.games import Player, fault_text, seed_texts
from hanasolve.batch.oracle import ORACLE
from hanasolve.errors import NotationError
from hanasolve.hanabi.conventions.convention import SEARCH_COST
from hanasolve.hanabi.conventions.tools.plain_python import PlainRecord
from hanasolve.hanabi.game.deck import seed_number
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.records import Action, Replay, default_names
from hanasolve.hanabi.game.rules import CODES
from hanasolve.hanabi.game.variants import Variant
from hanasolve.hanabi.game.view import MEMORY, aim
from hanasolve.hanabi.notation.replay_url import format_url
from hanasolve.hanabi.play import games, plain_table, simulator
from hanasolve.hanabi.play.games import RESULT, act, begin, summarize
from hanasolve.hanabi.play.plain_table import PlainTable
from hanasolve.hanabi.play.simulator import Simulator, describe_code

ILLEGAL, CRASH, ENDLESS, LEAK, UNSTEADY, COMPILE, DIFFERS = (
    "illegal move",
    "crash",
    "no answer",
    "leak",
    "not repeatable",
    "does not compile",
    "compiled game differs",
)
MAX_PROBLEMS = 5
PATIENCE = 10.0  # seconds that one call of a user's function may take as plain Python
_MAX_TURNS = 400
_FRAME_FILES = {__file__, *(module.__file__ for module in (games, plain_table, simulator, watch))}  # not the user's
_REPEATED = 20  # games that are played twice as plain Python
_OUTCOME = [name for name in RESULT.names or () if name not in SEARCH_COST]
_NOTES = [name for name in MEMORY.names or () if not name.startswith("work") and name != "dice"]


@dataclass(frozen=True)
class Problem:
    """One fault. ``turn``: number of the action, from 1, None where it has none; ``url`` shows it."""

    kind: str
    text: str
    players: int
    seed: str | None = None
    turn: int | None = None
    url: str | None = None


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
    def full(self) -> bool:
        """Whether enough problems were found to stop; a function that does not return is enough."""
        endless = any(problem.kind == ENDLESS for problem in self.problems)
        return endless or len(self.problems) >= MAX_PROBLEMS


def check_convention(player: Player, variant: Variant, counts: Sequence[int], games: int = 200) -> Check:
    """Play about ``games`` games, an equal share with each number of players, and report what is wrong.

    A user's functions are played as plain Python first, where faults have a line; everything else is played
    compiled.
    """
    if player.convention is ORACLE:
        raise NotationError(
            "oracle is the search of known decks, not a convention: there is nothing to check"
        )
    check = Check(player.name)
    tables = [Options(count) for count in counts]
    for options in tables:
        player.convention.check_table(variant, options)
    share = max(1, games // len(tables))
    with np.errstate(over="ignore", under="ignore", divide="raise", invalid="raise"):  # as compiled code does
        for options in tables:
            if not check.full:
                seeds = seed_texts(variant, options.players, 1, share)
                _check_table(
                    check, Simulator(player.convention, options.players, variant, options, jit=False), seeds
                )
    return check


def _check_table(check: Check, plain: Simulator, seeds: list[str]) -> None:
    numbers = np.array([seed_number(seed) for seed in seeds])
    compiled = _compile(check, plain, numbers)
    own_functions = plain.convention.pair is not None or compiled is None
    first = plain if own_functions else compiled
    assert first is not None
    began = time.perf_counter()
    results = list(_play_all(check, _Stepper(first), seeds))
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
    stepper = _Stepper(own_notes)
    for seed in seeds if table.convention.shared else ():
        if not check.full and (problem := stepper.play(seed, same_notes=True)) is not None:
            check.problems.append(problem)
    for seed in seeds:
        if not check.full:
            check.leaks_checked += stepper.look_for_leak(check, seed)


def _play_all(check: Check, stepper: _Stepper, seeds: Sequence[str]) -> Iterator[Any]:
    """The results of games that end; others become problems."""
    for seed in seeds:
        problem = stepper.play(seed)
        if problem is None:
            yield stepper.result()
        else:
            check.problems.append(problem)
            if check.full:
                return


def _compile(check: Check, plain: Simulator, numbers: NDArray[np.int64]) -> Simulator | None:
    """The same table with compiled functions; None, and a problem, if they cannot be compiled."""
    options = plain.options
    try:
        return Simulator(plain.convention, options.players, plain.variant, options)
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


class _Crash(Exception):
    """An exception in the user's function: its name and the place in his file."""

    def __init__(self, function: str, error: Exception) -> None:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename not in _FRAME_FILES]
        own = [frame for frame in frames if frame.name == function] or frames
        place = function
        if own:
            last = frames[-1] if frames[-1].filename == own[-1].filename else own[-1]
            place = f"{function}, {last.filename}:{last.lineno}"
        self.kind = ENDLESS if isinstance(error, watch.Stuck) else CRASH
        if self.kind == ENDLESS:
            super().__init__(f"still in {place} after {PATIENCE:g} s, an endless loop?")
        else:
            super().__init__(f"{type(error).__name__} in {place}: {error}")


class _Stepper:
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
                with watch.time_limit(self.patience):
                    return self.plain.decide()
            return int(self.table.functions.decide(self.table.view, self.notes()))
        except Exception as error:
            raise _Crash("decide", error) from error

    def look(self) -> None:
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
                with watch.time_limit(self.patience):
                    self.plain.tell()
            elif table.shared:
                table.functions.update(table.view, table.memory[0], table.event)
            else:
                for seat in range(table.options.players):
                    aim(table.view, table.game, seat, table.convention.open_hands)
                    table.functions.update(table.view, table.memory[seat], table.event)
        except Exception as error:
            raise _Crash("update", error) from error

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
        for name in _NOTES:
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
                self.look()
                code = self.decide()
                refused = self.act(code)
                if refused:
                    move = describe_code(self.table.variant, code)
                    return self.problem(ILLEGAL, f"{move} is illegal ({refused})", seed)
                if len(self.actions) > _MAX_TURNS:
                    return self.problem(ILLEGAL, f"the game has no end after {_MAX_TURNS} turns", seed)
        except _Crash as crash:
            return self.problem(crash.kind, str(crash), seed)
        return None

    # ----------------------------------------------------------------------------------------- leaks

    def look_for_leak(self, check: Check, seed: str) -> bool:
        """Play a game once more and on another deal that one player cannot tell from it.

        Returns whether there was such a deal; a difference becomes a problem.
        """
        number = seed_number(seed)
        rng = np.random.default_rng(number)
        if self.play(seed) is not None or not self.codes:
            return False
        deck, codes = self.deck, list(self.codes)
        turn = int(rng.integers(len(codes)))
        original = self._follow(deck, number, codes, turn)
        other = _another_deal(self.table.game, deck, rng)
        if other is None:
            return False
        try:
            changed = self._follow(other, number, codes, turn, original)
        except _Crash as crash:
            check.problems.append(self.problem(crash.kind, f"{crash} (with other cards in hand)", seed))
            return True
        difference = _difference(original, changed)
        if difference:
            text = f"{difference} although this player sees the same; the link shows the other deal"
            check.problems.append(self.problem(LEAK, text, seed))
        return True

    def _follow(
        self, deck: NDArray[np.int8], number: int, codes: Sequence[int], turn: int,
        before: _Course | None = None,
    ) -> _Course:  # fmt: skip
        """Carry out given actions before ``turn``; the player to move then is asked at each of his turns.

        With ``before``, it ends at the first decision that is another one.
        """
        self.begin(deck, number)
        players = self.table.options.players
        seat = (int(self.table.game["to_move"]) + turn) % players
        course = _Course(seat)
        for index in range(turn + 1):
            self.look()
            if self.game["to_move"] == seat:
                course.decisions.append(self.decide())
                at = len(course.decisions) - 1
                if before is not None and course.decisions[at] != before.decisions[at]:
                    return course
            if index < turn:
                self.act(codes[index])
        notes = self.notes()
        course.notes = {name: np.array(notes[name]) for name in _NOTES}
        course.dice = int(notes["dice"][seat])
        return course


@dataclass
class _Course:
    """What one player did and noted up to some turn."""

    seat: int
    decisions: list[int] = field(default_factory=list)
    notes: dict[str, NDArray[Any]] = field(default_factory=dict)
    dice: int = 0


def _another_deal(game: Any, deck: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int8] | None:
    """The hand of the player to move and the deck dealt anew, as all clues allow; None if that fails."""
    seat = int(game["to_move"])
    hand = game["hands"][seat, : game["hand_sizes"][seat]].tolist()
    hidden = hand + list(range(int(game["next"]), int(game["deck_size"])))
    fits = {order: int(game["fits"][order]) for order in hand}
    for _ in range(20):
        pool = rng.permutation(deck[hidden]).tolist()
        changed = deck.copy()
        for order in sorted(hand, key=lambda order: fits[order].bit_count()):
            card = next((card for card in pool if fits[order] >> card & 1), None)
            if card is None:
                break
            pool.remove(card)
            changed[order] = card
        else:
            changed[hidden[len(hand) :]] = pool
            if (changed[hand] != deck[hand]).any():
                return changed
    return None


def _difference(a: _Course, b: _Course) -> str:
    """In words what differs between two courses that must be the same; nothing if nothing does."""
    if a.decisions != b.decisions:
        return "decides otherwise"
    for name, value in a.notes.items():
        if not np.array_equal(value, b.notes[name]):
            return f"has other notes in memory[{name!r}]"
    return "" if a.dice == b.dice else "rolled the dice more or less often"
