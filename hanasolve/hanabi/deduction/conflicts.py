"""Positions that no deal agrees with: the first kind of conflict found is raised, with a smallest proof.

Kinds, in this order: ``copies`` (more copies located than exist), ``clue-card`` (a known card contradicts a
clue), ``clues`` (clues on one card exclude each other), ``joint`` (several slots need more cards than exist).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from hanasolve.errors import ImpossiblePosition
from hanasolve.hanabi.deduction.masks import copies_in, members
from hanasolve.hanabi.deduction.matching import assign, smallest_conflict
from hanasolve.hanabi.deduction.shown_table import Hint, ShownTable


def check(shown: ShownTable) -> None:
    """Raise ImpossiblePosition if the position contradicts itself."""
    _check_copies(shown)
    held = [order for hand in shown.hands for order in hand]
    for order in held:
        _check_card(shown, order)
    hidden = [order for order in held if shown.deck[order] < 0]
    for order in hidden:
        if shown.fits[order] == 0:
            raise _clues_conflict(shown, order)
    masks, left = [shown.fits[order] for order in hidden], shown.left(shown.seats)
    if hidden and assign(masks, left) is None:
        raise _joint_conflict(shown, hidden, masks, left)


def _check_copies(shown: ShownTable) -> None:
    for identity, left in enumerate(shown.left(shown.seats)):
        if left < 0:
            exist = shown.copies[identity]
            raise ImpossiblePosition(
                f"{shown.variant.card_name(identity)}: {exist - left} copies are located "
                f"({', '.join(located(shown, identity, list(shown.seats)))}), "
                f"{exist} exist{'s' if exist == 1 else ''}",
                "copies",
            )


def located(shown: ShownTable, identity: int, seen: Sequence[int]) -> list[str]:
    """Where copies of an identity can be seen, one text a copy; ``seen`` = seats whose hands count."""
    places = ["fireworks"] * shown.placed[identity] + ["discard pile"] * shown.discarded[identity]
    for seat in seen:
        places += [shown.place(order) for order in shown.hands[seat] if shown.deck[order] == identity]
    return places


def _check_card(shown: ShownTable, order: int) -> None:
    identity = shown.deck[order]
    if identity < 0 or shown.fits[order] >> identity & 1:
        return
    wrong = next(hint for hint in shown.hints(order) if not hint.mask >> identity & 1)
    truth = "misses" if wrong.touched else "touches"
    name = shown.variant.card_name(identity)
    raise ImpossiblePosition(
        f"{shown.place(order)} is {name} but is marked {wrong}: the clue {wrong.name} {truth} {name}",
        "clue-card",
    )


def _clues_conflict(shown: ShownTable, order: int) -> ImpossiblePosition:
    hints = smallest_exclusion(list(shown.hints(order)))
    words = " and ".join(str(hint) for hint in hints)
    return ImpossiblePosition(f"{shown.place(order)}: no card of {shown.variant.name} is {words}", "clues")


def smallest_exclusion(hints: list[Hint], within: int = -1) -> list[Hint]:
    """The fewest of these hints that leave no identity of ``within`` (they must do so all together)."""
    for size in range(1, len(hints) + 1):
        for chosen in combinations(hints, size):
            mask = within
            for hint in chosen:
                mask &= hint.mask
            if mask == 0:
                return list(chosen)
    return hints


def _joint_conflict(
    shown: ShownTable, hidden: list[int], masks: list[int], left: list[int]
) -> ImpossiblePosition:
    slots = smallest_conflict(masks, left)
    union = 0
    for slot in slots:
        union |= masks[slot]
    return ImpossiblePosition(
        f"{group_name(shown, [hidden[slot] for slot in slots])} need{'s' if len(slots) == 1 else ''} "
        f"{len(slots)} card{'' if len(slots) == 1 else 's'}, but by the clues only "
        f"{', '.join(shown.variant.card_name(c) for c in members(union))} fit, "
        f"of which {_left(copies_in(union, left))}{_elsewhere(shown, union)}",
        "joint",
    )


def _left(copies: int) -> str:
    return {0: "no copy is left", 1: "1 copy is left"}.get(copies, f"{copies} copies are left")


def _elsewhere(shown: ShownTable, union: int) -> str:
    """`` (b5: discard pile; p5: Bob slot 2)`` for the copies of these identities that can be seen."""
    texts = []
    for identity in members(union):
        places = located(shown, identity, list(shown.seats))
        if places:
            texts.append(f"{shown.variant.card_name(identity)}: {', '.join(places)}")
    return f" ({'; '.join(texts)})" if texts else ""


def group_name(shown: ShownTable, orders: Sequence[int]) -> str:
    """``Alice slots 1, 2 and Bob slot 4``."""
    parts = []
    for seat in shown.seats:
        slots = sorted(shown.slot(seat, order) for order in orders if order in shown.hands[seat])
        if slots:
            word = "slot" if len(slots) == 1 else "slots"
            parts.append(f"{shown.names[seat]} {word} {', '.join(map(str, slots))}")
    return " and ".join(parts)
