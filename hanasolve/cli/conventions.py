"""``hanasolve conventions``: what there is, a template for one's own, and a check of it."""

from __future__ import annotations

import keyword
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from hanasolve.cli.common import Json, note, print_answer
from hanasolve.cli.text import conventions as renderer
from hanasolve.errors import NotationError
from hanasolve.hanabi.game.variants import NO_VARIANT

_SHOW = "show"


class _Group(TyperGroup):
    """A group whose unknown words are names of conventions: ``conventions simple``."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands:
            return _SHOW, self.commands[_SHOW], args
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """``conventions --json`` without a name lists all of them."""
        if not any(word in ("-h", "--help", *self.commands) for word in args):
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


@app.command(_SHOW)
def show(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One convention.")] = None, json: Json = False
) -> None:
    """List all conventions, or explain one (also `hanasolve conventions [NAME]`)."""
    from hanasolve.answers.conventions import conventions

    print_answer(conventions(name), json, renderer.text)


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A word, such as friday_table.", show_default=False)],
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


@app.command()
def check(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="mine.py, mine.py:name, mine.toml or a name.", show_default=False)
    ],
    games: Annotated[int, typer.Option("--games", metavar="N", help="Games to play.")] = 200,
    players: Annotated[int | None, typer.Option("--players", metavar="N", help="Only so many players.")] = None,
    variant: Annotated[str, typer.Option("--variant", metavar="NAME_OR_ID")] = NO_VARIANT,
    json: Json = False,
) -> None:
    """Play games and report illegal moves, leaks, crashes and differences, with turn and link.

    A leak is a decision or a note that depends on cards which the player cannot see. Exit code 1 if something
    is wrong.
    """
    from hanasolve.answers.conventions_check import check_convention

    answer = check_convention(file, games=games, players=players, variant=variant)
    print_answer(answer, json, renderer.check_text)
    if not answer.found.ok:
        raise typer.Exit(1)
