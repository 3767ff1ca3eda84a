"""Strategies in paired matches: both seats over the same deals, results with standard errors over the pairs.

Pairs are seeded in blocks of ``BLOCK`` by (seed, block), so the answer depends on neither jobs nor slices.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from hanasolve.errors import IllegalAction
from hanasolve.koikoi.conventions.find import parse_strategy
from hanasolve.koikoi.conventions.strategy import Strategy, view_of
from hanasolve.koikoi.game import deck
from hanasolve.koikoi.game import options as option_table
from hanasolve.koikoi.game import rules as engine
from hanasolve.koikoi.game.rules import DRAW, PLAY, Action
from hanasolve.koikoi.game.yaku import NAMES
from hanasolve.koikoi.play import rounds as p
from hanasolve.limits import Limit, TimeUp
from hanasolve.stats import holm, mean_se

BLOCK = 64
SLICE_STEPS = 20_000


@dataclass
class Match:
    """Result of one pairing of two strategies; points are A's view."""

    a: str
    b: str
    pairs: int
    rounds: int
    wins_a: int
    wins_b: int
    draws: int
    points_a: float  # per match
    points_b: float
    diff: float
    se: float
    diff_round: float
    se_round: float
    won_a: float  # shares of the rounds
    won_b: float
    undecided: float
    dealer: float
    other: float
    calls_a: int
    calls_b: int
    followed_a: int
    followed_b: int
    yaku: dict[str, float] = field(default_factory=dict)  # shares of the rounds that somebody won
    lucky: int = 0
    mean_turns: float = 0.0  # of rounds decided by yaku
    seconds_per_match: float = 0.0
    p: float | None = None  # of no difference; None where it is exactly 0 or there is one pair
    p_holm: float | None = None  # over all pairings of the run

    @property
    def matches(self) -> int:
        return 2 * self.pairs


def compare(
    names: list[str],
    pairs: int,
    seed: int = 0,
    preset: str = "nintendo",
    changes: dict[str, Any] | None = None,
    jobs: int = 1,
    limit: Limit | None = None,
) -> list[Match]:
    """Every pairing of the named strategies over the same deals.

    At the limit, of which every pairing has the same share, the pairs of matches that are done (``Match.pairs``);
    LimitReached if there are none. Its nodes are matches.
    """
    for name in names:
        parse_strategy(name)  # complain before anything is played
    found, pairings, limit = [], list(combinations(names, 2)), limit or Limit()
    for number, (a, b) in enumerate(pairings):
        started, part = time.perf_counter(), limit.part(1 / (len(pairings) - number))
        rows = run(a, b, pairs, seed, preset, changes, jobs, part)
        if len(rows):
            spent = time.perf_counter() - started
            found.append(summarize(a, b, rows, engine.make_rules(preset, changes), spent))
    if not found:
        raise limit.reached("came before any pair of matches was finished: give more time")
    _judge(found)
    return found


def _judge(found: list[Match]) -> None:
    """p values of the differences (normal), Holm's over all pairings."""
    tested = [match for match in found if match.se > 0]
    p_values = [math.erfc(abs(match.diff / match.se) / math.sqrt(2)) for match in tested]
    for match, p_value, adjusted in zip(tested, p_values, holm(p_values), strict=True):
        match.p, match.p_holm = p_value, adjusted


def run(
    a: str,
    b: str,
    pairs: int,
    seed: int = 0,
    preset: str = "nintendo",
    changes: dict[str, Any] | None = None,
    jobs: int = 1,
    limit: Limit | None = None,
) -> Any:
    """The rows of results (see ``play.COLUMNS``) of all pairs, in their order; at the limit, of those that are done."""
    limit = limit or Limit()
    pairs = min(pairs, max(1, (limit.nodes or 2 * pairs) // 2))
    values = option_table.complete(preset, changes)
    blocks = [(k, min(BLOCK, pairs - k * BLOCK)) for k in range(math.ceil(pairs / BLOCK))]
    if jobs == 1:
        sides = parse_strategy(a), parse_strategy(b)
        parts = [_block(sides, k, size, seed, values, limit) for k, size in blocks if not limit.late]
    else:
        from joblib import Parallel, delayed

        parts, calls = [], (delayed(_job)(a, b, k, size, seed, values, limit) for k, size in blocks)
        try:
            for part in Parallel(n_jobs=jobs, return_as="generator")(calls):
                parts.append(part)
        except TimeUp:  # somebody is in the middle of a long decision
            pass
    return np.concatenate(parts) if parts else np.zeros((0, p.COLUMNS), np.int64)


def _job(a: str, b: str, block: int, size: int, seed: int, values: dict[str, Any], limit: Limit) -> Any:
    return _block((parse_strategy(a), parse_strategy(b)), block, size, seed, values, limit)


def _block(
    sides: tuple[Strategy, Strategy],
    block: int,
    size: int,
    seed: int,
    values: dict[str, Any],
    limit: Limit,
) -> Any:
    """The rows of a block of pairs, of those that are done where the limit comes first."""
    rules = engine.make_rules("nintendo", values)
    records = np.array([side.record for side in sides])
    seeds = deck.streams([seed, block], (BLOCK, 3))[:size]
    results = np.zeros((size, p.COLUMNS), np.int64)
    states, game = np.zeros((3, 4), np.int64), engine.new_game()
    course, top = p.new_course(), np.zeros(48, np.int64)
    answer, done = p.BUDGET, 0
    try:
        while answer != p.DONE and not limit.late:
            answer = p.play_pairs(seeds, states, game, top, course, records, results, rules, SLICE_STEPS)
            done = int(course[p.PAIR])
            if answer == p.ASK:
                _ask(sides[int(game["mover"])], game, states, rules)
    except TimeUp:  # in the middle of a long decision
        pass
    return results[:done]


def _ask(side: Strategy, game: Any, states: Any, rules: Any) -> None:
    """Let a Python strategy do one step; what it answers goes through the checked door of the rules."""
    view = view_of(game, rules, states[1 + int(game["mover"])])
    assert side.player is not None
    phase = int(game["phase"])
    if phase == PLAY:
        action = Action("play", *(int(part) for part in side.player.play(view)))
    elif phase == DRAW:
        action = Action("match", int(game["drawn"]), int(side.player.match(view)))
    else:
        action = Action("call" if side.player.call(view) else "stop")
    try:
        engine.apply(game, rules, action)
    except IllegalAction as error:
        raise IllegalAction(f"strategy {side.name}: {error}", error.code) from None


def pair_diffs(rows: Any) -> Any:
    """A's points minus B's per match, mean of the two matches of each pair."""
    scores = rows[:, p.SCORE : p.SCORE + 4]
    return (scores[:, 0] - scores[:, 1] + scores[:, 2] - scores[:, 3]) / 2


def summarize(a: str, b: str, rows: Any, rules: Any, seconds: float = 0.0) -> Match:
    """Means, shares and standard errors (over pairs) of the rows of results."""
    pairs, total, diffs = len(rows), rows.sum(axis=0), mean_se(pair_diffs(rows))
    first, second = rows[:, 0] - rows[:, 1], rows[:, 2] - rows[:, 3]
    length, played = int(rules["rounds"]), int(total[p.ROUNDS])
    decided = max(1, int(total[p.BY_YAKU]))
    won = int(total[p.WON] + total[p.WON + 1])
    yaku = {name: int(total[p.YAKU + k]) / max(1, won) for k, name in enumerate(NAMES)}
    return Match(
        a,
        b,
        pairs,
        played,
        int((first > 0).sum() + (second > 0).sum()),
        int((first < 0).sum() + (second < 0).sum()),
        int((first == 0).sum() + (second == 0).sum()),
        float(total[0] + total[2]) / (2 * pairs) + int(rules["start"]),
        float(total[1] + total[3]) / (2 * pairs) + int(rules["start"]),
        diffs.mean,
        diffs.se,
        diffs.mean / length,
        diffs.se / length,
        int(total[p.WON]) / played,
        int(total[p.WON + 1]) / played,
        int(total[p.UNDECIDED]) / played,
        int(total[p.DEALER_WON]) / played,
        (won - int(total[p.DEALER_WON])) / played,
        int(total[p.CALLS]),
        int(total[p.CALLS + 1]),
        int(total[p.FOLLOWED]),
        int(total[p.FOLLOWED + 1]),
        yaku,
        int(total[p.LUCKY]),
        int(total[p.TURNS_BY_YAKU]) / decided,
        seconds / (2 * pairs),
    )
