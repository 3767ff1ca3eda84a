"""The report on Koi-Koi: the page is what its files of numbers say; a small one is made of few deals and matches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanasolve.reports import koikoi
from hanasolve.reports.koikoi import PAIRINGS, make, text, write

FOLDER = Path(__file__).parents[2] / "reports/koikoi"
VALUES = json.loads((FOLDER / "known-deals.json").read_text(encoding="utf-8"))
RESULTS = json.loads((FOLDER / "strategies.json").read_text(encoding="utf-8"))


def test_the_committed_page_agrees_with_its_numbers() -> None:
    assert (FOLDER / "README.md").read_text(encoding="utf-8").startswith("\n".join(text(VALUES, RESULTS)))
    played = [(one["a"], one["b"], one["pairs"] / 10_000) for one in RESULTS]
    assert played == PAIRINGS


def test_the_page_counts_what_the_numbers_say() -> None:
    calls = RESULTS[4] | {"wins_a": 5_000, "diff": 1.234, "se": 0.5, "diff_round": -0.1, "calls_a": 8, "followed_a": 2}
    page = text([3, -1, 0, 2], [calls, calls | {"calls_a": 0}])
    assert "mean +1.00 ± 0.91, standard deviation 1.8; dealer wins 50.0 %, other 25.0 %, zero 25.0 %." in page[6]
    row = "| progress+always | progress+stop | 20,000 | 25.0 % | +1.23 ± 0.50 | -0.100 |"
    assert f"{row} 25 % |" in page and f"{row} - |" in page


def test_the_same_numbers_are_the_same_bytes(tmp_path: Path) -> None:
    for name in "ab":
        write(tmp_path / name, VALUES[:50], RESULTS[:2], ["how it was made"])
    for name in ("README.md", "known-deals.json", "known-deals.svg", "strategies.json", "strategies.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_it_is_made_of_few_deals_and_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first values are those of the long run."""
    few = [("greedy+stop", "random+stop", 1.0), ("progress+t7h5", "greedy+stop", 0.1)]
    monkeypatch.setattr(koikoi, "PAIRINGS", few)
    make(tmp_path, deals=3, pairs=30, jobs=1)
    assert json.loads((tmp_path / "known-deals.json").read_text(encoding="utf-8")) == VALUES[:3]
    results = json.loads((tmp_path / "strategies.json").read_text(encoding="utf-8"))
    assert [(one["a"], one["pairs"]) for one in results] == [("greedy+stop", 30), ("progress+t7h5", 3)]
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "\npython -m hanasolve.reports koikoi --deals 3 --pairs 30\n" in page
    assert "\nSeeds: deals 0 to 2, matches 11. hanasolve " in page
    assert capsys.readouterr().err.startswith("greedy+stop : random+stop: +")
    for name in ("known-deals", "strategies"):
        assert "<svg" in (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
