"""Cards, decks and actions as players write them: ``r4``, ``r1 b4 …``, ``clue 3 to Bob``.

Parsers take the variant, because the letters are the variant's. Everything is case-insensitive.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from hanasolve.errors import NotationError
from hanasolve.hanabi.game.records import UNKNOWN, Action, Told
from hanasolve.hanabi.game.variants import START_RANK, Variant
from hanasolve.hanabi.notation.faults import fault, fault_words

COLOR, RANK = 2, 3  # kinds of clues, as action types
_SEPARATORS = re.compile(r"[\s,]+")


# ------------------------------------------------------------------------------------------------- cards


def parse_card(word: object, variant: Variant, place: str, *, unknown: bool = False) -> int:
    """The identity of a card's name; with ``unknown`` also ``?`` (UNKNOWN)."""
    if unknown and word == "?":
        return UNKNOWN
    identity = variant.names.get(word.strip().lower()) if isinstance(word, str) else None
    if identity is None:
        also = " or ?" if unknown else ""
        raise fault(place, word, f"a card of {variant.name}{also}: {card_shape(variant)}")
    return identity


def card_shape(variant: Variant) -> str:
    """What a card's name looks like, in words: ``a letter of r y g b p and a number 1 to 5``."""
    ranks = f"1 to {variant.stack_size}" + (" (7 = START)" if START_RANK in variant.ranks else "")
    return f"a letter of {' '.join(variant.letters)} and a number {ranks}"


def format_cards(cards: Sequence[int], variant: Variant) -> str:
    return " ".join(map(variant.card_name, cards))


def split_words(text: str) -> list[str]:
    """The words of a text, separated by spaces or commas."""
    return [word for word in _SEPARATORS.split(text) if word]


def parse_deck(text: str, variant: Variant, place: str = "deck") -> tuple[int, ...]:
    """A deck in drawing order; it may be a known beginning only. ``format_cards`` is the inverse."""
    words = split_words(text)
    if not words:
        raise fault(place, None, f"cards, first drawn first, e.g. {variant.card_name(0)}")
    if len(words) > variant.deck_size:
        raise NotationError(
            f"{place}: found {len(words)} cards, expected at most the {variant.deck_size} of {variant.name}"
        )
    return tuple(
        parse_card(word, variant, f"{place}, card {index}") for index, word in enumerate(words, start=1)
    )


def copies_warnings(deck: Sequence[int], variant: Variant) -> list[str]:
    """What a deck holds too often, or, if it has the full length, too rarely."""
    counts = Counter(deck)
    full = len(deck) == variant.deck_size
    odd = [
        f"{counts[identity]} times {variant.card_name(identity)} instead of {copies}"
        for identity, copies in enumerate(variant.copies)
        if counts[identity] > copies or (full and counts[identity] < copies)
    ]
    if not odd:
        return []
    more = f" and {len(odd) - 3} more" if len(odd) > 3 else ""
    return [f"the deck is not a deck of {variant.name}: {', '.join(odd[:3])}{more}"]


# ------------------------------------------------------------------------------------------------- clues


def parse_clue(word: object, variant: Variant, place: str) -> tuple[int, int]:
    """(kind, value) of a clue's name: a colour, its letter, or a number."""
    text = str(word).strip().lower() if isinstance(word, str | int) else ""
    for index, color in enumerate(variant.clue_colors):
        if text in (color.lower(), variant.color_letters[index]):
            return COLOR, index
    if text.isdecimal() and int(text) in variant.clue_ranks:
        return RANK, int(text)
    colors = [color.lower() for color in variant.clue_colors]
    words = [*colors, *map(str, variant.clue_ranks)]
    raise fault(place, word, "a clue: " + (", ".join(words) or "this variant has none"), colors)


def clue_name(variant: Variant, kind: int, value: int) -> str:
    """``red`` or ``3``; ``parse_clue`` is the inverse."""
    return str(value) if kind == RANK else variant.clue_colors[value].lower()


def parse_told(word: object, variant: Variant, place: str) -> Told:
    """What a card was told: ``red`` or ``3`` touched it, ``not red`` missed it."""
    touched = True
    if isinstance(word, str) and word.strip().lower().startswith("not "):
        touched, word = False, word.strip()[4:]
    kind, value = parse_clue(word, variant, place)
    return Told(kind, value, touched)


def format_told(told: Told, variant: Variant) -> str:
    name = clue_name(variant, told.kind, told.value)
    return name if told.touched else f"not {name}"


# ----------------------------------------------------------------------------------------------- actions

_SHAPES = "`play slot 2`, `discard r4`, `clue red to Bob` or `clue 3 to Bob`"
_CLUE = re.compile(r"clue\s+(?P<clue>.+?)\s+to\s+(?P<to>.+)", re.IGNORECASE)
_USE = re.compile(
    r"(?P<verb>play|discard)\s+(?:(?P<card>\?|[a-z]\w)\s*)?"
    r"(?:\(?\s*(?:slot\s+(?P<slot>\d{1,2})|card\s+(?P<order>\d{1,3})(?:\s+of\s+the\s+deck)?)\s*\)?)?",
    re.IGNORECASE,
)


def parse_action(
    text: str, variant: Variant, names: Sequence[str], hand: Sequence[tuple[int, int]], place: str = "action"
) -> Action:
    """An action in words, for a player who holds ``hand``: (order, identity) of each card, oldest first.

    A card is named by its slot (1 = newest), by its name if it is in the hand once, or by its order:
    ``play card 14 of the deck``. ``game.describe`` writes such words.
    """
    words = text.strip()
    clue = _CLUE.fullmatch(words)
    if clue is not None:
        kind, value = parse_clue(clue["clue"], variant, place)
        return Action(kind, parse_seat(clue["to"], names, place), value)
    use = _USE.fullmatch(words)
    if use is None or not (use["card"] or use["slot"] or use["order"]):
        raise fault(place, text, _SHAPES)
    verb = 0 if use["verb"].lower() == "play" else 1
    if use["order"]:
        return Action(verb, int(use["order"]))
    if use["slot"]:
        slot = int(use["slot"])
        if not 1 <= slot <= len(hand):
            raise fault_words(place, f"slot {slot}", f"a slot from 1 (newest) to {len(hand)}")
        return Action(verb, hand[len(hand) - slot][0])
    identity = parse_card(use["card"], variant, place)
    orders = [order for order, held in hand if held == identity]
    if len(orders) != 1:
        raise fault(place, use["card"], f"a card that is in the hand once (it is there {len(orders)} times)")
    return Action(verb, orders[0])


def format_action(action: Action, variant: Variant, names: Sequence[str]) -> str:
    """An action in words that need no hand to be read; ``parse_action`` is the inverse."""
    if action.type in (0, 1):
        return f"{('play', 'discard')[action.type]} card {action.target} of the deck"
    if action.type in (COLOR, RANK):
        return f"clue {clue_name(variant, action.type, action.value)} to {names[action.target]}"
    raise NotationError(f"action: found type {action.type}, expected a play, a discard or a clue")


def parse_seat(word: object, names: Sequence[str], place: str) -> int:
    """A seat from a player's name (case is ignored if that is clear) or its number from 0."""
    if isinstance(word, str):
        if names.count(word) == 1:
            return names.index(word)
        folded = [name.casefold() for name in names]
        if folded.count(word.strip().casefold()) == 1:
            return folded.index(word.strip().casefold())
    digits = str(word).strip()
    if not isinstance(word, bool) and digits.isdecimal() and len(digits) < 3 and int(digits) < len(names):
        return int(digits)
    expected = f"a player ({', '.join(names)}) or a seat 0 to {len(names) - 1}"
    raise fault(place, word, expected, names)

