"""Why a card cannot be something: for each excluded identity the facts that exclude it, fewest first.

A fact is one clue on one card or one located copy (fireworks, discard pile, a hand that the view shows).
Three kinds of reasons, and no shorter reason exists than the first of these that applies: one clue on the
card itself; all copies located; other slots that use up what is left. For the last kind the smallest set of
clues and copies is searched for. Such a set makes some slots hold every copy of their identities, so only
slots of the tight group and only clues that keep them within it can belong to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from hanasolve.hanabi.deduction.conflicts import group_name, located
from hanasolve.hanabi.deduction.masks import copies_in, fold, members
from hanasolve.hanabi.deduction.matching import assign, holding_group, tight_slots
from hanasolve.hanabi.deduction.shown_table import Hint, ShownTable
from hanasolve.hanabi.deduction.views import Deduction, View


@dataclass(frozen=True)
class Reason:
    """A set of facts that suffices, and how it is told.

    ``clues``: (order of the card, clue); ``copies``: (identity, where it is) for each located copy.
    """

    text: str
    clues: tuple[tuple[int, Hint], ...] = ()
    copies: tuple[tuple[int, str], ...] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Elimination:
    """An identity that a card cannot be, and the reasons, each sufficient, smallest first."""

    identity: int
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class _Others:
    """The hidden slots beside the explained one, as a view counts them.

    In the empathy view there are two pools of identities: the viewer's slots (``narrow``) draw from the first
    only, the holder's from both. ``copies`` covers all pools, each ``width`` identities wide.
    """

    width: int
    orders: list[int]
    narrow: list[bool]
    copies: list[int]

    def wide(self, mask: int) -> int:
        """A set of identities, over all pools."""
        return mask if len(self.copies) == self.width else mask | mask << self.width

    def mask(self, slot: int, mask: int) -> int:
        return mask if self.narrow[slot] else self.wide(mask)


def explain(deduction: Deduction, view: View, order: int) -> list[Elimination]:
    """All identities of the variant that ``view`` excludes for a card of its hand, with reasons."""
    shown = deduction.shown
    seen = _seats_seen(shown, view)
    left = shown.left(seen)
    others = _others(deduction, view, order)
    possible = view.sets[view.orders.index(order)]
    found = []
    for identity in range(shown.width):
        if possible >> identity & 1:
            continue
        hints = [hint for hint in shown.hints(order) if not hint.mask >> identity & 1]
        reasons = [Reason(str(hint), ((order, hint),)) for hint in hints]
        if left[identity] == 0:
            reasons.append(_all_located(shown, identity, seen))
        if not reasons:
            used = _used_up(shown, others, identity, view)
            reasons.append(used or (_open(shown, view) if view.viewer is not None else _share(deduction, view, order)))
        found.append(Elimination(identity, tuple(reasons)))
    return found


def _seats_seen(shown: ShownTable, view: View) -> list[int]:
    """Seats whose cards the view counts as seen by the holder."""
    if view.viewer is None:
        return []
    return [seat for seat in shown.seats if seat not in (view.seat, view.viewer)]


def _all_located(shown: ShownTable, identity: int, seen: Sequence[int]) -> Reason:
    places = located(shown, identity, seen)
    count = {1: "the only copy is", 2: "both copies are"}.get(len(places), f"all {len(places)} copies are")
    return Reason(f"{count} located: {', '.join(places)}", (), tuple((identity, place) for place in places))


def _others(deduction: Deduction, view: View, order: int) -> _Others:
    shown = deduction.shown
    width = shown.width
    if view.viewer is None:
        orders = [o for hand in shown.hands for o in hand if o != order]
        return _Others(width, orders, [False] * len(orders), shown.left())
    unseen = shown.left([seat for seat in shown.seats if seat != view.viewer])
    theirs = shown.hands[view.viewer]
    mine = [*shown.hands[view.seat], *deduction.open_cards(view.viewer)]
    mine = [o for o in dict.fromkeys(mine) if o != order]
    real = [0] * width
    for card in shown.cards(view.seat):
        if card >= 0:
            real[card] += 1
    if view.viewer == view.seat or not any(real):  # the viewer knows none of these cards himself
        orders = [o for o in dict.fromkeys([*theirs, *mine]) if o != order]
        return _Others(width, orders, [False] * len(orders), unseen)
    narrow = [True] * len(theirs) + [False] * len(mine)
    return _Others(width, [*theirs, *mine], narrow, unseen + real)


# -------------------------------------------------------------------------- slots that use up the copies

Hints = tuple[Hint, ...]
Option = tuple[int, Hints]  # a set over all pools, and the fewest clues that leave no more than it
Choice = list[tuple[int, Hints]]  # slots that take part, and their clues

_SMALL_GROUP = 6  # up to this many slots every subset is searched
_NODES = 8_000


def _used_up(shown: ShownTable, others: _Others, identity: int, view: View) -> Reason | None:
    """Other slots that hold every copy of ``identity`` that is left, by the fewest clues and copies."""
    masks = [others.mask(i, shown.fits[order]) for i, order in enumerate(others.orders)]
    cards = assign(masks, others.copies)
    assert cards is not None, "the position is consistent"
    tight = tight_slots(masks, others.copies, cards)
    target = others.wide(1 << identity)
    inside = sum({1 << c for slot in tight for c in members(masks[slot])})
    if copies_in(target & ~inside, others.copies):
        return None
    smallest = holding_group(masks, others.copies, cards, target)
    core = sum({1 << c for slot in smallest for c in members(masks[slot])}) | target
    first, union = [], target
    for slot in smallest:
        mask, hints = min(_options(shown, others, slot, core), key=lambda option: len(option[1]))
        first.append((slot, hints))
        union |= mask
    slots = tight if len(tight) <= _SMALL_GROUP else smallest
    choices = [(slot, _options(shown, others, slot, inside)) for slot in slots]
    chosen, union = _search(shown, others, choices, target, (first, union))
    return _tell(shown, others, chosen, union, view)


def _options(shown: ShownTable, others: _Others, slot: int, inside: int) -> list[Option]:
    """For each set with copies only in ``inside`` the fewest clues on the slot that leave no more than it."""
    hints = list(shown.hints(others.orders[slot]))
    best: dict[int, Hints] = {}
    full = (1 << shown.width) - 1
    for size in range(len(hints) + 1):
        for chosen in combinations(hints, size):
            mask = full
            for hint in chosen:
                mask &= hint.mask
            spread = others.mask(slot, mask)
            if not copies_in(spread & ~inside, others.copies):
                best.setdefault(spread, chosen)
    return list(best.items())


def _search(
    shown: ShownTable,
    others: _Others,
    slots: list[tuple[int, list[Option]]],
    target: int,
    first: tuple[Choice, int],
) -> tuple[Choice, int]:
    """Branch and bound over which slots take part and by which clues; cost = clues + located copies.

    Every copy that exists of the identities concerned is located or held by a slot that takes part.
    """
    exist = [*shown.copies, *[0] * (len(others.copies) - shown.width)]
    best = first
    best_cost = sum(len(hints) for _, hints in first[0]) + copies_in(first[1], exist) - len(first[0])
    stack: list[tuple[int, Choice, int, int]] = [(0, [], target, 0)]
    for _ in range(_NODES):
        if not stack:
            break
        at, chosen, union, clues = stack.pop()
        cost = clues + copies_in(union, exist) - len(chosen)
        if cost - (len(slots) - at) >= best_cost:
            continue
        if copies_in(union, others.copies) <= len(chosen) and cost < best_cost:
            best, best_cost = (chosen, union), cost
        if at < len(slots):
            slot, options = slots[at]
            stack.append((at + 1, chosen, union, clues))
            for mask, hints in options:
                stack.append((at + 1, [*chosen, (slot, hints)], union | mask, clues + len(hints)))
    return best


def _tell(shown: ShownTable, others: _Others, chosen: Choice, union: int, view: View) -> Reason:
    name, width = shown.variant.card_name, shown.width
    chosen = sorted(chosen, key=lambda pick: shown.position_of(others.orders[pick[0]]))
    orders = [others.orders[slot] for slot, _ in chosen]
    facts = [
        f"{shown.place(order)} {' and '.join(map(str, hints))}"
        for order, (_, hints) in zip(orders, chosen, strict=True)
        if hints
    ]
    held, copies = [], []
    for identity in members(fold(union, width)):
        seen = _seats_seen(shown, view)
        if len(others.copies) > width and not union >> (width + identity) & 1:
            seen.append(view.seat)  # used by the viewer's slots only, and he sees the holder's cards
        places = located(shown, identity, seen)
        if places:
            facts.append(f"{name(identity)} located: {', '.join(places)}")
            copies += [(identity, place) for place in places]
        if copies_in(union & others.wide(1 << identity), others.copies):
            held.append(name(identity))
    verb = "uses" if len(chosen) == 1 else "use"
    text = f"{group_name(shown, orders)} {verb} up {' '.join(held)} ({'; '.join(facts)})"
    clues = tuple((orders[i], hint) for i, (_, hints) in enumerate(chosen) for hint in hints)
    return Reason(text, clues, tuple(copies))


def _open(shown: ShownTable, view: View) -> Reason:
    """Where cards of other hands are unknown to all: no single group of slots need say it."""
    return Reason(f"no deal of the cards that {shown.names[view.viewer or 0]} does not know leaves a copy")


def _share(deduction: Deduction, view: View, order: int) -> Reason:
    """Common knowledge only: everybody knows which cards of a used-up group each hand holds."""
    shown, orders, cards = deduction.shown, deduction.all_orders, deduction.a_deal
    public = deduction.public_count
    group = holding_group(public.sets, public.copies, cards, 1 << cards[orders.index(order)])
    name = shown.variant.card_name
    mine = " ".join(name(cards[i]) for i in group if orders[i] in view.orders)
    return Reason(
        f"{group_name(shown, [orders[i] for i in group])} use up {' '.join(name(cards[i]) for i in group)}; "
        f"each player sees the others' part, so it is common knowledge that {shown.names[view.seat]} holds "
        f"{mine} of these"
    )
