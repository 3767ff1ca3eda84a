"""The built-in conventions, each with a paragraph and its source, in the order in which they are listed."""

from __future__ import annotations

from hanasolve.hanabi.conventions.base import Convention

_QUUX = "Arthur O'Dwyer, github.com/Quuxplusone/Hanabi (2012-)"
_WU = "Jeff Wu, github.com/WuTheFWasThat/hanabi.rs (2016-)"

CATALOGUE: tuple[Convention, ...] = (
    Convention(
        "random-legal",
        "Every distinct legal action with the same chance: the floor of any comparison.",
        "baseline",
        "random_legal",
        deterministic=False,
        shared=True,
        plain_suits=False,
    ),
    Convention(
        "blind",
        "Plays a random card of its own hand every turn, up to the third strike.",
        f"{_QUUX}, BlindBot",
        "blind",
        deterministic=False,
        shared=True,
        plain_suits=False,
    ),
    Convention(
        "cheat",
        "Every player knows all hands, his own included, but not the deck: what perfect communication would "
        "reach. Plays the lowest playable card, discards what others hold too, clues to pass the time.",
        f"{_WU}, cheating strategy",
        "cheat",
        open_hands=True,
        shared=True,
    ),
    Convention(
        "simple",
        "Every touched card is playable, and a clue says nothing else: a colour means the next number of the "
        "suit, a number means playable. Cards are discarded oldest first.",
        f"{_QUUX}, SimpleBot",
        "simple",
        shared=True,
    ),
    Convention(
        "value",
        "As simple, but a number clue that touches the card a player would discard next, and could be a last "
        "copy, warns him: it is kept, and the clue says nothing about playing.",
        f"{_QUUX}, ValueBot",
        "value",
        shared=True,
    ),
    Convention(
        "holmes",
        "As value, with what clues exclude and what elimination leaves; plays unknown cards at the end of the "
        "deck.",
        f"{_QUUX}, HolmesBot",
        "holmes",
        shared=True,
    ),
    Convention(
        "smart",
        "One card a clue: the newest touched card that may be playable is, unless the clue shows another to be. "
        "Warnings as in value, but also silence speaks: what was not warned of is not valuable. A discard of a "
        "known playable card says that somebody has just drawn the other copy.",
        f"{_QUUX}, SmartBot",
        "smart",
        shared=True,
    ),
)
