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
    0 answered; 1 the checked answer is no; 2 bad input or usage, or output that cannot be written; 3 a limit was
    hit before the proof; 130 interrupted; 141 the reader of the output has gone; 70 a fault of hanasolve itself
    (please report it).

Typer takes 0.3 s before it calls a command. So the most common mistakes, an unknown command and a source that
cannot be read, are found here before Typer is imported; a command checks its input again.
"""

from __future__ import annotations

import errno
import importlib
import importlib.util
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Any

from hanasolve import __version__, streams
from hanasolve.errors import HanasolveError, NotationError, nearest, printable

INTERRUPTED, FAULT = 130, 70

# name: (file in this folder, one line of help)
COMMANDS = {
    "max": ("maximum", "Proven best score of known decks."),
    "deduce": ("deduce", "Possibilities and probabilities of every card."),
    "analyze": ("analyze", "Value of every legal move."),
    "review": ("review", "A whole game, turn by turn."),
    "compare": ("compare", "Conventions in batch."),
    "conventions": ("conventions", "The conventions there are; a template; a check."),
    "variants": ("variants", "Suits, copies and touch rules of the variants."),
    "deal": ("deal", "The deck and the hands of a seed."),
    "convert": ("convert", "One format into another."),
    "koikoi": ("koikoi", "The second game: Hanafuda Koi-Koi."),
    "warm-up": ("warm_up", "Compile ahead what long questions need."),
}
READ_SOURCES = ("max", "deduce", "analyze", "review", "deal", "convert")  # their words are sources
EPILOG = (
    "Every command also takes --quiet (no notes, warnings or progress) and --debug (tracebacks). "
    "Exit codes: 0 answered, 1 the checked answer is no, 2 bad input, 3 a limit was hit, 130 interrupted."
)
_REPEATABLE = ("--rule", "--option")
_SWITCHES = ("--quiet", "--debug")
_HELP = ("-h", "--help")
COMPLETE = "_HANASOLVE_COMPLETE"  # set by a shell that asks for completions
_COMPLETION = ("--install-completion", "--show-completion")
_SETTINGS: dict[str, Any] = {"add_completion": False, "rich_markup_mode": None, "epilog": EPILOG}
_CONTEXT = {"help_option_names": list(_HELP)}
USER_MODULE = "hanasolve_user_"  # how the modules of users' conventions are named
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_SMALL_FILE = 1 << 16  # bytes; larger files are only read by the command itself


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code. Whatever goes wrong is told, also Ctrl-C."""
    return streams.run(partial(_answer, *_take_switches(sys.argv[1:] if args is None else args)))


def _answer(words: Sequence[str], switches: Sequence[str]) -> int:
    """The exit code of one command line; every error becomes its sentence."""
    before = set(sys.modules)
    try:
        code = _run(words, "--quiet" in switches, "--debug" in switches)
        sys.stdout.flush()
        if code == INTERRUPTED:  # Typer takes a KeyboardInterrupt and ends without a word
            raise KeyboardInterrupt
        return code
    except (Exception, KeyboardInterrupt) as error:
        if "--debug" in switches:
            import traceback

            streams.tell("".join(traceback.format_exception(error)).rstrip())
        message, code = _explain(error, before)
        streams.tell(_folded(f"error: {printable(' '.join(message.split()))}"))
        return code


def _folded(text: str) -> str:
    """A sentence folded at words where stderr is a terminal; one line elsewhere."""
    if not streams.on_terminal():
        return text
    import shutil
    import textwrap

    width = max(20, shutil.get_terminal_size().columns)
    return textwrap.fill(text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _take_switches(args: Sequence[str]) -> tuple[list[str], list[str]]:
    """(the other arguments, ``--quiet`` and ``--debug``), which may stand anywhere before ``--``."""
    end = list(args).index("--") if "--" in args else len(args)
    words = [word for word in args[:end] if word not in _SWITCHES]
    return words + list(args[end:]), [word for word in args[:end] if word in _SWITCHES]


def _explain(error: BaseException, before: Collection[str]) -> tuple[str, int]:
    """The sentence and the exit code of an error; ``before``: the modules that were there before the command."""
    if isinstance(error, HanasolveError):
        return str(error), error.exit_code
    if isinstance(error, KeyboardInterrupt) or type(error).__name__ == "Abort":
        return "interrupted", INTERRUPTED
    if hasattr(error, "format_message"):  # a usage error of Typer
        return _usage(error), 2
    if isinstance(error, OSError) and error.filename is not None:  # every file that is not there was named by the user
        return f"{os.fsdecode(error.filename)}: {error.strerror}, expected a file that can be read or written", 2
    if isinstance(error, OSError) and error.errno in _FULL:
        return f"{error.strerror}: a file cannot be written whole, make room for it or choose another place", 2
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    users = [name for name in sys.modules if name.startswith(USER_MODULE) and name not in before]
    files = [str(sys.modules[name].__file__) for name in users]
    if files:
        check = f"`hanasolve conventions check {files[-1]}` finds the place, --debug shows where it came up here"
        return f"a convention of {', '.join(files)} failed ({what}): {check}", 2
    return f"hanasolve has a fault ({what}); please report it with what --debug shows", FAULT


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


def _run(words: Sequence[str], quiet: bool, debug: bool) -> int:
    """Run what the words name: help, the version or a command."""
    if COMPLETE in os.environ or (words and words[0] in _COMPLETION):
        try:
            return _call(_whole(), words, "hanasolve")
        except SystemExit as done:  # Typer leaves like this once it has answered the shell
            return done.code if isinstance(done.code, int) else 0
    if not words or words[0] in _HELP:
        return _call(_overview(), ["--help"], "hanasolve")
    if words[0] == "--version":
        print(f"hanasolve {__version__}")
        return 0
    name, rest = words[0], list(words[1:])
    known = available()
    if name not in known:
        close = nearest(name, known, 1)
        hint = f", did you mean {close[0]}?" if close else ""
        what = "option" if name.startswith("-") else "command"
        raise NotationError(f"no such {what} {name!r}{hint} (see `hanasolve --help`)")
    _refuse_early(name, rest)
    from hanasolve.cli import common

    common.SETTINGS.set(quiet, debug)
    return _call(*_application(name, rest))


def _call(app: Any, args: Sequence[str], name: str) -> int:
    result = app(args=list(args), prog_name=name, standalone_mode=False)
    return result if isinstance(result, int) else 0


def _application(name: str, rest: Sequence[str]) -> tuple[Any, list[str], str]:
    """The Typer application of one command, its arguments, and the name it goes by."""
    import typer

    module = importlib.import_module(_module(COMMANDS[name][0]))
    app = typer.Typer(**_SETTINGS, context_settings=_CONTEXT)
    if hasattr(module, "app"):
        app.callback()(_root)
        app.add_typer(module.app, name=name)
        if not rest and module.app.info.no_args_is_help is True:
            rest = ["--help"]  # a group without a word shows what there is
        return app, [name, *rest], "hanasolve"
    app.command(epilog=EPILOG, context_settings=_CONTEXT)(module.command)
    return app, list(rest), f"hanasolve {name}"


def _overview() -> Any:
    """A Typer application that knows all commands by name, to print their list."""
    import typer

    complete = "`hanasolve --install-completion` teaches your shell to complete commands and options. "
    app = typer.Typer(**{**_SETTINGS, "epilog": complete + EPILOG}, context_settings=_CONTEXT)
    app.callback()(_root)
    for name in available():
        app.command(name=name, help=COMMANDS[name][1])(_listed)
    return app


def _whole() -> Any:
    """All commands with their options, for the completion of a shell: bash, zsh, fish, PowerShell."""
    import typer

    app = typer.Typer(**{**_SETTINGS, "add_completion": True}, context_settings=_CONTEXT)
    app.callback()(_root)
    for name in available():
        module = importlib.import_module(_module(COMMANDS[name][0]))
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name, help=COMMANDS[name][1])
        else:
            app.command(name=name, help=COMMANDS[name][1], context_settings=_CONTEXT)(module.command)
    return app


def _root() -> None:
    """Hint-solver and strategy analyzer for Hanabi and Hanafuda Koi-Koi."""


def _listed() -> None:
    """Stands for a command in the list, so that its file need not be imported."""


# ----------------------------------------------------------------------------------------- early refusal


def _refuse_early(name: str, args: Sequence[str]) -> None:
    """Raise the errors that can be known before Typer is imported."""
    _check_once(args)
    if name in READ_SOURCES and not set(_HELP) & set(args):
        _check_variant(args)
        _check_sources(args)
    elif name == "variants":
        from hanasolve.answers.variants import search

        for word in _plain_words(args):
            search(word)


def _check_once(args: Sequence[str]) -> None:
    """Refuse an option that is given twice, of which one would be dropped unseen."""
    given = list(args)[: list(args).index("--")] if "--" in args else args
    names = [word.partition("=")[0] for word in given if word.startswith("--")]
    for name in names:
        if names.count(name) > 1 and name not in _REPEATABLE:
            raise NotationError(f"{name}: found {names.count(name)} times, expected once")


def _check_variant(args: Sequence[str]) -> None:
    """Raise the error of an unknown ``--variant``."""
    from hanasolve.hanabi.game.variants import load_variant

    variant = _value(args, "--variant")
    if variant is not None:
        load_variant(variant)


def _check_sources(args: Sequence[str]) -> None:
    """Raise the error of a source that cannot be read. What is not certainly a source is left alone."""
    words = list(_plain_words(args))
    if not words:
        return
    from hanasolve.hanabi.notation.source import is_small_or_no_file, read_source

    players = _value(args, "--players")
    if players is not None and not players.isdecimal():
        return
    for word in words:
        if is_small_or_no_file(word, _SMALL_FILE):
            given = None if players is None else int(players)
            for _ in read_source(word, players=given, variant=_value(args, "--variant")):
                if ".." in word:
                    break  # a range that can be read at its start can be read


def _plain_words(args: Sequence[str]) -> Iterator[str]:
    """The words that are neither options, nor perhaps an option's value, nor standard input."""
    before = ""
    for word in args:
        if word == "--":
            return
        if not word.startswith("-") and not before.startswith("-"):
            yield word
        before = word


def _value(args: Sequence[str], option: str) -> str | None:
    """The value of an option, None if it is not given (or not followed by a value)."""
    for index, word in enumerate(args):
        if word == option and index + 1 < len(args):
            return args[index + 1]
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return None


if __name__ == "__main__":
    sys.exit(main())
