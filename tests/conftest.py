"""Shared by all tests: quiet kernels, hypothesis without deadlines, the command line as a function.

Hypothesis draws new examples at every run here, and the same ones at every run of ``.ci/run`` (``CI`` is set).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("HANASOLVE_QUIET", "1")

settings.register_profile(
    "hanasolve",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("hanasolve")


@dataclass(frozen=True)
class Outcome:
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Call the command line in this process: ``run("deal", "p3v0s17")``."""
    from hanasolve.cli.app import main

    def call(*args: str) -> Outcome:
        capsys.readouterr()
        code = main(list(args))
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return call
