"""``hanasolve max``: the proven best score of known decks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanasolve.cli.common import (
    Jobs,
    Json,
    LimitText,
    Players,
    Sources,
    Turn,
    VariantName,
    note,
    print_json,
    read_items,
    warn,
)
from hanasolve.cli.text.style import bold
from hanasolve.errors import NotationError
from hanasolve.limits import Limit, parse_limit

if TYPE_CHECKING:
    from hanasolve.batch.decks import Answer, Question, Summary
    from hanasolve.hanabi.notation.source import Item

_SHOWN_LOSSES = 20
ASSUMES = "known deck: every card in view"

Target = Annotated[
    int | None,
    typer.Option("--target", metavar="N", help="Ask only whether N can be reached (exit code 1: no)."),
]
Verify = Annotated[
    bool, typer.Option("--verify", help="Let CP-SAT, as an independent model, confirm line and bound.")
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Keep a row a deck (.parquet or .csv); resumes."),
]
Engine = Annotated[str, typer.Option("--engine", metavar="local|dask", help="Where many decks are solved.")]
Scheduler = Annotated[
    str | None, typer.Option("--scheduler", metavar="ADDRESS", help="The Dask scheduler's address.")
]


def command(
    sources: Sources,
    players: Players = None,
    variant: VariantName = None,
    turn: Turn = None,
    target: Target = None,
    limit: LimitText = None,
    verify: Verify = False,
    out: Out = None,
    jobs: Jobs = 1,
    engine: Engine = "local",
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """The best score that a known deck can reach, with a line and a proof that no line reaches more.

    This is what players with all cards in view could do: an upper bound for real play. From a game, --turn K
    asks what was still possible before the K-th action. At --limit the bracket [score, upper bound] is
    printed and the exit code is 3; of many decks each has the whole limit.
    """
    from hanasolve.hanabi.game.deck import is_seed, is_seed_range

    allowed = parse_limit(limit)
    if target is not None and target < 0:
        raise NotationError(f"--target: found {target}, expected a score from 0")
    question = {
        "seconds": allowed.seconds, "nodes": allowed.nodes, "goal": target, "verify": verify,
        "players": players, "variant": variant, "turn": turn, "lines": json,
    }  # fmt: skip
    if all(is_seed(text) or is_seed_range(text) for text in sources):
        names, items = _seeds(sources), None
        first = next(read_items(names[:1], players, variant)) if len(names) == 1 and out is None else None
    else:
        items = _named(read_items(sources, players, variant))
        names = list(items)
        first = next(iter(items.values())) if len(items) == 1 and out is None else None
    from hanasolve.batch.decks import Question

    asked = Question(**question)  # type: ignore[arg-type]
    if first is not None:
        _one(first, asked, allowed, json)
    else:
        _many(names, asked, allowed, items, out, jobs, engine, scheduler, json)


def _seeds(sources: list[str]) -> list[str]:
    from hanasolve.hanabi.game.deck import is_seed_range, parse_seed_range

    return [seed for text in sources for seed in (parse_seed_range(text) if is_seed_range(text) else [text])]


def _named(items: Any) -> dict[str, Item]:
    table: dict[str, Item] = {}
    for item in items:
        if item.source in table:
            raise NotationError(f"{item.source} is named twice: expected each source once")
        table[item.source] = item
    return table


# ------------------------------------------------------------------------------------------------ one deck


def _one(item: Item, question: Question, limit: Limit, json: bool) -> None:
    from hanasolve.answers.reading import table_of
    from hanasolve.batch.decks import answer

    with limit.guard():
        table_of(item, question.turn, warn=warn)  # says what is wrong with --turn, and warns of actions after the end
        found = answer(item, question, _ticker(), limit)
    if json:
        print_json("max/1", {"results": [_result(item, found, question)]})
    else:
        print(_text(item, found, question, limit))
        note(f"{found.seconds:.2f} s of CPU")
    if found.interrupted:
        raise KeyboardInterrupt
    _exit(found.solution.score, found.solution.upper_bound, question.goal)


def _ticker() -> Any:
    """Progress of a long search on stderr, on a terminal only and not before two seconds have passed."""
    import sys
    import time

    from hanasolve.cli.common import SETTINGS

    if SETTINGS.quiet or not sys.stderr.isatty():
        return None
    began = time.monotonic()
    return lambda text: note(text) if time.monotonic() - began > 2 else None


def _reachable(score: int, upper: int, goal: int) -> bool | None:
    return True if score >= goal else False if upper < goal else None


def _exit(score: int, upper: int, goal: int | None) -> None:
    if goal is None:
        if score < upper:
            raise typer.Exit(3)
        return
    reachable = _reachable(score, upper, goal)
    if reachable is not True:
        raise typer.Exit(1 if reachable is False else 3)


def _result(item: Item, found: Answer, question: Question) -> dict[str, Any]:
    from hanasolve.batch.decks import more_of

    solution, table, game = found.solution, found.table, found.solution.final.game
    more = more_of(item, found)
    fields: dict[str, Any] = {
        "source": item.source,
        "players": table.options.players,
        "variant": table.variant.name,
        "deck": more["deck"],
        "score": solution.score,
        "upper_bound": solution.upper_bound,
        "proved": solution.proved,
        "max_possible": solution.max_possible,
        "reason": solution.reason,
        "method": solution.method,
        "verified": found.verified,
        "line": more["line"],
        "actions": more["actions"],
        "replay_url": found.url,
        "clues": more["clues"],
        "strikes": int(game["strikes"]),
        "turns": int(game["turn"]),
        "nodes": solution.nodes,
        "seconds": round(found.seconds, 3),
        "assumes": ASSUMES,
    }
    if question.goal is not None:
        fields["target"] = question.goal
        fields["reachable"] = _reachable(solution.score, solution.upper_bound, question.goal)
    return fields


def _text(item: Item, found: Answer, question: Question, limit: Limit) -> str:
    from hanasolve.batch.decks import line_of

    solution = found.solution
    table = found.table
    head = f"{item.source}: {table.variant.name}, {table.options.players} players, known deck"
    lines = [bold(head)]
    if question.goal is not None:
        reachable = _reachable(solution.score, solution.upper_bound, question.goal)
        undecided = "before it was interrupted" if found.interrupted else f"within {limit}"
        word = {True: "yes", False: "no, proven", None: f"not decided {undecided}"}[reachable]
        lines.append(f"  can {question.goal} be reached: {word}")
    lines.append(_verdict(found, question, limit))
    if solution.reason:
        lines.append(f"  why no more: {solution.reason}")
    if found.verified is not None:
        lines.append(f"  CP-SAT: {'confirms the line and the bound' if found.verified else _UNVERIFIED}")
    rows = line_of(found.table, found.solution.actions)
    width = max((len(row["player"]) for row in rows), default=0)
    lines += [f"  {row['turn']:>3}  {row['player']:<{width}}  {row['text']}" for row in rows]
    if found.url:
        lines.append(f"  {found.url}")
    return "\n".join(lines)


_UNVERIFIED = "could not confirm both within its limit"


def _verdict(found: Answer, question: Question, limit: Limit) -> str:
    from hanasolve.batch.decks import tokens_of

    solution, game = found.solution, found.solution.final.game
    end = f"{tokens_of(found)} clues and {int(game['strikes'])} strikes at the end, {int(game['turn'])} turns"
    effort = f"{solution.nodes:,} states"
    if solution.proved:
        best = f"  best score: {solution.score} of {solution.max_possible}, proven ({solution.method})"
    elif question.goal is not None:
        best = f"  a line to {solution.score} (the best was not asked for; at most {solution.upper_bound})"
    else:
        why = "interrupted" if found.interrupted else f"{limit} was hit"
        best = f"  best score: between {solution.score} and {solution.upper_bound}, {why}"
    return f"{best}; {end}; {effort}"


# ---------------------------------------------------------------------------------------------- many decks


def _many(
    names: list[str], question: Question, limit: Limit, items: dict[str, Item] | None, out: Path | None, jobs: int,
    engine: str, scheduler: str | None, json: bool,
) -> None:  # fmt: skip
    from hanasolve.batch import run_batch
    from hanasolve.batch.decks import Summary, decks_grid

    summary = Summary(question.goal)
    kept: list[dict[str, Any]] = []

    def on_rows(rows: list[dict[str, Any]]) -> None:
        summary.add(rows)
        if json:
            kept.extend(rows)

    def show() -> None:
        if json:
            results = [_full(row, question, items) for row in kept]
            print_json("max/1", {"results": results, "summary": _summary(summary)})
        else:
            print(_summary_text(summary))

    grid = decks_grid(names, question, items)
    try:
        run_batch(
            grid, out, jobs=jobs or None, engine=engine, scheduler=scheduler, on_rows=on_rows,
            progress="solving", estimate=summary.text,
        )  # fmt: skip
    except KeyboardInterrupt:
        if summary.count:
            kept_in = f", kept in {out}" if out else ""
            warn(f"interrupted after {summary.count} of {len(names)} decks{kept_in}")
        if summary.count or json:
            show()
        raise
    show()
    if not json:
        slow = ", ".join(f"{row['source']} {row['seconds']:.2f} s" for row in summary.slowest[:3])
        note(f"{summary.seconds:.1f} s of CPU in all; slowest: {slow}")
    if question.goal is not None and summary.lost:
        raise typer.Exit(1)
    if summary.undecided:
        count = len(summary.undecided)
        note(f"{count} of {summary.count} decks {'is' if count == 1 else 'are'} not decided within {limit} for each")
        raise typer.Exit(3)


def _full(row: dict[str, Any], question: Question, items: dict[str, Item] | None) -> dict[str, Any]:
    """A row as the result of one input: with deck, line and actions, also where the row was kept in a file."""
    more = row.get("more") or _kept(row, question, items or {})
    fields: dict[str, Any] = {**row, **more, "assumes": ASSUMES}
    fields.pop("more", None)
    if question.goal is not None:
        fields["target"] = question.goal
        fields["reachable"] = _reachable(row["score"], row["upper_bound"], question.goal)
    return fields


def _kept(row: dict[str, Any], question: Question, items: dict[str, Item]) -> dict[str, Any]:
    """What the link of a row from a file holds besides; without a link the deck alone."""
    from hanasolve.batch.decks import row_item, table_at, with_line
    from hanasolve.hanabi.notation.replay_url import parse_url

    item = row_item(row["source"], question, items)
    table = table_at(item, question.turn)
    url = row["replay_url"]
    return with_line(item, table, parse_url(url).actions[int(table.game["turn"]) :] if url else ())


def _summary(summary: Summary) -> dict[str, Any]:
    return {
        "count": summary.count,
        "reached_max": summary.reached_max,
        "reached": summary.reached,
        "histogram": {str(score): summary.histogram[score] for score in sorted(summary.histogram)},
        "undecided": [row["source"] for row in summary.undecided],
        "lost": [
            {"source": row["source"], "score": row["score"], "reason": row["reason"]} for row in summary.lost
        ],
        "slowest": [{"source": row["source"], "seconds": row["seconds"]} for row in summary.slowest],
    }


def _summary_text(summary: Summary) -> str:
    from hanasolve.stats import wilson

    lines = [bold(f"{summary.count} decks, known deck: every card in view")]
    if summary.count:
        low, high = wilson(summary.reached, summary.count)
        what = "the maximum" if summary.goal is None else str(summary.goal)
        lines.append(
            f"  reach {what}: {summary.reached} ({100 * summary.reached / summary.count:.2f} %, "
            f"95 % interval {100 * low:.2f} to {100 * high:.2f} %)"
        )
    for score in sorted(summary.histogram, reverse=True) if summary.goal is None else ():
        lines.append(f"  best score {score:>2}: {summary.histogram[score]}")
    for row in summary.lost[:_SHOWN_LOSSES]:
        most = row["score"] if row["proved"] else f"at most {row['upper_bound']}"
        why = row["reason"] or "all that the variant has"  # a goal beyond that
        lines.append(f"  {row['source']}: {most}, {why}")
    if len(summary.lost) > _SHOWN_LOSSES:
        lines.append(f"  ... and {len(summary.lost) - _SHOWN_LOSSES} more (--out FILE keeps all)")
    for row in summary.undecided:
        lines.append(f"  {row['source']}: not decided, between {row['score']} and {row['upper_bound']}")
    return "\n".join(lines)
