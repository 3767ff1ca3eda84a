"""``python -m hanasolve.reports [NAME [OPTIONS]]`` makes what the folder ``reports/`` holds; without a name, the list.

A report NAME is the file of that name here: its function ``make(folder, ...)`` gathers the results and writes the
page; its parameters are the options of the command line.
"""

from __future__ import annotations

import importlib
import sys
from functools import partial

from hanasolve.errors import HanasolveError, nearest
from hanasolve.streams import run, tell

REPORTS = {
    "conventions": "our scores beside the published ones",
    "h-group": "what a level of the H-Group convention is worth, and why its players lose points",
    "koikoi": "values of known deals of Koi-Koi, and its strategies beside each other",
    "max-score": "the best achievable score of known decks",
    "search": "what one searching seat gains on a convention, and costs",
}


def main(arguments: list[str]) -> int:
    """Run the command line and return its exit code: 0 made or listed, 2 wrong usage."""
    name, *rest = arguments or ["--help"]
    if name in ("--help", "-h"):
        print("python -m hanasolve.reports NAME [--help]", *(f"  {n:12} {REPORTS[n]}" for n in REPORTS), sep="\n")
        return 0
    if name not in REPORTS:
        close = nearest(name, list(REPORTS), 1)
        hint = f"did you mean {close[0]}?" if close else "without a name it lists them"
        tell(f"error: no report {name!r}, expected one of {', '.join(REPORTS)} ({hint})")
        return 2
    return _make(name, rest)


def _make(name: str, arguments: list[str]) -> int:
    import typer

    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(importlib.import_module(f"hanasolve.reports.{name.replace('-', '_')}").make)
    try:
        return int(app(arguments, prog_name=f"python -m hanasolve.reports {name}", standalone_mode=False) or 0)
    except (HanasolveError, OSError) as error:
        tell(f"error: {error}")
    except Exception as error:
        if not hasattr(error, "format_message"):  # what is not a usage error of Typer is a fault
            raise
        tell(f"error: {error.format_message()} (see `--help`)")
    return 2


if __name__ == "__main__":
    sys.exit(run(partial(main, sys.argv[1:])))
