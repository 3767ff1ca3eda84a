"""What commands share: option types, reading sources, notes and warnings, JSON and coloured text.

Nothing here imports numpy or the engine until a function needs them.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanasolve import __version__
from hanasolve.errors import HanasolveError, NotationError
from hanasolve.hanabi.game.variants import Variant

if TYPE_CHECKING:
    from hanasolve.hanabi.game.records import Replay
    from hanasolve.hanabi.game.table import Table
    from hanasolve.hanabi.notation.source import Item

# ----------------------------------------------------------------------------------------- option types

SOURCE_HELP = (
    "A seed (p3v0s17), a range (p3v0s1..p3v0s100), a game file (JSON), a replay-json link (#K selects "
    "turn K), a position file (YAML), a deck file, or - for standard input."
)

Sources = Annotated[list[str], typer.Argument(metavar="SOURCE...", help=SOURCE_HELP, show_default=False)]
Source = Annotated[str, typer.Argument(metavar="SOURCE", help=SOURCE_HELP, show_default=False)]
Players = Annotated[
    int | None, typer.Option("--players", metavar="N", help="Players, for decks that do not say (2 to 6).")
]
VariantName = Annotated[
    str | None, typer.Option("--variant", metavar="NAME_OR_ID", help="Variant, for decks that do not say.")
]
Turn = Annotated[
    int | None,
    typer.Option("--turn", metavar="K", help="The position before the K-th action (1-based)."),
]
Player = Annotated[
    str | None, typer.Option("--player", metavar="NAME_OR_SEAT", help="A player's name or seat (from 0).")
]
LimitText = Annotated[
    str | None, typer.Option("--limit", metavar="LIMIT", help="Stop after this much: 30s, 5m, 2000000nodes.")
]
Jobs = Annotated[int, typer.Option("--jobs", metavar="N", min=0, help="Processes to use (0 = all cores).")]
RandomSeed = Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of all random choices.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


@dataclass
class Settings:
    """``--quiet`` and ``--debug``, which every command takes."""

    quiet: bool = False
    debug: bool = False

    def set(self, quiet: bool, debug: bool) -> None:
        """Set both; what runs in other modules and processes sees ``HANASOLVE_QUIET``."""
        self.quiet, self.debug = quiet, debug
        if quiet:
            os.environ["HANASOLVE_QUIET"] = "1"


SETTINGS = Settings()


@dataclass(frozen=True)
class Limit:
    """How much work is allowed: ``seconds`` or ``nodes``; None = no limit of this kind."""

    seconds: float | None = None
    nodes: int | None = None


_LIMIT = re.compile(r"(?P<number>[0-9]{1,15}(?:\.[0-9]{1,6})?)\s*(?P<unit>ms|s|m|h|nodes?)", re.IGNORECASE)
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def parse_limit(text: str | None) -> Limit:
    """``30s``, ``5m``, ``2000000nodes``; None = no limit."""
    if text is None:
        return Limit()
    match = _LIMIT.fullmatch(text.strip())
    if match is None or float(match["number"]) <= 0:
        raise NotationError(f"--limit: found {text!r}, expected a number with its unit, e.g. 30s, 5m or 2000000nodes")
    unit = match["unit"].lower()
    if unit.startswith("node"):
        return Limit(nodes=int(float(match["number"])))
    return Limit(seconds=float(match["number"]) * _SECONDS[unit])


# --------------------------------------------------------------------------------------- notes, warnings


def note(text: str) -> None:
    """A line on stderr for the user, unless ``--quiet``."""
    if not SETTINGS.quiet:
        print(text, file=sys.stderr)


def warn(text: str) -> None:
    note(f"warning: {text}")


# ---------------------------------------------------------------------------------------------- reading


def read_items(
    sources: Sequence[str], players: int | None = None, variant: str | None = None
) -> Iterator[Item]:
    """The records of all sources, one at a time; what is odd about each goes to stderr."""
    from hanasolve.hanabi.notation.source import read_sources

    for item in read_sources(list(sources), players=players, variant=variant, stdin=sys.stdin):
        for warning in item.warnings:
            warn(f"{item.source}: {warning}")
        yield item


def read_one(source: str, players: int | None = None, variant: str | None = None) -> Item:
    """The one record of a source; an error if it holds several."""
    items = read_items([source], players, variant)
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


def table_of(item: Item, turn: int | None = None) -> Table:
    """The table that a command works on.

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


# ----------------------------------------------------------------------------------------------- writing


def print_json(schema: str, fields: Mapping[str, Any]) -> None:
    """The one JSON object of a command, e.g. ``print_json("max/1", {"results": …})``."""
    head = {"schema": f"hanasolve.{schema}", "version": __version__}
    print(json.dumps({**head, **fields}, ensure_ascii=False, allow_nan=False, default=_plain))


def _plain(value: Any) -> Any:
    """NumPy scalars and arrays, and tuples of them, as JSON can hold them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} in JSON output")


_COLORS = {
    "red": 203, "yellow": 220, "green": 78, "blue": 75, "purple": 141, "teal": 44, "black": 245, "pink": 212,
    "brown": 137, "orange": 208, "white": 255, "gray": 250,
}  # fmt: skip


def colourful() -> bool:
    """Whether stdout is a terminal that may show colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def card_text(variant: Variant, identity: int) -> str:
    """A card's name, in its suit's colour on a terminal. The letters alone say everything."""
    name = variant.card_name(identity)
    if identity < 0 or not colourful():
        return name
    words = variant.suits[variant.suit_rank(identity)[0]].name.lower().split()
    code = next((_COLORS[word] for word in words if word in _COLORS), 177)
    return f"\x1b[38;5;{code}m{name}\x1b[0m"


def cards_text(variant: Variant, cards: Iterable[int]) -> str:
    return " ".join(card_text(variant, card) for card in cards)


def bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m" if colourful() else text


def table_text(rows: Sequence[Sequence[object]], right: Iterable[int] = ()) -> str:
    """Rows of plain cells in aligned columns; the columns of ``right`` are aligned to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)] if cells else []
    ends = set(right)
    lines = (
        "  ".join(
            cell.rjust(width) if column in ends else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )
    return "\n".join(lines)
