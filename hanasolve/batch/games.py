"""Games of conventions as a batch grid: every convention plays the same decks, a row for each game.

The deck of game n is that of a hanab.live seed (``p3v0s1``, ``p3v0s2``, ..), so anyone can open it on the
site. A chunk of decks is played by one convention after the other; the rows come deck by deck.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from hanasolve.batch.grid import Grid, Row
from hanasolve.batch.oracle import ORACLE, OracleTable
from hanasolve.errors import HanasolveError, IllegalAction, NotationError
from hanasolve.hanabi.conventions.convention import SEARCH_COST, Convention
from hanasolve.hanabi.conventions.find import find_convention
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.records import Replay
from hanasolve.hanabi.game.variants import Variant, load_variant

COLUMNS = {
    "seed": str,
    "players": int,
    "convention": str,
    "keep": int,  # cards placed
    "zero": int,  # the same, but 0 after a strike-out
    "perfect": bool,
    "strikeout": bool,
    "strikes": int,
    "clues": int,
    "turns": int,
}
"""The columns of a file of games; with a search among the conventions, also what it cost in each game."""

CHUNKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Decks in a chunk: up to 100, divisors of 100, so that the sequential test can stop at the end of a chunk."""
_CHUNK_SECONDS = 0.25


@dataclass(frozen=True)
class NamedConvention:
    """A convention as the user named it: ``text`` finds it again in a worker, ``name`` stands in tables."""

    text: str
    convention: Convention

    @property
    def name(self) -> str:
        return self.convention.name


def find_conventions(texts: Sequence[str]) -> list[NamedConvention]:
    """The conventions of these names or files; NotationError if two would carry the same name."""
    found: list[NamedConvention] = []
    for text in texts:
        convention = find_with_oracle(text)
        if any(one.name == convention.name for one in found):
            raise NotationError(
                f"convention {convention.name} is named twice: expected each once (a name is that of the Python "
                "file with its variable, or `name` in a TOML file)"
            )
        path = _file_of(text)
        found.append(NamedConvention(text.replace(path, str(Path(path).resolve()), 1) if path else text, convention))
    return found


def _file_of(text: str) -> str:
    """The file that a convention's text names, alone or under a search; nothing for a built-in name."""
    path = text.removeprefix("search:").partition(":")[0]
    return path if path.endswith((".py", ".toml")) else ""


def find_with_oracle(text: str) -> Convention:
    """A convention, or the oracle."""
    return ORACLE if text == ORACLE.name else find_convention(text)


def seed_texts(variant: Variant, players: int, first: int, last: int) -> list[str]:
    """The seeds of a table; variants that only the printed game has take the decks of site variant 0."""
    prefix = f"p{players}v{max(variant.id, 0)}s"
    return [f"{prefix}{number}" for number in range(first, last + 1)]


def games_grid(
    conventions: Sequence[NamedConvention], seeds: Sequence[str], variant: Variant, options: Options, chunk: int = 100
) -> Grid:
    """The grid that plays these conventions on these seeds, rows in the order seed, convention."""
    texts = tuple(one.text for one in conventions)
    return Grid(
        keys=seeds,
        run=play_rows,
        columns=columns_of(conventions),
        args=(texts, variant.name, options),
        chunk=chunk,
        rows_per_key=len(conventions),
        made_with={
            "players": options.players,
            "variant": variant.name,
            "rules": {name: value for name, value in asdict(options).items() if name != "score_words"},
            "conventions": [_fingerprint(one) for one in conventions],
        },
    )


def columns_of(conventions: Sequence[NamedConvention]) -> dict[str, type]:
    """The columns of a file of these conventions' games."""
    searches = any(one.convention.rollouts for one in conventions)
    return {**COLUMNS, **dict.fromkeys(SEARCH_COST, int)} if searches else COLUMNS


def _fingerprint(named: NamedConvention) -> str:
    """The name of a convention; a user's file is named with its contents."""
    path = _file_of(named.text)
    if not path:
        return named.name
    return f"{named.name} (sha256 {hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]})"


def play_rows(seeds: list[str], texts: Sequence[str], variant: str, options: Options) -> list[Row]:
    """The rows of these decks. The first row of each convention carries its CPU time as ``cpu`` (seconds)."""
    from hanasolve.hanabi.play.simulator import seed_numbers

    numbers = seed_numbers(seeds)
    columns = []
    for text in texts:
        try:
            table = _simulator(text, variant, options)
            began = time.thread_time()
            results = table.play(numbers)
        except IllegalAction as error:
            raise _name_seed(error, dict(zip(numbers.tolist(), seeds, strict=True))) from None
        except HanasolveError:
            raise
        except Exception as error:
            if not _file_of(text).endswith(".py"):
                raise
            raise HanasolveError(
                f"convention {find_with_oracle(text).name}: {fault_text(error)}; "
                f"`hanasolve conventions check {text}` finds the place"
            ) from error
        spent = time.thread_time() - began
        rows = _rows(seeds, options.players, table.convention, results)
        rows[0]["cpu"] = spent
        columns.append(rows)
    return [row for rows in zip(*columns, strict=True) for row in rows]


def fault_text(error: Exception) -> str:
    """An error of a user's function in one sentence; numba spreads what it cannot compile over many lines."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    compiling = type(error).__module__.startswith("numba")
    if compiling:
        lines = lines[1:2] + [line.rstrip(":") for line in lines[2:] if line.startswith("File")][-1:]
    lines = [f"{line[:200]} .." if len(line) > 200 else line for line in lines]
    return f"{'does not compile' if compiling else type(error).__name__}: {'; '.join(lines)}"


def _name_seed(error: IllegalAction, seeds: Mapping[int, str]) -> IllegalAction:
    """The same error with the seed's text instead of its number."""

    def text(match: re.Match[str]) -> str:
        return f"seed {seeds.get(int(match[1]), match[1])}"

    return IllegalAction(re.sub(r"seed number ([0-9]+)", text, str(error)), error.code)


@lru_cache(maxsize=64)
def _simulator(text: str, variant: str, options: Options) -> Any:
    from hanasolve.hanabi.play.simulator import Simulator

    if text == ORACLE.name:
        return OracleTable(load_variant(variant), options)
    return Simulator(find_convention(text), options.players, load_variant(variant), options)


def _rows(seeds: list[str], players: int, convention: Convention, results: Any) -> list[Row]:
    keep, out = results["placed"].tolist(), results["strikeout"].tolist()
    cost = SEARCH_COST if convention.rollouts else ()
    columns = (
        seeds,
        [players] * len(seeds),
        [convention.name] * len(seeds),
        keep,
        [0 if struck else points for points, struck in zip(keep, out, strict=True)],
        results["perfect"].tolist(),
        out,
        *(results[field].tolist() for field in ("strikes", "clues", "turns", *cost)),
    )
    names = (*COLUMNS, *cost)
    return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]


def suitable_chunk(
    conventions: Sequence[NamedConvention], seeds: Sequence[str], variant: Variant, options: Options,
    sequential: bool = False,
) -> int:  # fmt: skip
    """How many decks take about a quarter of a second; measured on the first decks. ``sequential``: not above 100.

    This also compiles all kernels, so that workers started afterwards need not.
    """
    texts = tuple(one.text for one in conventions)
    play_rows(list(seeds[:1]), texts, variant.name, options)
    games, spent = 1, 0.0
    while spent < _CHUNK_SECONDS / 20 and games <= min(len(seeds), 100):  # a call alone costs as much as many games
        began = time.perf_counter()
        play_rows(list(seeds[:games]), texts, variant.name, options)
        spent, games = time.perf_counter() - began, 10 * games
    spent /= games // 10
    fitting = [chunk for chunk in CHUNKS if chunk * spent <= _CHUNK_SECONDS and (chunk <= 100 or not sequential)]
    return max(fitting, default=1)


def replay_of(convention: NamedConvention, seed: str, variant: Variant, options: Options) -> Replay:
    """One of the games again, with its actions."""
    replay: Replay = _simulator(convention.text, variant.name, options).play_one(seed)[1]
    return replay


def game_url(convention: NamedConvention, seed: str, variant: Variant, options: Options) -> str | None:
    """A link that shows one of the games on hanab.live; None for variants that the site does not have."""
    from hanasolve.hanabi.notation.replay_url import format_url

    if variant.id < 0:
        return None
    return format_url(replay_of(convention, seed, variant, options), force=True)


def save_game(folder: Path, convention: NamedConvention, seed: str, variant: Variant, options: Options) -> None:
    """Write one of the games as a hanab.live file, ``SEED-CONVENTION.json``."""
    from hanasolve.hanabi.notation.hanab_live import format_game

    name = re.sub(r"[^A-Za-z0-9._-]", "_", convention.name)
    text = format_game(replay_of(convention, seed, variant, options))
    (folder / f"{seed}-{name}.json").write_text(text, encoding="utf-8")
