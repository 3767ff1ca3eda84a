"""``hanasolve max``: the proven best score of known decks."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from hanasolve.answers.answer import Tell
from hanasolve.answers.maxima import MaximaAnswer, decks_of, maxima
from hanasolve.answers.maximum import MaxAnswer, maximum
from hanasolve.cli.common import (
    SETTINGS,
    Jobs,
    Json,
    LimitText,
    Players,
    Sources,
    Turn,
    VariantName,
    note,
    print_answer,
    warn,
)
from hanasolve.cli.text.maximum import effort, left_open, text
from hanasolve.limits import parse_limit
from hanasolve.streams import on_terminal

Target = Annotated[
    int | None,
    typer.Option("--target", metavar="N", help="Ask only whether N can be reached (exit code 1: no)."),
]
Verify = Annotated[
    bool, typer.Option("--verify", help="Let CP-SAT, as an independent model, confirm line and bound.")
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Keep a row a deck (.parquet or .csv); resumes."),
]
Engine = Annotated[str, typer.Option("--engine", metavar="local|dask", help="Where many decks are solved.")]
Scheduler = Annotated[
    str | None, typer.Option("--scheduler", metavar="ADDRESS", help="The Dask scheduler's address.")
]


def command(
    sources: Sources, players: Players = None, variant: VariantName = None, turn: Turn = None, target: Target = None,
    limit: LimitText = None, verify: Verify = False, out: Out = None, jobs: Jobs = 1, engine: Engine = "local",
    scheduler: Scheduler = None, json: Json = False,
) -> None:  # fmt: skip
    """The best score that a known deck can reach, with a line and a proof that no line reaches more.

    This is what players with all cards in view could do: an upper bound for real play. From a game, --turn K
    asks what was still possible before the K-th action. At --limit the bracket [score, upper bound] is
    printed and the exit code is 3; of many decks each has the whole limit.
    """
    allowed = parse_limit(limit)
    decks = decks_of(sources, players, variant, sys.stdin, warn)
    answer: MaxAnswer | MaximaAnswer
    if out is None and decks.only is not None:
        with allowed.guard():
            answer = maximum(
                decks.only, target=target, limit=allowed, verify=verify, players=players, variant=variant, turn=turn,
                progress=_ticker(), warn=warn,
            )  # fmt: skip
    else:
        answer = maxima(
            decks, target=target, limit=allowed, verify=verify, players=players, variant=variant, turn=turn, out=out,
            jobs=jobs, engine=engine, scheduler=scheduler, keep_rows=json, show_progress=not SETTINGS.quiet, warn=warn,
        )  # fmt: skip
        if answer.interrupted and not answer.summary.count and not json:
            raise KeyboardInterrupt
    print_answer(answer, json, text)
    if not json and not (answer.interrupted and isinstance(answer, MaximaAnswer)):
        note(effort(answer))
    if answer.interrupted:
        raise KeyboardInterrupt
    if isinstance(answer, MaximaAnswer) and answer.settled is None:
        note(left_open(answer))
    if answer.settled is not True:
        raise typer.Exit(1 if answer.settled is False else 3)


def _ticker() -> Tell | None:
    """Progress of a long search on stderr, on a terminal only and not before two seconds have passed."""
    if SETTINGS.quiet or not on_terminal():
        return None
    began = time.monotonic()
    return lambda text: note(text) if time.monotonic() - began > 2 else None
