"""Deduction against the twin that lists every deal: equal fractions on random small positions."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from hanasolve.hanabi.deduction import Deduction
from hanasolve.hanabi.deduction.masks import members
from hanasolve.hanabi.deduction.why import explain
from hanasolve.hanabi.game.records import UNKNOWN, Position
from hanasolve.hanabi.game.table import from_position
from hanasolve.hanabi.game.variants import load_variant
from tests.oracles.naive_deduction import TOUCH_KINDS, Naive, random_position


def agree(position: Position, empathy: bool) -> None:
    deduction, naive = Deduction(from_position(position)), Naive(position)
    seats = range(len(position.hands))
    public, common = naive.public(), naive.common()
    first = 0
    for seat in seats:
        views = [(deduction.holder(seat), naive.holder(seat))]
        size = len(position.hands[seat])
        views.append((deduction.public(seat), public[first : first + size]))
        views.append((deduction.common(seat), common[first : first + size]))
        first += size
        if empathy:
            views += [(deduction.empathy(q, seat), naive.empathy(q, seat)) for q in seats if q != seat]
            views.append((deduction.empathy(seat, seat), naive.holder(seat)))
        for view, rows in views:
            assert view is not None
            assert view.marginals == rows, (view.kind, view.viewer, seat, position)
            assert [list(members(mask)) for mask in view.sets] == [sorted(row) for row in rows]
        count, deals = deduction.count(seat), naive.holder_deals(seat)
        assert (count.total, count.assignments) == (len(deals), len(set(deals)))
    assert deduction.common(0).kind == "common"


def compare(name: str, small: int, larger: int) -> None:
    rng = random.Random(f"{name} {small}")
    variant = load_variant(name)
    for _ in range(small):
        sizes = rng.choice([[2, 2], [1, 2], [2, 1, 1], [3, 1], [1, 1, 1]])
        agree(random_position(rng, variant, sizes, rng.randint(0, 3)), empathy=True)
    for _ in range(larger):
        sizes = rng.choice([[3, 3], [4, 2], [2, 2, 2]])
        agree(random_position(rng, variant, sizes, rng.randint(0, 1)), empathy=False)


@pytest.mark.parametrize("name", TOUCH_KINDS)
def test_every_touch_kind_agrees_with_listing_all_deals(name: str) -> None:
    compare(name, 20, 3)


def open_position(rng: random.Random, position: Position) -> tuple[Position, list[tuple[int, int]]]:
    """The position with the first hand and some cards of the others left open; and which of the others."""
    slots = [(seat, i) for seat, hand in enumerate(position.hands) if seat for i in range(len(hand))]
    chosen = rng.sample(slots, rng.randint(1, min(3, len(slots))))
    hands = [list(hand) for hand in position.hands]
    for seat, i in [*((0, i) for i in range(len(hands[0]))), *chosen]:
        hands[seat][i] = replace(hands[seat][i], identity=UNKNOWN)
    return replace(position, hands=tuple(map(tuple, hands)), deck=None), sorted(chosen)


def agree_open(rng: random.Random, position: Position) -> None:
    shown, chosen = open_position(rng, position)
    deduction, naive = Deduction(from_position(shown)).ask(0), Naive(position)
    for seat in range(len(position.hands)):
        view, rows = deduction.empathy(0, seat), naive.asked(0, seat, chosen)
        assert view is not None
        assert view.marginals == rows, (seat, chosen, position)
        assert [list(members(mask)) for mask in view.sets] == [sorted(row) for row in rows]
        for order in view.orders:
            explain(deduction, view, order)  # every identity that is excluded has a reason


@pytest.mark.parametrize("name", ["No Variant", "Rainbow (5 Suits)", "Up or Down (5 Suits)", "Sudoku (5 Suits)"])
def test_cards_that_nobody_knows_agree_with_listing_all_deals(name: str) -> None:
    rng = random.Random(f"open {name}")
    variant = load_variant(name)
    for _ in range(40):
        sizes = rng.choice([[2, 2], [1, 3], [2, 1, 1], [1, 2, 1], [1, 1, 2]])
        agree_open(rng, random_position(rng, variant, sizes, rng.randint(0, 2)))


@pytest.mark.slow
@pytest.mark.parametrize("name", TOUCH_KINDS)
def test_many_positions_of_every_touch_kind(name: str) -> None:
    compare(name, 250, 50)


def test_joint_queries_agree_with_listing_all_deals() -> None:
    rng = random.Random(5)
    for _ in range(150):
        variant = load_variant(rng.choice(TOUCH_KINDS))
        position = random_position(rng, variant, [rng.randint(2, 4), 1], rng.randint(0, 3))
        deals = Naive(position).holder_deals(0)
        count = Deduction(from_position(position)).count(0)
        a, b = rng.sample(range(len(position.hands[0])), 2)

        def sum_is_odd(x: int, y: int) -> bool:
            return (x + y) % 2 == 1

        hits = sum(sum_is_odd(deal[a], deal[b]) for deal in deals)
        assert count.probability([a, b], sum_is_odd) == Fraction(hits, len(deals))
        wanted = {a: rng.getrandbits(len(variant.copies)), b: rng.getrandbits(len(variant.copies))}
        hits = sum(all(mask >> deal[i] & 1 for i, mask in wanted.items()) for deal in deals)
        assert count.chance(wanted) == Fraction(hits, len(deals))
        known = rng.choice(deals)[a]
        left = [deal for deal in deals if deal[a] == known]
        assert count.given({a: 1 << known}).total == len(left)
