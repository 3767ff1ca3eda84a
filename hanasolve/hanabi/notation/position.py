"""Position files (YAML) to positions and back. ``scenarios/README.md`` shows the file for players.

In a file, hands are written as players speak: slot 1, the newest card, first. ``Position`` holds them
oldest first. ``deck`` may be left out: the cards that are nowhere else lie there; ``discards: rest`` puts
them on the discard pile instead.

Two things are checked beyond the shape: no card occurs more often than the variant has it (kind ``copies``),
and no card that is known was told something false (kind ``clue-card``).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from hanasolve.errors import ImpossiblePosition, NotationError, UnsupportedVariant
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.records import UNKNOWN, HeldCard, Position, Told, default_names
from hanasolve.hanabi.game.variants import DOWN, NO_VARIANT, UP, Variant, load_variant
from hanasolve.hanabi.notation.faults import fault, fault_words, is_int, is_name, plural
from hanasolve.hanabi.notation.schema import check
from hanasolve.hanabi.notation.table_options import default_options, format_options, parse_options
from hanasolve.hanabi.notation.text import (
    COLOR,
    clue_name,
    format_cards,
    format_told,
    parse_card,
    parse_seat,
    parse_told,
    split_words,
)
from hanasolve.hanabi.notation.yaml_lines import Document, Path, load_yaml

SCHEMA_FILE = FilePath(__file__).with_name("position.schema.json")
REST = "rest"


@cache
def schema() -> dict[str, Any]:
    """The published JSON Schema of position files (written by ``position_model.schema_text``)."""
    return dict(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))


def parse_position(text: str, *, players: int | None = None, variant: str | None = None) -> Position:
    """The position of a file's text; ``players`` and ``variant`` are used where the file does not say.

    NotationError and ImpossiblePosition name line and place, what was found and what was expected.
    """
    document = load_yaml(text)
    check(document, schema())
    return _Reader(document, document.data, players, variant).position()


class _Reader:
    """One file on its way to a Position; each method reads one key."""

    def __init__(self, document: Document, data: dict[str, Any], players: int | None, variant: str | None):
        self.document, self.data = document, data
        self.variant = self._variant(variant)
        self.names = self._names(players)
        base = default_options(self.variant, len(self.names))
        try:
            self.options = parse_options(data.get("options"), base, "options")
        except NotationError as error:
            raise NotationError(f"line {document.lines[('options',)]}, {error}") from None

    def position(self) -> Position:
        placed, hands = self._fireworks(), self._hands()
        deck = self._deck()
        discards = self._discards(placed, hands, deck)
        located = [*discards, *(card for suit in placed for card in suit)]
        located += [held.identity for hand in hands for held in hand] + list(deck or ())
        self._check_copies(placed, discards, hands, deck or ())
        position = Position(
            variant=self.variant,
            options=self.options,
            names=self.names,
            to_move=self._to_move(),
            placed=placed,
            discards=discards,
            hands=hands,
            deck=deck,
            deck_count=self._deck_count(len(located), deck),
            clues=self._clues(),
            strikes=self._strikes(),
            turn=self.data.get("turn", 1) - 1,
            turns_left=self.data.get("turns_left"),
        )
        self._check_turns_left(position)
        return position

    def _at(self, *path: str | int) -> str:
        return self.document.place(path)

    def _variant(self, given: str | None) -> Variant:
        name = self.data.get("variant")
        if name is None:
            return load_variant(given or NO_VARIANT)
        try:
            kind = load_variant(name)
        except UnsupportedVariant as error:
            raise UnsupportedVariant(f"{self._at('variant')}: {error}") from None
        if given is not None and load_variant(given) != kind:
            raise fault(self._at("variant"), kind.name, f"{load_variant(given).name} as in --variant")
        return kind

    def _names(self, given: int | None) -> tuple[str, ...]:
        players, hands = self.data.get("players"), self.data["hands"]
        if isinstance(players, list):
            names = tuple(players)
        elif players is None and isinstance(hands, dict):
            names = tuple(hands)
        else:
            count = players or given or len(hands)
            named = isinstance(hands, dict) and len(hands) == count
            names = tuple(hands) if named else default_names(count)
        where = "players" if players is not None else "hands"
        for name in names:
            if not is_name(name) or names.count(name) > 1:
                raise fault(self._at(where), name, "different names of printable characters")
        if not 2 <= len(names) <= 6 or (given is not None and len(names) != given):
            expected = f"{given} as in --players" if given is not None else "2 to 6"
            raise fault_words(self._at(where), plural(len(names), "player"), expected)
        return names

    def _to_move(self) -> int:
        seat = self.data.get("to_move", self.options.first_player)
        return parse_seat(seat, self.names, self._at("to_move"))

    def _cards(self, value: Any, *path: str | int) -> tuple[int, ...]:
        """Known cards from a list or from one text."""
        words = split_words(value) if isinstance(value, str) else value
        return tuple(
            parse_card(word, self.variant, self._at(*path, index)) for index, word in enumerate(words)
        )

    # --- fireworks, discards, deck -------------------------------------------------------------------

    def _fireworks(self) -> tuple[tuple[int, ...], ...]:
        placed: list[tuple[int, ...]] = [()] * len(self.variant.suits)
        letters = list(self.variant.letters)
        names = [suit.name.casefold() for suit in self.variant.suits]
        given: set[int] = set()
        for key, value in self.data.get("fireworks", {}).items():
            folded = key.strip().casefold()
            if folded not in letters and folded not in names:
                expected = f"a suit of {self.variant.name}: {' '.join(letters)}"
                raise fault(self._at("fireworks", key), key, expected, names)
            suit = letters.index(folded) if folded in letters else names.index(folded)
            if suit in given:
                raise fault(self._at("fireworks", key), key, "each suit once")
            given.add(suit)
            placed[suit] = self._stack(suit, key, value)
        return tuple(placed)

    def _stack(self, suit: int, key: str, value: Any) -> tuple[int, ...]:
        place = self._at("fireworks", key)
        order, size = self.variant.orders[suit], self.variant.stack_size
        if not is_int(value):
            cards = self._cards(value, "fireworks", key)
            if any(card // len(self.variant.ranks) != suit for card in cards) or len(cards) > size:
                raise fault(place, value, f"at most {size} cards of the suit {self.variant.suits[suit].name}")
            return cards
        if value > size:
            raise fault(place, value, f"0 to {size} cards")
        ranks = self.variant.ranks[:value]
        if order == DOWN:
            ranks = self.variant.ranks[::-1][:value]
        elif order != UP and value:
            example = f"[{self.variant.card_name(suit * len(self.variant.ranks))}, …]"
            raise fault(place, value, f"the cards in the order in which they were placed, e.g. {example}")
        return tuple(self.variant.identity(suit, rank) for rank in ranks)

    def _deck(self) -> tuple[int, ...] | None:
        deck = self.data.get("deck")
        return None if deck is None or is_int(deck) else self._cards(deck, "deck")

    def _discards(
        self,
        placed: Sequence[tuple[int, ...]],
        hands: Sequence[tuple[HeldCard, ...]],
        deck: tuple[int, ...] | None,
    ) -> tuple[int, ...]:
        discards = self.data.get("discards", [])
        if not isinstance(discards, str) or discards.strip().lower() != REST:
            return self._cards(discards, "discards")
        held = [card.identity for hand in hands for card in hand]
        if UNKNOWN in held or (deck is None and self.data.get("deck") != 0):
            expected = "a list of cards: the rest is known only if all hands and the deck are"
            raise fault(self._at("discards"), REST, expected)
        left = Counter(self.variant.deck_in_order())
        left.subtract([*(card for suit in placed for card in suit), *held, *(deck or ())])
        return tuple(sorted(left.elements()))

    def _deck_count(self, located: int, deck: tuple[int, ...] | None) -> int:
        """Cards in the deck: those that are nowhere else. A count in the file must agree."""
        size, said = self.variant.deck_size, self.data.get("deck")
        elsewhere = located - len(deck or ())
        count = len(deck) if deck is not None else said if said is not None else size - elsewhere
        if elsewhere + count != size:
            odd = size - elsewhere - count
            says = f"{odd} are missing" if odd > 0 else f"{-odd} are too many"
            raise ImpossiblePosition(
                f"{self._at('deck')}: found {plural(elsewhere, 'card')} placed, discarded or in hands and "
                f"{count} in the deck, expected {size} together: {says}",
                "copies",
            )
        return int(count)

    # --- hands ---------------------------------------------------------------------------------------

    def _hands(self) -> tuple[tuple[HeldCard, ...], ...]:
        given = self.data["hands"]
        if isinstance(given, list):
            if len(given) != len(self.names):
                expected = f"{len(self.names)}, one a player"
                raise fault_words(self._at("hands"), plural(len(given), "hand"), expected)
            return tuple(self._hand(index, hand) for index, hand in enumerate(given))
        hands: dict[int, tuple[HeldCard, ...]] = {}
        for name, hand in given.items():
            seat = parse_seat(name, self.names, self._at("hands", name))
            if seat in hands:
                raise fault(self._at("hands", name), name, "one hand a player")
            hands[seat] = self._hand(name, hand)
        for seat, name in enumerate(self.names):
            if seat not in hands:
                where = self._at("hands")
                raise NotationError(f"{where}: found no hand of {name}, expected one (it may be [])")
        return tuple(hands[seat] for seat in range(len(self.names)))

    def _hand(self, key: str | int, value: Any) -> tuple[HeldCard, ...]:
        """A hand, turned to oldest card first."""
        items = split_words(value) if isinstance(value, str) else value
        most = self.options.cards_per_hand
        if len(items) > most:
            expected = f"at most {most} (the option hand_size changes that)"
            raise fault_words(self._at("hands", key), plural(len(items), "card"), expected)
        cards = [self._held(item, ("hands", key, index)) for index, item in enumerate(items)]
        return tuple(reversed(cards))

    def _held(self, item: Any, path: Path) -> HeldCard:
        if not isinstance(item, dict):
            return HeldCard(parse_card(item, self.variant, self._at(*path), unknown=True))
        identity = parse_card(item.get("card", "?"), self.variant, self._at(*path, "card"), unknown=True)
        told = tuple(
            parse_told(word, self.variant, self._at(*path, "told", index))
            for index, word in enumerate(item.get("told", []))
        )
        for one in told:
            self._check_told(identity, one, path)
        return HeldCard(identity, told)

    def _check_told(self, identity: int, told: Told, path: Path) -> None:
        if identity == UNKNOWN:
            return
        if told.kind == COLOR:
            mask = self.variant.color_touch[told.value]
        else:
            mask = self.variant.rank_touch[self.variant.clue_ranks.index(told.value)]
        if bool(mask >> identity & 1) != told.touched:
            name, clue = self.variant.card_name(identity), clue_name(self.variant, told.kind, told.value)
            fact = f"{clue} does not touch {name}" if told.touched else f"{clue} touches {name}"
            found = format_told(told, self.variant)
            raise ImpossiblePosition(
                f"{self._at(*path)}: found {name} told {found!r}, expected what is true: {fact}", "clue-card"
            )

    # --- tokens and checks ---------------------------------------------------------------------------

    def _clues(self) -> float:
        clues = self.data.get("clues")
        if clues is None:
            return self.options.start_tokens
        step = 0.5 if "clueStarved" in self.variant.flags else 1
        if clues % step or clues > self.options.clues_max:
            raise fault(self._at("clues"), clues, f"0 to {self.options.clues_max} in steps of {step}")
        return float(clues)

    def _strikes(self) -> int:
        strikes, most = self.data.get("strikes", 0), self.options.strikes_max - 1
        if strikes > most:
            raise fault(self._at("strikes"), strikes, f"0 to {most} (with one more the game is lost)")
        return int(strikes)

    def _check_copies(
        self,
        placed: Sequence[tuple[int, ...]],
        discards: Sequence[int],
        hands: Sequence[tuple[HeldCard, ...]],
        deck: Sequence[int],
    ) -> None:
        stacks = zip(self.variant.letters, placed, strict=True)
        places: list[tuple[str, Sequence[int]]] = [(f"fireworks.{letter}", stack) for letter, stack in stacks]
        places.append(("discards", discards))
        for name, hand in zip(self.names, hands, strict=True):
            places.append((f"hands.{name}", [held.identity for held in hand]))
        places.append(("deck", deck))
        total = Counter(card for _, cards in places for card in cards if card != UNKNOWN)
        for identity, count in sorted(total.items()):
            copies = self.variant.copies[identity]
            if count > copies:
                where = [(place, list(cards).count(identity)) for place, cards in places]
                found = ", ".join(f"{number} in {place}" for place, number in where if number)
                raise ImpossiblePosition(
                    f"{self._copies_place(where)}: found {count} times {self.variant.card_name(identity)} "
                    f"({found}), expected at most {copies} in {self.variant.name}",
                    "copies",
                )

    def _copies_place(self, where: Sequence[tuple[str, int]]) -> str:
        """The last place that holds a copy is the one to look at."""
        key, _, rest = [place for place, number in where if number][-1].partition(".")
        return self._at(key, rest) if rest else self._at(key)

    def _check_turns_left(self, position: Position) -> None:
        left = position.turns_left
        if left is None:
            return
        if position.deck_count or self.options.mode != "normal":
            mode = f"mode {self.options.mode} has no last round"
            why = "the deck is not empty" if position.deck_count else mode
            raise fault(self._at("turns_left"), left, f"nothing: {why}")
        if left > len(self.names):
            raise fault(self._at("turns_left"), left, f"1 to {len(self.names)}")


# ----------------------------------------------------------------------------------------------- writing

_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9 _-]*[A-Za-z0-9]|[A-Za-z]", re.ASCII)
_WORDS_OF_YAML = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}


@dataclass
class _Writer:
    position: Position

    def lines(self) -> list[str]:
        p, variant = self.position, self.position.variant
        lines = [f"variant: {_word(variant.name)}", f"players: [{', '.join(map(_word, p.names))}]"]
        lines.append(f"to_move: {_word(p.names[p.to_move])}")
        if p.turn:
            lines.append(f"turn: {p.turn + 1}")
        stacks = (f"{_word(letter)}: {self._stack(s)}" for s, letter in enumerate(variant.letters))
        lines.append(f"fireworks: {{{', '.join(stacks)}}}")
        lines.append(f"discards: [{', '.join(map(variant.card_name, p.discards))}]")
        lines += [f"clues: {_number(p.clues)}", f"strikes: {p.strikes}"]
        lines.append("hands: # slot 1, the newest card, first")
        for name, hand in zip(p.names, p.hands, strict=True):
            lines.append(f"  {_word(name)}: [{', '.join(map(self._held, reversed(hand)))}]")
        lines.append(f"deck: {p.deck_count if p.deck is None else f'[{self._list(p.deck)}]'}")
        if p.turns_left is not None:
            lines.append(f"turns_left: {p.turns_left}")
        options = _options(p.variant, p.options)
        return [*lines, *([f"options: {options}"] if options else [])]

    def _list(self, cards: Sequence[int]) -> str:
        return format_cards(cards, self.position.variant).replace(" ", ", ")

    def _stack(self, suit: int) -> str:
        cards = self.position.placed[suit]
        if self.position.variant.orders[suit] in (UP, DOWN):
            return str(len(cards))
        return f"[{self._list(cards)}]"

    def _held(self, held: HeldCard) -> str:
        name = '"?"' if held.identity == UNKNOWN else self.position.variant.card_name(held.identity)
        if not held.told:
            return name
        told = ", ".join(format_told(one, self.position.variant) for one in held.told)
        return f"{{card: {name}, told: [{told}]}}"


def format_position(position: Position) -> str:
    """A position file's text; ``parse_position`` is the inverse."""
    return "\n".join(_Writer(position).lines()) + "\n"


def _options(variant: Variant, options: Options) -> str:
    """Options as JSON, which is YAML as well."""
    chosen = format_options(options, default_options(variant, options.players))
    return json.dumps(chosen) if chosen else ""


def _word(text: str) -> str:
    plain = _PLAIN_NAME.fullmatch(text) and text.lower() not in _WORDS_OF_YAML
    return text if plain else json.dumps(text, ensure_ascii=False)


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)
