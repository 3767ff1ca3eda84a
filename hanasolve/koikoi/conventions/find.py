"""From a name to a strategy: ``progress+t7h5`` (a card part and a koi-koi part), or a user's own class.

A user's file defines a class with ``play(view) -> (card, taken)``, ``match(view) -> taken`` and
``call(view) -> bool`` (cards are ids, ``taken`` a set as in ``cards.mask``); it is named ``FILE.py:CLASS``.
"""

from __future__ import annotations

import importlib.util
import inspect
import re
from pathlib import Path
from typing import Any, cast

import numpy as np

from hanasolve.errors import HanasolveError, NotationError, nearest
from hanasolve.koikoi.conventions import heuristic as h
from hanasolve.koikoi.conventions.sampled import SampledPlayer
from hanasolve.koikoi.conventions.strategy import Player, Strategy

CARD_PARTS = ("random", "greedy", "progress", "pimcK", "flatK", "uctK")
CALL_PARTS = ("stop", "always", "tXhY", "pimcK")
_THRESHOLD = re.compile(r"t(\d+)h(\d+)")
_SAMPLED = re.compile(r"(pimc|flat|uct)([1-9]\d*)")


def parse_strategy(text: str) -> Strategy:
    """Read ``cards+call`` or ``FILE.py:CLASS``. Raises NotationError with the names there are."""
    if ".py:" in text:
        return _users_own(text)
    card_part, plus, call_part = text.strip().partition("+")
    if not plus:
        raise NotationError(
            f'strategy "{text}": expected card part + koi-koi part, for instance progress+t7h5'
        )
    record = np.zeros(1, h.STRATEGY)[0]
    known = {"random": h.RANDOM, "greedy": h.GREEDY, "progress": h.PROGRESS}
    sampled = _SAMPLED.fullmatch(card_part)
    if card_part not in known and not sampled:
        raise _unknown(text, card_part, "card part", CARD_PARTS)
    record["cards"] = known.get(card_part, h.OTHER_CARDS)
    call_worlds = _read_call(text, call_part, record)
    if not sampled and not call_worlds:
        return Strategy(text, record, None)
    kind, worlds = (sampled[1], int(sampled[2])) if sampled else ("", 0)
    return Strategy(text, record, SampledPlayer(kind, worlds, call_worlds))


def _read_call(text: str, call_part: str, record: Any) -> int:
    """Set the koi-koi part; the number of worlds if it is pimcK, else 0."""
    threshold, sampled = _THRESHOLD.fullmatch(call_part), _SAMPLED.fullmatch(call_part)
    if call_part in ("stop", "always"):
        record["call"] = h.STOP if call_part == "stop" else h.ALWAYS
    elif threshold:
        record["call"] = h.THRESHOLD
        record["points_below"], record["hand_least"] = int(threshold[1]), int(threshold[2])
    elif sampled and sampled[1] == "pimc":
        record["call"] = h.OTHER_CALLS
        return int(sampled[2])
    else:
        raise _unknown(text, call_part, "koi-koi part", CALL_PARTS)
    return 0


def _unknown(text: str, part: str, what: str, known: tuple[str, ...]) -> NotationError:
    near = nearest(part, list(known), 1)
    hint = f"; nearest: {near[0]}" if near else ""
    return NotationError(f'strategy "{text}": {what} "{part}" is unknown; there are {", ".join(known)}{hint}')


def _users_own(text: str) -> Strategy:
    path_text, _, name = text.rpartition(":")
    path = Path(path_text)
    if not path.is_file():
        raise NotationError(f'strategy "{text}": there is no file {path_text}')
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise HanasolveError(f'strategy "{text}": {path_text} cannot be loaded: {error}') from error
    wanted = getattr(module, name, None)
    if not inspect.isclass(wanted):
        raise NotationError(f'strategy "{text}": {path_text} defines no class {name}')
    missing = [part for part in ("play", "match", "call") if not callable(getattr(wanted, part, None))]
    if missing:
        raise NotationError(f'strategy "{text}": class {name} lacks the method {", ".join(missing)}')
    record = np.zeros(1, h.STRATEGY)[0]
    record["cards"], record["call"] = h.OTHER_CARDS, h.OTHER_CALLS
    return Strategy(text, record, cast(Player, wanted()))
