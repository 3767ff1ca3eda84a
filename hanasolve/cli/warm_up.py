"""``hanasolve warm-up``: compile ahead what long questions need."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Annotated

import typer

from hanasolve.errors import HanasolveError, NotationError, nearest

# hanasolve's own line for p2v0s1
_GAME = (
    "https://hanab.live/replay-json/215txrdkrpalnbqlubap-hiainvwudogufjfmewgp-mhsfcsckqkxyv,02aeah-akagamala"
    "canaofabqaf-fbbifbbpibawbtaxabfa-byfabdiab2iaa3bja1ar-a6ava0aua4iabsiaaDb5-aaaFfbazb8a7fbb9fbbB-fbaM,0"
)
_HIDDEN = ["--player", "Alice", "--rollouts", "100", "--convention"]
# For each command questions that call all its kernels, each for as short a time as it can.
QUESTIONS: dict[str, list[list[str]]] = {
    "max": [["max", "p2v0s220"], ["max", "p2v0s242"]],
    "analyze": [
        ["analyze", _GAME, "--turn", "50", *_HIDDEN, "smart"],
        ["analyze", _GAME, "--turn", "50", *_HIDDEN, "info", "--method", "hidden-rollouts"],
    ],
    "review": [
        ["review", _GAME, "--open-states", "2000"],
        ["review", _GAME, "--open-states", "0", "--convention", "smart", "--rollouts", "10"],
    ],
    "compare": [
        ["compare", "simple", "value", "holmes", "cheat", "cheat-q", "random-legal", "blind", "--games", "4"],
        ["compare", "smart", "info", "iggi", "--games", "4"],
        ["compare", "cox-recommendation", "cox-information", "hat", "--players", "5", "--games", "4"],
    ],
    "h-group": [["compare", "hgroup3", "--games", "4"], ["analyze", _GAME, "--turn", "50", *_HIDDEN, "hgroup1"]],
    "koikoi": [["koikoi", "max", "--seed", "1"], ["koikoi", "compare", "progress+t7h5", "random+stop", "--pairs", "1"]],
}

Commands = Annotated[
    list[str] | None,
    typer.Argument(metavar="[COMMAND]...", help=f"{', '.join(QUESTIONS)}; all of them if none is named."),
]


def command(commands: Commands = None) -> None:
    """Compile what long questions need, on all cores; later commands find it.

    Small questions need nothing of it: they are answered by plain Python. What is compiled when Ctrl-C comes
    stays compiled.
    """
    names = commands or list(QUESTIONS)
    for name in names:
        if name not in QUESTIONS:
            close = nearest(name, list(QUESTIONS), 1)
            hint = f"; nearest: {close[0]}" if close else ""
            raise NotationError(f"COMMAND: found {name!r}, expected {', '.join(QUESTIONS)}{hint}")
    questions = [question for name in names for question in QUESTIONS[name]]
    running: list[subprocess.Popen[str]] = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        try:
            _all(pool, questions, running)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in running:
                process.kill()
            raise
    print(f"compiled for {', '.join(names)}")


def _all(pool: ThreadPoolExecutor, questions: list[list[str]], running: list[subprocess.Popen[str]]) -> None:
    from hanasolve.batch.progress import Progress

    with Progress("compiling", len(questions), None) as bar:
        for done in as_completed([pool.submit(_ask, question, running) for question in questions]):
            done.result()
            bar.advance(1)


def _ask(question: list[str], running: list[subprocess.Popen[str]]) -> None:
    """Put a question to a process of its own, compiled from the start; the answer is of no interest."""
    process = subprocess.Popen(
        [sys.executable, "-m", "hanasolve", *question],
        env={**os.environ, "HANASOLVE_JIT": "compiled", "HANASOLVE_QUIET": "1"},
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    running.append(process)
    _, said = process.communicate()
    if process.returncode not in (0, 3):
        raise HanasolveError(f"`hanasolve {' '.join(question)}` failed: {said.strip() or process.returncode}")
