"""JSON with ``//`` and ``/* */`` comments and trailing commas, as people write it by hand."""

from __future__ import annotations

import json
import re

from hanasolve.errors import NotationError
from hanasolve.hanabi.notation.faults import shown

# A string, a comment, or a comma before a closing bracket (with only blanks and comments between).
_BLANK = r"(?:\s|//[^\n]*|/\*.*?\*/)"
_TOKEN = re.compile(
    rf'(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<comma>,)(?={_BLANK}*[\]}}])',
    re.DOTALL,
)


def load_jsonc(text: str) -> object:
    """The value of a JSON text; NotationError names line and column of the first fault."""
    text = text.removeprefix("\ufeff")
    try:
        return _load(text)
    except json.JSONDecodeError:
        pass
    try:
        return _load(_TOKEN.sub(_blank, text))
    except json.JSONDecodeError as error:
        at = f"line {error.lineno}, column {error.colno}"
        raise NotationError(f"{at}: found no valid JSON, expected otherwise: {error.msg}") from None


def _load(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_once)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise NotationError("found JSON nested too deeply, expected a game") from None
    except ValueError as error:  # a number of more than 4,300 digits
        raise NotationError(f"found a number that is too long, expected a game ({error})") from None


def _no_constant(name: str) -> float:
    raise NotationError(f"found {name}, expected a JSON value")


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object; a key that stands there twice is refused, because one of its values would be lost unseen."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for index, key in enumerate(keys) if key in keys[:index])
        raise NotationError(f"found the key {shown(twice)} twice in one object, expected each key once")
    return found


def _blank(match: re.Match[str]) -> str:
    """Keep strings; turn comments and trailing commas into blanks, so that places stay what they were."""
    if match["string"] is not None:
        return match.group()
    return "".join("\n" if character == "\n" else " " for character in match.group())
