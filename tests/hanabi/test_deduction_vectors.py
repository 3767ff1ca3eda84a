"""Deduction against tests/data/deduction/vectors.json: published assertions, errors, counted positions.

Hands in the data are listed newest first (slot 1 = first entry), as in tests' ``slot`` numbers.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from hanasolve.errors import ImpossiblePosition
from hanasolve.hanabi.deduction import Count, Deduction, ShownTable, View
from hanasolve.hanabi.game.fireworks import max_score
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.records import UNKNOWN, HeldCard, Position, Told
from hanasolve.hanabi.game.table import Table, from_position
from hanasolve.hanabi.game.variants import Variant, load_variant

DATA = json.loads((Path(__file__).parents[1] / "data/deduction/vectors.json").read_text(encoding="utf-8"))
SEATS = ("Alice", "Bob", "Cathy", "Donald", "Emily")


def told(variant: Variant, clues: dict[str, list[str]]) -> tuple[Told, ...]:
    """The facts of a card. RC-20 names white, which touches nothing in White (5 Suits): no fact."""
    colors = [color.lower() for color in variant.clue_colors]
    return tuple(
        Told(3, int(name), touched) if name.isdecimal() else Told(2, colors.index(name), touched)
        for key, touched in (("touched", True), ("missed", False))
        for name in clues.get(key, [])
        if name.isdecimal() or touched or name in colors
    )


def names_of(entry: dict[str, Any]) -> dict[str, int]:
    """Card names as the data writes them."""
    variant = variant_of(entry)
    letters = entry.get("suits") or list(variant.letters)
    return {f"{letter}{rank}": i * 5 + rank - 1 for i, letter in enumerate(letters) for rank in range(1, 6)}


def variant_of(entry: dict[str, Any]) -> Variant:
    plain = {"Plain five with white suit": "base"}
    return load_variant(plain.get(entry["variant"], entry["variant"]))


def deduce(entry: dict[str, Any], position: dict[str, Any] | None = None) -> Deduction:
    return Deduction(table_of(entry, position))


def table_of(entry: dict[str, Any], position: dict[str, Any] | None = None) -> Table:
    variant, cards = variant_of(entry), names_of(entry)
    shown = entry["position"] if position is None else position
    letters = entry.get("suits") or list(variant.letters)
    placed = []
    for suit, letter in enumerate(letters):
        placed.append(tuple(suit * 5 + rank for rank in range(shown["stacks"].get(letter, 0))))
    hands = []
    for name in SEATS[: max(2, len(shown["hands"]))]:
        hand = [
            HeldCard(UNKNOWN if card["card"] is None else cards[card["card"]], told(variant, card))
            for card in shown["hands"].get(name, [])
        ]
        hands.append(tuple(reversed(hand)))
    used = sum(map(len, placed)) + sum(map(len, hands)) + len(shown["discards"])
    discards = tuple(cards[card] for card in shown["discards"])
    options = Options(len(hands), hand_size=5)
    return from_position(Position(
        variant, options, SEATS[: len(hands)], 0, tuple(placed), discards, tuple(hands),
        None, variant.deck_size - used, 8, 0,
    ))  # fmt: skip


def view_of(deduction: Deduction, check: dict[str, Any]) -> View | None:
    seat = SEATS.index(check["player"])
    if check["view"] == "common":
        return deduction.common(seat)
    viewer = SEATS.index(check["viewer"])
    return deduction.holder(seat) if check["view"] == "holder" else deduction.empathy(viewer, seat)


@pytest.mark.parametrize("entry", DATA["vectors"], ids=lambda entry: entry["id"])
def test_published_assertions(entry: dict[str, Any]) -> None:
    deduction, cards = deduce(entry), names_of(entry)
    for check in entry["checks"]:
        view = view_of(deduction, check)
        assert view is not None
        assert view.kind == check["view"]
        found = view.sets[len(view.sets) - check["slot"]]
        computed = sum(1 << cards[card] for card in check["computed"])
        assert found == computed, entry["why"]
        for card in check.get("include", []):
            assert found >> cards[card] & 1
        for card in check.get("exclude", []):
            assert not found >> cards[card] & 1
        if "exact" in check:
            assert found == sum(1 << cards[card] for card in check["exact"])


@pytest.mark.parametrize("entry", DATA["errors"], ids=lambda entry: entry["id"])
def test_impossible_positions_are_refused(entry: dict[str, Any]) -> None:
    with pytest.raises(ImpossiblePosition) as raised:
        deduce(entry)
    assert raised.value.kind == entry["conflict"]


@pytest.mark.parametrize("entry", DATA["status"], ids=lambda entry: entry["id"])
def test_status_of_identities(entry: dict[str, Any]) -> None:
    cards = names_of(entry)
    deduction = deduce(entry, {"stacks": entry["stacks"], "discards": entry["discards"], "hands": {}})
    shown = deduction.shown
    assert shown.playable == sum(1 << cards[card] for card in entry["playable"])
    assert shown.critical == sum(1 << cards[card] for card in entry["critical"])
    trash = sum(1 << cards[card] for card in entry["trash"])
    assert shown.trash == trash
    assert max_score(shown.table.rules, shown.table.game) == entry["maximum_score"]


# Six positions come from tests of bots and show more copies than exist, so the position is refused; the
# weights in the data count such an identity as used up, and the counting itself must agree with them.
TOO_MANY_COPIES = {"DP-006", "DP-007", "DP-014", "DP-017", "DP-052", "DP-053"}
COUNTED = DATA["computed"] + DATA["derived"]


@pytest.mark.parametrize("name", sorted(TOO_MANY_COPIES))
def test_positions_with_too_many_copies(name: str) -> None:
    entry = next(entry for entry in COUNTED if entry["id"] == name)
    table, cards = table_of(entry), names_of(entry)
    with pytest.raises(ImpossiblePosition) as raised:
        Deduction(table)
    assert raised.value.kind == "copies"
    shown = ShownTable(table)
    for expected in entry["holder_views"]:
        seat = SEATS.index(expected["holder"])
        left = shown.left([other for other in shown.seats if other != seat])
        masks = [shown.fits[order] for order in shown.hands[seat]]
        count = Count(masks, [max(0, copies) for copies in left])
        for slot in expected["slots"]:
            total = sum(slot["weights"].values())
            weights = {cards[card]: Fraction(w, total) for card, w in slot["weights"].items()}
            assert count.marginals[len(masks) - slot["slot"]] == weights


POSSIBLE = [entry for entry in COUNTED if entry["id"] not in TOO_MANY_COPIES]


@pytest.mark.parametrize("entry", POSSIBLE, ids=lambda entry: entry["id"])
def test_counted_positions(entry: dict[str, Any]) -> None:
    deduction, cards = deduce(entry), names_of(entry)
    shown = deduction.shown
    for expected in entry["holder_views"]:
        seat = SEATS.index(expected["holder"])
        view, count = deduction.holder(seat), deduction.count(seat)
        assert view is not None
        for slot in expected["slots"]:
            index, total = len(view.sets) - slot["slot"], sum(slot["weights"].values())
            weights = {cards[card]: Fraction(w, total) for card, w in slot["weights"].items()}
            assert view.marginals[index] == weights
            assert view.sets[index] == sum(1 << card for card in weights)
            assert total == expected["total_weight"]
            assert count.total % total == 0
            for word in ("playable", "trash", "critical"):
                assert view.chance(index, getattr(shown, word)) == Fraction(slot[word]), word
    for expected in entry.get("empathy", []):
        seat, viewer = SEATS.index(expected["player"]), SEATS.index(expected["viewer"])
        view = deduction.empathy(viewer, seat)
        assert view is not None
        assert view.sets[::-1] == [sum(1 << cards[c] for c in cs) for cs in expected["slots"]]
    for name, slots in entry.get("public_counting", {}).items():
        found = deduction.public(SEATS.index(name)).sets[::-1]
        assert found == [sum(1 << cards[card] for card in cards_of_slot) for cards_of_slot in slots]
