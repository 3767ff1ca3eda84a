"""``hanasolve deduce``: what every card can be, and how likely, in three views (``docs/deduction.md``)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from hanasolve.answers.deduce import deduce
from hanasolve.cli.common import Json, Player, Players, Source, Turn, VariantName, print_answer, read_one, warn


class ViewName(StrEnum):
    """What ``--view`` can be."""

    holder = "holder"
    empathy = "empathy"
    common = "common"


OneView = Annotated[
    ViewName | None,
    typer.Option(
        "--view",
        help="holder: what a card's holder can exclude; empathy: what --player knows that the holder can "
        "exclude; common: common knowledge. Without it the text shows --player's own hand as its holder and "
        "the others by empathy; JSON has all three.",
        show_default=False,
    ),
]
Why = Annotated[
    str | None,
    typer.Option(
        "--why",
        metavar="CARD",
        help="Why this card can be nothing else: order=14 (place in the deck), or slot=2 of --player's hand.",
    ),
]
ConventionName = Annotated[
    str | None,
    typer.Option(
        "--convention",
        metavar="NAME",
        help="Also what the clues mean under hgroup1, hgroup2, hgroup3 or a TOML file based on one: the inferred set "
        "of each card and the reason. For games, not single positions.",
        show_default=False,
    ),
]


def command(
    source: Source,
    turn: Turn = None,
    player: Player = None,
    view: OneView = None,
    why: Why = None,
    convention: ConventionName = None,
    players: Players = None,
    variant: VariantName = None,
    json: Json = False,
) -> None:
    """Show what every card can be, and how likely, by exact counting.

    --player is who asks: the player to move if it is not given, or the player whose hand the file hides. His
    own cards stay hidden. Clues are facts here; why they were given is considered with --convention only.
    """
    item = read_one(source, players, variant)
    kind = None if view is None else view.value
    answer = deduce(item, turn=turn, player=player, view=kind, why=why, convention=convention, warn=warn)
    from hanasolve.cli.text.deduce import text

    print_answer(answer, json, text)
