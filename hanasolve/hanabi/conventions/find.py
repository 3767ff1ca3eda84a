"""From a name to a convention: the built-in ones, a user's Python file or TOML file, and searches on top of each."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from hanasolve.errors import NotationError, nearest
from hanasolve.hanabi.conventions.catalogue import BUILT_IN
from hanasolve.hanabi.conventions.convention import Convention

_HOUSE = "hanasolve.hanabi"
_MOVED = {  # what users' files of version 0.1 import
    "conventions.base": "conventions.convention",
    "conventions.kit": "conventions.tools.building_blocks",
    "rules": "game.rules",
    "view": "game.view",
}


def convention_names() -> list[str]:
    """The built-in conventions in the order of the catalogue."""
    return list(BUILT_IN)


def find_convention(text: str) -> Convention:
    """A built-in name, ``file.py:name``, ``file.py`` (its only convention), a rule list ``file.toml`` or
    ``search:NAME``."""
    if text in BUILT_IN:
        return BUILT_IN[text]
    path, _, member = text.partition(":")
    if path == "search":
        return _searching(text)
    if path.endswith(".py"):
        return _from_python(Path(path), member)
    if path.endswith(".toml"):
        from hanasolve.hanabi.conventions.rule_file import read_rule_list

        return read_rule_list(Path(path))
    close = nearest(text, convention_names())
    hint = f"; nearest: {', '.join(close)}" if close else ""
    raise NotationError(
        f"unknown convention {text!r}{hint} (`hanasolve conventions` lists all; files: mine.py:name)"
    )


def _searching(text: str) -> Convention:
    """``search:NAME`` or ``search:NAME:ROLLOUTS`` (rollouts of a move, default 2,000); NAME may be a file."""
    from hanasolve.hanabi.conventions.searching.searcher import ROLLOUTS, search_convention

    name, number = text.removeprefix("search:"), ""
    head, _, tail = name.rpartition(":")
    if head and (tail.isdecimal() or not head.endswith(".py")):
        name, number = head, tail
    if number and (not number.isdecimal() or int(number) < 1):
        raise NotationError(f"{text}: found {number!r}, expected rollouts of a move, such as search:info:500")
    blueprint = find_convention(name)
    if blueprint.open_hands or not blueprint.deterministic:
        why = "sees the own hand" if blueprint.open_hands else "rolls dice"
        raise NotationError(f"{text}: {name} {why}: a search needs a convention that does neither")
    called = f"search:{blueprint.name}:{number}" if number else f"search:{blueprint.name}"
    return search_convention(called, blueprint, int(number) if number else ROLLOUTS)


def _from_python(path: Path, member: str) -> Convention:
    file = _import_file(path)
    found = {name: value for name, value in vars(file).items() if isinstance(value, Convention)}
    if member:
        if member not in found:
            raise NotationError(f"{path}: no convention named {member!r}, found {_list(found)}")
        return replace(found[member], name=f"{path.stem}:{member}")
    if len(found) != 1:
        hint = f"; name it: {path}:{next(iter(found))}" if found else ""
        raise NotationError(f"{path}: expected one convention, found {_list(found)}{hint}")
    name, convention = next(iter(found.items()))
    return replace(convention, name=f"{path.stem}:{name}")


def _list(found: dict[str, Convention]) -> str:
    return ", ".join(found) or "none (NAME = Convention(...) at the top level of the file)"


def _import_file(path: Path) -> Any:
    if not path.is_file():
        raise NotationError(f"{path}: no such file")
    name = f"hanasolve_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise NotationError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    for old, new in _MOVED.items():
        sys.modules[f"{_HOUSE}.{old}"] = importlib.import_module(f"{_HOUSE}.{new}")
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        line = error.lineno if isinstance(error, SyntaxError) else _line_in(error, path)
        raise NotationError(f"{path}:{line}: {type(error).__name__}: {error}") from error
    return module


def _line_in(error: BaseException, path: Path) -> int:
    """The last line of the user's own file on the way to the error."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename) == path.resolve():
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
