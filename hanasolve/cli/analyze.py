"""``hanasolve analyze``: the value of every legal move of one position."""

from __future__ import annotations

from typing import Annotated

import typer

from hanasolve.answers.analyze import analyze, unanswered
from hanasolve.answers.answer import to_json
from hanasolve.cli.common import (
    Json,
    LimitText,
    Player,
    Players,
    RandomSeed,
    Source,
    Turn,
    VariantName,
    note,
    print_answer,
    read_one,
    warn,
)
from hanasolve.cli.progress import ShownProgress
from hanasolve.errors import Interrupted, LimitReached
from hanasolve.limits import CTRL_C, parse_limit

Method = Annotated[
    str | None,
    typer.Option(
        "--method",
        metavar="NAME",
        help="known-deck, open-hands, open-hands-sampled, hidden, hidden-exact or hidden-rollouts; "
        "the strongest possible if left out.",
    ),
]
Goal = Annotated[
    str, typer.Option("--goal", metavar="win|score", help="Rank by the chance of the maximum, or by the score.")
]
ConventionName = Annotated[
    str | None,
    typer.Option("--convention", metavar="NAME", help="Hidden hands: what everybody plays (smart if left out)."),
]
Rollouts = Annotated[
    int | None,
    typer.Option(
        "--rollouts",
        metavar="N",
        help="Hidden hands: games over all moves together (10000). Open hands, sampled: orders of the deck (200).",
    ),
]
Partners = Annotated[
    str | None,
    typer.Option(
        "--partners",
        metavar="convention|optimal",
        help="Hidden hands, exact: partners follow the convention, or reply as with open hands.",
    ),
]
MaxWorlds = Annotated[
    int, typer.Option("--max-worlds", metavar="N", help="Hidden hands: exact values up to so many worlds.")
]
Confirm = Annotated[
    bool, typer.Option("--confirm/--no-confirm", help="Play the best two moves again on fresh deals.")
]


def command(
    source: Source,
    players: Players = None,
    variant: VariantName = None,
    turn: Turn = None,
    player: Player = None,
    convention: ConventionName = None,
    method: Method = None,
    goal: Goal = "win",
    rollouts: Rollouts = None,
    seed: RandomSeed = 0,
    confirm: Confirm = True,
    partners: Partners = None,
    max_worlds: MaxWorlds = 4_096,
    limit: LimitText = None,
    json: Json = False,
) -> None:
    """The value of every legal move, by the strongest method that the position allows.

    Known deck (a seed, a game, a position with its deck): the proven best score after each move. Open hands
    with an unknown deck order: the exact chance of the maximum and the exact expected score, or where that takes
    too long the mean over drawn orders, each solved as if known (too high, the label says so). Hidden hands
    (--convention, --player, or a hand with ? in the file): exact values of the player's best plan where few
    worlds are possible, else games played on with a convention from deals that he must hold possible. A win
    is measured against the maximum before the move. At --limit the exit code is 3.
    """
    allowed = parse_limit(limit)
    with allowed.guard():
        item = read_one(source, players, variant)
    try:
        with allowed.guard(), ShownProgress() as progress:
            answer = analyze(
                item, turn=turn, player=player, method=method, goal=goal, convention=convention, partners=partners,
                rollouts=rollouts, seed=seed, confirm=confirm, max_worlds=max_worlds, limit=allowed,
                progress=progress, warn=warn,
            )  # fmt: skip
    except (LimitReached, Interrupted) as stop:
        if json:  # the error says what is proven; whoever reads JSON finds it there
            print(to_json(unanswered(item, turn, str(stop))))
        raise
    from hanasolve.cli.text.analyze import text

    print_answer(answer, json, text)
    if answer.stopped:
        note(f"note: stopped by {answer.stopped}: these are the values so far")
        raise typer.Exit(130 if answer.stopped == CTRL_C else 3)
