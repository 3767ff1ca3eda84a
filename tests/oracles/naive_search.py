"""The best score of a small known deck by trying everything: plain Python, no pruning, no bound.

The rules are written out here once more from the rule text and not imported from the engine, so that a
mistake in one of the two shows. What is tried: every legal play (also of cards that do not fit), every legal
discard, and a clue. The content of a clue cannot change a known-deck game, so all legal clues of a kind are
one action.

``naive_best`` keeps a dictionary from the complete state to its value; ``naive_best(..., memo=False)`` does
not even do that.
"""

from __future__ import annotations

from typing import NamedTuple

from hanasolve.hanabi.search.problem import (
    ANY_CLUE,
    CLUE_COLOR,
    CLUE_RANK,
    DISCARD,
    PLAY,
    Line,
    LineStep,
    Problem,
)


class TooManyStates(Exception):
    """The case is too big for the limit that the caller gave."""


class State(NamedTuple):
    """One situation. Cards are orders; ``drawn`` counts the cards taken from the deck."""

    stacks: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    drawn: int
    clues: int
    strikes: int
    to_move: int
    turns_left: int | None
    last_clue: int | None
    over: bool


class Twin:
    """The rules of one problem: its first state, the legal actions of a state, the state after an action."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.identity = dict(enumerate(problem.deck, problem.deck_order))
        for orders, hand in zip(problem.hand_orders, problem.hands, strict=True):
            self.identity.update(zip(orders, hand, strict=True))

    def first(self) -> State:
        problem = self.problem
        return State(
            stacks=problem.stacks,
            hands=problem.hand_orders,
            drawn=0,
            clues=problem.clues,
            strikes=problem.strikes,
            to_move=problem.to_move,
            turns_left=problem.turns_left,
            last_clue=problem.last_clue if problem.alternating else None,
            over=problem.over,
        )

    def actions(self, state: State) -> list[LineStep]:
        """Every legal action, one clue for all clues that lead to the same state."""
        if state.over:
            return []
        problem = self.problem
        hand = list(state.hands[state.to_move])
        left = len(problem.deck) - state.drawn
        last = [problem.deck_order + state.drawn] if left == 1 else []
        found: list[LineStep] = [(PLAY, order) for order in hand]
        found += [(PLAY, order) for order in last if problem.deck_plays]
        if state.clues < problem.clues_max or problem.discard_at_max:
            found += [(DISCARD, order) for order in hand]
            found += [(DISCARD, order) for order in last if problem.deck_discards]
        kinds = (CLUE_COLOR, CLUE_RANK) if problem.alternating else (ANY_CLUE,)
        found += [(kind, None) for kind in kinds if self._clue_legal(state, kind)]
        return found

    def _clue_legal(self, state: State, kind: int) -> bool:
        """Whether some clue of this kind (ANY_CLUE: of any kind) may be given."""
        problem = self.problem
        if state.clues < problem.clue_cost:
            return False
        seen = [
            self.identity[order]
            for seat, hand in enumerate(state.hands)
            if seat != state.to_move
            for order in hand
        ]
        if problem.clue_always and seen:
            return True
        color = problem.color_free or any(problem.color_touchable[card] for card in seen)
        rank = problem.rank_free or any(problem.rank_touchable[card] for card in seen)
        if problem.alternating and state.last_clue == CLUE_COLOR:
            color = False
        if problem.alternating and state.last_clue == CLUE_RANK:
            rank = False
        return {CLUE_COLOR: color, CLUE_RANK: rank, ANY_CLUE: color or rank}[kind]

    def after(self, state: State, action: LineStep) -> State:
        """The state after a legal action."""
        problem, (kind, order) = self.problem, action
        clues, strikes, drawn = state.clues, state.strikes, state.drawn
        stacks, hands = list(state.stacks), list(state.hands)
        last_clue = state.last_clue
        if order is None:
            clues -= problem.clue_cost
            last_clue = kind if problem.alternating else None
        else:
            suit, step = divmod(self.identity[order], problem.stack_size)
            if kind == DISCARD:
                clues = min(problem.clues_max, clues + problem.discard_gain)
            elif stacks[suit] == step:
                stacks[suit] += 1
                if stacks[suit] == problem.stack_size:
                    clues = min(problem.clues_max, clues + problem.bonus[suit])
            else:
                strikes += 1
            if order in hands[state.to_move]:
                hand = [card for card in hands[state.to_move] if card != order]
                if drawn < len(problem.deck):
                    hand.append(problem.deck_order + drawn)
                    drawn += 1
                hands[state.to_move] = tuple(hand)
            else:  # straight from the deck: nothing is drawn in its place
                drawn += 1
        turns_left = state.turns_left
        if problem.last_round:
            if turns_left is not None:
                turns_left -= 1
            elif drawn == len(problem.deck):
                turns_left = problem.players
        to_move = (state.to_move + 1) % problem.players
        over = strikes >= problem.strikes_max or sum(stacks) == problem.full_score or turns_left == 0
        if problem.stop_when_impossible and not self._perfect_possible(stacks, hands, drawn):
            over = True
        if problem.empty_hand_ends and not hands[to_move]:
            over = True
        return State(
            tuple(stacks), tuple(hands), drawn, clues, strikes, to_move, turns_left, last_clue, over
        )

    def _perfect_possible(self, stacks: list[int], hands: list[tuple[int, ...]], drawn: int) -> bool:
        left = set(self.problem.deck[drawn:])
        for hand in hands:
            left |= {self.identity[order] for order in hand}
        size = self.problem.stack_size
        return all(
            suit * size + step in left for suit, height in enumerate(stacks) for step in range(height, size)
        )

    def struck_out(self, state: State) -> bool:
        return state.strikes >= self.problem.strikes_max


class Search:
    """One exhaustive search; ``nodes`` counts the states that were expanded."""

    def __init__(self, problem: Problem, memo: bool = True, max_nodes: int | None = None) -> None:
        self.twin = Twin(problem)
        self.memo, self.max_nodes = memo, max_nodes
        self.nodes = 0
        self.table: dict[State, int] = {}

    def value(self, state: State) -> int:
        """Highest number of cards placed in ``state`` or any state after it; -1 after the last strike."""
        if self.twin.struck_out(state):
            return -1
        if self.memo and state in self.table:
            return self.table[state]
        self.nodes += 1
        if self.max_nodes is not None and self.nodes > self.max_nodes:
            raise TooManyStates(self.nodes)
        best = sum(state.stacks)
        for action in self.twin.actions(state):
            best = max(best, self.value(self.twin.after(state, action)))
        if self.memo:
            self.table[state] = best
        return best

    def line(self, state: State) -> Line:
        """Actions that lead from ``state`` to its value."""
        goal, line = self.value(state), []
        while sum(state.stacks) < goal:
            for action in self.twin.actions(state):
                child = self.twin.after(state, action)
                if self.value(child) == goal:
                    line.append(action)
                    state = child
                    break
        return line


def naive_best(problem: Problem, memo: bool = True, max_nodes: int | None = None) -> tuple[int, Line]:
    """The value of a problem and a line that reaches it; TooManyStates beyond ``max_nodes``."""
    if problem.over:
        return problem.placed, []
    search = Search(problem, memo, max_nodes)
    state = search.twin.first()
    value = search.value(state)
    if not memo:  # the line needs the values of the states on it once more
        search.memo, search.max_nodes = True, None
    return value, search.line(state)


def replay_naive(problem: Problem, line: Line) -> int:
    """Cards placed at the end of a line by the rules of this file; ValueError for an illegal step."""
    twin = Twin(problem)
    state = twin.first()
    for index, (kind, order) in enumerate(line):
        legal = twin.actions(state)
        step: LineStep = (kind, order)
        if kind == ANY_CLUE and problem.alternating:
            step = next((action for action in legal if action[1] is None), step)
        if kind in (CLUE_COLOR, CLUE_RANK) and not problem.alternating:
            step = (ANY_CLUE, None)
        if step not in legal:
            raise ValueError(f"step {index}, {step}, is illegal in {state}")
        state = twin.after(state, step)
        if twin.struck_out(state):
            raise ValueError(f"step {index} is the last strike")
    return sum(state.stacks)
