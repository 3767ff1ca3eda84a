"""The command ``hanasolve``: finds the command's file, runs it, and turns errors into one sentence.

How a command file looks
    ``hanasolve/cli/<name>.py`` (the files in ``COMMANDS``) defines a function ``command`` with Typer
    annotations; its docstring is the help text. A command with commands of its own defines ``app``, a
    ``typer.Typer``, instead. The file imports Typer, ``common`` and little else at its top: numpy, numba and
    what needs them are imported inside the function. It is imported only when its command is called, and the
    command is listed only if the file exists.

    Options that several commands share are the annotated types of ``common``. ``--quiet`` and ``--debug`` are
    taken out of the arguments here, wherever they stand, and need no parameter (``common.SETTINGS``).

    A command prints its answer on stdout, and everything else by ``common.note`` and ``common.warn``. It
    raises ``typer.Exit(1)`` if the checked answer is no, and a HanasolveError for everything that is wrong.

Exit codes
    0 answered; 1 the checked answer is no; 2 bad input or usage; 3 a limit was hit before the proof; 130
    interrupted; 70 a fault of hanasolve itself (please report it).
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from hanasolve import __version__
from hanasolve.cli import common
from hanasolve.errors import HanasolveError

INTERRUPTED, FAULT = 130, 70

# name: (file in this folder, one line of help)
COMMANDS = {
    "max": ("max_cmd", "Proven best score of known decks."),
    "deduce": ("deduce", "Possibilities and probabilities of every card."),
    "analyze": ("analyze", "Value of every legal move."),
    "review": ("review", "A whole game, turn by turn."),
    "compare": ("compare", "Conventions in batch."),
    "conventions": ("conventions_cmd", "The conventions there are; a template; a check."),
    "variants": ("variants_cmd", "Suits, copies and touch rules of the variants."),
    "deal": ("deal", "The deck and the hands of a seed."),
    "convert": ("convert", "One format into another."),
    "koikoi": ("koikoi", "The second game: Hanafuda Koi-Koi."),
}
EPILOG = (
    "Every command also takes --quiet (no notes, warnings or progress) and --debug (tracebacks). "
    "Exit codes: 0 answered, 1 the checked answer is no, 2 bad input, 3 a limit was hit, 130 interrupted."
)


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    rest = list(sys.argv[1:] if args is None else args)
    rest = common.SETTINGS.take_from(rest)
    _prepare_streams()
    try:
        result = _application(rest)(args=rest or ["--help"], prog_name="hanasolve", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except HanasolveError as error:
        return _fail(str(error), error.exit_code, error)
    except (KeyboardInterrupt, typer.Abort) as error:
        return _fail("interrupted", INTERRUPTED, error)
    except BrokenPipeError:  # the reader of our output, e.g. `head`, has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if hasattr(error, "format_message"):  # a usage error of Typer
            return _fail(_usage(error), 2, error)
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        sentence = f"hanasolve has a fault ({what}); please report it with what --debug shows"
        return _fail(sentence, FAULT, error)


def _prepare_streams() -> None:
    """Never fail because a terminal lacks a character."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _fail(message: str, code: int, error: BaseException) -> int:
    if common.SETTINGS.debug:
        import traceback

        traceback.print_exception(error)
    print(f"error: {' '.join(message.split())}", file=sys.stderr)
    return code


def _usage(error: Any) -> str:
    """Typer's sentence about wrong usage, with the command that explains more."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "hanasolve"
    text = str(error.format_message()).replace("Value error, ", "").rstrip(". ")
    return f"{text[:1].lower()}{text[1:]} (see `{path} --help`)"


# ------------------------------------------------------------------------------------------ the commands


def available() -> list[str]:
    """The commands whose file exists."""
    return [name for name, (file, _) in COMMANDS.items() if importlib.util.find_spec(_module(file))]


def _module(file: str) -> str:
    return f"hanasolve.cli.{file}"


def _application(args: Sequence[str]) -> typer.Typer:
    """The Typer application. Only the called command's file is imported; the others are names and help."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, epilog=EPILOG)
    app.callback()(_root)
    called = next((word for word in args if not word.startswith("-")), None)
    for name in available():
        file, line = COMMANDS[name]
        if name != called:
            app.command(name=name, help=line)(_not_called)
            continue
        module = importlib.import_module(_module(file))
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name, short_help=line)
        else:
            app.command(name=name, short_help=line, epilog=EPILOG)(_command(module))
    return app


def _command(module: Any) -> Callable[..., Any]:
    command: Callable[..., Any] = module.command
    return command


def _not_called() -> None:
    """Stands for a command whose file is not imported, because another one was called."""


def _show_version(value: bool) -> None:
    if value:
        print(f"hanasolve {__version__}")
        raise typer.Exit()


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Hint-solver and strategy analyzer for Hanabi and Hanafuda Koi-Koi."""


if __name__ == "__main__":
    sys.exit(main())
