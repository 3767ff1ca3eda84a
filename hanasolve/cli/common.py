"""What commands share: option types, reading sources, notes and warnings, printing answers.

Nothing here imports numpy or the engine until a function needs them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanasolve.answers import reading
from hanasolve.answers.answer import Answer, to_json
from hanasolve.errors import printable
from hanasolve.streams import tell

if TYPE_CHECKING:
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
    str | None,
    typer.Option("--limit", metavar="LIMIT", help="Stop after this wall-clock time, or work: 30s, 5m, 2000000nodes."),
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


# --------------------------------------------------------------------------------------- notes, warnings


def note(text: str) -> None:
    """A line on stderr for the user, unless ``--quiet``."""
    if not SETTINGS.quiet:
        tell(printable(text))


def warn(text: str) -> None:
    note(f"warning: {text}")


# ---------------------------------------------------------------------------------------------- reading


def read_one(source: str, players: int | None = None, variant: str | None = None) -> Item:
    """The one record of a source; an error if it holds several."""
    return reading.read_one(source, players, variant, sys.stdin, warn)


# ----------------------------------------------------------------------------------------------- writing


def print_answer(answer: Answer, as_json: bool, text: Callable[[Any], str]) -> None:
    """An answer as one JSON object, or as text."""
    print(to_json(answer) if as_json else text(answer))
