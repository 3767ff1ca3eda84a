"""Shared by all tests: quiet kernels, hypothesis without deadlines, the command line as a function.

Every JSON object that a command prints is checked against its schema in ``docs/schemas``.

Hypothesis draws new examples at every run here, and the same ones at every run of ``.ci/run`` (``CI`` is set).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from hanasolve import limits

os.environ.setdefault("HANASOLVE_QUIET", "1")
limits._GRACE = 60.0  # a limit ends the process only where a test starts one of its own

settings.register_profile(
    "hanasolve",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("hanasolve")


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """SIGINT as in a terminal, here and in the processes that the test starts, however the tests were started.

    In the background of a script it is ignored, and what a process ignores its children ignore.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@dataclass(frozen=True)
class Outcome:
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str


def pytest_sessionstart(session: pytest.Session) -> None:
    """Before workers start, compile in processes of their own: one that compiles keeps a gigabyte to its end."""
    if getattr(session.config.option, "numprocesses", None) and not hasattr(session.config, "workerinput"):
        subprocess.run([sys.executable, "-m", "hanasolve", "warm-up"], check=False, stdin=subprocess.DEVNULL)


SCHEMAS = Path(__file__).parents[1] / "docs" / "schemas"


def schema_file(name: str) -> Path:
    """Where a record is described: ``hanasolve.max/1`` in ``max-1.json``."""
    return SCHEMAS / f"{name.removeprefix('hanasolve.').replace('/', '-')}.json"


@cache
def validator(name: str) -> Any:
    """The checker of a record."""
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(schema_file(name).read_text(encoding="utf-8")))


def check_record(text: str) -> None:
    """Fail with the path of what the schema does not allow, where a printed text is a record."""
    if text.startswith('{"schema": ') and text.count("\n") == 1:
        record = json.loads(text)
        found = validator(record["schema"]).iter_errors(record)
        faults = [f"{fault.json_path}: {fault.message[:300]}" for fault in found]
        assert not faults, f"{record['schema']}: {faults[:5]}"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Call the command line in this process: ``run("deal", "p3v0s17")``."""
    from hanasolve.cli.app import main

    def call(*args: str) -> Outcome:
        capsys.readouterr()
        code = main(list(args))
        printed = capsys.readouterr()
        if "--json" in args:
            check_record(printed.out)
        return Outcome(code, printed.out, printed.err)

    return call
