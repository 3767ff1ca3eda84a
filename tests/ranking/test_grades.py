"""Grades, their thresholds and errors, and accuracy: worked by hand from the definitions in docs/review.md."""

from __future__ import annotations

import math

import pytest

from hanasolve.hanabi.ranking.review.grades import SCORE, WIN, accuracy, grade_move, word_for


def test_thresholds() -> None:
    assert [word_for(loss) for loss in (0, 0.0999, 0.1, 0.1999, 0.2, 0.2999, 0.3, 1)] == [
        None, None, "inaccuracy", "inaccuracy", "mistake", "mistake", "blunder", "blunder",
    ]  # fmt: skip
    assert [word_for(loss, SCORE) for loss in (0.49, 0.5, 0.99, 1, 1.99, 2)] == [
        None, "inaccuracy", "inaccuracy", "mistake", "mistake", "blunder",
    ]  # fmt: skip
    assert word_for(0.35 - 0.05) == "blunder"  # 0.3 but for rounding


@pytest.mark.parametrize(
    ("best", "loss", "se", "by", "grade", "separable"),
    [
        (0.6, 0.25, 0.1, WIN, "mistake", True),
        (0.6, 0.25, 0.125, WIN, None, False),  # exactly two errors: not more than two
        (0.6, 0.25, 0.2, WIN, None, False),
        (0.6, 0.05, 0.01, WIN, None, True),
        (0.05, 0.02, 0.0, WIN, None, True),
        (0.049, 0.02, 0.0, SCORE, "mistake", True),  # the score loss below decides
        (0.6, 0.0, 0.0, WIN, None, True),
    ],
)
def test_grades(best: float, loss: float, se: float, by: str, grade: str | None, separable: bool) -> None:
    found = grade_move(best, loss, se, 1.5, 0.1)
    assert (found.by, found.word, found.separable) == (by, grade, separable)
    assert found.win_loss == loss and found.loss == (loss if by == WIN else 1.5)


def test_accuracy() -> None:
    """Five moves: 0, 0, 0.15, 0.3 and 0.6 (counted as 0.3) give 100, 100, 50, 0, 0."""
    found = accuracy([0, 0, 0.15, 0.3, 0.6])
    assert found is not None and found.moves == 5
    assert found.value == pytest.approx(50)
    assert found.se == pytest.approx(math.sqrt((50**2 * 4) / 4 / 5))
    assert accuracy([0.0] * 4) is None
    perfect = accuracy([0.0] * 5)
    assert perfect is not None and (perfect.value, perfect.se) == (100, 0)
