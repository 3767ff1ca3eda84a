"""SOURCE arguments: a seed, a range, a file of any format, a link, a deck file or ``-``; each as records.

``read_source`` finds out which of them a text is and yields what it holds, one record at a time, so that a
range of a million seeds costs no memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TextIO

from hanasolve.errors import HanasolveError, NotationError, printable
from hanasolve.hanabi.game.deck import is_seed, is_seed_range, parse_seed_range
from hanasolve.hanabi.game.records import Position, Replay
from hanasolve.hanabi.notation.deck_file import deal_seed, is_list, located, parse_deck_file
from hanasolve.hanabi.notation.hanab_live import parse_record
from hanasolve.hanabi.notation.jsonc import load_jsonc
from hanasolve.hanabi.notation.replay_url import is_url, named_game, parse_url
from hanasolve.streams import read_input

STDIN = "-"

_LONGEST = 200
_SUFFIXES = (".json", ".jsonc", ".jsonl", ".yaml", ".yml", ".txt", ".deck", ".decks")

_FORMS = (
    "a seed (p3v0s17), a range (p3v0s1..p3v0s100), a game file (JSON), a replay-json link, "
    "a position file (YAML), a deck file, or -"
)
_YAML_KEY = re.compile(r"(?:---|[A-Za-z_]+\s*:(?:\s|$))")


@dataclass(frozen=True)
class Item:
    """One record of a source. ``source`` names it in results: a seed, a file, or ``file:line``.

    ``turn`` is the turn that the source itself selects (``#K``, 1-based), None if it selects none.
    """

    source: str
    record: Replay | Position
    turn: int | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.record.warnings

    def turn_asked(self, turn: int | None) -> int | None:
        """The turn that is meant: ``turn``, else the source's own. NotationError if the record does not have it."""
        turn = turn if turn is not None else self.turn
        if turn is None:
            return None
        if isinstance(self.record, Position):
            raise NotationError(f"--turn: found {turn}, expected none: {self.source} is a single position")
        actions = len(self.record.actions)
        if not 1 <= turn <= actions + 1:
            has = f"{self.source} has {actions} actions"
            raise NotationError(f"--turn: found {turn}, expected 1 to {actions + 1}: {has}")
        return turn


def read_source(
    text: str, *, players: int | None = None, variant: str | None = None, stdin: TextIO | None = None
) -> Iterator[Item]:
    """The records of one SOURCE, in its order.

    ``players`` and ``variant`` serve decks that do not say; a source that says otherwise is an error.
    Every error is a HanasolveError whose text starts with the source's name.
    """
    if players is not None and not 2 <= players <= 6:
        raise NotationError(f"--players: found {players}, expected 2 to 6")
    if not text.strip():
        raise NotationError("SOURCE: found an empty text, expected a seed, a file or a link")
    try:
        yield from _read(text, players, variant, stdin)
    except HanasolveError as error:
        named = str(error).startswith(("seed ", "link"))
        raise (error if named else located(error, _label(text))) from None


def _label(text: str) -> str:
    """A source's name in messages, also if it is endless or unprintable."""
    name = printable(text)
    return name if len(name) <= _LONGEST else name[: _LONGEST - 2] + " …"


def read_sources(
    texts: list[str], *, players: int | None = None, variant: str | None = None, stdin: TextIO | None = None
) -> Iterator[Item]:
    """The records of several sources, one after the other."""
    for text in texts:
        yield from read_source(text, players=players, variant=variant, stdin=stdin)


def _read(text: str, players: int | None, variant: str | None, stdin: TextIO | None) -> Iterator[Item]:
    if text == STDIN:
        given = read_input(stdin, "a game, a position or decks there")
        yield from read_text(given, STDIN, players=players, variant=variant)
    elif is_seed_range(text):
        for seed in parse_seed_range(text):
            yield Item(seed, deal_seed(seed, players=players, variant=variant))
    elif is_seed(text):
        yield Item(text, deal_seed(text, players=players, variant=variant))
    elif is_url(text):
        yield _link(text, players, variant)
    else:
        name, turn = _split_turn(text)
        for item in read_text(_from_file(name), printable(name), players=players, variant=variant):
            yield item if turn is None else Item(f"{item.source}#{turn}", item.record, turn)


def _link(text: str, players: int | None, variant: str | None) -> Item:
    replay = parse_url(text)
    found = replay.options.players
    if players is not None and players != found:
        raise NotationError(f"link: found {found} players, expected {players} as in --players")
    if variant is not None:
        from hanasolve.hanabi.game.variants import load_variant

        if load_variant(variant) != replay.variant:
            name = load_variant(variant).name
            raise NotationError(f"link: found {replay.variant.name!r}, expected {name!r} as in --variant")
    return Item(text, replay, replay.turn)


# -------------------------------------------------------------------------------------------------- text


def read_text(
    text: str, name: str, *, players: int | None = None, variant: str | None = None
) -> Iterator[Item]:
    """The records in the text of a file, whose format is seen from the text itself."""
    start = _first_line(text)
    if start is None:
        raise NotationError("found an empty file, expected a game, a position or decks")
    if start.startswith(("{", "[", "//", "/*")) and not _is_a_deck_a_line(text):
        record = parse_record(load_jsonc(text), players=players, variant=variant, need_actions=False)
        yield Item(name, record, record.turn)
    elif _YAML_KEY.match(start) or name.lower().endswith((".yaml", ".yml")):
        from hanasolve.hanabi.notation.position import parse_position

        yield Item(name, parse_position(text, players=players, variant=variant))
    else:
        for number, replay in parse_deck_file(text, players=players, variant=variant):
            label = replay.seed if _is_only(text, replay.seed) else f"{name}:{number}"
            yield Item(str(label), replay, replay.turn)


def _is_only(text: str, seed: str | None) -> bool:
    return seed is not None and text.strip() == seed


def _first_line(text: str) -> str | None:
    """The first line that is neither blank nor a ``#`` comment."""
    for line in text.removeprefix("\ufeff").splitlines():
        words = line.strip()
        if words and not words.startswith("#"):
            return words
    return None


def _is_a_deck_a_line(text: str) -> bool:
    """Whether a text that starts like JSON holds an object or a list of cards on each line, not one over many lines."""
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    objects = len(lines) > 1 and all(line.startswith("{") and line.endswith("}") for line in lines)
    return objects or all(map(is_list, lines))


# ------------------------------------------------------------------------------------------------- files


def _split_turn(text: str) -> tuple[str, int | None]:
    """A file's name and the turn after its last ``#``; a file whose name has that ``#`` is meant itself."""
    name, mark, turn = text.rpartition("#")
    if not mark or _is_there(text):
        return text, None
    if re.fullmatch(r"[0-9]{1,4}", turn, re.ASCII) is None or int(turn) < 1:
        raise NotationError(f"found {turn!r} after #, expected a turn from 1")
    return name, int(turn)


def _is_there(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # no name that a file can have
        return False


def _from_file(name: str) -> str:
    try:
        path = Path(name)
        if not path.exists():
            raise NotationError(_no_such(name))
        if path.is_dir():
            raise NotationError("found a folder, expected a file; name the files in it")
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotationError(f"found bytes that are no UTF-8 text at {error.start}, expected text") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise NotationError(f"found no readable file ({reason}), expected {_FORMS}") from None


def is_small_or_no_file(text: str, size: int) -> bool:
    """Whether this source can be read twice at little cost: no pipe, no file of more than ``size`` bytes."""
    try:
        path = Path(_split_turn(text)[0])
        return not path.exists() or path.is_dir() or (path.is_file() and path.stat().st_size <= size)
    except (OSError, ValueError, NotationError):
        return True


def _no_such(name: str) -> str:
    """What a missing file's message says: files of similar names, or what a SOURCE can be."""
    folder = Path(name).parent
    beside = [path.name for path in folder.iterdir()][:10_000] if folder.is_dir() else []
    close = get_close_matches(Path(name).name, beside, 2, cutoff=0.5 if _looks_like_file(name) else 0.75)
    if close:
        return f"found no such file, expected e.g. {' or '.join(str(folder / near) for near in close)}"
    if _looks_like_file(name):
        return "found no such file, expected a file that exists"
    if re.fullmatch(r"[0-9]{3,12}(#[0-9]+)?", name, re.ASCII):  # the number of a game
        return f"found a number, {named_game(name)}"
    return f"found neither a file nor a known form, expected {_FORMS}"


def _looks_like_file(text: str) -> bool:
    """Whether a SOURCE that names no existing file was probably meant to name one."""
    return "/" in text or "\\" in text or Path(text).suffix.lower() in _SUFFIXES
