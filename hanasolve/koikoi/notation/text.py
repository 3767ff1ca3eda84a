"""Cards and turns as text: ``1b 3p1 moon n7`` and ``A: 7r x 7a, 8b, koikoi``.

A card is ``<month><kind>[<number>]``, ``n<id>`` or one of the words of ``cards.WORDS``, in either case.
Plains without a number become the lowest plains of their month that nothing else in the same input names:
all lists of one input are therefore read together. Errors name the token and its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hanasolve.errors import NotationError, nearest
from hanasolve.koikoi.game import cards
from hanasolve.koikoi.game.cards import CODES, WORDS

_CODE = re.compile(r"(\d{1,2})([barp])(\d?)")
_ID = re.compile(r"n(\d{1,2})")


@dataclass
class _Token:
    text: str
    place: str
    card: int  # -1 while a plain without a number waits


def read_card(text: str) -> int:
    """One card on its own."""
    return read_lists([("card", text)])[0][0]


def read_cards(text: str | Sequence[object], place: str = "cards") -> list[int]:
    """One list of cards, in the order given."""
    return read_lists([(place, text)])[0]


def read_lists(named: Sequence[tuple[str, str | Sequence[object]]]) -> list[list[int]]:
    """Several lists of one input, each with the name of its place; no card may be named twice."""
    lists = [[_token(text, place) for text, place in _split(value, place)] for place, value in named]
    named_at: dict[int, str] = {}
    tokens = [token for tokens in lists for token in tokens]
    for token in tokens:
        if token.card >= 0:
            if token.card in named_at:
                code = CODES[token.card]
                raise NotationError(
                    f'{token.place}: "{token.text}" ({code}) is already {named_at[token.card]}'
                )
            named_at[token.card] = token.place
    for token in tokens:
        if token.card < 0:
            token.card = _next_plain(token, named_at)
            named_at[token.card] = token.place
    return [[token.card for token in tokens] for tokens in lists]


def _split(value: str | Sequence[object], place: str) -> list[tuple[str, str]]:
    entries = re.split(r"[\s,]+", value.strip()) if isinstance(value, str) else [str(item) for item in value]
    found = [text for entry in entries for text in re.split(r"[\s,]+", entry.strip()) if text]
    return [(text, f"{place}, card {index}") for index, text in enumerate(found, 1)]


def _token(text: str, place: str) -> _Token:
    low = text.lower()
    if low in WORDS:
        return _Token(text, place, WORDS[low])
    if match := _ID.fullmatch(low):
        if int(match[1]) >= cards.CARDS:
            raise NotationError(f'{place}: "{text}" is no card; ids are n0 to n47')
        return _Token(text, place, int(match[1]))
    match = _CODE.fullmatch(low)
    if not match:
        near = nearest(low, [*WORDS, *CODES])
        help_text = f"; nearest: {', '.join(near)}" if near else ""
        raise NotationError(
            f'{place}: "{text}" is no card; expected month and kind like 1b, 9a, 2r, 3p1{help_text}'
        )
    return _Token(text, place, _coded(match[1], match[2], match[3], text, place))


def _coded(month: str, kind: str, number: str, text: str, place: str) -> int:
    if not 1 <= int(month) <= cards.MONTHS:
        raise NotationError(f'{place}: "{text}" is no card; months are 1 to 12')
    month_cards = range(4 * int(month) - 4, 4 * int(month))
    alike = [card for card in month_cards if cards.KINDS[cards.CLASS[card]] == kind]
    if not alike or (number and not 1 <= int(number) <= len(alike)):
        there = " ".join(CODES[card] for card in month_cards)
        raise NotationError(f'{place}: "{text}" is no card; month {month} has {there}')
    if number:
        return alike[int(number) - 1]
    return alike[0] if len(alike) == 1 else -1


def _next_plain(token: _Token, named_at: dict[int, str]) -> int:
    month = int(token.text[:-1])
    twins = [card for card in range(4 * month - 4, 4 * month) if cards.CLASS[card] == cards.PLAIN]
    for card in twins:
        if card not in named_at:
            return card
    raise NotationError(
        f'{token.place}: "{token.text}" is one plain too many; all {len(twins)} of month {month} are named'
    )


def format_cards(bits_or_cards: int | Sequence[int]) -> str:
    """Numbered codes with blanks between; a set by id, a sequence in its order."""
    return " ".join(cards.codes(bits_or_cards))


# --- turns ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Turn:
    """One turn: hand card and what it took, stock card and what it took, and koi-koi (True), stop or
    neither."""

    player: int
    card: int
    taken: int
    drawn: int
    drawn_taken: int
    call: bool | None = None


def format_turn(turn: Turn) -> str:
    """For instance ``A: 7r x 7a, 8b, koikoi``."""
    parts = [_placed(turn.card, turn.taken), _placed(turn.drawn, turn.drawn_taken)]
    if turn.call is not None:
        parts.append("koikoi" if turn.call else "stop")
    return f"{'AB'[turn.player]}: {', '.join(parts)}"


def _placed(card: int, taken: int) -> str:
    return f"{CODES[card]} x {format_cards(taken)}" if taken else CODES[card]


def parse_turn(text: str, game: Any, rules: Any, place: str = "turn") -> Turn:
    """Read a turn against the GAME it is made in (``x ...`` may be missing where nothing is to choose).

    ``game`` is not changed; play the result with ``play_turn``.
    """
    from hanasolve.koikoi.game import rules as engine

    player, colon, rest = text.partition(":")
    if not colon or player.strip().upper() not in ("A", "B"):
        raise NotationError(f'{place}: "{text.strip()}": expected A: or B: at the start')
    parts = [part.strip() for part in rest.split(",")]
    call = _decision(parts.pop(), place) if parts[-1].lower() in ("koikoi", "koi-koi", "stop") else None
    if len(parts) != 2:
        raise NotationError(f'{place}: "{text.strip()}": expected a hand card, a comma and a stock card')
    sides = [re.split(r"\s+x\s+", part, maxsplit=1, flags=re.IGNORECASE) for part in parts]
    named = [(f"{place}, {what}", side) for side, what in zip(sides, ("hand", "stock"), strict=True)]
    (card, *took), (drawn, *drawn_took) = read_lists([(where, " ".join(side)) for where, side in named])
    field = int(game["field"])
    taken = _taken(field, card, took, len(sides[0]) > 1, rules, place)
    field = int(engine.field_after(field, card, taken))
    drawn_taken = _taken(field, drawn, drawn_took, len(sides[1]) > 1, rules, place)
    return Turn("AB".index(player.strip().upper()), card, taken, drawn, drawn_taken, call)


def _decision(word: str, place: str) -> bool:
    return word.lower() != "stop"


def _taken(field: int, card: int, took: list[int], named: bool, rules: Any, place: str) -> int:
    from hanasolve.koikoi.game import rules as engine

    ways = engine.takes(field, card, rules)
    if named:
        return cards.mask(took)
    if len(ways) > 1:
        choices = " or ".join(format_cards(way) for way in ways)
        raise NotationError(f"{place}: {CODES[card]} can take {choices}: add x and the card")
    return ways[0]


def play_turn(game: Any, rules: Any, turn: Turn) -> None:
    """Do the steps of a turn through the rules engine. Raises IllegalAction."""
    from hanasolve.errors import IllegalAction
    from hanasolve.koikoi.game.rules import DECIDE, DRAW, PLAYERS, Action, apply

    where = f"turn {int(game['turn'])}"
    if turn.player != int(game["mover"]):
        raise IllegalAction(f"{where}: it is {PLAYERS[int(game['mover'])]}'s turn", "wrong_player")
    apply(game, rules, Action("play", turn.card, turn.taken))
    if int(game["phase"]) == DRAW and int(game["drawn"]) < 0:
        game["drawn"] = turn.drawn
    if int(game["drawn"]) != turn.drawn:
        found = CODES[int(game["drawn"])]
        raise IllegalAction(
            f"{where}: the stock card is {found}, not {CODES[turn.drawn]}", "wrong_stock_card"
        )
    apply(game, rules, Action("match", turn.drawn, turn.drawn_taken))
    if int(game["phase"]) == DECIDE and turn.call is not None:
        apply(game, rules, Action("call" if turn.call else "stop"))
