"""``hanasolve convert``: every format into every other one."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanasolve.hanabi.notation.hanab_live import format_game, parse_game, parse_record
from hanasolve.hanabi.notation.position import parse_position
from hanasolve.hanabi.notation.replay_url import parse_url

LINES = gzip.decompress((Path(__file__).parents[1] / "data" / "hanab_live" / "games.jsonl.gz").read_bytes())
GAMES = {game["file"]: game for game in map(json.loads, LINES.decode().splitlines())}
GAME = parse_record(GAMES["demo-no-variant"])


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "game.json"
    path.write_text(format_game(GAME))
    return str(path)


def test_json_and_url_keep_the_game(file: str, run: Callable[..., Any]) -> None:
    assert parse_game(run("convert", file, "--to", "json").out) == GAME
    link = run("convert", file, "--to", "url").out.strip()
    assert (parse_url(link).deck, parse_url(link).actions) == (GAME.deck, GAME.actions)
    again = parse_game(run("convert", link, "--to", "json").out)
    assert (again.deck, again.actions) == (GAME.deck, GAME.actions)


def test_a_turn_of_a_game(file: str, run: Callable[..., Any]) -> None:
    assert run("convert", file, "--to", "url", "--turn", "7").out.endswith("#7\n")
    assert parse_game(run("convert", file, "--to", "json", "--turn", "7").out).actions == GAME.actions[:6]
    by_option = run("convert", file, "--to", "position", "--turn", "7").out
    assert run("convert", f"{file}#7", "--to", "position").out == by_option
    position = parse_position(by_option)
    assert (position.turn, position.names) == (6, GAME.names)
    assert run("convert", file, "--to", "text", "--turn", "1").code == 0


def test_positions_stay_what_they_are(file: str, run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "position.yaml"
    assert run("convert", file, "--to", "position", "--turn", "20", "--out", str(path)).out == ""
    assert run("convert", str(path), "--to", "position").out == path.read_text()
    assert run("convert", str(path), "--to", "json").code == 2
    outcome = run("convert", str(path), "--to", "position", "--turn", "3")
    assert outcome.code == 2 and "is a single position" in outcome.err


def test_a_finished_game_has_no_position(file: str, run: Callable[..., Any]) -> None:
    outcome = run("convert", file, "--to", "position")
    assert outcome.code == 2 and "the game is over after turn 53" in outcome.err


def test_what_would_be_lost_is_refused(file: str, run: Callable[..., Any]) -> None:
    outcome = run("convert", file, "--to", "text")
    assert outcome.code == 2 and "cannot hold the 53 actions" in outcome.err
    forced = run("convert", file, "--to", "text", "--force")
    assert forced.out.splitlines()[0] == f"# No Variant, 5 players, seed {GAME.seed}"


def test_several_decks_become_several_lines(run: Callable[..., Any], tmp_path: Path) -> None:
    for form in ("json", "url", "text"):
        path = tmp_path / f"decks.{form}"
        run("convert", "p2v0s1..p2v0s3", "--to", form, "--out", str(path))
        decks = json.loads(run("deal", str(path), "--players", "2", "--json").out)["results"]
        seeds = json.loads(run("deal", "p2v0s1..p2v0s3", "--json").out)["results"]
        assert [deck["deck"] for deck in decks] == [seed["deck"] for seed in seeds], form


def test_json_answer(file: str, run: Callable[..., Any]) -> None:
    answer = json.loads(run("convert", file, "--to", "url", "--json").out)
    assert answer["schema"] == "hanasolve.convert/1"
    assert answer["results"] == [
        {"source": file, "format": "url", "text": run("convert", file, "--to", "url").out}
    ]


def test_actions_after_the_end_are_a_warning(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "link.json"
    path.write_text(format_game(parse_record(GAMES["link-06"])))
    outcome = run("convert", str(path), "--to", "position")
    assert "the last 3 actions come after the end of the game and are ignored" in outcome.err


def test_an_output_that_cannot_be_written(run: Callable[..., Any], tmp_path: Path) -> None:
    outcome = run("convert", "p2v0s1", "--to", "text", "--out", str(tmp_path / "no" / "file"))
    assert outcome.code == 2 and "--out" in outcome.err
