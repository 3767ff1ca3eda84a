"""Where the chunks of a grid are computed: in this process, in a pool of processes, on a Dask cluster.

``compute_all`` yields finished tasks as they finish, in any order. A worker that dies costs time only: its
tasks are computed again. On Ctrl-C what is already finished is yielded before KeyboardInterrupt goes on.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from multiprocessing.connection import wait as wait_for_sentinel
from typing import Any, Protocol, TypeAlias

from hanasolve import __version__
from hanasolve.batch.grid import Grid, Key, Row
from hanasolve.errors import HanasolveError, NotationError
from hanasolve.jit import compile_from_now_on

MAX_AHEAD = 1000
"""Chunks that may be finished while an earlier one is still running: they wait in memory."""
MAX_DEATHS = 3
"""How often a pool is replaced whose worker died."""
_INTERRUPTIBLE = 0.2  # seconds: how long a wait goes on before Python looks for signals


@dataclass(frozen=True)
class Task:
    """The keys of a chunk that are to be computed; ``places`` are their places in ``Grid.keys``."""

    block: int
    places: tuple[int, ...]
    keys: tuple[Key, ...]


Done: TypeAlias = "tuple[Task, list[Row]]"


class Workers(Protocol):
    """Running workers, as a context. ``deadly``: errors that tell of a worker's death, not of a task's."""

    count: int
    deadly: tuple[type[BaseException], ...]

    def __enter__(self) -> object: ...
    def __exit__(self, *_: object) -> None: ...
    def submit(self, grid: Grid, keys: tuple[Key, ...]) -> Future[Any]: ...
    def restart(self) -> None: ...


@dataclass(frozen=True)
class _Refusal:
    """An error for the user, on its way from a worker (pickle cannot rebuild all of them)."""

    kind: type[HanasolveError]
    text: str
    fields: dict[str, Any]

    def error(self) -> HanasolveError:
        error = self.kind.__new__(self.kind)
        error.args = (self.text,)
        error.__dict__.update(self.fields)
        return error


def _compute(version: str, grid: Grid, keys: tuple[Key, ...]) -> list[Row] | _Refusal:
    """Run one task in a worker. ``grid`` comes without its keys."""
    compile_from_now_on()
    try:
        if version != __version__:
            raise HanasolveError(f"a worker has hanasolve {__version__}, this is {version}: use one version")
        return grid.run(list(keys), *grid.args)
    except HanasolveError as error:
        return _Refusal(type(error), str(error), dict(vars(error)))


def compute_all(grid: Grid, tasks: Iterator[Task], workers: Workers | None) -> Iterator[Done]:
    """Every task with its rows, as they finish. ``workers`` None: one after the other in this process."""
    if workers is not None:
        yield from _compute_with(grid, tasks, workers)
    else:
        for task in tasks:
            yield task, grid.run(list(task.keys), *grid.args)


def _compute_with(grid: Grid, tasks: Iterator[Task], workers: Workers) -> Iterator[Done]:
    bare = replace(grid, keys=(), warm=None)  # what travels to the workers with each task
    waiting: dict[Task, Future[Any]] = {}
    refused: tuple[int, _Refusal] | None = None
    deaths = 0
    while True:
        try:
            for task in _more(tasks, waiting, 2 * workers.count) if refused is None else ():
                waiting[task] = workers.submit(bare, task.keys)
            if not waiting:
                break
            for task, result in _finished(waiting):
                if not isinstance(result, _Refusal):
                    yield task, result
                elif refused is None or task.block < refused[0]:
                    refused = task.block, result
            if refused is not None:  # an earlier task may be refused as well: the first one counts
                waiting = {task: future for task, future in waiting.items() if task.block < refused[0]}
        except KeyboardInterrupt:
            yield from (done for done in _take_done(waiting) if not isinstance(done[1], _Refusal))
            raise
        except workers.deadly:
            deaths += 1
            if deaths > MAX_DEATHS:
                raise HanasolveError(
                    f"worker processes died {deaths} times (out of memory?): try fewer --jobs"
                ) from None
            workers.restart()
            waiting = {task: workers.submit(bare, task.keys) for task in waiting}
        except CancelledError:
            raise HanasolveError("the cluster is gone: start it again; with --out the run resumes") from None
    if refused is not None:
        raise refused[1].error()


def _more(tasks: Iterator[Task], waiting: dict[Task, Any], wanted: int) -> Iterator[Task]:
    """Further tasks until ``wanted`` are waiting, unless the oldest one lies too far behind."""
    newest = max((task.block for task in waiting), default=0)
    while len(waiting) < wanted:
        if waiting and newest - min(task.block for task in waiting) >= MAX_AHEAD:
            return
        task = next(tasks, None)
        if task is None:
            return
        newest = task.block
        yield task


def _finished(waiting: dict[Task, Future[Any]]) -> Iterator[tuple[Task, Any]]:
    """Wait until at least one task is finished, and take all that are."""
    while not wait(waiting.values(), _INTERRUPTIBLE, FIRST_COMPLETED).done:
        pass
    yield from _take_done(waiting)


def _take_done(waiting: dict[Task, Future[Any]]) -> Iterator[tuple[Task, Any]]:
    for task in [task for task, future in waiting.items() if future.done()]:
        result = waiting[task].result()  # a worker's death leaves the task in `waiting`
        del waiting[task]
        yield task, result


# ------------------------------------------------------------------------------------ processes here


class LocalWorkers:
    """A pool of processes on this machine.

    On Linux they are forked, so they have the parent's compiled kernels at once; elsewhere they start anew
    and load them from the cache. They ignore Ctrl-C (the parent decides) and end when the parent is gone.
    """

    deadly: tuple[type[BaseException], ...] = (BrokenExecutor,)

    def __init__(self, count: int) -> None:
        self.count = count

    def __enter__(self) -> LocalWorkers:
        """Start all processes at once, before the progress bar starts a thread."""
        context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        others = {child.pid for child in multiprocessing.active_children()}
        self.pool = ProcessPoolExecutor(self.count, context, initializer=_start_worker)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # fork beside NumPy's idle threads
            self.pool.submit(os.getpid)
        self.results: Any = getattr(self.pool, "_result_queue", None)
        self.children = [child for child in multiprocessing.active_children() if child.pid not in others]
        return self

    def __exit__(self, *_: object) -> None:
        """End them at once, whatever they are doing."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        for child in self.children:
            child.terminate()
        for child in self.children:
            child.join()
        if self.results is not None:
            # A worker that ended while it sent a result leaves half a message. The pool's thread would wait for the
            # rest for ever, and Python for that thread at exit, because this process can still write to that pipe.
            self.results._writer.close()

    def submit(self, grid: Grid, keys: tuple[Key, ...]) -> Future[Any]:
        return self.pool.submit(_compute, __version__, grid, keys)

    def restart(self) -> None:
        self.__exit__()
        self.__enter__()


def _start_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the parent ends them by it, also where it ignores it itself
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for_sentinel([parent.sentinel])
        os._exit(1)


# --------------------------------------------------------------------------------------------- cluster


class DaskWorkers:
    """A Dask cluster that is already running; the tasks of a worker that is killed go to another one."""

    def __init__(self, scheduler: str, retries: int = 3) -> None:
        try:
            from distributed import Client, KilledWorker
        except ImportError:
            raise NotationError("--engine dask needs the extra `cluster`: pip install 'hanasolve[cluster]'") from None
        try:
            self.client = Client(scheduler, timeout="10s")
        except (OSError, ValueError) as error:
            raise NotationError(f"--scheduler {scheduler}: no Dask scheduler answers ({error})") from None
        self.retries = retries
        self.deadly: tuple[type[BaseException], ...] = (KilledWorker,)
        self.count = max(1, sum(self.client.nthreads().values()))

    def __enter__(self) -> DaskWorkers:
        self.executor = self.client.get_executor(retries=self.retries, pure=False)
        return self

    def __exit__(self, *_: object) -> None:
        self.executor.shutdown(wait=False)
        self.client.close()

    def submit(self, grid: Grid, keys: tuple[Key, ...]) -> Future[Any]:
        future: Future[Any] = self.executor.submit(_compute, __version__, grid, keys)
        return future

    def restart(self) -> None:
        """Nothing to start: the cluster replaces its workers itself."""
