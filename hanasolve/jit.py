"""The only file that configures numba: cache folder, the ``kernel`` decorator, sliced runs.

Kernels are plain functions on records, arrays and integers. They run unchanged with
``NUMBA_DISABLE_JIT=1``, so records are read as ``game["clues"]`` (an attribute would work only when
compiled) and no ``uint64`` meets an ``int64`` (which gives float64 without the JIT).

numba's file cache does not notice a change in another file that a kernel calls into, so the cache folder is
named by a hash of both games' sources: an edit anywhere starts a new folder. Importing this module imports
numba (0.2 s): command files import it, and what needs it, inside their functions.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

_PACKAGE = Path(__file__).parent
_KEPT_CACHES = 4
_WEEK = 7 * 24 * 3600

F = TypeVar("F", bound=Callable[..., Any])


def _source_hash() -> str:
    digest = hashlib.sha256(sys.version.encode())
    sources = [Path(__file__), *_PACKAGE.glob("hanabi/**/*.py"), *_PACKAGE.glob("koikoi/**/*.py")]
    for path in sorted(sources):  # all of both games: kernels also freeze constants of files without kernels
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The user's cache folder of hanasolve (``HANASOLVE_CACHE`` overrides it)."""
    chosen = os.environ.get("HANASOLVE_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "hanasolve"


def _cache_folder() -> str:
    """This version's cache folder, made if need be; says once that kernels are being compiled.

    Empty: numba's own choice stays (the user has set NUMBA_CACHE_DIR, or the home is read-only).
    """
    if os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("NUMBA_DISABLE_JIT") == "1":
        return ""
    flavour = "-checked" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else ""
    folder = cache_root() / f"kernels-{_source_hash()}{flavour}"
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True)
            if not os.environ.get("HANASOLVE_QUIET"):
                print("note: compiling kernels, once for this version (a few seconds)", file=sys.stderr)
            _prune(folder.parent)
    except OSError:
        return ""
    return str(folder)


def _prune(root: Path) -> None:
    """Delete caches of old versions, but none that a running process may still use."""
    folders = sorted(root.glob("kernels-*"), key=lambda path: path.stat().st_mtime, reverse=True)
    for stale in folders[_KEPT_CACHES:]:
        if time.time() - stale.stat().st_mtime > _WEEK:
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
_folder = _cache_folder()
if _folder:  # not by the environment: a child process may want other checks and then another folder
    numba.config.CACHE_DIR = _folder

JIT_DISABLED = bool(numba.config.DISABLE_JIT)


def kernel(function: F) -> F:
    """Compile ``function`` on its first call: cached on disk, without the GIL, no object mode.

    No recursion in kernels: a cached self-recursive function can crash the next process.
    """
    return cast(F, numba.njit(cache=True, nogil=True)(function))


def kernel_of(*signatures: Any) -> Callable[[F], F]:
    """As ``kernel``, compiled at once for these signatures only: what a first-class function argument needs.

    A function passed to a kernel as ``types.FunctionType`` keeps that kernel in the cache; see ``view.py``.
    """
    decorate = numba.njit(list(signatures), cache=True, nogil=True)
    return cast(Callable[[F], F], decorate)


def inline_kernel(function: F) -> F:
    """As ``kernel``, for tiny helpers that LLVM should inline into their callers."""
    return cast(F, numba.njit(cache=True, nogil=True, forceinline=True)(function))


def run_sliced(step: Callable[[], bool], keep_going: Callable[[], bool]) -> bool:
    """Call ``step`` (one bounded slice of a kernel, 50 to 100 ms) until it says it is done.

    Returns True when done, False when ``keep_going`` said stop between two slices. Between slices Python
    runs, so Ctrl-C arrives here as KeyboardInterrupt.
    """
    while not step():
        if not keep_going():
            return False
    return True
