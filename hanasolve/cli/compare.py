"""``hanasolve compare``: conventions on the same decks, with statistics that say how sure the answer is."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanasolve.cli.common import SETTINGS, Jobs, Json, note, print_json
from hanasolve.errors import HanasolveError, NotationError, UnsupportedVariant
from hanasolve.hanabi.game.deck import MAX_RANGE, is_seed, parse_seed
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.variants import NO_VARIANT, Variant, load_variant

if TYPE_CHECKING:
    from hanasolve.batch.comparison import Comparison
    from hanasolve.batch.games import Player
    from hanasolve.report.record import Link

_DEFAULT_GAMES = 1000
_DEFAULT_MAX_GAMES = 10_000
_RULES = ("strikes_max", "discard_at_max", "empty_clues", "clues_max", "hand_size", "stop_when_dead")


def command(
    conventions: Annotated[
        list[str],
        typer.Argument(
            metavar="CONVENTION...",
            help="Names (`hanasolve conventions` lists them), mine.py:name, or a rule list mine.toml.",
            show_default=False,
        ),
    ],
    players: Annotated[
        str | None, typer.Option("--players", metavar="N", help="Players, or a range such as 2-5 [3].")
    ] = None,
    variant: Annotated[
        str | None, typer.Option("--variant", metavar="NAME_OR_ID", help="Variant [No Variant].")
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", metavar="N", help="Play the seeds s1 to sN [1000].")
    ] = None,
    seeds: Annotated[
        str | None,
        typer.Option("--seeds", metavar="A..B", help="Play these seeds: 1..500 or p3v0s1..p3v0s500."),
    ] = None,
    scoring: Annotated[
        str, typer.Option("--scoring", help="After a strike-out a pair's game counts: zero or keep.")
    ] = "zero",
    rule: Annotated[
        list[str] | None,
        typer.Option("--rule", metavar="NAME=VALUE", help=f"Another rule: {', '.join(_RULES)}."),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            "--until", metavar="TEST", help="Stop as soon as it is decided: d0=0,d1=0.1,alpha=0.05,beta=0.05."
        ),
    ] = None,
    max_games: Annotated[
        int | None, typer.Option("--max-games", metavar="N", help="Most games with --until [10000].")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Keep every game in FILE.parquet or .csv, and resume it."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a report with figures.")
    ] = None,
    save_games: Annotated[
        Path | None, typer.Option("--save-games", metavar="DIR", help="Write every game as hanab.live JSON.")
    ] = None,
    jobs: Jobs = 0,
    engine: Annotated[str, typer.Option("--engine", help="local or dask.")] = "local",
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", metavar="ADDRESS", help="The Dask scheduler.")
    ] = None,
    json: Json = False,
) -> None:
    """Play conventions on the same decks and compare them.

    Means come with one standard error, under both scorings: a game that strikes out counts 0, or keeps its
    points. Differences are B - A, game by game on the same decks, with 95 % intervals and p values adjusted
    for the number of pairs. The conventions that cannot be told from the best are named instead of ranked.

    Ctrl-C shows what was finished; with --out, the same command goes on from there.
    """
    from hanasolve.batch.games import find_players

    _check_places(html, save_games)
    if scoring not in ("zero", "keep"):
        raise NotationError(f"--scoring: found {scoring!r}, expected zero or keep")
    kind, counts, (first, last) = _tables(players, variant, _span(seeds, games, until, max_games))
    found = find_players(conventions)
    runs = []
    for count in counts:
        options = _options(count, rule or [])
        fitting = _fitting(found, kind, options, alone=len(counts) == 1)
        if fitting:
            runs.append(_Run(fitting, kind, options, first, last, scoring, until))
    if not runs:
        raise UnsupportedVariant(f"none of these conventions can be played by {players} players")
    comparisons, interrupted = [], False
    for run in runs:
        target = _numbered(out, run.options.players) if out is not None and len(counts) > 1 else out
        comparison = run.go(target, jobs, engine, scheduler)
        comparisons += [comparison] if comparison is not None else []
        if interrupted := run.interrupted:
            break
    links = {run.options.players: run.link for run in runs}
    try:  # files first: a reader such as `head` may end the command while the text is printed
        if save_games is not None and not interrupted:
            _save_games(save_games, runs)
    finally:
        _write(comparisons, links, html, json)
    if interrupted:
        raise KeyboardInterrupt


class _Run:
    """One table: its conventions, seeds and rules."""

    def __init__(
        self,
        players: Sequence[Player],
        variant: Variant,
        options: Options,
        first: int,
        last: int,
        scoring: str,
        until: str | None,
    ) -> None:
        from hanasolve.batch.games import seed_texts
        from hanasolve.batch.running_scores import RunningScores, parse_until

        self.players, self.variant, self.options = players, variant, options
        self.seeds = seed_texts(variant, options.players, first, last)
        test = parse_until(until, len(self.seeds)) if until is not None else None
        self.tally = RunningScores([player.name for player in players], scoring, test)
        self.interrupted = False
        self.link = cache(self._link)

    def go(self, out: Path | None, jobs: int, engine: str, scheduler: str | None) -> Comparison | None:
        """Play, and compare what was played; None if an interruption came before the first game."""
        from hanasolve.batch import run_batch
        from hanasolve.batch.comparison import compare
        from hanasolve.batch.games import games_grid, suitable_chunk

        sequential = self.tally.until is not None
        chunk = suitable_chunk(self.players, self.seeds, self.variant, self.options, sequential)
        try:
            run_batch(
                games_grid(self.players, self.seeds, self.variant, self.options, chunk),
                out,
                jobs=jobs,
                engine=engine,
                scheduler=scheduler,
                on_rows=self.tally.take,
                progress=None if SETTINGS.quiet else f"{self.options.players} players",
                estimate=self.tally.estimate,
            )
        except KeyboardInterrupt:
            self.interrupted = True
            self.tally.trim()
        if self.tally.games == 0:
            return None
        return compare(self.tally, self.players, self.variant, self.options, self.interrupted)

    def _link(self, name: str, seed: str) -> str | None:
        from hanasolve.batch.games import game_url

        player = next(player for player in self.players if player.name == name)
        return game_url(player, seed, self.variant, self.options)


# --------------------------------------------------------------------------------------------- the options


def _span(
    seeds: str | None, games: int | None, until: str | None, max_games: int | None
) -> tuple[str, str, str]:
    """The first and last seed as texts, and the option they came from."""
    if max_games is not None and until is None:
        raise NotationError("--max-games goes with --until; --games sets the number of games")
    given = [name for name, value in (("--seeds", seeds), ("--games", games)) if value is not None]
    if len(given) > 1 or (given and max_games is not None):
        raise NotationError(f"{' and '.join([*given, '--max-games'][:2])} both say which games: give one")
    if seeds is not None:
        low, separator, high = seeds.partition("..")
        if not separator:
            raise NotationError(f"--seeds: found {seeds!r}, expected a range such as 1..500")
        return low, high, "--seeds"
    fallback = _DEFAULT_GAMES if until is None else _DEFAULT_MAX_GAMES
    number = next((value for value in (games, max_games) if value is not None), fallback)
    return "1", str(number), "--games" if max_games is None else "--max-games"


def _tables(
    players: str | None, variant: str | None, span: tuple[str, str, str]
) -> tuple[Variant, list[int], tuple[int, int]]:
    """The variant, the numbers of players, and the first and last counter of the seeds."""
    low, high, option = span
    ends = [parse_seed(text) if is_seed(text) else None for text in (low, high)]
    whole = [end for end in ends if end is not None]
    kind = load_variant(variant if variant is not None else whole[0].variant_id if whole else NO_VARIANT)
    counts = _player_counts(players) if players is not None else [whole[0].players if whole else 3]
    for seed in whole:
        if [seed.players] != counts or seed.variant_id != max(kind.id, 0):
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
    return kind, counts, (first, last)


def _player_counts(text: str) -> list[int]:
    match = re.fullmatch(r"([2-6])(?:(?:-|\.\.)([2-6]))?", text.strip())
    low, high = (match[1], match[2] or match[1]) if match else ("1", "0")
    if low > high:
        raise NotationError(f"--players: found {text!r}, expected 2 to 6, or a range such as 2-5")
    return list(range(int(low), int(high) + 1))


def _options(players: int, rules: Sequence[str]) -> Options:
    """The printed rules with the changes of ``--rule``."""
    kinds = {field.name: field.type for field in fields(Options)}
    changes: dict[str, Any] = {}
    for text in rules:
        name, _, value = text.partition("=")
        if name not in _RULES:
            raise NotationError(f"--rule: found {text!r}, expected one of {', '.join(_RULES)} and =VALUE")
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


def _fitting(found: Sequence[Player], variant: Variant, options: Options, alone: bool) -> list[Player]:
    """The conventions that this table can play; a range of tables leaves the others out with a note."""
    fitting = []
    for player in found:
        try:
            player.convention.check_table(variant, options)
        except UnsupportedVariant as error:
            if alone:
                raise
            note(f"note: left out with {options.players} players: {error}")
            continue
        fitting.append(player)
    return fitting


def _numbered(out: Path, players: int) -> Path:
    """The file of one table, where there are several: ``games.p3.parquet``."""
    return out.with_name(f"{out.stem}.p{players}{out.suffix}")


# ---------------------------------------------------------------------------------------------- the output


def _write(
    comparisons: Sequence[Comparison], links: Mapping[int, Link], html: Path | None, json: bool
) -> None:
    if not comparisons:
        return
    if html is not None:
        from hanasolve.report.html import comparison_page

        _write_text(html, comparison_page(comparisons, links, _command_line()))
    if json:
        from hanasolve.report.record import comparison_fields

        results = [comparison_fields(found, links[found.options.players]) for found in comparisons]
        print_json("compare/1", results[0] if len(links) == 1 else {"results": results})
    else:
        from hanasolve.cli.compare_text import comparison_text

        print("\n\n".join(comparison_text(found, links[found.options.players]) for found in comparisons))


def _command_line() -> str:
    """The command as it was typed, without the options that only say where to write."""
    words = ["hanasolve", *sys.argv[1:]]
    skip = {"--html", "--jobs", "--scheduler", "--engine"}
    kept = [
        word
        for index, word in enumerate(words)
        if word.partition("=")[0] not in skip and words[index - 1] not in skip
    ]
    return " ".join(kept)


def _check_places(html: Path | None, save_games: Path | None) -> None:
    """Refuse what could not be written once all games are played."""
    if html is not None and (html.is_dir() or not html.parent.is_dir()):
        raise NotationError(f"--html {html}: cannot be written (a folder, or in a folder that is not there)")
    if save_games is not None and save_games.exists() and not save_games.is_dir():
        raise NotationError(f"--save-games {save_games}: expected a folder, found a file")


def _write_text(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise NotationError(f"{path}: cannot be written ({error.strerror})") from None


def _save_games(folder: Path, runs: Sequence[_Run]) -> None:
    from hanasolve.batch.games import save_game

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for run in runs:
            for seed in run.tally.seeds:
                for player in run.players:
                    save_game(folder, player, seed, run.variant, run.options)
    except OSError as error:
        raise HanasolveError(f"--save-games {folder}: cannot be written ({error.strerror})") from None
