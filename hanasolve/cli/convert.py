"""``hanasolve convert``: one format into another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from hanasolve.answers.answer import to_json
from hanasolve.answers.convert import Format, convert
from hanasolve.cli.common import Json, Players, Sources, Turn, VariantName, warn
from hanasolve.errors import NotationError

To = Annotated[
    Format,
    typer.Option(
        "--to",
        help="json: a game file of hanab.live; url: a replay-json link; position: a position file; "
        "text: the deck as cards.",
        show_default=False,
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Leave out what the new format cannot hold.")]
Out = Annotated[str | None, typer.Option("--out", metavar="FILE", help="Write there instead of to stdout.")]


def command(
    sources: Sources,
    to: To,
    players: Players = None,
    variant: VariantName = None,
    turn: Turn = None,
    force: Force = False,
    out: Out = None,
    json: Json = False,
) -> None:
    """Write a game, a deck or a position in another format.

    --turn K keeps what was before the K-th action: the first K-1 actions of a game, the position then. In a
    link it selects the turn that is shown. Several decks become several lines; a position stands alone.
    """
    answer = convert(
        sources, to, players=players, variant=variant, turn=turn, force=force, warn=warn, stdin=sys.stdin
    )
    if json:
        print(to_json(answer))
    elif out is not None:
        _write(out, answer.text)
    else:
        print(answer.text, end="")


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise NotationError(f"--out {path}: found no file to write ({error}), expected a name") from None
