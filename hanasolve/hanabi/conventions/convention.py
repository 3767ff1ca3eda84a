"""What a convention is.

A convention is two functions over records (``hanasolve.hanabi.game.view``): ``decide(view, memory)`` returns the
action of the player to move (encoded by ``kit``), ``update(view, memory, event)`` takes note of the START of
a game and of every public action. This module imports no numba: listing conventions is cheap, and a
convention's file is imported when its functions are asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from hanasolve.errors import UnsupportedVariant
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.variants import UP, Variant

_PLAYERS = "hanasolve.hanabi.conventions.players"


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

    ``module``: the file of ``players/`` that holds ``decide`` and ``update``; or ``pair``, for functions
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
            file = importlib.import_module(f"{_PLAYERS}.{self.module}")
            decide, update = file.decide, file.update
        else:
            decide, update = self.pair
        if jit:
            return _compiled(decide, update)
        from hanasolve.hanabi.conventions.tools.plain_python import plain_on_records

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
    from hanasolve.hanabi.game.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
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


def named_convention(
    name: str, *, decide: Callable[..., Any], update: Callable[..., Any], about: str = "", **fields: Any
) -> Convention:
    """A user's convention from two functions: ``named_convention("mine", decide=f, update=g,
    about="...")``."""
    return Convention(name, about, pair=(decide, update), **fields)
