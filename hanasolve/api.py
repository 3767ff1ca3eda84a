"""hanasolve from Python: the game itself, and every question of the command line.

The game is a ``Table`` (``hanasolve.hanabi.game.table``): the RULES and GAME records with the variant and the players'
names. ``load`` makes one; ``legal_actions``, ``act``, ``describe``, ``replay`` play it; ``score``, ``max_score`` and
``solve`` judge it. ``table.game["clues"]``, ``table.game["stacks"]`` and so on may be read directly.

A question is a function of this module. What it is about, its SOURCE, is a seed (``p3v0s17``), a range of seeds, a
file or a link, as on the command line; ``players`` and ``variant`` are for decks that do not say them.

===========  =====================================  =================================================================
command      function                               what it answers
===========  =====================================  =================================================================
max          ``maximum``, ``maxima``                the proven best score of a known deck; of many
deduce       ``deduce``                             possibilities and probabilities of every card
analyze      ``analyze``                            the value of every legal move
review       ``review``                             a whole game, turn by turn
compare      ``compare``                            conventions on the same decks
conventions  ``conventions``, ``check_convention``  the conventions there are; what is wrong with one
variants     ``variants``                           suits, copies, touched cards; what is supported
deal         ``deal``                               the deck and the hands of a seed
convert      ``convert``                            one format into another
koikoi       ``koikoi``                             ``score``, ``maximum``, ``analyze``, ``compare``: the second game
===========  =====================================  =================================================================

An answer is a frozen dataclass, or a few of them; ``record()`` is what ``--json`` prints, described in
``docs/schemas``, and ``to_json`` its text. ``limit=Limit(seconds=30)`` ends the work early: its clock runs from the
moment it is made. ``warn=print`` shows the warnings. What is wrong is a HanasolveError that says in a sentence where,
what was found and what was expected: NotationError (sources, values), UnsupportedVariant (rules that are not
supported), IllegalAction, ImpossiblePosition, LimitReached and Interrupted (nothing is proven yet).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hanasolve.answers.analyze import analyze
from hanasolve.answers.answer import to_json
from hanasolve.answers.compare import compare
from hanasolve.answers.conventions import conventions
from hanasolve.answers.conventions_check import check_convention
from hanasolve.answers.convert import convert
from hanasolve.answers.deal import deal
from hanasolve.answers.deduce import deduce
from hanasolve.answers.koikoi import questions as koikoi
from hanasolve.answers.maxima import maxima
from hanasolve.answers.maximum import maximum
from hanasolve.answers.reading import read_one, table_of
from hanasolve.answers.review import review
from hanasolve.answers.variants import variants
from hanasolve.errors import HanasolveError
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.fireworks import max_score as _max_score
from hanasolve.hanabi.game.fireworks import score as _score
from hanasolve.hanabi.game.records import Action
from hanasolve.hanabi.game.table import Table, act, describe, stored_action
from hanasolve.hanabi.notation.source import Item
from hanasolve.hanabi.search.solve import Solution, solve
from hanasolve.limits import Limit

__all__ = [
    "Action", "HanasolveError", "Limit", "Solution", "Table",
    "act", "analyze", "check_convention", "compare", "conventions", "convert", "deal", "deduce", "describe", "koikoi",
    "legal_actions", "load", "max_score", "maxima", "maximum", "replay", "review", "score", "solve", "to_json",
    "variants",
]  # fmt: skip


def load(source: str | Item, turn: int | None = None) -> Table:
    """The table of one SOURCE of the command line, or of an item that was read, before the ``turn``-th action (from 1).

    Without ``turn``: the start of a deck, the end of a game. NotationError for what cannot be read, for several decks
    and for a turn that is not there; IllegalAction for an action that cannot be.
    """
    return table_of(read_one(source), turn)


def legal_actions(table: Table) -> list[Action]:
    """All legal actions of the player to move: plays and discards (oldest card first), then clues by seat.

    Cards are named by their order in the deck, from 0. None if the game is over.
    """
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
    """Cards placed, in points."""
    return _score(table.rules, table.game)


def max_score(table: Table) -> int:
    """The most points that the cards outside the discard pile allow, whatever their order."""
    return _max_score(table.rules, table.game)
