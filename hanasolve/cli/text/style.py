"""How text looks: cards in their suits' colours, bold headings, tables in columns."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence

from hanasolve.hanabi.game.variants import Variant

_COLORS = {
    "red": 203, "yellow": 220, "green": 78, "blue": 75, "purple": 141, "teal": 44, "black": 245, "pink": 212,
    "brown": 137, "orange": 208, "white": 255, "gray": 250,
}  # fmt: skip

_NARROW = 16  # columns; a last column with less room than this is not folded


def colourful() -> bool:
    """Whether stdout is a terminal that may show colours, or FORCE_COLOR wants them anyway; NO_COLOR forbids them."""
    if os.environ.get("FORCE_COLOR") and not os.environ.get("NO_COLOR"):
        return True
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def card_text(variant: Variant, identity: int) -> str:
    """A card's name, in its suit's colour on a terminal. The letters alone say everything."""
    name = variant.card_name(identity)
    if identity < 0 or not colourful():
        return name
    words = variant.suits[variant.suit_rank(identity)[0]].name.lower().split()
    code = next((_COLORS[word] for word in words if word in _COLORS), 177)
    return f"\x1b[38;5;{code}m{name}\x1b[0m"


def cards_text(variant: Variant, cards: Iterable[int]) -> str:
    return " ".join(card_text(variant, card) for card in cards)


def bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m" if colourful() else text


def table_text(rows: Sequence[Sequence[object]], right: Iterable[int] = ()) -> str:
    """Rows of plain cells in aligned columns; the columns of ``right`` are aligned to the right.

    On a terminal that is too narrow the last column is folded at words, under itself; files and pipes get whole lines.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)] if cells else []
    ends, start = set(right), sum(widths[:-1]) + 2 * len(widths[:-1])
    room = shutil.get_terminal_size().columns - start if sys.stdout.isatty() else 0
    lines = []
    for row in cells:
        padded = [
            cell.rjust(width) if column in ends else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        last = textwrap.wrap(row[-1], room, break_long_words=False) if room >= _NARROW < len(row[-1]) else []
        head = "  ".join(padded if len(last) < 2 else [*padded[:-1], last[0]]).rstrip()
        lines += [head, *(" " * start + more for more in last[1:])]
    return "\n".join(lines)
