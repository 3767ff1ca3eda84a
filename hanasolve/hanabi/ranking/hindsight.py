"""The proven maximum before and after every action of a game whose deck is known.

Nobody at the table knew the deck, so this is an upper bound and no judgement. The maximum can only fall. While
the action played is on the solver's line, or leads to a situation equal to the line's, it stays without a
search; otherwise one question is asked, whether it can still be reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hanasolve.hanabi.game import Table, act, describe, engine_action, from_replay
from hanasolve.hanabi.ranking.known_deck import Best, Clock, best_from, line_for, line_url, reaches
from hanasolve.hanabi.ranking.moves import after, effect, legal_actions, move_of, outlook, situation
from hanasolve.hanabi.records import Action, Replay
from hanasolve.hanabi.rules import CLUE_RANK
from hanasolve.hanabi.search.problem import problem_from_table

ASSUMES = "hindsight, upper bound: deck known, every card in view; players could not know this"
SIDE_STATES = 200_000  # for each kind of move that might have kept the maximum


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

    Where the maximum fell: the solver's reason, the moves that are proven to keep it (the first of each kind),
    for how many kinds ``SIDE_STATES`` did not decide it, and a link to a game that keeps it (``saving_url``).
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

    @property
    def loss(self) -> int:
        return self.max_before - self.max_after


class Hindsight:
    """Goes through a game; ``maximum`` is that of the deck. Shares its limit with whoever holds ``clock``."""

    def __init__(self, replay: Replay, clock: Clock) -> None:
        """LimitReached if the deck's own maximum is not proven in time."""
        self.replay, self.clock = replay, clock
        self.table = from_replay(replay, 1)
        self.merge = problem_from_table(self.table).clue_always
        self.best = best_from(self.table, None, clock)
        self.maximum = self.best.score

    def turns(self) -> Iterator[Fall]:
        """Every action up to the end of the game. LimitReached ends it early."""
        table = self.table
        for action in self.replay.actions:
            if table.game["ended"] or action.type > CLUE_RANK:
                return
            before, kept = table.copy(), self.best
            number, text = int(table.game["turn"]) + 1, describe(table, action)
            seat = int(table.game["to_move"])
            act(table, action)
            self._follow(before, action)
            if self.best.score == kept.score:
                yield Fall(number, seat, action, text, kept.score, kept.score)
                continue
            line = kept.line or best_from(before, kept.score, self.clock).line
            saving = line_url(self.replay, before, line)
            keeping, undecided = self._keeping(before, Best(kept.score, line, None))
            yield Fall(
                number, seat, action, text, kept.score, self.best.score, self.best.reason, keeping, undecided,
                saving,
            )  # fmt: skip

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
        self.best = best_from(child, best.score, self.clock)

    def _keeping(self, before: Table, best: Best) -> tuple[tuple[Keeping, ...], int]:
        """The moves that keep the maximum, one a kind, never the kind that was played; how many are not decided."""
        asked = {situation(self.table, self.merge)}
        found, undecided = [], 0
        for action in legal_actions(before):
            child = after(before, action)
            key = situation(child, self.merge)
            if key in asked:
                continue
            asked.add(key)
            stored, text = move_of(before, action)
            verdict: bool | None = True
            line = best.line[1:]
            if not best.line or stored != best.line[0]:
                verdict, line = reaches(child, best.score, self.clock, SIDE_STATES)
            if verdict:
                url = line_url(self.replay, before, (stored, *line))
                found.append(Keeping(stored, text, f"{effect(before, action)}; {outlook(child)}", url))
            undecided += verdict is None
        return tuple(found), undecided
