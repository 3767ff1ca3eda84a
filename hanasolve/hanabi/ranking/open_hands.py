"""Every legal move with open hands and an unknown deck order: exact chance of the target, exact expected score.

All hands are in view and every order of the unseen cards is equally likely. Both values are optima for
themselves: the chance assumes play for the target, the score play for the score. This is what a team with
ideal communication could do, so it bounds what players with hidden cards can reach from above.

The target is the highest score that some order of the deck still allows before the move. The moves at the root
are carried out by the rules engine, one draw after the other; what follows is counted by ``expectimax.py``.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np

from hanasolve.errors import LimitReached, UnsupportedVariant
from hanasolve.hanabi import rules as engine
from hanasolve.hanabi.game import Table
from hanasolve.hanabi.ranking import expectimax as ex
from hanasolve.hanabi.ranking.moves import (
    EngineAction,
    Move,
    Ranking,
    Situation,
    after,
    effect,
    final_score,
    legal_actions,
    move_of,
    outlook,
    ranked,
    situation,
)
from hanasolve.hanabi.records import UNKNOWN
from hanasolve.hanabi.search.problem import Problem, problem_from_table
from hanasolve.hanabi.search.solve import Limit
from hanasolve.jit import run_sliced

METHOD = "open-hands-exact"
MAX_TABLE = 1 << 24  # places for states, about 1.1 GB at most
_SLICE = 50_000


def assumes(cards: int) -> str:
    """The label that stands beside these values."""
    if cards == 0:
        return "open hands: ideal communication; the deck is empty, nothing is left to chance"
    order = "1 card" if cards == 1 else f"{cards} cards in unknown order, every order equally likely"
    return f"open hands: ideal communication; deck of {order}; best play afterwards"


def unseen(table: Table) -> list[int]:
    """The identities in the draw pile, sorted; its order, if the table has one, is not looked at."""
    game = table.game
    pile = [int(game["deck"][order]) for order in range(int(game["next"]), int(game["deck_size"]))]
    if UNKNOWN not in pile:
        return sorted(pile)
    left = Counter(table.variant.deck_in_order())
    left.subtract(Counter(_placed(table)))
    for identity in range(int(table.rules["identities"])):
        left[identity] -= int(game["discarded"][identity])
    for seat in range(int(table.rules["players"])):
        left.subtract(int(game["deck"][order]) for order in game["hands"][seat, : game["hand_sizes"][seat]])
    return sorted(left.elements())


def _placed(table: Table) -> list[int]:
    ranks = len(table.variant.ranks)
    cards = []
    for suit, order in enumerate(table.variant.orders):
        for step in range(int(table.game["stacks"][suit])):
            cards.append(suit * ranks + (ranks - 1 - step if order == "down" else step))
    return cards


def with_deck(table: Table, cards: list[int]) -> Table:
    """A copy of the table whose draw pile is ``cards``, the next one first."""
    copy = table.copy()
    first = int(copy.game["next"])
    copy.game["deck"][first : first + len(cards)] = cards
    return copy


def check_open(problem: Problem) -> None:
    """UnsupportedVariant, by name, for what open hands are not counted for."""
    reasons = {
        "games that play on after the last card": not problem.last_round,
        "alternating clues, and clues that may miss every card": not problem.clue_always,
        "games that stop when the full score is out of reach": problem.stop_when_impossible,
        "the blind play of the last card (deck_plays)": problem.deck_plays,
        "hands of fewer than two cards": any(len(hand) < 2 for hand in problem.hands),
    }
    for words, found in reasons.items():
        if found:
            raise UnsupportedVariant(f"open-hands ranking does not know {words}; with the deck order known-deck does")


class _OutOfBudget(Exception):
    pass


class Budget:
    """Counts states and time over all questions of a ranking."""

    def __init__(self, limit: Limit) -> None:
        self.limit, self.nodes, self.began = limit, 0, time.perf_counter()

    def spend(self, nodes: int) -> bool:
        self.nodes += nodes
        seconds = time.perf_counter() - self.began
        late = self.limit.seconds is not None and seconds > self.limit.seconds
        return not (late or (self.limit.nodes is not None and self.nodes > self.limit.nodes))


def open_rules(problem: Problem, target: int) -> Any:
    """The OPEN_RULES record of a problem; its deck says which cards are unseen, in any order."""
    rules = np.zeros(1, ex.OPEN_RULES)[0]
    rules["players"], rules["suits"], rules["steps"] = problem.players, problem.suits, problem.stack_size
    rules["tokens_max"], rules["clue_cost"] = problem.clues_max, problem.clue_cost
    rules["discard_gain"], rules["strikes_max"] = problem.discard_gain, problem.strikes_max
    rules["discard_at_max"], rules["target"] = problem.discard_at_max, target
    rules["bonus"][: problem.suits] = problem.bonus
    size = problem.stack_size
    kinds = sorted(card for card in set(problem.deck) if card % size >= problem.stacks[card // size])
    rules["kinds"] = len(kinds)
    rules["kind_of"][:] = -1
    for kind, card in enumerate(kinds):
        rules["identity"][kind], rules["kind_of"][card] = card, kind
    rules["factorial"][:] = [math.factorial(n) for n in range(ex.MAX_DRAWS + 1)]
    return rules


def encode(rules: Any, problem: Problem) -> Any:
    """The state vector of a problem (whose deck is a set here)."""
    state = np.zeros(ex.WIDTH, np.int64)
    state[ex.TOKENS], state[ex.STRIKES], state[ex.MOVER] = problem.clues, problem.strikes, problem.to_move
    state[ex.TURNS_LEFT] = -1 if problem.turns_left is None else problem.turns_left
    state[ex.LEFT] = len(problem.deck)
    state[ex.HEIGHT : ex.HEIGHT + problem.suits] = problem.stacks
    for card in problem.deck:
        kind = int(rules["kind_of"][card])
        state[ex.TRASH if kind < 0 else ex.COPIES + kind] += 1
    for seat, hand in enumerate(problem.hands):
        state[ex.HAND + seat], state[ex.SIZE + seat] = sum(1 << card for card in set(hand)), len(hand)
    ex.forget_dead(rules, state)
    return state


class OrderCount:
    """Counts deck orders for one question (a target, or 0 = the score) and remembers states."""

    def __init__(self, problem: Problem, target: int, budget: Budget) -> None:
        self.rules, self.budget = open_rules(problem, target), budget
        self.words = problem.suits + 1
        self.states = np.zeros((ex.DEPTH, ex.WIDTH), np.int64)
        self.bases = np.zeros((ex.DEPTH, ex.WIDTH), np.int64)
        self.frames = np.zeros((ex.DEPTH, ex.FRAME), np.int64)
        self.key = np.zeros(ex.MAX_SUITS + 1, np.int64)
        self.info = np.zeros(ex.INFO, np.int64)
        self._allocate(1 << 12)

    def _allocate(self, slots: int) -> None:
        self.keys = np.full((slots, self.words), -1, np.int64)
        self.bounds = np.zeros((slots, 2), np.int64)

    def _grow(self) -> None:
        old_keys, old_bounds = self.keys, self.bounds
        if len(old_keys) >= MAX_TABLE:
            raise _OutOfBudget
        self._allocate(4 * len(old_keys))
        ex.rehash(old_keys, old_bounds, self.keys, self.bounds, self.words)

    def value(self, table: Table) -> int:
        """Won orders (or the sum of scores) of a table whose game is running, in units of (cards left)!."""
        self.states[0] = encode(self.rules, problem_from_table(table))
        info = self.info
        info[ex.LEVEL], info[ex.PHASE], seen = 0, 0, int(info[ex.NODES])

        nodes = min(_SLICE, self.budget.limit.nodes or _SLICE)

        def step() -> bool:
            ex.run(
                self.rules, info, self.states, self.bases, self.frames, self.keys, self.bounds, self.key, nodes
            )
            if info[ex.STATUS] == ex.FULL:
                self._grow()
            return bool(info[ex.STATUS] == ex.DONE)

        def keep_going() -> bool:
            nonlocal seen
            spent, seen = int(info[ex.NODES]) - seen, int(info[ex.NODES])
            return self.budget.spend(spent)

        if not run_sliced(step, keep_going):
            raise _OutOfBudget
        if not keep_going():
            raise _OutOfBudget
        return int(info[ex.VALUE])


def worth_at_end(table: Table, target: int) -> int:
    """What a finished game is worth for one deck order: its score, or 1 if the target (not 0) is reached."""
    reached = final_score(table)
    return int(reached >= target) if target else reached


class _Root:
    """The position to rank: its kinds of moves, and the values of a move for one question after the other."""

    def __init__(self, table: Table, limit: Limit) -> None:
        self.cards = unseen(table)
        self.table = with_deck(table, self.cards)
        self.problem = problem_from_table(self.table)
        check_open(self.problem)
        self.budget = Budget(limit)
        self.actions = legal_actions(self.table)
        self.groups: dict[Situation, int] = {}
        self.group_of: list[int] = []
        self.first: list[EngineAction] = []  # one action of every group
        for action in self.actions:
            key = situation(after(self.table, action), True)
            if key not in self.groups:
                self.groups[key] = len(self.groups)
                self.first.append(action)
            self.group_of.append(self.groups[key])
        self.scale = math.factorial(len(self.cards))
        self.counts: dict[int, OrderCount] = {}

    def value(self, count: OrderCount, target: int, action: EngineAction) -> Fraction:
        """Mean over all deck orders after this action."""
        draws = Counter(self.cards) if action[0] <= engine.DISCARD else Counter(self.cards[:1])
        total = 0
        for card, copies in draws.items():
            rest = self.cards.copy()
            rest.remove(card)
            child = after(with_deck(self.table, [card, *rest]), action)
            scale = math.factorial(int(engine.deck_left(child.game)))
            times = self.scale // scale if action[0] > engine.DISCARD else copies
            if child.game["ended"]:
                total += times * scale * worth_at_end(child, target)
            else:
                total += times * count.value(child)
        if not draws:
            child = after(self.table, action)
            return Fraction(worth_at_end(child, target) if child.game["ended"] else count.value(child))
        return Fraction(total, self.scale)

    def values(self, target: int) -> list[Fraction]:
        """Of every group: the chance of the target, or for 0 the expected score."""
        count = OrderCount(self.problem, target, self.budget)
        return [self.value(count, target, action) for action in self.first]

    def highest(self, group: int, below: int) -> int:
        """The highest score under ``below`` that some deck order allows after a move of this group."""
        for target in range(below - 1, 0, -1):
            if target not in self.counts:  # one for all groups: they share most situations
                self.counts[target] = OrderCount(self.problem, target, self.budget)
            if self.value(self.counts[target], target, self.first[group]) > 0:
                return target
        return 0

    def target(self) -> tuple[int, list[Fraction]]:
        """The highest score with a chance, and the chance of every group to reach it."""
        rules = open_rules(self.problem, 0)
        for target in range(int(ex.ceiling(rules, encode(rules, self.problem))), 0, -1):
            wins = self.values(target)
            if max(wins) > 0:
                return target, wins
        return 0, [Fraction(1)] * len(self.first)


def rank_open_hands(table: Table, limit: Limit | None = None, goal: str = "win") -> Ranking:
    """All legal moves with exact values over all orders of the unseen cards.

    UnsupportedVariant names what the method does not know; LimitReached says what is proven when the limit,
    or the memory for states, ends the count.
    """
    root = _Root(table, limit or Limit())
    ceiling_rules = open_rules(root.problem, 0)
    most = int(ex.ceiling(ceiling_rules, encode(ceiling_rules, root.problem)))
    bracket = f"the best score lies between {root.problem.placed} and {most}"
    if len(root.cards) > ex.MAX_DRAWS or ceiling_rules["kinds"] > ex.MAX_KINDS:
        raise LimitReached(
            f"{len(root.cards)} cards are left in the deck: orders are counted exactly up to {ex.MAX_DRAWS}; {bracket}"
        )
    try:
        target, wins = root.target()
        scores = root.values(0)
        most_after = [target if win > 0 else root.highest(group, target) for group, win in enumerate(wins)]
    except _OutOfBudget:
        raise LimitReached(
            f"the limit was hit after {root.budget.nodes:,} states, before all deck orders were counted; {bracket}"
        ) from None
    moves = []
    for action, group in zip(root.actions, root.group_of, strict=True):
        stored, text = move_of(table, action)
        why = f"{effect(table, action)}; {outlook(after(root.table, action))}"
        if most_after[group] < target:
            why += f"; the maximum falls from {target} to {most_after[group]} whatever the order of the deck"
        moves.append(Move(stored, text, scores[group], wins[group], most_after[group], why, group))
    return ranked(METHOD, assumes(len(root.cards)), target, _orders(root.cards), moves, goal)


def _orders(cards: list[int]) -> int:
    """Different orders of the unseen cards."""
    return math.factorial(len(cards)) // math.prod(math.factorial(n) for n in Counter(cards).values())
