"""A table as one player sees it: what he believes, and games played on from it.

The belief is that of ``belief.py``. Each candidate is played out on the same drawn deals (and dice) by the kernel of
``conventions/searching/rollouts.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hanasolve.errors import LimitReached, NotationError, UnsupportedVariant
from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.conventions.find import find_convention
from hanasolve.hanabi.conventions.searching import rollouts
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.records import Action
from hanasolve.hanabi.game.table import Table, hidden_seats
from hanasolve.hanabi.ranking.budget import Budget
from hanasolve.hanabi.ranking.hidden_hands.belief import Belief, Setting, codes_of
from hanasolve.hanabi.ranking.moves import EngineAction, ceiling, legal_actions
from hanasolve.limits import Limit, slices

CONVENTION = "smart"
_FIRST_GAMES = 16  # of the first kernel call

History = Sequence[Action]


class Viewpoint:
    """One player's belief at one table under one convention, and games played on from it."""

    def __init__(
        self,
        table: Table,
        seat: int | None = None,
        convention: Convention | str = CONVENTION,
        history: History | None = None,
        seed: int = 0,
        limit: Limit | None = None,
        explained: bool = True,
    ) -> None:
        """``history``: the game's actions so far, None if they are not known; whether hands must have ``explained`` it.

        NotationError or UnsupportedVariant name what is not there or not supported; LimitReached: ``limit`` was not
        enough to find hands that explain the history.
        """
        self.table, self.seed = table, seed
        self.mover = int(table.game["to_move"])
        self.seat = self.mover if seat is None else seat
        self.convention = find_convention(convention) if isinstance(convention, str) else convention
        check_hidden(table, self.seat, self.convention)
        self.open_seats = [other for other in hidden_seats(table) if other != self.seat]
        history = None if self.open_seats else history  # what the others saw is not known
        codes = None if history is None else codes_of(table, tuple(history)[: int(table.game["turn"])])
        self.setting = Setting(table, self.convention, codes)
        self.belief = Belief(self.setting, self.seat, seed, limit, explained)
        self.target = ceiling(table)

    def candidates(self) -> tuple[list[EngineAction], str]:
        """The legal actions of the player to move, as far as the viewer knows that they are; and a note."""
        actions = [action for action in legal_actions(self.table) if action[1] >= 0]
        unknown = [*self.open_seats, *([] if self.seat == self.mover else [self.seat])]
        if self.mover in unknown:
            unknown.remove(self.mover)
        if not unknown:
            return actions, ""
        kept = [action for action in actions if action[0] <= engine.DISCARD or action[1] not in unknown]
        to, name = " and ".join(self.table.names[seat] for seat in unknown), self.table.names[self.seat]
        return kept, f"clues to {to} are left out: {name} cannot know which are possible"

    def play(self, codes: NDArray[np.int64], count: int, budget: Budget) -> NDArray[np.int16]:
        """Points of all candidates on ``count`` new deals, int16[n, codes]; fewer rows if the time is up."""
        decks = self.belief.decks(self.belief.draw(count, budget.limit))
        dice = self.belief.random.integers(1, 2**62, len(decks)).astype(np.uint64)
        return self.roll(codes, decks, dice, budget)

    def roll(
        self, codes: NDArray[np.int64], decks: NDArray[np.int8], dice: NDArray[np.uint64], budget: Budget
    ) -> NDArray[np.int16]:
        """Points of all candidates on these deals, as ``play``."""
        belief, setting, done = self.belief, self.setting, 0
        points = np.zeros((len(decks), len(codes)), np.int16)
        for part in slices(len(decks), max(1, _FIRST_GAMES // len(codes))):
            rollouts.roll_out(
                setting.rules, setting.view, setting.root, setting.work, belief.given, setting.notes[1],
                setting.notes[2], setting.event, setting.decide, setting.update, belief.retold, self.told, codes,
                decks[part], dice[part], points[part],
            )  # fmt: skip
            done = part.stop
            budget.spend((part.stop - part.start) * len(codes))
            if budget.late():
                break
        return points[:done]

    @property
    def told(self) -> NDArray[np.int64]:
        """The codes of the actions so far, none if they are not known."""
        return np.zeros(0, np.int64) if self.setting.history is None else self.setting.history

    def assumes(self) -> str:
        """The label: whose eyes, which convention, which belief."""
        who = self.table.names[self.seat]
        belief = self.belief
        if belief.filtered:
            hands = "" if belief.rows is None else f" ({hands_text(len(belief.rows))})"
            knows = f"the clues and what the others did{hands}"
        else:
            knows = f"clues only ({belief.why_unfiltered})"
        words = f"hidden hands, as {who} sees it, under {self.convention.name}; belief: {knows}"
        return words + self.notes_text() + self.open_text()

    def open_text(self) -> str:
        """That cards which the viewer sees at the table are not named."""
        if not self.open_seats:
            return ""
        names = " and ".join(self.table.names[seat] for seat in self.open_seats)
        return (
            f"; cards of {names} are not named: they are drawn like hidden ones, unknown before the move to "
            f"{self.table.names[self.seat]} too, who sees them at the table"
        )

    def notes_text(self) -> str:
        """With what notes the players go on, where there is no history."""
        if self.setting.history is not None:
            return ""
        if self.setting.notes_know:
            return "; the players know what was clued, not what it meant"
        return "; the players' notes start empty"


def viewpoint_within(
    limit: Limit, table: Table, seat: int | None, convention: Convention | str, history: History | None, seed: int
) -> tuple[Viewpoint, str]:
    """The viewpoint; by the clues only, and what cut it short, if half of the limit finds no hands that explain the
    history."""
    half = limit.part(0.5)
    try:
        return Viewpoint(table, seat, convention, history, seed, half), ""
    except LimitReached:
        limit.check("came before it was known which hands are possible: give more time")
        return Viewpoint(table, seat, convention, history, seed, half, explained=False), str(limit)


def hands_text(count: int) -> str:
    return f"{count:,} hand{'s' if count != 1 else ''} possible"


def check_hidden(table: Table, seat: int, convention: Convention) -> None:
    """UnsupportedVariant or NotationError, by name, for what is not ranked with hidden hands."""
    if convention.open_hands:
        raise NotationError(
            f"--convention {convention.name}: it sees the own hand, expected one that plays with hidden hands, "
            "e.g. smart"
        )
    if convention.build is not None:
        raise NotationError(
            f"--convention {convention.name}: found a search, expected the convention below it "
            f"({convention.name.removeprefix('search:').partition(':')[0]})"
        )
    convention.check_table(table.variant, table.options)
    found = [
        ("bonus tiles", bool(table.options.tiles)),
        (f"the mode {table.options.mode}", table.options.mode != "normal"),
    ]
    for words, there in found:
        if there:
            raise UnsupportedVariant(f"hidden hands: {words} are not supported; with the deck known, known-deck is")


def code_of(action: EngineAction) -> int:
    kind, target, value = action
    return kind << 16 | target << 8 | (value if kind > 1 else 0)
