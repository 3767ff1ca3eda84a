"""The three views of a hand: what its holder, a partner and everybody can know about its cards.

*Holder* H(p): p sees the fireworks, the discard pile and all other hands. *Empathy* E(q, p): what q knows
that p can exclude; the union of H(p) over the hands that q may hold. *Common* C(p): what is common knowledge.
*Public counting*: what follows from fireworks, discard pile and clues alone, a superset of common.
A view that needs cards the table does not show (a position file hides the own hand) is None; only for the player who
asks (``ask``) do the cards that he sees and the table leaves open count as unknown to all.

Always H(p) within E(q, p) within C(p) within public counting within the set the clues leave.

**Common knowledge in closed form.** Two deals are linked if they differ in one player's hand; common
knowledge is what holds in all deals linked to the real one, step by step. Outside the *tight* group (the
largest set of slots that uses up every copy of its identities) cards can be exchanged one by one with copies
that are left over, so every publicly possible deal is linked. Inside it a player who sees the rest of the
group sees which cards are his: no step changes anybody's share, only its order. So C of a tight slot is
counted with the cards its holder really has of the group, and no deals have to be listed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from hanasolve.errors import HanasolveError
from hanasolve.hanabi.deduction import conflicts
from hanasolve.hanabi.deduction.averaging import expected_marginals
from hanasolve.hanabi.deduction.counting import Count
from hanasolve.hanabi.deduction.masks import fold
from hanasolve.hanabi.deduction.matching import assign, tight_slots
from hanasolve.hanabi.deduction.shown_table import HintTurns, ShownTable
from hanasolve.hanabi.game.table import Table

Marginals = list[dict[int, Fraction]]


@dataclass
class View:
    """What one view says about one hand. Lists are by hand index, oldest card first.

    ``kind``: holder, empathy, common or public; ``viewer``: the seat that computes it, None for everybody.
    """

    kind: str
    seat: int
    viewer: int | None
    orders: list[int]
    sets: list[int]
    _probabilities: Callable[[], Marginals]

    @cached_property
    def marginals(self) -> Marginals:
        """Exact probability of every possible identity, card by card.

        Holder: as the holder must judge. Empathy: the probability q expects p to give it, averaged over the
        hands q may hold. Common and public: as somebody judges who has only that knowledge.
        """
        return self._probabilities()

    def chance(self, index: int, mask: int) -> Fraction:
        """Probability that a card is one of a set of identities."""
        return sum((p for c, p in self.marginals[index].items() if mask >> c & 1), Fraction(0))


class Deduction:
    """All views of one position. ImpossiblePosition if no deal agrees with it.

    ``turns`` (from ``hint_turns``) only serves explanations.
    """

    def __init__(self, table: Table, turns: HintTurns | None = None) -> None:
        self.shown = ShownTable(table, turns)
        conflicts.check(self.shown)
        self._counts: dict[int, Count] = {}
        self._asks: int | None = None

    def ask(self, seat: int) -> Deduction:
        """The same, with a player who asks although the table leaves open cards that he sees."""
        self._asks = seat
        return self

    def open_cards(self, seat: int) -> list[int]:
        """The orders of the cards in other hands that the table leaves open, by seat and oldest first."""
        others = [other for other in self.shown.seats if other != seat]
        return [order for other in others for order in self.shown.hands[other] if self.shown.deck[order] < 0]

    def view(self, kind: str, viewer: int, seat: int) -> View | None:
        """``holder``, ``empathy`` (of ``viewer``) or ``common``, by its name."""
        if kind == "holder":
            return self.holder(seat)
        return self.empathy(viewer, seat) if kind == "empathy" else self.common(seat)

    def seen_by(self, viewer: int, seat: int) -> list[int]:
        """The cards of a hand as far as a player knows them, -1 for the others; oldest first."""
        if seat != viewer:
            return self.shown.cards(seat)
        own = len(self.shown.hands[seat])
        if not self.sees_all(viewer):
            return [-1] * own
        return [mask.bit_length() - 1 if mask.bit_count() == 1 else -1 for mask in self.count(viewer).sets[:own]]

    # --- holder ------------------------------------------------------------------------------------------

    def sees_all(self, seat: int) -> bool:
        """Whether the table shows every card this player sees, or he asks without them."""
        return seat == self._asks or not self.open_cards(seat)

    def count(self, seat: int) -> Count:
        """The deals of a player's own hand that he holds possible: for totals and joint queries.

        Slots are hand indices, oldest card first; behind them those of ``open_cards``. Needs ``sees_all(seat)``.
        """
        if seat not in self._counts:
            if not self.sees_all(seat):
                raise HanasolveError(
                    f"what {self.shown.names[seat]} can know depends on cards that the position does not show"
                )
            others = [other for other in self.shown.seats if other != seat]
            masks = [self.shown.fits[order] for order in [*self.shown.hands[seat], *self.open_cards(seat)]]
            self._counts[seat] = Count(masks, self.shown.left(others))
        return self._counts[seat]

    def holder(self, seat: int) -> View | None:
        """What a player can exclude about his own cards."""
        if not self.sees_all(seat):
            return None
        return self._counted("holder", seat, seat)

    def _counted(self, kind: str, viewer: int, seat: int) -> View:
        """A hand of which the viewer knows no card, as he judges it."""
        count, orders = self.count(viewer), self.shown.hands[seat]
        places = [*self.shown.hands[viewer], *self.open_cards(viewer)]
        slots = [places.index(order) for order in orders]
        sets = [count.sets[slot] for slot in slots]
        return View(kind, seat, viewer, orders, sets, lambda: [count.marginals[slot] for slot in slots])

    # --- empathy -----------------------------------------------------------------------------------------

    def empathy(self, viewer: int, seat: int) -> View | None:
        """What ``viewer`` knows that ``seat`` can exclude.

        Sets: the viewer's slots draw from the cards that he does not see, the other's slots from those and
        from his own real cards (a second pool of identities); possible is what some joint assignment uses.
        """
        shown = self.shown
        if not self.sees_all(viewer):
            return None
        known = [card for card in shown.cards(seat) if card >= 0]
        if viewer == seat or not known:
            return self._counted("empathy", viewer, seat)
        unseen, own = self.count(viewer), len(shown.hands[viewer])
        real = [0] * shown.width
        for card in known:
            real[card] += 1
        orders = shown.hands[seat]
        others = [order for order in self.open_cards(viewer) if order not in orders]  # unknown to him as well
        fits = [shown.fits[order] for order in [*orders, *others]]
        joint = Count([*unseen.sets[:own], *(mask | mask << shown.width for mask in fits)], unseen.copies + real)
        sets = [fold(mask, shown.width) for mask in joint.sets[own:]]
        visible = [a + r for a, r in zip(unseen.copies, real, strict=True)]

        def probabilities() -> Marginals:
            return expected_marginals(unseen, own, sets, visible)[: len(orders)]

        if not self.open_cards(viewer):
            return View("empathy", seat, viewer, orders, sets, probabilities)
        rows = [{c: p for c, p in row.items() if p} for row in probabilities()]  # the sets may be too wide here
        return View("empathy", seat, viewer, orders, [sum(1 << c for c in row) for row in rows], lambda: rows)

    # --- common knowledge --------------------------------------------------------------------------------

    @cached_property
    def all_orders(self) -> list[int]:
        """All held cards, seat by seat, oldest first."""
        return [order for hand in self.shown.hands for order in hand]

    @cached_property
    def public_count(self) -> Count:
        """All deals of all hands by public counting; slots seat by seat, oldest card first."""
        return Count([self.shown.fits[order] for order in self.all_orders], self.shown.left())

    @cached_property
    def common_count(self) -> Count | None:
        """All deals that are linked to the real one; identity c of seat p's tight share is (p + 1) width + c.

        None if cards that the table hides leave the shares of a tight group open.
        """
        shown, width = self.shown, self.shown.width
        public = self.public_count
        cards = self.a_deal
        tight = set(tight_slots(public.sets, public.copies, cards))
        seats = [seat for seat in shown.seats for _ in shown.hands[seat]]
        hidden = {seats[i] for i in tight if shown.deck[self.all_orders[i]] < 0}
        if len(hidden) > 1:
            return None
        masks, copies = list(public.sets), public.copies + [0] * (width * len(shown.hands))
        for i in tight:
            pool = (seats[i] + 1) * width
            masks[i] <<= pool
            copies[pool + cards[i]] += 1
            copies[cards[i]] -= 1
        return Count(masks, copies)

    @cached_property
    def a_deal(self) -> list[int]:
        """The real cards; hidden ones in some consistent way."""
        shown = self.shown
        hidden = [order for order in self.all_orders if shown.deck[order] < 0]
        found = assign([shown.fits[order] for order in hidden], shown.left(shown.seats))
        assert found is not None, "checked by conflicts.check"
        filled = dict(zip(hidden, found, strict=True))
        return [filled.get(order, shown.deck[order]) for order in self.all_orders]

    def public(self, seat: int) -> View:
        """Public counting: what fireworks, discard pile and clues leave."""
        return self._of_all("public", seat, self.public_count)

    def common(self, seat: int) -> View:
        """Common knowledge; public counting, under its own name, where the table hides what it depends on."""
        count = self.common_count
        if count is None:
            return self.public(seat)
        return self._of_all("common", seat, count)

    def _of_all(self, kind: str, seat: int, count: Count) -> View:
        hands = self.shown.hands
        first = sum(len(hand) for hand in hands[:seat])
        mine = slice(first, first + len(hands[seat]))
        width = self.shown.width

        def probabilities() -> Marginals:
            return [{c % width: p for c, p in row.items()} for row in count.marginals[mine]]

        return View(kind, seat, None, hands[seat], [fold(m, width) for m in count.sets[mine]], probabilities)
