"""What a command shows on stderr while it works, where that is a terminal and nothing was said of ``--quiet``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanasolve.cli.common import SETTINGS

if TYPE_CHECKING:
    from hanasolve.batch.progress import Progress


class ShownProgress:
    """A bar for what is being done, the next one when something else begins: a ``Progress`` of ``answers``."""

    def __init__(self) -> None:
        self.bar: Progress | None = None
        self.what, self.done, self.total = "", 0, 0

    def __enter__(self) -> ShownProgress:
        return self

    def __call__(self, what: str, done: int, total: int) -> None:
        """So much of it is done, of so much."""
        from hanasolve.batch.progress import Progress

        if self.bar is None or (what, total) != (self.what, self.total):
            self.__exit__()
            self.what, self.done, self.total = what, 0, total
            self.bar = Progress(None if SETTINGS.quiet else what, total, None)
            self.bar.__enter__()
        self.bar.advance(done - self.done)
        self.done = done

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.__exit__(None, None, None)
