"""A game of whose deck only the beginning is known: what is proven of its maximum without the other cards.

At most what the cards and the turns that are left allow, at least what the record itself places from there on. Both
hold whatever the missing cards are.
"""

from __future__ import annotations

from collections.abc import Iterator

from hanasolve.hanabi.game.fireworks import max_score
from hanasolve.hanabi.game.records import Replay
from hanasolve.hanabi.game.rules import CLUE_RANK
from hanasolve.hanabi.game.table import Table, act, describe, from_replay, official_score
from hanasolve.hanabi.ranking.known_deck.hindsight import Fall
from hanasolve.hanabi.ranking.moves import ceiling
from hanasolve.hanabi.search.solve import Solution

ASSUMES = "part of the deck is not known: no more than the cards and the turns that are left allow"


def missing(replay: Replay) -> int:
    """How many cards of the deck the record lacks."""
    return replay.variant.deck_size - len(replay.deck)


def bracket(replay: Replay, table: Table) -> Solution:
    """What the best score from ``table`` on lies between; ``table`` is one of the game's."""
    end, placed, high = from_replay(replay), official_score(table), ceiling(table)
    line = replay.actions[int(table.game["turn"]) : int(end.game["turn"])]
    low = official_score(end)
    if low <= placed:
        end, low, line = table.copy(), placed, ()
    full = int(table.rules["full_score"])
    reason = None
    if low < full:
        reason = "the game is over" if table.game["ended"] else f"{missing(replay)} cards of the deck are not known"
    return Solution(low, max(low, high), full, reason, "bound", line, end, 0, 0.0)


def falls(replay: Replay) -> Iterator[Fall]:
    """Every action with the bound before and after it."""
    table = from_replay(replay, 1)
    for action in replay.actions:
        if table.game["ended"] or action.type > CLUE_RANK:
            return
        number, seat, text = int(table.game["turn"]) + 1, int(table.game["to_move"]), describe(table, action)
        before, cards = ceiling(table), int(max_score(table.rules, table.game))
        act(table, action)
        after, why = ceiling(table), None
        if after < before:
            lost = int(max_score(table.rules, table.game)) < cards
            name = table.variant.card_name(int(table.game["deck"][action.target])) if lost else ""
            why = f"no copy of {name} is left" if lost else "too few turns are left for all cards"
        yield Fall(number, seat, action, text, before, after, why)
