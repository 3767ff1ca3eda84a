"""The proven maximum before and after every action of a game whose deck is known.

Nobody at the table knew the deck, so this is an upper bound and no judgement. The maximum can only fall. While
the action played is on the solver's line, or leads to a situation equal to the line's, it stays without a
search; otherwise one question is asked, whether it can still be reached.

A question that takes too many states stays open, and is asked again after every action: later positions are
easier. If the maximum is reached from one of them, it was there all along; if not, it fell on one of the turns in
between. Where in between is asked again at the end, of CP-SAT, halving the turns each time. What that leaves open
is said so (``Fall.since``): the values there are brackets (``least_after`` to ``max_after``), each end proven.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hanasolve.hanabi.game.records import Action, Replay
from hanasolve.hanabi.game.rules import CLUE_RANK
from hanasolve.hanabi.game.table import Table, act, describe, engine_action, from_replay
from hanasolve.hanabi.ranking.known_deck.rank import Best, asked, best_from, goals_from, line_for, line_url, reaches
from hanasolve.hanabi.ranking.moves import after, effect, legal_actions, move_of, outlook, situation
from hanasolve.hanabi.search.problem import problem_from_table
from hanasolve.hanabi.search.reasons import gone_cards
from hanasolve.hanabi.search.verify import reach
from hanasolve.limits import Limit

ASSUMES = "hindsight, upper bound: deck known, every card in view; players could not know this"
TURN_STATES = 300_000  # for one question about the game itself; five times as many for all of them
SIDE_STATES = 50_000  # for each kind of move that might have kept the maximum
ALL_SIDE_STATES = 400_000  # for all of them in a game
CALLS, WORK = 2, 0.6  # of CP-SAT at the end, on the questions that were left open, and its work on each
_LEAST_STATES = 20_000  # where the sum is spent


@dataclass(frozen=True)
class Keeping:
    """A move that would have kept the maximum, and a link to its proven line."""

    action: Action
    text: str
    why: str
    url: str | None


@dataclass(frozen=True)
class Fall:
    """One action in hindsight.

    ``max_*``: no more is possible; ``least_after``: so much is, the same unless the question was left open. Where the
    maximum fell: the solver's reason, the moves that are proven to keep it (the first of each kind), for how many
    kinds that was not decided, and a link to a game that keeps it (``saving_url``). ``since``: the first turn on
    which it may have fallen, if it is not certain that it was this one.
    """

    number: int  # turn, from 1
    seat: int
    action: Action
    text: str
    max_before: int
    max_after: int
    why: str | None = None
    keeping: tuple[Keeping, ...] = ()
    undecided: int = 0
    saving_url: str | None = None
    since: int | None = None
    open_to: int | None = None  # what is proven possible after it, None if that is max_after itself

    @property
    def loss(self) -> int:
        return self.max_before - self.max_after

    @property
    def least_after(self) -> int:
        return self.max_after if self.open_to is None else self.open_to


def settled(falls: Sequence[Fall]) -> list[Fall]:
    """Open questions of earlier turns answered by what was proven on later ones: what can be reached later can be
    reached before."""
    found: list[Fall] = []
    least = 0
    for fall in reversed(falls):
        least = max(least, fall.least_after)
        found.append(replace(fall, open_to=None if least >= fall.max_after else least))
    found.reverse()
    first: int | None = None  # of the open turns just before this one
    for at, fall in enumerate(found):
        if fall.loss and first is not None:
            found[at] = replace(fall, since=first, keeping=(), undecided=0)
        if fall.open_to is None:
            first = None
        elif first is None:
            first = fall.number
    return found


class Hindsight:
    """Goes through a game; ``maximum`` is that of the deck. What it spends counts in ``limit``."""

    def __init__(self, replay: Replay, limit: Limit, states: int = TURN_STATES) -> None:
        """``states`` for one question before it is left open, 0 = until it is proven. LimitReached if the deck's own
        maximum is not proven in time."""
        self.replay, self.limit, self.states = replay, limit, states
        self.game_states, self.side_states = 5 * states, ALL_SIDE_STATES
        self.open_to: int | None = None
        self.table = from_replay(replay, 1)
        self.merge = problem_from_table(self.table).clue_always
        self.gone: list[int] = []  # cards whose loss was told
        self.lines: dict[int, Best] = {}  # by actions so far: the maximum of a position, with a line if known
        self.best = best_from(self.table, None, limit)
        self.maximum = self.best.score

    def turns(self) -> Iterator[Fall]:
        """Every action up to the end of the game. LimitReached ends it early."""
        table = self.table
        for action in self.replay.actions:
            if table.game["ended"] or action.type > CLUE_RANK:
                return
            if self.open_to is None:
                self.lines[int(table.game["turn"])] = self.best
                self.gone = gone_cards(problem_from_table(table))
            before, kept, was_open = table.copy(), self.best, self.open_to is not None
            number, text = int(table.game["turn"]) + 1, describe(table, action)
            seat = int(table.game["to_move"])
            act(table, action)
            self._follow(before, action)
            fall = Fall(number, seat, action, text, kept.score, self.best.score, open_to=self.open_to)
            if self.best.score == kept.score:
                yield fall
                continue
            fall = replace(fall, why=self.best.reason)
            yield fall if was_open else self._explained(fall, before, table)

    def closed(self, falls: Sequence[Fall]) -> list[Fall]:
        """The falls with what later turns and, where that leaves something open, CP-SAT say of them."""
        found = settled(falls)
        if self.states == 0:
            return found
        most, least = [fall.max_after for fall in found], [fall.least_after for fall in found]
        why = {fall.number: fall.why for fall in found}
        calls = CALLS
        while (first := next((at for at in range(len(most)) if least[at] < most[at]), None)) is not None:
            goal, last = most[first], first
            while last + 1 < len(most) and least[last + 1] < goal == most[last + 1]:
                last += 1
            middle = (first + last) // 2
            table = from_replay(self.replay, middle + 2)
            verdict, line = reaches(table, goal, self.limit, self.states)
            if verdict is None:
                if calls == 0:
                    break
                calls -= 1
                verdict, _, steps = reach(table, problem_from_table(table), goal, self.limit.left, WORK)
                line = tuple(steps)
            if verdict is None:
                break
            if verdict:
                self.lines[middle + 1] = Best(goal, line, None)
                least[first : middle + 1] = [goal] * (middle + 1 - first)
            else:
                below = goals_from(self.table, goal)[1]
                most[middle:] = [min(one, below) for one in most[middle:]]
                why[middle + 1] = f"{goal} is proven to be out of reach"
        return self._rebuilt(found, most, least, why)

    def _rebuilt(
        self, falls: Sequence[Fall], most: list[int], least: list[int], why: dict[int, str | None]
    ) -> list[Fall]:
        """The falls with these bounds after each."""
        found, before = [], self.maximum
        for at, fall in enumerate(falls):
            to = None if least[at] >= most[at] else least[at]
            new = replace(fall, max_before=before, max_after=most[at], open_to=to)
            if new != fall:
                new = replace(new, why=why[fall.number] if new.loss else None, since=None, saving_url=None)
                certain = at == 0 or least[at - 1] == most[at - 1]
                if new.loss and certain:
                    table = from_replay(self.replay, fall.number)
                    new = self._explained(new, table, from_replay(self.replay, fall.number + 1))
            if new.loss and new.saving_url is None:
                new = replace(new, saving_url=self._saving(fall.number, before))
            found.append(new)
            before = most[at]
        return settled(found)

    def _saving(self, number: int, goal: int) -> str | None:
        """A game that leaves the one played at the last position with a line to ``goal``."""
        known = [turn for turn, best in self.lines.items() if turn < number and best.score >= goal]
        if not known:
            return None
        return line_url(self.replay, from_replay(self.replay, max(known) + 1), self.lines[max(known)].line)

    def _explained(self, fall: Fall, before: Table, child: Table) -> Fall:
        """With the moves that would have kept the maximum, if a line that does is known or found soon."""
        known = self.lines.get(fall.number - 1)
        line = known.line if known is not None and known.line else self._line(before, fall.max_before)
        if not line:
            return fall
        keeping, undecided = self._keeping(before, child, Best(fall.max_before, line, None))
        saving = line_url(self.replay, before, line)
        return replace(fall, keeping=keeping, undecided=undecided, saving_url=saving)

    def _line(self, table: Table, goal: int) -> tuple[Action, ...]:
        """A line to a score that is known to be possible; empty if it is not found soon."""
        found = asked(table, goal, self.limit, self.states or TURN_STATES)
        return found.actions if found.score >= goal else ()

    def _follow(self, before: Table, action: Action) -> None:
        """Bring the maximum and its line up to date after an action that was played."""
        best, child = self.best, self.table
        if best.line and not child.game["ended"]:
            planned = best.line[0]
            wanted = child if planned == action else after(before, engine_action(before, planned))
            if planned == action or situation(wanted, self.merge) == situation(child, self.merge):
                rest = line_for(child, action, Best(best.score, best.line[1:], None), planned)
                self.best = Best(best.score, rest, None)
                return
        self.open_to = None
        if self.states == 0 or child.game["ended"]:
            self.best = best_from(child, best.score, self.limit, self.gone)
            return
        reason: str | None = None
        for goal in goals_from(child, best.score):
            nodes = self.limit.spent
            states = min(self.states, max(_LEAST_STATES, self.game_states))
            found = asked(child, goal, self.limit, states, self.gone)
            self.game_states -= self.limit.spent - nodes
            if found.score >= goal or found.upper_bound >= goal:
                self.best = Best(goal, found.actions if found.score >= goal else (), reason)
                self.open_to = None if found.score >= goal else found.score
                return
            reason = reason or found.reason

    def _keeping(self, before: Table, child: Table, best: Best) -> tuple[tuple[Keeping, ...], int]:
        """The moves that keep the maximum, one a kind, never the kind that was played; how many are not decided."""
        seen = {situation(child, self.merge)}
        found, undecided = [], 0
        for action in legal_actions(before):
            child = after(before, action)
            key = situation(child, self.merge)
            if key in seen:
                continue
            seen.add(key)
            stored, text = move_of(before, action)
            verdict: bool | None = True
            line = best.line[1:]
            if not best.line or stored != best.line[0]:
                nodes = self.limit.spent
                states = min(SIDE_STATES, self.side_states)
                verdict, line = reaches(child, best.score, self.limit, states) if states > 0 else (None, ())
                self.side_states -= self.limit.spent - nodes
            if verdict:
                url = line_url(self.replay, before, (stored, *line))
                found.append(Keeping(stored, text, f"{effect(before, action)}; {outlook(child)}", url))
            undecided += verdict is None
        return tuple(found), undecided
