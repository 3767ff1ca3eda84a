"""The open choices of the H-Group convention as numbers: their places in ``setup`` and their values in TOML."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from hanasolve.errors import NotationError, nearest

LEVEL = 0
PLAY_TOLD, GOTTEN_NEW, DOUBLED_CARD, WRONG_CARD, TOLD_CARD = 1, 2, 3, 4, 5
STRIKE, THIRD_STRIKE, LOST_CHOP, CHOP_LAST, CHOP_TWO, CHOP_PLAYABLE, CHOP_OTHER = 6, 7, 8, 9, 10, 11, 12
LATER_CHOP, ROUND_PLAY, PLAY_NOW, LOW_FIRST = 13, 14, 15, 16
DISCARD_CHOP, DISCARD_TRASH, DISCARD_LOCKED, NO_PACE, LAST_TOKEN, SECOND_TOKEN = 17, 18, 19, 20, 21, 22
DOUBT, THRIFT, PLAY_MORE = 23, 24, 25

PLACES = {
    "play": PLAY_TOLD,
    "gotten": GOTTEN_NEW,
    "doubled": DOUBLED_CARD,
    "wrong": WRONG_CARD,
    "told": TOLD_CARD,
    "strike": STRIKE,
    "third_strike": THIRD_STRIKE,
    "lost_chop": LOST_CHOP,
    "chop_last": CHOP_LAST,
    "chop_two": CHOP_TWO,
    "chop_playable": CHOP_PLAYABLE,
    "chop_other": CHOP_OTHER,
    "later_chop": LATER_CHOP,
    "round_play": ROUND_PLAY,
    "play_now": PLAY_NOW,
    "low_first": LOW_FIRST,
    "discard": DISCARD_CHOP,
    "discard_trash": DISCARD_TRASH,
    "discard_locked": DISCARD_LOCKED,
    "no_pace": NO_PACE,
    "last_token": LAST_TOKEN,
    "second_token": SECOND_TOKEN,
    "doubt": DOUBT,
    "thrift": THRIFT,
    "play_more": PLAY_MORE,
}
"""Name in TOML -> place in ``setup``."""

MODULE = "hgroup.player"
LEVELS = {"hgroup1": 1, "hgroup2": 2, "hgroup3": 3}
_FILE = Path(__file__).with_name("hgroup.toml")


@cache
def _defaults() -> dict[str, dict[str, float]]:
    content: dict[str, dict[str, float]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return content


def setup_of(name: str, changes: dict[str, float] | None = None) -> tuple[float, ...]:
    """The ``setup`` of ``hgroup1`` to ``hgroup3``, with other values for the weights that ``changes`` names."""
    weights = _defaults()["weights"] | _defaults()[name] | (changes or {})
    setup = [0.0] * (len(PLACES) + 1)
    setup[LEVEL] = float(LEVELS[name])
    for key, place in PLACES.items():
        setup[place] = float(weights[key])
    return tuple(setup)


def checked_weights(weights: dict[str, Any], where: str) -> dict[str, float]:
    """The weights of a user's file; NotationError names the key that is wrong."""
    for key, value in weights.items():
        if key not in PLACES:
            close = ", ".join(nearest(key, list(PLACES))) or ", ".join(PLACES)
            raise NotationError(f"{where}.{key}: unknown weight; nearest: {close}")
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= 1000:
            raise NotationError(f"{where}.{key}: found {value!r}, expected a number from -1000 to 1000")
    return {key: float(value) for key, value in weights.items()}
