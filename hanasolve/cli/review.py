"""``hanasolve review``: a whole game, turn by turn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hanasolve.answers.review import review
from hanasolve.cli.common import (
    Json,
    LimitText,
    Players,
    RandomSeed,
    Source,
    VariantName,
    note,
    print_answer,
    read_one,
    warn,
)
from hanasolve.cli.progress import ShownProgress
from hanasolve.cli.text.review import text
from hanasolve.errors import NotationError
from hanasolve.limits import parse_limit

Agree = Annotated[
    str | None,
    typer.Option(
        "--agreement", metavar="NAMES",
        help="How often these conventions (comma between them; all) would have made the same move.",
    ),
]  # fmt: skip
ConventionName = Annotated[
    str | None,
    typer.Option(
        "--convention", metavar="NAME",
        help="Judge every move by what its player could know, everybody on this convention afterwards.",
    ),
]  # fmt: skip
Rollouts = Annotated[int, typer.Option("--rollouts", metavar="N", help="With --convention: games a turn.")]
OpenStates = Annotated[
    int,
    typer.Option(
        "--open-states", metavar="N",
        help="Open-hands chances from the end back to the first turn that takes more states (0 = none).",
    ),
]  # fmt: skip
States = Annotated[
    int,
    typer.Option(
        "--states", metavar="N",
        help="Known deck: states for one question before its answer is left open (0 = until it is proven).",
    ),
]  # fmt: skip
Html = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Also write a page that opens offline.")]


def command(
    source: Source,
    players: Players = None,
    variant: VariantName = None,
    convention: ConventionName = None,
    rollouts: Rollouts = 2_000,
    seed: RandomSeed = 0,
    open_states: OpenStates = 100_000,
    states: States = 300_000,
    agreement: Agree = None,
    html: Html = None,
    limit: LimitText = None,
    json: Json = False,
) -> None:
    """A game turn by turn: the proven maximum before and after each action, and where it was lost.

    This is hindsight: the deck is known, as it was to nobody at the table. With --convention every move is
    judged, and graded, by what its player could know. At --limit, and on Ctrl-C, what is done is printed; the
    exit code is then 3, or 130.
    """
    allowed = parse_limit(limit)
    check_writable(html)
    with allowed.guard(), ShownProgress() as progress:
        answer = review(
            read_one(source, players, variant), convention=convention, rollouts=rollouts, seed=seed,
            open_states=open_states, states=states, agreement=agreement, limit=allowed,
            progress=progress, warn=warn,
        )  # fmt: skip
    if html is not None:
        from hanasolve.report.review_page import review_page

        write_page(html, review_page(answer))
    print_answer(answer, json, text)
    if (stopped := answer.found.stopped) is not None:
        note(f"{len(answer.found.turns)} turns are done on the known deck; stopped: {stopped}")
        raise typer.Exit(130 if answer.found.interrupted else 3)


def check_writable(path: Path | None) -> None:
    """Refuse a page that cannot be written before the work, not after it."""
    if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
        raise NotationError(f"--html: found {path}, expected a file in a folder that exists")


def write_page(path: Path, page: str) -> None:
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise NotationError(f"--html: {path} cannot be written: {error.strerror}") from error
    note(f"page: {path}")
