"""Where compiled kernels are kept: a folder for each source file, one process at a time compiling into it.

numba's file cache does not notice a change in another file that a kernel calls into. So every module with
kernels has a cache folder of its own, named by a hash of its source and of all sources of ours that it
imports, at whatever distance: an edit compiles anew what stands on it and nothing else. What is compiled is
said, with how far it is; a second process waits instead of compiling the same; a broken file is made anew; a
folder that cannot be written costs the time of compiling at every start, and is said once.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from hanasolve.streams import on_terminal, tell

try:
    import fcntl
except ImportError:  # Windows: two first runs at once may compile the same twice
    fcntl = None  # type: ignore[assignment]

_PACKAGE = Path(__file__).parent
_IMPORT = re.compile(
    r"^[ \t]*(?:from|import)[ \t]+hanasolve([\w.]*)(?:[ \t]+import[ \t]+(\([^)]*\)|.*))?", re.MULTILINE
)
_WEEK = 7 * 24 * 3600

@functools.cache
def _source(path: Path) -> bytes:
    return path.read_bytes()


@functools.cache
def _imported(path: Path) -> tuple[Path, ...]:
    """Our own source files that a file imports, anywhere in it."""
    found: list[Path] = []
    for match in _IMPORT.finditer(_source(path).decode("utf-8")):
        module = _PACKAGE.joinpath(*match[1].split("."))
        inside = re.findall(r"\w+", match[2] or "")  # of a package, each imported name may be a module
        names = [module, *(module / name for name in inside)]
        files = [file for name in names for file in (name.with_suffix(".py"), name / "__init__.py") if file.is_file()]
        moved = None if files else getattr(sys.modules.get(f"hanasolve{match[1]}"), "__file__", None)
        found += [Path(moved)] if moved else files  # moved: a user's file names it as it was called before
    return tuple(found)


@functools.cache
def source_hash(path: Path) -> str:
    """A hash of a source file, of all files of ours that it stands on, and of this Python."""
    stands_on, open_files = {path, _PACKAGE / "jit.py"}, [path]
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
def folder_of(path: Path) -> str:
    """The cache folder of a source file's kernels, made if need be.

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
            _prune(folder, name)
    except OSError as error:
        _say_not_kept(folder, error)
        return ""
    return str(folder)


def _prune(folder: Path, name: str) -> None:
    """Delete the folders of a file's old versions, but none that a running process may still use."""
    for stale in folder.parent.glob(f"{name}-*"):
        if stale != folder and time.time() - stale.stat().st_mtime > _WEEK:
            shutil.rmtree(stale, ignore_errors=True)


# ------------------------------------------------------------------------------------------ what is said


def say(text: str, end: str = "\n") -> None:
    """A note on stderr, unless ``--quiet``."""
    if not os.environ.get("HANASOLVE_QUIET"):
        tell(text, end)


@functools.cache
def _say_not_kept(folder: Path, error: OSError) -> None:
    why = error.strerror or str(error)
    say(
        f"note: compiled kernels cannot be kept in {folder.parent} ({why}): every start compiles them anew, "
        "10 to 60 s; HANASOLVE_CACHE names another folder"
    )


class _Report:
    """One note when compiling begins, and on a terminal a line that follows it."""

    def __init__(self) -> None:
        self.depth = self.done = self.total = 0
        self.open: list[_Lock | None] = []
        self.waiting: _Lock | None = None
        self.closing: _Lock | None = None

    def expect(self, kernels: int) -> None:
        """Told, before the outermost kernel compiles, how many it calls that are not there yet."""
        if self.depth == 0:
            self.total = self.done + kernels

    def begin(self, name: str) -> None:
        if self.depth == 0 and self.done == 0:
            say(
                "note: compiling kernels, once for this version: 5 to 60 seconds, by what is asked "
                "(`hanasolve warm-up` does it ahead)"
            )
        self.open.append(self.waiting)
        self.waiting = None
        self.depth += 1
        self._show(name)

    def end(self) -> None:
        self.depth -= 1
        self.done += 1
        self.close()
        self.closing = self.open.pop()  # until the kernel is saved
        if self.depth == 0:
            self._clear()

    def close(self) -> None:
        """Let others at the folder of what was compiled last: it is saved, or compiling it failed."""
        if self.closing is not None:
            self.closing.release()
            self.closing = None

    def _show(self, name: str) -> None:
        if on_terminal():
            total = max(self.total, self.done + self.depth)
            say(f"\r\x1b[2Kcompiling kernels: {self.done + 1} of {total} ({name})", end="")

    def _clear(self) -> None:
        if on_terminal():
            say("\r\x1b[2K", end="")


REPORT = _Report()


# ---------------------------------------------------------------------------------- one compiler at a time


class _Lock:
    """A lock on a cache folder that other processes respect."""

    def __init__(self, folder: str) -> None:
        self.file: IO[str] | None = None
        if fcntl is None:
            return
        try:
            self.file = open(Path(folder) / "lock", "w")
            try:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("note: waiting for another hanasolve that compiles the same kernels")
                fcntl.flock(self.file, fcntl.LOCK_EX)
        except OSError:  # a file system without locks
            self.release()

    def release(self) -> None:
        if self.file is not None:
            self.file.close()
            self.file = None


@functools.cache
def _held() -> set[str]:
    """The folders whose lock this process holds."""
    return set()


@functools.cache
def _cache_class() -> Any:
    """numba's file cache with locks, that mends broken files and survives a disk that is full."""
    from numba.core import event
    from numba.core.caching import FunctionCache

    class KeptCache(FunctionCache):  # type: ignore[misc]
        folder = ""

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            REPORT.close()
            found = self._load(sig, target_context)
            if found is None and self.folder and self.folder not in _held():
                REPORT.waiting = lock = _FolderLock(self.folder)
                found = self._load(sig, target_context)  # another process may have made it meanwhile
                if found is not None:
                    REPORT.waiting = None
                    lock.release()
            return found

        def _load(self, sig: Any, target_context: Any) -> Any:
            try:
                return super().load_overload(sig, target_context)
            except Exception:  # cut short or not ours: pickle raises whatever it stumbles over
                self._try(self.flush)
                return None

        def save_overload(self, sig: Any, data: Any) -> None:
            self._try(lambda: super(KeptCache, self).save_overload(sig, data))
            REPORT.close()

        def _try(self, write: Callable[[], None]) -> None:
            try:
                write()
            except OSError as error:
                _say_not_kept(Path(self.folder), error)

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            REPORT.begin(event.data["dispatcher"].py_func.__name__)

        def on_end(self, event: Any) -> None:
            REPORT.end()

    event.register("numba:compile", Listener())
    return KeptCache


class _FolderLock(_Lock):
    """The lock, noted as held by this process."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        super().__init__(folder)
        _held().add(folder)

    def release(self) -> None:
        _held().discard(self.folder)
        super().release()


def keep(dispatcher: Any, folder: str) -> None:
    """Let a dispatcher's compiled forms be kept in a folder of ``folder_of``."""
    try:
        cache = _cache_class()(dispatcher.py_func)
    except RuntimeError as error:  # numba finds no folder at all that it could write
        _say_not_kept(Path(folder or cache_root()), OSError(str(error)))
        return
    cache.folder = folder
    dispatcher._cache = cache
