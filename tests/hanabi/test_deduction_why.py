"""Explanations: every exclusion has one, its facts suffice, and none of them can be left out."""

from __future__ import annotations

import random

import pytest

from hanasolve.hanabi.deduction import Deduction, View
from hanasolve.hanabi.deduction.masks import members
from hanasolve.hanabi.deduction.matching import assign
from hanasolve.hanabi.deduction.why import Reason, explain
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.records import UNKNOWN, HeldCard, Position, Told, default_names
from hanasolve.hanabi.game.table import from_position
from hanasolve.hanabi.game.variants import load_variant
from tests.oracles.naive_deduction import TOUCH_KINDS, random_position


def excludes(deduction: Deduction, view: View, order: int, identity: int, reason: Reason) -> bool:
    """Whether these facts alone leave no deal in which the card is this identity (holder and public view)."""
    shown = deduction.shown
    orders = view.orders if view.viewer is not None else deduction.all_orders
    masks = []
    for slot in orders:
        mask = (1 << shown.width) - 1
        for told, hint in reason.clues:
            mask &= hint.mask if told == slot else mask
        masks.append(mask & 1 << identity if slot == order else mask)
    left = list(shown.copies)
    for card, _ in reason.copies:
        left[card] -= 1
    return assign(masks, left) is None


def without_one(reason: Reason) -> list[Reason]:
    clues, copies = reason.clues, reason.copies
    return [Reason("", clues[:i] + clues[i + 1 :], copies) for i in range(len(clues))] + [
        Reason("", clues, copies[:i] + copies[i + 1 :]) for i in range(len(copies))
    ]


def size(reason: Reason) -> int:
    return len(reason.clues) + len(reason.copies)


def check(deduction: Deduction, view: View | None) -> int:
    """Check all explanations of a view; the number that need several slots."""
    assert view is not None
    shown, joint = deduction.shown, 0
    for index, order in enumerate(view.orders):
        eliminated = explain(deduction, view, order)
        gone = [elimination.identity for elimination in eliminated]
        assert gone == sorted(set(range(shown.width)) - set(members(view.sets[index])))
        for elimination in eliminated:
            sizes = [size(reason) for reason in elimination.reasons]
            assert sizes == sorted(sizes)
            for reason in elimination.reasons:
                assert excludes(deduction, view, order, elimination.identity, reason)
                for smaller in without_one(reason):
                    assert not excludes(deduction, view, order, elimination.identity, smaller)
            joint += any(told != order for told, _ in elimination.reasons[0].clues)
    return joint


@pytest.mark.parametrize("name", TOUCH_KINDS)
def test_reasons_suffice_and_none_can_be_left_out(name: str) -> None:
    rng = random.Random(name)
    variant = load_variant(name)
    for _ in range(6):
        sizes = rng.choice([[2, 2], [3, 3], [4, 2], [3, 2, 2]])
        deduction = Deduction(from_position(random_position(rng, variant, sizes, rng.randint(0, 4))))
        for seat in deduction.shown.seats:
            check(deduction, deduction.holder(seat))
            check(deduction, deduction.public(seat))
            for viewer in deduction.shown.seats:
                view = deduction.empathy(viewer, seat)
                assert view is not None
                for order in view.orders:
                    assert all(e.reasons for e in explain(deduction, view, order))
            for order in deduction.shown.hands[seat]:
                assert all(e.reasons for e in explain(deduction, deduction.common(seat), order))


def held(card: int, *told: Told) -> HeldCard:
    return HeldCard(card, told)


def test_a_pair_is_explained_by_its_clues() -> None:
    """W4 and W5: two 3s that are not red, yellow or green use up b3 and p3 when the others are located."""
    variant = load_variant("No Variant")
    three = Told(3, 3, True)
    pair = held(UNKNOWN, three, Told(2, 0, False), Told(2, 1, False), Told(2, 2, False))
    hands = ((pair, pair, held(UNKNOWN, three)), (held(variant.names["b3"]),))
    position = Position(
        variant, Options(2), default_names(2), 0, ((),) * 5, (variant.names["p3"],), hands, None, 45, 8, 0
    )
    deduction = Deduction(from_position(position))
    view = deduction.holder(0)
    assert view is not None
    newest = view.orders[-1]
    reasons = {variant.card_name(e.identity): e.reasons for e in explain(deduction, view, newest)}
    told = "touched by 3 and missed by red and missed by yellow and missed by green"
    assert str(reasons["b3"][0]) == (
        f"Alice slots 2, 3 use up b3 p3 (Alice slot 2 {told}; Alice slot 3 {told}; "
        "b3 located: Bob slot 1; p3 located: discard pile)"
    )
    assert [str(reason) for reason in reasons["r4"]] == ["touched by 3"]
