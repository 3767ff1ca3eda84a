"""How often a convention would have made the move that was played.

A convention is asked at every turn of a recorded game: it is given the VIEW of the player to move and its own
notes, fed with the public events of the game as it really went. Every seat keeps notes of its own, read
through its own eyes: one set of notes for all seats is right only where everybody follows the convention.

*Same* means the same action (the same card played or discarded, the same clue to the same player). A clue by
another name that touches the same cards of the same player is counted apart, as *same cards*: whether it
says the same depends on the convention.

Left out: conventions that roll dice (they have no single move), that see the own hand, or that were not made
for the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hanasolve.errors import UnsupportedVariant
from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.conventions.find import convention_names, find_convention
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.deck import seed_number
from hanasolve.hanabi.game.records import UNKNOWN, Action, Replay
from hanasolve.hanabi.game.table import Table, deal, describe, engine_action, hidden_seats, stored_action
from hanasolve.hanabi.game.table import act as act_at
from hanasolve.hanabi.game.view import aim
from hanasolve.hanabi.play import games
from hanasolve.hanabi.play.simulator import Simulator
from hanasolve.hanabi.ranking.moves import is_same
from hanasolve.limits import Limit
from hanasolve.stats import wilson

SAME, SAME_CARDS, OTHER = "same", "same cards", "other"
_PLAIN_GAME = (engine.PLAY, engine.DISCARD, engine.CLUE_COLOR, engine.CLUE_RANK)


@dataclass(frozen=True)
class Choice:
    """A convention's move at one turn (from 1); ``action`` None if what it wanted is illegal here."""

    turn: int
    seat: int
    action: Action | None
    text: str
    verdict: str  # SAME, SAME_CARDS or OTHER


@dataclass(frozen=True)
class Share:
    """Turns on which a convention agreed; ``player`` None = all players."""

    player: str | None
    turns: int
    same: int
    same_cards: int

    @property
    def rate(self) -> float | None:
        return self.same / self.turns if self.turns else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of ``rate``."""
        return wilson(self.same, self.turns) if self.turns else None


@dataclass(frozen=True)
class Agreement:
    """One convention over one game (``choices`` turn by turn) or, without choices, over several."""

    convention: str
    share: Share
    players: tuple[Share, ...]
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Agreements:
    """All conventions that were asked, the most agreeing first, and why others were not."""

    conventions: tuple[Agreement, ...]
    left_out: tuple[tuple[str, str], ...]


class Spectator:
    """A convention that watches recorded games of one table and is asked at every turn."""

    def __init__(self, convention: Convention, replay: Replay) -> None:
        """UnsupportedVariant if the convention was not made for this table."""
        self.table = Simulator(convention, replay.options.players, replay.variant, replay.options, separate=True)
        self.options, self.variant = replay.options, replay.variant

    def fits(self, replay: Replay) -> bool:
        return replay.options == self.options and replay.variant.name == self.variant.name

    def choices(self, replay: Replay) -> Iterator[Choice]:
        """The convention's move at every turn, up to the end or to a card played from the deck."""
        at = self.table
        self._begin(replay)
        shown = deal(replay.variant, replay.options, replay.deck, replay.names)
        for action in replay.actions:
            kind, target, value = engine_action(shown, action)
            if shown.game["ended"] or hidden_seats(shown) or kind not in _PLAIN_GAME or target == engine.TOP:
                return
            seat = int(shown.game["to_move"])
            aim(at.view, at.game, seat, False)
            code = int(at.functions.decide(at.view, at.memory[seat]))
            yield _choice(shown, action, code)
            act_at(shown, action)
            games.act(at.rules, at.game, at.view, at.event, kind << 16 | target << 8 | value, False)
            self._tell()

    def _begin(self, replay: Replay) -> None:
        at = self.table
        deck = np.full(replay.variant.deck_size, UNKNOWN, np.int8)
        deck[: len(replay.deck)] = replay.deck
        number = seed_number(replay.seed) if replay.seed else 0
        games.begin(at.rules, at.game, at.view, at.memory, at.event, deck, at.setup, number, False)
        self._tell()

    def _tell(self) -> None:
        at = self.table
        for seat in range(self.options.players):
            aim(at.view, at.game, seat, False)
            at.functions.update(at.view, at.memory[seat], at.event)


def _choice(table: Table, played: Action, code: int) -> Choice:
    """Compare an encoded decision with the action that was played."""
    kind, target, value = code >> 16, code >> 8 & 255, code & 255
    turn, seat = int(table.game["turn"]) + 1, int(table.game["to_move"])
    if code < 0 or kind not in _PLAIN_GAME or engine.legal(table.rules, table.game, kind, target, value):
        return Choice(turn, seat, None, "a move that is illegal here", OTHER)
    action = stored_action(table, kind, target, value)
    verdict = OTHER
    if is_same(action, played):
        verdict = SAME
    elif min(action.type, played.type) > engine.DISCARD and action.target == played.target:
        verdict = SAME_CARDS if _touched(table, action) == _touched(table, played) else OTHER
    return Choice(turn, seat, action, describe(table, action), verdict)


def _touched(table: Table, clue: Action) -> tuple[int, ...]:
    """Orders of the cards that a clue touches."""
    game = table.game
    mask = int(engine.touch_mask(table.rules, clue.type, clue.value))
    hand = game["hands"][clue.target, : game["hand_sizes"][clue.target]]
    return tuple(int(order) for order in hand if mask >> int(game["deck"][order]) & 1)


def conventions_for(replay: Replay, names: Sequence[str] = ()) -> tuple[list[Convention], list[tuple[str, str]]]:
    """The conventions to ask (``names``, or all built-in ones), and (name, reason) of those left out.

    A named convention that was not made for the table is an error (UnsupportedVariant).
    """
    asked: list[Convention] = []
    left_out: list[tuple[str, str]] = []
    for name in names or convention_names():
        convention = find_convention(name)
        try:
            convention.check_table(replay.variant, replay.options)
        except UnsupportedVariant as error:
            if names:
                raise
            left_out.append((convention.name, str(error)))
            continue
        if convention.open_hands:
            left_out.append((convention.name, "it sees the own hand"))
        elif not convention.deterministic:
            left_out.append((convention.name, "it rolls dice: there is no single move to compare"))
        else:
            asked.append(convention)
    return asked, left_out


def agreement(
    replay: Replay,
    names: Sequence[str] = (),
    on_progress: Callable[[str, int, int], None] | None = None,
    limit: Limit | None = None,
) -> Agreements:
    """Ask conventions at every turn of a game. ``on_progress``: (name, how many are done, of how many). Those that
    ``limit`` leaves no time for are left out."""
    asked, left_out = conventions_for(replay, names)
    found = []
    for done, convention in enumerate(asked):
        if on_progress is not None:
            on_progress(convention.name, done, len(asked))
        if limit is not None and limit.late:
            left_out.append((convention.name, f"{limit} came first"))
            continue
        choices = tuple(Spectator(convention, replay).choices(replay))
        players = [_share(name, [c for c in choices if c.seat == seat]) for seat, name in enumerate(replay.names)]
        found.append(Agreement(convention.name, _share(None, choices), tuple(players), choices))
    return Agreements(_sorted(found), tuple(left_out))


def agreement_of_games(
    replays: Iterable[Replay], names: Sequence[str] = (), on_progress: Callable[[str, int, int], None] | None = None
) -> Agreements:
    """Agreement pooled over the moves of many games of one variant and number of players.

    Turns of one game are not independent of each other: the interval is that of independent turns. ``players``
    stays empty. Names and reasons as ``conventions_for`` of the first game.
    """
    games = list(replays)
    if not games:
        return Agreements((), ())
    asked, left_out = conventions_for(games[0], names)
    found = []
    for done, convention in enumerate(asked):
        choices: list[Choice] = []
        spectator: Spectator | None = None
        for number, replay in enumerate(games):
            if on_progress is not None:
                on_progress(convention.name, done * len(games) + number, len(asked) * len(games))
            if spectator is None or not spectator.fits(replay):
                spectator = Spectator(convention, replay)
            choices.extend(spectator.choices(replay))
        found.append(Agreement(convention.name, _share(None, choices), ()))
    return Agreements(_sorted(found), tuple(left_out))


def _sorted(found: Iterable[Agreement]) -> tuple[Agreement, ...]:
    """Most agreement first; equal ones in the order of the catalogue."""
    return tuple(sorted(found, key=lambda one: -(one.share.rate or 0.0)))


def _share(player: str | None, choices: Sequence[Choice]) -> Share:
    verdicts = [choice.verdict for choice in choices]
    return Share(player, len(verdicts), verdicts.count(SAME), verdicts.count(SAME_CARDS))
