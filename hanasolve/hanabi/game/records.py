"""What the formats parse to and are written from: a replay (deck and actions) or a position.

Plain Python on purpose: a file is read, and refused, without loading numpy or the rules engine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.variants import Variant

SEAT_NAMES = ("Alice", "Bob", "Cathy", "Donald", "Emily", "Frank")
UNKNOWN = -1  # a card whose identity is not given


@dataclass(frozen=True)
class Action:
    """An action as hanab.live stores it.

    ``type`` 0 play, 1 discard (``target`` = order of the card in the deck), 2 colour clue, 3 rank clue
    (``target`` = seat, ``value`` = colour index or rank), 4 and 5 end of the game (``value`` = condition).
    ``choice`` goes with a bonus tile (rules.py, ``_turn_tile``).
    """

    type: int
    target: int
    value: int = 0
    choice: tuple[int, int, int] | None = None

    def fields(self) -> dict[str, Any]:
        """What every JSON has of an action: type, target and value."""
        return {"type": self.type, "target": self.target, "value": self.value}


@dataclass(frozen=True)
class Replay:
    """A deck and what was done with it; without actions it is a deal.

    ``deck`` holds identities in drawing order and may be a known prefix only (``is_partial``).
    ``turn`` is the turn a link points to (1 = before the first action), None if it names none.
    """

    variant: Variant
    options: Options
    names: tuple[str, ...]
    deck: tuple[int, ...]
    actions: tuple[Action, ...] = ()
    seed: str | None = None
    id: int | None = None
    turn: int | None = None
    warnings: tuple[str, ...] = field(default=(), compare=False)

    @property
    def is_partial(self) -> bool:
        return len(self.deck) < self.variant.deck_size


@dataclass(frozen=True)
class Told:
    """One clue a card was in the hand for. ``kind`` 2 colour, 3 rank; ``touched``: or missed."""

    kind: int
    value: int
    touched: bool


@dataclass(frozen=True)
class HeldCard:
    """A card in a hand: its identity (UNKNOWN if not given) and what it was told."""

    identity: int
    told: tuple[Told, ...] = ()


@dataclass(frozen=True)
class Position:
    """A situation without its history. Hands are oldest card first; tokens are whole or half tokens.

    ``placed`` = the placed identities of each suit in building order; ``deck`` = the order of the draw pile
    (next card first) if it is known, otherwise None and ``deck_count`` cards lie there.
    ``turns_left``: turns still to come in the last round, None before it.
    """

    variant: Variant
    options: Options
    names: tuple[str, ...]
    to_move: int
    placed: tuple[tuple[int, ...], ...]
    discards: tuple[int, ...]
    hands: tuple[tuple[HeldCard, ...], ...]
    deck: tuple[int, ...] | None
    deck_count: int
    clues: float
    strikes: int
    turn: int = 0
    turns_left: int | None = None
    warnings: tuple[str, ...] = field(default=(), compare=False)


def default_names(players: int) -> tuple[str, ...]:
    return SEAT_NAMES[:players]
