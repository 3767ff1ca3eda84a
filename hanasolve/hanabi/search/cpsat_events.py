"""The events formulation of the known deck for CP-SAT; ``cpsat.py`` says what an event is."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hanasolve.hanabi.search.problem import Problem


def events_fit(problem: Problem, target: int) -> str | None:
    """How the events formulation relates to the problem: ``exact``, ``relaxed`` or None (not applicable).

    ``relaxed``: it allows all that the rules allow and perhaps more, so a refutation holds and a line must be
    walked. That is so where clues may fail to touch a card, where the last card of a suit has a second copy
    (``Walk.drop`` of ``cpsat_walk.py``), and where a game that ends for impossibility is asked for less than
    everything while a last round forces discards.
    """
    draws, turns_left = len(problem.deck), problem.turns_left
    if problem.discard_gain != 1 or any(bonus > 1 for bonus in problem.bonus):
        return None
    if problem.clue_cost > problem.clues_max or any(not hand for hand in problem.hands):
        return None
    if problem.last_round:
        if (turns_left is None) != (draws > 0) or (turns_left or 0) > problem.players:
            return None
    elif turns_left is not None:
        return None
    cards = [card for hand in problem.hands for card in hand] + list(problem.deck)
    touched = problem.clue_always or all(
        problem.color_touchable[card] and problem.rank_touchable[card] for card in cards
    )
    last_steps = [suit * problem.stack_size + problem.stack_size - 1 for suit in range(problem.suits)]
    second = any(
        cards.count(card) > 1 and bonus for card, bonus in zip(last_steps, problem.bonus, strict=True)
    )
    forced = problem.stop_when_impossible and problem.last_round and target < problem.full_score
    return "exact" if touched and not second and not forced else "relaxed"


#
# Events are numbered from 1. *Full* events (1 to ``full``) choose a seat and a kind and are preceded by any
# number of passes; before the last round that is every use of a card, and in the modes without a last round
# all of them, also after the deck is gone. *Slots* (full + 1 to ``events``) are the turns of the last round:
# their seats follow from the seat of the last drawing event, and a slot without a play needs no further
# thought: with a token the player clues (whoever plays later holds a card that can be clued), without one he
# may discard any card, since he has no later turn.
#
# There is no bound on the number of turns to choose: a line has at most ``full`` events, and between two of
# them at most clues_max / clue_cost passes.


class Events:
    """The CP-SAT model and its variables. Keys: e = event, k = identity, p = seat."""

    def __init__(self, problem: Problem, target: int) -> None:
        from ortools.sat.python import cp_model

        self.problem, self.target = problem, target
        self.model: Any = cp_model.CpModel()
        self.true: Any = self.model.new_constant(1)
        self.false: Any = self.model.new_constant(0)
        self.players, self.draws = problem.players, len(problem.deck)
        held = sum(len(hand) for hand in problem.hands)
        self.full = self.draws if problem.last_round else self.draws + held
        slots = problem.players if problem.turns_left is None else problem.turns_left
        self.events = self.full + (slots if problem.last_round else 0)
        self.copies = _copies(problem)
        self.chains = _chains(problem, self.copies)
        # Identities that cannot be done without: at most `spare` of the reachable cards stay unplaced, and
        # the unplaced ones of a suit are its last ones.
        self.spare = problem.reachable_score() - target
        self.forced = {k for chain in self.chains for k in chain[: max(0, len(chain) - self.spare)]}
        self.first: dict[int, int] = {}
        self.last: dict[int, int] = {}
        self.seat: list[list[Any]] = []
        self.none: list[Any] = []
        self.discard: list[Any] = []
        self.misplay: list[Any] = []
        self.blind: Any = self.false  # the last event of the deck strikes or discards the deck's card
        self.done: dict[int, list[Any]] = {}  # done[k][e]: k has been placed by event e
        self.play: dict[int, dict[int, Any]] = {}  # play[k][e]: event e places k
        self.copy: dict[int, list[tuple[int, int | None, int, Any]]] = {}
        self.home: dict[int, list[Any]] = {}  # home[k][p]: the copy of k that counts is p's
        self.passes: list[Any] = [0]
        # tokens[e]: after the event; before an event its passes are paid
        self.tokens: list[Any] = [problem.clues] + [
            self.model.new_int_var(0, problem.clues_max, f"tokens{e}") for e in range(1, self.full + 1)
        ]
        # Games that end for impossibility keep one copy of every card, placed by the line or not.
        self.keep_all = problem.stop_when_impossible and events_fit(problem, target) == "exact"

    def var(self, name: str) -> Any:
        return self.model.new_bool_var(name)

    def clause(self, *literals: Any) -> None:
        self.model.add_bool_or(list(literals))

    def seat_before(self, event: int, steps: int, p: int) -> Any:
        """Literal: the seat ``steps`` turns before ``p``'s is that of ``event``."""
        return self.seat[event][(p - steps) % self.players]


def _copies(problem: Problem) -> dict[int, list[tuple[int, int | None, int]]]:
    """Identity -> its copies as (event that draws it, seat that holds it at the start, order), by event."""
    copies: dict[int, list[tuple[int, int | None, int]]] = {}
    for seat, (hand, orders) in enumerate(zip(problem.hands, problem.hand_orders, strict=True)):
        for card, order in zip(hand, orders, strict=True):
            known = copies.setdefault(card, [])
            if all(other != seat for _, other, _ in known):  # two copies in one hand are the same
                known.append((0, seat, order))
    for index, card in enumerate(problem.deck):
        copies.setdefault(card, []).append((index + 1, None, problem.deck_order + index))
    return copies


def _chains(problem: Problem, copies: dict[int, Any]) -> list[list[int]]:
    """For every suit the identities still to be placed, in order, up to the first that is lost."""
    chains = []
    for suit, height in enumerate(problem.stacks):
        chain = []
        for step in range(height, problem.stack_size):
            if suit * problem.stack_size + step not in copies:
                break
            chain.append(suit * problem.stack_size + step)
        chains.append(chain)
    return chains


def build_events(problem: Problem, target: int) -> Events | None:
    """The model; None if already the earliest and latest events of some card exclude each other."""
    v = Events(problem, target)
    if not find_windows(v):
        return None
    add_seats(v)
    add_plays(v)
    add_kinds(v)
    add_order(v)
    add_pace(v)
    add_copies(v)
    add_homes(v)
    add_hands(v)
    add_passes(v)
    add_tokens(v)
    return v


def find_windows(v: Events) -> bool:
    """First and last event that can place each identity: after its card below and after its first copy is
    drawn; early enough for the forced cards above it. False if a forced card has no event."""
    for chain in v.chains:
        before = 0
        for k in chain:
            drawn = v.copies[k][0][0]
            if v.problem.deck_plays and 0 < drawn == v.draws:
                drawn -= 1  # played straight from the deck
            v.first[k] = before = max(before, drawn) + 1
        for index, k in enumerate(chain):
            v.last[k] = v.events - sum(above in v.forced for above in chain[index + 1 :])
    return all(v.first[k] <= v.last[k] for k in v.forced)


def add_seats(v: Events) -> None:
    """Every full event has a seat or is beyond the end of the line (``none``); slots follow the last draw."""
    before = (v.problem.to_move - 1) % v.players
    v.seat.append([v.true if p == before else v.false for p in range(v.players)])
    v.none.append(v.false)
    for e in range(1, v.full + 1):
        v.seat.append([v.var(f"seat{e}_{p}") for p in range(v.players)])
        v.none.append(v.var(f"none{e}"))
        v.model.add_exactly_one([*v.seat[e], v.none[e]])
        v.model.add_implication(v.none[e - 1], v.none[e])
    for e in range(v.full + 1, v.events + 1):
        v.seat.append([v.seat_before(v.full, e - v.full, p) for p in range(v.players)])
        v.none.append(v.none[v.full])


def add_plays(v: Events) -> None:
    """``done`` only ever becomes true, and ``play`` is the event at which it does."""
    for chain in v.chains:
        for k in chain:
            first, last, forced = v.first[k], v.last[k], k in v.forced
            done: list[Any] = []
            for e in range(v.events + 1):
                if e < first:
                    done.append(v.false)
                elif e >= last:
                    done.append(v.true if forced else (done[-1] if e > last else v.var(f"done{k}_{e}")))
                else:
                    done.append(v.var(f"done{k}_{e}"))
            v.done[k], v.play[k] = done, {}
            for e in range(first, last + 1):
                v.play[k][e] = v.var(f"play{k}_{e}")
                v.model.add(v.play[k][e] == done[e] - done[e - 1])
    if v.spare:
        v.model.add(sum(done[v.events] for done in v.done.values()) >= v.target - v.problem.placed)


def add_kinds(v: Events) -> None:
    """A full event places one card, discards, strikes, or is beyond the end; a slot places at most one card.

    The strikes stay below the maximum. Discards and strikes use cards that the line never places.
    """
    spare_strikes = v.problem.strikes_max - 1 - v.problem.strikes
    v.discard.append(v.false)
    v.misplay.append(v.false)
    for e in range(1, v.events + 1):
        plays = [play[e] for play in v.play.values() if e in play]
        if e > v.full:
            v.model.add_at_most_one([*plays, v.none[e]])
            continue
        v.discard.append(v.var(f"discard{e}"))
        v.misplay.append(v.var(f"misplay{e}") if spare_strikes > 0 else v.false)
        v.model.add_exactly_one([*plays, v.discard[e], v.misplay[e], v.none[e]])
    v.model.add(sum(v.misplay) <= max(0, spare_strikes))
    if v.problem.deck_plays and v.draws:
        v.blind = v.var("blind")
        kinds = [v.misplay[v.draws]] + ([v.discard[v.draws]] if v.problem.deck_discards else [])
        v.clause(v.blind.negated(), *kinds)


def add_order(v: Events) -> None:
    """A card is placed after the one below it."""
    for chain in v.chains:
        for below, k in pairwise(chain):
            for e in range(v.first[k], v.last[k] + 1):
                v.model.add_implication(v.done[k][e], v.done[below][e - 1])


def add_pace(v: Events) -> None:
    """Redundant: after each event the cards still to be placed are no more than the events still to come."""
    missing = v.target - v.problem.placed
    for e in range(1, v.events):
        if missing > v.events - e:
            v.model.add(sum(done[e] for done in v.done.values()) >= missing - (v.events - e))


def add_copies(v: Events) -> None:
    """One copy of each identity counts; it is placed after it was drawn.

    The last card of the deck may be placed by the event that would draw it, if blind plays are allowed.
    """
    for k, done in v.done.items():
        v.copy[k] = [(drawn, seat, order, v.var(f"copy{order}")) for drawn, seat, order in v.copies[k]]
        v.model.add_exactly_one([chosen for *_, chosen in v.copy[k]])
        for drawn, _, _, chosen in v.copy[k]:
            is_last = 0 < drawn == v.draws
            from_deck = v.problem.deck_plays and is_last
            v.model.add_implication(chosen, done[drawn - 1 if from_deck else drawn].negated())
            if is_last:
                v.clause(chosen.negated(), v.blind.negated(), *_unless_placed(v, k))


def _unless_placed(v: Events, k: int) -> list[Any]:
    """Literals that free the copy of ``k`` from being kept: it is never placed, and nobody needs it."""
    return [] if v.keep_all else [v.done[k][v.events].negated()]


def add_homes(v: Events) -> None:
    """The copy that counts lies with the seat that held or drew it, and this seat places it."""
    for k, copies in v.copy.items():
        v.home[k] = [v.var(f"home{k}_{p}") for p in range(v.players)]
        v.model.add_exactly_one(v.home[k])
        for drawn, holder, _, chosen in copies:
            for p in range(v.players):
                drew = v.seat[drawn][p] if holder is None else (v.true if p == holder else v.false)
                v.clause(chosen.negated(), drew.negated(), v.home[k][p])
        for e, play in v.play[k].items():
            for p in range(v.players):
                v.clause(play.negated(), v.home[k][p].negated(), v.seat[e][p])


def add_hands(v: Events) -> None:
    """Who discards or strikes holds a card that he need not keep.

    ``kept`` cards of a seat before an event are those that are drawn, not yet placed, and to be placed later.
    A hand has its first size until the deck is gone and then loses a card with each event of its seat.
    """
    for e in range(1, v.full + 1):
        kept: list[list[Any]] = [[] for _ in range(v.players)]
        for k, done in v.done.items():
            in_hand = _drawn_by(v, k, e - 1)
            if in_hand is None:
                continue
            unless = [done[e - 1], v.none[e], *_unless_placed(v, k)]
            for p in range(v.players):
                kept[p].append(v.var(f"kept{k}_{e}_{p}"))
                v.clause(kept[p][-1], v.home[k][p].negated(), in_hand.negated(), *unless)
        for p in range(v.players):
            used = sum(v.seat[earlier][p] for earlier in range(v.draws + 1, e))
            frees = v.var(f"frees{e}_{p}")
            blind = [v.blind] if e == v.draws else []
            v.clause(frees, v.discard[e].negated(), v.seat[e][p].negated(), *blind)
            v.clause(frees, v.misplay[e].negated(), v.seat[e][p].negated(), *blind)
            room = v.model.add(sum(kept[p]) + frees + used <= len(v.problem.hands[p]))
            if e > v.draws:
                room.only_enforce_if(v.none[e].negated())


def _drawn_by(v: Events, k: int, event: int) -> Any:
    """Literal: the copy of ``k`` that counts has been drawn by ``event``; None if that cannot be."""
    early = [chosen for drawn, _, _, chosen in v.copy[k] if drawn <= event]
    if not early:
        return None
    if len(early) == len(v.copy[k]):
        return v.true
    if len(early) == 1:
        return early[0]
    drawn = v.var(f"drawn{k}_{event}")
    v.model.add(drawn == sum(early))
    return drawn


def add_passes(v: Events) -> None:
    """The number of clues between two events, modulo the players, is the distance of their seats."""
    n = v.players
    for e in range(1, v.full + 1):
        distance = [v.var(f"pass{e}_{r}") for r in range(n)]
        v.model.add_exactly_one(distance)
        for r in range(n):
            for p in range(n):
                q = (p + 1 + r) % n
                v.clause(v.seat[e - 1][p].negated(), distance[r].negated(), v.seat[e][q], v.none[e])
                v.clause(v.seat[e - 1][p].negated(), v.seat[e][q].negated(), distance[r])
                v.clause(v.seat[e][q].negated(), distance[r].negated(), v.seat[e - 1][p])
        rounds = _rounds(v, e, distance[0])
        v.passes.append(sum(r * distance[r] for r in range(1, n)) + n * rounds)
        if v.problem.empty_hand_ends and e > v.draws + 1:
            add_no_empty_turns(v, e, distance, rounds)


def _rounds(v: Events, e: int, no_distance: Any) -> Any:
    """Whole rounds of clues before an event.

    They bring the same player to the move with fewer tokens, which helps only where the maximum would forbid
    a discard or swallow a bonus. A line with a round elsewhere can give it later, just before the first event
    where the tokens kept by the delay meet the maximum: until then it has more tokens, and no more than the
    maximum allows, so all its actions stay legal. The tokens there are ``clues_max`` and no other pass
    precedes the event: with gains of one unit nothing less meets the maximum, and after a second round or
    another pass the event would be below it. Where discards are always legal, more tokens forbid nothing and
    no round is needed. Where a turn without cards ends the game a delay may come too late, and any number
    is allowed.
    """
    problem = v.problem
    most = problem.clues_max // (problem.clue_cost * v.players)
    if problem.discard_at_max or most == 0:
        return 0
    if problem.empty_hand_ends:
        return v.model.new_int_var(0, most, f"rounds{e}")
    rounds = v.var(f"round{e}")
    v.model.add_implication(rounds, no_distance)
    v.clause(rounds.negated(), v.discard[e], *_bonus(v, e))
    v.model.add(v.tokens[e - 1] == problem.clues_max).only_enforce_if(rounds)
    return rounds


def _bonus(v: Events, e: int) -> list[Any]:
    """The plays of an event that complete a suit and pay a token."""
    size = v.problem.stack_size
    lasts = [suit * size + size - 1 for suit in range(v.problem.suits) if v.problem.bonus[suit]]
    return [v.play[k][e] for k in lasts if k in v.play and e in v.play[k]]


def add_no_empty_turns(v: Events, e: int, distance: list[Any], rounds: Any) -> None:
    """Where a turn without cards ends the game, everyone who passes before event ``e`` holds a card."""
    for q in range(v.players):
        passing = v.var(f"passing{e}_{q}")
        for r in range(1, v.players):
            for back in range(1, r + 1):
                v.clause(v.seat[e - 1][(q - back) % v.players].negated(), distance[r].negated(), passing)
        v.model.add(rounds == 0).only_enforce_if(passing.negated())
        used = sum(v.seat[earlier][q] for earlier in range(v.draws + 1, e))
        v.model.add(used <= len(v.problem.hands[q]) - 1).only_enforce_if(passing, v.none[e].negated())


def add_tokens(v: Events) -> None:
    """Clue tokens: passes are paid in advance, a discard or a completed suit pays a unit, up to the maximum.

    At the maximum a discard is illegal and a bonus is lost. Where discards are legal there too, having more
    tokens forbids nothing, and tokens may be thrown away: the equation becomes an inequality.
    """
    problem = v.problem
    for e in range(1, v.full + 1):
        counts = v.none[e].negated()
        bonus = _bonus(v, e)
        paid = v.tokens[e - 1] - problem.clue_cost * v.passes[e]
        v.model.add(paid >= 0).only_enforce_if(counts)
        gained = paid + sum(bonus) + v.discard[e]
        if problem.discard_at_max:
            v.model.add(v.tokens[e] <= gained).only_enforce_if(counts)
            continue
        lost: Any = 0
        if bonus:
            lost = v.var(f"lost{e}")
            v.clause(lost.negated(), *bonus)
            v.model.add(paid == problem.clues_max).only_enforce_if(lost, counts)
        v.model.add(v.tokens[e] == gained - lost).only_enforce_if(counts)
