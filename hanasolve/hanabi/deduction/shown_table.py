"""What a table shows, in plain Python: copies, located cards, hands and what each card was told.

Hands are lists of card orders, oldest card first, as in the GAME record; slot 1 is the newest card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.fireworks import (
    ORDER_DOWN,
    ORDER_SUDOKU,
    ORDER_UP_OR_DOWN,
    critical_mask,
    needed_mask,
    playable_mask,
)
from hanasolve.hanabi.game.records import Replay
from hanasolve.hanabi.game.table import Table, act, clue_name, deal
from hanasolve.hanabi.game.variants import Variant

HintTurns = dict[tuple[int, int, int], int]  # (order, kind, value) -> turn of the first such clue


@dataclass(frozen=True)
class Hint:
    """A clue as a fact about one card: it touched it, or it missed it.

    ``mask`` = identities that agree; ``turn`` = when the card was first told so (1-based), None if unknown.
    """

    kind: int
    value: int
    touched: bool
    mask: int
    name: str
    turn: int | None = None

    def __str__(self) -> str:
        when = "" if self.turn is None else f" (turn {self.turn})"
        return f"{'touched' if self.touched else 'missed'} by {self.name}{when}"

    @property
    def short(self) -> str:
        """``red`` or ``not red``, as position files write it."""
        return self.name if self.touched else f"not {self.name}"


class ShownTable:
    """The facts of a position. Nothing is judged here: see ``conflicts.check``."""

    def __init__(self, table: Table, turns: HintTurns | None = None) -> None:
        variant, game = table.variant, table.game
        self._turns: HintTurns = turns or {}
        self.table: Table = table
        self.variant: Variant = variant
        self.names: tuple[str, ...] = table.names
        self.width: int = len(variant.copies)
        self.copies: tuple[int, ...] = variant.copies
        self.discarded: list[int] = game["discarded"].tolist()[: self.width]
        self.placed: list[int] = _placed(table.rules, game)
        sizes, hands = game["hand_sizes"].tolist(), game["hands"].tolist()
        self.hands: list[list[int]] = [hands[seat][: sizes[seat]] for seat in range(len(table.names))]
        self.deck: list[int] = game["deck"].tolist()
        self.fits: list[int] = game["fits"].tolist()
        self.deck_left: int = int(game["deck_size"] - game["next"])
        self.told_yes: list[int] = game["told_yes"].tolist()
        self.told_no: list[int] = game["told_no"].tolist()

    @property
    def seats(self) -> range:
        return range(len(self.hands))

    def slot(self, seat: int, order: int) -> int:
        """Slot of a held card, 1 = newest."""
        return len(self.hands[seat]) - self.hands[seat].index(order)

    def position_of(self, order: int) -> tuple[int, int]:
        """(seat, slot) of a held card."""
        seat = self.holder_of(order)
        return seat, self.slot(seat, order)

    def place(self, order: int) -> str:
        """``Alice slot 2``."""
        seat, slot = self.position_of(order)
        return f"{self.names[seat]} slot {slot}"

    def holder_of(self, order: int) -> int:
        """Seat of a held card; ValueError if nobody holds it."""
        for seat in self.seats:
            if order in self.hands[seat]:
                return seat
        raise ValueError(f"card {order} is in no hand")

    def cards(self, seat: int) -> list[int]:
        """Identities of a hand, -1 for unknown ones."""
        return [self.deck[order] for order in self.hands[seat]]

    def is_shown(self, seat: int) -> bool:
        """Whether every card of this hand is known from the table."""
        return -1 not in self.cards(seat)

    def hints(self, order: int) -> Iterator[Hint]:
        """What a card was told, colours first, touching clues before missing ones."""
        for touched, told in ((True, self.told_yes[order]), (False, self.told_no[order])):
            for bit in range(engine.MAX_COLORS + engine.MAX_CLUE_RANKS):
                if told >> bit & 1:
                    yield self._hint(order, bit, touched)

    def _hint(self, order: int, bit: int, touched: bool) -> Hint:
        variant = self.variant
        if bit < engine.MAX_COLORS:
            kind, value, mask = engine.CLUE_COLOR, bit, variant.color_touch[bit]
        else:
            index = bit - engine.MAX_COLORS
            kind, value, mask = engine.CLUE_RANK, variant.clue_ranks[index], variant.rank_touch[index]
        name = clue_name(variant, kind, value)
        agreeing = mask if touched else (1 << self.width) - 1 & ~mask
        return Hint(kind, value, touched, agreeing, name, self._turns.get((order, kind, value)))

    def left(self, seen: Iterable[int] = ()) -> list[int]:
        """Copies outside the fireworks, the discard pile and the hands of the seats ``seen``."""
        left = [m - p - d for m, p, d in zip(self.copies, self.placed, self.discarded, strict=True)]
        for seat in seen:
            for card in self.cards(seat):
                if card >= 0:
                    left[card] -= 1
        return left

    @cached_property
    def needed(self) -> int:
        """Identities that can still be placed."""
        return int(needed_mask(self.table.rules, self.table.game))

    @cached_property
    def playable(self) -> int:
        """Identities that are next on their firework and of which a copy is left."""
        return int(playable_mask(self.table.rules, self.table.game)) & self.needed

    @property
    def trash(self) -> int:
        """Identities that can never be placed any more."""
        return (1 << self.width) - 1 & ~self.needed

    @cached_property
    def critical(self) -> int:
        """Needed identities with one copy left outside the discard pile, whoever sees the others."""
        return int(critical_mask(self.table.rules, self.table.game))


def hint_turns(replay: Replay, turn: int | None = None) -> HintTurns:
    """When each card of a game was first told something, for ``from_replay(replay, turn)``.

    A clue belongs to the cards that were in the hand when it was given, touched or missed.
    """
    table = deal(replay.variant, replay.options, replay.deck, replay.names)
    turns: HintTurns = {}
    stop = len(replay.actions) if turn is None else turn - 1
    for index, action in enumerate(replay.actions[:stop]):
        if table.game["ended"]:
            break
        if action.type in (engine.CLUE_COLOR, engine.CLUE_RANK):
            hand = table.game["hands"][action.target, : table.game["hand_sizes"][action.target]]
            for order in hand.tolist():
                turns.setdefault((order, action.type, action.value), index + 1)
        act(table, action, f"actions[{index}]: ")
    return turns


def _placed(rules: Any, game: Any) -> list[int]:
    """Copies of each identity on the fireworks."""
    ranks = int(rules["ranks"])
    placed = [0] * int(rules["identities"])
    for suit in range(int(rules["suits"])):
        count, order = int(game["stacks"][suit]), int(rules["order"][suit])
        if count == 0:
            continue
        start = int(game["starts"][suit])
        if order == ORDER_SUDOKU:
            built = [(start + i) % ranks for i in range(count)]
        elif order == ORDER_UP_OR_DOWN:  # the first card (START or an end), then four towards the other end
            built = [start, *((1, 2, 3, 4) if game["directions"][suit] >= 0 else (3, 2, 1, 0))][:count]
        elif order == ORDER_DOWN:
            built = [ranks - 1 - i for i in range(count)]
        else:
            built = list(range(count))
        for rank in built:
            placed[suit * ranks + rank] += 1
    return placed
