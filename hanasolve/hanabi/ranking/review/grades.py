"""How a move is judged: by what its player could know, never by the deck that nobody knew.

The judgement goes by the loss of win chance L = best move - move played. From 0.1 on it is an inaccuracy, from
0.2 a mistake, from 0.3 a blunder (the thresholds of chess servers). Where even the best move wins with less
than 0.05, the expected score is judged instead: 0.5, 1 and 2 points. A loss that does not exceed two standard
errors of the difference is *not separable* and gets no word.

Accuracy of a player in a game: 100 (1 - mean of min(L, 0.3) / 0.3) over his moves, those without a choice
left out. 100 = never lost win chance, 0 = a blunder every move. It measures the losses against the tool's
own estimates and says nothing about luck.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIN, SCORE = "win", "score"
GRADES = ("inaccuracy", "mistake", "blunder")
THRESHOLDS = {WIN: (0.1, 0.2, 0.3), SCORE: (0.5, 1.0, 2.0)}
WIN_FLOOR = 0.05
LEAST_MOVES = 5
_ROUNDING = 1e-9  # 0.35 - 0.05 is 0.3 on paper only


@dataclass(frozen=True)
class Grade:
    """The verdict on one move. ``loss`` and ``se`` are in units of ``by``; ``win_loss`` is that of win chance;
    ``word``: one of GRADES, None without one.

    ``separable``: the loss exceeds two standard errors (or there is none). ``forced``: the convention itself
    would have made this move, so the loss is the convention's.
    """

    by: str
    loss: float
    se: float
    win_loss: float
    word: str | None
    separable: bool
    forced: bool = False


def word_for(loss: float, by: str = WIN) -> str | None:
    """The word for a loss of win chance or, ``by`` SCORE, of expected points."""
    steps = sum(loss >= least - _ROUNDING for least in THRESHOLDS[by])
    return GRADES[steps - 1] if steps else None


def grade_move(
    best_win: float, win_loss: float, se_win: float, score_loss: float, se_score: float, forced: bool = False
) -> Grade:
    """Judge a move by what it lost against the best one; the errors are those of the differences."""
    by = WIN if best_win >= WIN_FLOOR - _ROUNDING else SCORE
    loss, se = (win_loss, se_win) if by == WIN else (score_loss, se_score)
    separable = loss <= 0 or loss > 2 * se
    word = word_for(loss, by) if separable else None
    return Grade(by, max(loss, 0.0), se, max(win_loss, 0.0), word, separable, forced)


@dataclass(frozen=True)
class Accuracy:
    """A player's accuracy with its standard error, over that many moves."""

    value: float
    se: float
    moves: int


def accuracy(losses: Sequence[float]) -> Accuracy | None:
    """Accuracy from the losses of win chance of the moves that were a choice; None for fewer than five."""
    if len(losses) < LEAST_MOVES:
        return None
    top = THRESHOLDS[WIN][-1]
    parts = [100 * (1 - min(max(loss, 0.0), top) / top) for loss in losses]
    mean = sum(parts) / len(parts)
    variance = sum((part - mean) ** 2 for part in parts) / (len(parts) - 1)
    return Accuracy(mean, math.sqrt(variance / len(parts)), len(parts))
