"""How text looks: cards in their suits' colours, bold headings, tables in columns."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence

from hanasolve.hanabi.game.variants import Variant

_COLORS = {
    "red": 203, "yellow": 220, "green": 78, "blue": 75, "purple": 141, "teal": 44, "black": 245, "pink": 212,
    "brown": 137, "orange": 208, "white": 255, "gray": 250,
}  # fmt: skip


def colourful() -> bool:
    """Whether stdout is a terminal that may show colours."""
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
    """Rows of plain cells in aligned columns; the columns of ``right`` are aligned to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)] if cells else []
    ends = set(right)
    lines = (
        "  ".join(
            cell.rjust(width) if column in ends else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )
    return "\n".join(lines)
