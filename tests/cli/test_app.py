"""The frame of the command line: help, version, exit codes, errors, and what it must not import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hanasolve
from hanasolve.answers.answer import Answer, to_json
from hanasolve.cli import app
from hanasolve.errors import LimitReached, NotationError

HEAVY = ("numpy", "numba", "pandas", "ortools", "matplotlib", "scipy", "pyarrow", "pydantic", "rich")


def fresh(*args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "hanasolve", *args], input=stdin, capture_output=True, text=True, check=False
    )


def test_version(run: Callable[..., Any]) -> None:
    assert run("--version").out == f"hanasolve {hanasolve.__version__}\n"


def test_help_lists_the_commands_that_exist(run: Callable[..., Any]) -> None:
    for outcome in (run("--help"), run()):
        assert outcome.code == 0
        for name in app.available():
            assert f"\n  {name} " in outcome.out
    assert {"deal", "convert", "variants"} <= set(app.available()) <= set(app.COMMANDS)


@pytest.mark.parametrize("name", app.available())
def test_every_command_explains_itself(name: str, run: Callable[..., Any]) -> None:
    outcome = run(name, "--help")
    assert outcome.code == 0
    assert f"Usage: hanasolve {name}" in outcome.out
    assert "--install-completion" not in outcome.out


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["--help"], 0),
        (["--version"], 0),
        (["deal", "--help"], 0),
        (["deal", "p9v0s1"], 2),
        (["deal", "missing.json"], 2),
        (["convert", "wrong.yaml", "--to", "text"], 2),
        (["deal", "wrong.json", "--players", "3"], 2),
        (["frobnicate"], 2),
        (["variants", "zzz"], 2),
        (["deal", "p2v0s1", "--variant", "zzz"], 2),
        (["deal", "https://hanab.live/replay-json/415ab%,00,0"], 2),
    ],
)
def test_quick_answers_import_nothing_heavy(args: list[str], code: int, tmp_path: Path) -> None:
    """Heavy imports are what would make help and errors slow: 0.25 s of CPU is the limit."""
    (tmp_path / "wrong.yaml").write_text("hands: 7\n")
    (tmp_path / "wrong.json").write_text("{")
    script = (
        "import sys; from hanasolve.cli.app import main; "
        f"code = main({args!r}); print(code, [m for m in {HEAVY!r} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == f"{code} []"


def test_only_the_called_command_is_imported() -> None:
    script = (
        "import sys; from hanasolve.cli.app import main; main(['deal', 'p2v0s1']); "
        "print(sorted(m for m in sys.modules if m.startswith('hanasolve.cli.')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    texts = ["hanasolve.cli.text", "hanasolve.cli.text.deal", "hanasolve.cli.text.style"]
    names = ["hanasolve.cli.app", "hanasolve.cli.common", "hanasolve.cli.deal", *texts]
    assert done.stdout.splitlines()[-1] == str(names)


def test_a_process_of_its_own() -> None:
    done = fresh("deal", "-", "--json", stdin="p2v0s1\n")
    assert done.returncode == 0 and done.stderr == ""
    assert json.loads(done.stdout)["results"][0]["seed"] == "p2v0s1"
    wrong = fresh("deal", "p9v0s1")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("error: seed 'p9v0s1'")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    """The early check of sources leaves pipes alone: what it reads would be gone."""
    pipe = tmp_path / "decks"
    os.mkfifo(pipe)
    with subprocess.Popen(["sh", "-c", f"echo p2v0s1 > {pipe}"]):
        done = fresh("deal", str(pipe))
    assert done.returncode == 0 and "p2v0s1" not in done.stderr


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m hanasolve variants | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.split() == ["id", "name", "suits", "cards", "maximum"]


def fail_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``deal`` fail with an error."""
    from hanasolve.cli import deal

    def command() -> None:
        raise error

    monkeypatch.setattr(deal, "command", command)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (NotationError("line 3: found\n x"), 2, "error: line 3: found\\n x\n"),
        (LimitReached("between 24 and 25"), 3, "error: between 24 and 25\n"),
        (OSError(36, "File name too long", "a"), 2, "error: a: File name too long, expected a file that can be read"),
        (KeyboardInterrupt(), 130, "error: interrupted\n"),
        (ZeroDivisionError("oh"), 70, "error: hanasolve has a fault (ZeroDivisionError: oh); please report"),
        (RecursionError(), 70, "error: hanasolve has a fault (RecursionError: )"),
        (MemoryError(), 70, "error: hanasolve has a fault (MemoryError: )"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_exit_codes(
    error: BaseException, code: int, message: str, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_with(error, monkeypatch)
    outcome = run("deal")
    assert outcome.code == code
    assert outcome.err.startswith(message) and outcome.err.count("\n") == 1
    assert type(error).__name__ in run("deal", "--debug").err
    assert run("deal", "--debug").code == code


def test_quiet_silences_warnings(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    for args, warned in (((), True), (("--quiet",), False)):
        monkeypatch.setattr(sys, "stdin", io.StringIO("r1 r1 r1 r1"))
        outcome = run("deal", "-", "--players", "2", *args)
        assert ("warning: -:1: the deck is not a deck" in outcome.err) == warned
    monkeypatch.delenv("HANASOLVE_QUIET", raising=False)


def test_switches_may_stand_anywhere_before_two_hyphens(run: Callable[..., Any]) -> None:
    for args in (("--debug", "deal", "p9v0s1"), ("deal", "--debug", "p9v0s1"), ("deal", "p9v0s1", "--debug")):
        assert "Traceback" in run(*args).err
    assert "Traceback" not in run("deal", "p9v0s1", "--", "--debug").err


def test_values_of_options_are_not_taken_for_sources(run: Callable[..., Any]) -> None:
    """The early check of sources knows neither flags nor values: it leaves alone what it is not sure of."""
    assert run("deal", "--variant", "No Variant", "p2v0s1").code == 0
    assert run("deal", "--json", "p9v0s1").code == 2
    assert run("convert", "--to", "text", "p2v0s1").code == 0
    assert run("deal", "p2v0s1", "--players=2").code == 0


def test_json_is_one_object_with_schema_and_version() -> None:
    import numpy as np

    class Small(Answer):
        schema = "hanasolve.small/1"

        def record(self) -> dict[str, Any]:
            return {"score": np.int64(25), "line": np.arange(2)}

    assert json.loads(to_json(Small())) == {
        "schema": "hanasolve.small/1", "version": hanasolve.__version__, "score": 25, "line": [0, 1],
    }  # fmt: skip
