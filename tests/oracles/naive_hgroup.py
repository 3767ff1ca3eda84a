"""What one H-Group clue says, in plain sets: a slow twin of ``conventions/hgroup``.

Written from the rules: chop, focus, save and play readings, good touch, prompts and finesses, the chains,
self-prompt and self-finesse of level 2, the order of 1s of level 3. An identity is (suit, rank); hands are listed
oldest first. Older clues are facts only: nobody waits for anything when the clue is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

Identity = tuple[int, int]
COPIES = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}
EVERYTHING = [(suit, rank) for suit in range(5) for rank in range(1, 6)]
NOBODY = -1


@dataclass(eq=False)
class Card:
    """``facts``: (is_rank, value, touched) for every clue to its hand; ``marker``: who touched it first."""

    identity: Identity
    facts: list[tuple[bool, int, bool]] = field(default_factory=list)
    marker: int | None = None
    now: bool = False  # marked by the clue that is read

    def fits(self, identity: Identity) -> bool:
        return all((identity[1 if rank else 0] == value) == touched for rank, value, touched in self.facts)

    @property
    def marked(self) -> bool:
        return self.marker is not None

    @property
    def old(self) -> bool:
        return self.marked and not self.now


@dataclass
class Step:
    """A card that must be played as ``wanted`` first."""

    card: Card
    wanted: Identity
    seat: int
    prompt: bool


@dataclass
class Chain:
    steps: list[Step]
    waits: bool  # another card, already known, goes before the first step


@dataclass
class Naive:
    """A position; ``clue`` gives a clue, ``read`` is what a player then makes of his own hand."""

    level: int
    stacks: list[int]
    discards: Counter[Identity]
    hands: list[list[Card]]
    tokens: int
    early: bool

    # --- identities -------------------------------------------------------------------------------------

    def placed(self, c: Identity) -> bool:
        return c[1] <= self.stacks[c[0]]

    def useless(self, c: Identity) -> bool:
        """Placed, or a card up to it is lost."""
        above = range(self.stacks[c[0]] + 1, c[1] + 1)
        return self.placed(c) or any(self.discards[c[0], rank] == COPIES[rank] for rank in above)

    def playable(self, c: Identity) -> bool:
        return c[1] == self.stacks[c[0]] + 1

    def last_copy(self, c: Identity) -> bool:
        return self.discards[c] == COPIES[c[1]] - 1

    def used_up(self, located: Counter[Identity]) -> set[Identity]:
        """Identities without a copy outside the stacks, the discards and ``located``."""
        return {c for c in EVERYTHING if self.discards[c] + self.placed(c) + located[c] >= COPIES[c[1]]}

    def useful(self, those: set[Identity]) -> set[Identity]:
        """Good touch: the useful ones if there are any, else those that are not placed (they were lost)."""
        return {c for c in those if not self.useless(c)} or {c for c in those if not self.placed(c)} or those

    def cards(self) -> Iterator[tuple[int, Card]]:
        for seat, hand in enumerate(self.hands):
            for card in hand:
                yield seat, card

    def chop(self, seat: int) -> Card | None:
        return next((card for card in self.hands[seat] if not card.marked), None)

    def by_facts(self) -> dict[Card, set[Identity]]:
        """What the clues allow, copies of cards that are identified so left out of the others, to a fixpoint."""
        sets = {card: {c for c in EVERYTHING if card.fits(c)} for _, card in self.cards()}
        while True:
            gone = self.used_up(Counter(c for found in sets.values() if len(found) == 1 for c in found))
            less = {card: found if len(found) == 1 else found - gone or found for card, found in sets.items()}
            if less == sets:
                return sets
            sets = less

    # --- the clue ---------------------------------------------------------------------------------------

    def clue(self, giver: int, target: int, is_rank: bool, value: int) -> None:
        older = self.by_facts()
        hand, chop = self.hands[target], self.chop(target)
        touched = [card for card in hand if card.identity[1 if is_rank else 0] == value]
        new = [card for card in touched if not card.marked]
        no_chop = self.chop(giver) is None
        if chop in touched and chop is not None:
            self.focus = chop
        elif new:
            self.focus = new[0] if self.level >= 3 and is_rank and value == 1 else new[-1]
        else:
            self.focus = touched[-1]
        for card in hand:
            card.facts.append((is_rank, value, card in touched))
        for card in new:
            card.marker, card.now = giver, True
        self.giver, self.target, self.facts = giver, target, self.by_facts()
        fives = {c for c in EVERYTHING if c[1] == 5 and not self.useless(c)}
        may_stall = self.level >= 2 and (self.early or self.tokens == 8 or no_chop)
        stalls = is_rank and value == 5 and may_stall and self.focus is not chop and self.focus in new
        self.asks = self.tokens < 8 or self.early
        self.saves: set[Identity] = set()
        if stalls:
            self.saves = fives
        elif self.focus is chop:
            self.saves = self.save_readings(is_rank, value)
        self.common = {card: self.touched_set(card, older, stalls) for _, card in self.cards()}
        self.saves &= self.common[self.focus]
        readings = {c for c in self.common[self.focus] if c in self.saves or self.chain(NOBODY, c, {}) is not None}
        if readings and len(self.common[self.focus]) > 1:
            self.common[self.focus] = readings

    def save_readings(self, is_rank: bool, value: int) -> set[Identity]:
        """5s and 2s by number, last copies by any clue but a colour on a 5."""
        if is_rank and value in (2, 5):
            return {c for c in EVERYTHING if c[1] == value and not self.useless(c)}
        return {c for c in EVERYTHING if self.last_copy(c) and not self.useless(c) and (is_rank or c[1] < 5)}

    def touched_set(self, card: Card, older: dict[Card, set[Identity]], stalls: bool) -> set[Identity]:
        """What everybody takes a card for by good touch alone."""
        facts = self.facts[card]
        if not card.marked:
            return facts
        if card.old:
            return self.useful(older[card]) & facts or self.useful(facts)
        kept = self.useful(facts)
        return kept & self.saves or kept if stalls and card is self.focus else kept

    # --- connections ------------------------------------------------------------------------------------

    def sees(self, eyes: int, seat: int, card: Card) -> Identity | None:
        return None if eyes in (NOBODY, seat) else card.identity

    def is_known(self, eyes: int, wanted: Identity, claimed: Identity, own: dict[Card, set[Identity]]) -> bool:
        """Whether a marked card is known to be this one, so that it is played without being asked for."""
        for seat, card in self.cards():
            if card is self.focus or not card.marked or wanted not in self.common[card]:
                continue
            if self.common[card] == {wanted} or own.get(card) == {wanted}:
                return True
            if seat == self.giver and self.sees(eyes, seat, card) == wanted:
                others = {c.identity for s, c in self.cards() if s != seat and c.marked and s != eyes}
                if self.common[card] - {claimed} - others == {wanted}:
                    return True
        return False

    def prompt(
        self, eyes: int, seat: int, wanted: Identity, own: dict[Card, set[Identity]], taken: Iterable[Card]
    ) -> tuple[Card | None, bool]:
        """The newest older marked card that could be it; True if it is visibly another one, which fails."""
        for card in reversed(self.hands[seat]):
            could_be = own[card] if seat == eyes else self.common[card]
            if not card.old or card is self.focus or card in taken or wanted not in could_be:
                continue
            seen = self.sees(eyes, seat, card)
            if seen in (None, wanted):
                return card, False
            if not self.playable(seen):  # type: ignore[arg-type]
                return None, True
        return None, False

    def finesse(self, seat: int, taken: Iterable[Card]) -> Card | None:
        return next((card for card in reversed(self.hands[seat]) if not card.marked and card not in taken), None)

    def may_be(self, eyes: int, seat: int, card: Card, wanted: Identity, own: dict[Card, set[Identity]]) -> bool:
        seen = self.sees(eyes, seat, card)
        if seen is not None:
            return seen == wanted
        return wanted in (own[card] if seat == eyes else self.facts[card])

    def asked(self, eyes: int, wanted: Identity, own: dict[Card, set[Identity]], taken: list[Card]) -> Step | None:
        """The card that the clue asks for: prompts before finesses, cards in sight before the reader's own
        finesse, the receiver's own cards (level 2) after those of the others."""
        players = len(self.hands)
        turns = [(self.giver + n) % players for n in range(1, players)]
        seats = turns[: turns.index(self.target)] if self.level < 2 else [s for s in turns if s != self.target]
        prompts, fails = {}, set()
        for seat in seats:
            card, failed = self.prompt(eyes, seat, wanted, own, taken)
            if card is not None and self.may_be(eyes, seat, card, wanted, own):
                prompts[seat] = card
            elif failed or card is not None:
                fails.add(seat)
        finesses = {}
        for seat in seats:
            card = self.finesse(seat, taken)
            if seat not in fails and card is not None and self.may_be(eyes, seat, card, wanted, own):
                finesses[seat] = card
        for found, is_prompt in ((prompts, True), (finesses, False)):
            hidden = [seat for seat in found if eyes in (NOBODY, seat)]
            for seat in [seat for seat in found if seat not in hidden] + (hidden[-1:] if is_prompt else []):
                return Step(found[seat], wanted, seat, is_prompt)
        step = self.own_step(eyes, wanted, own, taken) if self.level >= 2 else None
        for seat in list(finesses)[-1:] if step is None else []:
            step = Step(finesses[seat], wanted, seat, False)
        return step

    def own_step(self, eyes: int, wanted: Identity, own: dict[Card, set[Identity]], taken: list[Card]) -> Step | None:
        """A self-prompt or self-finesse of the receiver."""
        card, failed = self.prompt(eyes, self.target, wanted, own, taken)
        is_prompt = card is not None
        if card is None and not failed:
            card = self.finesse(self.target, taken)
        if card is None or not self.may_be(eyes, self.target, card, wanted, own):
            return None
        return Step(card, wanted, self.target, is_prompt)

    def chain(self, eyes: int, claimed: Identity, own: dict[Card, set[Identity]]) -> Chain | None:
        """How the lower cards get placed if the focus is ``claimed``; None: not at all."""
        found = Chain([], False)
        most = (1 if self.level < 2 else 5) if self.asks else 0
        for rank in range(self.stacks[claimed[0]] + 1, claimed[1]):
            wanted = claimed[0], rank
            if self.is_known(eyes, wanted, claimed, own):
                found.waits = found.waits or not found.steps
                continue
            step = self.asked(eyes, wanted, own, [step.card for step in found.steps])
            if step is None or len(found.steps) == most:
                return None
            found.steps.append(step)
        return found

    # --- what a player makes of his hand ----------------------------------------------------------------

    def read(self, eyes: int) -> tuple[list[set[Identity]], Card | None]:
        """His sets, oldest card first, and the card that he must play before everything else."""
        own, urgent = self.without_clue(eyes), None
        if eyes == self.target:
            urgent = self.read_focus(eyes, own)
        elif eyes != self.giver:
            urgent = self.read_call(eyes, own)
        self.leave_out_twins(eyes, own)
        return [own[card] for card in self.hands[eyes]], urgent

    def without_clue(self, eyes: int) -> dict[Card, set[Identity]]:
        """Facts, copies in sight, and good touch with the marked cards in sight."""
        gone = self.used_up(Counter(card.identity for seat, card in self.cards() if seat != eyes))
        own = {}
        for card in self.hands[eyes]:
            sets = self.facts[card] - gone or self.facts[card]
            if card.marked:
                sets = sets & self.common[card] or sets
                if len(sets) > 1:
                    sets = sets - self.gotten(eyes, card) or sets
            own[card] = sets
        self.leave_out_twins(eyes, own)
        return own

    def gotten(self, eyes: int, mine: Card) -> set[Identity]:
        """Marked cards in other hands; not those that the player who marked ``mine`` held then without telling."""
        found = set()
        for seat, card in self.cards():
            if seat == eyes or not card.marked:
                continue
            if len(self.common[card]) == 1:
                found |= self.common[card]
            elif seat != mine.marker or (card.now and not mine.now):
                found.add(card.identity)
        return found

    def leave_out_twins(self, eyes: int, own: dict[Card, set[Identity]]) -> None:
        for one in self.hands[eyes]:
            for other in self.hands[eyes]:
                if len(own[one]) == 1 and other is not one and other.marked:
                    own[other] = own[other] - own[one] or own[other]

    def simple(self, chain: Chain, eyes: int) -> int:
        """0 without cards of the reader; else the more own blind plays, own prompts and others' plays the more."""
        cost = sum((10 if step.prompt else 100) if step.seat == eyes else 1 for step in chain.steps)
        return cost if any(step.seat == eyes for step in chain.steps) else 0

    def settles(self, chain: Chain, eyes: int, own: dict[Card, set[Identity]]) -> bool:
        """Begins with somebody's blind play, and the reader has no marked card that could be it: he waits."""
        if chain.waits or not chain.steps or chain.steps[0].prompt or chain.steps[0].seat == eyes:
            return False
        return self.prompt(eyes, eyes, chain.steps[0].wanted, own, []) == (None, False)

    def read_focus(self, eyes: int, own: dict[Card, set[Identity]]) -> Card | None:
        saves = {c for c in self.saves if c[1] != 2 or self.last_copy(c) or c not in self.twos_in_sight(eyes)}
        chains = {c: self.chain(eyes, c, own) for c in own[self.focus] - saves}
        found = {c: chain for c, chain in chains.items() if chain is not None}
        plain = {c for c, n in found.items() if self.simple(n, eyes) == 0 or self.settles(n, eyes, own)}
        plain |= own[self.focus] & saves
        if plain or not found:
            own[self.focus] = plain or own[self.focus]
            return None
        least = min(self.simple(chain, eyes) for chain in found.values())
        found = {c: chain for c, chain in found.items() if self.simple(chain, eyes) == least}
        own[self.focus] = set(found)
        first = {chain.steps[0].card for chain in found.values() if not chain.waits}
        for card in self.hands[eyes]:
            wanted = {step.wanted for chain in found.values() for step in chain.steps if step.card is card}
            if wanted:
                own[card] = own[card] & wanted
        return next((card for card in self.hands[eyes] if card in first), None)

    def twos_in_sight(self, eyes: int) -> set[Identity]:
        """2s in a third hand, unless that one is on its chop too."""
        others = [(seat, card) for seat, card in self.cards() if seat not in (eyes, self.giver)]
        return {card.identity for seat, card in others if card.identity[1] == 2 and card is not self.chop(seat)}

    def read_call(self, eyes: int, own: dict[Card, set[Identity]]) -> Card | None:
        """He sees the focus: does it need a card of his?"""
        c = self.focus.identity
        if c not in self.common[self.focus] or c in self.saves:
            return None
        chain = self.chain(eyes, c, own)
        urgent = None
        for n, step in enumerate(chain.steps if chain else []):
            if step.seat == eyes and chain is not None:
                own[step.card] = {step.wanted}
                urgent = step.card if n == 0 and not chain.waits else urgent
        return urgent
