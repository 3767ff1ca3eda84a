"""A comparison of conventions as the terminal shows it: tables, tests, and the games to look at."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from hanasolve import __version__
from hanasolve.cli.text.style import bold, table_text
from hanasolve.report.page import p_text

if TYPE_CHECKING:
    from hanasolve.answers.compare import CompareAnswer
    from hanasolve.answers.compare_record import Link
    from hanasolve.batch.comparison import Comparison, ConventionResult

_SHOWN_PAIRS = 3  # whose most different games are printed
_WORD = {"forbid": "forbidden", "allow": "allowed"}


def text(answer: CompareAnswer) -> str:
    """All tables, one below the other."""
    return "\n\n".join(_table(table.found, table.link) for table in answer.tables)


def _table(found: Comparison, link: Link) -> str:
    lines = [bold(f"{found.variant.name}, {found.options.players} players, {found.games} games"), _about(found)]
    lines += ["", _results_text(found), *_searches_text(found), "", *map(_histogram_text, found.results)]
    lines += [f"{one.name}: {one.label}; not ranked with the others" for one in found.results if one.label]
    if found.group is not None and len(found.group.least) > 1:
        lines += ["", f"may be the best (95 %): {', '.join(found.group.members)}"]
    if found.pairs:
        lines += ["", _pairs_text(found)]
    if found.interval_label:
        lines.append(f"intervals {found.interval_label}")
    if found.until is not None:
        lines += ["", _test_text(found)]
    return "\n".join([*lines, "", *_games_text(found, link)])


def _about(found: Comparison) -> str:
    rules = found.options
    parts = [
        f"seeds {found.seeds[0]} to {found.seeds[1]}",
        f"{rules.strikes_max} strikes",
        f"discard at {rules.clues_max} tokens {_WORD[rules.discard_at_max]}",
        f"empty clues {_WORD[rules.empty_clues]}",
        f"hanasolve {__version__}",
    ]
    if found.interrupted:
        parts.append("INTERRUPTED: only the games that were finished")
    return ", ".join(parts)


def _results_text(found: Comparison) -> str:
    head = ["convention", "mean (zero)", "mean (keep)", "perfect %", "struck out %", "lowest", "turns"]
    rows: list[list[str]] = [head]
    for one in found.results:
        summary = one.summary
        means = [f"{one.mean:.3f}" for one in (summary.zero, summary.keep)]
        rates = [f"{100 * rate:.2f}" for rate in (summary.perfect_rate, summary.strikeout_rate)]
        if found.has_intervals:
            means = [f"{one.mean:.3f} ± {one.se:.3f}" for one in (summary.zero, summary.keep)]
            intervals = (summary.perfect_interval, summary.strikeout_interval)
            rates = [
                f"{rate} [{100 * low:.2f}, {100 * high:.2f}]"
                for rate, (low, high) in zip(rates, intervals, strict=True)
            ]
        rows.append([one.name, *means, *rates, str(summary.minimum), f"{one.turns:.1f}"])
    text = table_text(rows, right=range(1, 7))
    if found.has_intervals:
        return text
    listed = "\n".join(f"{one.name}: {' '.join(map(str, one.scores))}" for one in found.results)
    return f"{text}\nfewer than 30 games: no intervals; the scores ({found.scoring}) are\n{listed}"


def _searches_text(found: Comparison) -> list[str]:
    """What the searches among the conventions cost, a game."""
    head = ["search", "budget a move", "moves searched", "rollouts", "moves changed", "clues only", "games a CPU s"]
    rows = [head]
    for one in found.results:
        if (cost := one.search) is not None:
            means = (cost.searched, cost.rollouts, cost.deviations, cost.clues_only)
            cells = [f"{count / found.games:,.{digits}f}" for count, digits in zip(means, (1, 0, 2, 2), strict=True)]
            speed = one.games_per_second
            rows.append([one.name, f"{cost.budget:,}", *cells, "–" if speed is None else f"{speed:.2f}"])
    if len(rows) == 1:
        return []
    note = "means of a game; clues only: moves whose hands no drawn deal could explain by what the others did"
    return ["", table_text(rows, right=range(1, 7)), note]


def _histogram_text(one: ConventionResult) -> str:
    games = one.summary.histogram
    bars = " ".join(f"{score}:{count}" for score, count in enumerate(games) if count)
    return f"cards placed:games of {one.name}  {bars}"


def _pairs_text(found: Comparison) -> str:
    head = ["pair (B - A)", f"difference ({found.scoring})", "95 % interval", "p (Holm)", "McNemar p"]
    rows = [[*head, "correlation", "variance ratio", "verdict"]]
    for pair in found.pairs:
        one = pair.paired
        interval = f"[{one.low:+.3f}, {one.high:+.3f}]" if found.has_intervals else "-"
        difference = f"{one.difference:+.3f}" + (f" ± {one.se:.3f}" if found.has_intervals else "")
        tests = [p_text(pair.p_holm), p_text(pair.mcnemar.exact_p)]
        numbers = ["–" if isnan(value) else f"{value:.2f}" for value in (one.correlation, one.variance_ratio)]
        rows.append([f"{pair.b} - {pair.a}", difference, interval, *tests, *numbers, pair.verdict])
    return table_text(rows, right=range(1, 7))


def _test_text(found: Comparison) -> str:
    until, test = found.until, found.test
    if until is None or test is None:
        return "sequential test: not evaluated before 200 games"
    return (
        f"sequential test of {until.d0:g} against {until.d1:g} points: {test.decision} "
        f"after {found.games} games (log likelihood ratio {test.llr:.3f}, "
        f"bounds {test.lower:.3f} and {test.upper:.3f}; normal approximation {test.approximation:.3f})"
    )


def _games_text(found: Comparison, link: Link) -> list[str]:
    """The worst game of each convention and the most different one of each pair, with their links."""
    lines = []
    for one in found.results:
        seeds = ", ".join(f"{seed} ({score})" for seed, score in one.worst)
        url = link(one.name, one.worst[0][0])
        lines += [f"worst games of {one.name}: {seeds}", *([f"  {url}"] if url else [])]
    for pair in found.pairs[:_SHOWN_PAIRS]:
        if pair.different:
            seeds = ", ".join(f"{seed} ({a} : {b})" for seed, a, b in pair.different)
            lines.append(f"most different games of {pair.a} and {pair.b}: {seeds}")
            links = [(name, link(name, pair.different[0][0])) for name in (pair.a, pair.b)]
            lines += [f"  {name}: {url}" for name, url in links if url]
    if len(found.pairs) > _SHOWN_PAIRS:
        lines.append("the most different games of the other pairs: --json or --html")
    return lines
