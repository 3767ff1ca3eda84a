"""The chance of the maximum with open hands, for the last turns of a game.

Walks back from the end: the fewer cards are left, the cheaper is a turn. Each turn is one exact ranking of its
moves over all orders of the deck (``rank.py``), so the chance before the move is that of the best move
and the chance after it that of the move played, both for the same target.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from hanasolve.errors import LimitReached
from hanasolve.hanabi.game.records import Replay
from hanasolve.hanabi.game.rules import CLUE_RANK
from hanasolve.hanabi.game.table import from_replay
from hanasolve.hanabi.ranking.moves import is_same
from hanasolve.hanabi.ranking.open_hands.rank import rank_open_hands
from hanasolve.limits import Limit

STATES = 100_000  # for one turn
ASSUMES = (
    "open hands: ideal communication; the order of the deck unknown, every order equally likely; win = the highest "
    "score that some order allows before the move; exact"
)


@dataclass(frozen=True)
class OpenChance:
    """One turn: exact chances of ``target``, the best move's and that of the move played."""

    number: int
    target: int
    before: Fraction
    after: Fraction


def open_chances(replay: Replay, states: int, limit: Limit) -> Iterator[OpenChance]:
    """From the last turn back to the first that takes more than ``states``. UnsupportedVariant names what is not known.

    LimitReached if the time of ``limit`` is up.
    """
    for number in range(int(from_replay(replay).game["turn"]), 0, -1):
        action = replay.actions[number - 1]
        if action.type > CLUE_RANK:
            continue
        try:
            ranking = rank_open_hands(from_replay(replay, number), limit.part(nodes=states))
        except LimitReached:
            limit.check(f"came before turn {number} was counted with open hands")
            return
        same = [move for move in ranking.moves if is_same(move.action, action)]
        if not same:  # a card played from the deck
            return
        yield OpenChance(number, ranking.target, max(move.win for move in ranking.moves), same[0].win)
