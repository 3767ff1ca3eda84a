"""Worlds: ways to deal the unseen cards to the opponent's hand and the stock, and the options' values in
them.

Kernels. A world is one known deal; its options are solved exactly with open cards, so an average over worlds
is an average of perfect-information values. Unseen equal plains are merged in the full enumeration: a world
stands for ``weight`` equally likely ones.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hanasolve.jit import kernel
from hanasolve.koikoi.game import cards
from hanasolve.koikoi.game.deck import shuffle
from hanasolve.koikoi.game.rules import PLAY, TURNS
from hanasolve.koikoi.search.kernel import option_values

HALF = 2048  # histograms hold the values -HALF to HALF - 1
MOST_LEVELS = 24


@kernel
def slots_to_fill(game: Any, opponent_cards: int) -> int:
    """Number of unseen cards that matter: the opponent's hand and the stock cards still to be drawn."""
    return int(opponent_cards + TURNS - game["turn"] + (1 if game["phase"] == PLAY else 0))


@kernel
def lay_out(game: Any, dealt: Any, opponent_cards: int, slots: int) -> None:
    """Give the opponent the first cards of ``dealt`` and put the others on the stock."""
    hand = 0
    for k in range(opponent_cards):
        hand |= 1 << dealt[k]
    game["hands"][1 - game["mover"]] = hand
    for k in range(opponent_cards, slots):
        game["stock"][game["next"] + k - opponent_cards] = dealt[k]


class Walk(NamedTuple):
    """Where a full enumeration stands: kinds of unseen cards, and what is chosen on every level."""

    kinds: Any  # (kinds, 3) ids of the equal cards
    count: Any  # cards of each kind
    left: Any  # of them not dealt on this path
    chosen: Any  # kind on each level, -1 before the first
    dealt: Any  # card on each level
    weight: Any  # worlds that the path to a level stands for
    at: Any  # [level, distinct worlds so far, worlds so far]


def new_walk(unseen: int) -> Walk:
    """The enumeration of a set of unseen cards, at its start."""
    kinds: list[list[int]] = []
    for card in cards.cards_of(unseen):
        if kinds and cards.twins_of(card) >> kinds[-1][0] & 1:
            kinds[-1].append(card)
        else:
            kinds.append([card])
    return _walk(kinds, np.zeros(MOST_LEVELS + 1, np.int64))


def _walk(kinds: list[list[int]], dealt: Any) -> Walk:
    table = np.full((len(kinds), 3), -1, np.int64)
    for k, alike in enumerate(kinds):
        table[k, : len(alike)] = alike
    count = np.array([len(alike) for alike in kinds], np.int64)
    chosen, weight = np.full(MOST_LEVELS + 1, -1, np.int64), np.ones(MOST_LEVELS + 2, np.int64)
    return Walk(table, count, count.copy(), chosen, dealt, weight, np.zeros(3, np.int64))


@kernel
def _advance(walk: Any, level: int, opponent_cards: int) -> bool:
    """Choose the next kind on a level; the hand's kinds ascend, so each hand comes once. False: none left."""
    kind = walk.chosen[level]
    least = 0
    if 0 < level < opponent_cards:
        least = walk.chosen[level - 1]
    if kind >= 0:
        walk.left[kind] += 1
        least = kind + 1
    while least < walk.left.shape[0] and walk.left[least] == 0:
        least += 1
    if least == walk.left.shape[0]:
        walk.chosen[level] = -1
        return False
    copies = 1  # of this kind in the hand with this one: choosing k of n is a product of (n - j) / (j + 1)
    if level < opponent_cards:
        for above in range(level):
            copies += walk.chosen[above] == least
    walk.chosen[level] = least
    walk.dealt[level] = walk.kinds[least, walk.count[least] - walk.left[least]]
    walk.weight[level + 1] = walk.weight[level] * walk.left[least] // copies
    walk.left[least] -= 1
    return True


@kernel
def _next_world(walk: Any, slots: int, opponent_cards: int) -> bool:
    """Choose the cards of the next distinct world in ``walk.dealt``. False: there is none."""
    level = walk.at[0]
    if slots == 0:  # nothing that matters is hidden: one world
        walk.at[0] = -1
        return bool(level == 0)
    while level >= 0:
        if not _advance(walk, level, opponent_cards):
            level -= 1
        elif level < slots - 1:
            level += 1
        else:
            break
    walk.at[0] = level
    return bool(level >= 0)


@kernel
def world_values(
    game: Any,
    options: Any,
    values: Any,
    histogram: Any,
    walk: Any,
    state: Any,
    opponent_cards: int,
    space: Any,
    rules: Any,
) -> bool:
    """Exact open-card value of every option in the next worlds, one for each row of ``values`` (world,
    option).

    With a random ``state`` (4 words) the worlds are sampled from the unseen cards, which then stand in
    ``walk.dealt``. Without (0 words) they are the next ones of the enumeration, and weights by value are
    added to ``histogram[option]``; True: all have been seen.
    """
    slots = slots_to_fill(game, opponent_cards)
    sampled = state.shape[0] > 0
    for row in range(values.shape[0]):
        if sampled:
            shuffle(walk.dealt, walk.dealt.shape[0], slots, state)
        elif not _next_world(walk, slots, opponent_cards):
            return True
        lay_out(game, walk.dealt, opponent_cards, slots)
        option_values(game, options, values[row], space, rules)
        if not sampled:
            for k in range(options.shape[0]):
                histogram[k, values[row, k] + HALF] += walk.weight[slots]
            walk.at[1] += 1
            walk.at[2] += walk.weight[slots]
    return False


_NO_STATE = np.zeros(0, np.int64)
_NO_HISTOGRAM = np.zeros((0, 2 * HALF), np.int64)


def sample(
    game: Any, options: Any, values: Any, unseen: Any, opponent_cards: int, state: Any, space: Any, rules: Any
) -> None:
    """Fill ``values`` (world, option) from random worlds; ``unseen`` (card ids) is reordered."""
    walk = _walk([[0]], unseen)
    world_values(game, options, values, _NO_HISTOGRAM, walk, state, opponent_cards, space, rules)


def enumerate_worlds(
    game: Any,
    options: Any,
    histogram: Any,
    walk: Walk,
    opponent_cards: int,
    space: Any,
    rules: Any,
    count: int,
) -> bool:
    """Go on with the enumeration for ``count`` distinct worlds. True: all have been seen."""
    values = np.zeros((count, len(options)), np.int64)
    return bool(world_values(game, options, values, histogram, walk, _NO_STATE, opponent_cards, space, rules))
