"""The progress bar of a batch: on stderr, only where that is a terminal, with a running estimate."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

from hanasolve.streams import on_terminal


class Progress:
    """A bar from 0 to ``total`` keys. Without a ``label``, or without a terminal, it shows nothing.

    ``estimate()`` is asked now and then for the text at the end of the line.
    """

    def __init__(self, label: str | None, total: int, estimate: Callable[[], str] | None) -> None:
        self.estimate = estimate or (lambda: "")
        self.bar: Any = None
        if label is not None and on_terminal():
            self.bar = _make_bar()
            self.task = self.bar.add_task(label, total=total, estimate="")

    def __enter__(self) -> Progress:
        if self.bar is not None:
            self.bar.start()
        return self

    def advance(self, keys: int) -> None:
        if self.bar is not None:
            self.bar.update(self.task, advance=keys, estimate=self.estimate())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()


def _make_bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[estimate]}"),
        console=Console(stderr=True),
        transient=True,
    )
