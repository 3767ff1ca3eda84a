"""Kernels: plain Python first, compiled when it pays. The only file that decides which, and that configures numba.

Kernels are plain functions on records, arrays and integers. They run unchanged as plain Python, so records are
read as ``game["clues"]`` (an attribute would work only when compiled) and no ``uint64`` meets an ``int64`` (which
gives float64 there). Nearly every question that a person asks by hand is answered interpreted before a compiled
kernel could be loaded; ``HANASOLVE_JIT=compiled`` or ``=interpreted`` chooses for good. numba is imported when
something is compiled; ``kernel_cache.py`` keeps what is.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

from hanasolve.kernel_cache import REPORT, folder_of, keep

_PACKAGE = Path(__file__).parent
F = TypeVar("F", bound=Callable[..., Any])

JIT_DISABLED = os.environ.get("NUMBA_DISABLE_JIT") == "1"
INTERPRETED_SECONDS = 0.5
"""CPU time that a process spends on kernels as plain Python before it goes on compiled."""
_SLOWER = 200  # how many times longer a kernel takes as plain Python, roughly


class _Pace:
    """Whether this process still interprets, and since when."""

    def __init__(self) -> None:
        self.compiled = os.environ.get("HANASOLVE_JIT") == "compiled" and not JIT_DISABLED
        self.always = JIT_DISABLED or os.environ.get("HANASOLVE_JIT") == "interpreted"
        self.began: float | None = None
        self.inside = False  # a kernel is running, and what it calls runs as it does

    def is_spent(self) -> bool:
        now = time.process_time()
        if self.began is None:
            self.began = now
        return now - self.began > INTERPRETED_SECONDS


_PACE = _Pace()


def compile_from_now_on() -> None:
    """For what is long for certain: no kernel of this process is interpreted any more."""
    _PACE.compiled = not _PACE.always


def slice_size(compiled: int) -> int:
    """How much a call of a kernel may do (50 to 100 ms), from what is right where it is compiled."""
    return compiled if _PACE.compiled else max(1, compiled // _SLOWER)


@functools.cache
def _numba() -> Any:
    """numba, whose array functions are loaded without scipy.linalg, which costs more than the rest of it.

    numba imports it with its first compiled function, only to see whether BLAS is there for ``np.dot``; no
    kernel here uses that. The block is lifted at once, so whoever needs scipy imports it as usual.
    """
    import numba

    if "scipy.linalg" not in sys.modules:
        sys.modules["scipy.linalg"] = None  # type: ignore[assignment]  # makes `import scipy.linalg` fail
        try:
            importlib.import_module("numba.np.arraymath")
        finally:
            del sys.modules["scipy.linalg"]
    return numba


class Later:
    """An expression of numba's types, made when something is compiled: writing it down imports no numba."""

    def __init__(self, now: Callable[[], Any]) -> None:
        self.now = now

    def __call__(self, *others: Any) -> Later:
        return Later(lambda: self.now()(*map(_now, others)))

    def __getitem__(self, key: Any) -> Later:
        return Later(lambda: self.now()[key])


def _now(value: Any) -> Any:
    return value.now() if isinstance(value, Later) else value


class _Types:
    """``types.int64`` and all others of ``numba.types``, as expressions for later."""

    def __getattr__(self, name: str) -> Later:
        return Later(lambda: getattr(_numba().types, name))


types: Any = _Types()


def from_dtype(dtype: Any) -> Any:
    """numba's type of a record, for later."""
    return Later(lambda: _numba().from_dtype(dtype))


class Kernel:
    """A function that runs as plain Python or compiled; which of them, is decided here and nowhere else.

    A process begins interpreted: most questions are answered before a compiled kernel could be loaded. When
    ``INTERPRETED_SECONDS`` are spent, the next call from outside goes on compiled, on the same arrays. ``heavy``
    ones (whole games) are compiled however small the question.
    """

    def __init__(
        self, function: Callable[..., Any], signatures: Sequence[Any] | None, heavy: bool, options: dict[str, Any]
    ) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._signatures, self._heavy, self._options = signatures, heavy, options

    def __call__(self, *args: Any) -> Any:
        if _PACE.compiled:
            return self.compiled(*args) if self._signatures is None else self.compiled(*map(_bare, args))
        if _PACE.inside:
            return self.py_func(*args)
        return self._from_outside(args)

    def _from_outside(self, args: tuple[Any, ...]) -> Any:
        if not _PACE.always and (self._heavy or _PACE.is_spent()):
            compile_from_now_on()
            return self(*args)
        import numpy as np

        _PACE.inside = True
        try:
            with np.errstate(over="ignore"):  # sets and hashes wrap around, as compiled
                return self.py_func(*args)
        finally:
            _PACE.inside = False

    @functools.cached_property
    def compiled(self) -> Any:
        """numba's dispatcher, cached on disk, without the GIL, no object mode."""
        REPORT.expect(len(_called(self)))
        numba = _numba()
        file, options = Path(self.py_func.__code__.co_filename), dict(self._options)
        if not file.is_relative_to(_PACKAGE):
            options["boundscheck"] = True  # a user's index out of bounds is an error, not a dead process
        folder = folder_of(file)
        if folder:  # read by numba as it decorates; not by the environment: a child process may want another folder
            numba.config.CACHE_DIR = folder
        dispatcher = numba.njit(nogil=True, **options)(self.py_func)
        keep(dispatcher, folder)
        for signature in self._signatures or ():
            dispatcher.compile(_now(signature))
        if self._signatures is not None:
            dispatcher.disable_compile()
        return dispatcher

    @property
    def _numba_type_(self) -> Any:
        """What numba asks a function that a kernel calls: it is its compiled form."""
        return _numba().types.Dispatcher(self.compiled)


def _called(first: Kernel) -> set[int]:
    """The kernels that a kernel calls, at whatever distance, itself included, as far as they are not loaded."""
    found: set[int] = set()
    waiting: list[Any] = [first]
    while waiting:
        one = waiting.pop()
        if id(one) in found or "compiled" in vars(one):
            continue
        found.add(id(one))
        names, globals_ = one.py_func.__code__.co_names, one.py_func.__globals__
        modules = [globals_[name] for name in names if isinstance(globals_.get(name), ModuleType)]
        values = [globals_.get(name) for name in names]
        values += [vars(module).get(name) for module in modules for name in names]
        waiting += [value for value in values if isinstance(value, Kernel)]
    return found


def _bare(value: Any) -> Any:
    """An argument of a compiled kernel: another kernel is passed as its compiled form."""
    return value.compiled if isinstance(value, Kernel) else value


def kernel(function: F) -> F:
    """A kernel that is compiled for the types of its first call.

    No recursion in kernels: a cached self-recursive function can crash the next process.
    """
    return cast(F, Kernel(function, None, False, {}))


def kernel_of(*signatures: Any, heavy: bool = False) -> Callable[[F], F]:
    """As ``kernel``, compiled for these signatures only: what a first-class function argument needs.

    A function passed to a kernel as ``types.FunctionType`` keeps that kernel in the cache; see ``view.py``.
    ``heavy``: worth compiling whenever it is called.
    """

    def decorate(function: F) -> F:
        return cast(F, Kernel(function, signatures, heavy, {}))

    return decorate


def inline_kernel(function: F) -> F:
    """As ``kernel``, for tiny helpers that LLVM should inline into their callers."""
    return cast(F, Kernel(function, None, False, {"forceinline": True}))


def run_sliced(step: Callable[[], bool], keep_going: Callable[[], bool]) -> bool:
    """Call ``step`` (one bounded slice of a kernel, 50 to 100 ms) until it says it is done.

    Returns True when done, False when ``keep_going`` said stop between two slices. Between slices Python
    runs, so Ctrl-C arrives here as KeyboardInterrupt.
    """
    while not step():
        if not keep_going():
            return False
    return True
