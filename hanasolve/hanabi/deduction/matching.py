"""Which identities each hidden slot can hold: bipartite matching with capacities, on bit masks.

``masks[i]`` is the set of identities slot i may hold by its clues, ``copies[c]`` how often identity c may be
used in all. An identity is possible for a slot if some assignment of *all* slots uses it there; nothing is
eliminated by rules of thumb.
"""

from __future__ import annotations

from collections.abc import Sequence

from hanasolve.hanabi.deduction.masks import copies_in, members


def assign(masks: Sequence[int], copies: Sequence[int]) -> list[int] | None:
    """Some identity for every slot within the copies that exist, or None if there is no assignment."""
    cards: list[int] = [-1] * len(masks)
    load = [0] * len(copies)
    for slot in range(len(masks)):
        if not _augment(slot, masks, copies, cards, load):
            return None
    return cards


def _augment(
    slot: int, masks: Sequence[int], copies: Sequence[int], cards: list[int], load: list[int]
) -> bool:
    """Give ``slot`` a card, moving others along a shortest alternating path where that is needed."""
    seen = 0
    wanted_by: dict[int, int] = {}
    queue = [slot]
    for asking in queue:
        for identity in members(masks[asking] & ~seen):
            seen |= 1 << identity
            wanted_by[identity] = asking
            if load[identity] < copies[identity]:
                load[identity] += 1
                while True:
                    taker = wanted_by[identity]
                    given_up, cards[taker] = cards[taker], identity
                    if taker == slot:
                        return True
                    identity = given_up
            queue.extend(other for other, card in enumerate(cards) if card == identity)
    return False


def _freed(good: int, pairs: list[tuple[int, int]]) -> int:
    """Identities of which a copy can be made free: ``good``, and what a slot holds that can move to one."""
    changed = True
    while changed:
        changed = False
        for mask, held in pairs:
            if not held & good and mask & good:
                good |= held
                changed = True
    return good


def possible_sets(masks: Sequence[int], copies: Sequence[int]) -> list[int] | None:
    """For each slot the set of identities it has in some assignment; None if there is no assignment."""
    cards = assign(masks, copies)
    if cards is None:
        return None
    good, pairs = _free_to_move(masks, copies, cards)
    sets = []
    for mask, held in pairs:
        # A slot that can move gives its own copy back anyway, so one closure serves all of these.
        reach = good if mask & good else _freed(good | held, pairs)
        sets.append(mask & reach)
    return sets


def tight_slots(masks: Sequence[int], copies: Sequence[int], cards: Sequence[int]) -> list[int]:
    """The largest group of slots that uses up every copy of the identities it may hold.

    ``cards`` is any assignment; the group does not depend on which.
    """
    good, _ = _free_to_move(masks, copies, cards)
    return [slot for slot, mask in enumerate(masks) if not mask & good]


def holding_group(
    masks: Sequence[int], copies: Sequence[int], cards: Sequence[int], wanted: int
) -> list[int]:
    """The smallest tight group that holds every copy of ``wanted`` (available only inside a tight group)."""
    union, slots = wanted, set[int]()
    while True:
        more = {slot for slot, card in enumerate(cards) if union >> card & 1}
        if more == slots:
            return sorted(slots)
        slots = more
        for slot in slots:
            union |= sum(1 << c for c in members(masks[slot]) if copies[c])


def _free_to_move(
    masks: Sequence[int], copies: Sequence[int], cards: Sequence[int]
) -> tuple[int, list[tuple[int, int]]]:
    left = list(copies)
    for card in cards:
        left[card] -= 1
    spare = 0
    for identity, count in enumerate(left):
        if count > 0:
            spare |= 1 << identity
    pairs = [(mask, 1 << card) for mask, card in zip(masks, cards, strict=True)]
    return _freed(spare, pairs), pairs


def smallest_conflict(masks: Sequence[int], copies: Sequence[int]) -> list[int]:
    """Slots with fewer copies in the union of their sets than slots, none of which can be left out.

    For masks that have no assignment. Slots are added until the matching fails; then they are dropped one by
    one while the conflict stays.
    """
    slots: list[int] = []
    for slot in range(len(masks)):
        slots.append(slot)
        if assign([masks[i] for i in slots], copies) is None:
            break
    for slot in list(slots):
        rest = [i for i in slots if i != slot]
        if rest and assign([masks[i] for i in rest], copies) is None:
            slots = rest
    union = 0
    for slot in slots:
        union |= masks[slot]
    assert copies_in(union, copies) < len(slots)
    return slots
