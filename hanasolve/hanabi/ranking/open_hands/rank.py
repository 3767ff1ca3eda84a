"""Every legal move with open hands and an unknown deck order: exact chance of the target, exact expected score.

All hands are in view and every order of the unseen cards is equally likely. Both values are optima for
themselves: the chance assumes play for the target, the score play for the score. This is what a team with
ideal communication could do, so it bounds what players with hidden cards can reach from above.

The target is the highest score that some order of the deck still allows before the move. The moves at the root
are carried out by the rules engine, one draw after the other; what follows is counted by ``order_counts.py``.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction

from hanasolve.errors import Interrupted, LimitReached
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.records import UNKNOWN
from hanasolve.hanabi.game.table import Table
from hanasolve.hanabi.ranking.budget import Progress
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
from hanasolve.hanabi.ranking.open_hands import state as st
from hanasolve.hanabi.ranking.open_hands.order_counts import (
    Counts,
    OrderCount,
    check_open,
    encode,
    open_rules,
    question,
    worth_at_end,
)
from hanasolve.hanabi.search.problem import problem_from_table
from hanasolve.hanabi.search.solve import solve
from hanasolve.limits import CTRL_C, Limit, stopped_by

METHOD = "open-hands-exact"
_TRIES, _TRY_NODES = 20, 50_000  # orders whose best score is looked for, with so many states each


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


class Uncounted(LimitReached):
    """The limit came first. What is proven: the chance of ``target`` after every action lies in its bracket."""

    def __init__(
        self, text: str, limit: str, target: int, brackets: dict[EngineAction, tuple[Fraction, Fraction]]
    ) -> None:
        super().__init__(text, limit)
        self.target, self.brackets = target, brackets


class _Root:
    """The position to rank: its kinds of moves, and the values of a move for one question after the other."""

    def __init__(self, table: Table, limit: Limit, progress: Progress | None = None) -> None:
        self.progress = progress or (lambda done, total: None)
        self.cards = unseen(table)
        self.table = with_deck(table, self.cards)
        self.problem = problem_from_table(self.table)
        check_open(self.problem)
        self.rules, self.limit = open_rules(self.problem, 0), limit.part()
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
        self.counts = Counts(self.limit)
        self.by_target: dict[int, OrderCount] = {}
        self.aim, self.brackets = 0, [(Fraction(0), Fraction(1))] * len(self.first)

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

    def wins(self, target: int) -> OrderCount:
        """The count of a target, one for all moves."""
        if target not in self.by_target:
            self.by_target[target] = question(self.problem, target, self.counts)
        return self.by_target[target]

    def chances(self, target: int) -> list[Fraction]:
        """Of every group: the chance of the target. The free game is asked first: it is quick, and what it allows
        says which moves to count first, and bounds those that the limit leaves uncounted (``brackets``)."""
        count = self.wins(target)
        self.aim, self.brackets = target, [(Fraction(0), Fraction(1))] * len(self.first)
        for group, action in enumerate(self.first):
            self.brackets[group] = Fraction(0), self.value(count.easiest(), target, action)
        for done, group in enumerate(sorted(range(len(self.first)), key=lambda group: -self.brackets[group][1])):
            self.progress(done, 2 * len(self.first))
            chance = self.value(count, target, self.first[group])
            self.brackets[group] = chance, chance
        return [chance for chance, _ in self.brackets]

    def scores(self, target: int) -> list[Fraction]:
        """Of every group: the expected score, where ``target`` is the highest that some order allows."""
        count = question(self.problem, 0, self.counts, [self.wins(target - less) for less in range(target)][: st.BELOW])
        values = []
        for done, action in enumerate(self.first, len(self.first)):
            self.progress(done, 2 * len(self.first))
            values.append(self.value(count, 0, action))
        return values

    def highest(self, group: int, below: int) -> int:
        """The highest score under ``below`` that some deck order allows after a move of this group.

        A few orders are tried with the known-deck solver: a score that one of them reaches, and that no count of
        cards and turns forbids, is the highest. If none does, the orders are counted.
        """
        action, rng, best = self.first[group], random.Random(0), 0
        top = min(below - 1, self.ceiling_after(action))
        for _ in range(_TRIES):
            self.limit.check("was hit")
            cards = rng.sample(self.cards, len(self.cards))
            child = after(with_deck(self.table, cards), action)
            found = final_score(child) if child.game["ended"] else solve(child, self.limit.part(nodes=_TRY_NODES)).score
            best = max(best, found)
            if best >= top:
                return best
        for target in range(top, best, -1):
            if self.value(self.wins(target), target, action) > 0:
                return target
        return best

    def ceiling_after(self, action: EngineAction) -> int:
        """No order of the deck allows more after this action, by the cards and turns that are left."""
        tops = []
        for card in set(self.cards) or {-1}:
            rest = self.cards.copy()
            if card >= 0:
                rest.remove(card)
            child = after(with_deck(self.table, [card, *rest] if card >= 0 else []), action)
            if child.game["ended"]:
                tops.append(final_score(child))
            else:
                tops.append(int(st.ceiling(self.rules, encode(self.rules, problem_from_table(child)))))
        return max(tops)

    def uncounted(self, stop: BaseException, bracket: str) -> LimitReached | Interrupted:
        """The error where the count ends early, with all that is proven about the chance of the target."""
        low, high = (max(bounds[end] for bounds in self.brackets) for end in (0, 1))
        why = stopped_by(stop)
        said = "interrupted" if why == CTRL_C else f"{why} was hit"
        text = f"{said} after {self.limit.spent:,} states, before all deck orders were counted; {bracket}"
        if self.aim:
            text += f"; proven: the chance of {self.aim} is {_percent(low, high)}"
        brackets = {
            action: self.brackets[group] for action, group in zip(self.actions, self.group_of, strict=True)
        }
        return Interrupted(text) if why == CTRL_C else Uncounted(text, why, self.aim, brackets)

    def target(self) -> tuple[int, list[Fraction]]:
        """The highest score with a chance, and the chance of every group to reach it."""
        for target in range(int(st.ceiling(self.rules, encode(self.rules, self.problem))), 0, -1):
            wins = self.chances(target)
            if max(wins) > 0:
                return target, wins
        return 0, [Fraction(1)] * len(self.first)


def _percent(low: Fraction, high: Fraction) -> str:
    at_least, at_most = (f"{100 * float(bound):.4g}" for bound in (low, high))
    return f"{at_least} %" if low == high else f"between {at_least} and {at_most} %"


def rank_open_hands(
    table: Table, limit: Limit | None = None, goal: str = "win", progress: Progress | None = None
) -> Ranking:
    """All legal moves with exact values over all orders of the unseen cards.

    UnsupportedVariant names what the method does not know; LimitReached says what is proven when the limit,
    or the memory for states, ends the count, Interrupted the same on Ctrl-C. ``progress`` is told how many of
    the values are counted.
    """
    root = _Root(table, limit or Limit(), progress)
    most = int(st.ceiling(root.rules, encode(root.rules, root.problem)))
    bracket = f"the best score lies between {root.problem.placed} and {most}"
    if len(root.cards) > st.MAX_DRAWS:
        raise LimitReached(
            f"{len(root.cards)} cards are left in the deck: orders are counted exactly up to {st.MAX_DRAWS}; {bracket}"
        )
    try:
        target, wins = root.target()
        scores = root.scores(target)
        most_after = [target if win > 0 else root.highest(group, target) for group, win in enumerate(wins)]
    except (LimitReached, KeyboardInterrupt) as stop:
        raise root.uncounted(stop, bracket) from None
    moves = []
    for action, group in zip(root.actions, root.group_of, strict=True):
        stored, text = move_of(table, action)
        why = f"{effect(table, action)}; {outlook(after(root.table, action))}"
        if most_after[group] < target:
            why += f"; the maximum falls from {target} to {most_after[group]} whatever the order of the deck"
        strikes = int(after(root.table, action).game["strikes"])
        moves.append(Move(stored, text, scores[group], wins[group], most_after[group], why, group, strikes=strikes))
    return ranked(METHOD, assumes(len(root.cards)), target, _orders(root.cards), moves, goal)


def _orders(cards: list[int]) -> int:
    """Different orders of the unseen cards."""
    return math.factorial(len(cards)) // math.prod(math.factorial(n) for n in Counter(cards).values())
