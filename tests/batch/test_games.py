"""Games of conventions as rows: the same whatever the workers, and the same as the simulator's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hanasolve.batch import run_batch
from hanasolve.batch.games import (
    CHUNKS,
    find_conventions,
    game_url,
    games_grid,
    play_rows,
    save_game,
    seed_texts,
    suitable_chunk,
)
from hanasolve.errors import HanasolveError, IllegalAction, NotationError
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.table import from_replay
from hanasolve.hanabi.game.variants import NO_VARIANT, load_variant
from hanasolve.hanabi.notation.hanab_live import parse_game
from hanasolve.hanabi.notation.replay_url import parse_url

VARIANT = load_variant(NO_VARIANT)
TABLE = Options(3)
SEEDS = seed_texts(VARIANT, 3, 1, 40)


def collect(out: Path | None = None, jobs: int = 1, chunk: int = 10) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    players = find_conventions(["simple", "value"])
    run_batch(games_grid(players, SEEDS, VARIANT, TABLE, chunk), out, jobs=jobs, on_rows=found.extend)  # type: ignore[arg-type]
    return [{name: value for name, value in row.items() if name != "cpu"} for row in found]


def test_rows_hold_what_the_simulator_played() -> None:
    from hanasolve.hanabi.play.simulator import play_games

    rows = collect()
    assert [row["seed"] for row in rows] == [seed for seed in SEEDS for _ in range(2)]
    results = play_games("value", SEEDS, 3)
    value = [row for row in rows if row["convention"] == "value"]
    assert [row["keep"] for row in value] == results["placed"].tolist()
    assert [row["turns"] for row in value] == results["turns"].tolist()
    assert all(row["zero"] == (0 if row["strikeout"] else row["keep"]) for row in rows)


@pytest.mark.parametrize("name", ["games.csv", "games.parquet"])
def test_files_do_not_depend_on_workers_and_chunks(tmp_path: Path, name: str) -> None:
    rows = collect(tmp_path / name, jobs=2, chunk=5)
    (tmp_path / "one").mkdir()
    assert collect(tmp_path / "one" / name, chunk=40) == rows
    assert (tmp_path / name).read_bytes() == (tmp_path / "one" / name).read_bytes()
    assert collect(tmp_path / name) == rows  # read from the file


def test_a_file_of_other_conventions_is_refused(tmp_path: Path) -> None:
    collect(tmp_path / "games.csv")
    with pytest.raises(NotationError, match='made with conventions \\["simple", "value"\\]'):
        run_batch(games_grid(find_conventions(["simple"]), SEEDS, VARIANT, TABLE), tmp_path / "games.csv")


def test_links_and_files_show_the_same_game(tmp_path: Path) -> None:
    (player,) = find_conventions(["simple"])
    row = play_rows(["p3v0s7"], ["simple"], VARIANT.name, TABLE)[0]
    save_game(tmp_path, player, "p3v0s7", VARIANT, TABLE)
    url = game_url(player, "p3v0s7", VARIANT, TABLE)
    assert url is not None
    saved = parse_game((tmp_path / "p3v0s7-simple.json").read_text())
    assert saved.actions == parse_url(url).actions and saved.seed == "p3v0s7"
    assert int(from_replay(saved).game["stacks"].sum()) == row["keep"]


def test_variants_of_the_printed_game_have_no_link() -> None:
    (player,) = find_conventions(["random-legal"])
    printed = load_variant("black-powder")
    assert seed_texts(printed, 3, 1, 2) == ["p3v0s1", "p3v0s2"]
    assert game_url(player, "p3v0s1", printed, TABLE) is None


def test_the_chunk_suits_the_speed() -> None:
    simple, search = find_conventions(["simple"]), find_conventions(["search:simple:400"])
    fast, slow = (suitable_chunk(players, SEEDS, VARIANT, TABLE) for players in (simple, search))
    assert fast in CHUNKS and slow in CHUNKS and slow < fast
    sequential = suitable_chunk(simple, SEEDS, VARIANT, TABLE, sequential=True)
    assert sequential <= 100 and 100 % sequential == 0


def test_the_oracle_plays_every_deck_to_its_maximum() -> None:
    players = find_conventions(["oracle", "cheat"])
    rows = play_rows(SEEDS[:12], [player.text for player in players], VARIANT.name, TABLE)
    oracle = [row for row in rows if row["convention"] == "oracle"]
    for best, cheat in zip(oracle, rows[1::2], strict=True):
        assert best["keep"] >= cheat["keep"] and best["perfect"] == (best["keep"] == 25)
    url = game_url(players[0], SEEDS[0], VARIANT, TABLE)
    assert url is not None
    assert int(from_replay(parse_url(url)).game["stacks"].sum()) == oracle[0]["keep"]
    assert players[0].convention.label == "upper bound: deck known"


def test_conventions_are_named_once() -> None:
    with pytest.raises(NotationError, match="simple is named twice"):
        find_conventions(["simple", "value", "simple"])
    with pytest.raises(NotationError, match="nearest: simple"):
        find_conventions(["simpel"])


_ILLEGAL = """
from hanasolve.hanabi.conventions.convention import named_convention

def decide(view, memory):
    return 1 << 16  # discard the oldest card, also at 8 tokens

def update(view, memory, event):
    return 0

mine = named_convention("mine", decide=decide, update=update, about="{about}")
"""


def test_an_illegal_move_names_convention_seed_turn_and_move(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(_ILLEGAL.format(about="Wrong."))
    (player,) = find_conventions([str(file)])
    for jobs in (1, 2):
        with pytest.raises(
            IllegalAction, match="mine:mine, seed p3v0s1, 3 players, turn 1: discard"
        ) as caught:
            run_batch(games_grid([player], SEEDS, VARIANT, TABLE, 10), jobs=jobs)
        assert caught.value.code == "discard_at_max_clues"


def test_a_crash_of_compiled_code_names_the_convention(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(_ILLEGAL.format(about="Wrong.").replace("1 << 16", "1 // view['turn']"))
    grid = games_grid(find_conventions([str(file)]), SEEDS, VARIANT, TABLE)
    with pytest.raises(HanasolveError, match=r"mine:mine: ZeroDivisionError.*conventions check") as caught:
        run_batch(grid)
    assert not isinstance(caught.value, IllegalAction)


@pytest.mark.parametrize(
    ("decision", "message"),
    [("view['tokens']", "Field 'tokens' was not found"), ("len(SEEN)", "Untyped global name 'SEEN'")],
)
def test_what_does_not_compile_is_the_convention_s_fault(tmp_path: Path, decision: str, message: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text("SEEN = []\n" + _ILLEGAL.format(about="Wrong.").replace("1 << 16", decision))
    grid = games_grid(find_conventions([str(file)]), SEEDS, VARIANT, TABLE)
    with pytest.raises(HanasolveError, match=f"mine:mine: does not compile: {message}.*conventions check") as caught:
        run_batch(grid)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 600 + len(str(file))


def test_a_changed_file_of_a_user_is_another_convention(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    made = []
    for about in ("One.", "Two."):
        file.write_text(_ILLEGAL.format(about=about))
        made.append(games_grid(find_conventions([f"{file}:mine"]), SEEDS, VARIANT, TABLE).made_with["conventions"])
    assert made[0] != made[1] and made[0][0].startswith("mine:mine (sha256 ")


def test_the_words_for_a_score_decide_no_row() -> None:
    """A file of games from before there were such words goes on."""
    grids = [games_grid(find_conventions(["simple"]), SEEDS, VARIANT, rules)
             for rules in (TABLE, replace(TABLE, score_words="abacus"), replace(TABLE, strikes_max=2))]  # fmt: skip
    assert grids[0].made_with == grids[1].made_with != grids[2].made_with
    assert "score_words" not in grids[0].made_with["rules"] and grids[0].made_with["rules"]["strikes_max"] == 3


def searched(out: Path | None = None, jobs: int = 1, chunk: int = 3) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    players = find_conventions(["search:simple:600", "simple"])
    run_batch(games_grid(players, SEEDS[:5], VARIANT, TABLE, chunk), out, jobs=jobs, on_rows=found.extend)  # type: ignore[arg-type]
    return [{name: value for name, value in row.items() if name != "cpu"} for row in found]


@pytest.mark.parametrize("name", ["games.csv", "games.parquet"])
def test_the_cost_of_a_search_is_a_result_of_each_game(tmp_path: Path, name: str) -> None:
    """The same whatever plays the games: one table, one or two processes, other chunks, the rest after a stop."""
    from hanasolve.hanabi.conventions.convention import SEARCH_COST
    from hanasolve.hanabi.play.simulator import play_games

    one, two = tmp_path / name, tmp_path / f"two-{name}"
    rows = searched(one, jobs=1)
    assert searched(two, jobs=2, chunk=1) == rows and two.read_bytes() == one.read_bytes()
    results = play_games("search:simple:600", SEEDS[:5], 3)
    assert results["rollouts"].min() > 1000 and results["deviations"].sum() > 0
    for field in SEARCH_COST:
        assert [row[field] for row in rows[::2]] == results[field].tolist()
        assert all(row.get(field) is None for row in rows[1::2])
    read = searched(one)
    assert all(read[i].get(field) == rows[i].get(field) for i in range(10) for field in (*SEARCH_COST, "keep"))


def test_a_stopped_search_goes_on_to_the_same_file(tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole.csv", tmp_path / "stopped.csv"
    searched(whole)
    players = find_conventions(["search:simple:600", "simple"])
    grid = games_grid(players, SEEDS[:5], VARIANT, TABLE, 1)
    run_batch(grid, stopped, on_rows=lambda rows: rows[0]["seed"] == SEEDS[2])
    assert stopped.read_text().count("\n") == 7
    searched(stopped, jobs=2, chunk=2)
    assert stopped.read_bytes() == whole.read_bytes()
