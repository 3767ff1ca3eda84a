"""What a strategy is: a card part and a koi-koi part; and the view that it is given.

A strategy sees a ``View`` and nothing else: no opponent's hand, no stock. Parts that kernels know are
numbers in a STRATEGY record; the others are Python objects that the match driver asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from hanasolve.koikoi.game import cards
from hanasolve.koikoi.game import rules as engine


@dataclass
class View:
    """What the player to move knows. ``state`` is his own random stream (see ``deck.below``)."""

    game: Any  # a GAME whose opponent's hand and stock are empty
    rules: Any
    state: Any

    @property
    def me(self) -> int:
        return int(self.game["mover"])

    @property
    def hand(self) -> int:
        return int(self.game["hands"][self.me])

    @property
    def field(self) -> int:
        return int(self.game["field"])

    @property
    def pile(self) -> int:
        return int(self.game["piles"][self.me])

    @property
    def other_pile(self) -> int:
        return int(self.game["piles"][1 - self.me])

    @property
    def drawn(self) -> int:
        return int(self.game["drawn"])

    @property
    def turn(self) -> int:
        return int(self.game["turn"])

    @property
    def opponent_cards(self) -> int:
        """Number of cards in the opponent's hand."""
        dealer_moves = self.me == int(self.game["dealer"])
        return 8 - (self.turn - 1) // 2 if dealer_moves else 8 - self.turn // 2

    @property
    def unseen(self) -> int:
        """The set of cards in the opponent's hand or the stock."""
        drawn = 1 << self.drawn if self.drawn >= 0 else 0
        return cards.ALL_CARDS & ~(self.hand | self.field | self.pile | self.other_pile | drawn)

    def legal(self) -> list[engine.Action]:
        """The legal actions, by card and taken cards."""
        return engine.legal(self.game, self.rules)


def view_of(game: Any, rules: Any, state: Any) -> View:
    """The mover's view of a GAME."""
    seen = engine.copy_game(game)
    seen["hands"][1 - int(game["mover"])] = 0
    seen["stock"][:] = -1
    return View(seen, rules, state)


class Player(Protocol):
    """A strategy's parts in Python; only those that the kernel does not know are asked."""

    def play(self, view: View) -> tuple[int, int]: ...

    def match(self, view: View) -> int: ...

    def call(self, view: View) -> bool: ...


@dataclass
class Strategy:
    """A named strategy: the kernel's record and the Python player for the parts marked OTHER in it."""

    name: str
    record: Any
    player: Player | None

    @property
    def in_kernel(self) -> bool:
        return self.player is None
