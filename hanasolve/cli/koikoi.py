"""``hanasolve koikoi``: score, max, analyze and compare for the second game."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from hanasolve.answers.answer import to_json
from hanasolve.cli.common import Jobs, Json, LimitText, note, print_answer, warn
from hanasolve.errors import LimitReached
from hanasolve.limits import CTRL_C, parse_limit

app = typer.Typer(no_args_is_help=True, help="Hanafuda Koi-Koi: score, known deals, decisions, strategies.")

Rules = Annotated[str, typer.Option("--rules", metavar="PRESET", help="nintendo or koikoi-ai.")]
OptionTexts = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule option; repeatable.")
]
RangeSeed = Annotated[
    str | None, typer.Option("--seed", metavar="N|A..B", help="Deck of a seed, or of a range of seeds.")
]


@app.command()
def score(
    cards: Annotated[
        list[str], typer.Argument(metavar="CARDS...", help="Captured cards, a file with a list a line, or -.")
    ],
    opponent_called: Annotated[bool, typer.Option(help="The opponent had called koi-koi.")] = False,
    hand: Annotated[bool, typer.Option("--hand", help="Test dealt hands of 8 cards instead.")] = False,
    rules: Rules = "nintendo",
    option: OptionTexts = None,
    json: Json = False,
) -> None:
    """Yaku, points and round score of captured cards, and what is missing for the next yaku."""
    from hanasolve.answers.koikoi import reading
    from hanasolve.answers.koikoi import score as question
    from hanasolve.cli.text.koikoi import scores_text

    lists = list(reading.card_lists(cards, sys.stdin))  # before anything slow is imported
    changes = _changes(option, "score")
    found = question.score(lists, opponent_called=opponent_called, hand=hand, preset=rules, changes=changes)
    print_answer(found, json, scores_text)


@app.command(name="max")
def max_command(
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="SOURCE...", help="Position files of known deals, or -.")
    ] = None,
    deck: Annotated[
        str | None, typer.Option("--deck", metavar="CARDS|FILE", help="48 cards from the top, or a deck a line.")
    ] = None,
    seed: RangeSeed = None,
    coop: Annotated[bool, typer.Option("--coop", help="Also the best score if both play for one.")] = False,
    values_only: Annotated[bool, typer.Option("--values", help="Only the values (fast for many deals).")] = False,
    limit: LimitText = None,
    rules: Rules = "nintendo",
    option: OptionTexts = None,
    json: Json = False,
) -> None:
    """Exact value of known deals with open cards: line, every first move, optionally the cooperative
    bound. Every deal has the whole --limit; the first that it is too short for ends the command (exit code 3)."""
    from hanasolve.answers.koikoi import maximum as question
    from hanasolve.cli.text.koikoi import deal_text

    found = question.maximum(
        sources or [], deck=deck, seed=seed, coop=coop, values_only=values_only, limit=parse_limit(limit),
        preset=rules, changes=_changes(option, "max"), stdin=sys.stdin, warn=warn,
        each=None if json else lambda deal: print(deal_text(deal)),
    )  # fmt: skip
    if json:
        print(to_json(found))
    if found.stopped:
        raise LimitReached(found.stopped)


@app.command()
def analyze(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="Position file, or -.")],
    worlds: Annotated[int, typer.Option(min=2, help="Random worlds where there are too many to take all.")] = 200,
    max_worlds: Annotated[int, typer.Option(min=1, help="Take all worlds up to this number.")] = 100_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random worlds.")] = 0,
    match: Annotated[str | None, typer.Option(metavar="A:B", help="Match score before this round.")] = None,
    round_: Annotated[int | None, typer.Option("--round", min=1, help="Number of this round.")] = None,
    limit: LimitText = None,
    option: OptionTexts = None,
    json: Json = False,
) -> None:
    """Every option of the player to move with its expected result, from what this player sees."""
    from hanasolve.answers.koikoi import analyze as question
    from hanasolve.answers.koikoi import reading
    from hanasolve.cli.text.koikoi import analysis_text

    changes, score = _changes(option, "analyze"), reading.match_score(match, round_)
    allowed = parse_limit(limit)
    with allowed.guard():
        found = question.analyze(
            source, worlds=worlds, max_worlds=max_worlds, seed=seed, match=score, limit=allowed,
            changes=changes, stdin=sys.stdin, warn=lambda text: note(f"note: {text}"),
        )  # fmt: skip
    print_answer(found, json, analysis_text)
    _end(found.stopped, f"{found.ranking.worlds} of {worlds} worlds are solved")


@app.command()
def compare(
    strategies: Annotated[
        list[str],
        typer.Argument(metavar="STRATEGY...", help="CARDS+CALL such as progress+t7h5, or FILE.py:CLASS."),
    ],
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of matches for every pairing.")] = 1000,
    rounds: Annotated[int | None, typer.Option(min=1, help="Rounds of a match [12, koikoi-ai: 8].")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of deals and random choices.")] = 0,
    jobs: Jobs = 1,
    limit: LimitText = None,
    rules: Rules = "nintendo",
    option: OptionTexts = None,
    json: Json = False,
) -> None:
    """Strategies in matches over the same deals with both seats: random, greedy, progress, pimcK, flatK,
    uctK."""
    from hanasolve.answers.koikoi import compare as question
    from hanasolve.cli.text.koikoi import matches_text

    allowed = parse_limit(limit)
    with allowed.guard():
        found = question.compare(
            strategies, pairs=pairs, rounds=rounds, seed=seed, jobs=jobs, limit=allowed,
            preset=rules, changes=_changes(option, "compare"),
        )  # fmt: skip
    print_answer(found, json, matches_text)
    _end(found.stopped, f"{found.played:,} of {found.asked:,} pairs of matches are played")


def _changes(texts: list[str] | None, command: str) -> dict[str, str | int]:
    """The options that were given; whatever decides nothing in the command is said."""
    from hanasolve.answers.koikoi.reading import changes_of
    from hanasolve.koikoi.game.options import idle

    changes = changes_of(texts or [])
    for sentence in idle(changes, command):
        warn(sentence)
    return changes


def _end(stopped: str, done: str) -> None:
    """Say what ended the work early, if anything did, and leave with its exit code."""
    if stopped:
        note(f"note: stopped by {stopped}: {done}")
        raise typer.Exit(130 if stopped == CTRL_C else LimitReached.exit_code)
