"""What a convention is, the registry of the built-in ones, and the loader of a user's own.

A convention is two functions over records (``hanasolve.hanabi.view``): ``decide(view, memory)`` returns the
action of the player to move (encoded by ``kit``), ``update(view, memory, event)`` takes note of the START of
a game and of every public action. This module imports no numba: listing conventions is cheap, and a
convention's file is imported when its functions are asked for.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from hanasolve.errors import NotationError, UnsupportedVariant, nearest
from hanasolve.hanabi.options import Options
from hanasolve.hanabi.variants import UP, Variant

_PACKAGE = "hanasolve.hanabi.conventions"


MAX_SETUP = 128
"""Places of ``memory["setup"]``."""
SEARCH_COST = ("searched", "rollouts", "deviations", "clues_only")
"""What a search counts in each game: moves searched, games played out for them, moves changed, and searched
moves whose hands were drawn from the clues only."""


class Functions(NamedTuple):
    """A convention's pair: compiled with the fixed signatures of ``view``, or plain Python.

    ``cost``: for a search, SEARCH_COST of the game so far.
    """

    decide: Callable[..., Any]
    update: Callable[..., Any]
    cost: Callable[[], tuple[int, ...]] | None = None


@dataclass(frozen=True)
class Convention:
    """A convention and what must be known to play and to rank it.

    ``module``: the file of ``conventions/`` that holds ``decide`` and ``update``; or ``pair``, for functions
    given directly; or ``build``, which makes a fresh pair, never compiled, for each table. ``setup``:
    constants written to ``memory["setup"]`` before each game. ``shared``: the notes are public, so one MEMORY
    may serve all seats. ``open_hands``: sees the own hand; never ranked with others. ``plain_suits``: knows
    only suits built upwards that their own colour alone touches. ``rollouts``: of a move, where it searches.
    """

    name: str
    about: str
    source: str = ""
    module: str = ""
    pair: tuple[Callable[..., Any], Callable[..., Any]] | None = None
    build: Callable[[], Functions] | None = None
    players: tuple[int, ...] = (2, 3, 4, 5, 6)
    deterministic: bool = True
    open_hands: bool = False
    shared: bool = False
    plain_suits: bool = True
    setup: tuple[float, ...] = ()
    rollouts: int = 0

    def __post_init__(self) -> None:
        """Refuse what a user's file may get wrong, where the file says it."""
        if not isinstance(self.name, str) or not self.name.strip() or not self.name.isprintable():
            raise ValueError(f"name: found {self.name!r}, expected a text of one line")
        if not isinstance(self.players, (tuple, list)) or not all(isinstance(n, int) for n in self.players):
            raise ValueError(f"players: found {self.players!r}, expected numbers such as (2, 3, 4, 5)")
        if self.pair is not None and not (len(self.pair) == 2 and all(map(callable, self.pair))):
            raise ValueError(f"decide and update: found {self.pair!r}, expected two functions")
        if not isinstance(self.setup, (tuple, list)) or not all(isinstance(n, (int, float)) for n in self.setup):
            raise ValueError(f"setup: found {self.setup!r}, expected numbers such as (0.5, 2.0)")
        if len(self.setup) > MAX_SETUP:
            raise ValueError(f"setup: found {len(self.setup)} numbers, expected at most {MAX_SETUP}")

    @property
    def label(self) -> str:
        """The words that must stand beside its results, or nothing."""
        return "open hands: ideal communication" if self.open_hands else ""

    def functions(self, jit: bool = True) -> Functions:
        """The two functions, compiled, or plain with all that they call."""
        if self.build is not None:
            return self.build()
        if self.pair is None:
            file = importlib.import_module(f"{_PACKAGE}.{self.module}")
            decide, update = file.decide, file.update
        else:
            decide, update = self.pair
        if jit:
            return _compiled(decide, update)
        from hanasolve.hanabi.conventions.plain import plain_on_records

        return Functions(plain_on_records(decide), plain_on_records(update))

    def check_table(self, variant: Variant, options: Options) -> None:
        """Refuse a table that this convention was not made for."""
        if options.players not in self.players:
            known = ", ".join(map(str, self.players))
            raise UnsupportedVariant(
                f"convention {self.name} is for {known} players, not {options.players}: choose another "
                f"--players"
            )
        if self.plain_suits and not has_plain_suits(variant):
            raise UnsupportedVariant(
                f"convention {self.name} does not know the suits of {variant.name}: it needs suits of 1 "
                f"to 5 that "
                "are built upwards and that their own colour alone touches (No Variant, 6 Suits)"
            )


def _compiled(decide: Callable[..., Any], update: Callable[..., Any]) -> Functions:
    from hanasolve.hanabi.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
    from hanasolve.jit import kernel_of

    if not hasattr(decide, "py_func"):
        decide = kernel_of(DECIDE_SIGNATURE)(decide)
    if not hasattr(update, "py_func"):
        update = kernel_of(UPDATE_SIGNATURE)(update)
    return Functions(decide, update)


def has_plain_suits(variant: Variant) -> bool:
    """Whether colour i touches exactly suit i, number v the cards of number v, and all suits go up from 1."""
    suits, ranks = len(variant.suits), len(variant.ranks)
    if variant.ranks != (1, 2, 3, 4, 5) or variant.clue_ranks != (1, 2, 3, 4, 5):
        return False
    if any(order != UP for order in variant.orders) or len(variant.clue_colors) != suits:
        return False
    colors = all(mask == (2**ranks - 1) << (ranks * s) for s, mask in enumerate(variant.color_touch))
    column = sum(1 << (ranks * s) for s in range(suits))
    numbers = all(mask == column << index for index, mask in enumerate(variant.rank_touch))
    return colors and numbers and not variant.flags


# --- the built-in ones -----------------------------------------------------------------------------------

_REGISTRY: dict[str, Convention] = {}


def _built_in() -> dict[str, Convention]:
    if not _REGISTRY:
        from hanasolve.hanabi.conventions.catalogue import CATALOGUE

        _REGISTRY.update({convention.name: convention for convention in CATALOGUE})
    return _REGISTRY


def convention_names() -> list[str]:
    """The built-in conventions in the order of the catalogue."""
    return list(_built_in())


def find_convention(text: str) -> Convention:
    """A built-in name, ``file.py:name``, ``file.py`` (its only convention), a rule list ``file.toml`` or
    ``search:NAME``."""
    if text in _built_in():
        return _built_in()[text]
    path, _, member = text.partition(":")
    if path == "search":
        from hanasolve.hanabi.conventions.search import search_convention

        return search_convention(text)
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


def named_convention(
    name: str, *, decide: Callable[..., Any], update: Callable[..., Any], about: str = "", **fields: Any
) -> Convention:
    """A user's convention from two functions: ``named_convention("mine", decide=f, update=g,
    about="...")``."""
    return Convention(name, about, pair=(decide, update), **fields)
