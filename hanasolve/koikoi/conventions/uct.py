"""UCT reference: information-set tree search with playouts, for the choice of a hand card.

Each of K iterations deals one random world and walks a tree of turns: at a node the option of the highest
upper confidence bound among those legal in this world, first visit of a node ends the walk with a playout of
``progress+stop``. Nodes are keyed by the options played since the root and the stock cards seen, so a
player's node does not depend on what he cannot see. New yaku are stops (as in ``flatK``), the stock card is
matched by ``progress``. Plain Python around kernels: a reference for strength, not for speed.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hanasolve.koikoi.conventions import heuristic as h
from hanasolve.koikoi.conventions.strategy import View
from hanasolve.koikoi.game import cards
from hanasolve.koikoi.game import rules as engine
from hanasolve.koikoi.game.deck import shuffle
from hanasolve.koikoi.game.rules import DECIDE, OVER
from hanasolve.koikoi.play.rounds import COURSE_SIZE, playout
from hanasolve.koikoi.search.deals import lay_out, slots_to_fill

EXPLORATION = 8.0  # points; about the standard deviation of a round's result

Node = dict[
    tuple[int, int], list[float]
]  # option -> [visits, sum of results for the node's player, available]


def best_option(view: View, options: list[tuple[int, int]], iterations: int) -> tuple[int, int]:
    """The option with the most visits after ``iterations`` worlds (first of equals)."""
    tree: dict[tuple[int, ...], Node] = {}
    unseen = np.array(cards.cards_of(view.unseen), np.int64)
    slots = int(slots_to_fill(view.game, view.opponent_cards))
    for _ in range(iterations):
        shuffle(unseen, len(unseen), slots, view.state)
        game = engine.copy_game(view.game)
        lay_out(game, unseen, view.opponent_cards, slots)
        _iterate(tree, game, view)
    root = tree[()]
    return max(options, key=lambda option: root.get(option, [0.0])[0])


def _iterate(tree: dict[tuple[int, ...], Node], game: Any, view: View) -> None:
    path: list[tuple[Node, tuple[int, int], int]] = []
    key: tuple[int, ...] = ()
    fresh = False
    while int(game["phase"]) != OVER and not fresh:
        node = tree.setdefault(key, {})
        option = _select(node, _options(game, view.rules))
        fresh = node[option][0] == 0
        path.append((node, option, int(game["mover"])))
        drawn = _turn(game, option, view)
        key = (*key, *option, drawn)
    _finish(game, view)
    for node, option, player in path:
        node[option][0] += 1
        node[option][1] += _result(game, player)


def _options(game: Any, rules: Any) -> list[tuple[int, int]]:
    return [(action.card, action.taken) for action in engine.legal(game, rules)]


def _select(node: Node, options: list[tuple[int, int]]) -> tuple[int, int]:
    for option in options:
        node.setdefault(option, [0.0, 0.0, 0.0])[2] += 1
    for option in options:
        if node[option][0] == 0:
            return option
    return max(options, key=lambda option: _bound(node[option]))


def _bound(entry: list[float]) -> float:
    visits, total, available = entry
    return total / visits + EXPLORATION * math.sqrt(math.log(available) / visits)


def _turn(game: Any, option: tuple[int, int], view: View) -> int:
    """Play the option and the match of the stock card by progress; a new yaku stops. Returns the stock
    card."""
    mover = int(game["mover"])
    start = int(game["piles"][mover])
    engine.play(game, *option, view.rules)
    drawn = int(game["drawn"])
    place = (drawn, int(game["field"]), int(game["piles"][mover]), start, int(game["piles"][1 - mover]))
    engine.match(game, int(h.choose_match(h.PROGRESS, *place, view.state, view.rules)), view.rules)
    if int(game["phase"]) == DECIDE:
        engine.stop(game, view.rules)
    return drawn


def _finish(game: Any, view: View) -> None:
    course, states = np.zeros(COURSE_SIZE, np.int64), np.array([view.state] * 3)
    playout(game, h.progress_stop(), course, states, view.rules)


def _result(game: Any, player: int) -> float:
    winner = int(game["winner"])
    if winner == engine.NOBODY:
        return 0.0
    return float(game["score"]) if winner == player else -float(game["score"])
