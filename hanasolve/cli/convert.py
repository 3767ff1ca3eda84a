"""``hanasolve convert``: one format into another."""

from __future__ import annotations

import json as json_module
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hanasolve.answers.reading import replay_of, table_of
from hanasolve.cli.common import Json, Players, Sources, Turn, VariantName, print_json, read_items, warn
from hanasolve.errors import HanasolveError, NotationError

if TYPE_CHECKING:
    from hanasolve.hanabi.game.records import Replay
    from hanasolve.hanabi.notation.source import Item


class Format(StrEnum):
    """What ``--to`` can be."""

    json = "json"
    url = "url"
    position = "position"
    text = "text"


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
    items = list(read_items(sources, players, variant))
    if not items:
        raise NotationError(f"{sources[0]}: found no deck, expected at least one")
    if to is Format.position and len(items) > 1:
        raise NotationError(f"--to position: found {len(items)} decks, expected one")
    texts = [_converted(item, to, turn, force, len(items) > 1) for item in items]
    if json:
        results = [
            {"source": item.source, "format": to.value, "text": text}
            for item, text in zip(items, texts, strict=True)
        ]
        print_json("convert/1", {"results": results})
    elif out is not None:
        _write(out, "".join(texts))
    else:
        print("".join(texts), end="")


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise NotationError(f"--out {path}: found no file to write ({error}), expected a name") from None


def _converted(item: Item, to: Format, turn: int | None, force: bool, many: bool) -> str:
    """The item in the new format, with a line end."""
    if to is Format.position:
        return _position(item, turn)
    replay = replay_of(item)
    turn = item.turn_asked(turn)
    if to is Format.url:
        from hanasolve.hanabi.notation.replay_url import format_url

        return format_url(replace(replay, turn=turn), force=force) + "\n"
    if turn is not None:
        replay = replace(replay, actions=replay.actions[: turn - 1])
    if to is Format.text:
        return _text(item.source, replay, force)
    from hanasolve.hanabi.notation.hanab_live import format_game, format_record

    if many:
        return json_module.dumps(format_record(replay), ensure_ascii=False) + "\n"
    return format_game(replay)


def _text(source: str, replay: Replay, force: bool) -> str:
    from hanasolve.hanabi.notation.deck_file import format_deck

    if replay.actions and not force:
        raise NotationError(
            f"{source}: a deck as text cannot hold the {len(replay.actions)} actions of the game: "
            "--turn 1 or --force leaves them out"
        )
    return format_deck(replay)


def _position(item: Item, turn: int | None) -> str:
    from hanasolve.hanabi.game.records import Position
    from hanasolve.hanabi.notation.position import format_position

    if isinstance(item.record, Position) and turn is None:
        return format_position(item.record)
    from hanasolve.hanabi.notation.deck_file import located
    from hanasolve.hanabi.notation.snapshot import to_position

    table = table_of(item, turn, warn=warn)
    if "alternatingClues" in table.variant.flags and table.game["last_clue"] >= 0:
        warn(f"{item.source}: a position does not say of which type the last clue was")
    try:
        return format_position(to_position(table))
    except HanasolveError as error:
        raise located(error, item.source) from None
