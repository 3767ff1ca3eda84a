"""Deduction against the twin that lists every deal: equal fractions on random small positions."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest

from hanasolve.hanabi.deduction import Deduction
from hanasolve.hanabi.deduction.masks import members
from hanasolve.hanabi.game import from_position
from hanasolve.hanabi.options import Options
from hanasolve.hanabi.records import HeldCard, Position, Told, default_names
from hanasolve.hanabi.variants import Variant, load_variant
from tests.oracles.naive_deduction import Naive

TOUCH_KINDS = [
    "No Variant", "Rainbow (5 Suits)", "White (5 Suits)", "Pink (5 Suits)", "Brown (5 Suits)",
    "Prism (5 Suits)", "Null (5 Suits)", "Omni (5 Suits)", "Black (5 Suits)", "Muddy Rainbow (5 Suits)",
    "Light Pink (5 Suits)", "Rainbow-Ones & Brown (6 Suits)", "Pink-Fives (5 Suits)", "White-Ones (5 Suits)",
    "Omni-Fives (5 Suits)", "Null-Ones (5 Suits)", "Deceptive-Ones (5 Suits)", "Up or Down (5 Suits)",
    "Odds and Evens (5 Suits)", "Synesthesia (5 Suits)", "Funnels (5 Suits)", "Chimneys (5 Suits)",
    "Ambiguous (4 Suits)", "Sudoku (5 Suits)", "White Reversed (5 Suits)", "Critical Fours (5 Suits)",
    "black-powder", "wild+black-powder", "one-of-each",
]


def random_position(rng: random.Random, variant: Variant, sizes: list[int], deck: int) -> Position:
    """Hands of these sizes and a small deck; everything else is discarded or, if it fits, placed."""
    cards = variant.deck_in_order()
    rng.shuffle(cards)
    hidden = sum(sizes) + deck
    gone = Counter(cards[hidden:])
    placed = []
    for suit, order in enumerate(variant.orders):
        stack = []
        base = suit * len(variant.ranks)
        build = {"up": range(5), "down": range(4, -1, -1)}.get(order, range(0))
        for rank in build:
            if not gone[base + rank] or rng.random() < 0.2:
                break
            gone[base + rank] -= 1
            stack.append(base + rank)
        placed.append(tuple(stack))
    clues = [(2, i, mask) for i, mask in enumerate(variant.color_touch)]
    clues += [(3, v, mask) for v, mask in zip(variant.clue_ranks, variant.rank_touch, strict=True)]
    hands, first = [], 0
    for size in sizes:
        told: list[list[Told]] = [[] for _ in range(size)]
        for kind, value, mask in rng.sample(clues, min(len(clues), rng.randint(0, 3))):
            newest = rng.randint(1, size)  # the clue came when only so many of these cards were held
            for i in range(newest):
                told[i].append(Told(kind, value, bool(mask >> cards[first + i] & 1)))
        hands.append(tuple(HeldCard(cards[first + i], tuple(told[i])) for i in range(size)))
        first += size
    players = len(sizes)
    return Position(
        variant, Options(players, hand_size=max(sizes)), default_names(players), 0, tuple(placed),
        tuple(gone.elements()), tuple(hands), tuple(cards[first:hidden]), deck, 4, 0,
    )


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
