"""Why a known deck cannot reach a target, in words a player understands."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from hanasolve.hanabi.game.variants import Variant
from hanasolve.hanabi.search.problem import Problem


def _names(variant: Variant, problem: Problem, steps: list[int]) -> str:
    return " ".join(variant.card_name(problem.original[step]) for step in steps)


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def gone_cards(problem: Problem) -> list[int]:
    """The first card of each suit that is gone for good."""
    here = {card for hand in problem.hands for card in hand} | set(problem.deck)
    gone = []
    for suit in range(problem.suits):
        for step in range(problem.stacks[suit], problem.stack_size):
            identity = suit * problem.stack_size + step
            if identity not in here:
                gone.append(identity)
                break
    return gone


def lost_cards(variant: Variant, problem: Problem, before: Collection[int] = ()) -> str | None:
    """Names the cards that are gone for good, but for those of ``before``; None if there are none."""
    gone = [card for card in gone_cards(problem) if card not in before]
    if not gone:
        return None
    names = _names(variant, problem, gone).split()
    verb = "is" if len(names) == 1 else "are"
    return f"no copy of {' and '.join(names)} {verb} left"


def _availability(problem: Problem, target: Any) -> dict[int, int]:
    """For every needed card the number of draws before which it cannot be played (kernel.slack's count)."""
    held = {card for hand in problem.hands for card in hand}
    left = len(problem.deck)
    table: dict[int, int] = {}
    for suit in range(problem.suits):
        earliest = 0
        for step in range(problem.stacks[suit], int(target[suit])):
            identity = suit * problem.stack_size + step
            if step > problem.stacks[suit]:
                earliest = min(earliest + 1, left)
            if identity not in held:
                earliest = max(earliest, problem.deck.index(identity) + 1)
            table[identity] = earliest
    return table


def counting(variant: Variant, problem: Problem, target: Any) -> str | None:
    """The counting bound in words: which cards come too late for the plays that are left; None if it holds.

    Of the moments at which the bound fails, the latest one at which a needed card has just been drawn.
    """
    late_from = _availability(problem, target)
    held = {card for hand in problem.hands for card in hand}
    left = len(problem.deck)
    failing = []
    for k in range(left, -1, -1):
        late = [identity for identity, draws in late_from.items() if draws >= k]
        room = left - k + problem.players
        if len(late) > room:
            causes = [card for card in late if card not in held and problem.deck.index(card) + 1 == k]
            failing.append((k, late, room, causes))
    if not failing:
        return None
    k, late, room, causes = next((entry for entry in failing if entry[3]), failing[-1])
    names = _names(variant, problem, late)
    when = "from now on" if k == 0 else f"after {_plural(k, 'draw')}"
    turns = f"{problem.players} last turns"
    if left > k:
        turns = f"{_plural(left - k, 'draw')} and {turns}"
    text = f"{when} {_plural(len(late), 'card')} ({names}) must still be played, but only {turns} are left"
    prefix = "; ".join(late_copies(variant, problem, card) for card in causes)
    return f"{prefix}: {text}" if prefix else text


def capacity(variant: Variant, problem: Problem, target: Any) -> str | None:
    """The room in the hands in words (kernel._room): which cards would have to be held at once."""
    ready = _availability(problem, target)
    left = len(problem.deck)
    last = {card: _last_draw(problem, card) for card in ready}
    places = sum(len(hand) for hand in problem.hands) - 1
    placed = 0
    for k in range(left):
        out = [card for card in ready if last[card] <= k]
        placed = min(placed + 1, sum(1 for card in ready if ready[card] <= k))
        kept = len(out) - min(placed, sum(1 for card in out if ready[card] <= k))
        if kept > places:
            waiting = [card for card in out if ready[card] > k]
            names = _names(variant, problem, waiting)
            when = "now" if k == 0 else f"after {_plural(k, 'draw')}"
            return (
                f"the hands are too small: {when} {_plural(kept, 'card')} would have to be kept at once, last copies "
                f"that cannot be placed yet ({names}), but there are {places} places and one to draw with"
            )
    return None


def _last_draw(problem: Problem, card: int) -> int:
    """The draw that brings the last copy of a card (1 = the next), 0 if none is left in the deck."""
    places = [index for index, other in enumerate(problem.deck) if other == card]
    return places[-1] + 1 if places else 0


def late_copies(variant: Variant, problem: Problem, identity: int) -> str:
    """``both r2 are the last two cards`` and the like."""
    places = [i for i, card in enumerate(problem.deck) if card == identity]
    name = variant.card_name(problem.original[identity])
    left = len(problem.deck)
    behind = left - places[0]
    count = {1: "the only", 2: "both", 3: "all three"}.get(len(places), f"all {len(places)}")
    subject = f"{count} {name} left" if len(places) == 1 else f"{count} {name}"
    verb = "is" if len(places) == 1 else "are"
    if len(places) > 1 and behind == len(places):
        amount = {2: "two", 3: "three"}.get(behind, str(behind))
        return f"{subject} {verb} the last {amount} cards"
    if behind == 1:
        return f"{subject} {verb} the last card"
    return f"{subject} {verb} among the last {behind} cards"


def suits_alone(variant: Variant, problem: Problem, suits: tuple[int, ...], states: int) -> str:
    """A relaxation's refutation: some suits cannot be completed even with clues for free."""
    if len(suits) == problem.suits:
        return f"even with clues for free no order of plays completes all suits ({states:,} states exhausted)"
    names = " and ".join(variant.suits[suit].name.lower() for suit in suits)
    details = []
    for suit in suits:
        late = _latest_needed(variant, problem, suit)
        if late:
            details.append(late)
    place = f": {'; '.join(details)}" if details else ""
    both = "alone" if len(suits) == 1 else "together"
    effort = f"even with clues for free ({states:,} states exhausted)"
    return f"{names} {both} cannot be completed, {effort}{place}"


def _latest_needed(variant: Variant, problem: Problem, suit: int) -> str | None:
    """The needed card of a suit that comes latest, with its place from the bottom."""
    held = {card for hand in problem.hands for card in hand}
    first = suit * problem.stack_size
    coming = [
        identity
        for identity in range(first + problem.stacks[suit], first + problem.stack_size)
        if identity not in held and identity in problem.deck
    ]
    if not coming:
        return None
    return late_copies(variant, problem, max(coming, key=problem.deck.index))
