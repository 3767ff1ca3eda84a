"""Beside the values of a hidden-card position: unseen cards, chances of yaku, chance to win the match.

Chances of yaku come from playouts: random worlds, both players ``progress+stop``. The match chance combines
the open-card results of the ranked worlds with the rounds still to come, which are taken as independent and
distributed as in self-play of ``REFERENCE`` (seats symmetric).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from hanasolve.koikoi.conventions.heuristic import progress_stop
from hanasolve.koikoi.game import cards, deck
from hanasolve.koikoi.game import rules as engine
from hanasolve.koikoi.game.deck import shuffle
from hanasolve.koikoi.game.rules import NOBODY
from hanasolve.koikoi.game.yaku import NAMES, names
from hanasolve.koikoi.notation.position import Position
from hanasolve.koikoi.play.rounds import COURSE_SIZE, START_PILE, playout
from hanasolve.koikoi.ranking.hidden import Ranked, hide
from hanasolve.koikoi.search.deals import lay_out, slots_to_fill
from hanasolve.limits import Limit

REFERENCE = "progress+t7h5"
REFERENCE_PAIRS = 5_000


def hand_chance(position: Position) -> Fraction:
    """Probability of each unseen card to be in the opponent's hand (the same for all)."""
    unseen = position.unseen.bit_count()
    return Fraction(position.opponent_cards, unseen) if unseen else Fraction(0)


@dataclass(frozen=True)
class Chances:
    """Shares of the playouts: rounds won by A and B, undecided, and won with each yaku."""

    worlds: int
    won: tuple[float, float]
    undecided: float
    yaku: tuple[dict[str, float], dict[str, float]]


def yaku_chances(position: Position, worlds: int = 2_000, seed: int = 0, limit: Limit | None = None) -> Chances:
    """Chances to win with each yaku, for A and B, from ``worlds`` playouts, or as many as ``limit`` leaves time for."""
    hidden, rules = engine.copy_game(position.game), position.rules
    hide(hidden)
    counts = np.zeros((3, len(NAMES) + 1), np.int64)
    states, course = deck.streams([seed, 2], (3,)), np.zeros(COURSE_SIZE, np.int64)
    course[START_PILE] = int(hidden["piles"][hidden["mover"]])
    unseen = np.array(cards.cards_of(position.unseen), np.int64)
    slots, strategies = int(slots_to_fill(hidden, position.opponent_cards)), progress_stop()
    for done in range(worlds):
        if done and limit is not None and limit.late:
            worlds = done
            break
        shuffle(unseen, len(unseen), slots, states[0])
        game = engine.copy_game(hidden)
        lay_out(game, unseen, position.opponent_cards, slots)
        playout(game, strategies, course, states, rules)
        winner = int(game["winner"])
        counts[winner if winner != NOBODY else 2, 0] += 1
        if winner != NOBODY:
            held = int(names(int(game["piles"][winner]), rules))
            counts[winner, 1:] += [held >> which & 1 for which in range(len(NAMES))]
    shares = counts / worlds
    rows = [
        {name: float(shares[p, k + 1]) for k, name in enumerate(NAMES) if counts[p, k + 1]} for p in (0, 1)
    ]
    won = (float(shares[0, 0]), float(shares[1, 0]))
    return Chances(worlds, won, float(shares[2, 0]), (rows[0], rows[1]))


@dataclass(frozen=True)
class MatchChance:
    """Chance of the player to move to win, draw and lose the match after an option."""

    win: float
    draw: float
    lose: float


def match_chances(
    options: list[Ranked], lead: int, rounds_left: int, preset: str, changes: dict[str, Any]
) -> list[MatchChance]:
    """For each option; ``lead`` = mover's points minus the opponent's, ``rounds_left`` after this round."""
    later = later_rounds(rounds_left, preset, changes)
    return [_chance(option.histogram, lead, later) for option in options]


def _chance(results: dict[int, int], lead: int, later: dict[int, float]) -> MatchChance:
    worlds = sum(results.values())
    win = draw = 0.0
    for value, times in results.items():
        for change, chance in later.items():
            total = lead + value + change
            win += times * chance * (total > 0)
            draw += times * chance * (total == 0)
    return MatchChance(win / worlds, draw / worlds, max(0.0, 1 - (win + draw) / worlds))


def later_rounds(count: int, preset: str, changes: dict[str, Any]) -> dict[int, float]:
    """Distribution of the sum of ``count`` independent round results of the reference strategy."""
    from hanasolve.koikoi.play.matches import run

    if count == 0:
        return {0: 1.0}
    rows = run(REFERENCE, REFERENCE, REFERENCE_PAIRS, 0, preset, {**changes, "rounds": 1})
    single = np.concatenate([rows[:, 0] - rows[:, 1], rows[:, 2] - rows[:, 3]])
    reach = int(np.abs(single).max())
    one = np.bincount(np.concatenate([single, -single]) + reach, minlength=2 * reach + 1) / (2 * len(single))
    total = np.array([1.0])
    for _ in range(count):
        total = np.convolve(total, one)
    return {k - count * reach: float(chance) for k, chance in enumerate(total) if chance > 1e-12}
