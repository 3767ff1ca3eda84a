"""Small endings exactly, over information sets: the player to move acts on what he has seen, and on nothing else.

A *world* is a hand he may hold with an order of the deck. From his move on, every world is played to his next
turn; worlds that look the same to him there are one information set and get one action. Partners are a fixed
policy: the convention, or the open-hands reply of ``open_replies.py``. So the value is what the best plan of
this one player gets; nobody is shown what he cannot see. Sums are whole numbers of deals; fractions come last.

A branch is cut where the bounds by cards and turns leave nothing to gain.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hanasolve.hanabi import rules as engine
from hanasolve.hanabi.ranking import playouts
from hanasolve.hanabi.ranking.belief import Belief
from hanasolve.hanabi.ranking.hidden import Progress, Worlds, code_of, hide_card, why_hidden
from hanasolve.hanabi.ranking.moves import EngineAction, Move, Ranking, move_of, ranked
from hanasolve.hanabi.rules import MAX_DECK
from hanasolve.hanabi.search.solve import Limit
from hanasolve.hanabi.view import fill_game

METHOD = "hidden-exact"
MAX_WORLDS, MAX_NODES, MAX_GAMES = 4_096, 50_000, 400_000

Codes = tuple[int, ...]
Indices = NDArray[np.int64]


class TooMany(Exception):
    """The position is too big for the named bound; the text says which."""


@dataclass(frozen=True)
class Reached:
    """Worlds after some actions of the player: points (-1 while running), bounds, and what he has seen."""

    points: NDArray[np.int64]
    most: NDArray[np.int64]
    seen: NDArray[np.uint64]


class Partners(Protocol):
    """How the others answer."""

    label: str

    def reach(self, codes: Codes, decks: NDArray[np.int8]) -> Reached:
        """Play these deals on with the player's actions ``codes`` to his next turn or to the end."""
        ...

    def actions(self, codes: Codes, deck: NDArray[np.int8]) -> list[EngineAction]:
        """His legal actions at the turn that ``codes`` lead to, on one of its deals; the likeliest best first."""
        ...


class ByConvention:
    """Partners who follow the convention, each with his own notes."""

    def __init__(self, worlds: Worlds) -> None:
        self.worlds = worlds
        self.label = f"partners play {worlds.convention.name}"

    def reach(self, codes: Codes, decks: NDArray[np.int8]) -> Reached:
        setting, belief, count = self.worlds.setting, self.worlds.belief, len(decks)
        seen = np.zeros(count, np.uint64)
        points, most = np.zeros(count, np.int16), np.zeros(count, np.int16)
        history = setting.history if setting.history is not None else np.zeros(0, np.int64)
        playouts.reach(
            setting.rules, setting.view, setting.root, setting.work, belief.given, setting.notes[1],
            setting.event, setting.decide, setting.update, belief.retold, history, self.worlds.seat,
            np.array(codes, np.int64), np.ascontiguousarray(decks), seen, points, most,
        )  # fmt: skip
        return Reached(points.astype(np.int64), most.astype(np.int64), seen)

    def actions(self, codes: Codes, deck: NDArray[np.int8]) -> list[EngineAction]:
        self.reach(codes, deck[None])
        setting, seat = self.worlds.setting, self.worlds.seat
        rows = np.empty((engine.MAX_ACTIONS, 3), np.int64)
        count = engine.legal_actions(setting.rules, setting.work[1], rows)
        actions = [(int(k), int(t), int(v)) for k, t, v in rows[:count] if t >= 0]
        fill_game(setting.view, setting.work[1], seat, False)
        usual = int(setting.decide(setting.view, setting.notes[1][seat]))
        return sorted(actions, key=lambda action: code_of(action) != usual)


def count_worlds(belief: Belief) -> int | None:
    """Hands times orders of the deck; None if the hands are not listed."""
    if belief.rows is None:
        return None
    total = 0
    for row in belief.rows:
        left = belief.hidden.copies - np.bincount(row, minlength=len(belief.hidden.copies))
        total += math.factorial(int(left.sum())) // math.prod(math.factorial(int(n)) for n in left)
    return total


def all_worlds(belief: Belief) -> tuple[NDArray[np.int8], list[int]]:
    """Every deal that tells hands or orders of identities apart, and the number of deals of copies behind it."""
    assert belief.rows is not None and belief.weights is not None
    game = belief.setting.root
    first, size = int(game["next"]), int(game["deck_size"])
    decks, weights = [], []
    for row, weight in zip(belief.rows, belief.weights.tolist(), strict=True):
        left = belief.hidden.copies - np.bincount(row, minlength=len(belief.hidden.copies))
        ways = weight * math.prod(math.factorial(int(n)) for n in left)
        for order in arrangements(left.tolist()):
            deck = np.zeros(MAX_DECK, np.int8)
            deck[:size] = game["deck"][:size]
            deck[belief.hidden.orders] = row
            deck[first:size] = order
            decks.append(deck)
            weights.append(ways)
    return np.array(decks, np.int8), weights


def arrangements(counts: list[int]) -> Iterator[list[int]]:
    """All different orders of a multiset, given by how often each number is in it."""
    if not any(counts):
        yield []
        return
    for number, count in enumerate(counts):
        if count:
            counts[number] -= 1
            for rest in arrangements(counts):
                yield [number, *rest]
            counts[number] += 1


class Plan:
    """The best plan of one player for one question: the chance of ``target``, or with 0 the expected score."""

    def __init__(self, worlds: Worlds, partners: Partners, spent: Spent) -> None:
        self.worlds, self.partners, self.spent = worlds, partners, spent
        self.decks, self.weights = all_worlds(worlds.belief)
        self.total = sum(self.weights)
        self.weight = np.array(self.weights, dtype=object)  # whole numbers of any size
        self.memory: dict[Codes, Reached] = {}
        self.target = 0

    def worth(self, points: NDArray[np.int64]) -> NDArray[Any]:
        worth = points >= self.target if self.target else points
        return worth.astype(np.int64).astype(object)

    def after(self, action: EngineAction, target: int) -> Fraction:
        """The mean over all worlds after this first action."""
        self.target = target
        everything = np.arange(len(self.decks))
        return Fraction(int(self._after((code_of(action),), everything, -1)), self.total)

    def _play(self, codes: Codes, chosen: Indices) -> Reached:
        self.spent.add(len(chosen))
        return self.partners.reach(codes, self.decks[chosen])

    def _after(self, codes: Codes, chosen: Indices, least: int, found: Reached | None = None) -> int:
        """The most these worlds give after the player's action ``codes[-1]``; no more than ``least``: then any
        number up to it."""
        found = found or self._play(codes, chosen)
        over = found.points >= 0
        weight = self.weight[chosen]
        bounds = self.worth(found.most) * weight
        total = int(bounds[over].sum())
        rest = int(bounds[~over].sum())
        running = np.flatnonzero(~over)
        sets = [running[found.seen[running] == seen] for seen in np.unique(found.seen[running])]
        for members in sorted(sets, key=len):
            if total + rest <= least:
                return total + rest
            bound = int(bounds[members].sum())
            rest -= bound
            if bound:
                total += self._best(codes, chosen[members], least - total - rest, bound)
        return total

    def _best(self, codes: Codes, chosen: Indices, least: int, bound: int) -> int:
        """The best action of an information set; as ``_after`` where it is no more than ``least``."""
        actions = self.partners.actions(codes, self.decks[chosen[0]])
        first = (*codes, code_of(actions[0]))
        best = self._after(first, chosen, least)
        options = []
        for action in actions[1:] if best < bound else []:
            longer = (*codes, code_of(action))
            found = self._play(longer, chosen)
            most = int((self.worth(found.most) * self.weight[chosen]).sum())
            options.append((most, longer, found))
        options.sort(key=lambda option: -option[0])  # stable: ties stay in the order of the rules
        for most, longer, found in options:
            if most <= max(best, least) or best == bound:
                break
            best = max(best, self._after(longer, chosen, max(best, least), found))
        return best


class Spent:
    """Counts nodes (an information set with an action) and games, against the bounds and the limit."""

    def __init__(self, nodes: int, games: int, limit: Limit, progress: Progress | None) -> None:
        self.most_nodes, self.most_games, self.limit, self.progress = nodes, games, limit, progress
        self.nodes, self.games, self.began = 0, 0, time.perf_counter()

    def add(self, games: int) -> None:
        self.nodes += 1
        self.games += games
        if self.progress is not None:
            self.progress(min(self.games, self.most_games), self.most_games)
        if self.nodes > self.most_nodes or (self.limit.nodes is not None and self.nodes > self.limit.nodes):
            raise TooMany(f"more than {min(self.most_nodes, self.limit.nodes or self.most_nodes):,} nodes")
        if self.games > self.most_games:
            raise TooMany(f"more than {self.most_games:,} games to look at")
        seconds = self.limit.seconds
        if seconds is not None and time.perf_counter() - self.began > seconds:
            raise TooMany(f"more time than {seconds:g} s")


def rank_exact(
    worlds: Worlds,
    *,
    partners: Callable[[Worlds, int], Partners] | None = None,
    limit: Limit | None = None,
    goal: str = "win",
    max_worlds: int = MAX_WORLDS,
    max_nodes: int = MAX_NODES,
    progress: Progress | None = None,
) -> Ranking:
    """All moves with the exact chance of the target and the exact expected score of the best plan after each.

    ``partners(worlds, target)``: the others' policy; by default the convention. TooMany says which bound was hit.
    """
    if worlds.seat != worlds.mover:
        raise TooMany("the eyes of another player")
    count = count_worlds(worlds.belief)
    if count is None or count > max_worlds:
        raise TooMany(f"more than {max_worlds:,} worlds" if count is None else f"{count:,} worlds")
    spent = Spent(max_nodes, MAX_GAMES, limit or Limit(), progress)
    actions, _ = worlds.candidates()
    target, wins = worlds.target, [Fraction(0)]
    for target in range(worlds.target, 0, -1):
        plan = Plan(worlds, partners(worlds, target) if partners else ByConvention(worlds), spent)
        wins = [plan.after(action, target) for action in actions]
        if any(wins):
            break
    plan = Plan(worlds, partners(worlds, 0) if partners else ByConvention(worlds), spent)
    scores = [plan.after(action, 0) for action in actions]
    moves = []
    for group, action in enumerate(actions):
        stored, text = move_of(worlds.table, action)
        why, max_after = why_hidden(worlds, action, target)
        text = hide_card(worlds.table, action, text)
        moves.append(Move(stored, text, scores[group], wins[group], max_after, why, group))
    who = worlds.table.names[worlds.seat]
    belief = worlds.belief
    knows = "the clues and what the others did" if belief.filtered else f"clues only ({belief.why_unfiltered})"
    label = f"exact for information sets: hidden hands, {who}'s best plan, {plan.partners.label}; belief: {knows}"
    label += worlds.notes_text()
    found = ranked(METHOD, label, target, count, moves, goal)
    return replace(found, convention=worlds.convention.name, seat=worlds.seat)
