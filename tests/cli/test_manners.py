"""Habits of a command line that people know: ``-h``, groups that show themselves, colours, folded columns."""

from __future__ import annotations

import os
import re
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


@pytest.mark.parametrize(
    ("shell", "typed", "offered"),
    [
        ("bash", {"COMP_WORDS": "hanasolve de", "COMP_CWORD": "1"}, {"deal", "deduce"}),
        ("bash", {"COMP_WORDS": "hanasolve max --li", "COMP_CWORD": "2"}, {"--limit"}),
        ("bash", {"COMP_WORDS": "hanasolve koikoi s", "COMP_CWORD": "2"}, {"score"}),
        ("fish", {"_TYPER_COMPLETE_ARGS": "hanasolve wa", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}, {"warm-up"}),
        ("zsh", {"_TYPER_COMPLETE_ARGS": "hanasolve vari"}, {"variants"}),
        (
            "powershell",
            {"_TYPER_COMPLETE_ARGS": "hanasolve vari", "_TYPER_COMPLETE_WORD_TO_COMPLETE": "vari"},
            {"variants"},
        ),
    ],
)
def test_completion(
    shell: str, typed: dict[str, str], offered: set[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_HANASOLVE_COMPLETE", f"complete_{shell}")
    for name, value in typed.items():
        monkeypatch.setenv(name, value)
    told = run()
    assert told.code == 0
    assert offered == {word for word in re.findall(r"[\w-]+", told.out) if word in {*COMMANDS, "--limit", "score"}}


def test_completion_can_be_shown(run: Run) -> None:
    told = run("--show-completion", "bash")
    assert told.code == 0 and "_hanasolve_completion" in told.out
    assert "--install-completion" in run("--help").out
