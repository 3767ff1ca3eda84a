"""Variants as data: suits, copies, order of play, and which clue touches which card.

All 2426 variants of hanab.live are described by two tables (``data/variants.tsv``, ``data/suits.tsv``); the
printed game's variants, which have other letters or no counterpart on the site, are described here.

An *identity* is a small int ``suit * len(ranks) + rank index``; a set of identities is a bit mask. Ranks are
1 to 5; Up or Down adds START, stored as rank 7; n-suit Sudoku has the ranks 1 to n.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path

from hanasolve.errors import UnsupportedVariant, nearest

_DATA = Path(__file__).parent / "data"
START_RANK = 7
NO_VARIANT = "No Variant"

UP, DOWN, UP_OR_DOWN, SUDOKU = "up", "down", "up-or-down", "sudoku"


@dataclass(frozen=True)
class Suit:
    """One suit: its own clue colours and its special properties (names as on hanab.live)."""

    name: str
    clue_colors: tuple[str, ...]
    one_of_each: bool = False
    all_clue_colors: bool = False
    no_clue_colors: bool = False
    all_clue_ranks: bool = False
    no_clue_ranks: bool = False
    prism: bool = False
    inverted: bool = False
    reversed: bool = False


@dataclass(frozen=True)
class Variant:
    """A deck and its touch rules. ``id`` is hanab.live's number, -1 for the printed game's own variants."""

    id: int
    name: str
    suits: tuple[Suit, ...]
    letters: tuple[str, ...]
    clue_colors: tuple[str, ...]
    clue_ranks: tuple[int, ...]
    special_rank: int = 0
    critical_rank: int = 0
    flags: frozenset[str] = frozenset()

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """The ranks of a suit in creation order."""
        if "upOrDown" in self.flags:
            return (1, 2, 3, 4, 5, START_RANK)
        if "sudoku" in self.flags:
            return tuple(range(1, len(self.suits) + 1))
        return (1, 2, 3, 4, 5)

    @property
    def stack_size(self) -> int:
        """Cards of a complete firework."""
        return len(self.ranks) if "sudoku" in self.flags else 5

    @property
    def max_score(self) -> int:
        return len(self.suits) * self.stack_size

    @cached_property
    def orders(self) -> tuple[str, ...]:
        """How each suit is built: ``up``, ``down``, ``up-or-down`` or ``sudoku``."""
        if "sudoku" in self.flags:
            return (SUDOKU,) * len(self.suits)
        up = UP_OR_DOWN if "upOrDown" in self.flags else UP
        return tuple(DOWN if suit.reversed else up for suit in self.suits)

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """Copies of each identity in the deck."""
        return tuple(self._copies(s, rank) for s in range(len(self.suits)) for rank in self.ranks)

    def _copies(self, suit: int, rank: int) -> int:
        order = self.orders[suit]
        if self.suits[suit].one_of_each or rank == START_RANK:
            return 1
        if order == SUDOKU:
            return 2
        if rank == 1:
            if order in (DOWN, UP_OR_DOWN):
                return 1
            return 2 if "scarceOnes" in self.flags else 3
        if rank == 4 and self.critical_rank == 4:
            return 1
        if rank == 5:
            return 3 if order == DOWN else 1
        return 2

    @property
    def deck_size(self) -> int:
        return sum(self.copies)

    def deck_in_order(self) -> list[int]:
        """The deck before shuffling: suits in order, ranks in order, copies together."""
        return [identity for identity, count in enumerate(self.copies) for _ in range(count)]

    @cached_property
    def color_touch(self) -> tuple[int, ...]:
        """For each clue colour, the mask of the identities it touches."""
        return tuple(self._mask(partial(self._color_touches, color)) for color in self.clue_colors)

    @cached_property
    def rank_touch(self) -> tuple[int, ...]:
        """For each of ``clue_ranks``, the mask of the identities it touches."""
        return tuple(self._mask(partial(self._rank_touches, value)) for value in self.clue_ranks)

    def _mask(self, touches: Callable[[int, int], bool]) -> int:
        mask = 0
        for s in range(len(self.suits)):
            for index, rank in enumerate(self.ranks):
                if touches(s, rank):
                    mask |= 1 << (s * len(self.ranks) + index)
        return mask

    def _color_touches(self, color: str, suit_index: int, rank: int) -> bool:
        suit, colors = self.suits[suit_index], self.clue_colors
        if "colorCluesTouchNothing" in self.flags:
            return False
        if suit.all_clue_colors or suit.no_clue_colors:
            return suit.all_clue_colors
        of_rank = colors[(rank - 1) % len(colors)] if rank != START_RANK else colors[-1]
        if "synesthesia" in self.flags and not suit.no_clue_ranks and color == of_rank:
            return True
        if rank == self.special_rank and "specialRankAllClueColors" in self.flags:
            return True
        if rank == self.special_rank and "specialRankNoClueColors" in self.flags:
            return False
        if suit.prism:
            return color == of_rank
        return color in suit.clue_colors

    def _rank_touches(self, value: int, suit_index: int, rank: int) -> bool:
        suit = self.suits[suit_index]
        if "rankCluesTouchNothing" in self.flags:
            return False
        if suit.all_clue_ranks or suit.no_clue_ranks:
            return suit.all_clue_ranks
        if rank == self.special_rank:
            if "specialRankAllClueRanks" in self.flags or "specialRankNoClueRanks" in self.flags:
                return "specialRankAllClueRanks" in self.flags
            if "specialRankDeceptive" in self.flags:
                return value == self.clue_ranks[suit_index % len(self.clue_ranks)]
        if rank == START_RANK:
            return False
        if "oddsAndEvens" in self.flags:
            return rank % 2 == value % 2
        if "funnels" in self.flags:
            return rank <= value
        if "chimneys" in self.flags:
            return rank >= value
        return rank == value

    # --- cards as text -------------------------------------------------------------------------------

    def identity(self, suit: int, rank: int) -> int:
        """Identity of a suit index and a rank as in files; ValueError if there is no such card."""
        if not 0 <= suit < len(self.suits):
            raise ValueError(f"suit {suit}")
        return suit * len(self.ranks) + self.ranks.index(rank)

    def suit_rank(self, identity: int) -> tuple[int, int]:
        """(suit index, rank as in files) of an identity."""
        suit, index = divmod(identity, len(self.ranks))
        return suit, self.ranks[index]

    def card_name(self, identity: int) -> str:
        """``r4``; START is ``r7``; an unknown card (-1) is ``?``."""
        if identity < 0:
            return "?"
        suit, rank = self.suit_rank(identity)
        return f"{self.letters[suit]}{rank}"

    @cached_property
    def names(self) -> dict[str, int]:
        """Card name -> identity. START answers to ``r7`` and ``rs``."""
        table = {self.card_name(identity): identity for identity in range(len(self.copies))}
        for letter in self.letters:
            if f"{letter}{START_RANK}" in table:
                table[f"{letter}s"] = table[f"{letter}{START_RANK}"]
        return table

    @cached_property
    def color_letters(self) -> tuple[str, ...]:
        """A letter for each clue colour: that of the suit of this name, else the colour's own letter."""
        by_suit = {suit.name.removesuffix(" Reversed"): letter
                   for suit, letter in zip(self.suits, self.letters, strict=True)}
        return tuple(by_suit.get(color, _color_letter(color)) for color in self.clue_colors)


def _color_letter(color: str) -> str:
    return {"Black": "k", "Pink": "i", "Brown": "n"}.get(color, color[0].lower())


# --- hanab.live ------------------------------------------------------------------------------------------


def _rows(file: str) -> list[list[str]]:
    lines = (_DATA / file).read_text(encoding="utf-8").splitlines()[1:]
    return [line.split("\t") for line in lines if line]


@lru_cache(maxsize=1)
def _suits() -> dict[str, Suit]:
    table = {}
    for row in _rows("suits.tsv"):
        colors = () if row[4] == "-" else tuple(row[4].split("|"))
        table[row[0]] = Suit(row[0], colors, *(flag == "1" for flag in row[5:12]))
    return table


def _suit(name: str) -> Suit:
    base = name.removesuffix(" Reversed")
    suit = _suits()[base]
    return suit if base == name else Suit(**{**vars(suit), "name": name, "reversed": True})


def _split(field: str, separator: str) -> tuple[str, ...]:
    return () if field == "-" else tuple(field.split(separator))


def _from_row(row: list[str]) -> Variant:
    return Variant(
        id=int(row[0]),
        name=row[1],
        suits=tuple(_suit(name) for name in row[3].split("|")),
        letters=tuple(row[4].lower()),
        clue_colors=_split(row[5], "|"),
        clue_ranks=tuple(int(value) for value in _split(row[6], ",")),
        special_rank=0 if row[7] == "-" else int(row[7]),
        critical_rank=0 if row[8] == "-" else int(row[8]),
        flags=frozenset(_split(row[9], ",")),
    )


@lru_cache(maxsize=1)
def _site_rows() -> list[list[str]]:
    return _rows("variants.tsv")


# --- the printed game ------------------------------------------------------------------------------------

_PLAIN = tuple(Suit(name, (name,)) for name in ("Red", "Yellow", "Green", "Blue", "White"))
_WILD = Suit("Multicolour", (), all_clue_colors=True)
_POWDER = Suit("Black Powder", (), no_clue_colors=True, reversed=True)
_EXTRA_SUITS: dict[str, tuple[Suit, ...]] = {
    "base": (),
    "six-suits": (Suit("Multicolour", ("Multicolour",)),),
    "one-of-each": (Suit("Multicolour", ("Multicolour",), one_of_each=True),),
    "wild": (_WILD,),
    "black-powder": (_POWDER,),
    "wild+black-powder": (_WILD, _POWDER),
}


def _printed(name: str) -> Variant:
    suits = _PLAIN + _EXTRA_SUITS[name]
    letters = "rygbw" + "".join("k" if suit is _POWDER else "m" for suit in _EXTRA_SUITS[name])
    colors = tuple(suit.name for suit in suits if suit.clue_colors)
    return Variant(-1, name, suits, tuple(letters), colors, (1, 2, 3, 4, 5))


# --- looking them up -------------------------------------------------------------------------------------


def variant_names() -> list[str]:
    """All known names: the printed game's first, then hanab.live's in order of id."""
    site = sorted(_site_rows(), key=lambda row: int(row[0]))
    return [*_EXTRA_SUITS, *(row[1] for row in site)]


@lru_cache(maxsize=64)
def load_variant(name_or_id: str | int) -> Variant:
    """The variant of a name (case is ignored) or a hanab.live id; UnsupportedVariant if there is none."""
    wanted = str(name_or_id).strip()
    folded = wanted.casefold()
    if folded in _EXTRA_SUITS:
        return _printed(folded)
    column = 0 if wanted.isdecimal() else 1
    key = str(int(wanted)) if column == 0 else folded
    for row in _site_rows():
        if row[column].casefold() == key:
            return _from_row(row)
    if column == 0:
        last = len(_site_rows()) - 1
        raise UnsupportedVariant(f"unknown variant id {wanted}: hanab.live has the ids 0 to {last}")
    hint = nearest(wanted, variant_names())
    close = f"; nearest: {', '.join(hint)}" if hint else ""
    raise UnsupportedVariant(f"unknown variant {wanted!r}{close} (`hanasolve variants` lists all)")
