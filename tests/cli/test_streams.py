"""Streams that are closed, full, or that nobody reads any more: no fault, no traceback, a code of the shell."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanasolve import streams
from hanasolve.batch.progress import Progress

HANASOLVE = 'hanasolve() { "$PYTHON" -m hanasolve "$@"; }'
FULL = "error: standard output cannot be written: No space left on device\n"
WRONG = "error: seed 'p9v0s1': found 9 after 'p', expected 2 to 6 players, e.g. p3v0s17\n"
NOTED = "max p2v0s1 --target 26"  # an answer, a note on stderr, and code 1
ENV = {**os.environ, "HANASOLVE_QUIET": "", "PYTHONUNBUFFERED": "", "PYTHON": sys.executable}
needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this system")


def shell(command: str) -> tuple[int, str, str]:
    """(exit code, stdout, stderr) of a shell's command, in which ``hanasolve`` and ``$PYTHON`` are these here."""
    words = ["bash", "-c", f"{HANASOLVE}\n{command}"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=ENV)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("deal p3v0s17", 0),
        ("--help", 0),
        (NOTED, 1),
        ("max p2v0s1..p2v0s2 --jobs 2", 0),
        ("koikoi compare random+stop greedy+always --pairs 2 --rounds 1 --jobs 2", 0),
        ("deal p9v0s1", 2),
    ],
)
def test_closed_streams_change_no_code(command: str, code: int) -> None:
    assert shell(f"hanasolve {command} <&- >&- 2>&-") == (code, "", "")


def test_what_is_closed_is_missed_by_nobody() -> None:
    code, out, err = shell(f"hanasolve {NOTED} >&-")
    assert (code, out) == (1, "") and err.endswith(" s of CPU\n") and "error" not in err
    code, out, err = shell(f"hanasolve {NOTED} 2>&-")
    assert (code, err) == (1, "") and "of CPU" not in out and "best score: 25" in out


def test_no_file_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """The journal of --out would be the first file that is opened; what is printed would end up in it."""
    out = tmp_path / "rows.csv"
    assert shell(f"hanasolve max p2v0s1..p2v0s2 --out {out} <&- >&- 2>&-") == (0, "", "")
    lines = out.read_text().splitlines()
    assert len(lines) == 3 and lines[0].startswith("source,") and lines[1].startswith("p2v0s1,")


@needs_full
@pytest.mark.parametrize("command", ["deal p3v0s17", "variants", "--version", NOTED])
def test_a_full_disk_is_one_sentence(command: str) -> None:
    assert shell(f"hanasolve --quiet {command} >/dev/full") == (2, "", FULL)


@needs_full
def test_notes_and_sentences_that_cannot_be_written_change_nothing() -> None:
    code, out, _ = shell(f"hanasolve {NOTED} 2>/dev/full")
    assert code == 1 and "best score: 25" in out
    for switch in ("", "--debug"):
        assert shell(f"hanasolve {switch} deal p9v0s1 2>/dev/full") == (2, "", "")
    assert shell("hanasolve deal p3v0s17 >/dev/full 2>/dev/full") == (2, "", "")


@pytest.mark.parametrize("command", ["deal p3v0s17", "variants", "--help", "variants --json", NOTED])
def test_a_reader_that_has_gone_is_code_141(command: str) -> None:
    """Before the first byte: ``true`` reads nothing; the sleep is long enough for it to be gone."""
    assert shell(f"(sleep 0.2; hanasolve --quiet {command}) | true; exit ${{PIPESTATUS[0]}}") == (141, "", "")


def test_a_reader_that_leaves_after_a_line() -> None:
    code, out, err = shell("hanasolve variants | head -n 1; exit ${PIPESTATUS[0]}")
    assert (code, err) == (141, "") and out.split() == ["id", "name", "suits", "cards", "maximum"]


def test_a_reader_of_notes_that_has_gone() -> None:
    for command, code in ((NOTED, "1"), ("deal p9v0s1", "2")):
        told = shell(f"{{ (sleep 0.2; hanasolve {command} 2>&1 >/dev/null; echo $? >&3) | true; }} 3>&1")
        assert told == (0, f"{code}\n", "")


@pytest.mark.parametrize("command", ["deal -", "koikoi score -", "koikoi max -"])
def test_no_standard_input(command: str) -> None:
    code, out, err = shell(f"hanasolve {command} <&-")
    assert (code, out) == (2, "") and err.startswith("error: -: found no standard input, expected a ")
    code, out, err = shell(f"hanasolve {command} 0>/dev/null")
    assert (code, out) == (2, "") and err.startswith("error: -: found no readable standard input (")


def test_the_reports_do_the_same() -> None:
    assert shell("$PYTHON -m hanasolve.reports >&- 2>&-") == (0, "", "")
    assert shell("$PYTHON -m hanasolve.reports nonsense 2>&-") == (2, "", "")
    assert shell("(sleep 0.2; $PYTHON -m hanasolve.reports) | true; exit ${PIPESTATUS[0]}") == (141, "", "")


@needs_full
def test_the_guard_of_a_limit_ends_the_process_without_streams() -> None:
    """Where compiled code does not return, a thread ends the process, whatever becomes of its sentence."""
    script = "print(1); limits._end_process(limits.Limit(1))"
    command = f"$PYTHON -c 'from hanasolve import limits, streams; streams.run(lambda: exec(\"{script}\"))'"
    for closed in (">&- 2>&-", ">/dev/full 2>/dev/full"):
        assert shell(f"{command} {closed}") == (3, "", "")


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_a_file_that_cannot_be_written_whole(name: str, tmp_path: Path) -> None:
    """4 kB are the longest file that the shell allows; with room the run goes on, as if nothing had happened."""
    command = f"hanasolve --quiet max p2v0s20..p2v0s39 --out {tmp_path / name}"
    code, _, err = shell(f"ulimit -f 4; {command}")
    assert code == 2 and err == f"error: {tmp_path / name}: cannot be written (File too large)\n"
    assert not list(tmp_path.glob("*.tmp"))
    code, out, err = shell(command)
    assert (code, err) == (0, "") and shell(command)[1] == out
    assert shell(command.replace(name, f"whole-{name}"))[1] == out


# ------------------------------------------------------------------------------------------------- inside


class Broken(io.StringIO):
    """A stream in memory that takes no more than some characters."""

    def __init__(self, room: int, number: int) -> None:
        super().__init__()
        self.room, self.number = room, number

    def write(self, text: str) -> int:
        if self.tell() + len(text) > self.room:
            raise OSError(self.number, os.strerror(self.number))
        return super().write(text)


@pytest.mark.parametrize(("number", "code"), [(errno.EPIPE, 141), (errno.EIO, 2), (errno.EBADF, 2)])
def test_no_code_of_ours_takes_a_lost_output_for_its_own_error(
    number: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def command() -> int:
        print("12345")
        try:
            print("67890")
        except Exception:
            return 0
        return 1

    out = Broken(8, number)
    monkeypatch.setattr(sys, "stdout", out)
    assert streams.run(command) == code and sys.stdout is out and out.getvalue() == "12345\n"
    told = "" if code == 141 else f"error: standard output cannot be written: {os.strerror(number)}\n"
    assert capsys.readouterr().err == told


def test_a_program_without_streams_can_use_the_library(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], run: Callable[..., Any]
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    streams.tell("note")
    with Progress("games", 2, None) as bar:
        bar.advance(1)
    assert capsys.readouterr().out == ""  # print(..., file=None) would land here
    assert run("deal", "p9v0s1").code == 2 and sys.stderr is None
    monkeypatch.setattr(sys, "stderr", Broken(0, errno.EPIPE))
    streams.tell("note")
