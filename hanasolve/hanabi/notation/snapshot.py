"""From a running table to a position without its history, e.g. to write it into a position file."""

from __future__ import annotations

from hanasolve.errors import NotationError
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.records import UNKNOWN, HeldCard, Position, Told
from hanasolve.hanabi.game.table import Table
from hanasolve.hanabi.game.variants import DOWN, SUDOKU, UP_OR_DOWN


def to_position(table: Table) -> Position:
    """The position of a table; ``game.from_position`` is the inverse, apart from the orders of the cards.

    What only the history says is lost: the last clue's type (Alternating Clues), turned bonus tiles, the
    clues given so far. NotationError if the game is over.
    """
    game, variant = table.game, table.variant
    if game["ended"]:
        turn = int(game["turn"])
        raise NotationError(f"the game is over after turn {turn}, expected a turn before that (--turn)")
    orders = range(int(game["next"]))
    discards = [int(game["deck"][order]) for order in orders if game["where"][order] == engine.DISCARDED]
    deck = tuple(int(game["deck"][order]) for order in range(int(game["next"]), int(game["deck_size"])))
    known = UNKNOWN not in deck
    turns_left = int(game["turns_left"])
    return Position(
        variant=variant,
        options=table.options,
        names=table.names,
        to_move=int(game["to_move"]),
        placed=tuple(_placed(table, suit) for suit in range(len(variant.suits))),
        discards=tuple(sorted(discards)),
        hands=tuple(_hand(table, seat) for seat in range(len(table.names))),
        deck=deck if known else None,
        deck_count=len(deck),
        clues=int(game["clues"]) / int(table.rules["token_unit"]),
        strikes=int(game["strikes"]),
        turn=int(game["turn"]),
        turns_left=None if turns_left < 0 else turns_left,
    )


def _placed(table: Table, suit: int) -> tuple[int, ...]:
    """The cards of a firework in the order in which they were placed."""
    game, variant = table.game, table.variant
    count, start, size = int(game["stacks"][suit]), int(game["starts"][suit]), len(variant.ranks)
    order = variant.orders[suit]
    if order == SUDOKU:
        steps = [(start + step) % size for step in range(count)]
    elif order == UP_OR_DOWN:
        down = game["directions"][suit] < 0
        path = [4, 3, 2, 1, 0] if down else [0, 1, 2, 3, 4]
        steps = [start, *path[1:]][:count]
    else:
        steps = [size - 1 - step if order == DOWN else step for step in range(count)]
    return tuple(suit * size + rank for rank in steps)


def _hand(table: Table, seat: int) -> tuple[HeldCard, ...]:
    game = table.game
    orders = game["hands"][seat, : game["hand_sizes"][seat]].tolist()
    return tuple(HeldCard(int(game["deck"][order]), _told(table, order)) for order in orders)


def _told(table: Table, order: int) -> tuple[Told, ...]:
    """The clues of a card: those that touched it, then those that missed it; colours before numbers."""
    told = []
    for touched, bits in ((True, table.game["told_yes"][order]), (False, table.game["told_no"][order])):
        for index in range(len(table.variant.clue_colors)):
            if int(bits) >> index & 1:
                told.append(Told(engine.CLUE_COLOR, index, touched))
        for index, rank in enumerate(table.variant.clue_ranks):
            if int(bits) >> (engine.MAX_COLORS + index) & 1:
                told.append(Told(engine.CLUE_RANK, rank, touched))
    return tuple(told)
