"""From a SOURCE to the record that a question is about: items, replays, tables, seats.

Nothing here imports numpy or the engine until a table is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO, TypeAlias

from hanasolve.answers.answer import Tell, silent
from hanasolve.errors import HanasolveError, NotationError

if TYPE_CHECKING:
    from hanasolve.hanabi.game.records import Replay
    from hanasolve.hanabi.game.table import Table
    from hanasolve.hanabi.notation.source import Item


Given: TypeAlias = "str | Item | Sequence[str | Item]"
"""What a question is about: a SOURCE, a record that was read, or several of them."""


def read_items(
    sources: Given, players: int | None = None, variant: str | None = None, stdin: TextIO | None = None,
    warn: Tell = silent,
) -> Iterator[Item]:  # fmt: skip
    """The records of all sources, one at a time; what is odd about each is told to ``warn``."""
    from hanasolve.hanabi.notation.source import read_source

    for source in listed(sources):
        if not isinstance(source, str):
            yield source
            continue
        for item in read_source(source, players=players, variant=variant, stdin=stdin):
            for warning in item.warnings:
                warn(f"{item.source}: {warning}")
            yield item


def listed(sources: Given) -> Sequence[str | Item]:
    """Several sources, also where one was given."""
    return sources if isinstance(sources, Sequence) and not isinstance(sources, str) else [sources]


def read_one(
    source: str | Item, players: int | None = None, variant: str | None = None, stdin: TextIO | None = None,
    warn: Tell = silent,
) -> Item:  # fmt: skip
    """The one record of a source, or the record itself; an error if the source holds several."""
    if not isinstance(source, str):
        return source
    items = read_items([source], players, variant, stdin, warn)
    first = next(items, None)
    if first is None:
        raise NotationError(f"{source}: found no deck, expected one")
    if next(items, None) is not None:
        raise NotationError(f"{source}: found several decks, expected one")
    return first


def replay_of(item: Item) -> Replay:
    """The item's replay; an error if it is a position."""
    from hanasolve.hanabi.game.records import Replay

    if not isinstance(item.record, Replay):
        raise NotationError(f"{item.source}: found a position, expected a seed, a deck or a game")
    return item.record


def table_of(item: Item, turn: int | None = None, warn: Tell = silent) -> Table:
    """The table that a question is about.

    ``turn`` (or the source's own) is the position before the turn-th action, 1-based; without it the start
    for decks and the end of the record for games. IllegalAction names the action that cannot be.
    """
    from hanasolve.hanabi.game.records import Position
    from hanasolve.hanabi.game.table import from_position, from_replay
    from hanasolve.hanabi.notation.deck_file import located

    turn = item.turn_asked(turn)
    try:
        if isinstance(item.record, Position):
            return from_position(item.record)
        table = from_replay(item.record, turn)
    except HanasolveError as error:
        raise located(error, item.source) from None
    done = len(item.record.actions) if turn is None else turn - 1
    if table.game["ended"] and not item.record.options.tiles and table.game["turn"] < done:
        after = done - int(table.game["turn"])
        words = "action comes" if after == 1 else f"{after} actions come"
        warn(f"{item.source}: the last {words} after the end of the game and {'is' if after == 1 else 'are'} ignored")
    return table


def seat_of(player: str, names: Sequence[str]) -> int:
    """The seat that ``--player`` names."""
    from hanasolve.hanabi.notation.text import parse_seat

    return parse_seat(player, names, "--player")
