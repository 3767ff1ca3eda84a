"""``oracle``: every deck played to its proven maximum, as the ceiling of a comparison.

No player can follow it, because it knows the deck; like ``cheat`` it carries a label and is not ranked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.game.deck import shuffle
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.records import Replay, default_names
from hanasolve.hanabi.game.variants import Variant


class _DeckKnown(Convention):
    @property
    def label(self) -> str:
        return "upper bound: deck known"


ORACLE = _DeckKnown(
    "oracle",
    "Knows the deck and plays it to the best score that is possible at all (`hanasolve max`): the ceiling "
    "that no convention can pass.",
    "hanasolve, the search of known decks",
    open_hands=True,
    plain_suits=False,
)


class OracleTable:
    """Plays known decks with the same two methods as ``Simulator``."""

    convention = ORACLE

    def __init__(self, variant: Variant, options: Options) -> None:
        self.variant, self.options = variant, options

    def play(self, numbers: NDArray[np.int64]) -> NDArray[Any]:
        """RESULT[n] of the decks of these seed numbers; each is solved with proof, however long it takes."""
        from hanasolve.hanabi.game.shuffle import shuffle_many, table_array
        from hanasolve.hanabi.play.games import RESULT

        cards = np.array(self.variant.deck_in_order(), np.int8)
        results = np.zeros(len(numbers), RESULT)
        for row, deck in enumerate(shuffle_many(numbers, cards, table_array())):
            results[row] = self._solve(tuple(deck.tolist()))[0]
        return results

    def play_one(self, seed: str) -> tuple[Any, Replay]:
        """The result and the winning line of a seed."""
        deck = tuple(shuffle(seed, self.variant.deck_in_order()))
        result, actions = self._solve(deck)
        names = default_names(self.options.players)
        return result, Replay(self.variant, self.options, names, deck, actions, seed=seed)

    def _solve(self, deck: tuple[int, ...]) -> tuple[Any, Any]:
        from hanasolve.hanabi.game.table import deal
        from hanasolve.hanabi.play.games import RESULT, summarize
        from hanasolve.hanabi.search.solve import solve

        solution = solve(deal(self.variant, self.options, deck))
        result = np.zeros(1, RESULT)[0]
        summarize(solution.final.rules, solution.final.game, result)
        result["perfect"] = solution.score == self.variant.max_score
        return result, solution.actions
