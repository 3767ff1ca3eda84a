"""``hanasolve conventions``: the list, the templates, the check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanasolve.cli.app import main


def run(*args: object, code: int = 0) -> None:
    assert main(["conventions", *map(str, args)]) == code


def test_all_are_listed_with_a_paragraph_and_a_source(capsys: pytest.CaptureFixture[str]) -> None:
    run()
    text = capsys.readouterr().out
    assert "simple  (2, 3, 4, 5, 6 players)" in text and "source: Arthur O'Dwyer" in text
    assert "cheat  (2, 3, 4, 5, 6 players; open hands: ideal communication)" in text
    run("--json")
    listed = json.loads(capsys.readouterr().out)
    assert listed["schema"] == "hanasolve.conventions/1"
    for convention in listed["conventions"]:
        assert len(convention["about"]) > 30 and convention["source"], convention["name"]


def test_one_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    run("simple")
    text = capsys.readouterr().out
    assert text.startswith("simple") and "touched card is playable" in text and "value" not in text
    run("value", "--json")
    assert [one["name"] for one in json.loads(capsys.readouterr().out)["conventions"]] == ["value"]
    run("simpel", code=2)
    assert "nearest: simple" in capsys.readouterr().err


def test_help_names_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    run("--help")
    text = capsys.readouterr().out
    assert "conventions new NAME" in text and "check" in text
    run("check", "--help")
    assert "--games" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["py", "toml"])
def test_a_template_plays_and_is_sound(capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"friday.{kind}"
    run("new", "friday", "--out", file, *(["--toml"] if kind == "toml" else []))
    assert capsys.readouterr().out.strip() == str(file)
    run("check", file, "--games", 9, "--players", 3)
    text = capsys.readouterr().out
    assert "9 games played to the end" in text and "no illegal move, no crash, no leak" in text
    run("new", "friday", "--out", file, *(["--toml"] if kind == "toml" else []), code=2)
    assert "is there already" in capsys.readouterr().err


def test_names_of_templates_are_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for args, message in [
        (["new", "two words"], "expected letters, digits and _"),
        (["new", "class"], "expected letters, digits and _"),
        (["new", "mine", "--out", "mine.toml"], "ends in .py"),
        (["new", "mine", "--out", tmp_path / "no" / "mine.py"], "cannot be written"),
        (["check", "simple", "--games", 0], "--games: found 0"),
        (["check", "nowhere.py"], "no such file"),
        (["check", "simple", "--players", 9], "players: found 9"),
    ]:
        run(*args, code=2)
        assert message in capsys.readouterr().err


def test_what_is_wrong_is_reported_with_turn_and_link(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from hanasolve.hanabi.conventions.convention import named_convention\n"
        "def decide(view, memory):\n"
        "    return 1 << 16\n"
        "def update(view, memory, event):\n"
        "    return 0\n"
        "mine = named_convention('mine', decide=decide, update=update)\n"
    )
    run("check", file, "--players", 3, "--games", 4, code=1)
    text = capsys.readouterr().out
    assert "illegal move (3 players, seed p3v0s1, turn 1): discard of hand index 0" in text
    assert text.count("https://hanab.live/replay-json/") == 1
    assert "also: 3 players, seed p3v0s2, turn 1; 3 players, seed p3v0s3, turn 1; " in text
    run("check", file, "--players", 3, "--games", 1, "--json", code=1)
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "hanasolve.conventions-check/1" and found["ok"] is False
    assert found["problems"][0]["turn"] == 1 and found["problems"][0]["kind"] == "illegal move"


def test_a_fault_in_a_users_file_is_not_ours(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """`analyze` and `review` called it a fault of hanasolve (70) when a convention of the user's divided by zero."""
    file = tmp_path / "broken_table.py"
    file.write_text(
        "from hanasolve.hanabi.conventions.convention import named_convention\n"
        "def decide(view, memory):\n    return 1 // int(view['strikes'])\n"
        "def update(view, memory, event):\n    return 0\n"
        "mine = named_convention('mine', decide=decide, update=update)\n"
    )
    game = Path(__file__).parents[2] / "scenarios" / "game-smart-p3v0s2.json"
    assert main(["analyze", str(game), "--turn", "1", "--convention", str(file), "--limit", "5s"]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith(f"error: a convention of {file} failed (ZeroDivisionError: ")
    assert f"`hanasolve conventions check {file}`" in error
