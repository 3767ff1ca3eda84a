"""The obviously right twin of hanasolve.hanabi.deduction: every deal of physical cards is listed.

Cards are dealt to slots in every order (``itertools.permutations`` of the unseen physical cards), deals that
break a clue are dropped, and the rest is counted. Only for a handful of unseen cards: ``random_position``
makes such positions.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import permutations

from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.records import HeldCard, Position, Told, default_names
from hanasolve.hanabi.game.variants import Variant

Row = dict[int, Fraction]


def agrees(variant: Variant, identity: int, told: tuple[Told, ...]) -> bool:
    """Whether a card could have been told this."""
    for fact in told:
        if fact.kind == 2:
            mask = variant.color_touch[fact.value]
        else:
            mask = variant.rank_touch[variant.clue_ranks.index(fact.value)]
        if bool(mask >> identity & 1) != fact.touched:
            return False
    return True


class Naive:
    """All views of a position whose hands are known. Slots are listed oldest first, as in the position."""

    def __init__(self, position: Position) -> None:
        self.variant = position.variant
        self.told = [[card.told for card in hand] for hand in position.hands]
        self.real = [[card.identity for card in hand] for hand in position.hands]
        out = Counter(position.discards) + Counter(c for suit in position.placed for c in suit)
        for hand in self.real:
            out.update(hand)
        rest = Counter(dict(enumerate(self.variant.copies)))
        rest.subtract(out)
        self.deck = list(rest.elements())

    def _deals(self, cards: list[int], told: list[tuple[Told, ...]]) -> list[tuple[int, ...]]:
        """Every deal of the physical ``cards`` to slots with these clues, as identities (with repeats)."""
        fits = {(c, facts): agrees(self.variant, c, facts) for c in set(cards) for facts in set(told)}
        return [
            deal
            for deal in permutations(cards, len(told))
            if all(fits[c, facts] for c, facts in zip(deal, told, strict=True))
        ]

    def holder_deals(self, seat: int, own: list[int] | None = None) -> list[tuple[int, ...]]:
        """The deals of his hand that a player holds possible; ``own`` = his real cards if not these."""
        return self._deals(self.deck + (self.real[seat] if own is None else own), self.told[seat])

    def holder(self, seat: int) -> list[Row]:
        return frequencies(self.holder_deals(seat))

    def empathy(self, viewer: int, seat: int) -> list[Row]:
        """The holder's frequencies, averaged over the viewer's deals of his own hand."""
        worlds = Counter(self.holder_deals(viewer))
        total = sum(worlds.values())
        rows: list[Row] = [{} for _ in self.real[seat]]
        judged: dict[tuple[int, ...], list[Row]] = {}
        for own, count in worlds.items():
            # what p does not see in this world: the deck, which lacks these cards, and his own real hand
            unseen = Counter(self.deck + self.real[viewer]) - Counter(own) + Counter(self.real[seat])
            cards = tuple(sorted(unseen.elements()))
            if cards not in judged:
                judged[cards] = frequencies(self._deals(list(cards), self.told[seat]))
            for row, seen in zip(rows, judged[cards], strict=True):
                for c, p in seen.items():
                    row[c] = row.get(c, Fraction(0)) + p * Fraction(count, total)
        return rows

    def asked(self, viewer: int, seat: int, open_slots: list[tuple[int, int]]) -> list[Row]:
        """What the viewer knows that a player can exclude (or he himself), where nobody knows the cards at
        ``open_slots`` (seat, index) of the others."""
        told = [self.told[s][i] for s, i in open_slots]
        unseen = self.deck + self.real[viewer] + [self.real[s][i] for s, i in open_slots]
        worlds = self._deals(unseen, [*self.told[viewer], *told])
        size = len(self.told[viewer])
        if viewer == seat:
            return frequencies([world[:size] for world in worlds])
        shown = [card for i, card in enumerate(self.real[seat]) if (seat, i) not in open_slots]
        others = [self.told[s][i] for s, i in open_slots if s != seat]
        rows: list[Row] = [{} for _ in self.real[seat]]
        for own, count in Counter(world[:size] for world in worlds).items():
            cards = list((Counter(unseen) - Counter(own) + Counter(shown)).elements())
            judged = frequencies(self._deals(cards, [*self.told[seat], *others]))
            for row, seen in zip(rows, judged, strict=False):
                for c, p in seen.items():
                    row[c] = row.get(c, Fraction(0)) + p * Fraction(count, len(worlds))
        return rows

    def public_deals(self) -> list[tuple[int, ...]]:
        cards = self.deck + [c for hand in self.real for c in hand]
        return self._deals(cards, [told for hand in self.told for told in hand])

    def public(self) -> list[Row]:
        """All hands in one list, seat by seat."""
        return frequencies(self.public_deals())

    def common(self) -> list[Row]:
        """The deals linked to the real one by steps that change one player's hand."""
        deals = Counter(self.public_deals())
        start = tuple(c for hand in self.real for c in hand)
        by_rest: dict[tuple[int, tuple[int, ...]], list[tuple[int, ...]]] = {}
        for world in deals:
            for key in self._keys(world):
                by_rest.setdefault(key, []).append(world)
        reached, queue = {start}, [start]
        for world in queue:
            for key in self._keys(world):
                for other in by_rest.pop(key, []):
                    if other not in reached:
                        reached.add(other)
                        queue.append(other)
        return frequencies([world for world, n in deals.items() if world in reached for _ in range(n)])

    def _keys(self, world: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        keys, first = [], 0
        for seat, hand in enumerate(self.real):
            keys.append((seat, world[:first] + world[first + len(hand) :]))
            first += len(hand)
        return keys


def frequencies(deals: list[tuple[int, ...]]) -> list[Row]:
    """How often each identity is in each slot."""
    slots = range(len(deals[0]))
    return [
        {c: Fraction(n, len(deals)) for c, n in sorted(Counter(deal[slot] for deal in deals).items())}
        for slot in slots
    ]


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
