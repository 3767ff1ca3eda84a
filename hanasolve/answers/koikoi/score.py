"""What captured cards are worth: yaku, points, round score, and what is missing for the next yaku."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hanasolve.answers.answer import Answer
from hanasolve.answers.koikoi.reading import one_or_results
from hanasolve.errors import NotationError


@dataclass(frozen=True)
class PileScore:
    """Of one pile. ``yaku``: (name, points, cards); ``missing``: (name, number needed, cards that would do)."""

    cards: list[str]
    yaku: list[tuple[str, int, list[str]]]
    points: int
    doubled_at_seven: bool
    doubled_after_call: bool
    round_score: int
    missing: list[tuple[str, int, list[str]]]

    def fields(self) -> dict[str, Any]:
        return {
            "cards": self.cards,
            "yaku": yaku_fields(self.yaku),
            "points": self.points,
            "doubled_at_seven": self.doubled_at_seven,
            "doubled_after_call": self.doubled_after_call,
            "round_score": self.round_score,
            "missing": [{"name": name, "needed": needed, "cards": cards} for name, needed, cards in self.missing],
        }


@dataclass(frozen=True)
class HandLuck:
    """Whether a dealt hand ends the round: ``teshi`` (four of a month), ``kuttsuki`` (four pairs) or None."""

    hand: list[str]
    lucky: str | None
    points: int

    def fields(self) -> dict[str, Any]:
        return {"hand": self.hand, "lucky": self.lucky, "points": self.points, "round_score": self.points}


@dataclass(frozen=True)
class Scores(Answer):
    """An answer for each list of cards, in their order."""

    schema: ClassVar[str] = "koikoi-score/1"
    results: tuple[PileScore | HandLuck, ...]

    def record(self) -> dict[str, Any]:
        return one_or_results([one.fields() for one in self.results])


def score(
    lists: str | Sequence[str | tuple[str, Sequence[int]]],
    *,
    opponent_called: bool = False,
    hand: bool = False,
    preset: str = "nintendo",
    changes: Mapping[str, object] | None = None,
) -> Scores:
    """The worth of ``lists`` of cards in points: texts such as ``3b 9a``, or (place for errors, card ids 0 to 47).

    ``hand``: dealt hands of 8 cards, are they lucky; otherwise captured cards, whose points double if the
    ``opponent_called`` koi-koi. ``changes``: options on top of the ``preset``. NotationError for what are no cards, or
    twice the same; UnsupportedVariant for unknown options.
    """
    read = [_list(one) for one in ([lists] if isinstance(lists, str) else lists)]
    for place, cards in read:
        if hand and len(cards) != 8:
            raise NotationError(f"{place}: found {len(cards)} cards, expected the 8 of a hand")
    from hanasolve.koikoi.game.cards import mask
    from hanasolve.koikoi.game.rules import make_rules

    rules = make_rules(preset, changes)
    piles = [mask(cards) for _, cards in read]
    return Scores(tuple(_luck(pile, rules) if hand else _worth(pile, opponent_called, rules) for pile in piles))


def _list(one: str | tuple[str, Sequence[int]]) -> tuple[str, Sequence[int]]:
    """(place, card ids) of a list of cards, checked."""
    from hanasolve.koikoi.notation.text import read_cards

    if isinstance(one, str):
        return "cards", read_cards(one)
    place, cards = one
    for index, card in enumerate(cards):
        if not 0 <= card < 48 or card in cards[:index]:
            raise NotationError(f"{place}: found {card}, expected card ids from 0 to 47, each once")
    return place, cards


def _worth(pile: int, opponent_called: bool, rules: Any) -> PileScore:
    from hanasolve.koikoi.game import cards, yaku
    from hanasolve.koikoi.game.scoring import round_score

    points = int(yaku.points(pile, rules))
    return PileScore(
        cards.codes(pile),
        yaku_of(pile, rules),
        points,
        bool(points and rules["double_at"] > 0 and points >= rules["double_at"]),
        bool(points and opponent_called and rules["double_after_call"] == 1),
        int(round_score(pile, points, 0, int(opponent_called), rules)),
        [(entry.name, entry.needed, cards.codes(entry.cards)) for entry in yaku.missing(pile, 0, rules)],
    )


def _luck(hand: int, rules: Any) -> HandLuck:
    from hanasolve.koikoi.game import cards
    from hanasolve.koikoi.game.rules import lucky_points

    points = int(lucky_points(hand, rules)) if rules["lucky_hands"] == 0 else 0
    fours = any(hand >> 4 * month & 15 == 15 for month in range(12))
    return HandLuck(cards.codes(hand), None if points == 0 else "teshi" if fours else "kuttsuki", points)


def yaku_of(pile: int, rules: Any) -> list[tuple[str, int, list[str]]]:
    """(name, points, cards) of every yaku of a pile."""
    from hanasolve.koikoi.game import cards, yaku

    return [(entry.name, entry.points, cards.codes(entry.cards)) for entry in yaku.yaku_list(pile, rules)]


def yaku_fields(found: Sequence[tuple[str, int, list[str]]]) -> list[dict[str, Any]]:
    """The fields of (name, points, cards) of each yaku."""
    return [{"name": name, "points": points, "cards": cards} for name, points, cards in found]
