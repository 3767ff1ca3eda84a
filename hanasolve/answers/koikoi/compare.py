"""Strategies in matches over the same deals, with both seats."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from hanasolve.answers.answer import Answer
from hanasolve.answers.koikoi.reading import at_least
from hanasolve.errors import NotationError

if TYPE_CHECKING:
    from hanasolve.koikoi.play.matches import Match
    from hanasolve.limits import Limit

SIMULATION = "simulation result: mean and standard error over pairs of matches"


@dataclasses.dataclass(frozen=True)
class Matches(Answer):
    """A result for each pairing. ``options``: the rules; ``played`` of ``asked`` pairs of matches are done."""

    schema: ClassVar[str] = "koikoi-compare/1"
    results: tuple[Match, ...]
    seed: int
    options: dict[str, Any]
    played: int
    asked: int
    stopped: str

    def record(self) -> dict[str, Any]:
        return {
            "meaning": SIMULATION,
            "results": [_fields(match) for match in self.results],
            "seed": self.seed,
            "options": self.options,
            **({"stopped": self.stopped} if self.stopped else {}),
        }


def compare(
    strategies: Sequence[str],
    *,
    pairs: int = 1000,
    rounds: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    limit: Limit | None = None,
    preset: str = "nintendo",
    changes: Mapping[str, object] | None = None,
) -> Matches:
    """Every pairing of ``strategies`` over the same deals: points a match and a round with standard errors.

    A strategy is CARDS+CALL, such as ``progress+t7h5``, or FILE.py:CLASS. ``pairs``: pairs of matches of ``rounds``
    rounds for every pairing, seats exchanged in the second, the deals by ``seed``. ``jobs``: processes, 0: all cores;
    the answer does not depend on them. ``changes``: options on top of the ``preset``, nintendo or koikoi-ai.

    At the ``limit`` what is played is compared (``stopped``); LimitReached where that is nothing. NotationError for
    strategies that there are not, UnsupportedVariant for options.
    """
    at_least(1, pairs=pairs)
    at_least(0, seed=seed, jobs=jobs)
    if len(strategies) < 2:
        raise NotationError(f"found {len(strategies)} strategy, expected two or more")
    from hanasolve.koikoi.game.options import complete
    from hanasolve.koikoi.play.matches import compare as play_all
    from hanasolve.limits import Limit

    limit = limit or Limit()
    changes = dict(changes or {})
    if rounds is not None and str(changes.setdefault("rounds", rounds)) != str(rounds):
        raise NotationError(f"rounds: found {rounds} and the option rounds={changes['rounds']}, expected one of them")
    options = complete(preset, changes)
    found = play_all(list(strategies), pairs, seed, preset, options, jobs or -1, limit)
    played, asked = sum(match.pairs for match in found), pairs * math.comb(len(strategies), 2)
    return Matches(tuple(found), seed, dict(options), played, asked, str(limit) if played < asked else "")


def _fields(match: Match) -> dict[str, Any]:
    fields = {name: _finite(value) for name, value in dataclasses.asdict(match).items()}
    return {"a": match.a, "b": match.b, "matches": match.matches, **fields}


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value
