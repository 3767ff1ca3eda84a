"""What one player believes at a table, and games played on from it; what may be spent on them.

The belief is that of ``belief.py``. Each candidate is played out on the same drawn deals (and dice) by the kernel of
``conventions/own_notes.py``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hanasolve.errors import NotationError, UnsupportedVariant
from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.conventions.find import find_convention
from hanasolve.hanabi.conventions.searching import rollouts as own_notes
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.records import Action
from hanasolve.hanabi.game.table import Table
from hanasolve.hanabi.ranking.hidden_hands.belief import Belief, Setting, codes_of
from hanasolve.hanabi.ranking.moves import EngineAction, ceiling, legal_actions
from hanasolve.hanabi.search.solve import Limit

CONVENTION = "smart"
_SLICE_SECONDS = 0.08

History = Sequence[Action]
Progress = Callable[[int, int], None]


@dataclass
class Budget:
    """What may still be spent: games (rollouts) and time."""

    games: int
    limit: Limit
    progress: Progress | None = None
    began: float = field(default_factory=time.perf_counter)
    spent: int = 0
    total: int = 0
    stopped: str = ""

    def __post_init__(self) -> None:
        self.total = self.games
        if self.limit.nodes is not None and self.limit.nodes < self.games:
            self.games, self.stopped = self.limit.nodes, f"the limit of {self.limit.nodes:,} games"

    def spend(self, games: int) -> None:
        self.spent += games
        if self.progress is not None:
            self.progress(self.spent, self.total)

    def late(self) -> bool:
        seconds = self.limit.seconds
        if seconds is not None and time.perf_counter() - self.began > seconds:
            self.stopped = f"the limit of {seconds:g} s"
        return bool(self.stopped) and self.limit.nodes is None


class Worlds:
    """One player's belief at one table under one convention, and games played on from it."""

    def __init__(
        self,
        table: Table,
        seat: int | None = None,
        convention: Convention | str = CONVENTION,
        history: History | None = None,
        seed: int = 0,
    ) -> None:
        """``history``: the game's actions so far, None if they are not known.

        NotationError or UnsupportedVariant name what is not there or not supported.
        """
        self.table, self.seed = table, seed
        self.mover = int(table.game["to_move"])
        self.seat = self.mover if seat is None else seat
        self.convention = find_convention(convention) if isinstance(convention, str) else convention
        check_hidden(table, self.seat, self.convention)
        codes = None if history is None else codes_of(table, tuple(history)[: int(table.game["turn"])])
        self.setting = Setting(table, self.convention, codes)
        self.belief = Belief(self.setting, self.seat, seed)
        self.target = ceiling(table)

    def candidates(self) -> tuple[list[EngineAction], str]:
        """The legal actions of the player to move, as far as the viewer knows that they are; and a note."""
        actions = [action for action in legal_actions(self.table) if action[1] >= 0]
        if self.seat == self.mover:
            return actions, ""
        kept = [action for action in actions if action[0] <= engine.DISCARD or action[1] != self.seat]
        name = self.table.names[self.seat]
        return kept, f"clues to {name} are left out: {name} cannot know which are possible"

    def play(self, codes: NDArray[np.int64], count: int, budget: Budget) -> NDArray[np.int16]:
        """Points of all candidates on ``count`` new deals, int16[n, codes]; fewer rows if the time is up."""
        belief, setting = self.belief, self.setting
        rows = belief.draw(count)
        decks = belief.decks(rows)
        dice = belief.random.integers(1, 2**62, len(rows)).astype(np.uint64)
        points = np.zeros((len(rows), len(codes)), np.int16)
        done, size = 0, max(1, 200 // len(codes))
        history = setting.history if setting.history is not None else np.zeros(0, np.int64)
        while done < len(rows):
            began = time.perf_counter()
            part = slice(done, min(done + size, len(rows)))
            own_notes.roll_out(
                setting.rules, setting.view, setting.root, setting.work, belief.given, setting.notes[1],
                setting.notes[2], setting.event, setting.decide, setting.update, belief.retold, history, codes,
                decks[part], dice[part], points[part],
            )  # fmt: skip
            budget.spend((part.stop - part.start) * len(codes))
            done = part.stop
            if budget.late():
                break
            spent = max(time.perf_counter() - began, 1e-6)
            size = max(1, min(4 * size, int(size * _SLICE_SECONDS / spent)))
        return points[:done]

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
        return words + self.notes_text()

    def notes_text(self) -> str:
        """With what notes the players go on, where there is no history."""
        if self.setting.history is not None:
            return ""
        if self.setting.notes_know:
            return "; the players know what was clued, not what it meant"
        return "; the players' notes start empty"


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
    game = table.game
    for other in range(int(table.rules["players"])):
        hand = game["hands"][other, : game["hand_sizes"][other]]
        if other != seat and (game["deck"][hand] < 0).any():
            raise NotationError(
                f"the cards of {table.names[other]} are hidden, but {table.names[seat]} sees them: name them in the "
                f"file, or ask with {table.names[other]}'s eyes (--player {table.names[other]})"
            )


def code_of(action: EngineAction) -> int:
    kind, target, value = action
    return kind << 16 | target << 8 | (value if kind > 1 else 0)
