"""A game, a deck or a position in another format."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TextIO

from hanasolve.answers.answer import Answer, Tell, silent
from hanasolve.answers.reading import Given, listed, read_items, replay_of, table_of
from hanasolve.errors import HanasolveError, NotationError

if TYPE_CHECKING:
    from hanasolve.hanabi.game.records import Replay
    from hanasolve.hanabi.notation.source import Item


class Format(StrEnum):
    """What ``to`` can be: a game file of hanab.live, a replay-json link, a position file, the deck as cards."""

    json = "json"
    url = "url"
    position = "position"
    text = "text"


@dataclass(frozen=True)
class ConvertAnswer(Answer):
    """``texts``: source and text of every deck, game or position in the new format, each with a line end."""

    schema = "hanasolve.convert/1"
    to: Format
    texts: tuple[tuple[str, str], ...]

    def record(self) -> dict[str, Any]:
        """The fields of ``--json``: ``results`` with one for each."""
        return {"results": [{"source": name, "format": self.to.value, "text": text} for name, text in self.texts]}

    @property
    def text(self) -> str:
        """All texts, as one file holds them."""
        return "".join(text for _, text in self.texts)


def convert(
    sources: Given, to: str, *, players: int | None = None, variant: str | None = None, turn: int | None = None,
    force: bool = False, warn: Tell = silent, stdin: TextIO | None = None,
) -> ConvertAnswer:  # fmt: skip
    """Games, decks or a position in another format, ``to``: ``json``, ``url``, ``position`` or ``text``.

    ``turn``, 1-based, keeps what was before that action; in a link it selects the turn that is shown. ``force``
    leaves out what the new format cannot hold. ``warn`` is told of what a position does not say.

    NotationError for what cannot be read, for no deck, for several where one position is asked for, and for what
    the new format cannot hold.
    """
    if to not in list(Format):
        raise NotationError(f"--to: found {to!r}, expected {', '.join(Format)}")
    items, form = list(read_items(sources, players, variant, stdin, warn)), Format(to)
    if not items:
        first = next(iter(listed(sources)), "SOURCE")
        raise NotationError(f"{first}: found no deck, expected at least one")
    if form is Format.position and len(items) > 1:
        raise NotationError(f"--to position: found {len(items)} decks, expected one")
    many = len(items) > 1
    return ConvertAnswer(form, tuple((item.source, _converted(item, form, turn, force, many, warn)) for item in items))


def _converted(item: Item, to: Format, turn: int | None, force: bool, many: bool, warn: Tell) -> str:
    """The item in the new format, with a line end."""
    if to is Format.position:
        return _position(item, turn, warn)
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
        return json.dumps(format_record(replay), ensure_ascii=False) + "\n"
    return format_game(replay)


def _text(source: str, replay: Replay, force: bool) -> str:
    from hanasolve.hanabi.notation.deck_file import format_deck

    if replay.actions and not force:
        raise NotationError(
            f"{source}: a deck as text cannot hold the {len(replay.actions)} actions of the game: "
            "--turn 1 or --force leaves them out"
        )
    return format_deck(replay)


def _position(item: Item, turn: int | None, warn: Tell) -> str:
    from hanasolve.hanabi.game.records import Position
    from hanasolve.hanabi.notation.position import format_position

    if isinstance(item.record, Position) and turn is None:
        return format_position(item.record)
    from hanasolve.hanabi.notation.deck_file import located
    from hanasolve.hanabi.notation.snapshot import to_position

    table = table_of(item, turn, warn)
    if "alternatingClues" in table.variant.flags and table.game["last_clue"] >= 0:
        warn(f"{item.source}: a position does not say of which type the last clue was")
    try:
        return format_position(to_position(table))
    except HanasolveError as error:
        raise located(error, item.source) from None
