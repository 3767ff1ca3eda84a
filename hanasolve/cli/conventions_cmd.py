"""``hanasolve conventions``: what there is, a template for one's own, and a check of it."""

from __future__ import annotations

import keyword
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from hanasolve.cli.common import Json, note, print_json
from hanasolve.cli.text.style import bold
from hanasolve.errors import NotationError, printable
from hanasolve.hanabi.game.variants import NO_VARIANT, load_variant

if TYPE_CHECKING:
    from hanasolve.batch.soundness import Check, Problem
    from hanasolve.hanabi.conventions.convention import Convention

_SHOW = "show"
_TABLES = (2, 3, 4, 5)  # where a check plays, unless told otherwise


class _Group(TyperGroup):
    """A group whose unknown words are names of conventions: ``conventions simple``."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands:
            return _SHOW, self.commands[_SHOW], args
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """``conventions --json`` without a name lists all of them."""
        if not any(word in ("--help", *self.commands) for word in args):
            args = [_SHOW, *args]
        rest: list[str] = super().parse_args(ctx, args)
        return rest


app = typer.Typer(cls=_Group, add_completion=False, rich_markup_mode=None, no_args_is_help=False)


@app.callback()
def _about() -> None:
    """List the conventions, or explain one: `hanasolve conventions [NAME]`.

    `conventions new NAME` writes a template for your own, `conventions check FILE` plays it and says what is
    wrong with it.
    """


# ----------------------------------------------------------------------------------------------- the list


@app.command(_SHOW)
def show(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One convention.")] = None,
    json: Json = False,
) -> None:
    """List all conventions, or explain one (also `hanasolve conventions [NAME]`)."""
    from hanasolve.batch.games import find
    from hanasolve.batch.oracle import ORACLE
    from hanasolve.hanabi.conventions.find import convention_names

    found = [find(text) for text in ([name] if name else [*convention_names(), ORACLE.name])]
    if json:
        print_json("conventions/1", {"conventions": [_fields(convention) for convention in found]})
    else:
        print("\n\n".join(_text(convention) for convention in found))
        if name is None:
            print("\nYour own: hanasolve conventions new NAME, then hanasolve compare NAME.py simple")


def _fields(convention: Convention) -> dict[str, Any]:
    return {
        "name": convention.name,
        "about": convention.about,
        "source": convention.source,
        "players": list(convention.players),
        "deterministic": convention.deterministic,
        "open_hands": convention.open_hands,
        "label": convention.label or None,
    }


def _text(convention: Convention) -> str:
    players = ", ".join(map(str, convention.players))
    facts = [f"{players} players", "" if convention.deterministic else "rolls dice", convention.label]
    lines = [f"{bold(convention.name)}  ({'; '.join(filter(None, facts))})"]
    about = printable(" ".join(convention.about.split()))
    lines += textwrap.wrap(about, 100, initial_indent="  ", subsequent_indent="  ")
    lines += [f"  source: {printable(convention.source)}"] if convention.source else []
    return "\n".join(lines)


# ------------------------------------------------------------------------------------------------ a template


@app.command()
def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A word, such as friday_table.", show_default=False)
    ],
    toml: Annotated[bool, typer.Option("--toml", help="A rule list instead of Python.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The file to write [NAME.py or NAME.toml].")
    ] = None,
) -> None:
    """Write a commented template of your own convention, which already plays."""
    from hanasolve.hanabi.conventions.rule_names import RULES
    from hanasolve.report.render import render

    if not name.isidentifier() or keyword.iskeyword(name) or not name.isascii():
        raise NotationError(f"NAME: found {name!r}, expected letters, digits and _, such as friday_table")
    path = out or Path(f"{name}.toml" if toml else f"{name}.py")
    if toml != (path.suffix == ".toml"):
        raise NotationError(f"--out: found {path}, expected a name that ends in {'.toml' if toml else '.py'}")
    text = render("rules.toml.txt" if toml else "convention.py.txt", name=name, file=str(path), rules=RULES)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise NotationError(f"{path} is there already: choose another NAME or --out") from None
    except OSError as error:
        raise NotationError(f"{path}: cannot be written ({error.strerror})") from None
    print(path)
    note(f"next: hanasolve conventions check {path}")


# -------------------------------------------------------------------------------------------------- a check


@app.command()
def check(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="mine.py, mine.py:name, mine.toml or a name.", show_default=False
        ),
    ],
    games: Annotated[int, typer.Option("--games", metavar="N", help="Games to play.")] = 200,
    players: Annotated[
        int | None, typer.Option("--players", metavar="N", help="Only so many players.")
    ] = None,
    variant: Annotated[str, typer.Option("--variant", metavar="NAME_OR_ID")] = NO_VARIANT,
    json: Json = False,
) -> None:
    """Play games and report illegal moves, leaks, crashes and differences, with turn and link.

    A leak is a decision or a note that depends on cards which the player cannot see. Exit code 1 if something
    is wrong.
    """
    from hanasolve.batch.games import find_players
    from hanasolve.batch.soundness import check_convention

    if games < 1:
        raise NotationError(f"--games: found {games}, expected at least 1")
    (player,) = find_players([file])
    able = player.convention.players
    counts = [players] if players is not None else [count for count in _TABLES if count in able] or list(able)
    found = check_convention(player, load_variant(variant), counts, games)
    if json:
        print_json("conventions-check/1", _check_fields(found))
    else:
        print(_check_text(found))
    if not found.ok:
        raise typer.Exit(1)


def _check_fields(found: Check) -> dict[str, Any]:
    return {
        "convention": found.name,
        "ok": found.ok,
        "games": found.games,
        "leaks_checked": found.leaks_checked,
        "means": [
            {
                "players": players,
                "games": one.n,
                "mean_keep": one.mean,
                "se_keep": one.se if one.n > 1 else None,
            }
            for players, one in found.means.items()
        ],
        "games_per_second_plain": found.plain_per_second,
        "games_per_second": found.compiled_per_second,
        "problems": [vars(problem) for problem in found.problems],
    }


def _check_text(found: Check) -> str:
    lines = [bold(f"{found.name}: {found.games} games played to the end")]
    for players, one in found.means.items():
        spread = f" ± {one.se:.2f}" if one.n > 1 else ""
        lines.append(f"  {players} players: mean {one.mean:.2f}{spread} ({one.n} games, points kept)")
    speeds = (("compiled", found.compiled_per_second), ("as plain Python", found.plain_per_second))
    if any(speed for _, speed in speeds):
        words = (f"{speed:,.0f} {how}" for how, speed in speeds if speed is not None)
        lines.append(f"  games a second: {', '.join(words)}")
    if found.ok:
        lines.append(f"  no illegal move, no crash, no leak ({found.leaks_checked} other deals tried)")
    alike: dict[tuple[str, str], list[Problem]] = {}
    for problem in found.problems:
        alike.setdefault((problem.kind, problem.text), []).append(problem)
    return "\n".join([*lines, *(_problem_text(*problems) for problems in alike.values())])


def _problem_text(first: Problem, *others: Problem) -> str:
    """A problem with its link, and where else it came up."""
    link = f"\n    {first.url}" if first.url else ""
    also = f"\n    also: {'; '.join(map(_place, others))}" if others else ""
    return f"  {first.kind} ({_place(first)}): {first.text}{link}{also}"


def _place(problem: Problem) -> str:
    turn = f", turn {problem.turn}" if problem.turn is not None else ""
    place = f", seed {problem.seed}{turn}" if problem.seed is not None else ""
    return f"{problem.players} players{place}"
