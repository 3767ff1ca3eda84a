"""Our scores beside the published ones: the page is what the file of scores says, and is made of few games."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import get_type_hints

import pytest

from hanasolve.errors import NotationError
from hanasolve.reports import conventions
from hanasolve.reports.conventions import PUBLISHED, Score, make, read_references, text

FOLDER = Path(__file__).parents[2] / "reports/conventions"


def scores_of(path: Path) -> list[Score]:
    kinds = get_type_hints(Score)
    with path.open(encoding="utf-8") as file:
        return [Score(**{name: kinds[name](value) for name, value in row.items()}) for row in csv.DictReader(file)]


def test_the_committed_page_agrees_with_its_scores() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert page.startswith("\n".join(text(scores_of(FOLDER / "scores.csv"))))


def test_it_is_made_of_few_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [row for row in read_references(PUBLISHED) if row.convention == "simple"]
    monkeypatch.setattr(conventions, "read_references", lambda path: rows)
    for name in "ab":
        make(tmp_path / name, games=3)
        assert (tmp_path / name / "README.md").read_bytes() == (tmp_path / "a/README.md").read_bytes()
    page = (tmp_path / "a/README.md").read_text(encoding="utf-8")
    assert page.count("\n| simple | ") == len(rows) == 4
    assert "python -m hanasolve.reports conventions --games 3\n" in page
    scores = scores_of(tmp_path / "b/scores.csv")
    assert [(score.players, score.games) for score in scores] == [(players, 3) for players in (2, 3, 4, 5)]
    assert capsys.readouterr().err.startswith("simple 2p: z ")


def test_without_the_published_scores_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="expected the published scores"):
        read_references(tmp_path / "none.json")
