"""What every move of a game was worth by what its player could know, everybody on a convention afterwards.

At each turn the mover's belief is drawn on (``belief.py``: the clues and what the others did, his own hand and
the deck hidden). A first look over all legal moves chooses the best one; it and the move that was played are
then played out on the same fresh deals, because the first estimate of a chosen maximum is too high. Loss and
error are those of the paired difference on the fresh deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hanasolve.errors import LimitReached
from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.conventions.find import find_convention
from hanasolve.hanabi.game.records import Action, Replay
from hanasolve.hanabi.game.rules import TOP
from hanasolve.hanabi.game.table import Table, act, engine_action, from_replay, hidden_seats
from hanasolve.hanabi.ranking.budget import Budget
from hanasolve.hanabi.ranking.hidden_hands.rank import hide_card, rank_hidden
from hanasolve.hanabi.ranking.hidden_hands.viewpoint import Viewpoint, code_of
from hanasolve.hanabi.ranking.intervals import standard_error
from hanasolve.hanabi.ranking.moves import move_of
from hanasolve.hanabi.ranking.review import agreement
from hanasolve.hanabi.ranking.review.grades import Grade, grade_move
from hanasolve.limits import CTRL_C, Limit

ROLLOUTS = 2_000
_FRESH_SHARE = 0.4
_OWN_GAME = 0.7  # share of moves from which on a game counts as the convention's own


@dataclass(frozen=True)
class MoveEstimate:
    """A move with its chance of the target and its expected score, with standard errors."""

    action: Action
    text: str
    win: float
    se_win: float
    score: float
    se_score: float


@dataclass(frozen=True)
class TurnEstimate:
    """One turn by what its player could know.

    ``played`` and ``best`` (the same if nothing better was found) are values on the same ``deals`` fresh deals.
    ``target`` is the maximum before the move, ``own`` the convention's own move in words (None if it rolls
    dice), ``choices`` the number of legal moves.
    """

    number: int
    played: MoveEstimate
    best: MoveEstimate
    grade: Grade
    own: str | None
    choices: int
    deals: int
    target: int
    filtered: bool  # whether the belief uses what the others did; otherwise the clues only
    assumes: str

    @property
    def verdict(self) -> str:
        """The judgement in words; empty if the move lost nothing."""
        found = self.grade
        if found.loss <= 0:
            return ""
        unit = "win chance" if found.by == "win" else "expected points"
        value = f"{unit} -{found.loss:.2f} ± {found.se:.2f}"
        if not found.separable:
            return f"{value}: not separable"
        words = f"{found.word}: {value}" if found.word else value
        return f"{words}; the convention's own move, forced by it" if found.forced else words


class Estimator:
    """Estimates of one game, turn by turn."""

    def __init__(self, replay: Replay, convention: Convention | str, rollouts: int, seed: int, limit: Limit) -> None:
        """UnsupportedVariant or NotationError if the convention does not play this table with hidden hands."""
        self.replay, self.rollouts, self.seed, self.limit = replay, rollouts, seed, limit
        self.convention = find_convention(convention) if isinstance(convention, str) else convention
        self.convention.check_table(replay.variant, replay.options)
        self.choices: list[agreement.Choice] = []

    @property
    def assumes(self) -> str:
        """The label of all estimates of the game."""
        return (
            f"under {self.convention.name}, as the player to move could know: his hand and the deck hidden, everybody "
            f"on {self.convention.name} after the move; {self.rollouts:,} games a turn, seed {self.seed}; win = the "
            "maximum before the move; ± one standard error"
        )

    def cautions(self, done: Sequence[TurnEstimate]) -> str:
        """How far the game fits the convention, and how far beliefs could use what the others did."""
        if not done:
            return ""
        name, turns = self.convention.name, len(done)
        filtered = sum(one.filtered for one in done)
        words = f"belief: the clues and what the others did on {filtered} of {turns} turns"
        words += ", clues only on the rest" if filtered < turns else ""
        if self.choices:
            same = sum(one.grade.forced for one in done)
            words += f"; {same} of {turns} moves are those of {name}"
            if same < _OWN_GAME * turns:
                words += f": the table played otherwise, and a grade says what players of {name} would make of the move"
        return words

    def turns(self) -> Iterator[TurnEstimate]:
        """Every turn, up to the end or a card played from the deck. LimitReached or KeyboardInterrupt end it early."""
        if self.convention.deterministic and self.convention.build is None and not self.convention.open_hands:
            self.choices = list(agreement.Spectator(self.convention, self.replay).choices(self.replay))
        table = from_replay(self.replay, 1)
        for action in self.replay.actions:
            kind, target, _ = engine_action(table, action)
            if table.game["ended"] or hidden_seats(table) or kind > 3 or target == TOP:
                return
            try:
                yield self._turn(table, action, self.limit.only_time())
            except LimitReached:
                raise self.limit.reached(f"ended the estimates at turn {int(table.game['turn']) + 1}") from None
            act(table, action)

    def _turn(self, table: Table, action: Action, limit: Limit) -> TurnEstimate:
        number = int(table.game["turn"]) + 1
        viewpoint = Viewpoint(table, None, self.convention, self.replay.actions, self.seed, limit)
        played = engine_action(table, action)
        actions, _ = viewpoint.candidates()
        best = played
        if len(actions) > 1:
            games = round(self.rollouts * (1 - _FRESH_SHARE))
            ranking = rank_hidden(
                table, rollouts=max(games, 2 * len(actions)), limit=limit, confirm=False, viewpoint=viewpoint
            )
            if ranking.stopped == CTRL_C:
                raise KeyboardInterrupt
            if ranking.stopped:
                raise limit.reached("")
            top = next((move for move in ranking.moves if move.best and move.action == action), ranking.moves[0])
            best = engine_action(table, top.action)
        columns = [played] if best == played else [played, best]
        count = max(2, round(self.rollouts * _FRESH_SHARE) // len(columns))
        codes = np.array([code_of(one) for one in columns], np.int64)
        points = viewpoint.play(codes, count, Budget(count * len(columns), limit))
        if len(points) < count:
            raise limit.reached("")
        values = [_move_estimate(viewpoint, table, one, points[:, column]) for column, one in enumerate(columns)]
        return self._graded(viewpoint, number, values, points, len(actions))

    def _graded(
        self, viewpoint: Viewpoint, number: int, values: list[MoveEstimate], points: NDArray[np.int16], choices: int
    ) -> TurnEstimate:
        own = self.choices[number - 1] if number <= len(self.choices) else None
        forced = own is not None and own.verdict == agreement.SAME
        wins = (points >= viewpoint.target).astype(np.float64)
        scores = np.maximum(points, 0).astype(np.float64)
        win_loss, score_loss = wins[:, -1] - wins[:, 0], scores[:, -1] - scores[:, 0]
        found = grade_move(
            values[-1].win, float(win_loss.mean()), standard_error(win_loss), float(score_loss.mean()),
            standard_error(score_loss), forced,
        )  # fmt: skip
        best = values[-1] if found.loss > 0 else values[0]  # on fresh deals the move played may be the better one
        return TurnEstimate(
            number, values[0], best, found, _own_text(viewpoint.table, own), choices, len(points), viewpoint.target,
            viewpoint.belief.filtered, viewpoint.assumes(),
        )  # fmt: skip


def _move_estimate(
    viewpoint: Viewpoint, table: Table, action: tuple[int, int, int], points: NDArray[np.int16]
) -> MoveEstimate:
    stored, text = move_of(table, action)
    wins, scores = points >= viewpoint.target, np.maximum(points, 0)
    return MoveEstimate(
        stored, hide_card(table, action, text), float(wins.mean()), standard_error(wins), float(scores.mean()),
        standard_error(scores),
    )  # fmt: skip


def _own_text(table: Table, own: agreement.Choice | None) -> str | None:
    """The convention's own move, without the card that its holder cannot see."""
    if own is None or own.action is None:
        return None
    return hide_card(table, engine_action(table, own.action), own.text)
