"""``analyze`` as text: a row for each kind of move, best first, and what the values stand on."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hanasolve.cli.text.style import bold, table_text
from hanasolve.hanabi.ranking.why import best_and_second

if TYPE_CHECKING:
    from hanasolve.answers.analyze import AnalyzeAnswer
    from hanasolve.hanabi.ranking.moves import Move, Ranking


def text(answer: AnalyzeAnswer) -> str:
    ranking = answer.ranking
    assert ranking is not None, "without a ranking there is an error instead of a text"
    lines = [
        bold(f"{answer.source}: turn {answer.turn}, {answer.player} to move, {ranking.method}"),
        f"  {ranking.assumes}",
        f"  {_target(ranking)}",
        "",
        *_table(ranking),
    ]
    sampled = ranking.moves[0].samples is not None
    if sampled:
        lines.append("~ not separable from the best (less than two standard errors behind)")
    lines.append(f"  {best_and_second(ranking)}{f'; seed {ranking.seed}' if sampled else ''}")
    if ranking.undecided:
        low, high = ranking.undecided[0].low, ranking.undecided[0].high
        names = ", ".join(one.text for one in ranking.undecided)
        lines.append(f"  not decided, between {low} and {high}: {names}")
    if ranking.max_is != "proven":
        lines.append(f"  max: {ranking.max_is}")
    if any(move.samples is not None and move.se_win == 0 for move in ranking.moves):
        lines.append("  chances in brackets: 95 % intervals where all games ended alike")
    url = answer.line_url(ranking.moves[0])
    if url:
        lines.append(f"  {url}")
        if ranking.moves[0].deal is not None:
            lines.append(f"  ({ranking.line_is})")
    return "\n".join(lines)


def _table(ranking: Ranking) -> list[str]:
    """The rows, moves that lead to equal situations in one, and how many kinds of move are the best."""
    groups: dict[int, list[Move]] = {}
    for move in ranking.moves:
        groups.setdefault(move.group, []).append(move)
    sampled = ranking.moves[0].samples is not None
    proven = any(move.win_proven is not None for move in ranking.moves)
    heads = [*(["behind"] if sampled else []), *(["proven win"] if proven else [])]
    rows = [["", "move", "score", "win", *heads, "max", "why"]]
    for moves in groups.values():
        first = moves[0]
        mark = "*" if first.best else "" if first.separable else "~"
        values = [*_values(ranking, first), *([_bracket(first)] if proven else [])]
        rows.append([mark, _names(moves), *values, str(first.max_after), first.why])
    best = sum(moves[0].best for moves in groups.values())
    ties = f", {best} kinds of move tie" if best > 1 else ""
    return [table_text(rows, right=tuple(range(2, len(rows[0]) - 1))), f"\n* best{ties}"]


def _values(ranking: Ranking, move: Move) -> list[str]:
    """The cells for score, win and, where sampled, what lies between this move and the best."""
    if move.samples is None:
        return [_number(move.score), _number(move.win)]
    scale, digits, unit = (100, 1, " %") if ranking.by == "win" else (1, 2, "")
    behind = f"{-scale * float(move.diff):.{digits}f} ± {scale * move.se_diff:.{digits}f}{unit}"
    fresh = "'" if move.fresh else ""
    return [
        f"{float(move.score):.2f} ± {move.se_score:.2f}{fresh}",
        f"{_chance(move)}{fresh}",
        "" if move.best else behind,
    ]


def _bracket(move: Move) -> str:
    """What is proven of the exact chance with open hands."""
    low, high = (100 * float(bound) for bound in move.win_proven or (0, 1))
    return f"{low:.2f} %" if low == high else f"{low:.3g} to {high:.3g} %"


def _chance(move: Move) -> str:
    """A sampled chance with its standard error, or its interval where the games were all won or all lost."""
    chance = 100 * float(move.win)
    if move.se_win > 0 or move.win_range is None:
        return f"{chance:.1f} ± {100 * move.se_win:.1f} %"
    low, high = move.win_range
    return f"{chance:.1f} [{100 * low:.1f}, {100 * high:.1f}] %"


def _target(ranking: Ranking) -> str:
    by = "" if ranking.by == "win" else "ranked by score; "
    fresh = "" if ranking.fresh_worlds is None else "; ' = played again on fresh deals"
    return f"{by}win = reaching {ranking.target}, the maximum before the move{fresh}"


def _names(moves: list[Move]) -> str:
    """One name for moves that lead to equal situations."""
    first = moves[0]
    if len(moves) == 1:
        return first.text
    if first.action.type > 1:
        return f"any clue ({len(moves)}), e.g. {first.text}"
    return f"{first.text} (or {len(moves) - 1} like it)"


def _number(value: Fraction) -> str:
    """An integer as it is, another fraction exactly and rounded."""
    return str(value) if value.denominator == 1 else f"{value} = {float(value):.4f}"
