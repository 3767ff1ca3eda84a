"""Run a grid: compute what is missing, keep rows as they come, hand them on in the order of the keys."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hanasolve.batch.grid import Grid, Row
from hanasolve.batch.pool import DaskWorkers, LocalWorkers, Task, Workers, compute_all
from hanasolve.batch.progress import Progress
from hanasolve.batch.store import Store
from hanasolve.errors import NotationError
from hanasolve.jit import compile_from_now_on
from hanasolve.streams import tell

OnRows = Callable[[list[Row]], "bool | None"]


@dataclass(frozen=True)
class BatchRun:
    """What a run did, in keys: asked for, found in the file, computed now, handed on (fewer if stopped)."""

    keys: int
    resumed: int
    computed: int
    handed_on: int


def run_batch(
    grid: Grid,
    out: Path | None = None,
    *,
    jobs: int | None = 1,
    engine: str = "local",
    scheduler: str | None = None,
    on_rows: OnRows | None = None,
    progress: str | None = None,
    estimate: Callable[[], str] | None = None,
) -> BatchRun:
    """Compute the rows of a grid; the same rows and the same file whatever the number of workers.

    ``on_rows(rows)`` gets every chunk in the order of the keys, rows from ``out`` included, and may return
    True to stop. ``out`` (``.csv`` or ``.parquet``) keeps rows as they are finished; the same call computes
    only what is missing. ``jobs``: processes (0 or None: one for each core; 1: this one alone). ``engine`` "dask"
    uses the cluster at ``scheduler``. ``progress``: label of a bar on stderr, ``estimate()`` the text beside.

    KeyboardInterrupt goes on after what was finished has been kept and handed on, chunks that lie behind an
    unfinished one included. NotationError: ``out`` cannot be used.
    """
    if jobs is not None and jobs < 0:
        raise NotationError(f"--jobs: found {jobs}, expected 0 (all cores) or more")
    if engine not in ("local", "dask"):
        raise NotationError(f"--engine: found {engine!r}, expected local or dask")
    if (engine == "dask") != (scheduler is not None):
        raise NotationError("--engine dask and --scheduler ADDRESS (tcp://127.0.0.1:8786) go together")
    if out is None:
        return _Run(grid, None, on_rows).go(jobs, scheduler, progress, estimate)
    with Store(grid, Path(out)) as store:
        run = _Run(grid, store, on_rows)
        try:
            done = run.go(jobs, scheduler, progress, estimate)
        except KeyboardInterrupt:
            store.rescan()
            store.finish()
            raise
        store.finish(run.emitted if run.stopped else None)
        return done


def cores() -> int:
    """Cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


@contextmanager
def _interrupted_later() -> Iterator[None]:
    """Let Ctrl-C wait for the end of the block, which is short: a chunk is both kept and handed on, or neither."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Python tells the main thread alone
        return
    came: list[tuple[Any, ...]] = []
    before = signal.signal(signal.SIGINT, lambda *which: came.append(which))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and callable(before):
        before(*came[0])


_FEW = 16  # keys that may be answered sooner by plain Python than by loading what is compiled


class _Run:
    """The state of one run: chunks that are finished and not yet handed on."""

    def __init__(self, grid: Grid, store: Store | None, on_rows: OnRows | None) -> None:
        self.grid, self.store, self.on_rows = grid, store, on_rows
        self.ready: dict[int, tuple[Task, list[Row]]] = {}
        self.open_blocks = {block for block in range(grid.blocks) if store is None or store.missing(grid.block(block))}
        self.next_block = self.computed = self.emitted = 0
        self.stopped = False

    def go(
        self, jobs: int | None, scheduler: str | None, progress: str | None, estimate: Callable[[], str] | None
    ) -> BatchRun:
        resumed = self.store.resumed if self.store else 0
        if resumed and progress is not None:
            tell(f"note: {resumed} of {len(self.grid.keys)} were there already")
        self._hand_on()
        if len(self.grid.keys) > _FEW:
            compile_from_now_on()
        workers = None if self.stopped else self._workers(jobs, scheduler)
        with workers or nullcontext(), Progress(progress, len(self.grid.keys), estimate) as self.bar:
            self.bar.advance(resumed)
            finished = compute_all(self.grid, self._tasks(), workers)
            try:
                while not self.stopped and (done := next(finished, None)):
                    with _interrupted_later():
                        self._take(*done)
            except KeyboardInterrupt:
                self._hand_on(gaps=True)
                raise
        return BatchRun(len(self.grid.keys), resumed, self.computed, self.emitted)

    def _workers(self, jobs: int | None, scheduler: str | None) -> Workers | None:
        if scheduler is not None:
            return DaskWorkers(scheduler)
        count = min(jobs or cores(), len(self.open_blocks))
        if count <= 1:
            return None
        if self.grid.warm is not None:
            self.grid.warm(*self.grid.args)
        return LocalWorkers(count)

    def _tasks(self) -> Iterator[Task]:
        for block in range(self.grid.blocks):
            places = self.grid.block(block)
            missing = tuple(places if self.store is None else self.store.missing(places))
            if missing:
                yield Task(block, missing, tuple(self.grid.keys[place] for place in missing))

    def _take(self, task: Task, rows: list[Row]) -> None:
        self.grid.check_rows(task.keys, rows)
        if self.store is not None:
            self.store.append(task.places, rows)
        self.computed += len(task.keys)
        self.bar.advance(len(task.keys))
        self.ready[task.block] = task, rows
        self.open_blocks.discard(task.block)
        self._hand_on()

    def _hand_on(self, gaps: bool = False) -> None:
        """Give ``on_rows`` every chunk whose turn has come; with ``gaps``, all that are finished."""
        while not self.stopped and self.next_block < self.grid.blocks:
            block = self.next_block
            if block in self.open_blocks:
                if not gaps:
                    return
                self.next_block += 1
                continue
            rows = self._rows(block)
            self.next_block += 1
            self.emitted += len(self.grid.block(block))
            self.stopped = bool(self.on_rows is not None and self.on_rows(rows))

    def _rows(self, block: int) -> list[Row]:
        """All rows of a chunk; those of this run as they were computed, the others from the file."""
        places = self.grid.block(block)
        task, fresh = self.ready.pop(block, (None, []))
        if task is not None and len(task.places) == len(places):
            return fresh
        assert self.store is not None  # only a file can hold a part of a chunk
        each = self.grid.rows_per_key
        new = {} if task is None else {place: i * each for i, place in enumerate(task.places)}
        old_places = [place for place in places if place not in new]
        old_rows = self.store.rows(old_places)
        old = {place: i * each for i, place in enumerate(old_places)}
        rows: list[Row] = []
        for place in places:
            source, at = (fresh, new[place]) if place in new else (old_rows, old[place])
            rows += source[at : at + each]
        return rows
