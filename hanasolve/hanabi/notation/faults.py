"""What every format's error says: where, what was found, what was expected, and the nearest valid word."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TypeGuard

from hanasolve.errors import NotationError, nearest

_LONGEST = 40


def shown(value: object) -> str:
    """A found value as the user wrote it, cut to a readable length."""
    if value is None:
        return "nothing"
    if isinstance(value, str):
        text = repr(value)
    else:
        try:
            text = json.dumps(value, ensure_ascii=False)
        except (TypeError, ValueError):
            text = repr(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 2] + " …"


def fault(place: str, found: object, expected: str, known: Iterable[str] = ()) -> NotationError:
    """The error of a value that does not belong there; ``known`` words are searched for a near one."""
    hint = nearest(found, list(known), 1) if isinstance(found, str) else []
    near = f" (nearest: {hint[0]})" if hint else ""
    return NotationError(f"{place}: found {shown(found)}, expected {expected}{near}")


def fault_words(place: str, found: str, expected: str) -> NotationError:
    """As ``fault``, for what was found in words: ``6 cards``."""
    return NotationError(f"{place}: found {found}, expected {expected}")


def is_int(value: object) -> TypeGuard[int]:
    """An integer that is not a truth value."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_name(value: object) -> TypeGuard[str]:
    """Whether this can be a player's name: printable on a terminal and not blank."""
    return isinstance(value, str) and value.isprintable() and bool(value.strip())


def plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
