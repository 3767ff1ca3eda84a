"""``search:NAME``: one seat asks before each move which action is best if everybody follows NAME afterwards.

Lerer, Hu, Foerster, Brown, "Improving Policies via Search in Cooperative Partially Observable Games" (AAAI
2020), single-agent search. Seat 0 searches, the others follow the convention: only then is the search sound.

*Belief*: hands are drawn exactly, from the deals that all clues allow, and kept if the other players, seeing
that hand, would have done what they did (the game is played again from the start with it). If too few remain,
the hands that the clues allow are used instead (``clues_only`` counts such moves). *Rollouts*: each candidate
on the same hands and decks, to the end of the game; the searcher's later selves do not see the drawn hand.
Every seat keeps its own notes, told anew on each deal (``own_notes``): what a clue means that the convention
would not have given is for each to see, and no reader may lean on what only the clue giver knew.
*Deviation*: the convention's move stands unless another gains ``THRESHOLD`` points and two standard errors,
and again on fresh hands.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hanasolve.hanabi.conventions.convention import Convention, Functions
from hanasolve.hanabi.conventions.searching.rollouts import explains, roll_out
from hanasolve.hanabi.conventions.tools.building_blocks import has, random_below
from hanasolve.hanabi.game.rules import GAME, MAX_ACTIONS, MAX_DECK, MAX_IDS, RULES, legal_actions
from hanasolve.hanabi.game.view import (
    DECIDE_SIGNATURE,
    EVENT,
    EVENT_TYPE,
    MEMORY,
    START,
    UPDATE_SIGNATURE,
    VIEW,
    VIEW_TYPE,
)
from hanasolve.jit import from_dtype, kernel, kernel_of, types

ROLLOUTS = 2000  # of a move, over all candidates
THRESHOLD = 0.1
SEARCHER = 0
_ROUND, _LEAST, _DROP_AFTER = 20, 20, 100
_TRIALS = 200  # hands drawn for each that is wanted, before the belief counts as empty

_GAME, _MEMORIES = from_dtype(GAME), from_dtype(MEMORY)[::1]
_CALLS = (types.FunctionType(DECIDE_SIGNATURE), types.FunctionType(UPDATE_SIGNATURE))
_DRAW = types.int64(
    from_dtype(RULES), VIEW_TYPE, VIEW_TYPE, _GAME, _MEMORIES, EVENT_TYPE, *_CALLS, types.int64[::1],
    types.uint64[::1], types.int64, types.boolean, types.int8[:, ::1],
)  # fmt: skip


@kernel
def count_unseen(view: Any, unseen: Any) -> None:
    """Copies of each identity in the draw pile and the own hand."""
    for identity in range(view["identities"]):
        unseen[identity] = view["copies"][identity]
    for order in range(view["deck_size"]):
        if view["deck"][order] >= 0:
            unseen[view["deck"][order]] -= 1


@kernel
def draw_hand(view: Any, unseen: Any, state: Any, deck: Any) -> bool:
    """Give every own card an unseen copy that its clues allow, all independent; False if two are the same.

    Hands that are kept are uniform over all deals of copies.
    """
    used = np.zeros(MAX_IDS, np.int64)
    seat = view["seat"]
    for i in range(view["hand_sizes"][seat]):
        order = view["hands"][seat, i]
        total = 0
        for identity in range(view["identities"]):
            if has(view["fits"][order], identity):
                total += unseen[identity]
        if total == 0:
            return False
        at, identity = random_below(state, total), -1
        while at >= 0:
            identity += 1
            if has(view["fits"][order], identity):
                at -= unseen[identity]
        if random_below(state, unseen[identity]) < used[identity]:
            return False
        used[identity] += 1
        deck[order] = identity
    fill_pile(view, unseen, used, state, deck)
    return True


@kernel
def fill_pile(view: Any, unseen: Any, used: Any, state: Any, deck: Any) -> None:
    """Shuffle what is left into the draw pile."""
    at = int(np.int64(view["next"]))
    first = at
    for identity in range(view["identities"]):
        for _ in range(unseen[identity] - used[identity]):
            deck[at] = identity
            j = first + random_below(state, at - first + 1)
            deck[at], deck[j] = deck[j], deck[at]
            at += 1


@kernel_of(_DRAW, heavy=True)
def draw_deals(
    rules: Any, known: Any, view: Any, game: Any, memories: Any, event: Any, decide: Any, update: Any,
    history: Any, state: Any, trials: int, filtered: bool, decks: Any,
) -> int:  # fmt: skip
    """Fill ``decks`` with deals that the view ``known`` allows, at most ``trials`` tried; returns how many it
    are. ``view``, ``game``, ``memories`` (one a seat): to work on."""
    unseen = np.zeros(MAX_IDS, np.int64)
    count_unseen(known, unseen)
    deck = known["deck"].copy()[: known["deck_size"]]
    seat = int(np.int64(known["seat"]))
    found = 0
    for _ in range(trials):
        if found == decks.shape[0]:
            break
        attempts = 0
        while not draw_hand(known, unseen, state, deck):
            attempts += 1
            if attempts > 10000:
                return found
        if filtered:
            if not explains(rules, view, game, memories, event, decide, update, seat, history, deck):
                continue
        for order in range(deck.shape[0]):
            decks[found, order] = deck[order]
        found += 1
    return found


class Searcher:
    """Seat 0 searches on top of a convention; one object plays one table."""

    def __init__(self, blueprint: Convention, rollouts: int = ROLLOUTS) -> None:
        self.decide_of, self.update_of = blueprint.functions(jit=True)[:2]
        self.budget = rollouts
        self.history: dict[int, int] = {}
        self.rules, self.root, self.event = (np.zeros(1, kind)[0] for kind in (RULES, GAME, EVENT))
        self.views = np.zeros(2, VIEW)
        self.known, self.view = self.views[0], self.views[1]  # all that the searcher sees; to work on
        self.games, self.notes = np.zeros(2, GAME), np.zeros((3, 0), MEMORY)
        self.searched = self.rollouts = self.deviations = 0
        self.clues_only: set[int] = set()  # the turns

    def cost(self) -> tuple[int, ...]:
        """SEARCH_COST of the game so far."""
        return self.searched, self.rollouts, self.deviations, len(self.clues_only)

    def update(self, view: Any, memory: Any, event: Any) -> int:
        """The convention's own notes, and the actions so far."""
        view, memory, event = (getattr(record, "record", record) for record in (view, memory, event))
        if event["kind"] == START:
            self.history.clear()
            self.searched = self.rollouts = self.deviations = 0
            self.clues_only.clear()
        else:
            value = 0 if event["order"] >= 0 else int(event["value"])
            code = int(event["kind"]) << 16 | int(event["target"]) << 8 | value
            self.history[int(view["turn"]) - 1] = code
        return int(self.update_of(view, memory, event))

    def decide(self, view: Any, memory: Any) -> int:
        """The convention's move, or one that is clearly better."""
        view, memory = getattr(view, "record", view), getattr(memory, "record", memory)
        usual = int(self.decide_of(view, memory))
        if view["seat"] != SEARCHER:
            return usual
        self._look(view, memory)
        self._state = np.array([int(memory["dice"][SEARCHER]) ^ (int(view["turn"]) << 40) | 1], np.uint64)
        codes = self._candidates(usual)
        if len(codes) < 2:
            return usual
        self.searched += 1
        chosen, samples = self._best(codes)
        if chosen == usual:
            return usual
        fresh = self._points(np.array([usual, chosen], np.int64), samples)
        if len(fresh) < _LEAST or not is_clear(fresh[:, 1] - fresh[:, 0]):
            return usual
        self.deviations += 1
        return chosen

    def _look(self, view: Any, memory: Any) -> None:
        """Take over what the searcher sees. Of his notes only the constants: all seats' notes are told anew
        on each drawn deal."""
        self.views[:] = view
        for record in (self.root, self.rules):
            for name in record.dtype.names or ():
                record[name] = view[name]
        self.notes = np.zeros((3, int(view["players"])), MEMORY)
        self.notes["setup"] = memory["setup"]

    def _candidates(self, usual: int) -> NDArray[np.int64]:
        """The convention's move first, then all other legal actions."""
        found = np.zeros((MAX_ACTIONS, 3), np.int64)
        count = legal_actions(self.known, self.known, found)
        codes = [int(k) << 16 | int(t) << 8 | int(v) for k, t, v in found[:count] if t >= 0]
        return np.array([usual, *(code for code in codes if code != usual)], np.int64)

    def _best(self, codes: NDArray[np.int64]) -> tuple[int, int]:
        """The candidate with the greatest clear gain, and the number of samples it had."""
        usual, left = int(codes[0]), self.budget
        sums: NDArray[np.int64] = np.zeros((0, len(codes)), np.int64)
        while left >= len(codes) > 1:
            points = self._points(codes, min(_ROUND, left // len(codes)))
            if not len(points):
                return usual, 0
            left -= points.size
            sums = np.concatenate([sums, points])
            if len(sums) >= _DROP_AFTER:
                mean, error = gains(sums)
                kept = mean + 2 * error >= np.max(mean - 2 * error)
                kept[0] = True
                codes, sums = codes[kept], sums[:, kept]
        if len(codes) < 2 or len(sums) < _LEAST:
            return usual, 0
        at = int(np.argmax(gains(sums)[0]))
        clear = at > 0 and is_clear(sums[:, at] - sums[:, 0])
        return (int(codes[at]) if clear else usual), len(sums)

    def _points(self, codes: NDArray[np.int64], samples: int) -> NDArray[np.int64]:
        """Points of the candidates on fresh deals, int64[samples, candidates]."""
        return self._play(codes, self._deals(samples))

    def _records(self) -> tuple[Any, ...]:
        history = np.array([self.history[turn] for turn in sorted(self.history)], np.int64)
        return self.event, self.decide_of, self.update_of, history

    def _deals(self, samples: int) -> NDArray[np.int8]:
        """Deals that explain what the others did, or else that the clues allow, int8[n, MAX_DECK]."""
        decks = np.zeros((samples, MAX_DECK), np.int8)
        event, decide, update, history = self._records()
        work = (self.rules, self.known, self.view, self.games[0], self.notes[0], event, decide, update)
        found = draw_deals(*work, history, self._state, samples * _TRIALS, True, decks)
        if found < samples:
            self.clues_only.add(int(self.known["turn"]))
            found = draw_deals(*work, history, self._state, samples, False, decks)
        return decks[:found]

    def _play(self, codes: NDArray[np.int64], decks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Points of the candidates on these deals, int64[n, candidates]; 0 for a game that breaks the rules."""
        event, decide, update, history = self._records()
        given, base, notes = self.notes
        points = np.zeros((len(decks), len(codes)), np.int16)
        dice = np.zeros(len(decks), np.uint64)  # the convention rolls none
        roll_out(
            self.rules, self.view, self.root, self.games, given, base, notes, event, decide, update, True,
            history, codes, decks, dice, points,
        )  # fmt: skip
        self.rollouts += points.size
        return np.maximum(points, 0).astype(np.int64)


def gains(points: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means and standard errors of the differences to the convention's move, column 0."""
    differences = (points - points[:, :1]).astype(np.float64)
    return differences.mean(axis=0), differences.std(axis=0, ddof=1) / np.sqrt(len(points))


def is_clear(differences: NDArray[np.int64]) -> bool:
    """Whether a gain reaches the threshold and two standard errors."""
    mean, error = differences.mean(), differences.std(ddof=1) / np.sqrt(len(differences))
    return bool(mean >= THRESHOLD and mean - 2 * error > 0)


def search_convention(name: str, blueprint: Convention, rollouts: int = ROLLOUTS) -> Convention:
    """One seat that searches on top of ``blueprint``; ``name``: as it was asked for."""

    def build() -> Functions:
        searcher = Searcher(blueprint, rollouts)
        return Functions(searcher.decide, searcher.update, searcher.cost)

    return Convention(
        name,
        f"As {blueprint.name}, but seat 0 tries every move in {rollouts:,} rollouts of {blueprint.name} on hands drawn "
        f"from all that it knows, the others' actions included, and deviates where the gain is clear.",
        "Lerer and others, AAAI 2020, single-agent search",
        build=build,
        players=blueprint.players,
        plain_suits=blueprint.plain_suits,
        setup=blueprint.setup,
        rollouts=rollouts,
    )
