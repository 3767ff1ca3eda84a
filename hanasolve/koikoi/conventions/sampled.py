"""Strategies on sampled worlds: ``pimcK`` (mean open-card value), ``flatK`` (mean playout), ``uctK`` (tree).

Every decision draws K new worlds from the player's own stream: the unseen cards are dealt at random to the
opponent's hand and the stock. The first option with the highest mean is chosen.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.jit import kernel
from hanasolve.koikoi.conventions import heuristic as h
from hanasolve.koikoi.conventions.strategy import View
from hanasolve.koikoi.conventions.uct import best_option
from hanasolve.koikoi.game import cards
from hanasolve.koikoi.game import rules as engine
from hanasolve.koikoi.game.deck import shuffle
from hanasolve.koikoi.game.rules import DECIDE, NOBODY
from hanasolve.koikoi.play.rounds import COURSE_SIZE, START_PILE, playout
from hanasolve.koikoi.search.deals import lay_out, sample, slots_to_fill
from hanasolve.koikoi.search.kernel import TABLE_LAST, Space, new_space
from hanasolve.limits import slices

SLOTS = 1 << 16


@kernel
def _playout_value(game: Any, player: int, strategies: Any, course: Any, states: Any, rules: Any) -> int:
    """Result of playing on for ``player``; a new yaku that waits for a decision is a stop."""
    if game["phase"] == DECIDE:
        engine.stop(game, rules)
    playout(game, strategies, course, states, rules)
    if game["winner"] == NOBODY:
        return 0
    return int(game["score"] if game["winner"] == player else -game["score"])


@kernel
def flat_values(
    games: Any,
    options: Any,
    sums: Any,
    unseen: Any,
    opponent_cards: int,
    worlds: int,
    strategies: Any,
    course: Any,
    states: Any,
    rules: Any,
) -> None:
    """Sum over sampled worlds of each option's playout; the better match of the stock card counts.

    ``games[0]`` is the position (phase play), ``games[1]`` and ``games[2]`` are scratch.
    """
    slots = slots_to_fill(games[0], opponent_cards)
    player = games[0]["mover"]
    for _ in range(worlds):
        shuffle(unseen, unseen.shape[0], slots, states[0])
        lay_out(games[0], unseen, opponent_cards, slots)
        for k in range(options.shape[0]):
            games[1] = games[0]
            engine.play(games[1], options[k, 0], options[k, 1], rules)
            best = -(1 << 30)
            for way in range(engine.take_count(games[1]["field"], games[1]["drawn"], rules)):
                games[2] = games[1]
                taken = engine.take_option(games[2]["field"], games[2]["drawn"], way, rules)
                engine.match(games[2], taken, rules)
                best = max(best, _playout_value(games[2], player, strategies, course, states, rules))
            sums[k] += best


class SampledPlayer:
    """The Python side of the sampled parts; parts with 0 worlds are the kernel's and never asked."""

    def __init__(self, kind: str, worlds: int, call_worlds: int) -> None:
        self.kind, self.worlds, self.call_worlds = kind, worlds, call_worlds
        self._space: Space | None = None

    def play(self, view: View) -> tuple[int, int]:
        options = _merged(view)
        if len(options) == 1:
            return options[0]
        if self.kind == "uct":
            return best_option(view, options, self.worlds)
        if self.kind == "flat":
            return options[int(np.argmax(self._flat(view, options)))]
        return options[int(np.argmax(self.means(view, options, self.worlds)))]

    def match(self, view: View) -> int:
        options = _merged(view)
        if self.kind == "pimc" and len(options) > 1:
            return options[int(np.argmax(self.means(view, options, self.worlds)))][1]
        start = view.pile  # only a constant of all options depends on the start of the turn
        place = (view.drawn, view.field, view.pile, start, view.other_pile)
        return int(h.choose_match(h.PROGRESS, *place, view.state, view.rules))

    def call(self, view: View) -> bool:
        stop, go_on = self.means(view, [(0, 0), (0, 1)], self.call_worlds)
        return bool(go_on > stop)

    def means(self, view: View, options: list[tuple[int, int]], worlds: int) -> Any:
        """Sums over ``worlds`` sampled worlds of the open-card values (the same worlds for all options)."""
        if self._space is None:
            self._space = new_space(SLOTS)
        self._space.control[TABLE_LAST] = 14 if view.turn < 12 else 0
        rows = np.array(options, np.int64)
        values = np.zeros((worlds, len(options)), np.int64)
        unseen = np.array(cards.cards_of(view.unseen), np.int64)
        for part in slices(worlds, max(1, 2 ** (view.turn // 2))):
            sample(view.game, rows, values[part], unseen, view.opponent_cards, view.state, self._space, view.rules)
        return values.sum(axis=0)

    def _flat(self, view: View, options: list[tuple[int, int]]) -> Any:
        games = np.zeros(3, engine.GAME)
        games[0] = view.game
        states = np.array([view.state] * 3)
        sums = np.zeros(len(options), np.int64)
        course = np.zeros(COURSE_SIZE, np.int64)
        course[START_PILE] = view.pile
        unseen = np.array(cards.cards_of(view.unseen), np.int64)
        rows, strategies = np.array(options, np.int64), h.progress_stop()
        for part in slices(self.worlds, 1_000):
            args = (view.opponent_cards, part.stop - part.start, strategies, course, states, view.rules)
            flat_values(games, rows, sums, unseen, *args)
        view.state[:] = states[0]
        return sums


def _merged(view: View) -> list[tuple[int, int]]:
    """Options (card, taken) with equal hand plains merged, by card and taken card."""
    hand = view.hand
    found = []
    for action in view.legal():
        twins_below = cards.twins_of(action.card) & ((1 << action.card) - 1)
        if action.kind == "play" and twins_below & hand:
            continue
        found.append((action.card, action.taken))
    return found
