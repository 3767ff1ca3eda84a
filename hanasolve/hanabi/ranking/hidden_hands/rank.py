"""Every legal move as one player must judge it: his hand and the deck hidden, everybody on a convention afterwards.

Deals are drawn from ``belief.py``. Each candidate is played out on the same deals (and dice); afterwards all
players follow the convention, each from his own view and notes: the drawn hand is shown to nobody who would
not see it. Values belong to the convention and carry standard errors. After 100, 200, 400 ... deals a candidate
that lies more than ``DROP_ERRORS`` standard errors of the paired difference behind the best is dropped (looking
more often would drop more good ones at a bad moment, and bias what is reported of them). The best and the
second of the first look are then played on fresh deals: the first estimate of a chosen maximum is too high.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from hanasolve.errors import Interrupted, LimitReached
from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.conventions.searching.rollouts import STUCK
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.records import Action
from hanasolve.hanabi.game.table import Table, act, engine_action, stored_action
from hanasolve.hanabi.ranking.budget import Budget, Progress
from hanasolve.hanabi.ranking.hidden_hands import kernels
from hanasolve.hanabi.ranking.hidden_hands.viewpoint import CONVENTION, History, Viewpoint, code_of
from hanasolve.hanabi.ranking.intervals import get_ready, score_range, standard_error, win_range
from hanasolve.hanabi.ranking.moves import (
    EngineAction,
    Move,
    Ranking,
    after,
    ceiling,
    move_of,
)
from hanasolve.hanabi.ranking.why import clue_effect, hidden_effect
from hanasolve.limits import CTRL_C, Limit, TimeUp, stopped_by

METHOD = "hidden-rollouts"
ROLLOUTS = 10_000
DROP_AFTER, DROP_ERRORS = 100, 3.0
LOW_WIN = 0.05  # below this chance of the target the expected score ranks
LINE_DEALS = 16
MAX_IS = "an upper bound, by the cards and turns that the player knows to be left"
_FRESH_SHARE, _LONGEST = 0.25, 512


@dataclass(frozen=True)
class Estimate:
    """Expected score and chance of the target, with standard errors, over ``deals`` drawn deals."""

    score: float
    win: float
    se_score: float
    se_win: float
    deals: int
    target: int
    assumes: str


@dataclass
class _Row:
    """One candidate: its points on the deals it was played on."""

    action: EngineAction
    code: int
    points: list[NDArray[np.int16]] = field(default_factory=list)
    alive: bool = True
    fresh: NDArray[np.int16] | None = None

    @property
    def first(self) -> NDArray[np.int16]:
        return np.concatenate(self.points) if self.points else np.zeros(0, np.int16)


class _Look:
    """Rounds over the candidates with elimination by paired differences."""

    def __init__(self, viewpoint: Viewpoint, actions: list[EngineAction], goal: str, budget: Budget) -> None:
        self.viewpoint, self.goal, self.budget = viewpoint, goal, budget
        self.rows = [_Row(action, code_of(action)) for action in actions]
        self.by = goal

    def value(self, points: NDArray[np.int16]) -> NDArray[np.float64]:
        if self.by == "win":
            return (points >= self.viewpoint.target).astype(np.float64)
        return np.maximum(points, 0).astype(np.float64)

    def run(self, games: int) -> None:
        """Spend about this many games."""
        while games > 0 and not self.budget.late():
            alive = [row for row in self.rows if row.alive]
            played = len(alive[0].first)
            count = min(max(DROP_AFTER, played), max(1, games // len(alive)))  # 100, 200, 400 ... in all
            codes = np.array([row.code for row in alive], np.int64)
            points = self.viewpoint.play(codes, count, self.budget)
            if not len(points):
                return
            for column, row in enumerate(alive):
                row.points.append(points[:, column])
            games -= points.size
            if played + len(points) >= DROP_AFTER:
                self.drop(alive)

    def drop(self, alive: list[_Row]) -> None:
        """Choose what ranks, and drop what lies clearly behind; all that live have played the same deals."""
        firsts = {id(row): row.first for row in alive}
        if self.goal == "win":
            top = max(float((first >= self.viewpoint.target).mean()) for first in firsts.values())
            self.by = "win" if top >= LOW_WIN else "score"
        values = [self.value(firsts[id(row)]) for row in alive]
        best = int(np.argmax([value.mean() for value in values]))
        for row, value in zip(alive, values, strict=True):
            difference = value - values[best]
            mean, error = difference.mean(), standard_error(difference)
            if mean + DROP_ERRORS * error < 0:
                row.alive = False

    def order(self) -> list[_Row]:
        """Best first: those that lived longest first, then by value; ties by the other value, then as listed."""

        def key(row: _Row) -> tuple[float, ...]:
            first = row.first
            other = np.maximum(first, 0).mean() if self.by == "win" else (first >= self.viewpoint.target).mean()
            return -len(first), -float(self.value(first).mean()), -float(other)

        return sorted(self.rows, key=key)


def rank_hidden(
    table: Table,
    *,
    seat: int | None = None,
    convention: Convention | str = CONVENTION,
    history: History | None = None,
    rollouts: int = ROLLOUTS,
    seed: int = 0,
    limit: Limit | None = None,
    goal: str = "win",
    confirm: bool = True,
    progress: Progress | None = None,
    viewpoint: Viewpoint | None = None,
) -> Ranking:
    """All moves of the player to move, judged with the eyes of ``seat`` (default: his own), best first.

    ``history``: the game's actions (later ones are ignored), None for a position without. ``rollouts``: games over all
    candidates together. ``viewpoint``: a belief that is there already. At the limit the ranking so far, with
    ``stopped`` set; LimitReached if nothing was played.
    """
    limit = limit or Limit()
    viewpoint = viewpoint or Viewpoint(table, seat, convention, history, seed, limit)
    budget = Budget(rollouts, limit, progress)
    get_ready()
    actions, note = viewpoint.candidates()
    look = _Look(viewpoint, actions, goal, budget)
    try:
        look.run(int(budget.games * (1 - _FRESH_SHARE)) if confirm else budget.games)
        if confirm and not budget.late():
            _second_look(look, budget)
    except (LimitReached, KeyboardInterrupt) as stop:
        budget.stopped = stopped_by(stop)
    if not any(row.points for row in look.rows):
        if budget.stopped == CTRL_C:
            raise Interrupted("interrupted before any game was played")
        stopped = budget.stopped or str(limit)
        raise LimitReached(f"{stopped} came before any game was played: give more time", stopped)
    return _ranking(viewpoint, look, budget, note)


def _second_look(look: _Look, budget: Budget) -> None:
    """The best and the second of the first look on fresh deals."""
    chosen = look.order()[:2]
    count = max(1, (budget.games - budget.spent) // len(chosen))
    points = look.viewpoint.play(np.array([row.code for row in chosen], np.int64), count, budget)
    if len(points) >= min(count, DROP_AFTER):
        for column, row in enumerate(chosen):
            row.fresh = points[:, column]


def _ranking(viewpoint: Viewpoint, look: _Look, budget: Budget, note: str) -> Ranking:
    rows = [row for row in look.order() if row.points]
    best = rows[0]
    moves = [_move(viewpoint, look, row, best, group) for group, row in enumerate(rows)]
    games = f"{len(best.first):,} deals in the first look"
    if best.fresh is not None:
        games += f", {len(best.fresh):,} fresh ones for the best two"
    stuck = sum(int((row.first == STUCK).sum()) for row in rows)
    if stuck:
        games += f"; in {stuck:,} games the convention found no legal move, which counts 0"
    assumes = f"{viewpoint.assumes()}; {budget.spent:,} games, {games}"
    if note:
        assumes += f"; {note}"
    return Ranking(
        METHOD, assumes, viewpoint.target, len(best.first), look.by, tuple(moves),
        convention=viewpoint.convention.name, seed=viewpoint.seed, seat=viewpoint.seat, stopped=budget.stopped,
        fresh_worlds=None if best.fresh is None else len(best.fresh), max_is=MAX_IS,
    )  # fmt: skip


def _move(viewpoint: Viewpoint, look: _Look, row: _Row, best: _Row, group: int) -> Move:
    fresh = row.fresh is not None and best.fresh is not None
    points = row.fresh if row.fresh is not None and fresh else row.first
    rival = best.fresh if best.fresh is not None and fresh else best.first[: len(row.first)]
    difference = look.value(points) - look.value(rival)
    scores, wins = np.maximum(points, 0), points >= viewpoint.target
    stored, text = move_of(viewpoint.table, row.action)
    text = text if viewpoint.seat != viewpoint.mover else hide_card(viewpoint.table, row.action, text)
    why, max_after = why_hidden(viewpoint, row.action, viewpoint.target)
    same = bool((row.first == best.first[: len(row.first)]).all() and (difference == 0).all())
    return Move(
        stored, text, Fraction(int(scores.sum()), len(points)), Fraction(int(wins.sum()), len(points)),
        max_after, why, group, best=row is best or same,
        diff=Fraction(difference.mean()).limit_denominator(10**9),
        se_score=standard_error(scores), se_win=standard_error(wins), se_diff=standard_error(difference),
        samples=len(points), fresh=fresh, win_range=win_range(wins), score_range=score_range(scores, viewpoint.target),
    )  # fmt: skip


def with_lines(viewpoint: Viewpoint, ranking: Ranking, limit: Limit | None = None) -> Ranking:
    """Every move with a continuation: of ``LINE_DEALS`` drawn deals (or as many as ``limit`` allows) the first one with
    the most frequent score. The ranking as it is where there is no time for that."""
    try:
        return _with_lines(viewpoint, ranking, limit or Limit())
    except (LimitReached, TimeUp):
        return ranking


def _with_lines(viewpoint: Viewpoint, ranking: Ranking, limit: Limit) -> Ranking:
    limit.check("came before the lines")
    codes = np.array([code_of(engine_action(viewpoint.table, move.action)) for move in ranking.moves], np.int64)
    decks = viewpoint.belief.decks(viewpoint.belief.draw(LINE_DEALS, limit))
    dice = np.arange(1, len(decks) + 1, dtype=np.uint64)
    points = viewpoint.roll(codes, decks, dice, Budget(0, limit.part(0.8)))
    size = int(viewpoint.setting.root["deck_size"])
    moves = []
    for column, move in enumerate(ranking.moves):
        scores, counts = np.unique(points[:, column], return_counts=True)
        at = int(np.argmax(points[:, column] == scores[np.argmax(counts)]))
        limit.check("came before the lines")
        played = _narrated(viewpoint, int(codes[column]), decks[at : at + 1], int(dice[at]))
        deal = tuple(decks[at, :size].tolist())
        moves.append(dataclasses.replace(move, line=stored(viewpoint.table, deal, played)[1:], deal=deal))
    words = f"one drawn deal, everybody on {viewpoint.convention.name}: the most frequent score of {len(points)} deals"
    return dataclasses.replace(ranking, moves=tuple(moves), line_is=words)


def _narrated(viewpoint: Viewpoint, code: int, deck: NDArray[np.int8], dice: int) -> list[int]:
    """The codes of all actions of the game that follows an action on a deal."""
    setting, belief, log = viewpoint.setting, viewpoint.belief, np.zeros(_LONGEST, np.int64)
    count = kernels.narrate(
        setting.rules, setting.view, setting.root, setting.work, belief.given, setting.notes[1], setting.event,
        setting.decide, setting.update, belief.retold, viewpoint.told, code, deck, dice, log,
    )  # fmt: skip
    return [int(code) for code in log[:count]]


def stored(table: Table, deal: Sequence[int], codes: Sequence[int]) -> tuple[Action, ...]:
    """Codes of actions from a position on as files store them, carried out by the rules engine."""
    copy, actions = table.copy(), []
    copy.game["deck"][: len(deal)] = deal
    for code in codes:
        action = stored_action(copy, code >> 16, code >> 8 & 255, code & 255)
        act(copy, action)
        actions.append(action)
    return tuple(actions)


def why_hidden(viewpoint: Viewpoint, action: EngineAction, target: int) -> tuple[str, int]:
    """The move in words and the highest maximum after it, as the viewer can know."""
    kind, place, _ = action
    table = viewpoint.belief.blind
    if kind > engine.DISCARD:
        return clue_effect(table, action, viewpoint.seat), min(target, ceiling(after(table, action)))
    order = int(table.game["hands"][viewpoint.mover, place])
    card = int(table.game["deck"][order])
    chances = viewpoint.belief.chances(order) if card < 0 else {card: Fraction(1)}
    return hidden_effect(table, action, chances, target)


def hide_card(table: Table, action: EngineAction, text: str) -> str:
    """``play slot 2``: the holder does not know which card it is."""
    kind, target, _ = action
    if kind > engine.DISCARD:
        return text
    slot = int(table.game["hand_sizes"][table.game["to_move"]]) - target
    return f"{('play', 'discard')[kind]} slot {slot}"


def estimate(
    table: Table,
    *,
    after: Action | None = None,
    seat: int | None = None,
    convention: Convention | str = CONVENTION,
    history: History | None = None,
    deals: int = 400,
    seed: int = 0,
    limit: Limit | None = None,
    viewpoint: Viewpoint | None = None,
) -> Estimate:
    """Expected score and chance of the maximum if everybody follows the convention from here on.

    ``after``: this move first (an action as files store it), then the convention. From the belief of ``seat``
    (default: the player to move); see ``rank_hidden`` for the rest.
    """
    viewpoint = viewpoint or Viewpoint(table, seat, convention, history, seed, limit)
    return estimate_many(viewpoint, (after,), deals, limit)[0]


def estimate_many(
    viewpoint: Viewpoint, moves: Sequence[Action | None], deals: int = 400, limit: Limit | None = None
) -> list[Estimate]:
    """``estimate`` of several moves (None: the convention's own) on the same deals."""
    codes = [
        kernels.CONVENTION if move is None else code_of(engine_action(viewpoint.table, move)) for move in moves
    ]
    limit = (limit or Limit()).only_time()
    budget = Budget(deals * len(codes), limit)
    points = viewpoint.play(np.array(codes, np.int64), deals, budget)
    if not len(points):
        raise limit.reached("came before any game was played: give more time")
    found = []
    for column in points.T:
        scores, wins = np.maximum(column, 0), column >= viewpoint.target
        found.append(
            Estimate(
                float(scores.mean()), float(wins.mean()), standard_error(scores), standard_error(wins),
                len(points), viewpoint.target, f"{viewpoint.assumes()}; {len(points):,} deals",
            )
        )
    return found
