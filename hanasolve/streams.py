"""Standard input, output and error as a shell may hand them over: closed, full, or with nobody at the other end.

Notes are not the answer: what cannot be written to stderr is lost, and changes neither the answer nor its exit code.
A stream that the shell closed leads nowhere. An answer that cannot be written ends the run: without a word where its
reader has gone, as `head` does, else with a sentence.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TextIO, cast

from hanasolve.errors import NotationError

READER_GONE, NOT_WRITTEN = 141, 2  # 128 + SIGPIPE, as a shell says it; the code of --out files that cannot be written


class OutputLost(BaseException):
    """Standard output cannot be written (errno, strerror): not the fault of who wrote, so no Exception."""


def tell(text: str, end: str = "\n") -> None:
    """A line on stderr, as far as there is one."""
    if sys.stderr is not None:  # print would take stdout for None
        with suppress(OSError, ValueError):
            print(text, end=end, file=sys.stderr, flush=True)


def on_terminal() -> bool:
    """Whether stderr is a terminal, which can show progress."""
    return sys.stderr is not None and sys.stderr.isatty()


def read_input(stdin: TextIO | None, expected: str) -> str:
    """All of standard input; NotationError, which says what was ``expected``, if there is none or it is no text."""
    if stdin is None:
        raise NotationError(f"found no standard input, expected {expected}")
    try:
        return stdin.read()
    except UnicodeDecodeError as error:
        raise NotationError(f"found bytes that are no UTF-8 text at {error.start}, expected text") from None
    except OSError as error:
        raise NotationError(f"found no readable standard input ({error.strerror}), expected {expected}") from None


def run(command: Callable[[], int]) -> int:
    """The exit code of a command that prints, whatever its streams are."""
    before = sys.stdout, sys.stderr
    _open_missing()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal may lack a character
    output = _Output(sys.stdout)
    sys.stdout = cast(TextIO, output)
    try:
        code = command()
        output.flush()
        return code
    except OutputLost as lost:
        number, reason = lost.args
        if number == errno.EPIPE:
            return READER_GONE
        tell(f"error: standard output cannot be written: {reason}")
        return NOT_WRITTEN
    finally:
        _empty(output.stream)
        _empty(sys.stderr)
        sys.stdout, sys.stderr = before


def _open_missing() -> None:
    """Give closed streams an end, here and in processes that start; no file of ours may get one of their numbers."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # it gets the lowest number that is free
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))


class _Output:
    """A text stream that raises OutputLost, at the write or flush that fails."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        return int(self._try(self.stream.write, text))

    def flush(self) -> None:
        self._try(self.stream.flush)

    def _try(self, call: Callable[..., Any], *args: str) -> Any:
        try:
            return call(*args)
        except OSError as error:
            _discard(self.stream)
            raise OutputLost(error.errno, error.strerror) from None


def _empty(stream: TextIO) -> None:
    """Write what is waiting; Python would try it once more at its end, and complain."""
    try:
        stream.flush()
    except OSError:
        _discard(stream)


def _discard(stream: TextIO) -> None:
    """Let what is still to be written to a broken stream vanish."""
    with suppress(OSError, AttributeError):  # a stream in memory has no number
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
