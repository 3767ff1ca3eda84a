"""The shape of a position file as a pydantic model, and the JSON Schema that is published from it.

The reader checks files against the published schema (``schema.py``), so that a wrong file is refused without
loading pydantic; a test keeps the schema up to date and compares the two. A description doubles as the
"expected …" of error messages.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

# Written out, because a description is shown with each place where the value may stand.
_CARD = "a card's name such as r4, ? if it is not known, or a mapping {card: r4, told: [red, not 3]}"
_CARDS = "cards such as r4, in a list or in one text"

Name = Annotated[str, Field(min_length=1, description="a player's name")]
CardName = Annotated[str, Field(pattern=r"^\s*(\?|\w{2})\s*$", description="a card's name such as r4, or ?")]
Clue = Annotated[
    str | int, Field(description="a clue: a colour or a number, with `not` before it if it missed")
]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Card(_Strict):
    """A card in a hand with what it was told."""

    card: CardName = "?"
    told: Annotated[
        list[Clue],
        Field(description="clues that touched the card (red, 3) or missed it (not red), in a list"),
    ] = []


HandCard = Annotated[CardName | Card, Field(description=_CARD)]
Hand = Annotated[
    list[HandCard] | str,
    Field(description="the cards of a hand, slot 1 (the newest) first, in a list or in one text"),
]
Stack = Annotated[
    Annotated[int, Field(ge=0, le=7)] | list[CardName] | str,
    Field(description="how many cards lie on the firework, or those cards in building order"),
]


class PositionFile(_Strict):
    """A situation of a game of Hanabi. Hands are given with slot 1, the newest card, first."""

    model_config = ConfigDict(extra="forbid", strict=True, title="Position of a game of Hanabi")

    variant: Annotated[str | int, Field(description="the name of a variant, or its number on hanab.live")] = (
        "No Variant"
    )
    players: Annotated[
        Annotated[int, Field(ge=2, le=6)] | Annotated[list[Name], Field(min_length=2, max_length=6)] | None,
        Field(description="2 to 6 players: their names by seat in a list, or how many there are"),
    ] = None
    to_move: Annotated[
        str | int, Field(description="whose turn it is: a name, or a seat (0 = the first)")
    ] = 0
    turn: Annotated[
        int, Field(ge=1, le=999, description="which turn of the game comes next, from 1")
    ] = 1
    fireworks: Annotated[
        dict[str, Stack], Field(description="a mapping from suits to cards placed, e.g. {r: 3, y: 5}")
    ] = {}
    discards: Annotated[
        list[CardName] | str,
        Field(description=_CARDS + "; or the word rest: every card that is nowhere else"),
    ] = []
    clues: Annotated[
        Annotated[float, Field(ge=0)] | None,
        Field(description="the clue tokens that are available; halves only in Clue Starved"),
    ] = None
    strikes: Annotated[int, Field(ge=0, description="how many strikes there are")] = 0
    hands: Annotated[
        dict[str, Hand] | list[Hand],
        Field(description="a mapping from players to their hands, or a list of hands by seat"),
    ]
    deck: Annotated[
        Annotated[int, Field(ge=0, le=80)] | list[CardName] | str | None,
        Field(description=_CARDS + ", the next card first; or how many cards are left"),
    ] = None
    turns_left: Annotated[
        Annotated[int, Field(ge=1)] | None,
        Field(description="turns still to come in the last round, once the deck is empty"),
    ] = None
    options: Annotated[
        dict[str, Any], Field(description="a mapping of table options, e.g. {strikes_max: 1}")
    ] = {}


def schema_text() -> str:
    """The published JSON Schema (draft 2020-12) of a position file."""
    schema = PositionFile.model_json_schema()
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
