"""The fields of one table of a comparison. What cannot be computed is null."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from hanasolve import stats
    from hanasolve.batch.comparison import Comparison, ConventionResult, Pair
    from hanasolve.batch.running_scores import Until
    from hanasolve.hanabi.game.options import Options

Link: TypeAlias = "Callable[[str, str], str | None]"
"""From a convention's name and a seed to the address that shows the game."""


def table_record(found: Comparison, link: Link) -> dict[str, Any]:
    """The fields of one table (variant and number of players), without NaN."""
    plain: dict[str, Any] = _without_nan(
        {
            "players": found.options.players, "variant": found.variant.name, "rules": _rules(found.options),
            "scoring": found.scoring, "seeds": {"first": found.seeds[0], "last": found.seeds[1]},
            "games": found.games, "interrupted": found.interrupted, "interval_note": found.interval_label or None,
            "conventions": [_convention(one, found, link) for one in found.results],
            "pairs": [_pair(pair, found, link) for pair in found.pairs],
            "groups": [_group(found.group)] if found.group is not None else [],
            "sequential": None if found.until is None else _sequential(found, found.until),
        }
    )  # fmt: skip
    return plain


def _rules(options: Options) -> dict[str, Any]:
    """The rules that differ between published results."""
    return {
        "strikes": options.strikes_max, "discard_at_max": options.discard_at_max, "empty_clues": options.empty_clues,
        "clues": options.clues_max, "hand_size": options.cards_per_hand,
    }  # fmt: skip


def _convention(one: ConventionResult, found: Comparison, link: Link) -> dict[str, Any]:
    sums = one.summary
    return {
        "name": one.name, "label": one.label or None,
        "mean_zero": sums.zero.mean, "se_zero": sums.zero.se, "mean_keep": sums.keep.mean, "se_keep": sums.keep.se,
        "minimum": sums.minimum,
        **_rate("perfect", sums.perfect_rate, sums.perfect_interval, found), "perfect_games": sums.perfect,
        **_rate("strikeouts", sums.strikeout_rate, sums.strikeout_interval, found), "strikeout_games": sums.strikeouts,
        "histogram": list(sums.histogram), "turns": one.turns, "games_per_second": one.games_per_second,
        "search": None if one.search is None else vars(one.search), "scores": list(one.scores) or None,
        "worst": [{"seed": seed, "score": score, "url": link(one.name, seed)} for seed, score in one.worst],
    }  # fmt: skip


def _rate(name: str, rate: float, interval: stats.Interval, found: Comparison) -> dict[str, Any]:
    """A share of the games with its interval."""
    low, high = interval if found.has_intervals else (None, None)
    return {name: rate, f"{name}_low": low, f"{name}_high": high}


def _pair(pair: Pair, found: Comparison, link: Link) -> dict[str, Any]:
    one, rates, mcnemar = pair.paired, pair.perfect, pair.mcnemar
    shown = found.has_intervals
    return {
        "a": pair.a, "b": pair.b, "difference": one.difference, "se": one.se,
        "low": one.low if shown else None, "high": one.high if shown else None, "p": one.p if shown else None,
        "p_holm": pair.p_holm, "correlation": one.correlation, "variance_ratio": one.variance_ratio,
        "mcnemar_p": mcnemar.exact_p,
        "mcnemar": {
            "only_a_perfect": mcnemar.c, "only_b_perfect": mcnemar.b,
            "mid_p": mcnemar.mid_p, "chi_square": mcnemar.chi_square,
        },
        "perfect_difference": rates.difference,
        "perfect_low": rates.low if shown else None, "perfect_high": rates.high if shown else None,
        "verdict": pair.verdict,
        "most_different": [
            {"seed": seed, "a": a, "b": b, "url_a": link(pair.a, seed), "url_b": link(pair.b, seed)}
            for seed, a, b in pair.different
        ],
    }  # fmt: skip


def _group(group: stats.Group) -> dict[str, Any]:
    meaning = "not separable from the best (95 %)"
    return {"meaning": meaning, "members": list(group.members), "c": group.c, "least": group.least}


def _sequential(found: Comparison, until: Until) -> dict[str, Any]:
    from hanasolve.sequential import GO_ON, gsprt_bounds

    test = found.test
    lower, upper = gsprt_bounds(until.alpha, until.beta)
    return {
        **vars(until),
        "llr": None if test is None else test.llr, "approximation": None if test is None else test.approximation,
        "lower": lower, "upper": upper, "decision": GO_ON if test is None else test.decision, "games": found.games,
    }  # fmt: skip


def _without_nan(value: Any) -> Any:
    """The same with None for every NaN, also inside lists and objects."""
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, dict):
        return {name: _without_nan(part) for name, part in value.items()}
    return [_without_nan(part) for part in value] if isinstance(value, list) else value
