"""Habits of a command line that people know: ``-h``, groups that show themselves, colours, folded columns."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from hanasolve.cli.app import COMMANDS
from hanasolve.cli.text import style

Run = Callable[..., Any]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_h_is_help_everywhere(name: str, run: Run) -> None:
    short, long = run(name, "-h"), run(name, "--help")
    assert short.code == long.code == 0 and short.err == ""
    assert short.out == long.out and "-h, --help" in short.out


@pytest.mark.parametrize("words", [("koikoi", "score"), ("koikoi", "analyze"), ("conventions", "check")])
def test_h_of_a_groups_command(words: tuple[str, ...], run: Run) -> None:
    assert run(*words, "-h").out == run(*words, "--help").out != ""


def test_a_group_without_a_word_shows_its_commands(run: Run) -> None:
    told = run("koikoi")
    assert told.code == 0 and told.err == "" and told.out == run("koikoi", "--help").out
    assert all(word in told.out for word in ("score", "max", "analyze", "compare"))


@pytest.mark.parametrize(
    ("force", "forbid", "coloured"), [("1", "", True), ("1", "1", False), ("", "", False), ("", "1", False)]
)
def test_force_color(force: str, forbid: str, coloured: bool, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", force)
    monkeypatch.setenv("NO_COLOR", forbid)
    assert ("\x1b[" in run("deal", "p3v0s17").out) is coloured


ROWS = [
    ["move", "why"],
    ["play r4", "plays r4, red then has 4; the maximum falls from 25 to 24"],
    ["discard y1", "trash"],
]


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr(style.shutil, "get_terminal_size", lambda: os.terminal_size((columns, 24)))


def test_the_last_column_folds_at_words_under_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    on_a_terminal(monkeypatch, 40)
    assert style.table_text(ROWS).splitlines() == [
        "move        why",
        "play r4     plays r4, red then has 4;",
        "            the maximum falls from 25 to",
        "            24",
        "discard y1  trash",
    ]


@pytest.mark.parametrize("columns", [20, 200])
def test_no_fold_where_there_is_room_or_far_too_little(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    on_a_terminal(monkeypatch, columns)
    assert len(style.table_text(ROWS).splitlines()) == len(ROWS)


def test_pipes_get_whole_lines() -> None:
    assert len(style.table_text(ROWS).splitlines()) == len(ROWS)
