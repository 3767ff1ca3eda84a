"""Small endings exactly, over information sets: the player to move acts on what he has seen, and on nothing else.

A *world* is a hand he may hold with an order of the deck. From his move on, every world is played to his next
turn; worlds that look the same to him there are one information set and get one action. Partners are a fixed
policy: the convention, or the open-hands reply of ``open_replies.py``. So the value is what the best plan of
this one player gets; nobody is shown what he cannot see. Sums are whole numbers of deals; fractions come last.

A branch is cut where the bounds by cards and turns leave nothing to gain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hanasolve.errors import LimitReached
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.rules import GAME, MAX_DECK
from hanasolve.hanabi.ranking.budget import Progress
from hanasolve.hanabi.ranking.hidden_hands import kernels
from hanasolve.hanabi.ranking.hidden_hands.belief import Belief
from hanasolve.hanabi.ranking.hidden_hands.rank import MAX_IS, hide_card, why_hidden
from hanasolve.hanabi.ranking.hidden_hands.viewpoint import Viewpoint, code_of
from hanasolve.hanabi.ranking.moves import Move, Ranking, move_of, ranked
from hanasolve.limits import Limit

METHOD = "hidden-exact"
MAX_WORLDS, MAX_NODES, MAX_GAMES = 4_096, 50_000, 1_000_000
_LOOK_AHEAD, _SLICE = 0.04, 16  # part of a bound before anything is foretold; worlds of one kernel call

Codes = tuple[int, ...]
Indices = NDArray[np.int64]


class TooMany(LimitReached):
    """The position is too big for the named bound; the text says which."""


@dataclass(frozen=True)
class Expanded:
    """All actions at one information set, each played on every world to the player's next turn: [action, world].

    ``points`` is -1 while the game is running, ``most`` a bound of it, ``seen`` tells apart what he has seen.
    """

    codes: Codes
    points: NDArray[np.int64]
    most: NDArray[np.int64]
    seen: NDArray[np.uint64]


class Partners(Protocol):
    """How the others answer."""

    label: str

    def expand(self, codes: Codes, decks: NDArray[np.int8]) -> Expanded:
        """His legal actions (the likeliest best first) at the turn that his actions ``codes`` lead to on these
        deals, which look the same to him up to there; and what follows each."""
        ...


class ByConvention:
    """Partners who follow the convention, each with his own notes."""

    def __init__(self, viewpoint: Viewpoint) -> None:
        self.viewpoint = viewpoint
        self.games = np.zeros(3, GAME)
        self.label = f"partners play {viewpoint.convention.name}"

    def expand(self, codes: Codes, decks: NDArray[np.int8]) -> Expanded:
        setting, belief, count = self.viewpoint.setting, self.viewpoint.belief, len(decks)
        actions = np.zeros(engine.MAX_ACTIONS, np.int64)
        seen = np.zeros((engine.MAX_ACTIONS, count), np.uint64)
        points, most = (np.zeros((engine.MAX_ACTIONS, count), np.int16) for _ in range(2))
        found = kernels.expand(
            setting.rules, setting.view, setting.root, self.games, belief.given, setting.notes[1], setting.notes[2],
            setting.event, setting.decide, setting.update, belief.retold, self.viewpoint.told, self.viewpoint.seat,
            np.array(codes, np.int64), np.ascontiguousarray(decks), actions, seen, points, most,
        )  # fmt: skip
        listed = tuple(actions[:found].tolist())
        return Expanded(listed, points[:found].astype(np.int64), most[:found].astype(np.int64), seen[:found])


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
    """The best plan of one player, for one question after the other: the chance of a target, or the score."""

    def __init__(self, viewpoint: Viewpoint, spent: Spent) -> None:
        self.viewpoint, self.spent = viewpoint, spent
        self.decks, weights = all_worlds(viewpoint.belief)
        self.total = sum(weights)
        whole = np.int64 if self.total < 2**50 else object  # numbers of any size where they may be large
        self.weight: NDArray[Any] = np.array(weights, dtype=whole)
        self.partners: Partners = ByConvention(viewpoint)
        self.expanded: dict[tuple[Codes, bytes], Expanded] = {}  # of these partners, for all questions

    def values(self, partners: Partners, target: int) -> dict[int, Fraction]:
        """For every first action (its code) the mean over all worlds: the chance of ``target``, for 0 the score."""
        if partners is not self.partners:
            self.partners, self.expanded = partners, {}
        self.target = target
        everything = np.arange(len(self.decks))
        root = self._expand((), everything)
        self.spent.begin()
        share = 1 / len(root.codes)
        return {
            code: Fraction(self._after((code,), everything, root, at, -1, share), self.total)
            for at, code in enumerate(root.codes)
        }

    def worth(self, points: NDArray[np.int64]) -> NDArray[Any]:
        worth = (points >= self.target).astype(np.int64) if self.target else points
        return worth.astype(self.weight.dtype)

    def _expand(self, codes: Codes, chosen: Indices) -> Expanded:
        key = codes, chosen.tobytes()
        if key not in self.expanded:
            parts = []
            for at in range(0, len(chosen), _SLICE):  # so that a limit or Ctrl-C ends it soon
                part = self.partners.expand(codes, self.decks[chosen[at : at + _SLICE]])
                self.spent.add(len(part.codes) if at == 0 else 0, part.points.size)
                parts.append(part)
            names = ("points", "most", "seen")
            joined = [np.concatenate([getattr(part, name) for part in parts], axis=1) for name in names]
            self.expanded[key] = Expanded(parts[0].codes, *joined)
        return self.expanded[key]

    def _after(self, codes: Codes, chosen: Indices, found: Expanded, at: int, least: int, share: float) -> int:
        """The most these worlds give after the player's action ``codes[-1]``, which is ``found``'s number ``at``; no
        more than ``least``: then any number up to it. ``share``: this part of the work, of 1."""
        points, seen = found.points[at], found.seen[at]
        over = points >= 0
        bounds = self.worth(found.most[at]) * self.weight[chosen]
        total = int(bounds[over].sum())
        rest = int(bounds[~over].sum())
        running = np.flatnonzero(~over)
        sets = [running[seen[running] == one] for one in np.unique(seen[running])]
        part = share / max(1, len(sets))
        for number, members in enumerate(sorted(sets, key=len)):
            if total + rest <= least:
                self.spent.done += part * (len(sets) - number)
                return total + rest
            bound = int(bounds[members].sum())
            rest -= bound
            if bound:
                total += self._best(codes, chosen[members], least - total - rest, bound, part)
            else:
                self.spent.done += part
        if not sets:
            self.spent.done += share
        return total

    def _best(self, codes: Codes, chosen: Indices, least: int, bound: int, share: float) -> int:
        """The best action of an information set; as ``_after`` where it is no more than ``least``."""
        found = self._expand(codes, chosen)
        part = share / len(found.codes)
        weight = self.weight[chosen]
        best = self._after((*codes, found.codes[0]), chosen, found, 0, least, part)
        mosts = [int((self.worth(most) * weight).sum()) for most in found.most]
        order = sorted(range(1, len(mosts)), key=lambda at: -mosts[at])  # stable: ties as the rules list them
        for number, at in enumerate(order):
            if mosts[at] <= max(best, least) or best == bound:
                self.spent.done += part * (len(order) - number)
                break
            best = max(best, self._after((*codes, found.codes[at]), chosen, found, at, max(best, least), part))
        return best


class Spent:
    """Counts nodes (an information set with an action) and games, against the bounds and the limit.

    ``done`` is the part of one question that is finished, every branch of a fork counted alike (Knuth, "Estimating the
    efficiency of backtrack programs", 1975). With ``foresee`` a question ends early where this part foretells that
    a bound will be hit.
    """

    def __init__(
        self, nodes: int, games: int, limit: Limit, progress: Progress | None, foresee: bool = False
    ) -> None:
        self.most_nodes, self.most_games, self.limit, self.progress = nodes, games, limit, progress
        self.foresee = foresee
        self.nodes, self.games = 0, 0
        self.done, self.first = 0.0, (0, 0)

    def begin(self) -> None:
        """A new question."""
        self.done, self.first = 0.0, (self.nodes, self.games)

    def add(self, nodes: int, games: int) -> None:
        self.nodes += nodes
        self.games += games
        if self.progress is not None:
            self.progress(min(self.games, self.most_games), self.most_games)
        if not self.limit.spend(nodes):
            raise self.limit.reached("was not enough")
        if self.nodes > self.most_nodes:
            raise TooMany(f"more than {self.most_nodes:,} nodes")
        if self.games > self.most_games:
            raise TooMany(f"more than {self.most_games:,} games to look at")
        spent = max((self.nodes - self.first[0]) / self.most_nodes, (self.games - self.first[1]) / self.most_games)
        if self.foresee and spent > max(_LOOK_AHEAD, self.done):
            bounds = f"{self.most_nodes:,} nodes or {self.most_games:,} games"
            raise TooMany(f"more than {bounds} are foreseen after {self.nodes:,} nodes")


def rank_exact(
    viewpoint: Viewpoint,
    *,
    partners: Callable[[Viewpoint, int], Partners] | None = None,
    limit: Limit | None = None,
    goal: str = "win",
    max_worlds: int = MAX_WORLDS,
    max_nodes: int = MAX_NODES,
    max_games: int = MAX_GAMES,
    foresee: bool = False,
    progress: Progress | None = None,
) -> Ranking:
    """All moves with the exact chance of the target and the exact expected score of the best plan after each.

    ``partners(viewpoint, target)``: the others' policy; by default the convention. ``foresee``: end early
    where a bound is foreseen to be hit. TooMany says which bound it was, LimitReached that it was the limit.
    """
    if viewpoint.seat != viewpoint.mover:
        raise TooMany("the eyes of another player")
    if viewpoint.open_seats:
        raise TooMany(f"cards of {viewpoint.table.names[viewpoint.open_seats[0]]} are not named")
    count = count_worlds(viewpoint.belief)
    if count is None or count > max_worlds:
        raise TooMany(f"more than {max_worlds:,} worlds" if count is None else f"{count:,} worlds")
    spent = Spent(max_nodes, max_games, (limit or Limit()).part(), progress, foresee)
    plan = Plan(viewpoint, spent)
    by_convention = ByConvention(viewpoint)

    def values(target: int) -> dict[int, Fraction]:
        return plan.values(partners(viewpoint, target) if partners else by_convention, target)

    target, wins = viewpoint.target, values(viewpoint.target)
    while target > 1 and not any(wins.values()):
        target -= 1
        wins = values(target)
    scores = values(0)
    actions, _ = viewpoint.candidates()
    moves = []
    for group, action in enumerate(actions):
        stored, text = move_of(viewpoint.table, action)
        why, max_after = why_hidden(viewpoint, action, target)
        text = hide_card(viewpoint.table, action, text)
        moves.append(Move(stored, text, scores[code_of(action)], wins[code_of(action)], max_after, why, group))
    who = viewpoint.table.names[viewpoint.seat]
    belief = viewpoint.belief
    knows = "the clues and what the others did" if belief.filtered else f"clues only ({belief.why_unfiltered})"
    label = f"exact for information sets: hidden hands, {who}'s best plan, {plan.partners.label}; belief: {knows}"
    label += viewpoint.notes_text()
    found = ranked(METHOD, label, target, count, moves, goal)
    return replace(found, convention=viewpoint.convention.name, seat=viewpoint.seat, max_is=MAX_IS)
