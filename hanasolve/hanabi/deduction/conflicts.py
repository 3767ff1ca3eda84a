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
from hanasolve.hanabi.deduction.shown_table import Hint, Scene


def check(scene: Scene) -> None:
    """Raise ImpossiblePosition if the position contradicts itself."""
    _check_copies(scene)
    held = [order for hand in scene.hands for order in hand]
    for order in held:
        _check_card(scene, order)
    hidden = [order for order in held if scene.deck[order] < 0]
    for order in hidden:
        if scene.fits[order] == 0:
            raise _clues_conflict(scene, order)
    masks, left = [scene.fits[order] for order in hidden], scene.left(scene.seats)
    if hidden and assign(masks, left) is None:
        raise _joint_conflict(scene, hidden, masks, left)


def _check_copies(scene: Scene) -> None:
    for identity, left in enumerate(scene.left(scene.seats)):
        if left < 0:
            exist = scene.copies[identity]
            raise ImpossiblePosition(
                f"{scene.variant.card_name(identity)}: {exist - left} copies are located "
                f"({', '.join(located(scene, identity, list(scene.seats)))}), "
                f"{exist} exist{'s' if exist == 1 else ''}",
                "copies",
            )


def located(scene: Scene, identity: int, shown: Sequence[int]) -> list[str]:
    """Where copies of an identity can be seen, one text a copy; ``shown`` = seats whose hands count."""
    places = ["fireworks"] * scene.placed[identity] + ["discard pile"] * scene.discarded[identity]
    for seat in shown:
        places += [scene.place(order) for order in scene.hands[seat] if scene.deck[order] == identity]
    return places


def _check_card(scene: Scene, order: int) -> None:
    identity = scene.deck[order]
    if identity < 0 or scene.fits[order] >> identity & 1:
        return
    wrong = next(hint for hint in scene.hints(order) if not hint.mask >> identity & 1)
    truth = "misses" if wrong.touched else "touches"
    name = scene.variant.card_name(identity)
    raise ImpossiblePosition(
        f"{scene.place(order)} is {name} but is marked {wrong}: the clue {wrong.name} {truth} {name}",
        "clue-card",
    )


def _clues_conflict(scene: Scene, order: int) -> ImpossiblePosition:
    hints = smallest_exclusion(list(scene.hints(order)))
    words = " and ".join(str(hint) for hint in hints)
    return ImpossiblePosition(f"{scene.place(order)}: no card of {scene.variant.name} is {words}", "clues")


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
    scene: Scene, hidden: list[int], masks: list[int], left: list[int]
) -> ImpossiblePosition:
    slots = smallest_conflict(masks, left)
    union = 0
    for slot in slots:
        union |= masks[slot]
    return ImpossiblePosition(
        f"{group_name(scene, [hidden[slot] for slot in slots])} need{'s' if len(slots) == 1 else ''} "
        f"{len(slots)} card{'' if len(slots) == 1 else 's'}, but by the clues only "
        f"{', '.join(scene.variant.card_name(c) for c in members(union))} fit, "
        f"of which {_left(copies_in(union, left))}{_elsewhere(scene, union)}",
        "joint",
    )


def _left(copies: int) -> str:
    return {0: "no copy is left", 1: "1 copy is left"}.get(copies, f"{copies} copies are left")


def _elsewhere(scene: Scene, union: int) -> str:
    """`` (b5: discard pile; p5: Bob slot 2)`` for the copies of these identities that can be seen."""
    texts = []
    for identity in members(union):
        places = located(scene, identity, list(scene.seats))
        if places:
            texts.append(f"{scene.variant.card_name(identity)}: {', '.join(places)}")
    return f" ({'; '.join(texts)})" if texts else ""


def group_name(scene: Scene, orders: Sequence[int]) -> str:
    """``Alice slots 1, 2 and Bob slot 4``."""
    parts = []
    for seat in scene.seats:
        slots = sorted(scene.slot(seat, order) for order in orders if order in scene.hands[seat])
        if slots:
            word = "slot" if len(slots) == 1 else "slots"
            parts.append(f"{scene.names[seat]} {word} {', '.join(map(str, slots))}")
    return " and ".join(parts)
