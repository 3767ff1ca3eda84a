"""Open hands and an unknown deck order by plain recursion: every action, every draw, exact fractions.

The rules are written out once more and not imported. Nothing is pruned and nothing merged but equal
situations (a dictionary). Only for the ordinary rules: a last round of one turn each, one token a discard and
a completed suit, no discard at the maximum of tokens, the third strike ends the game with nothing.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from hanasolve.hanabi.search.problem import Problem


class Situation(NamedTuple):
    stacks: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    unseen: tuple[int, ...]
    clues: int
    strikes: int
    to_move: int
    turns_left: int | None


class TooManySituations(Exception):
    """The case is too big for the limit that the caller gave."""


Step = tuple[str, int]  # ("play" | "discard" | "clue", identity or -1)


class Naive:
    """Best play for one question: the chance of ``target``, or for target 0 the expected final score."""

    def __init__(self, problem: Problem, target: int, most: int = 1_000_000) -> None:
        self.problem, self.target, self.most = problem, target, most
        self.memo: dict[Situation, Fraction] = {}

    def first(self) -> Situation:
        problem = self.problem
        return Situation(
            problem.stacks, tuple(tuple(sorted(hand)) for hand in problem.hands), tuple(sorted(problem.deck)),
            problem.clues, problem.strikes, problem.to_move, problem.turns_left,
        )  # fmt: skip

    def worth(self, score: int) -> Fraction:
        return Fraction(int(score >= self.target) if self.target else score)

    def actions(self, now: Situation) -> list[Step]:
        hand = sorted(set(now.hands[now.to_move]))
        steps: list[Step] = [("play", card) for card in hand]
        if now.clues < self.problem.clues_max:
            steps += [("discard", card) for card in hand]
        if now.clues >= 1 and any(cards for seat, cards in enumerate(now.hands) if seat != now.to_move):
            steps.append(("clue", -1))
        return steps

    def over(self, now: Situation) -> Fraction | None:
        """The final value if the game has ended."""
        if now.strikes >= self.problem.strikes_max:
            return self.worth(0)
        if now.turns_left == 0 or sum(now.stacks) == self.problem.full_score or not self.actions(now):
            return self.worth(sum(now.stacks))
        return None

    def value(self, now: Situation) -> Fraction:
        if now not in self.memo:
            if len(self.memo) >= self.most:
                raise TooManySituations
            final = self.over(now)
            self.memo[now] = max(self.of(now, step) for step in self.actions(now)) if final is None else final
        return self.memo[now]

    def of(self, now: Situation, step: Step) -> Fraction:
        """The value of one action: the mean over the cards that may be drawn."""
        kind, card = step
        size, me = self.problem.stack_size, now.to_move
        stacks, clues, strikes = list(now.stacks), now.clues, now.strikes
        turns_left = None if now.turns_left is None else now.turns_left - 1
        following = (me + 1) % self.problem.players
        if kind == "clue":
            return self.value(now._replace(clues=clues - 1, to_move=following, turns_left=turns_left))
        suit, step_of = divmod(card, size)
        if kind == "discard":
            clues += 1
        elif stacks[suit] == step_of:
            stacks[suit] += 1
            if stacks[suit] == size:
                clues = min(clues + 1, self.problem.clues_max)
        else:
            strikes += 1
        hand = list(now.hands[me])
        hand.remove(card)
        draws = [(index, drawn) for index, drawn in enumerate(now.unseen)] or [(-1, -1)]
        total = Fraction(0)
        for index, drawn in draws:
            held = sorted([*hand, drawn]) if index >= 0 else hand
            unseen = now.unseen[:index] + now.unseen[index + 1 :] if index >= 0 else now.unseen
            left = self.problem.players if index >= 0 and not unseen else turns_left
            hands = (*now.hands[:me], tuple(held), *now.hands[me + 1:])
            total += self.value(
                Situation(tuple(stacks), hands, unseen, clues, strikes, following, left)
            )
        return total / len(draws)
