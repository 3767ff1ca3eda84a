"""What a batch computes: ordered keys, a function from some of them to rows, and what the rows hold.

The result of a key must depend on the key and the arguments alone. Then rows and files are the same whatever
the number of workers and the size of the chunks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from hanasolve.errors import NotationError

Key: TypeAlias = "str | int"
Row: TypeAlias = "dict[str, Any]"


@dataclass(frozen=True)
class Grid:
    """A grid of independent computations.

    ``run(keys, *args)`` gets at most ``chunk`` keys and returns ``rows_per_key`` rows for each of them, in
    their order; it is a function of a module and its arguments can be pickled. Every row holds its key in the
    column ``key``. ``columns`` (name: str, int, float or bool; missing values are None, an empty text counts
    as missing) is what files keep; other fields of a row are passed on and not kept, such as times.
    ``made_with``: the parameters, as JSON values, that decide what a row holds: a file made with others is
    refused. ``warm(*args)`` is called once before workers start, to compile kernels where all can use them.
    """

    keys: Sequence[Key]
    run: Callable[..., list[Row]]
    columns: Mapping[str, type]
    args: tuple[Any, ...] = ()
    key: str = "seed"
    chunk: int = 100
    rows_per_key: int = 1
    made_with: Mapping[str, Any] = field(default_factory=dict)
    warm: Callable[..., object] | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be run: no column for the key, chunks without keys, a key named twice."""
        if self.columns.get(self.key) not in (str, int):
            raise ValueError(f"columns: expected {self.key!r} of type str or int, found {dict(self.columns)}")
        if self.chunk < 1 or self.rows_per_key < 1:
            raise ValueError(f"expected chunk and rows_per_key >= 1, found {self.chunk}, {self.rows_per_key}")
        if len(set(self.keys)) < len(self.keys):
            seen: set[Key] = set()
            twice = next(key for key in self.keys if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            raise NotationError(f"{self.key} {twice} is named twice: expected each {self.key} once")

    @property
    def blocks(self) -> int:
        """Number of chunks; chunk b holds the keys from b * chunk on."""
        return -(-len(self.keys) // self.chunk)

    def block(self, index: int) -> range:
        """The places in ``keys`` of a chunk."""
        return range(index * self.chunk, min((index + 1) * self.chunk, len(self.keys)))

    def check_rows(self, keys: Sequence[Key], rows: Sequence[Row]) -> None:
        """Refuse rows that do not answer these keys in this order."""
        wanted = [key for key in keys for _ in range(self.rows_per_key)]
        if [row[self.key] for row in rows] != wanted:
            raise ValueError(f"{self.run.__name__} returned rows for other keys than it was given")
