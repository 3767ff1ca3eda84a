"""The known deck as a CP-SAT model of every turn: all cards, all rules, nothing left out.

The turn t (from 0) is that of seat ``(to_move + t) mod players``. Each turn is a play, a discard, a strike, a
colour clue, a rank clue, or beyond the end of the line. This is the slow and literal formulation; whole decks
are the business of ``cpsat.py``, which asks this one where the touch of clues decides.

**Horizon.** A line of T turns uses at most C cards: every use before the deck is gone draws a card, so with a
last round there are at most ``deck`` of them and then one turn a player (one turn more if the deck is empty
and the last round has not begun); without one each card is used once. All other turns are clues and cost
``clue_cost`` tokens, which come from the start, from discards (at most C, and with a last round at most the
uses that need not be plays) and once from every suit. So there are at most
(clues + gains * discards + bonuses) / clue_cost clues, and T is at most C plus that.
"""

from __future__ import annotations

import time
from typing import Any

from hanasolve.hanabi.search.cpsat_solver import run_solver
from hanasolve.hanabi.search.problem import ANY_CLUE, CLUE_COLOR, CLUE_RANK, DISCARD, PLAY, Line, Problem


def horizon(problem: Problem, target: int) -> int:
    """A number of turns that no line to ``target`` exceeds (proof: the module's docstring)."""
    if problem.turns_left is not None:
        return problem.turns_left
    draws = len(problem.deck)
    if problem.last_round:
        after = problem.players + (1 if draws == 0 else 0)
        uses = draws + after
    else:
        after = 0
        uses = draws + sum(len(hand) for hand in problem.hands)
    discards = max(0, uses - (target - problem.placed))
    tokens = problem.clues + problem.discard_gain * discards + sum(problem.bonus)
    return uses + tokens // problem.clue_cost


class Turns:
    """The CP-SAT model and its variables. Keys: t = turn, i = order of a card, k = identity, p = seat."""

    def __init__(self, problem: Problem, target: int) -> None:
        from ortools.sat.python import cp_model

        self.problem, self.target = problem, target
        self.model: Any = cp_model.CpModel()
        self.true: Any = self.model.new_constant(1)
        self.false: Any = self.model.new_constant(0)
        self.turns = horizon(problem, target)
        self.draws = len(problem.deck)
        self.deck = list(range(problem.deck_order, problem.deck_order + self.draws))
        self.identity = dict(zip(self.deck, problem.deck, strict=True))
        self.holder: dict[int, int] = {}
        for p, (orders, hand) in enumerate(zip(problem.hand_orders, problem.hands, strict=True)):
            for order, card in zip(orders, hand, strict=True):
                self.identity[order], self.holder[order] = card, p
        self.kind: dict[str, list[Any]] = {
            name: [self.var(f"{name}{t}") for t in range(self.turns)]
            for name in ("play", "discard", "strike", "color", "rank", "none", "blind")
        }
        self.uses: list[Any] = []  # a card is used in turn t
        self.used: list[Any] = []  # cards used before turn t
        self.leave: dict[int, list[Any]] = {}  # card i is used in turn t
        self.gone: dict[int, list[Any]] = {}  # ... before turn t
        self.drawn: dict[int, list[Any]] = {}  # card i has left the deck before turn t
        self.own: dict[int, list[Any]] = {}  # p drew or held card i
        self.placed: dict[int, list[Any]] = {}  # k is placed before turn t
        self.tokens: list[Any] = []

    def var(self, name: str) -> Any:
        return self.model.new_bool_var(name)

    def clause(self, *literals: Any) -> None:
        self.model.add_bool_or(list(literals))

    def seat(self, turn: int) -> int:
        return (self.problem.to_move + turn) % self.problem.players


def build_turns(problem: Problem, target: int) -> Turns:
    v = Turns(problem, target)
    add_kinds(v)
    add_draws(v)
    add_leaving(v)
    add_owners(v)
    add_placing(v)
    add_strikes(v)
    add_tokens(v)
    add_last_round(v)
    add_clues(v)
    add_blind(v)
    add_ends(v)
    v.model.add(sum(placed[v.turns] for placed in v.placed.values()) >= target)
    return v


def add_kinds(v: Turns) -> None:
    """Each turn is of one kind; after the end nothing follows. ``uses`` are the turns that use a card."""
    kind = v.kind
    for t in range(v.turns):
        names = ("play", "discard", "strike", "color", "rank", "none")
        v.model.add_exactly_one([kind[name][t] for name in names])
        if t:
            v.model.add_implication(kind["none"][t - 1], kind["none"][t])
        use = v.var(f"use{t}")
        v.model.add(use == kind["play"][t] + kind["discard"][t] + kind["strike"][t])
        v.uses.append(use)


def add_draws(v: Turns) -> None:
    """The n-th use of a card takes the n-th card from the deck."""
    v.used = [0] + [v.model.new_int_var(0, len(v.identity), f"used{t}") for t in range(v.turns)]
    for t in range(v.turns):
        v.model.add(v.used[t + 1] == v.used[t] + v.uses[t])
    for order in v.holder:
        v.drawn[order] = [v.true] * (v.turns + 1)
    for index, order in enumerate(v.deck):
        v.drawn[order] = [v.false]
        for t in range(1, v.turns + 1):
            drawn = v.var(f"drawn{order}_{t}")
            v.model.add(v.used[t] >= index + 1).only_enforce_if(drawn)
            v.model.add(v.used[t] <= index).only_enforce_if(drawn.negated())
            v.drawn[order].append(drawn)


def add_leaving(v: Turns) -> None:
    """A use takes exactly one card, each card at most once, and only one that has been drawn.

    ``blind``: the card comes straight from the deck.
    """
    for order in v.identity:
        leave = [v.var(f"leave{order}_{t}") for t in range(v.turns)]
        gone: list[Any] = [v.false] + [v.var(f"gone{order}_{t}") for t in range(v.turns)]
        v.leave[order], v.gone[order] = leave, gone
        for t in range(v.turns):
            v.model.add(gone[t + 1] == gone[t] + leave[t])
            blind = [v.kind["blind"][t]] if v.deck and order == v.deck[-1] else []
            v.clause(leave[t].negated(), v.drawn[order][t], *blind)
    for t in range(v.turns):
        v.model.add(sum(leave[t] for leave in v.leave.values()) == v.uses[t])


def add_owners(v: Turns) -> None:
    """Who draws a card owns it, and only its owner uses it (a blind play has no owner)."""
    players = range(v.problem.players)
    for order, holder in v.holder.items():
        v.own[order] = [v.true if p == holder else v.false for p in players]
    for order in v.deck:
        v.own[order] = [v.var(f"own{order}_{p}") for p in players]
        v.model.add_at_most_one(v.own[order])
        for t in range(v.turns):
            # drawn in turn t: exactly its player owns it
            here = [v.drawn[order][t + 1].negated(), v.drawn[order][t], v.own[order][v.seat(t)]]
            v.clause(*here)
    for order, leave in v.leave.items():
        for t in range(v.turns):
            v.clause(leave[t].negated(), v.own[order][v.seat(t)])


def add_placing(v: Turns) -> None:
    """A play places the next card of its suit; a strike is the use of a card that is not the next one."""
    problem, size = v.problem, v.problem.stack_size
    for k in range(problem.suits * size):
        there = k % size < problem.stacks[k // size]
        v.placed[k] = [v.true if there else v.false]
        v.placed[k] += [v.true if there else v.var(f"placed{k}_{t}") for t in range(1, v.turns + 1)]
    for k, placed in v.placed.items():
        orders = [order for order, card in v.identity.items() if card == k]
        for t in range(v.turns):
            below = v.placed[k - 1][t] if k % size else v.true
            v.model.add_implication(placed[t], placed[t + 1])
            v.clause(placed[t + 1].negated(), placed[t], v.kind["play"][t])
            v.clause(placed[t + 1].negated(), placed[t], below)
            v.clause(placed[t + 1].negated(), placed[t], *[v.leave[order][t] for order in orders])
            for order in orders:
                used, play = v.leave[order][t].negated(), v.kind["play"][t].negated()
                v.clause(used, play, placed[t].negated())
                v.clause(used, play, placed[t + 1])
                v.clause(used, v.kind["strike"][t].negated(), below.negated(), placed[t])


def add_strikes(v: Turns) -> None:
    v.model.add(sum(v.kind["strike"]) <= max(0, v.problem.strikes_max - 1 - v.problem.strikes))


def add_tokens(v: Turns) -> None:
    """Tokens after each turn, cut at the maximum; no discard at the maximum, no clue without its cost."""
    problem, size = v.problem, v.problem.stack_size
    most = problem.clues_max
    v.tokens = [problem.clues] + [v.model.new_int_var(0, most, f"tokens{t}") for t in range(v.turns)]
    extra = problem.discard_gain + sum(problem.bonus)
    for t in range(v.turns):
        clue = v.kind["color"][t] + v.kind["rank"][t]
        total = v.model.new_int_var(0, most + extra, f"total{t}")
        completed = sum(
            bonus * (v.placed[suit * size + size - 1][t + 1] - v.placed[suit * size + size - 1][t])
            for suit, bonus in enumerate(problem.bonus)
        )
        gained = problem.discard_gain * v.kind["discard"][t] + completed
        v.model.add(total == v.tokens[t] - problem.clue_cost * clue + gained)
        v.model.add_min_equality(v.tokens[t + 1], [total, most])
        if not problem.discard_at_max:
            v.model.add(v.tokens[t] <= most - 1).only_enforce_if(v.kind["discard"][t])


def add_last_round(v: Turns) -> None:
    """Nothing happens later than one turn a player after the turn that emptied the deck.

    A deck that is empty before the last round begins counts as emptied by the first turn.
    """
    if not v.problem.last_round or v.problem.turns_left is not None:
        return  # a running last round is the horizon
    for t in range(v.problem.players + 1, v.turns):
        emptied = v.drawn[v.deck[-1]][t - v.problem.players] if v.deck else v.true
        v.model.add_implication(emptied, v.kind["none"][t])


def add_clues(v: Turns) -> None:
    """A clue touches a card of another player, unless it may be empty; kinds may have to alternate."""
    problem = v.problem
    for name, free, touchable in (
        ("color", problem.color_free, problem.color_touchable),
        ("rank", problem.rank_free, problem.rank_touchable),
    ):
        clues = v.kind[name]
        for t in range(v.turns):
            if free:
                continue
            seen = []
            for order, card in v.identity.items():
                if problem.clue_always or touchable[card]:
                    lies = v.var(f"{name}{order}_{t}")
                    v.model.add_implication(lies, v.drawn[order][t])
                    v.model.add_implication(lies, v.gone[order][t].negated())
                    v.model.add_implication(lies, v.own[order][v.seat(t)].negated())
                    seen.append(lies)
            v.clause(clues[t].negated(), *seen)
    if problem.alternating:
        _add_alternation(v)


def _add_alternation(v: Turns) -> None:
    for name, kind in (("color", CLUE_COLOR), ("rank", CLUE_RANK)):
        other = v.kind["rank" if name == "color" else "color"]
        was: Any = v.true if v.problem.last_clue == kind else v.false
        for t in range(v.turns):
            v.clause(v.kind[name][t].negated(), was.negated())
            now = v.var(f"last_{name}{t}")
            v.model.add_implication(v.kind[name][t], now)
            v.clause(was.negated(), other[t], now)
            was = now


def add_blind(v: Turns) -> None:
    """The last card of the deck may be used from there: for a play or strike, or a discard where allowed."""
    problem, blind = v.problem, v.kind["blind"]
    for t in range(v.turns):
        if not (problem.deck_plays and v.deck):
            v.model.add(blind[t] == 0)
            continue
        v.model.add(v.used[t] == v.draws - 1).only_enforce_if(blind[t])
        v.model.add_implication(blind[t], v.leave[v.deck[-1]][t])
        if not problem.deck_discards:
            v.model.add_implication(blind[t], v.kind["discard"][t].negated())


def add_ends(v: Turns) -> None:
    """No turn after the perfect score; none of a player without cards, none when the full score is lost."""
    problem = v.problem
    for t in range(1, v.turns):
        goes_on = v.kind["none"][t].negated()
        v.clause(v.kind["none"][t], *[placed[t].negated() for placed in v.placed.values()])
        if problem.empty_hand_ends:
            v.clause(v.kind["none"][t], *[_holds(v, order, t) for order in v.identity])
        if problem.stop_when_impossible:
            for k, placed in v.placed.items():
                alive = [v.gone[order][t].negated() for order, card in v.identity.items() if card == k]
                v.model.add_bool_or([placed[t], *alive]).only_enforce_if(goes_on)


def _holds(v: Turns, order: int, t: int) -> Any:
    """A literal that implies that the player of turn ``t`` holds the card."""
    holds = v.var(f"holds{order}_{t}")
    v.model.add_implication(holds, v.drawn[order][t])
    v.model.add_implication(holds, v.gone[order][t].negated())
    v.model.add_implication(holds, v.own[order][v.seat(t)])
    return holds


def solve_turns(
    problem: Problem, target: int, limit: float, workers: int, work: float | None = None
) -> tuple[bool | None, Line | None]:
    """(True, line), (False, None) or (None, None) at the limit."""
    if limit <= 0:
        return None, None
    start = time.monotonic()
    v = build_turns(problem, target)
    status, solver = run_solver(v.model, limit - (time.monotonic() - start), workers, work)
    if not status:
        return status, None
    return True, _read_line(v, solver)


def _read_line(v: Turns, solver: Any) -> Line:
    """The turns of a solution up to the target."""
    value = solver.boolean_value
    line: Line = []
    for t in range(v.turns):
        if sum(value(placed[t]) for placed in v.placed.values()) >= v.target:
            break
        if value(v.uses[t]):
            kind = DISCARD if value(v.kind["discard"][t]) else PLAY
            line.append((kind, next(order for order, leave in v.leave.items() if value(leave[t]))))
        elif v.problem.alternating:
            line.append((CLUE_COLOR if value(v.kind["color"][t]) else CLUE_RANK, None))
        else:
            line.append((ANY_CLUE, None))
    return line
