"""Is a convention sound? Games that look for illegal moves, crashes, leaks and differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hanasolve.answers.answer import Answer
from hanasolve.errors import NotationError

if TYPE_CHECKING:
    from hanasolve.batch.soundness import Check

_TABLES = (2, 3, 4, 5)  # where a check plays, unless told otherwise


@dataclass(frozen=True)
class CheckAnswer(Answer):
    """What was found; ``found.ok`` if nothing is wrong, ``found.problems`` otherwise."""

    schema = "hanasolve.conventions-check/1"
    found: Check

    def record(self) -> dict[str, Any]:
        """The fields of ``--json``."""
        found = self.found
        return {
            "convention": found.name,
            "ok": found.ok,
            "games": found.games,
            "leaks_checked": found.leaks_checked,
            "means": [
                {"players": players, "games": one.n, "mean_keep": one.mean, "se_keep": one.se if one.n > 1 else None}
                for players, one in found.means.items()
            ],
            "games_per_second_plain": found.plain_per_second,
            "games_per_second": found.compiled_per_second,
            "problems": [vars(problem) for problem in found.problems],
        }


def check_convention(
    convention: str, *, games: int = 200, players: int | None = None, variant: str | None = None
) -> CheckAnswer:
    """Play about ``games`` games of a ``convention`` (a name, ``mine.py``, ``mine.py:name``, ``mine.toml``).

    ``players``: only so many; None: 2 to 5, as far as the convention is made for them. The games are those of the
    seeds s1, s2, …; speeds are in games a second. NotationError: no such convention, variant or number of games;
    UnsupportedVariant: it was not made for the table.
    """
    from hanasolve.batch.games import find_conventions
    from hanasolve.batch.soundness import check_convention
    from hanasolve.hanabi.game.variants import NO_VARIANT, load_variant

    if games < 1:
        raise NotationError(f"--games: found {games}, expected at least 1")
    (named,) = find_conventions([convention])
    able = named.convention.players
    counts = [players] if players is not None else [count for count in _TABLES if count in able] or list(able)
    kind = load_variant(NO_VARIANT if variant is None else variant)
    return CheckAnswer(check_convention(named, kind, counts, games))
