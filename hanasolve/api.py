"""hanasolve from Python: load a game, look at it, play it, solve it.

Everything works on a ``Table`` (``hanasolve.hanabi.game.table``): the RULES and GAME records with the variant and
the players' names. ``table.game["clues"]``, ``table.game["stacks"]`` and so on may be read directly.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hanasolve.answers.analyze import analyze
from hanasolve.answers.compare import compare
from hanasolve.answers.conventions import conventions
from hanasolve.answers.conventions_check import check_convention
from hanasolve.answers.convert import convert
from hanasolve.answers.deal import deal
from hanasolve.answers.deduce import deduce
from hanasolve.answers.koikoi import questions as koikoi
from hanasolve.answers.maxima import maxima
from hanasolve.answers.maximum import maximum
from hanasolve.answers.review import review
from hanasolve.answers.variants import variants
from hanasolve.errors import NotationError
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.fireworks import max_score as _max_score
from hanasolve.hanabi.game.fireworks import score as _score
from hanasolve.hanabi.game.records import Action, Replay
from hanasolve.hanabi.game.table import Table, act, describe, from_position, from_replay, stored_action
from hanasolve.hanabi.notation.source import read_source
from hanasolve.hanabi.search.solve import Solution, solve
from hanasolve.limits import Limit

__all__ = [
    "Action", "Limit", "Solution", "Table",
    "act", "analyze", "check_convention", "compare", "conventions", "convert", "deal", "deduce", "describe", "koikoi",
    "legal_actions", "load", "max_score", "maxima", "maximum", "replay", "review", "score", "solve", "variants",
]  # fmt: skip


def load(source: str, turn: int | None = None) -> Table:
    """The table of any SOURCE of the command line: a seed, a file, a link; before its ``turn``-th action.

    Without ``turn``: the start of a deck, the end of a game. HanasolveError says what is wrong with it.
    """
    items = read_source(source)
    item = next(items, None)
    if item is None:
        raise NotationError(f"{source}: found no deck, expected one")
    if isinstance(item.record, Replay):
        return from_replay(item.record, turn if turn is not None else item.turn)
    return from_position(item.record)


def legal_actions(table: Table) -> list[Action]:
    """All legal actions of the player to move: plays and discards (oldest card first), then clues by seat."""
    rows = np.empty((engine.MAX_ACTIONS, 3), np.int64)
    count = engine.legal_actions(table.rules, table.game, rows)
    return [stored_action(table, *(int(value) for value in row)) for row in rows[:count]]


def replay(table: Table, actions: Iterable[Action]) -> Table:
    """The table after these actions; IllegalAction names the first one that the rules refuse."""
    table = table.copy()
    for index, action in enumerate(actions):
        act(table, action, f"actions[{index}]: ")
    return table


def score(table: Table) -> int:
    """Cards placed."""
    return _score(table.rules, table.game)


def max_score(table: Table) -> int:
    """The most that the cards outside the discard pile allow, whatever their order."""
    return _max_score(table.rules, table.game)
