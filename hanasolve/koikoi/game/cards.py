"""The 48 hanafuda cards: numbers, codes, names and classes. Plain Python, so that reading is cheap to import.

A card is an int 0 to 47, ``4 * (month - 1) + position``; a set of cards is an int whose bit ``c`` says that
card ``c`` is in it (48 bits, so it is never negative as int64). Plains of one month are interchangeable for
every result; they are called twins here.
"""

from __future__ import annotations

from collections.abc import Iterable

CARDS = 48
MONTHS = 12
BRIGHT, ANIMAL, RIBBON, PLAIN = range(4)
KINDS = "barp"

# One letter for each position of a month.
_POSITIONS = ("brpp", "arpp", "brpp", "arpp", "arpp", "arpp", "arpp", "bapp", "arpp", "arpp", "barp", "bppp")
FLOWERS = (
    "pine",
    "plum",
    "cherry",
    "wisteria",
    "iris",
    "peony",
    "bush clover",
    "pampas",
    "chrysanthemum",
    "maple",
    "willow",
    "paulownia",
)
WORDS = {
    "crane": 0,
    "warbler": 4,
    "curtain": 8,
    "cuckoo": 12,
    "bridge": 16,
    "butterflies": 20,
    "boar": 24,
    "moon": 28,
    "geese": 29,
    "cup": 32,
    "deer": 36,
    "rain": 40,
    "swallow": 41,
    "lightning": 43,
    "phoenix": 44,
}
CLASS = tuple(KINDS.index(letter) for month in _POSITIONS for letter in month)


def mask(cards: Iterable[int]) -> int:
    """The set of the given cards."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def cards_of(bits: int) -> list[int]:
    """The cards of a set, by id."""
    bits = int(bits)
    return [card for card in range(CARDS) if bits >> card & 1]


def month(card: int) -> int:
    """1 to 12."""
    return card // 4 + 1


BRIGHTS, ANIMALS, RIBBONS, PLAINS = (mask(c for c in range(CARDS) if CLASS[c] == kind) for kind in range(4))
RAIN, CURTAIN, MOON, CUP = (1 << WORDS[word] for word in ("rain", "curtain", "moon", "cup"))
DRY_BRIGHTS = BRIGHTS & ~RAIN
BOAR_DEER_BUTTERFLIES = mask((20, 24, 36))
RED_RIBBONS = mask((1, 5, 9))
BLUE_RIBBONS = mask((21, 33, 37))
ALL_CARDS = (1 << CARDS) - 1


def twins_of(card: int) -> int:
    """The set of plains that are worth the same as ``card``, itself included; for other cards only itself."""
    if CLASS[card] != PLAIN:
        return 1 << card
    return PLAINS & (15 << (card & ~3))


def _code(card: int) -> str:
    kind = KINDS[CLASS[card]]
    if CLASS[card] != PLAIN or card == WORDS["lightning"]:
        return f"{month(card)}{kind}"
    return f"{month(card)}p{sum(1 for twin in cards_of(twins_of(card)) if twin <= card)}"


CODES = tuple(_code(card) for card in range(CARDS))


def _name(card: int) -> str:
    for word, named in WORDS.items():
        if named == card:
            return "rain man" if word == "rain" else word
    flower = FLOWERS[card // 4]
    if CLASS[card] == PLAIN:
        return f"{flower} plain {CODES[card][-1]}"
    colour = "red " if RED_RIBBONS >> card & 1 else "blue " if BLUE_RIBBONS >> card & 1 else ""
    return f"{flower} {colour}ribbon"


NAMES = tuple(_name(card) for card in range(CARDS))


def codes(bits_or_cards: int | Iterable[int]) -> list[str]:
    """Codes of a set (by id) or of a sequence (in its order)."""
    if isinstance(bits_or_cards, Iterable):
        return [CODES[card] for card in bits_or_cards]
    return [CODES[card] for card in cards_of(bits_or_cards)]
