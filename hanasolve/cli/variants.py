"""``hanasolve variants``: the variants there are, and one of them in detail."""

from __future__ import annotations

from typing import Annotated

import typer

from hanasolve.answers.variants import variants
from hanasolve.cli.common import Json, print_answer
from hanasolve.cli.text.variants import text


def command(
    name: Annotated[str | None, typer.Argument(metavar="NAME_OR_ID", show_default=False)] = None,
    json: Json = False,
) -> None:
    """Show a variant: suits, copies, which clue touches which card, what the commands support.

    Without a name all variants are listed; with a part of one, those that contain it.
    """
    print_answer(variants(name), json, text)
