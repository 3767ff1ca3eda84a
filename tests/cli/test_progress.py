"""What a terminal shows while a command works; and what is shown where there is none."""

from __future__ import annotations

import io

import pytest

from hanasolve.cli.common import SETTINGS
from hanasolve.cli.progress import ShownProgress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(screen: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with ShownProgress() as progress:
        for done in range(4):
            progress("known deck", done, 3)
        progress("open hands", 1, 7)
    return screen.getvalue()


def test_every_work_has_its_own_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = shown(Terminal(), monkeypatch)
    assert "known deck" in screen and "3/3" in screen and "open hands" in screen and "1/7" in screen
    assert screen.endswith("\x1b[2K")  # nothing is left of it


def test_without_a_terminal_or_when_quiet_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(io.StringIO(), monkeypatch) == ""
    monkeypatch.setattr(SETTINGS, "quiet", True)
    assert shown(Terminal(), monkeypatch) == ""
