"""What one player believes about his hand: every deal that the clues allow and that explains what the others did.

All deals of physical copies are equally likely a priori (``deduction.counting``). A deal is dropped if, with
it, another player's convention would have acted otherwise on some turn. The hidden cards are listed in the
order in which they were drawn, turn by turn, and dropped as soon as an action contradicts them; where the
list would grow beyond ``MOST_ROWS`` its rows are drawn and completed at random instead, and those that explain
the rest of the game are kept. Both are exact; no deal that is left is more or less likely than it should be.

If no deal is left, somebody did not follow the convention; then the clues alone speak (``filtered`` is False).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hanasolve.errors import UnsupportedVariant
from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.conventions.searching.rollouts import explain_games
from hanasolve.hanabi.deduction.counting import Count
from hanasolve.hanabi.deduction.views import Deduction
from hanasolve.hanabi.game.rules import GAME, MAX_DECK
from hanasolve.hanabi.game.table import Table
from hanasolve.hanabi.game.view import EVENT, MEMORY, fill_game, new_view, open_event
from hanasolve.hanabi.ranking.hidden_hands import kernels
from hanasolve.limits import Limit, slices

MOST_ROWS = 60_000
ALL_ROWS = 4_096  # hands that are told apart without a history
_LEAST, _BATCH, _TRIALS, _SLOW_TRIALS = 20, 8_192, 400_000, 4_000
_SLICE = 64  # hands of the first kernel call
_SEARCH = "ended the search for hands that explain what the others did"

Rows = NDArray[np.int8]


class Setting:
    """The records that one convention needs to play at one table, and the actions so far as codes."""

    def __init__(self, table: Table, convention: Convention, history: tuple[int, ...] | None) -> None:
        self.table, self.convention = table, convention
        self.rules, self.root = table.rules, table.game
        self.decide, self.update = convention.functions(jit=True)[:2]
        self.players = int(table.rules["players"])
        self.view, self.event = new_view(table.rules), np.zeros(1, EVENT)[0]
        self.work = np.zeros(2, GAME)
        self.notes = [np.zeros(self.players, MEMORY) for _ in range(3)]
        for notes in self.notes:
            notes["setup"][:, : len(convention.setup)] = convention.setup
        self.history = None if history is None else np.array(history, np.int64)
        self.notes_know = False

    def blank_notes(self) -> Any:
        """Every seat's notes at a position without history: its board, and of its clues what the convention
        takes over (``notes_know``)."""
        known = self._first_notes(self.root)
        without = self.root.copy()
        without["fits"][:] = (1 << int(self.rules["identities"])) - 1
        empty = self._first_notes(without)
        fields = ("notes", "card", "mask", "weights")
        self.notes_know = any((known[name] != empty[name]).any() for name in fields)
        self.notes[0][:] = known
        return self.notes[0]

    def _first_notes(self, game: Any) -> Any:
        given = self.notes[0].copy()
        open_event(game, self.event)
        for seat in range(self.players):
            fill_game(self.view, game, seat, False)
            self.update(self.view, given[seat], self.event)
        return given


@dataclass
class Hidden:
    """The viewer's hidden cards, and those of the others that the table leaves open: their orders (first drawn first),
    what each may be, and the unseen copies."""

    seat: int
    slots: list[int]  # the orders as ``count`` has them
    orders: NDArray[np.int64]
    masks: NDArray[np.uint64]
    copies: NDArray[np.int64]
    count: Count

    @classmethod
    def of(cls, table: Table, seat: int) -> Hidden:
        deduction = Deduction(table).ask(seat)
        count = deduction.count(seat)
        hand = [*deduction.shown.hands[seat], *deduction.open_cards(seat)]
        places = sorted(range(len(hand)), key=lambda i: hand[i])
        left = int(table.game["deck_size"] - table.game["next"])
        assert sum(count.copies) == len(hand) + left, "what is unseen is these cards and the pile"
        return cls(
            seat,
            hand,
            np.array([hand[i] for i in places], np.int64),
            np.array([count.sets[i] for i in places], np.uint64),
            np.array(count.copies, np.int64),
            count,
        )


def blind(table: Table, seat: int) -> Table:
    """The table without the viewer's own cards, so that nothing here can depend on them."""
    copy = table.copy()
    hand = copy.game["hands"][seat, : copy.game["hand_sizes"][seat]]
    copy.game["deck"][hand] = -1
    copy.game["deck"][int(copy.game["next"]) : int(copy.game["deck_size"])] = -1
    return copy


class Belief:
    """Deals to draw from. ``rows``/``weights``: all hands with their number of deals, where they are listed.

    ``given`` and ``retold`` are for ``rollouts.roll_out``: whose notes it starts with.
    """

    def __init__(
        self, setting: Setting, seat: int, seed: int, limit: Limit | None = None, explained: bool = True
    ) -> None:
        """LimitReached if the search for hands that explain the others' actions takes longer than ``limit``; it is left
        out where they are not to be ``explained``."""
        self.setting, self.blind = setting, blind(setting.table, seat)
        self.hidden = Hidden.of(self.blind, seat)
        self.random = np.random.default_rng([seed, int(setting.root["turn"]), seat])
        self.state = np.array([self.random.integers(1, 2**62) | 1], np.uint64)
        self.rows: Rows | None = None
        self.weights: NDArray[np.int64] | None = None
        self.filtered, self.retold, self.given = False, False, setting.notes[0]
        self.why_unfiltered = ""
        self._from_turn = 0  # turns from here on are still to be explained by drawn hands
        self._upto = 0  # up to here one MEMORY stands for all seats
        self._list_begin()
        if setting.history is None:
            self.given = setting.blank_notes()
            self.why_unfiltered = "no history"
            self._list_all(ALL_ROWS)
        else:
            self._read_history(setting.history, limit or Limit(), explained)

    # --- reading the history -----------------------------------------------------------------------------

    def _read_history(self, history: NDArray[np.int64], limit: Limit, explained: bool) -> None:
        setting, seat = self.setting, self.hidden.seat
        turns = len(history)
        self.games, self.memories = np.zeros(turns + 1, GAME), np.zeros(turns + 1, MEMORY)
        self.games[0] = _dealt(setting.table)
        follows = np.ones(turns, np.uint8)
        kernels.trace(
            setting.rules, setting.view, setting.notes[2][0], setting.event, setting.decide, setting.update,
            seat, history, self.games, self.memories, follows,
        )  # fmt: skip
        convention = setting.convention
        shared = convention.shared and convention.deterministic
        own = int(np.argmin(follows)) if not follows.all() else turns
        self._upto = own if shared else 0
        self.retold = not convention.shared or own < turns
        if not explained:
            self.why_unfiltered = f"{limit} was not enough to search for hands that explain what the others did"
        elif convention.deterministic:
            self._explain(limit)
        else:
            self.why_unfiltered = f"{convention.name} rolls dice"
        if not self.filtered:
            self.retold = True
            self._list_begin()
            self._list_all(ALL_ROWS)
        elif not self.retold:
            self.given[:] = self.memories[turns]

    def _explain(self, limit: Limit) -> None:
        """List or draw the hands that explain what the others did; ``filtered`` says whether there are any."""
        self._list(limit)
        if self.rows is not None and self.retold and len(self.rows):
            self._keep(self._explain_games(self.rows, limit))
        self.filtered = True
        if self.rows is not None:
            found = len(self.rows)
            trials = ""
        else:
            wanted = self._trials()
            found = min(_LEAST, len(self._drawn(_LEAST, wanted, limit)))
            trials = f" of {wanted:,} drawn"
        if found == 0 or (self.rows is None and found < _LEAST):
            self.filtered = False
            few = "no hand" if found == 0 else f"only {found} hands"
            self.why_unfiltered = f"{few}{trials} would explain what the others did"

    def _trials(self) -> int:
        return _SLOW_TRIALS if self.retold else _TRIALS

    def _list_begin(self) -> None:
        self._part = np.zeros((1, 0), np.int8)
        self.rows = self.weights = None

    def _expand(self, most: int) -> bool:
        """List the next card; False if there are too many hands."""
        column = self._part.shape[1]
        parts = []
        for identity in range(len(self.hidden.copies)):
            if int(self.hidden.masks[column]) >> identity & 1:
                fits = (self._part == identity).sum(axis=1) < self.hidden.copies[identity]
                old = self._part[fits]
                parts.append(np.hstack([old, np.full((len(old), 1), identity, np.int8)]))
        if sum(map(len, parts)) > most:
            return False
        self._part = np.ascontiguousarray(np.concatenate(parts))
        return True

    def _list(self, limit: Limit) -> None:
        """List cards as they were drawn, and drop what an action contradicts, while the list stays short."""
        columns = len(self.hidden.orders)
        for turn in range(self._upto + 1):
            last = turn == self._upto
            held = columns if last else int((self.hidden.orders < self.games[turn]["next"]).sum())
            while self._part.shape[1] < held:
                if not self._expand(MOST_ROWS):
                    self._from_turn = turn
                    return
            if not last:
                self._part = self._part[self._explain_turn(turn, self._part, limit)]
        self._from_turn = self._upto
        self._finish()

    def _list_all(self, most: int) -> None:
        """List all hands that the clues allow, if they are few."""
        self._from_turn = 0
        while self._part.shape[1] < len(self.hidden.orders):
            if not self._expand(most):
                self._list_begin()
                return
        self._finish()

    def _finish(self) -> None:
        self.rows, self.weights = self._part, weigh(self._part, self.hidden.copies)

    def _keep(self, kept: NDArray[np.bool_]) -> None:
        assert self.rows is not None and self.weights is not None
        self.rows, self.weights = np.ascontiguousarray(self.rows[kept]), self.weights[kept]

    def _explain_turn(self, turn: int, rows: Rows, limit: Limit) -> NDArray[np.bool_]:
        """Which rows (their first columns) explain the action of a turn; all, if it was the viewer's own."""
        setting, game = self.setting, self.games[turn]
        if setting.history is None or int(game["to_move"]) == self.hidden.seat or not len(rows):
            return np.ones(len(rows), np.bool_)
        orders = self.hidden.orders[self.hidden.orders < game["next"]]
        if not len(orders):
            return np.ones(len(rows), np.bool_)
        kept = np.empty(len(rows), np.uint8)
        fill_game(setting.view, game, int(game["to_move"]), False)
        cards = np.ascontiguousarray(rows[:, : len(orders)])
        code = int(setting.history[turn])
        for part in slices(len(rows), _SLICE):
            limit.check(_SEARCH)
            kernels.explain_turn(
                setting.view, self.memories[turn], setting.decide, orders, cards[part], code, kept[part]
            )
        return kept.astype(np.bool_)

    def _explain_games(self, rows: Rows, limit: Limit) -> NDArray[np.bool_]:
        """Which hands explain the whole game when every seat keeps its own notes."""
        setting, kept = self.setting, np.empty(len(rows), np.uint8)
        size = int(setting.root["deck_size"])
        decks = np.ascontiguousarray(self.decks(rows)[:, :size])
        for part in slices(len(rows)):
            limit.check(_SEARCH)
            explain_games(
                setting.rules, setting.view, setting.work[0], setting.notes[1], setting.event, setting.decide,
                setting.update, self.hidden.seat, setting.history, decks[part], kept[part],
            )  # fmt: skip
        return kept.astype(np.bool_)

    # --- drawing -----------------------------------------------------------------------------------------

    def draw(self, count: int, limit: Limit | None = None) -> Rows:
        """Hands drawn independently; LimitReached if they take longer than ``limit``, fewer than ``count`` only if
        none can be found in many trials."""
        if self.rows is not None and self.weights is not None:
            sums = np.cumsum(self.weights)
            at = np.searchsorted(sums, self.random.integers(0, sums[-1], count), side="right")
            return self.rows[at]
        return self._drawn(count, count * self._trials() // _LEAST, limit or Limit())

    def _drawn(self, count: int, trials: int, limit: Limit) -> Rows:
        """Complete the listed beginnings at random until ``count`` hands explain the game."""
        weights = np.cumsum(weigh(self._part, self.hidden.copies))
        found: list[Rows] = []
        have, size, columns = 0, min(_BATCH, max(64, 2 * count)), len(self.hidden.orders)
        while have < count and trials > 0 and len(weights):
            limit.check(_SEARCH)
            at = np.searchsorted(weights, self.random.integers(0, weights[-1], size), side="right")
            rows, kept = np.zeros((size, columns), np.int8), np.empty(size, np.uint8)
            rows[:, : self._part.shape[1]] = self._part[at]
            kernels.complete_hands(
                self.hidden.masks, self.hidden.copies, self._part.shape[1], self.state, rows, kept
            )
            trials -= size
            rows = rows[kept.astype(np.bool_)]
            if self.filtered or (self.setting.history is not None and not self.why_unfiltered):
                for turn in range(self._from_turn, self._upto):
                    rows = rows[self._explain_turn(turn, rows, limit)]
                if self.retold and len(rows):
                    rows = rows[self._explain_games(rows, limit)]
            found.append(rows)
            have += len(rows)
            size = min(_BATCH, 2 * size)
        return np.ascontiguousarray(np.concatenate(found)[:count]) if found else np.zeros((0, columns), np.int8)

    def decks(self, rows: Rows) -> Rows:
        """Deals for these hands: all identities by order, the pile shuffled; int8[n, MAX_DECK]."""
        game = self.setting.root
        decks = np.empty((len(rows), MAX_DECK), np.int8)
        decks[:] = game["deck"]
        rows = np.ascontiguousarray(rows)
        kernels.fill_decks(
            self.hidden.orders, rows, self.hidden.copies, int(game["next"]), self.state, decks
        )
        return decks

    # --- asking ------------------------------------------------------------------------------------------

    def chances(self, order: int) -> dict[int, Fraction]:
        """Probability of each identity of a hidden card: with the others' actions where all hands are listed,
        else by the clues alone."""
        column = self.hidden.orders.tolist().index(order)
        if self.rows is None or self.weights is None:
            return dict(self.hidden.count.marginals[self.hidden.slots.index(order)])
        total = int(self.weights.sum())
        sums = np.zeros(len(self.hidden.copies), np.int64)
        np.add.at(sums, self.rows[:, column], self.weights)
        return {identity: Fraction(int(n), total) for identity, n in enumerate(sums) if n}


def weigh(rows: Rows, copies: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number of deals of physical copies behind every row: the product of a (a-1) ... over its identities."""
    weights = np.ones(len(rows), np.int64)
    for identity, copy in enumerate(copies.tolist()):
        ways = np.array([perm(copy, used) for used in range(rows.shape[1] + 1)], np.int64)
        weights *= ways[(rows == identity).sum(axis=1)]
    return weights


def _dealt(table: Table) -> Any:
    """The table's game before its first action."""
    from hanasolve.hanabi.game.rules import new_game

    deck = table.game["deck"][: int(table.game["deck_size"])]
    return new_game(table.rules, deck)


def codes_of(table: Table, actions: tuple[Any, ...]) -> tuple[int, ...]:
    """Stored actions from the start of the table's game as the codes that conventions use."""
    from hanasolve.hanabi.game.table import act, engine_action

    game = Table(table.variant, table.options, table.names, table.rules, _dealt(table))
    codes = []
    for index, action in enumerate(actions):
        kind, target, value = engine_action(game, action)
        if kind > 3 or target < 0:
            raise UnsupportedVariant(
                f"actions[{index}]: hidden hands know plays and discards from the hand and clues only, not "
                f"{'the blind play of the last card (deck_plays)' if target < 0 else 'an ended game'}"
            )
        codes.append(kind << 16 | target << 8 | (value if kind > 1 else 0))
        act(game, action, f"actions[{index}]: ")
    return tuple(codes)
