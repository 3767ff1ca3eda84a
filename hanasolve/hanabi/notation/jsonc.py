"""JSON with ``//`` and ``/* */`` comments and trailing commas, as people write it by hand."""

from __future__ import annotations

import json
import re

from hanasolve.errors import NotationError
from hanasolve.hanabi.notation.faults import shown

# Strings and comments are taken whole, in one pass without stepping back, so that reading is linear in the text. What
# is never closed runs to the end of its line (a string) or of the text (a comment), where JSON finds the fault.
_STRING = r'(?P<string>"(?:[^"\\\n]|\\.)*+"?)'
_COMMENT = re.compile(_STRING + r"|//[^\n]*|/\*(?:.*?\*/|(?P<open>.*))", re.DOTALL)
_LAST_COMMA = re.compile(_STRING + r"|,(?=\s*[\]}])", re.DOTALL)


def load_jsonc(text: str) -> object:
    """The value of a JSON text; NotationError names line and column of the first fault."""
    text = text.removeprefix("\ufeff")
    try:
        return _load(text)
    except json.JSONDecodeError:
        pass
    try:
        return _load(_LAST_COMMA.sub(_blank, _COMMENT.sub(_blank, text)))
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
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise NotationError(f"found the key {shown(key)} twice in one object, expected each key once")
        found[key] = value
    return found


def _blank(match: re.Match[str]) -> str:
    """Keep strings; turn comments and trailing commas into blanks, so that places stay what they were."""
    text = match.group()
    if match.lastgroup is not None:
        return text
    return re.sub(r"[^\n]", " ", text) if "\n" in text else " " * len(text)
