"""What the questions of Koi-Koi read: files and standard input, options, card lists, decks, ranges of seeds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from hanasolve.errors import NotationError
from hanasolve.streams import read_input

if TYPE_CHECKING:
    from hanasolve.koikoi.game.options import Value


def read_text(source: str, stdin: TextIO | None = None) -> str:
    """The text of a file, or of standard input for ``-``."""
    try:
        if source == "-":
            return read_input(stdin, "a position, cards or decks there")
        return Path(source).read_text(encoding="utf-8")
    except NotationError as error:
        raise NotationError(f"{source}: {error}") from None
    except OSError as error:
        raise NotationError(f"{source}: cannot be read ({error.strerror}); expected a file or -") from None
    except UnicodeDecodeError:
        raise NotationError(f"{source}: not a text file (UTF-8)") from None


def changes_of(texts: Sequence[str]) -> dict[str, Value]:
    """The options that ``name=value`` texts change, checked."""
    from hanasolve.koikoi.game.options import from_texts

    values = from_texts("nintendo", list(texts))
    return {name: values[name] for name in (text.partition("=")[0].strip() for text in texts)}


def card_lists(words: Sequence[str], stdin: TextIO | None = None) -> Iterator[tuple[str, list[int]]]:
    """(place, cards) of each list: the words themselves, or the lines of one file or of ``-``; ``#`` comments."""
    from hanasolve.koikoi.notation.text import read_cards

    if len(words) == 1 and (words[0] == "-" or is_file(words[0])):
        for number, line in enumerate(read_text(words[0], stdin).splitlines(), 1):
            text = line.partition("#")[0].strip()
            if text:
                yield f"{words[0]}, line {number}", read_cards(text, f"{words[0]}, line {number}")
        return
    yield "cards", read_cards(" ".join(words), "cards")


def decks(text: str, stdin: TextIO | None = None) -> Iterator[tuple[str, list[int]]]:
    """(name, 48 cards from the top) of each deck: one in the text itself, or a deck a line of a file or ``-``."""
    from hanasolve.koikoi.notation.text import read_cards

    single = len(text) > 200 or not (text == "-" or is_file(text))
    for number, line in enumerate([text] if single else read_text(text, stdin).splitlines(), 1):
        if line.strip():
            name = "deck" if single else f"{text}, line {number}"
            order = read_cards(line, name)
            if len(order) != 48:
                raise NotationError(f"{name}: found {len(order)} cards, expected all 48")
            yield name, order


def seeds(text: str | int | None) -> range:
    """17 or ``1..100``; None: none."""
    if text is None:
        return range(0)
    match = re.fullmatch(r"(\d{1,18})(?:\.\.(\d{1,18}))?", str(text))
    if match is None or (match[2] and int(match[2]) < int(match[1])):
        raise NotationError(f'--seed: found "{text}", expected a number like 17 or a range like 1..100')
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def match_score(text: str | None, round_number: int | None) -> tuple[int, int, int] | None:
    """(round, points of A, points of B) before a round, from ``23:31`` and the number of the round."""
    if text is None:
        if round_number is not None:
            raise NotationError("--round needs --match A:B as well")
        return None
    found = re.fullmatch(r"(\d{1,6}):(\d{1,6})", text)
    if found is None or round_number is None:
        raise NotationError(f'--match: found "{text}", expected A:B like 23:31 together with --round')
    return round_number, int(found[1]), int(found[2])


def at_least(least: int, **numbers: int) -> None:
    """NotationError for the first of these options that is below."""
    for name, number in numbers.items():
        if number < least:
            raise NotationError(f"--{name.replace('_', '-')}: found {number}, expected {least} or more")


def is_file(text: str) -> bool:
    """Whether a file has this name; a text that no file can be called is none."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def one_or_results(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The fields of one answer, or those of several as ``results``."""
    return records[0] if len(records) == 1 else {"results": list(records)}
