"""The report of what a search gains and costs: its numbers are those of the games, and its words follow them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hanasolve import stats
from hanasolve.errors import NotationError
from hanasolve.hanabi.conventions.convention import SEARCH_COST
from hanasolve.hanabi.play.simulator import play_games
from hanasolve.reports.search import Gain, make, measure, run_of, text

SEEDS = ["p2v0s1", "p2v0s2", "p2v0s3"]


@pytest.fixture(scope="module")
def gain() -> Gain:
    return measure("simple", 2, 3, 500)


def test_the_numbers_are_those_of_the_games(gain: Gain) -> None:
    search, alone = (play_games(name, SEEDS, 2) for name in ("search:simple:500", "simple"))
    points = [np.where(games["strikeout"], 0, games["placed"]).astype(int) for games in (search, alone)]
    assert (gain.searched.mean, gain.usual.mean) == (points[0].mean(), points[1].mean())
    difference = points[0] - points[1]
    assert gain.difference.mean == difference.mean() and difference.any()
    assert gain.difference.se == pytest.approx(difference.std(ddof=1) / 3**0.5)
    assert gain.counts == {name: search[name].sum() for name in SEARCH_COST}
    assert gain.perfect == (alone["perfect"].sum(), search["perfect"].sum())
    assert gain.repeats and gain.seconds > 0


def test_the_upper_bound_is_one_sided(gain: Gain) -> None:
    """t of one side, 5 %, 9 degrees of freedom: 1.833 (any printed table of Student's t)."""
    ten = replace(gain, difference=stats.MeanSe(10, 0.5, 1.0, 0.2))
    assert ten.upper == pytest.approx(0.5 + 1.833 * 0.2, abs=1e-4)


def test_a_line_for_each_run(gain: Gain) -> None:
    made = replace(
        gain, games=40, usual=stats.MeanSe(40, 20.0, 1.0, 0.25), searched=stats.MeanSe(40, 20.5, 1.0, 0.25),
        difference=stats.MeanSe(40, 0.5, 1.0, 0.125), perfect=(3, 5), seconds=20.0,
        counts={"searched": 2000, "rollouts": 1234567, "deviations": 17, "clues_only": 4},
    )  # fmt: skip
    page = "\n".join(text([made, replace(made, repeats=False)]))
    # one-sided 5 %, 39 degrees of freedom: t = 1.6849
    row = "| simple | 2 | 40 | 500 | 20.000 ± 0.250 | 20.500 ± 0.250 | +0.500 ± 0.125 | +0.711 | 3 -> 5 | 20 games:"
    assert f"{row} same |" in page and f"{row} DIFFERENT |" in page
    assert "| simple | 2 | 2,000 | 1,234,567 | 17 | 4 | 0.50 | 10 |" in page


def test_it_is_made_of_the_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make(["simple:3:2:40", "simple:2:2:40"], tmp_path)
    page = (tmp_path / "search.md").read_text(encoding="utf-8")
    assert "\npython -m hanasolve.reports search simple:3:2:40 simple:2:2:40\n" in page
    rows = [line for line in page.splitlines() if line.startswith("| simple |")]
    assert [row.split("|")[2].strip() for row in rows] == ["3", "2", "3", "2"]
    assert capsys.readouterr().err.splitlines()[0].startswith("simple [3, 2, 40]: ")


@pytest.mark.parametrize("run", ["simple", "simple:2", "simple:2:1", "simple:2:x", "simple:2:3:4:5", "simple:-2:3"])
def test_what_is_no_run_is_refused(run: str) -> None:
    with pytest.raises(NotationError, match="expected NAME:PLAYERS:GAMES"):
        run_of(run)
