"""Rows on disk while they are computed: appended as they come, safe against a kill at any time, resumed.

A journal in CSV holds the rows in the order in which they were finished. For ``.csv`` it is the file itself;
for ``.parquet`` it lies beside it as ``NAME.partial`` until all rows are there. What made the rows is kept in
``JOURNAL.meta.json``, and in the metadata of a Parquet file (``hanasolve``). At the end the rows are brought
into the order of the keys, in a new file that takes the place of the old one in one step.

A key counts as done when all its rows are there; a torn end of the journal is cut off. Rows of keys that the
grid does not ask for stay in the file, before the others.
"""

from __future__ import annotations

import csv
import json
import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice, pairwise
from pathlib import Path
from typing import IO, Any

from hanasolve import __version__
from hanasolve.batch.grid import Grid, Row
from hanasolve.errors import NotationError

_METADATA = b"hanasolve"
_ROW_GROUP = 50_000
_ABSENT = -1


class Store:
    """The rows of a grid in a file. Use as a context; ``finish`` completes the file."""

    def __init__(self, grid: Grid, path: Path) -> None:
        """Open or make the file; NotationError if it was made by something else, or is being written."""
        if path.suffix not in (".csv", ".parquet"):
            raise NotationError(f"{path}: expected a file name that ends in .csv or .parquet")
        if not path.parent.is_dir():
            raise NotationError(f"{path}: no such folder {path.parent}")
        self.grid, self.path = grid, path
        self.parquet = path.suffix == ".parquet"
        self.journal = path.with_name(path.name + ".partial") if self.parquet else path
        self.meta = self.journal.with_name(self.journal.name + ".meta.json")
        self.made_with = json.loads(json.dumps({"hanasolve": __version__, **grid.made_with}))
        self._places = {key: place for place, key in enumerate(grid.keys)}
        with _named(path):
            self._prepare()
        self.file: IO[bytes] = self.journal.open("r+b", buffering=0)
        _lock(self.file, path)
        self._scan()
        self.resumed = sum(offset != _ABSENT for offset in self.offsets)
        self._first_new = self.size

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    # ------------------------------------------------------------------------------------------ opening

    def _prepare(self) -> None:
        """Make sure that the journal is there, made by the same parameters."""
        if self.journal.exists():
            self._check(self._read_meta())
            return
        if self.parquet and self.path.exists():
            self._check(_parquet_meta(self.path))
        _write_whole(self.meta, json.dumps(self.made_with, indent=1).encode() + b"\n")
        if self.parquet and self.path.exists():
            _write_whole(self.journal, *self._journal_of(_parquet_rows(self.path)))
        else:
            _write_whole(self.journal, self._header())

    def _read_meta(self) -> Any:
        try:
            return json.loads(self.meta.read_text())
        except (OSError, ValueError):
            raise NotationError(
                f"{self.journal} is there, but {self.meta.name}, which says how it was made, cannot be read: "
                "choose another --out, or delete it"
            ) from None

    def _check(self, found: Any) -> None:
        if found == self.made_with:
            return
        found = found if isinstance(found, dict) else {}
        names = [*self.made_with, *(name for name in found if name not in self.made_with)]
        for name in names:
            ours, theirs = self.made_with.get(name), found.get(name)
            if ours != theirs:
                raise NotationError(
                    f"{self.path} was made with {name} {json.dumps(theirs)}, "
                    f"this run has {json.dumps(ours)}: choose another --out, or delete it"
                )

    # ---------------------------------------------------------------------------------------- the journal

    def _header(self) -> bytes:
        return (",".join(self.grid.columns) + "\n").encode()

    def _journal_of(self, rows: Iterator[Row]) -> Iterator[bytes]:
        yield self._header()
        while some := list(islice(rows, _ROW_GROUP)):
            yield self._lines(some)

    def _lines(self, rows: Iterable[Row]) -> bytes:
        lines = _Lines()
        writer = csv.writer(lines, lineterminator="\n")
        columns = self.grid.columns.items()
        writer.writerows([_cell(row.get(name), kind) for name, kind in columns] for row in rows)
        return "".join(lines).encode()

    def _scan(self) -> None:
        """Find where the rows of each key lie, and cut off a torn end."""
        self.offsets = array("q", [_ABSENT]) * len(self.grid.keys)
        self.foreign = array("q")  # rows of keys that this grid does not ask for
        column = list(self.grid.columns).index(self.grid.key)
        kind = self.grid.columns[self.grid.key]
        with self.journal.open("rb") as file:
            self._check_header(file.readline())
            end = file.tell()
            while group := self._whole_group(file):
                try:
                    key = kind(next(csv.reader([group[0].decode()]))[column])
                except (ValueError, IndexError):
                    raise self._no_row(group[0]) from None
                place = self._places.get(key)
                if place is None:
                    self.foreign.append(end)
                elif self.offsets[place] == _ABSENT:
                    self.offsets[place] = end
                end = file.tell()
        if self.file.seek(0, os.SEEK_END) > end:
            self.file.truncate(end)
            self.file.seek(end)
        self.size = end

    def _check_header(self, line: bytes) -> None:
        if line != self._header():
            raise NotationError(
                f"{self.journal}:1: found columns {line.decode(errors='replace').strip()!r}, "
                f"expected {self._header().decode().strip()!r}: choose another --out, or delete it"
            )

    def _no_row(self, line: bytes) -> NotationError:
        return NotationError(
            f"{self.journal}: found a row {line.decode(errors='replace').strip()!r}, "
            f"expected the columns {', '.join(self.grid.columns)}: choose another --out, or delete it"
        )

    def _whole_group(self, file: IO[bytes]) -> list[bytes]:
        """The lines of the next key, or nothing at the end or where the rest is torn."""
        group = [file.readline() for _ in range(self.grid.rows_per_key)]
        return group if all(line.endswith(b"\n") for line in group) else []

    def append(self, places: Sequence[int], rows: Sequence[Row]) -> None:
        """Add the rows of these keys, whole keys in their order, with one write."""
        each = self.grid.rows_per_key
        parts = [self._lines(rows[i * each : (i + 1) * each]) for i in range(len(places))]
        data = memoryview(b"".join(parts))
        with _named(self.path):
            while data:
                data = data[self.file.write(data) :]
        for place, part in zip(places, parts, strict=True):
            self.offsets[place] = self.size
            self.size += len(part)

    # ---------------------------------------------------------------------------------------- reading

    def missing(self, places: Iterable[int]) -> list[int]:
        """Those of the keys whose rows are not there."""
        return [place for place in places if self.offsets[place] == _ABSENT]

    def rows(self, places: Iterable[int]) -> list[Row]:
        """The rows of keys that are done, in the order given."""
        with self.journal.open("rb") as file:
            return list(self._read(file, (self.offsets[place] for place in places)))

    def _read(self, file: IO[bytes], offsets: Iterable[int]) -> Iterator[Row]:
        columns = self.grid.columns.items()
        for cells in csv.reader(line.decode() for line in self._raw(file, offsets)):
            try:
                yield {name: _value(text, kind) for (name, kind), text in zip(columns, cells, strict=True)}
            except ValueError:
                raise self._no_row(",".join(cells).encode()) from None

    def _raw(self, file: IO[bytes], offsets: Iterable[int]) -> Iterator[bytes]:
        at = file.tell()
        for offset in offsets:
            if offset != at:
                file.seek(offset)
            at = offset
            for _ in range(self.grid.rows_per_key):
                line = file.readline()
                at += len(line)
                yield line

    # ---------------------------------------------------------------------------------------- finishing

    def finish(self, stop: int | None = None) -> None:
        """Complete the file in the order of the keys.

        ``stop``: rows that this run computed for keys from that place on are dropped (a test had decided).
        Call it again, after ``rescan``, to complete what an interruption left.
        """
        kept = array("q")
        for place, offset in enumerate(self.offsets):
            if offset != _ABSENT and not (stop is not None and place >= stop and offset >= self._first_new):
                kept.append(offset)
        rising = all(first < second for first, second in pairwise(kept))
        complete = rising and self.size == self._first_new  # nothing was added
        with _named(self.path):
            os.fsync(self.file.fileno())
            if self.parquet:
                if not complete or not self.path.exists():
                    self._write_parquet(self.foreign + kept)
                self.journal.unlink()
                self.meta.unlink()
            elif not complete and not self._is_in_order(self.foreign + kept):
                with self.journal.open("rb") as file:
                    _write_whole(self.path, self._header(), *self._raw(file, self.foreign + kept))

    def rescan(self) -> None:
        """Trust the journal only: an interruption may have come between a write and the note of it."""
        self._scan()

    def _is_in_order(self, order: Sequence[int]) -> bool:
        """Whether the journal holds exactly these rows in this order."""
        with self.journal.open("rb") as file:
            at = len(file.readline())
            for offset in order:
                if offset != at:
                    return False
                at += sum(len(file.readline()) for _ in range(self.grid.rows_per_key))
        return at == self.size

    def _write_parquet(self, order: Sequence[int]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        kinds = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
        fields = [(name, kinds[kind]) for name, kind in self.grid.columns.items()]
        schema = pa.schema(fields, metadata={_METADATA: json.dumps(self.made_with).encode()})
        with (
            self.journal.open("rb") as file,
            _whole(self.path) as temporary,
            pq.ParquetWriter(temporary, schema) as writer,
        ):
            rows = self._read(file, order)
            while some := list(islice(rows, _ROW_GROUP)):
                writer.write_table(pa.Table.from_pylist(some, schema))


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Say which file it is that cannot be written."""
    try:
        yield
    except OSError as error:
        raise NotationError(f"{path}: cannot be written ({error.strerror})") from None


class _Lines(list[str]):
    """A list that a CSV writer can write to."""

    write = list.append


def _cell(value: Any, kind: type) -> str:
    """A value as CSV text that ``_value`` reads back unchanged."""
    if value is None:
        return ""
    if kind is float:
        return repr(float(value))
    if kind is bool:
        return "true" if value else "false"
    text = str(int(value)) if kind is int else str(value)
    if "\n" in text or "\r" in text:
        raise ValueError(f"a line break in {text!r}: a row must fit on one line")
    return text


def _value(text: str, kind: type) -> Any:
    if text == "":
        return None
    return text == "true" if kind is bool else kind(text)


def _parquet_meta(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_schema(path).metadata or {}
        return json.loads(metadata[_METADATA])
    except (KeyError, ValueError, pa.ArrowException):
        raise NotationError(
            f"{path} is there and was not made by this command: choose another --out, or delete it"
        ) from None


def _parquet_rows(path: Path) -> Iterator[Row]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(_ROW_GROUP):
            yield from batch.to_pylist()


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """A file to write that then takes the place of ``path``; of one that fails nothing is left."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _write_whole(path: Path, *parts: bytes) -> None:
    with _whole(path) as temporary, temporary.open("wb") as file:
        file.writelines(parts)


def _lock(file: IO[bytes], path: Path) -> None:
    """One run at a time on a file, where the system can tell (POSIX)."""
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise NotationError(f"{path}: another run is writing this file") from None
