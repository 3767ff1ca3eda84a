"""Jobs for the tests: functions of a module, so that workers can import them."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hanasolve.batch import Grid
from hanasolve.errors import IllegalAction

COLUMNS = {"seed": str, "score": int, "share": float, "won": bool, "reason": str}


def row(key: str, number: int = 0) -> dict[str, Any]:
    value = sum(key.encode()) * 7919 % 26 + number
    reason = None if value > 12 else f'both "{key}", gone'
    return {"seed": key, "score": value, "share": value / 3, "won": value > 20, "reason": reason}


def rows(keys: Sequence[str], folder: str = "", each: int = 1) -> list[dict[str, Any]]:
    """Rows of each key; with a folder, every computed key leaves a mark there."""
    if folder:
        for key in keys:
            with (Path(folder) / "computed").open("a") as file:
                file.write(f"{key}\n")
    return [row(key, number) for key in keys for number in range(each)]


def uneven(keys: Sequence[str]) -> list[dict[str, Any]]:
    """Rows that take the longer the earlier the key."""
    time.sleep(max(0.0, 0.05 - 0.002 * int(keys[0][1:])))
    return rows(keys)


def slow(keys: Sequence[str], seconds: float) -> list[dict[str, Any]]:
    time.sleep(seconds)
    return rows(keys)


def slow_first(keys: Sequence[str], seconds: float) -> list[dict[str, Any]]:
    """Rows at once, but for the first key."""
    return slow(keys, seconds if keys[0] == "s1" else 0.01)


def slow_last(keys: Sequence[str], seconds: float) -> list[dict[str, Any]]:
    """Rows at once for the first key alone."""
    return slow(keys, 0.0 if keys[0] == "s1" else seconds)


def leave_pid(keys: Sequence[str], folder: str) -> list[dict[str, Any]]:
    """Slow rows; the process leaves its number."""
    (Path(folder) / str(os.getpid())).touch()
    return slow(keys, 0.1)


def refuse(keys: Sequence[str], bad: str) -> list[dict[str, Any]]:
    if bad in keys:
        raise IllegalAction(f"convention x, seed {bad}, turn 3: nothing of the kind", "no_clue_token")
    return rows(keys)


def bulky(keys: Sequence[str]) -> list[dict[str, Any]]:
    """Rows that do not fit into a pipe at once: the worker is nearly always sending."""
    return [row(key) | {"reason": key * 1_000_000} for key in keys]


def die_once(keys: Sequence[str], mark: str) -> list[dict[str, Any]]:
    """The process that finds no mark leaves one and dies."""
    if "s7" in keys and not Path(mark).exists():
        Path(mark).write_text("dead")
        os._exit(9)
    return rows(keys)


def die(keys: Sequence[str]) -> list[dict[str, Any]]:
    os._exit(9)


def grid(count: int, run: Any = rows, *args: Any, chunk: int = 7, **more: Any) -> Grid:
    keys = [f"s{number}" for number in range(1, count + 1)]
    return Grid(keys, run, COLUMNS, args, chunk=chunk, **more)
