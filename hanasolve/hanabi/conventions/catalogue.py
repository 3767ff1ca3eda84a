"""The built-in conventions, each with a paragraph and its source, in the order in which they are listed."""

from __future__ import annotations

from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.conventions.players.hgroup.parameters import setup_of as hgroup_setup
from hanasolve.hanabi.conventions.rule_names import LISTS, setup_of

_QUUX = "Arthur O'Dwyer, github.com/Quuxplusone/Hanabi (2012-)"
_WU = "Jeff Wu, github.com/WuTheFWasThat/hanabi.rs (2016-)"

_COX = 'Cox and others, "How to Make the Perfect Fireworks Display", Mathematics Magazine 88 (2015)'
_FOSS = "as in github.com/fossgalaxy/hanabi"


def _rules(name: str, about: str, source: str) -> Convention:
    order = ", ".join(rule.name for rule in LISTS[name])
    return Convention(
        name,
        f"{about} Rules in order: {order}.",
        source,
        "rule_list",
        deterministic=False,
        shared=True,
        setup=setup_of(LISTS[name]),
    )


def _hgroup(level: int, about: str) -> Convention:
    return Convention(
        f"hgroup{level}",
        about,
        f"hanabi.github.io, level {level}; choices of our own: docs/h-group.md",
        "hgroup.player",
        players=(2, 3, 4, 5),
        shared=True,
        setup=hgroup_setup(f"hgroup{level}"),
    )


_CATALOGUE: tuple[Convention, ...] = (
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
        "cheat-q",
        "As cheat, by another author: plays the card that lets the next possible player go on, and "
        "throws away "
        "worthless cards by playing them when all tokens are there.",
        f"{_QUUX}, CheatBot",
        "cheat_q",
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
        "As value, with what clues exclude and what elimination leaves; plays unknown cards at the end "
        "of the "
        "deck.",
        f"{_QUUX}, HolmesBot",
        "holmes",
        shared=True,
    ),
    Convention(
        "smart",
        "One card a clue: the newest touched card that may be playable is, unless the clue shows "
        "another to be. "
        "Warnings as in value, but also silence speaks: what was not warned of is not valuable. A "
        "discard of a "
        "known playable card says that somebody has just drawn the other copy.",
        f"{_QUUX}, SmartBot",
        "smart",
        shared=True,
    ),
    _rules(
        "internal",
        "Remembers its own clue marks; clues what plays, without asking what is known.",
        f"Osawa 2015, internal state; {_FOSS}",
    ),
    _rules(
        "outer",
        "As internal, and it asks what the other already knows before it clues.",
        f"Osawa 2015, outer state; {_FOSS}",
    ),
    _rules(
        "self-recognition",
        "Plays and discards only what is fully known (the repository's approximation of Osawa's player).",
        f"Osawa 2015, self-recognition; {_FOSS}",
    ),
    _rules(
        "cautious",
        "Never plays what might fail; clues anybody's playable cards.",
        f"Walton-Rivers and others 2017; {_FOSS}",
    ),
    _rules(
        "iggi",
        "Cautious, but discards its oldest card instead of any.",
        f"Walton-Rivers and others 2017; {_FOSS}",
    ),
    _rules(
        "piers",
        "IGGI that risks cards playable with 60 % while it has strikes, and plays anything when the "
        "deck is empty.",
        f"Walton-Rivers and others 2017; {_FOSS}",
    ),
    _rules(
        "flawed",
        "Risks every card playable with 25 % and clues at random: loses by strikes.",
        f"Walton-Rivers and others 2017; {_FOSS}",
    ),
    _rules(
        "van-den-bergh",
        "The best of an optimised family of rules: risks 60 %, discards what is surely useless, clues "
        "what plays, "
        "else the clue that tells most, else discards what is most likely useless.",
        f"van den Bergh and others 2015/16; {_FOSS}",
    ),
    Convention(
        "info",
        "The general information strategy: each clue is a number that tells all other players at once "
        "about their "
        "hands, through questions that depend on public knowledge only; so is the choice of a discard.",
        f"{_WU}, information strategy",
        "info",
        players=(2, 3, 4, 5),
        shared=True,
    ),
    Convention(
        "cox-recommendation",
        "A clue recommends an action to all four others at once: the sum of their actions modulo 8. "
        "Recommended "
        "plays are followed while nothing, or one card, has been played since. For five players.",
        f"{_COX}, recommendation strategy",
        "cox_recommendation",
        players=(5,),
        shared=True,
    ),
    Convention(
        "cox-information",
        "A clue tells all four others at once in which of eight classes their likeliest playable card "
        "lies. For "
        "five players.",
        f"{_COX}, information strategy",
        "cox_information",
        players=(5,),
        shared=True,
    ),
    Convention(
        "hat",
        "A clue tells all others at once what to do: the sum of their actions modulo 9. The first who has nothing "
        "left to play gets an action that the giver chooses, the others what their hands say by themselves. For "
        "four or five players with four cards.",
        "Floris van Doorn, github.com/fpvandoorn/hanabi (2018-), hat player",
        "hat",
        players=(4, 5),
    ),
    _hgroup(
        1,
        "The H-Group convention, level 1: chop and focus, save and play clues, good touch, prompts and finesses of "
        "one card by a player who acts before the receiver.",
    ),
    _hgroup(
        2,
        "The H-Group convention, level 2: level 1 with the 5 stall, prompts and finesses of several cards, also of "
        "players after the receiver (reverse) and of the receiver himself.",
    ),
    _hgroup(
        3,
        "The H-Group convention, level 3: level 2 with the order of 1s and the sarcastic discard.",
    ),
)

BUILT_IN = {convention.name: convention for convention in _CATALOGUE}
"""The built-in conventions by name, in the order in which they are listed."""
