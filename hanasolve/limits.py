"""How much work is allowed: one clock and one counter for a whole command, and what ends it where nobody looks.

A limit is wall-clock time from the moment it is made, or a number of nodes (states, games: whatever the work counts),
or neither. It is kept in three ways, one behind the other:

* work that lasts is cut into slices of 50 to 100 ms (``slices``, ``jit.run_sliced``) and asks between them;
* ``Limit.guard``, around a command, raises ``TimeUp`` in the main thread soon after the end, wherever that is: where
  kernels are compiled, in an endless loop of a user's Python. It goes the way of Ctrl-C, so what is done is kept;
* where Python is not reached, because compiled code does not return, the guard ends the process with one sentence, if
  the limit is that of a command and the process its own.

A part of the work that gets a part of the limit still names the limit that the user gave.
"""

from __future__ import annotations

import _thread
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from traceback import walk_stack, walk_tb
from types import FrameType
from typing import Any

from hanasolve.errors import HanasolveError, LimitReached, NotationError
from hanasolve.jit import slice_size
from hanasolve.streams import on_terminal, tell

CTRL_C = "Ctrl-C"
SLICE_SECONDS = 0.08
_SOON, _GRACE, _SHARE = 0.2, 0.8, 0.08  # seconds after the end: to ring, to end the process (or this share of it)
_LIMIT = re.compile(r"(?P<number>[0-9]{1,15}(?:\.[0-9]{1,6})?)\s*(?P<unit>ms|s|m|h|nodes?)", re.IGNORECASE)
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_SIGNAL = getattr(signal, "SIGALRM", signal.SIGTERM)  # of those that Windows has, the one that nobody sends there


class TimeUp(KeyboardInterrupt):
    """The time is over and the work did not look: raised by ``Limit.guard`` as Ctrl-C would be."""


class Limit:
    """What may be spent, on a clock that runs from the moment it is made; without arguments there is no end.

    ``str(limit)`` names it as the user gave it: "the limit of 5s".
    """

    def __init__(self, seconds: float | None = None, nodes: int | None = None, text: str = "") -> None:
        self.seconds, self.nodes, self.spent, self.share = seconds, nodes, 0, 1.0
        self.end = None if seconds is None else time.monotonic() + seconds
        self.grace = max(_GRACE, _SHARE * (seconds or 0.0))
        given = "" if nodes is None else f"{nodes}nodes"
        self.text = text or (given if seconds is None else f"{seconds:g}s")
        self.whole, self.noticed, self.of_command = self, False, False

    def __str__(self) -> str:
        if not self.text:
            return "the limit"
        half = self.share == 0.5 and self.whole.left != 0
        return f"half of the limit of {self.text}" if half else f"the limit of {self.text}"

    def again(self) -> Limit:
        """The same limit with a clock that starts now."""
        fresh = Limit(self.seconds, self.nodes, self.text)
        fresh.of_command = self.of_command
        return fresh

    def part(self, share: float = 1.0, nodes: int | None = None) -> Limit:
        """A limit for a part of the work: this share of the time that is left, and so many nodes (else all left).

        It counts its own nodes; where several parts share them, their sum is spent here too (``spend``).
        """
        part, left = Limit(text=self.text), self.left
        part.whole, part.share = self.whole, self.share * share
        part.end = None if left is None else time.monotonic() + share * left
        part.nodes = self.nodes_left if nodes is None else nodes
        return part

    def only_time(self) -> Limit:
        """A part with the same end and no bound of nodes."""
        part = self.part()
        part.nodes = None
        return part

    @property
    def left(self) -> float | None:
        """Seconds that are left; None without an end."""
        return None if self.end is None else max(0.0, self.end - time.monotonic())

    @property
    def nodes_left(self) -> int | None:
        """At least 1; None without a bound."""
        return None if self.nodes is None else max(1, self.nodes - self.spent)

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        if self.whole.left == 0:
            self.whole.noticed = True
        return self.left == 0

    @property
    def over(self) -> bool:
        """Whether the time or the nodes are used up."""
        return self.late or (self.nodes is not None and self.spent >= self.nodes)

    def spend(self, nodes: int) -> bool:
        """Count nodes; whether the work may go on."""
        self.spent += nodes
        return not (self.late or (self.nodes is not None and self.spent > self.nodes))

    def check(self, words: str) -> None:
        """LimitReached if the time is over; ``words`` follow the limit's name, as in ``reached``."""
        if self.late:
            raise self.reached(words)

    def reached(self, words: str) -> LimitReached:
        """The error "the limit of 5s" + ``words``, e.g. "came before any game was played"."""
        return LimitReached(f"{self} {words}", str(self))

    def guard(self) -> Guard:
        """Around a command: whatever it does ends about a second, or a tenth of the limit, after the limit's end."""
        return Guard(self)


def parse_limit(text: str | None) -> Limit:
    """That of a command: ``30s``, ``5m``, ``2000000nodes``; None = no limit. Its guard may end the process."""
    if text is None:
        return Limit()
    match = _LIMIT.fullmatch(text.strip())
    if match is None or float(match["number"]) <= 0:
        raise NotationError(f"--limit: found {text!r}, expected a number with its unit, e.g. 30s, 5m or 2000000nodes")
    unit, number = match["unit"].lower(), float(match["number"])
    if unit.startswith("node"):
        return Limit(nodes=int(number), text=text.strip())
    limit = Limit(number * _SECONDS[unit], text=text.strip())
    limit.of_command = True
    return limit


def stopped_by(stop: BaseException) -> str:
    """What ended the work, in words: the limit as it was given, or ``CTRL_C``."""
    if isinstance(stop, LimitReached):
        return stop.limit or "the limit"
    return str(stop) if isinstance(stop, TimeUp) else CTRL_C


def slices(count: int, first: int = 1) -> Iterator[slice]:
    """``range(count)`` in slices for one kernel call each, the first of this size; those after it take about
    ``SLICE_SECONDS``, by what the one before took."""
    done, size = 0, slice_size(first)
    while done < count:
        began = time.perf_counter()
        part = slice(done, min(done + size, count))
        yield part
        spent = max(time.perf_counter() - began, 1e-6)
        done, size = part.stop, max(1, min(4 * size, int(size * SLICE_SECONDS / spent)))


class Guard:
    """Rings the main thread when the limit is over, and ends the process of a command if that does not help.

    LimitReached if the block kept nothing of what was done. Without effect outside the main thread, which alone
    hears of signals.
    """

    def __init__(self, limit: Limit) -> None:
        self.limit, self.heard, self.rang, self.done = limit, False, False, threading.Event()
        self.thread = threading.Thread(target=self._stand_by, daemon=True)
        main = threading.current_thread() is threading.main_thread()
        self.active = main and limit.end is not None

    def __enter__(self) -> None:
        if self.active:
            self.handler, self.hook = signal.signal(_SIGNAL, self._ring), sys.unraisablehook
            sys.unraisablehook = self._lost
            self.thread.start()

    def __exit__(self, kind: object, stop: BaseException | None, *_: object) -> None:
        if self.active:
            self.done.set()
            self.thread.join()  # a ring after the next line would end the process
            signal.signal(_SIGNAL, self.handler if self.handler is not None else signal.SIG_DFL)
            sys.unraisablehook = self.hook
        broken = self.rang and isinstance(stop, Exception) and not isinstance(stop, HanasolveError)
        if stop is not None and (broken or isinstance(stop, TimeUp)):
            raise self.limit.reached(_nothing([frame for frame, _ in walk_tb(stop.__traceback__)])) from stop

    def _ring(self, _: int, frame: FrameType | None) -> None:
        frames = [] if frame is None else [one for one, _ in walk_stack(frame)]
        leaving = bool(frames) and frames[0].f_code is Guard.__exit__.__code__
        if not (leaving or self.heard or self.done.is_set() or any(map(_is_callback, frames))):
            self.heard = self.rang = True
            raise TimeUp(str(self.limit))

    def _lost(self, lost: Any) -> None:
        """What is raised in a destructor is lost: ring again."""
        if isinstance(lost.exc_value, TimeUp):
            self.heard = False
        else:
            self.hook(lost)

    def _stand_by(self) -> None:
        limit = self.limit
        self.done.wait((limit.left or 0.0) + _SOON)
        if limit.noticed:  # the work ends by itself
            self.done.wait(limit.grace / 2)
        assert limit.end is not None
        while not self.done.wait(0.05):
            if limit.of_command and time.monotonic() > limit.end + limit.grace:
                _end_process(limit)
            if not self.heard:
                _interrupt_main_thread()


def _is_callback(frame: FrameType) -> bool:
    """Whether the compiler calls back here: what is raised would be lost, and leave half a kernel."""
    return frame.f_code.co_name.startswith("_raw_object_cache")


def _nothing(frames: list[FrameType]) -> str:
    """What to say where nothing is kept."""
    if any(frame.f_code.co_name == "_compile_core" for frame in frames):  # numba's
        return "ended the compilation of kernels, which is done once for this version: give more time"
    return "came before there was an answer: give more time"


def _interrupt_main_thread() -> None:
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, _SIGNAL)  # also wakes it from waiting for a pipe
    else:
        _thread.interrupt_main(_SIGNAL)


def _end_process(limit: Limit) -> None:
    """Compiled code that does not return holds the main thread; nothing that it would still do matters."""
    at = sys._current_frames()[threading.main_thread().ident or 0]
    if on_terminal():
        tell("\x1b[?25h")  # the cursor, which a line of progress hides
    tell(f"error: {limit} {_nothing([frame for frame, _ in walk_stack(at)])}")
    try:
        sys.stdout.flush()
    finally:
        os._exit(LimitReached.exit_code)
