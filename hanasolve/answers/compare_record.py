"""The fields of one table of a comparison. What cannot be computed is null."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from hanasolve import stats
    from hanasolve.batch.comparison import Comparison, ConventionResult, Pair
    from hanasolve.hanabi.game.options import Options

Link: TypeAlias = "Callable[[str, str], str | None]"
"""From a convention's name and a seed to the address that shows the game."""


def table_record(found: Comparison, link: Link) -> dict[str, Any]:
    """The fields of one table (variant and number of players), without NaN."""
    fields: dict[str, Any] = {
        "players": found.options.players,
        "variant": found.variant.name,
        "rules": _rules(found.options),
        "scoring": found.scoring,
        "seeds": {"first": found.seeds[0], "last": found.seeds[1]},
        "games": found.games,
        "interrupted": found.interrupted,
        "interval_note": found.interval_label or None,
        "conventions": [_convention(one, found, link) for one in found.results],
        "pairs": [_pair(pair, found, link) for pair in found.pairs],
        "groups": [_group(found.group)] if found.group is not None else [],
        "sequential": _sequential(found),
    }
    plain: dict[str, Any] = _without_nan(fields)
    return plain


def _rules(options: Options) -> dict[str, Any]:
    """The rules that differ between published results."""
    return {
        "strikes": options.strikes_max,
        "discard_at_max": options.discard_at_max,
        "empty_clues": options.empty_clues,
        "clues": options.clues_max,
        "hand_size": options.cards_per_hand,
    }


def _convention(one: ConventionResult, found: Comparison, link: Link) -> dict[str, Any]:
    summary = one.summary
    return {
        "name": one.name,
        "label": one.label or None,
        "mean_zero": summary.zero.mean,
        "se_zero": summary.zero.se,
        "mean_keep": summary.keep.mean,
        "se_keep": summary.keep.se,
        "minimum": summary.minimum,
        **_rate("perfect", summary.perfect, summary.perfect_rate, summary.perfect_interval, found),
        **_rate("strikeout", summary.strikeouts, summary.strikeout_rate, summary.strikeout_interval, found),
        "histogram": list(summary.histogram),
        "turns": one.turns,
        "games_per_second": one.games_per_second,
        "search": None if one.search is None else vars(one.search),
        "scores": list(one.scores) or None,
        "worst": [
            {"seed": seed, "score": score, "url": link(one.name, seed)} for seed, score in one.worst
        ],
    }


def _rate(name: str, games: int, rate: float, interval: stats.Interval, found: Comparison) -> dict[str, Any]:
    """A share of the games: ``perfect``, or ``strikeouts`` for the name ``strikeout``."""
    low, high = interval if found.has_intervals else (math.nan, math.nan)
    key = "strikeouts" if name == "strikeout" else name
    return {key: rate, f"{key}_low": low, f"{key}_high": high, f"{name}_games": games}


def _pair(pair: Pair, found: Comparison, link: Link) -> dict[str, Any]:
    one, rates = pair.paired, pair.perfect
    shown = found.has_intervals
    return {
        "a": pair.a,
        "b": pair.b,
        "difference": one.difference,
        "se": one.se,
        "low": one.low if shown else None,
        "high": one.high if shown else None,
        "p": one.p if shown else None,
        "p_holm": pair.p_holm,
        "correlation": one.correlation,
        "variance_ratio": one.variance_ratio,
        "mcnemar_p": pair.mcnemar.exact_p,
        "mcnemar": {
            "only_a_perfect": pair.mcnemar.c,
            "only_b_perfect": pair.mcnemar.b,
            "mid_p": pair.mcnemar.mid_p,
            "chi_square": pair.mcnemar.chi_square,
        },
        "perfect_difference": rates.difference,
        "perfect_low": rates.low if shown else None,
        "perfect_high": rates.high if shown else None,
        "verdict": pair.verdict,
        "most_different": [
            {"seed": seed, "a": a, "b": b, "url_a": link(pair.a, seed), "url_b": link(pair.b, seed)}
            for seed, a, b in pair.different
        ],
    }


def _group(group: stats.Group) -> dict[str, Any]:
    return {
        "meaning": "not separable from the best (95 %)",
        "members": list(group.members),
        "c": group.c,
        "least": group.least,
    }


def _sequential(found: Comparison) -> dict[str, Any] | None:
    from hanasolve import sequential

    until, test = found.until, found.test
    if until is None:
        return None
    lower, upper = sequential.gsprt_bounds(until.alpha, until.beta)
    return {
        "d0": until.d0,
        "d1": until.d1,
        "alpha": until.alpha,
        "beta": until.beta,
        "max_games": until.max_games,
        "llr": None if test is None else test.llr,
        "approximation": None if test is None else test.approximation,
        "lower": lower,
        "upper": upper,
        "decision": sequential.GO_ON if test is None else test.decision,
        "games": found.games,
    }


def _without_nan(value: Any) -> Any:
    """The same with None for every NaN, also inside lists and objects."""
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, dict):
        return {name: _without_nan(part) for name, part in value.items()}
    return [_without_nan(part) for part in value] if isinstance(value, list) else value
