"""Conventions on the same decks, with statistics that say how sure the answer is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hanasolve.answers.answer import Answer, Tell, silent
from hanasolve.answers.compare_record import Link, table_record
from hanasolve.answers.compare_tables import Tables, options_of, span_of, tables
from hanasolve.errors import HanasolveError, NotationError, UnsupportedVariant

if TYPE_CHECKING:
    from hanasolve.batch.comparison import Comparison
    from hanasolve.batch.games import NamedConvention
    from hanasolve.batch.running_scores import RunningScores
    from hanasolve.hanabi.game.options import Options
    from hanasolve.hanabi.game.variants import Variant


@dataclass(frozen=True)
class ComparedTable:
    """One table, that is a variant and a number of players, with the ``seeds`` that its ``conventions`` played."""

    found: Comparison
    conventions: tuple[NamedConvention, ...]
    seeds: tuple[str, ...]
    link: Link

    def record(self) -> dict[str, Any]:
        """The fields of one table."""
        return table_record(self.found, self.link)


@dataclass(frozen=True)
class CompareAnswer(Answer):
    """The tables of which games were played, of as many as were ``asked`` for; ``interrupted`` by Ctrl-C."""

    schema = "hanasolve.compare/1"
    tables: tuple[ComparedTable, ...]
    asked: int
    interrupted: bool = False

    def record(self) -> dict[str, Any]:
        """The fields of ``--json``: those of the table, or ``results`` with one for each."""
        found = [table.record() for table in self.tables]
        return found[0] if self.asked == 1 else {"results": found}


def compare(
    conventions: Sequence[str], *, players: int | str | None = None, variant: str | None = None,
    games: int | None = None, seeds: str | range | None = None, scoring: str = "zero",
    rules: Sequence[str] | Mapping[str, int | bool | str] = (), until: str | Mapping[str, float] | None = None,
    max_games: int | None = None, out: Path | None = None, jobs: int = 1, engine: str = "local",
    scheduler: str | None = None, show_progress: bool = False, tell: Tell = silent,
) -> CompareAnswer:  # fmt: skip
    """Play conventions on the same decks and compare them.

    ``conventions``: names, ``mine.py:name`` or ``mine.toml``. ``players``: 3, or a range such as ``2-5``, which
    makes a table for each. ``games``: the seeds s1 to so many (1000); or ``seeds``: ``1..500``, whole seeds
    (``p3v0s1..p3v0s500``, which say the table), or ``range(1, 501)``. ``scoring``: what a game that strikes out
    counts, ``zero`` or ``keep``. ``rules``: changes of the printed ones, ``{"strikes_max": 2}``. ``until``: stop as
    soon as a sequential test has decided, ``{"d0": 0, "d1": 0.1, "alpha": 0.05, "beta": 0.05}`` (points, error
    rates), at the latest after ``max_games`` (10,000).

    ``out`` keeps every game in a ``.csv`` or ``.parquet`` file and takes those that are there from it. ``jobs``:
    processes, 0 for all cores; ``engine`` ``dask`` uses the cluster at ``scheduler``. ``show_progress``: a bar on
    a terminal. ``tell`` is given a note for a convention that cannot play a table of a range.

    Means and differences are in points. NotationError for what cannot be asked, UnsupportedVariant for a
    convention that was not made for the table. Ctrl-C ends it with what was played; KeyboardInterrupt goes on
    if that is nothing.
    """
    from hanasolve.batch.games import find_conventions

    if scoring not in ("zero", "keep"):
        raise NotationError(f"--scoring: found {scoring!r}, expected zero or keep")
    asked = tables(players, variant, span_of(seeds, games, until is not None, max_games))
    runs = _runs(find_conventions(conventions), asked, rules, scoring, until, tell)
    if not runs:
        raise UnsupportedVariant(f"none of these conventions can be played by {players} players")
    found: list[ComparedTable] = []
    several = len(asked.counts) > 1
    for run in runs:
        target = _numbered(out, run.options.players) if out is not None and several else out
        interrupted = run.play(target, jobs, engine, scheduler, show_progress)
        found += run.compared(interrupted)
        if interrupted:
            break
    if not found:
        raise KeyboardInterrupt
    return CompareAnswer(tuple(found), len(runs), interrupted)


def save_games(answer: CompareAnswer, folder: Path) -> None:
    """Write every game as hanab.live JSON, ``SEED-CONVENTION.json``; HanasolveError if that cannot be."""
    from hanasolve.batch.games import save_game

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for table in answer.tables:
            for seed in table.seeds:
                for convention in table.conventions:
                    save_game(folder, convention, seed, table.found.variant, table.found.options)
    except OSError as error:
        raise HanasolveError(f"--save-games {folder}: cannot be written ({error.strerror})") from None


@dataclass(frozen=True)
class _Run:
    """One table that is played: its conventions, rules, seeds, and the scores so far."""

    conventions: list[NamedConvention]
    variant: Variant
    options: Options
    seeds: list[str]
    scores: RunningScores

    def play(self, out: Path | None, jobs: int, engine: str, scheduler: str | None, show_progress: bool) -> bool:
        """Play the games; whether Ctrl-C ended that."""
        from hanasolve.batch import run_batch
        from hanasolve.batch.games import games_grid, suitable_chunk

        sequential = self.scores.until is not None
        chunk = suitable_chunk(self.conventions, self.seeds, self.variant, self.options, sequential)
        try:
            run_batch(
                games_grid(self.conventions, self.seeds, self.variant, self.options, chunk), out, jobs=jobs,
                engine=engine, scheduler=scheduler, on_rows=self.scores.take,
                progress=f"{self.options.players} players" if show_progress else None, estimate=self.scores.estimate,
            )  # fmt: skip
        except KeyboardInterrupt:
            self.scores.drop_unfinished()
            return True
        return False

    def compared(self, interrupted: bool) -> list[ComparedTable]:
        """The comparison of what was played; none if an interruption came before the first game."""
        from hanasolve.batch.comparison import compare

        if self.scores.games == 0:
            return []
        found = compare(self.scores, self.conventions, self.variant, self.options, interrupted)
        return [ComparedTable(found, tuple(self.conventions), tuple(self.scores.seeds), cache(self._link))]

    def _link(self, name: str, seed: str) -> str | None:
        from hanasolve.batch.games import game_url

        convention = next(one for one in self.conventions if one.name == name)
        return game_url(convention, seed, self.variant, self.options)


def _runs(
    named: Sequence[NamedConvention], asked: Tables, rules: Sequence[str] | Mapping[str, int | bool | str],
    scoring: str, until: str | Mapping[str, float] | None, tell: Tell,
) -> list[_Run]:  # fmt: skip
    """A run for every table that some of the conventions can play."""
    from hanasolve.batch.games import seed_texts
    from hanasolve.batch.running_scores import RunningScores, parse_until

    if isinstance(until, Mapping):
        until = ",".join(f"{name}={value}" for name, value in until.items())
    runs = []
    for count in asked.counts:
        options = options_of(count, rules)
        fitting = _fitting(named, asked.variant, options, tell if len(asked.counts) > 1 else None)
        if fitting:
            seeds = seed_texts(asked.variant, count, asked.first, asked.last)
            test = parse_until(until, len(seeds)) if until is not None else None
            scores = RunningScores([one.name for one in fitting], scoring, test)
            runs.append(_Run(fitting, asked.variant, options, seeds, scores))
    return runs


def _fitting(
    named: Sequence[NamedConvention], variant: Variant, options: Options, tell: Tell | None
) -> list[NamedConvention]:
    """The conventions that this table can play; without ``tell``, one that cannot is an error."""
    fitting = []
    for one in named:
        try:
            one.convention.check_table(variant, options)
        except UnsupportedVariant as error:
            if tell is None:
                raise
            tell(f"note: left out with {options.players} players: {error}")
            continue
        fitting.append(one)
    return fitting


def _numbered(out: Path, players: int) -> Path:
    """The file of one table, where there are several: ``games.p3.parquet``."""
    return out.with_name(f"{out.stem}.p{players}{out.suffix}")
