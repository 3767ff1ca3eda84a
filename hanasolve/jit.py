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
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

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


def _load_without_blas() -> None:
    """Load numba's array functions without scipy.linalg, which costs more than the rest of numba.

    numba imports it with its first compiled function, only to see whether BLAS is there for ``np.dot``; no
    kernel here uses that. The block is lifted at once, so whoever needs scipy imports it as usual.
    """
    if "scipy.linalg" in sys.modules:
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]  # makes `import scipy.linalg` fail
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del sys.modules["scipy.linalg"]


_load_without_blas()

JIT_DISABLED = bool(numba.config.DISABLE_JIT)


def _compiled(function: Callable[..., Any], signatures: Any = None, **options: Any) -> Any:
    file = Path(function.__code__.co_filename)
    if not file.is_relative_to(_PACKAGE):
        options["boundscheck"] = True  # a user's index out of bounds is an error, not a dead process
    folder = _cache_folder(file)
    if folder:  # read by numba as it decorates; not by the environment: a child process may want another folder
        numba.config.CACHE_DIR = folder
    return numba.njit(signatures, cache=True, nogil=True, **options)(function)


def kernel(function: F) -> F:
    """Compile ``function`` on its first call: cached on disk, without the GIL, no object mode.

    No recursion in kernels: a cached self-recursive function can crash the next process.
    """
    return cast(F, _compiled(function))


def kernel_of(*signatures: Any) -> Callable[[F], F]:
    """As ``kernel``, compiled at once for these signatures only: what a first-class function argument needs.

    A function passed to a kernel as ``types.FunctionType`` keeps that kernel in the cache; see ``view.py``.
    """

    def decorate(function: F) -> F:
        return cast(F, _compiled(function, list(signatures)))

    return decorate


def inline_kernel(function: F) -> F:
    """As ``kernel``, for tiny helpers that LLVM should inline into their callers."""
    return cast(F, _compiled(function, forceinline=True))


def run_sliced(step: Callable[[], bool], keep_going: Callable[[], bool]) -> bool:
    """Call ``step`` (one bounded slice of a kernel, 50 to 100 ms) until it says it is done.

    Returns True when done, False when ``keep_going`` said stop between two slices. Between slices Python
    runs, so Ctrl-C arrives here as KeyboardInterrupt.
    """
    while not step():
        if not keep_going():
            return False
    return True
