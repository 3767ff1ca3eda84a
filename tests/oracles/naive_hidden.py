"""Hidden hands in plain Python: worlds by permuting the unseen cards, games by replaying each world from its start.

Nothing of ``hanasolve.hanabi.ranking`` or ``deduction`` is used. The convention's two functions are asked one by
one, with notes of their own for every seat; the rules engine carries out the actions. No pruning; equal worlds are
counted, never weighted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.conventions.find import find_convention
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.table import Table
from hanasolve.hanabi.game.view import EVENT, MEMORY, announce, fill_game, new_view, open_event, refresh

Deck = tuple[int, ...]
Code = int


def unseen_cards(table: Table, seat: int) -> list[int]:
    """The physical cards that a player does not see, counted one by one."""
    game, ranks = table.game, len(table.variant.ranks)
    left = Counter(dict(enumerate(table.variant.copies)))
    for suit in range(len(table.variant.suits)):
        for rank in range(int(game["stacks"][suit])):
            left[suit * ranks + rank] -= 1
    for card in range(len(table.variant.copies)):
        left[card] -= int(game["discarded"][card])
    for other in range(len(table.names)):
        if other != seat:
            for order in game["hands"][other, : game["hand_sizes"][other]]:
                left[int(game["deck"][order])] -= 1
    return sorted(left.elements())


def worlds(table: Table, seat: int) -> Counter[Deck]:
    """Every deal of unseen copies to the hidden hand and the deck that the clues allow, as decks, with its count."""
    game = table.game
    hand = [int(order) for order in game["hands"][seat, : game["hand_sizes"][seat]]]
    pile = list(range(int(game["next"]), int(game["deck_size"])))
    found: Counter[Deck] = Counter()
    for cards in permutations(unseen_cards(table, seat)):
        deck = [int(card) for card in game["deck"][: int(game["deck_size"])]]
        for order, card in zip(hand + pile, cards, strict=True):
            deck[order] = card
        if all(int(game["fits"][order]) >> deck[order] & 1 for order in hand):
            found[tuple(deck)] += 1
    return found


@dataclass
class Player:
    """One game in one world: the record, every seat's notes, and the functions of the convention."""

    table: Table
    convention: Convention
    notes: Any
    event: Any
    view: Any
    decide: Any
    update: Any

    @classmethod
    def sit(cls, table: Table, deck: Deck, name: str) -> Player:
        """At a position, with empty notes."""
        convention = find_convention(name)
        decide, update = convention.functions()[:2]
        table = table.copy()
        table.game["deck"][: len(deck)] = deck
        notes = np.zeros(len(table.names), MEMORY)
        notes["setup"][:, : len(convention.setup)] = convention.setup
        event = np.zeros(1, EVENT)[0]
        player = cls(table, convention, notes, event, new_view(table.rules), decide, update)
        open_event(table.game, event)
        player.tell()
        return player

    @classmethod
    def deal(cls, table: Table, deck: Deck, name: str) -> Player:
        """At the start of a game."""
        start = Table(table.variant, table.options, table.names, table.rules, engine.new_game(table.rules, deck))
        return cls.sit(start, deck, name)

    def tell(self) -> None:
        for seat in range(len(self.notes)):
            fill_game(self.view, self.table.game, seat, False)
            with np.errstate(over="ignore"):
                self.update(self.view, self.notes[seat], self.event)

    def wish(self) -> Code:
        """What the convention would do for the player to move."""
        seat = int(self.table.game["to_move"])
        fill_game(self.view, self.table.game, seat, False)
        with np.errstate(over="ignore"):
            return int(self.decide(self.view, self.notes[seat]))

    def act(self, code: Code) -> tuple[int, ...]:
        """Carry out an action; returns what happened, as everybody sees it, and the card that was drawn."""
        kind, target, value = code >> 16, code >> 8 & 255, code & 255
        assert engine.legal(self.table.rules, self.table.game, kind, target, value) == 0
        game = self.table.game
        announce(game, self.view, self.event, kind, target, value)
        engine.apply(self.table.rules, game, kind, target, value)
        refresh(self.view, game, self.event, False)
        self.tell()
        drawn = int(self.event["drawn"])
        card = int(game["deck"][drawn]) if drawn >= 0 else -1
        names = ("actor", "kind", "target", "value", "touched", "identity", "scored")
        return (*(int(self.event[name]) for name in names), card)

    @property
    def over(self) -> bool:
        return bool(self.table.game["ended"])

    @property
    def points(self) -> int:
        return max(0, int(engine.result_score(self.table.rules, self.table.game)))

    def legal(self) -> list[Code]:
        rows = np.empty((engine.MAX_ACTIONS, 3), np.int64)
        count = engine.legal_actions(self.table.rules, self.table.game, rows)
        return [int(k) << 16 | int(t) << 8 | int(v) for k, t, v in rows[:count]]


class Naive:
    """All questions about one position: ``history`` None = no history, notes start empty."""

    def __init__(self, table: Table, seat: int, name: str, history: list[Code] | None = None) -> None:
        self.table, self.seat, self.name, self.history = table, seat, name, history
        self.deals = worlds(table, seat)
        if history is not None:
            self.deals = Counter({deck: n for deck, n in self.deals.items() if self.explains(deck)})
        self.total = sum(self.deals.values())

    def game(self, deck: Deck, mine: tuple[Code, ...]) -> tuple[Player, tuple[Any, ...]]:
        """The game of a world to the player's next turn after his actions ``mine``; and what he saw."""
        if self.history is None:
            player = Player.sit(self.table, deck, self.name)
        else:
            player = Player.deal(self.table, deck, self.name)
            for code in self.history:
                player.act(code)
        left, seen = list(mine), []
        while not player.over:
            own = player.table.game["to_move"] == self.seat
            if own and not left:
                break
            happened = player.act(left.pop(0) if own else player.wish())
            seen.append(happened[:-1] if own else happened)  # his own new card he does not see
        return player, tuple(seen)

    def explains(self, deck: Deck) -> bool:
        assert self.history is not None
        player = Player.deal(self.table, deck, self.name)
        for code in self.history:
            if player.table.game["to_move"] != self.seat and player.wish() != code:
                return False
            player.act(code)
        return True

    def plan(self, mine: tuple[Code, ...], decks: list[Deck], target: int) -> int:
        """Sum over the worlds of what the best plan gets after ``mine``; target 0 = points."""
        total, sets = 0, {}
        for deck in decks:
            player, seen = self.game(deck, mine)
            if player.over:
                worth = int(player.points >= target) if target else player.points
                total += worth * self.deals[deck]
            else:
                sets.setdefault(seen, (player, []))[1].append(deck)
        for player, members in sets.values():
            total += max(self.plan((*mine, code), members, target) for code in player.legal())
        return total

    def best_plan(self, target: int) -> dict[Code, Fraction]:
        """For each first action the exact value of the best plan after it."""
        first = self.game(next(iter(self.deals)), ())[0].legal()
        return {code: Fraction(self.plan((code,), list(self.deals), target), self.total) for code in first}

    def by_convention(self, code: Code, target: int) -> Fraction:
        """The exact value of an action if everybody follows the convention afterwards."""
        total = 0
        for deck, count in self.deals.items():
            player, _ = self.game(deck, ())
            player.act(code)
            while not player.over:
                player.act(player.wish())
            total += count * (int(player.points >= target) if target else player.points)
        return Fraction(total, self.total)
