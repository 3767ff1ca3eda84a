"""Code of a user that may never return: waited for only as long as it gets on, and Ctrl-C ends the wait."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_LOOK = 0.2  # seconds between two looks


class Stuck(Exception):
    """Nothing has moved for too long."""


def run_watched(call: Callable[[], Any], state: Callable[[], object], seconds: float) -> Any:
    """What ``call`` returns or raises, computed in a thread; Stuck if ``state()`` stays the same for ``seconds``.

    For compiled code that holds no lock of Python: it hears of no signal, a waiting main thread does. A thread
    that is given up goes on until the process ends.
    """
    answer: list[Any] = []
    fault: list[BaseException] = []

    def run() -> None:
        try:
            answer.append(call())
        except BaseException as error:
            fault.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    last, since = state(), time.monotonic()
    while thread.is_alive():
        thread.join(_LOOK)
        now = state()
        if now != last:
            last, since = now, time.monotonic()
        elif thread.is_alive() and time.monotonic() - since > seconds:
            raise Stuck
    if fault:
        raise fault[0]
    return answer[0]


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Stuck, raised inside the block, wherever it is, after so many seconds (0: never); for plain Python.

    Without effect outside the main thread and on systems without timers of this kind (Windows).
    """
    if seconds <= 0 or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: object) -> None:
        raise Stuck

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
