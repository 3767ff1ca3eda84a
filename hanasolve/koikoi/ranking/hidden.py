"""A hidden-card position ranked: every option of the mover with its expected round score minus the
opponent's.

Belief: every assignment of the unseen cards to the opponent's hand and the stock is equally likely; the
history is not used. ``exact`` values (turns 15 and 16) are true expectations. The two ``average-pi`` methods
are averages of perfect-information values: they assume that later choices are made with open cards, overrate
options that need hidden knowledge, and are not equilibrium values.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hanasolve.errors import LimitReached
from hanasolve.koikoi.game import cards, deck
from hanasolve.koikoi.game import rules as engine
from hanasolve.koikoi.game.rules import DECIDE
from hanasolve.koikoi.notation.position import Position
from hanasolve.koikoi.ranking.last_turns import exact_sum
from hanasolve.koikoi.search import deals
from hanasolve.koikoi.search.kernel import TABLE_LAST, Space, new_space
from hanasolve.koikoi.search.solve import nodes
from hanasolve.limits import Limit, slices, stopped_by

LABELS = {
    "exact": "exact expectation: each player chooses by what he sees",
    "average-pi-all": "average of open-card values over all worlds; later choices are made with open cards, "
    "so options that need hidden knowledge are overrated; not equilibrium values",
    "average-pi": "average of open-card values over random worlds; later choices are made with open cards, "
    "so options that need hidden knowledge are overrated; not equilibrium values",
}
SLOTS = 1 << 16
FIRST_WORLDS = 16  # of the first kernel call


@dataclass(frozen=True)
class Choice:
    """What the mover can do now: ``play`` a card or ``match`` the drawn one taking a set, ``stop``,
    ``koikoi``."""

    kind: str
    card: int
    taken: int

    @property
    def text(self) -> str:
        if self.kind in ("stop", "koikoi"):
            return self.kind
        taken = f" x {' '.join(cards.codes(self.taken))}" if self.taken else ""
        return f"{cards.CODES[self.card]}{taken}"


@dataclass
class Ranked:
    """One option. Values in points of round score; ``total`` is the exact sum over the worlds where there is
    one.

    ``win``, ``lose``: share of the (open-card) worlds in which the round is won or lost. ``histogram`` maps a
    round result to the number of worlds.
    """

    choice: Choice
    mean: float
    se: float
    diff: float = 0.0
    se_diff: float = 0.0
    total: int | None = None
    win: float | None = None
    lose: float | None = None
    histogram: dict[int, int] = field(default_factory=dict)


@dataclass
class Ranking:
    """All options, best mean first."""

    method: str
    worlds: int
    options: list[Ranked]
    close: bool  # the best two are nearer than two standard errors of their difference
    stopped: str = ""  # what ended the drawing of worlds early

    @property
    def label(self) -> str:
        return LABELS[self.method]


def choices(game: Any, rules: Any) -> list[Choice]:
    """The mover's options; of equal plains only the lowest."""
    found = []
    hand = int(game["hands"][game["mover"]])
    for action in engine.legal(game, rules):
        kind = {"call": "koikoi"}.get(action.kind, action.kind)
        if action.kind in ("play", "match"):
            below = (1 << action.card) - 1
            if action.kind == "play" and cards.twins_of(action.card) & below & hand:
                continue
            if _is_merged_take(int(game["field"]), action.taken):
                continue
        found.append(Choice(kind, action.card, action.taken))
    return found


def _is_merged_take(field_cards: int, taken: int) -> bool:
    if taken.bit_count() != 1:
        return False
    twins = cards.twins_of(taken.bit_length() - 1)
    return bool(twins & (taken - 1) & field_cards)


def count_worlds(game: Any, unseen: int, opponent_cards: int) -> int:
    """C(u, n) (u - n)! / (u - n - d)! for u unseen cards, n of them in hand, d still to be drawn."""
    u, n = unseen.bit_count(), opponent_cards
    return math.comb(u, n) * math.perm(u - n, int(deals.slots_to_fill(game, n)) - n)


def rank(
    position: Position,
    worlds: int = 200,
    max_worlds: int = 100_000,
    seed: int = 0,
    method: str | None = None,
    limit: Limit | None = None,
) -> Ranking:
    """Rank the mover's options.

    Where half of ``limit`` is not enough for all worlds, random ones are taken; those that are solved at the limit, or
    on Ctrl-C, are ranked (``stopped``). LimitReached if there is none.
    """
    limit = (limit or Limit()).part()
    game = engine.copy_game(position.game)
    if position.known:
        hide(game)
    options = choices(game, position.rules)
    count = count_worlds(game, position.unseen, position.opponent_cards)
    turn, phase = int(game["turn"]), int(game["phase"])
    if method is None:
        last = turn >= 15 and phase != DECIDE
        method = "exact" if last else "average-pi-all" if count <= max_worlds else "average-pi"
    if method == "average-pi":
        return _sampled(game, options, position, worlds, seed, limit)
    try:
        ranking = _all(game, options, position, count, limit.part(0.5))
    except LimitReached:
        if method == "exact":
            raise
        return _sampled(game, options, position, worlds, seed, limit)
    if method == "exact":
        _make_exact(ranking, game, position)
    return ranking


def hide(game: Any) -> None:
    """Take the opponent's hand and the stock out of a GAME."""
    game["hands"][1 - game["mover"]] = 0
    game["stock"][:] = -1


def _option_array(options: list[Choice]) -> Any:
    rows = [
        (0, int(option.kind == "koikoi"))
        if option.kind in ("stop", "koikoi")
        else (option.card, option.taken)
        for option in options
    ]
    return np.array(rows, np.int64).reshape(len(options), 2)


def _space(game: Any) -> Space:
    space = new_space(SLOTS)
    if int(game["turn"]) >= 12:  # so few turns that a table costs more than it saves
        space.control[TABLE_LAST] = 0
    return space


def _all(game: Any, options: list[Choice], position: Position, count: int, limit: Limit) -> Ranking:
    histogram = np.zeros((len(options), 2 * deals.HALF), np.int64)
    walk, space = deals.new_walk(position.unseen), _space(game)
    rows, opponent, rules = _option_array(options), position.opponent_cards, position.rules
    for part in slices(count + 1, FIRST_WORLDS):  # the end is noticed with the world after the last
        if deals.enumerate_worlds(game, rows, histogram, walk, opponent, space, rules, part.stop - part.start):
            break
        limit.spent = nodes(space)
        if limit.over:
            raise limit.reached("was hit before all worlds were solved")
    assert int(walk.at[2]) == count, "the enumeration does not cover all worlds"
    ranked = []
    for option, row in zip(options, histogram, strict=True):
        found = {int(k) - deals.HALF: int(row[k]) for k in np.flatnonzero(row)}
        total = sum(value * times for value, times in found.items())
        ranked.append(_ranked(option, found, count, total / count, 0.0, total))
    return _sorted("average-pi-all", count, ranked, None)


def _ranked(
    option: Choice, found: dict[int, int], count: int, mean: float, se: float, total: int | None
) -> Ranked:
    win = sum(times for value, times in found.items() if value > 0) / count
    lose = sum(times for value, times in found.items() if value < 0) / count
    return Ranked(option, mean, se, total=total, win=win, lose=lose, histogram=found)


def _sampled(
    game: Any, options: list[Choice], position: Position, count: int, seed: int, limit: Limit
) -> Ranking:
    values = np.zeros((count, len(options)), np.int64)
    state = deck.streams([seed, 1], ())
    unseen = np.array(cards.cards_of(position.unseen), np.int64)
    rows, space = _option_array(options), _space(game)
    limit, done, stopped = limit.part(), 0, ""
    try:
        for part in slices(count):  # a world of turn 1 takes about 50 ms
            deals.sample(game, rows, values[part], unseen, position.opponent_cards, state, space, position.rules)
            done, limit.spent = part.stop, nodes(space)
            if limit.over and done < count:
                raise limit.reached("was hit before all worlds were solved")
    except (LimitReached, KeyboardInterrupt) as stop:
        if done == 0:
            raise
        stopped = stopped_by(stop)
    return _means(options, values[:done], stopped)


def _means(options: list[Choice], values: Any, stopped: str) -> Ranking:
    """The ranking by the values (world, option) of random worlds."""
    count, ranked = len(values), []
    for k, option in enumerate(options):
        column = values[:, k]
        results, times = np.unique(column, return_counts=True)
        found = {int(value): int(time) for value, time in zip(results, times, strict=True)}
        ranked.append(_ranked(option, found, count, float(column.mean()), standard_error(column), None))
    return dataclasses.replace(_sorted("average-pi", count, ranked, values), stopped=stopped)


def standard_error(column: Any) -> float:
    """Sample standard deviation / sqrt(n); 0 for a single value."""
    return float(column.std(ddof=1) / math.sqrt(len(column))) if len(column) > 1 else 0.0


def _sorted(method: str, count: int, ranked: list[Ranked], values: Any) -> Ranking:
    """Order by mean; differences to the best, paired over the worlds where they were sampled."""
    order = sorted(range(len(ranked)), key=lambda k: -ranked[k].mean)
    best = order[0]
    for k in order:
        ranked[k].diff = ranked[k].mean - ranked[best].mean
        if values is not None and k != best:
            ranked[k].se_diff = standard_error(values[:, k] - values[:, best])
    options = [ranked[k] for k in order]
    close = len(options) > 1 and values is not None and -options[1].diff < 2 * options[1].se_diff
    return Ranking(method, count, options, close or (len(options) > 1 and options[1].diff == 0))


def _make_exact(ranking: Ranking, game: Any, position: Position) -> None:
    """Replace the open-card means of turns 15 and 16 by true expectations."""
    ranking.method = "exact"
    for option in ranking.options:
        option.total = exact_sum(game, option.choice.card, option.choice.taken, position.unseen, position.rules)
        option.mean = option.total / ranking.worlds
        option.win = option.lose = None  # those belonged to the open-card worlds
    ranking.options.sort(key=lambda option: -option.mean)
    best = ranking.options[0].mean
    for option in ranking.options:
        option.diff = option.mean - best
    ranking.close = len(ranking.options) > 1 and ranking.options[1].diff == 0
