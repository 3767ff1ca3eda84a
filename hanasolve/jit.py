"""The only file that configures numba: cache folders, the ``kernel`` decorators, sliced runs.

Kernels are plain functions on records, arrays and integers. They run unchanged with
``NUMBA_DISABLE_JIT=1``, so records are read as ``game["clues"]`` (an attribute would work only when
compiled) and no ``uint64`` meets an ``int64`` (which gives float64 without the JIT).

numba's file cache does not notice a change in another file that a kernel calls into. So every module with
kernels has a cache folder of its own, named by a hash of its source and of all sources of ours that it
imports, at whatever distance: an edit compiles anew what stands on it and nothing else. Importing this module
imports numba (0.2 s): command files import it, and what needs it, inside their functions.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

_PACKAGE = Path(__file__).parent
_IMPORT = re.compile(
    r"^[ \t]*(?:from|import)[ \t]+hanasolve([\w.]*)(?:[ \t]+import[ \t]+(\([^)]*\)|.*))?", re.MULTILINE
)
_WEEK = 7 * 24 * 3600

F = TypeVar("F", bound=Callable[..., Any])


@functools.cache
def _source(path: Path) -> bytes:
    return path.read_bytes()


@functools.cache
def _imported(path: Path) -> tuple[Path, ...]:
    """Our own source files that a file imports, anywhere in it."""
    found = []
    for match in _IMPORT.finditer(_source(path).decode("utf-8")):
        module = _PACKAGE.joinpath(*match[1].split("."))
        inside = re.findall(r"\w+", match[2] or "")  # of a package, each imported name may be a module
        for name in [module, *(module / name for name in inside)]:
            found += [file for file in (name.with_suffix(".py"), name / "__init__.py") if file.is_file()]
    return tuple(found)


@functools.cache
def source_hash(path: Path) -> str:
    """A hash of a source file, of all files of ours that it stands on, and of this Python."""
    stands_on, open_files = {path, Path(__file__)}, [path]
    while open_files:
        for file in _imported(open_files.pop()):
            if file not in stands_on:
                stands_on.add(file)
                open_files.append(file)
    digest = hashlib.sha256(sys.version.encode())
    for file in sorted(stands_on):  # also files without kernels: kernels freeze their constants
        digest.update(file.name.encode() + b"\0" + _source(file))
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The user's cache folder of hanasolve (``HANASOLVE_CACHE`` overrides it)."""
    chosen = os.environ.get("HANASOLVE_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "hanasolve"


@functools.cache
def _cache_folder(path: Path) -> str:
    """The cache folder of a source file's kernels, made if need be; says once that kernels are being compiled.

    Empty: numba's own choice stays (the user has set NUMBA_CACHE_DIR, or the home is read-only).
    """
    if os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("NUMBA_DISABLE_JIT") == "1":
        return ""
    flavour = "-checked" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else ""
    inside = path.is_relative_to(_PACKAGE)
    name = ".".join(path.relative_to(_PACKAGE).with_suffix("").parts) if inside else path.stem
    folder = cache_root() / "kernels" / f"{name}-{source_hash(path)}{flavour}"
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True)
            _say_compiling()
            _prune(folder, name)
    except OSError:
        return ""
    return str(folder)


@functools.cache
def _say_compiling() -> None:
    if not os.environ.get("HANASOLVE_QUIET"):
        print("note: compiling kernels, once for this version (a few seconds)", file=sys.stderr)


def _prune(folder: Path, name: str) -> None:
    """Delete the folders of a file's old versions, but none that a running process may still use."""
    for stale in folder.parent.glob(f"{name}-*"):
        if stale != folder and time.time() - stale.stat().st_mtime > _WEEK:
            shutil.rmtree(stale, ignore_errors=True)


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
        numba = _numba()
        file, options = Path(self.py_func.__code__.co_filename), dict(self._options)
        if not file.is_relative_to(_PACKAGE):
            options["boundscheck"] = True  # a user's index out of bounds is an error, not a dead process
        folder = _cache_folder(file)
        if folder:  # read by numba as it decorates; not by the environment: a child process may want another folder
            numba.config.CACHE_DIR = folder
        signatures = None if self._signatures is None else [_now(one) for one in self._signatures]
        return numba.njit(signatures, cache=True, nogil=True, **options)(self.py_func)

    @property
    def _numba_type_(self) -> Any:
        """What numba asks a function that a kernel calls: it is its compiled form."""
        return _numba().types.Dispatcher(self.compiled)


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
