"""``hanasolve compare``: conventions on the same decks, with statistics that say how sure the answer is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from hanasolve.answers.compare import compare, save_games
from hanasolve.answers.compare_tables import RULES
from hanasolve.cli.common import SETTINGS, Jobs, Json, note, print_answer
from hanasolve.cli.text.compare import text
from hanasolve.errors import NotationError

Conventions = Annotated[
    list[str],
    typer.Argument(
        metavar="CONVENTION...", show_default=False,
        help="Names (`hanasolve conventions` lists them), mine.py:name, or a rule list mine.toml.",
    ),
]  # fmt: skip
Players = Annotated[str | None, typer.Option("--players", metavar="N", help="Players, or a range such as 2-5 [3].")]
Variant = Annotated[str | None, typer.Option("--variant", metavar="NAME_OR_ID", help="Variant [No Variant].")]
Games = Annotated[int | None, typer.Option("--games", metavar="N", help="Play the seeds s1 to sN [1000].")]
Seeds = Annotated[
    str | None, typer.Option("--seeds", metavar="A..B", help="Play these seeds: 1..500 or p3v0s1..p3v0s500.")
]
Scoring = Annotated[str, typer.Option("--scoring", help="After a strike-out a pair's game counts: zero or keep.")]
Rules = Annotated[
    list[str] | None, typer.Option("--rule", metavar="NAME=VALUE", help=f"Another rule: {', '.join(RULES)}.")
]
Until = Annotated[
    str | None,
    typer.Option("--until", metavar="TEST", help="Stop as soon as it is decided: d0=0,d1=0.1,alpha=0.05,beta=0.05."),
]
MaxGames = Annotated[int | None, typer.Option("--max-games", metavar="N", help="Most games with --until [10000].")]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Keep every game in FILE.parquet or .csv, and resume it.")
]
Html = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a report with figures.")]
SaveGames = Annotated[
    Path | None, typer.Option("--save-games", metavar="DIR", help="Write every game as hanab.live JSON.")
]
Engine = Annotated[str, typer.Option("--engine", help="local or dask.")]
Scheduler = Annotated[str | None, typer.Option("--scheduler", metavar="ADDRESS", help="The Dask scheduler.")]


def command(
    conventions: Conventions, players: Players = None, variant: Variant = None, games: Games = None,
    seeds: Seeds = None, scoring: Scoring = "zero", rule: Rules = None, until: Until = None,
    max_games: MaxGames = None, out: Out = None, html: Html = None, save: SaveGames = None, jobs: Jobs = 0,
    engine: Engine = "local", scheduler: Scheduler = None, json: Json = False,
) -> None:  # fmt: skip
    """Play conventions on the same decks and compare them.

    Means come with one standard error, under both scorings: a game that strikes out counts 0, or keeps its
    points. Differences are B - A, game by game on the same decks, with 95 % intervals and p values adjusted
    for the number of pairs. The conventions that cannot be told from the best are named instead of ranked.

    Ctrl-C shows what was finished; with --out, the same command goes on from there.
    """
    _check_places(html, save)
    answer = compare(
        conventions, players=players, variant=variant, games=games, seeds=seeds, scoring=scoring, rules=rule or (),
        until=until, max_games=max_games, out=out, jobs=jobs, engine=engine, scheduler=scheduler,
        show_progress=not SETTINGS.quiet, tell=note,
    )  # fmt: skip
    try:  # files first: a reader such as `head` may end the command while the text is printed
        if save is not None and not answer.interrupted:
            save_games(answer, save)
    finally:
        if html is not None:
            from hanasolve.report.comparison_page import comparison_page

            _write(html, comparison_page(answer, _command_line()))
        print_answer(answer, json, text)
    if answer.interrupted:
        raise KeyboardInterrupt


def _command_line() -> str:
    """The command as it was typed, without the options that only say where to write."""
    words = ["hanasolve", *sys.argv[1:]]
    skip = {"--html", "--jobs", "--scheduler", "--engine"}
    kept = [
        word for index, word in enumerate(words) if word.partition("=")[0] not in skip and words[index - 1] not in skip
    ]
    return " ".join(kept)


def _check_places(html: Path | None, save: Path | None) -> None:
    """Refuse what could not be written once all games are played."""
    if html is not None and (html.is_dir() or not html.parent.is_dir()):
        raise NotationError(f"--html {html}: cannot be written (a folder, or in a folder that is not there)")
    if save is not None and save.exists() and not save.is_dir():
        raise NotationError(f"--save-games {save}: expected a folder, found a file")


def _write(path: Path, page: str) -> None:
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise NotationError(f"{path}: cannot be written ({error.strerror})") from None
