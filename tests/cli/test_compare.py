"""``hanasolve compare``: its options, its outputs, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from hanasolve.cli.app import main
from hanasolve.hanabi.notation.hanab_live import parse_game
from tests.conftest import check_record


def run(*args: object, code: int = 0) -> None:
    assert main(["compare", *map(str, args)]) == code


def answer(capsys: pytest.CaptureFixture[str], *args: object) -> Any:
    run(*args, "--json", "--jobs", 1)
    printed = capsys.readouterr().out
    check_record(printed)
    return json.loads(printed)


def test_the_json_answers_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "simple", "value", "--games", 60)
    assert found["schema"] == "hanasolve.compare/1" and found["games"] == 60
    assert found["seeds"] == {"first": "p3v0s1", "last": "p3v0s60"} and found["variant"] == "No Variant"
    simple, value = found["conventions"]
    assert [simple["name"], value["name"]] == ["simple", "value"] and sum(simple["histogram"]) == 60
    mean = sum(score * games for score, games in enumerate(simple["histogram"])) / 60
    assert simple["mean_keep"] == pytest.approx(mean)
    pair = found["pairs"][0]
    assert (pair["a"], pair["b"]) == ("simple", "value")
    assert pair["difference"] == pytest.approx(value["mean_zero"] - simple["mean_zero"])
    assert pair["low"] < pair["difference"] < pair["high"] and simple["games_per_second"] > 0
    assert all(game["url"].startswith("https://hanab.live/replay-json/") for game in simple["worst"])


def test_the_text_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    run("simple", "value", "cheat", "--games", 40, "--jobs", 1)
    text = capsys.readouterr().out
    for words in (
        "No Variant, 3 players, 40 games", "seeds p3v0s1 to p3v0s40, 3 strikes", "value - simple",
        "cheat: open hands: ideal communication; not ranked with the others",
        "may be the best (95 %): value", "worst games of simple", "https://hanab.live/replay-json/",
    ):  # fmt: skip
        assert words in text


def test_few_games_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    run("simple", "value", "--seeds", "5..9", "--jobs", 1)
    text = capsys.readouterr().out
    assert "p3v0s5 to p3v0s9" in text and "fewer than 30 games: no intervals" in text and "±" not in text


def test_player_counts_are_not_mixed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "games.csv"
    found = answer(capsys, "simple", "--players", "2-4", "--games", 35, "--out", out)
    assert [one["players"] for one in found["results"]] == [2, 3, 4]
    assert [one["seeds"]["first"] for one in found["results"]] == ["p2v0s1", "p3v0s1", "p4v0s1"]
    assert {file.name for file in tmp_path.glob("*.csv")} == {f"games.p{n}.csv" for n in (2, 3, 4)}
    assert (tmp_path / "games.p4.csv").read_text().count("\np4v0s") == 35


def test_seeds_may_say_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "simple", "--seeds", "p4v0s3..p4v0s5")
    assert (found["players"], found["games"], found["seeds"]["last"]) == (4, 3, "p4v0s5")


def test_a_sequential_test_stops(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "simple", "value", "--until", "d0=0,d1=0.3", "--max-games", 1000)
    test = found["sequential"]
    assert test["decision"] == "accept H1" and found["games"] == test["games"] < 1000
    assert test["llr"] >= test["upper"] == pytest.approx(2.944439, abs=1e-6)
    assert found["interval_note"] == "after sequential stop: biased away from 0"


def test_rules_and_scoring_can_be_changed(capsys: pytest.CaptureFixture[str]) -> None:
    strict = answer(capsys, "blind", "--games", 40, "--rule", "strikes_max=1", "--scoring", "keep")
    assert strict["rules"]["strikes"] == 1 and strict["scoring"] == "keep"
    assert strict["conventions"][0]["strikeouts"] == 1.0
    usual = answer(capsys, "blind", "--games", 40)
    assert usual["conventions"][0]["mean_keep"] > strict["conventions"][0]["mean_keep"]


def test_files_and_reports_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out, html, folder = tmp_path / "games.parquet", tmp_path / "report.html", tmp_path / "games"
    options = ["--games", 32, "--out", out, "--html", html, "--save-games", folder]
    first = answer(capsys, "simple", "value", *options)
    page, made = html.read_bytes(), out.read_bytes()
    again = answer(capsys, "simple", "value", *options)
    assert html.read_bytes() == page and out.read_bytes() == made
    for found in (first, again):
        for convention in found["conventions"]:
            convention.pop("games_per_second")
    assert first == again and b"<svg" in page
    files = sorted(folder.iterdir())
    assert len(files) == 64 and files[0].name == "p3v0s1-simple.json"
    assert len(parse_game(files[0].read_text()).actions) > 20


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["simpel"], "nearest: simple"),
        (["simple", "simple"], "simple is named twice"),
        (["simple", "--players", "7"], "--players: found '7', expected 2 to 6"),
        (["simple", "--players", "5-2"], "--players: found '5-2'"),
        (["simple", "--games", "0"], "--games: found '0', expected a number from 1"),
        (["simple", "--games", "5000000"], "expected 1 to 1000000 seeds"),
        (["simple", "--seeds", "9..3"], "--seeds: found 9..3"),
        (["simple", "--seeds", "12"], "expected a range such as 1..500"),
        (
            ["simple", "--seeds", "p3v0s1..p3v0s9", "--players", "4"],
            "found p3v0s1, expected seeds of 4 players",
        ),
        (["simple", "--seeds", "1..9", "--games", "9"], "--seeds and --games both say which games"),
        (["simple", "--max-games", "9"], "--max-games goes with --until"),
        (["simple", "--until", "d1=0.1"], "--until compares two conventions, found 1"),
        (["simple", "value", "--until", "d1=x"], "expected a number after d1="),
        (["simple", "value", "--until", "d1=inf"], "found 'd1=inf', expected a number after d1="),
        (["simple", "--jobs", "-1"], "--jobs"),
        (["simple", "--html", "nowhere/page.html"], "--html nowhere/page.html: cannot be written"),
        (["simple", "--save-games", __file__], "expected a folder, found a file"),
        (["simple", "--scoring", "best"], "--scoring: found 'best', expected zero or keep"),
        (["simple", "--rule", "strikes=4"], "--rule: found 'strikes=4', expected one of strikes_max"),
        (["simple", "--rule", "strikes_max=many"], "--rule strikes_max: found 'many', expected a number"),
        (
            ["simple", "--rule", "discard_at_max=maybe"],
            "discard_at_max: found 'maybe', expected one of forbid",
        ),
        (["simple", "--variant", "Rainbow (5 Suits)"], "does not know the suits"),
        (["simple", "--variant", "No Varient"], "nearest: No Variant"),
        (["simple", "--out", "games.txt"], "ends in .csv or .parquet"),
        (["simple", "--engine", "dask"], "--scheduler"),
        (["nowhere.py"], "nowhere.py: no such file"),
    ],
)
def test_bad_usage_is_one_sentence(capsys: pytest.CaptureFixture[str], args: list[str], message: str) -> None:
    games = [] if {"--games", "--seeds", "--until", "--max-games"} & set(args) else ["--games", "2"]
    run(*args, *games, code=2)
    error = capsys.readouterr().err
    assert error.splitlines()[-1].startswith("error: ") and message in error


def test_a_range_leaves_out_what_cannot_play(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from dataclasses import replace\n"
        "from hanasolve.hanabi.conventions.find import find_convention\n"
        "four = replace(find_convention('simple'), players=(4,))\n"
    )
    run(f"{mine}:four", "value", "--players", "3-4", "--games", 3, "--json", "--jobs", 1)
    done = capsys.readouterr()
    names = [[one["name"] for one in table["conventions"]] for table in json.loads(done.out)["results"]]
    assert names == [["value"], ["mine:four", "value"]]
    assert "note: left out with 3 players" in done.err


@pytest.mark.usefixtures("hears_ctrl_c")
def test_an_interruption_shows_and_keeps_what_was_finished(tmp_path: Path) -> None:
    out = tmp_path / "games.csv"
    command = [sys.executable, "-m", "hanasolve.cli.app", "compare", "simple", "value"]
    command += ["--games", "300000", "--out", str(out), "--jobs", "2", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 600  # a cold cache on a busy machine
    while not (out.exists() and out.stat().st_size > 1_000):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 130 and stderr.endswith("error: interrupted\n")
    found = json.loads(stdout)
    assert found["interrupted"] is True and 0 < found["games"] < 300000
    assert out.read_text().count("\n") >= 2 * found["games"] + 1


def test_a_search_is_reported_with_its_cost(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The sums of ``--json`` are those of the rows; the table and the page show the means of a game."""
    out, html = tmp_path / "games.csv", tmp_path / "report.html"
    games = ["search:simple:300", "simple", "--games", 4, "--out", out, "--html", html]
    found = answer(capsys, *games)
    search, simple = found["conventions"]
    head, *rows = [line.split(",") for line in out.read_text().splitlines()]
    for name in ("searched", "rollouts", "deviations", "clues_only"):
        at = head.index(name)
        assert search["search"][name] == sum(int(row[at]) for row in rows[::2])
        assert {row[at] for row in rows[1::2]} == {""}
    assert search["search"]["budget"] == 300 and search["search"]["rollouts"] > 0 and simple["search"] is None
    run(*games, "--jobs", 2)
    text = capsys.readouterr().out
    mean = f"{search['search']['rollouts'] / 4:,.0f}"
    assert "moves searched" in text and mean in text and mean in html.read_text()
    run("simple", "--games", 3, "--jobs", 1)
    assert "moves searched" not in capsys.readouterr().out
