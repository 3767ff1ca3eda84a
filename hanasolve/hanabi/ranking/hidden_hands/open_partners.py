"""Partners who answer as if all hands were open: the best reply by exact counting over the orders of the deck.

Each partner takes a move with the highest open-hands value for his world's hands (the order of the deck is hidden
from him too). Where several tie, he plays before he clues and clues before he discards; of the clues, the one
that touches a playable card of the hidden hand and the fewest others. The player sees what they do and knows
that they do so.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hanasolve.bits import has
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.fireworks import playable
from hanasolve.hanabi.game.table import Table
from hanasolve.hanabi.ranking.hidden_hands.info_sets import Codes, Expanded
from hanasolve.hanabi.ranking.hidden_hands.viewpoint import Viewpoint, code_of
from hanasolve.hanabi.ranking.moves import (
    EngineAction,
    Situation,
    after,
    ceiling,
    final_score,
    legal_actions,
    situation,
)
from hanasolve.hanabi.ranking.open_hands.order_counts import Counts, OrderCount, question, worth_at_end
from hanasolve.hanabi.ranking.open_hands.rank import unseen, with_deck
from hanasolve.hanabi.search.problem import problem_from_table
from hanasolve.limits import Limit

MAX_NODES, MAX_GAMES = 10_000, 50_000  # some 0.2 to 5 ms a game: bounds where another method can answer
_KEPT = 50_000  # positions that are remembered
_ORDER = {engine.PLAY: 0, engine.CLUE_COLOR: 1, engine.CLUE_RANK: 1, engine.DISCARD: 2}


class OpenReplies:
    """``info_sets.Partners`` whose policy is the open-hands optimum for the same question."""

    label = "partners reply as with open hands (optimistic: they know their own cards)"

    def __init__(self, viewpoint: Viewpoint, target: int, limit: Limit | None = None) -> None:
        self.viewpoint, self.target, self.limit = viewpoint, target, (limit or Limit()).only_time()
        self.replies: dict[Any, EngineAction] = {}
        self.sights: dict[tuple[int, ...], int] = {}
        self.reached: dict[tuple[Codes, bytes], tuple[Table, tuple[int, ...]]] = {}
        self.counts: dict[tuple[int, ...], OrderCount] = {}

    def expand(self, codes: Codes, decks: NDArray[np.int8]) -> Expanded:
        actions = [action for action in legal_actions(self._play(codes, decks[0])[0]) if action[1] >= 0]
        listed = tuple(code_of(action) for action in actions)
        points, most = (np.full((len(listed), len(decks)), -1, np.int64) for _ in range(2))
        seen = np.zeros((len(listed), len(decks)), np.uint64)
        for at, code in enumerate(listed):
            for world, deck in enumerate(decks):
                self.limit.check("was not enough")
                table, happened = self._play((*codes, code), deck)
                over = bool(table.game["ended"])
                points[at, world] = final_score(table) if over else -1
                most[at, world] = final_score(table) if over else ceiling(table)
                seen[at, world] = self.sights.setdefault(happened, len(self.sights))
        return Expanded(listed, points, most, seen)

    def _play(self, codes: Codes, deck: NDArray[np.int8]) -> tuple[Table, tuple[int, ...]]:
        """The table at the player's next turn after his actions, and what he saw; it goes on from the turn
        before, which is remembered."""
        key = codes, deck.tobytes()
        if key in self.reached:
            return self.reached[key]
        if codes:
            before, saw = self._play(codes[:-1], deck)
            table, seen = before.copy(), list(saw)
            seen += self._act(table, (codes[-1] >> 16, codes[-1] >> 8 & 255, codes[-1] & 255))
        else:
            table, seen = self.viewpoint.table.copy(), []
            table.game["deck"][:] = deck
        while not table.game["ended"] and int(table.game["to_move"]) != self.viewpoint.seat:
            seen += self._act(table, self._reply(table))
        if len(self.reached) > _KEPT:
            self.reached.clear()
        self.reached[key] = table, tuple(seen)
        return self.reached[key]

    def _act(self, table: Table, action: EngineAction) -> list[int]:
        """Carry out an action; returns what the player sees of it."""
        game, (kind, target, _) = table.game, action
        mover, seen = int(game["to_move"]), [code_of(action)]
        if kind <= engine.DISCARD:
            seen.append(int(game["deck"][game["hands"][mover, target]]))
            if mover != self.viewpoint.seat and game["next"] < game["deck_size"]:
                seen.append(int(game["deck"][game["next"]]))
        else:
            mask = engine.touch_mask(table.rules, *(int(part) for part in (kind, action[2])))
            for order in game["hands"][target, : game["hand_sizes"][target]]:
                seen.append(int(has(np.uint64(mask), int(game["deck"][order]))))
        engine.apply(table.rules, game, *action)
        return seen

    def _reply(self, table: Table) -> EngineAction:
        """The open-hands reply; it depends on what is in the hands, and for ties on the places in them."""
        cards = unseen(table)
        shown = with_deck(table, cards)
        key = situation(shown, False), table.game["deck"][table.game["hands"]].tobytes()
        if key not in self.replies:
            count = self._count(shown)
            values: dict[Situation, Fraction] = {}
            ranked = []
            for action in legal_actions(shown):
                if action[1] >= 0:
                    kind = situation(after(shown, action), True)
                    if kind not in values:
                        values[kind] = self._value(shown, cards, action, count)
                    ranked.append((-values[kind], self._preference(table, action), action))
            self.replies[key] = min(ranked)[-1]
        return self.replies[key]

    def _count(self, shown: Table) -> OrderCount:
        """Remembers states for all tables whose useful cards are in the same places: hands or deck."""
        problem = problem_from_table(shown)
        first = tuple(sorted(problem.deck))
        for cards, count in self.counts.items():
            if set(first) <= set(cards):
                return count
        self.counts[first] = question(problem, self.target, Counts(self.limit))
        return self.counts[first]

    def _value(self, shown: Table, cards: list[int], action: EngineAction, count: OrderCount) -> Fraction:
        """Mean over all orders of the deck after an action, best play with open hands afterwards."""
        total, ways = Fraction(0), 0
        draws = Counter(cards) if action[0] <= engine.DISCARD else Counter(cards[:1])
        for card, copies in (draws or {-1: 1}).items():
            rest = cards.copy()
            if card >= 0:
                rest.remove(card)
                rest.insert(0, card)
            child = after(with_deck(shown, rest), action)
            if child.game["ended"]:
                worth = Fraction(worth_at_end(child, self.target))
            else:
                worth = Fraction(count.value(child), math.factorial(int(engine.deck_left(child.game))))
            total, ways = total + copies * worth, ways + copies
        return total / ways

    def _preference(self, table: Table, action: EngineAction) -> tuple[int, ...]:
        """Smaller is taken first."""
        kind, target, value = action
        if kind <= engine.DISCARD or target != self.viewpoint.seat:
            return _ORDER[kind], 1, 0, *action
        mask = np.uint64(engine.touch_mask(table.rules, kind, value))
        cards = [int(table.game["deck"][o]) for o in table.game["hands"][target, : table.game["hand_sizes"][target]]]
        touched = [card for card in cards if has(mask, card)]
        useful = any(playable(table.rules, table.game, card) for card in touched)
        return _ORDER[kind], 0 if useful else 2, len(touched), *action
