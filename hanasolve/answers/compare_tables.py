"""Which tables and games a comparison is about: variant, numbers of players, seeds, rules."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from hanasolve.errors import NotationError
from hanasolve.hanabi.game.deck import MAX_RANGE, is_seed, parse_seed
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.variants import NO_VARIANT, Variant, load_variant

RULES = ("strikes_max", "discard_at_max", "empty_clues", "clues_max", "hand_size", "stop_when_dead")
_GAMES = 1000
_MAX_GAMES = 10_000


@dataclass(frozen=True)
class Tables:
    """``counts``: numbers of players; ``first``, ``last``: counters of the seeds."""

    variant: Variant
    counts: tuple[int, ...]
    first: int
    last: int


def tables(players: int | str | None, variant: str | None, span: tuple[str, str, str]) -> Tables:
    """The tables of ``players`` (3, ``2-5``; None: those of the seeds) and the seeds of a ``span``."""
    low, high, option = span
    ends = [parse_seed(text) if is_seed(text) else None for text in (low, high)]
    whole = [end for end in ends if end is not None]
    kind = load_variant(variant if variant is not None else whole[0].variant_id if whole else NO_VARIANT)
    counts = _counts(str(players)) if players is not None else (whole[0].players if whole else 3,)
    for seed in whole:
        if (seed.players,) != counts or seed.variant_id != max(kind.id, 0):
            raise NotationError(
                f"{option}: found {seed.text}, expected seeds of {players or counts[0]} players and "
                f"variant {max(kind.id, 0)}; a range of numbers such as 1..500 fits every table"
            )
    texts = [seed.suffix if seed else text for seed, text in zip(ends, (low, high), strict=True)]
    for text in texts:
        if re.fullmatch("[1-9][0-9]{0,17}", text.removeprefix("s"), re.ASCII) is None:
            raise NotationError(f"{option}: found {text!r}, expected a number from 1")
    first, last = (int(text.removeprefix("s")) for text in texts)
    if last < first or last - first >= MAX_RANGE:
        raise NotationError(f"{option}: found {first}..{last}, expected 1 to {MAX_RANGE} seeds that ascend")
    return Tables(kind, counts, first, last)


def span_of(
    seeds: str | range | None, games: int | None, sequential: bool, max_games: int | None
) -> tuple[str, str, str]:
    """The first and last seed as texts, and the option they came from."""
    if max_games is not None and not sequential:
        raise NotationError("--max-games goes with --until; --games sets the number of games")
    given = [name for name, value in (("--seeds", seeds), ("--games", games)) if value is not None]
    if len(given) > 1 or (given and max_games is not None):
        raise NotationError(f"{' and '.join([*given, '--max-games'][:2])} both say which games: give one")
    if isinstance(seeds, range):
        seeds = f"{seeds.start}..{seeds.stop - 1}" if seeds.step == 1 else str(seeds)
    if seeds is not None:
        low, separator, high = seeds.partition("..")
        if not separator:
            raise NotationError(f"--seeds: found {seeds!r}, expected a range such as 1..500")
        return low, high, "--seeds"
    fallback = _MAX_GAMES if sequential else _GAMES
    number = next((value for value in (games, max_games) if value is not None), fallback)
    return "1", str(number), "--games" if max_games is None else "--max-games"


def _counts(text: str) -> tuple[int, ...]:
    match = re.fullmatch(r"([2-6])(?:(?:-|\.\.)([2-6]))?", text.strip())
    low, high = (match[1], match[2] or match[1]) if match else ("1", "0")
    if low > high:
        raise NotationError(f"--players: found {text!r}, expected 2 to 6, or a range such as 2-5")
    return tuple(range(int(low), int(high) + 1))


def options_of(players: int, rules: Sequence[str] | Mapping[str, int | bool | str]) -> Options:
    """The printed rules with the changes of ``rules``: ``{"strikes_max": 2}``, or texts as of ``--rule``."""
    if isinstance(rules, Mapping):
        rules = [f"{name}={str(value).lower()}" for name, value in rules.items()]
    kinds = {field.name: field.type for field in fields(Options)}
    changes: dict[str, Any] = {}
    said: dict[str, str] = {}
    for text in rules:
        name, _, value = text.partition("=")
        if said.setdefault(name, value) != value:
            raise NotationError(f"--rule {name}: found {said[name]} and {value}, expected one of them")
        if name not in RULES:
            raise NotationError(f"--rule: found {text!r}, expected one of {', '.join(RULES)} and =VALUE")
        if kinds[name] == "str":
            changes[name] = value
        elif kinds[name] == "bool" and value in ("true", "false"):
            changes[name] = value == "true"
        elif kinds[name] == "int" and re.fullmatch("[0-9]{1,3}", value, re.ASCII):
            changes[name] = int(value)
        else:
            expected = "a number" if kinds[name] == "int" else "true or false"
            raise NotationError(f"--rule {name}: found {value!r}, expected {expected}")
    return replace(Options(players), **changes)
