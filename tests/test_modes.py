"""A question has the same answer whether its kernels run as plain Python or compiled: bytes, exit codes, states.

The families: known decks, open hands near the end, deduction with and without readings, reviews, Koi-Koi, and
whole games of every convention.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCENARIOS = sorted(path.relative_to(ROOT) for path in (ROOT / "scenarios").glob("*.yaml"))
GAME = "scenarios/game-smart-p3v0s2.json"
_TIMES = re.compile(r'"(seconds\w*|\w*per_second)": [\d.e+-]+|[\d.]+ s of CPU|[\d.]+ s$', re.MULTILINE)

# Each runs in one process, command after command, so that a mode is compiled or read once.
SCRIPT = """
import contextlib, io, sys
from hanasolve.cli.app import main
for line in sys.stdin.read().splitlines():
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(line.split("\\t"))
    print("=", line, code, out.getvalue(), err.getvalue(), sep="\\n")
"""


def answers(commands: list[list[str]], mode: str) -> str:
    """What the commands print, one after the other, in one process of this mode; times are taken out."""
    env = {**os.environ, "HANASOLVE_JIT": mode, "HANASOLVE_QUIET": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", SCRIPT],
        input="\n".join("\t".join(command) for command in commands),
        cwd=ROOT, env=env, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return _TIMES.sub("TIME", done.stdout)


def near_the_end(path: Path) -> bool:
    return path.name.startswith(("puzzle-", "max-"))


FAMILIES = {
    "known decks": [["max", f"p{2 + seed % 4}v0s{seed}", "--json"] for seed in range(1, 13)],
    "a lost deck": [["max", "p2v0s220", "--json"], ["max", "p2v0s242"]],
    "a bound of states": [["max", "p2v0s220", "--limit", f"{most}nodes", "--json"] for most in (1, 50, 300, 1000)],
    "deduction": [["deduce", str(path), "--json"] for path in SCENARIOS],
    "readings": [["deduce", GAME, "--turn", turn, "--convention", "hgroup3"] for turn in ("12", "31")],
    "open hands": [["analyze", str(path), "--json"] for path in SCENARIOS if near_the_end(path)],
    "other positions": [["max", str(path)] for path in SCENARIOS if path.name.startswith("max-")],
    "a review": [["review", GAME, "--open-states", "300", "--json"]],
    "koi-koi": [
        ["koikoi", "score", "1b 3b 8b 9a 1r 2r 3r", "--json"],
        ["koikoi", "max", "--seed", "7", "--json"],
        ["koikoi", "compare", "progress+t7h5", "random+stop", "greedy+stop", "--pairs", "2", "--json"],
    ],
}


@pytest.mark.parametrize("family", FAMILIES)
def test_same_bytes(family: str) -> None:
    commands = FAMILIES[family]
    plain = answers(commands, "interpreted")
    assert plain == answers(commands, "compiled")
    assert plain.count("\n=\n") + plain.startswith("=\n") == len(commands)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "random-legal", "blind", "cheat", "cheat-q", "simple", "value", "holmes", "smart", "internal", "outer", "iggi",
        "piers", "flawed", "van-den-bergh", "info", "cox-recommendation", "cox-information", "hat", "hgroup3",
    ],
)  # fmt: skip
def test_same_games(name: str) -> None:
    """Two games at the largest table that a convention knows."""
    players = "5" if name not in ("hgroup3",) else "3"
    code = (
        "from hanasolve.hanabi.play.simulator import play_games\n"
        f"print(play_games({name!r}, ['p{players}v0s1', 'p{players}v0s2'], {players}).tolist())"
    )

    def games(mode: str) -> str:
        env = {**os.environ, "HANASOLVE_JIT": mode, "HANASOLVE_QUIET": "1"}
        words = [sys.executable, "-W", "error::RuntimeWarning", "-c", code]
        return subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout

    assert games("interpreted") == games("compiled")
