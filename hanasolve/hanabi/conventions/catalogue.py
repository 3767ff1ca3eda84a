"""The built-in conventions, each with a paragraph and its source, in the order in which they are listed."""

from __future__ import annotations

from hanasolve.hanabi.conventions.base import Convention

_QUUX = "Arthur O'Dwyer, github.com/Quuxplusone/Hanabi (2012-)"

CATALOGUE: tuple[Convention, ...] = (
    Convention(
        "simple",
        "Every touched card is playable, and a clue says nothing else: a colour means the next number of the "
        "suit, a number means playable. Cards are discarded oldest first.",
        f"{_QUUX}, SimpleBot",
        "simple",
        shared=True,
    ),
)
