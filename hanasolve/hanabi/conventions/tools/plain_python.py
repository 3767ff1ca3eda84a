"""Kernels as plain Python: what ``jit=False`` runs, so that a debugger sees every line and value.

A compiled kernel that is called from plain Python returns sets as Python integers, which ``~`` makes
negative. So nothing that a convention calls stays compiled: each module involved is mirrored once, with every
kernel replaced by the function it was compiled from. The mirrored functions keep their code objects: file and
line of an error are those of the source. Records are given as dictionaries of their fields, because reading
a field of a NumPy record takes a microsecond.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from hanasolve.errors import nearest
from hanasolve.hanabi.game.rules import GAME, RULES
from hanasolve.hanabi.game.view import VIEW

_OWN = "hanasolve"
_mirrors: dict[int, tuple[dict[str, Any], ModuleType]] = {}  # by id of the module's globals, kept alive


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with all kernels that it calls, directly or not, as plain Python."""
    source = getattr(function, "py_func", function)
    if not isinstance(source, FunctionType):
        return function
    mirrored = FunctionType(
        source.__code__,
        _mirror(source.__globals__).__dict__,
        source.__name__,
        source.__defaults__,
        source.__closure__,
    )
    mirrored.__kwdefaults__ = source.__kwdefaults__
    return mirrored


def _mirror(names: dict[str, Any]) -> ModuleType:
    """The module of these globals, kernels replaced; its functions share one dictionary as in the original."""
    known = _mirrors.get(id(names))
    if known is not None:
        return known[1]
    copy = ModuleType(str(names.get("__name__", "")))
    _mirrors[id(names)] = names, copy
    copy.__dict__.update(names)
    for name, value in names.items():
        copy.__dict__[name] = _replacement(value, names)
    return copy


def _replacement(value: Any, names: dict[str, Any]) -> Any:
    """What stands for a global: kernels and functions that may call some are mirrored, the rest is kept."""
    if isinstance(getattr(value, "py_func", None), FunctionType):
        return plain(value)
    if isinstance(value, FunctionType) and value.__globals__ is names:
        return plain(value)
    own = isinstance(value, ModuleType) and value.__name__.startswith(f"{_OWN}.")
    if own and value is not sys.modules[__name__]:
        return _mirror(value.__dict__)
    return value


_CONSTANT = frozenset(RULES.names or ()) - frozenset(GAME.names or ())  # fields of a VIEW that never change
_KEPT_RECORDS = 64


class PlainRecord(dict[str, Any]):
    """A record as a dictionary: arrays share its memory; numbers are read and written through."""

    def __init__(self, record: Any) -> None:
        super().__init__()
        fields = np.asarray(record)
        self.record = record
        self._cells = {name: fields[name] for name in fields.dtype.names or ()}
        for name, cell in self._cells.items():
            if cell.ndim > 0:
                super().__setitem__(name, cell)
        self._constant = _CONSTANT if fields.dtype == VIEW else frozenset()
        self._numbers = {name: cell.item for name, cell in self._cells.items() if cell.ndim == 0}

    def __missing__(self, name: str) -> Any:
        if name not in self._numbers:
            close = nearest(str(name), list(self._cells))
            hint = f"nearest: {', '.join(close)}" if close else f"there are: {', '.join(self._cells)}"
            raise KeyError(f"no field {name!r}; {hint}")
        value = self._numbers[name]()
        if name in self._constant:
            super().__setitem__(name, value)
        return value

    def __setitem__(self, name: str, value: Any) -> None:
        self._cells[name][...] = value


_records: dict[tuple[int, int], PlainRecord] = {}


def plain_record(record: Any) -> PlainRecord:
    """The record as a dictionary; the last ones asked for are kept."""
    if isinstance(record, PlainRecord):
        return record
    key = np.asarray(record).ctypes.data, record.itemsize
    known = _records.get(key)
    if known is None:
        if len(_records) >= _KEPT_RECORDS:
            _records.clear()
        known = _records[key] = PlainRecord(record)
    return known


def plain_on_records(function: Callable[..., Any]) -> Callable[..., Any]:
    """``plain`` for a function of records only, which may be given as dictionaries."""
    inner = plain(function)

    @wraps(inner)
    def run(*records: Any) -> Any:
        return inner(*map(plain_record, records))

    return run
