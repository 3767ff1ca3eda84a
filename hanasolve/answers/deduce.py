"""What every card can be, and how likely, in three views (``docs/deduction.md``)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hanasolve.answers.answer import Answer, Tell, silent
from hanasolve.answers.reading import read_one, seat_of, table_of
from hanasolve.errors import ImpossiblePosition, NotationError

if TYPE_CHECKING:
    from hanasolve.hanabi.conventions.players.hgroup.explain import Reading
    from hanasolve.hanabi.deduction import Deduction, View
    from hanasolve.hanabi.game.statistics import Statistics
    from hanasolve.hanabi.game.table import Table
    from hanasolve.hanabi.notation.source import Item

VIEWS = ("holder", "empathy", "common")
_WHY = re.compile(r"(?:(?P<key>order|slot)\s*=\s*)?(?P<number>[0-9]{1,2})")


@dataclass(frozen=True)
class DeduceAnswer(Answer):
    """A position as one player, the seat ``viewer``, can know it.

    ``deduction``: sets, exact probabilities and counts of deals, in every view; ``view``: the only one that was asked
    for. ``statistics``: pace, clues, efficiency. ``why``: the order of the card to explain, and the view in which.
    ``readings``: by the cards' orders, what they are taken for under ``convention``.
    """

    schema = "hanasolve.deduce/1"
    source: str
    deduction: Deduction
    viewer: int
    statistics: Statistics
    view: str | None = None
    why: tuple[int, View] | None = None
    convention: str = ""
    readings: Mapping[int, Reading] | None = None

    def record(self) -> dict[str, Any]:
        """The fields of ``--json``: the position, a row for each card, and the explanation that was asked for."""
        from hanasolve.answers.deduce_record import position_fields, reading_fields, why_fields

        views = VIEWS if self.view is None else (self.view,)
        fields = position_fields(self.deduction, self.viewer, views, self.statistics)
        if self.readings is not None:
            for card in fields["cards"]:
                reading = self.readings[card["order"]]
                card["convention"] = reading_fields(self.deduction.shown.variant, self.convention, reading)
        why = {} if self.why is None else why_fields(self.deduction, *self.why)
        return {"source": self.source, **fields, **why}


def deduce(
    source: str | Item, *, turn: int | None = None, player: str | None = None, view: str | None = None,
    why: str | None = None, convention: str | None = None, players: int | None = None, variant: str | None = None,
    warn: Tell = silent,
) -> DeduceAnswer:  # fmt: skip
    """What every card can be, and how likely, by exact counting of the deals that agree with what a player knows.

    ``source`` as on the command line, before its ``turn``-th action (1-based). ``player``, a name or seat, is who
    asks: the player to move if left out, or the player whose hand the source hides. Cards that he sees and the source
    leaves open count as unknown to all. ``view``: ``holder``,
    ``empathy`` or ``common`` instead of all three. ``why``: a card to explain, ``order=14`` (place in the deck) or
    ``slot=2`` of the player's hand. ``convention``: also what the clues of a game mean under ``hgroup1``, ``hgroup2``,
    ``hgroup3`` or a TOML file based on one. ``players``, ``variant``: for decks that do not say them.

    In the answer sets of cards are bit masks by identity (``variant.card_name`` names one), probabilities exact
    fractions, hands lists of orders with the oldest card first; in the record cards are names, newest first, and
    every fraction has a float beside it. NotationError for what cannot be asked, IllegalAction for a game that
    breaks the rules, ImpossiblePosition if no deal agrees with the position.
    """
    if view not in (None, *VIEWS):
        raise NotationError(f"--view: found {view!r}, expected holder, empathy or common")
    item = read_one(source, players, variant, warn=warn)
    table = table_of(item, turn, warn)
    deduction = _deduction(item, table, turn)
    viewer = _viewer(deduction, player, int(table.game["to_move"]))
    deduction.ask(viewer)
    explained = None if why is None else _explained(deduction, viewer, why, view)
    statistics = _statistics(item, deduction)
    readings = None if convention is None else _readings(item, table, viewer, convention)
    return DeduceAnswer(item.source, deduction, viewer, statistics, view, explained, convention or "", readings)


def _deduction(item: Item, table: Table, turn: int | None) -> Deduction:
    from hanasolve.hanabi.deduction import Deduction, hint_turns
    from hanasolve.hanabi.game.records import Replay

    turns = None
    if isinstance(item.record, Replay):
        turns = hint_turns(item.record, item.turn_asked(turn))
    try:
        return Deduction(table, turns)
    except ImpossiblePosition as error:
        raise ImpossiblePosition(f"{item.source}: {error}", error.kind) from None


def _viewer(deduction: Deduction, player: str | None, to_move: int) -> int:
    if player is not None:
        return seat_of(player, deduction.shown.names)
    hidden = [seat for seat in deduction.shown.seats if not deduction.shown.is_shown(seat)]
    return hidden[0] if len(hidden) == 1 else to_move


def _statistics(item: Item, deduction: Deduction) -> Statistics:
    from hanasolve.hanabi.game.records import Replay
    from hanasolve.hanabi.game.statistics import statistics

    shown = deduction.shown
    possible: dict[int, int] = {}
    for seat in shown.seats:
        possible |= dict(zip(shown.hands[seat], deduction.common(seat).sets, strict=True))
    return statistics(shown.table, history=isinstance(item.record, Replay), possible=possible)


def _readings(item: Item, table: Table, viewer: int, convention: str) -> dict[int, Reading]:
    """What every card is taken for under a convention that keeps inferred sets."""
    from hanasolve.hanabi.conventions.find import find_convention
    from hanasolve.hanabi.conventions.players.hgroup.explain import read_game
    from hanasolve.hanabi.conventions.players.hgroup.parameters import MODULE
    from hanasolve.hanabi.game.records import Replay

    found = find_convention(convention)
    if found.module != MODULE:
        raise NotationError(
            f"--convention: found {convention}, expected hgroup1, hgroup2, hgroup3 or a TOML file based on one of "
            "them: other conventions keep no inferred sets"
        )
    if not isinstance(item.record, Replay):
        raise NotationError(
            f"--convention: {item.source} is a single position, and what a clue means depends on the turns before "
            "it: give the game (hanab.live JSON or a replay link) and --turn"
        )
    found.check_table(item.record.variant, item.record.options)
    return read_game(found, item.record, int(table.game["turn"]), viewer)


def _explained(deduction: Deduction, viewer: int, why: str, kind: str | None) -> tuple[int, View]:
    """The card that ``why`` names, and the view that is explained: the strongest that the position allows."""
    order = _order(deduction, viewer, why)
    seat = deduction.shown.holder_of(order)
    for name in VIEWS if kind is None else (kind,):
        view = deduction.view(name, viewer, seat)
        if view is not None:
            return order, view
    raise NotationError(f"--view {kind}: it depends on cards that the position does not show; try common")


def _order(deduction: Deduction, viewer: int, why: str) -> int:
    match = _WHY.fullmatch(why.strip())
    if match is None:
        raise NotationError(f"--why: found {why!r}, expected a card such as order=14 or slot=2")
    number, shown = int(match["number"]), deduction.shown
    if match["key"] == "slot":
        hand = shown.hands[viewer]
        if not 1 <= number <= len(hand):
            raise NotationError(
                f"--why: found slot {number}, expected 1 to {len(hand)} ({shown.names[viewer]}'s hand)"
            )
        return hand[len(hand) - number]
    held = sorted(deduction.all_orders)
    if number not in held:
        orders = ", ".join(map(str, held))
        raise NotationError(f"--why: found order {number}, expected a card in a hand: {orders}")
    return number
