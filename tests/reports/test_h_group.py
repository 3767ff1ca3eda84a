"""The report on H-Group levels: causes add up to what the games lost, sentences say what the figures say."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np

from hanasolve import stats
from hanasolve.hanabi.conventions.find import find_convention
from hanasolve.hanabi.notation.replay_url import parse_url
from hanasolve.hanabi.play.simulator import play_games
from hanasolve.reports.h_group import (
    LEVELS,
    Cell,
    agreement_lines,
    cell_of,
    gain_lines,
    make,
    pair_lines,
    score_lines,
    text,
    write,
)
from hanasolve.reports.h_group_causes import find_causes

ROOT = Path(__file__).parents[2]
GAMES = 20


def made(level: str, placed: list[int], struck: int = 0) -> Cell:
    """A cell of 2 players whose first ``struck`` games ended by the third strike."""
    return Cell(level, 2, np.array(placed), np.arange(len(placed)) < struck)


def test_causes_add_up_to_the_strikes_and_lost_points_of_the_games() -> None:
    results = play_games("hgroup1", [f"p2v0s{i}" for i in range(1, GAMES + 1)], 2)
    causes = find_causes(find_convention("hgroup1"), 2, GAMES)
    assert causes.games == GAMES
    assert sum(causes.strikes.values()) == int(results["strikes"].sum()) > 0
    assert sum(causes.points.values()) == int((25 - results["placed"].astype(int)).sum()) > 0
    assert set(causes.examples) == {*causes.strikes, *causes.points}
    for seed, turn, url in causes.examples.values():
        assert url.endswith(f"#{turn}")
        assert parse_url(url).seed in (None, "", seed)
    cell = cell_of("hgroup1", 2, results)
    assert (cell.placed == results["placed"]).all()


def test_sentences_say_what_the_differences_say() -> None:
    low, high = [20, 21, 22, 23] * 10, [22, 23, 23, 25] * 10
    same = list(high)
    same[0], same[1] = high[0] + 1, high[1] - 1
    cells = [made(level, points) for level, points in zip(LEVELS, (low, high, same), strict=True)]
    (line,) = gain_lines(cells)  # differences 2, 2, 1, 2: SE sqrt(0.1875 / 39) = 0.0693
    assert "level 1 scores 21.50 points. Level 2 scores 1.750 ± 0.069 points more than level 1." in line
    assert "Level 3 cannot be told from level 2 in so many games (+0.000 ± 0.036)" in line
    assert "Perfect games at levels 1, 2, 3: 0.0 %, 25.0 %, 25.0 %." in line
    (less,) = gain_lines([cells[1], cells[0], cells[0]])
    assert "Level 2 scores 1.750 ± 0.069 points less than level 2" in less  # the cell's own name counts


def test_a_sentence_counts_all_comparisons() -> None:
    """40 games, level 2 two points more in five of them: its own interval is above 0, Holm's p is not."""
    first, second = [20] * 40, [20] * 35 + [22] * 5
    cells = [made(level, points) for level, points in zip(LEVELS, (first, second, second), strict=True)]
    found = stats.paired(np.array(first), np.array(second))
    assert found.low > 0
    (line,) = gain_lines(cells)
    assert "Level 2 cannot be told from level 1 in so many games (+0.250 ± 0.106)" in line  # sqrt(17.5 / 39 / 40)


def test_a_third_strike_counts_only_with_zero() -> None:
    cells = [made("hgroup1", [20, 21, 22]), made("hgroup2", [20, 21, 25], struck=1)]
    lines = list(pair_lines(cells))[2:]
    assert len(lines) == 2
    assert lines[0].startswith("| 2 | level 2 - level 1 | keep | +1.000 ±")
    assert lines[1].startswith("| 2 | level 2 - level 1 | zero | -5.667 ±")  # (-20 + 0 + 3) / 3


def test_the_same_games_give_the_same_bytes(tmp_path: Path) -> None:
    cells = [made(level, [20, 21, 25, 25], struck=1) for level in LEVELS]
    for name in "ab":
        write(tmp_path / name, cells, text(cells, {}, []))
    page = (tmp_path / "a/README.md").read_text(encoding="utf-8")
    assert "| 2 | 1 | 4 | 22.750 ± 1.315 | 17.750 ± 5.991 | 50.00 [15.00, 85.00] | 25.00 [4.56, 69.94] | 20 |" in page
    assert "What goes wrong" not in page
    rows = (tmp_path / "a/scores.csv").read_text(encoding="utf-8").splitlines()
    assert rows[1:4] == ["2,hgroup1,20,1,1", "2,hgroup1,21,1,0", "2,hgroup1,25,2,0"]
    for name in ("README.md", "scores.csv", "scores.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_real_games_are_counted_by_number_of_players(tmp_path: Path) -> None:
    """hgroup/first-turns.json: three turns; another table and a file that is no game are left out."""
    game = (ROOT / "tests/data/hgroup/first-turns.json").read_text(encoding="utf-8")
    (tmp_path / "a.json").write_text(game, encoding="utf-8")
    other = json.loads(game) | {"options": {"deckPlays": True}}
    (tmp_path / "b.json").write_text(json.dumps(other), encoding="utf-8")
    (tmp_path / "c.json").write_text("{}", encoding="utf-8")
    lines = list(agreement_lines(tmp_path))
    assert len(lines) == 3
    assert lines[2].startswith("| 3 | 1 | 3 | ")


def test_it_is_made_of_few_games(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    game = (ROOT / "tests/data/hgroup/first-turns.json").read_bytes()
    (tmp_path / "real/a.json").write_bytes(game)
    make(tmp_path, games=2, real=tmp_path / "real")
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    for part in ("## What goes wrong", "## Real games", "## How it was made", "h-group --games 2 --real FOLDER\n"):
        assert part in page
    placed = play_games("hgroup2", ["p3v0s1", "p3v0s2"], 3)["placed"].astype(int)
    assert f"| 3 | 2 | 2 | {placed.mean():.3f} ± " in page


def test_the_committed_page_agrees_with_its_histograms() -> None:
    folder = ROOT / "reports/h-group"
    counts: dict[tuple[str, int], list[tuple[int, int, int]]] = {}
    for row in csv.DictReader((folder / "scores.csv").open(encoding="utf-8")):
        numbers = int(row["placed"]), int(row["games"]), int(row["struck_out"])
        counts.setdefault((row["level"], int(row["players"])), []).append(numbers)
    cells = [
        Cell(
            level,
            players,
            np.repeat([placed for placed, _, _ in rows], [games for _, games, _ in rows]),
            np.concatenate([np.arange(games) < struck for _, games, struck in rows]),
        )
        for (level, players), rows in counts.items()
    ]
    page = (folder / "README.md").read_text(encoding="utf-8")
    assert len(cells) == 12 and "\n".join(score_lines(cells)) in page
