"""A finished game turn by turn: the proven maximum before and after each action, and where it was lost.

Everything here is hindsight: the deck is known, as it was to nobody at the table. The maximum can only fall.
While the action played is on the solver's line, or leads to a situation equal to the line's, it stays without
a search; otherwise one question is asked, whether it can still be reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hanasolve.errors import LimitReached, NotationError
from hanasolve.hanabi.game import Table, act, describe, engine_action, from_replay
from hanasolve.hanabi.ranking.known_deck import Best, Clock, best_from, line_for, line_url, rank_known_deck
from hanasolve.hanabi.ranking.moves import Move, after, final_score, situation
from hanasolve.hanabi.records import Action, Replay
from hanasolve.hanabi.rules import CLUE_RANK
from hanasolve.hanabi.search.problem import problem_from_table
from hanasolve.hanabi.search.solve import Limit

ASSUMES = "hindsight, upper bound: deck known, every card in view; players could not know this"

# Points of the proven maximum that an action costs, and the word for it. Whole points are lost here, so the
# first step of the scale (half a point) is never met alone; it belongs to expected scores.
GRADES = ((2.0, "blunder"), (1.0, "mistake"), (0.5, "inaccuracy"))


def grade(loss: float) -> str | None:
    """The word for a loss of expected points: from 0.5 inaccuracy, from 1 mistake, from 2 blunder."""
    return next((word for least, word in GRADES if loss >= least), None)


@dataclass(frozen=True)
class Turn:
    """One action: the proven maximum before and after it. ``better`` keep the maximum, one a kind of move."""

    number: int  # from 1
    player: str
    action: Action
    text: str
    max_before: int
    max_after: int
    why: str | None = None
    better: tuple[Move, ...] = ()

    @property
    def loss(self) -> int:
        return self.max_before - self.max_after

    @property
    def grade(self) -> str | None:
        return grade(self.loss)


@dataclass(frozen=True)
class Summary:
    """One player's turns: how many, how many cost something, and the points of the maximum they cost."""

    player: str
    turns: int
    falls: int
    points_lost: int
    grades: dict[str, int]
    worst_turn: int | None


@dataclass(frozen=True)
class Review:
    """A reviewed game. ``lost_at``: the first turn after which the deck's own maximum was gone.

    ``stopped`` says why turns are missing at the end (a limit), None if all are there.
    """

    turns: tuple[Turn, ...]
    maximum: int | None  # None: not proven within the limit
    full_score: int
    score: int
    lost_at: int | None
    saving_line_url: str | None
    players: tuple[Summary, ...]
    stopped: LimitReached | None = None


class _Line:
    """The maximum of the running game and a line that proves it, kept up to date from action to action."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self.clock, self.merge = clock, problem_from_table(table).clue_always
        self.best = best_from(table, None, clock)

    def follow(self, before: Table, action: Action, child: Table) -> None:
        """Go on to the table after an action that was played."""
        best = self.best
        if best.line and not child.game["ended"]:
            planned = best.line[0]
            wanted = child if planned == action else after(before, engine_action(before, planned))
            if planned == action or situation(wanted, self.merge) == situation(child, self.merge):
                rest = line_for(child, action, Best(best.score, best.line[1:], None), planned)
                self.best = Best(best.score, rest, None)
                return
        self.best = best_from(child, best.score, self.clock)


def review(
    replay: Replay, limit: Limit | None = None, on_turn: Callable[[Turn], None] | None = None
) -> Review:
    """Review a game whose whole deck is known; at the limit the turns that are done.

    NotationError if there is nothing to review or a card is unknown, UnsupportedVariant as the solver,
    IllegalAction for an action that cannot be.
    """
    if not any(action.type <= CLUE_RANK for action in replay.actions):
        raise NotationError("found no action, expected a game that was played: hanasolve analyze takes a deal")
    from_replay(replay)  # an impossible action is named before the work begins
    table = from_replay(replay, 1)
    clock, saving = Clock(limit), None
    turns: list[Turn] = []
    stopped: LimitReached | None = None
    maximum: int | None = None
    try:
        line = _Line(table, clock)
        maximum = line.best.score
        for turn, saved in _turns(replay, table, line):
            turns.append(turn)
            if saving is None and turn.loss:
                saving = line_url(replay, from_replay(replay, turn.number), saved)
            if on_turn is not None:
                on_turn(turn)
    except LimitReached as error:
        stopped = error
    end = from_replay(replay)
    lost_at = next((turn.number for turn in turns if turn.loss), None)
    return Review(
        tuple(turns), maximum, int(table.rules["full_score"]), final_score(end), lost_at, saving,
        summaries(turns, table.names), stopped,
    )  # fmt: skip


def _turns(replay: Replay, table: Table, line: _Line) -> Iterator[tuple[Turn, tuple[Action, ...]]]:
    """Every turn with a line that keeps the maximum before it; ``table`` follows the game."""
    for action in replay.actions:
        if table.game["ended"] or action.type > CLUE_RANK:
            return
        before, most, kept = table.copy(), line.best.score, line.best.line
        number, text = int(table.game["turn"]) + 1, describe(table, action)
        player = table.names[int(table.game["to_move"])]
        act(table, action)
        line.follow(before, action, table)
        why: str | None = None
        better: tuple[Move, ...] = ()
        if line.best.score < most:
            if not kept:
                kept = best_from(before, most, line.clock).line
            why, better = line.best.reason, _better(before, most, line.clock)
        yield Turn(number, player, action, text, most, line.best.score, why, better), kept


def _better(before: Table, most: int, clock: Clock) -> tuple[Move, ...]:
    """The moves that keep the maximum, the first of every kind."""
    kinds: dict[int, Move] = {}
    for move in rank_known_deck(before, clock.left()).moves:
        if move.max_after == most:
            kinds.setdefault(move.group, move)
    return tuple(kinds.values())


def summaries(turns: list[Turn], names: tuple[str, ...]) -> tuple[Summary, ...]:
    """What each player's turns cost, by seat."""
    found = []
    for name in names:
        own = [turn for turn in turns if turn.player == name]
        falls = [turn for turn in own if turn.loss]
        worst = max(falls, key=lambda turn: turn.loss).number if falls else None
        words = [turn.grade for turn in falls]
        grades = {word: words.count(word) for _, word in reversed(GRADES)}
        found.append(Summary(name, len(own), len(falls), sum(turn.loss for turn in falls), grades, worst))
    return tuple(found)
