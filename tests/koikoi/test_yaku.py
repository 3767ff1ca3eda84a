"""Yaku and points: recorded cases, the naive scorer under every option, and what must always hold."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanasolve.answers.koikoi.score import HandLuck, score
from hanasolve.koikoi.game import cards, rules, scoring, yaku
from tests.koikoi.koikoi_data import load
from tests.oracles import koikoi_naive as naive

CASES = load("yaku_cases")
PILES = st.sets(st.integers(0, 47)).map(cards.mask)
# Our options with the naive scorer's names for them.
OPTIONS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"cup": "animal"}, {"cup_plain": False}),
    ({"rain_viewing": "cancel"}, {"rain_cancels": True}),
    ({"red_blue": "sum"}, {"sum_red_blue": True}),
    ({"stack_sets": True}, {"stack": True}),
    ({"stack_sets": True, "red_blue": "sum"}, {"stack": True, "sum_red_blue": True}),
]


@pytest.mark.parametrize("case", CASES["yaku"] + CASES["random"], ids=lambda case: str(case.get("name", "")))
def test_recorded_case(case: dict[str, Any], nintendo: Any) -> None:
    pile = cards.mask(case["cards"])
    found = {entry.name: entry.points for entry in yaku.yaku_list(pile, nintendo)}
    assert found == case["yaku"]
    assert yaku.points(pile, nintendo) == case["points"]


@pytest.mark.parametrize("case", CASES["initial_hands"], ids=lambda case: case["name"])
def test_lucky_hand(case: dict[str, Any]) -> None:
    (found,) = score([("cards", cards.cards_of(cards.mask(case["hand"])))], hand=True).results
    assert isinstance(found, HandLuck)
    assert (found.lucky, found.points) == (case["kind"], case["points"])


@pytest.mark.parametrize("case", CASES["multipliers"])
def test_round_score(case: dict[str, Any], nintendo: Any) -> None:
    calls = int(case["opponent_called_koikoi"])
    assert scoring.round_score(0, case["points"], 0, calls, nintendo) == case["round_score"]


@pytest.mark.parametrize("case", CASES["captures"], ids=lambda case: case["name"])
def test_captures(case: dict[str, Any], nintendo: Any) -> None:
    field, card = cards.mask(case["field"]), case["card"]
    found = [
        {
            "field": cards.cards_of(rules.field_after(field, card, taken)),
            "captured": cards.cards_of(rules.pile_after(0, card, taken)),
        }
        for taken in rules.takes(field, card, nintendo)
    ]
    assert found == case["results"]


@pytest.mark.parametrize(("options", "naive_options"), OPTIONS, ids=str)
def test_naive_scorer_agrees(options: dict[str, Any], naive_options: dict[str, Any]) -> None:
    record = rules.make_rules("nintendo", options)
    chosen = naive.DEFAULTS | naive_options
    source = random.Random(5)
    for _ in range(1500):
        pile = set(source.sample(range(48), source.randint(0, 40)))
        bits = cards.mask(pile)
        found = {entry.name: entry.points for entry in yaku.yaku_list(bits, record)}
        assert found == naive.yaku(pile, chosen)
        assert sum(found.values()) == yaku.points(bits, record)


@given(PILES, st.integers(0, 47))
def test_points_never_decrease(pile: int, card: int) -> None:
    record = rules.make_rules()
    assert yaku.points(pile | 1 << card, record) >= yaku.points(pile, record)


@given(PILES)
def test_equal_plains_count_the_same(pile: int) -> None:
    record = rules.make_rules()
    for card in cards.cards_of(pile):
        for twin in cards.cards_of(cards.twins_of(card) & ~pile):
            swapped = pile & ~(1 << card) | 1 << twin
            assert yaku.points(swapped, record) == yaku.points(pile, record)


def test_all_cards_are_61_points(nintendo: Any) -> None:
    assert yaku.points(cards.ALL_CARDS, nintendo) == 61  # rules-koikoi.md, section 1.3


@given(PILES, PILES)
def test_missing_cards_bring_points(pile: int, gone: int) -> None:
    record = rules.make_rules()
    gone &= ~pile
    for entry in yaku.missing(pile, gone, record):
        full = pile | cards.mask(entry.cards[: entry.needed])
        assert yaku.points(full, record) > yaku.points(pile, record)
        assert not cards.mask(entry.cards) & gone


def test_doubling_options() -> None:
    once = rules.make_rules("nintendo", {"double_combine": "once"})
    assert [scoring.round_score(0, 8, 0, calls, once) for calls in (0, 1)] == [16, 16]
    off = rules.make_rules("nintendo", {"double_at": 0, "double_after_call": False})
    assert scoring.round_score(0, 8, 0, 1, off) == 8
