"""From a solution of the events formulation to a line of play, step by step by the rules."""

from __future__ import annotations

from typing import Any

from hanasolve.hanabi.search.cpsat_events import Events
from hanasolve.hanabi.search.problem import (
    ANY_CLUE,
    CLUE_COLOR,
    CLUE_RANK,
    DISCARD,
    PLAY,
    Line,
    Problem,
)


def walk_solution(v: Events, solver: Any) -> Line | None:
    """The line of a solution, walked by the rules; None if a step of it is illegal (see ``events_fit``)."""
    value = solver.boolean_value
    walk = Walk(v.problem)
    order_of = {k: order for k, copies in v.copy.items() for _, _, order, chosen in copies if value(chosen)}
    kept = {order for k, order in order_of.items() if v.keep_all or value(v.done[k][v.events])}
    try:
        for e in range(1, v.events + 1):
            if walk.score >= v.target or value(v.none[e]):
                break
            placed = [k for k, play in v.play.items() if e in play and value(play[e])]
            if e > v.full and not placed:
                walk.idle(kept)
                continue
            for _ in range(solver.value(v.passes[e]) if e <= v.full else 0):
                walk.clue()
            if placed:
                walk.use(PLAY, order_of[placed[0]])
            else:
                blind = e == v.draws and bool(value(v.blind))
                walk.drop(DISCARD if value(v.discard[e]) else PLAY, kept, blind)
    except IllegalStep:
        return None
    return walk.line if walk.score >= v.target else None


class IllegalStep(Exception):
    """A step of a solution that the rules do not allow."""


class Walk:
    """A game from a problem's start, step by step by the rules; IllegalStep if a step is not allowed."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.stacks = list(problem.stacks)
        self.hands = [list(orders) for orders in problem.hand_orders]
        self.next, self.end = problem.deck_order, problem.deck_order + len(problem.deck)
        self.clues, self.strikes, self.seat = problem.clues, problem.strikes, problem.to_move
        self.turns_left, self.last_clue, self.over = problem.turns_left, problem.last_clue, problem.over
        self.identity = dict(enumerate(problem.deck, problem.deck_order))
        for orders, hand in zip(problem.hand_orders, problem.hands, strict=True):
            self.identity.update(zip(orders, hand, strict=True))
        self.line: Line = []

    @property
    def score(self) -> int:
        return sum(self.stacks)

    def fits(self, order: int) -> bool:
        suit, step = divmod(self.identity[order], self.problem.stack_size)
        return self.stacks[suit] == step

    def clue_kind(self) -> int | None:
        """A kind of clue that may be given now, ANY_CLUE where kinds make no difference; None if none may."""
        problem = self.problem
        if self.over or self.clues < problem.clue_cost:
            return None
        seen = [
            self.identity[order] for p, hand in enumerate(self.hands) if p != self.seat for order in hand
        ]
        if problem.clue_always and seen:
            return ANY_CLUE
        for kind, free, touchable in (
            (CLUE_COLOR, problem.color_free, problem.color_touchable),
            (CLUE_RANK, problem.rank_free, problem.rank_touchable),
        ):
            if problem.alternating and kind == self.last_clue:
                continue
            if free or any(touchable[card] for card in seen):
                return kind
        return None

    def clue(self) -> None:
        kind = self.clue_kind()
        if kind is None:
            raise IllegalStep
        self.clues -= self.problem.clue_cost
        self.last_clue = kind
        self._end_turn((kind, None))

    def use(self, kind: int, order: int) -> None:
        """Play or discard a card of the hand, or the last card of the deck, and draw."""
        problem = self.problem
        allowed = problem.deck_plays if kind == PLAY else problem.deck_discards
        from_deck = order == self.next == self.end - 1 and allowed
        if self.over or not (from_deck or order in self.hands[self.seat]):
            raise IllegalStep
        if kind == DISCARD:
            if self.clues >= problem.clues_max and not problem.discard_at_max:
                raise IllegalStep
            self.clues = min(problem.clues_max, self.clues + problem.discard_gain)
        elif self.fits(order):
            suit = self.identity[order] // problem.stack_size
            self.stacks[suit] += 1
            if self.stacks[suit] == problem.stack_size:
                self.clues = min(problem.clues_max, self.clues + problem.bonus[suit])
        else:
            self.strikes += 1
            if self.strikes >= problem.strikes_max:
                raise IllegalStep
        if from_deck:
            self.next += 1
        else:
            self.hands[self.seat].remove(order)
            if self.next < self.end:
                self.hands[self.seat].append(self.next)
                self.next += 1
        self._end_turn((kind, order))

    def drop(self, kind: int, kept: set[int], blind: bool = False) -> None:
        """Discard, or strike with, a card that the line does not place.

        Such a card may fit by now although the line places another copy later, or never: then it scores at
        once, and the strike is saved for the other copy. A discard may meet the maximum where the line so
        scored more than planned; the card is then played instead, with a strike saved before. (Only a second
        copy of a suit's last card could upset this, because its bonus would come too early.)
        """
        trash = [self.next] if blind else [order for order in self.hands[self.seat] if order not in kept]
        if not trash:
            raise IllegalStep
        if kind == DISCARD and self.clues >= self.problem.clues_max and not self.problem.discard_at_max:
            kind = PLAY
        if kind == DISCARD and not self.problem.clue_always:
            trash.sort(key=self._touchable)
        if kind == PLAY:
            trash.sort(key=self.fits)
        self.use(kind, trash[0])

    def _touchable(self, order: int) -> int:
        """How many kinds of clue touch a card: those that few touch are no loss for the clues to come."""
        card, problem = self.identity[order], self.problem
        return problem.color_touchable[card] + problem.rank_touchable[card]

    def idle(self, kept: set[int]) -> None:
        """A turn of the last round without a play: a clue if one may be given, else any discard."""
        if self.clue_kind() is not None:
            self.clue()
            return
        hand = sorted(self.hands[self.seat], key=lambda order: order in kept)
        if not hand:
            raise IllegalStep
        self.use(DISCARD, hand[0])

    def _end_turn(self, step: tuple[int, int | None]) -> None:
        problem = self.problem
        self.line.append(step)
        self.seat = (self.seat + 1) % problem.players
        if problem.last_round:
            if self.turns_left is not None:
                self.turns_left -= 1
            elif self.next == self.end:
                self.turns_left = problem.players
        self.over = self.score == problem.full_score or self.turns_left == 0
        self.over |= problem.empty_hand_ends and not self.hands[self.seat]
        self.over |= problem.stop_when_impossible and self._impossible()

    def _impossible(self) -> bool:
        left = {self.identity[order] for hand in self.hands for order in hand}
        left |= {self.identity[order] for order in range(self.next, self.end)}
        size = self.problem.stack_size
        return any(
            suit * size + step not in left
            for suit, height in enumerate(self.stacks)
            for step in range(height, size)
        )
