"""``hanasolve analyze``: the value of every legal move of one position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanasolve.cli.common import (
    Json,
    LimitText,
    Players,
    Source,
    Turn,
    VariantName,
    bold,
    parse_limit,
    print_json,
    read_one,
    table_of,
    table_text,
)
from hanasolve.errors import NotationError

if TYPE_CHECKING:
    from fractions import Fraction

    from hanasolve.hanabi.game import Table
    from hanasolve.hanabi.notation.source import Item
    from hanasolve.hanabi.ranking.moves import Move, Ranking

Method = Annotated[
    str | None,
    typer.Option("--method", metavar="NAME", help="known-deck or open-hands; the strongest possible if left out."),
]
Goal = Annotated[
    str, typer.Option("--goal", metavar="win|score", help="Rank by the chance of the maximum, or by the score.")
]


def command(
    source: Source,
    players: Players = None,
    variant: VariantName = None,
    turn: Turn = None,
    method: Method = None,
    goal: Goal = "win",
    limit: LimitText = None,
    json: Json = False,
) -> None:
    """The value of every legal move, by the strongest method that the position allows.

    Known deck (a seed, a game, a position with its deck): the proven best score after each move. Open hands
    with an unknown deck order: the exact chance of the maximum and the exact expected score. A win is
    measured against the maximum before the move. At --limit the exit code is 3.
    """
    from hanasolve.hanabi.ranking.choice import rank
    from hanasolve.hanabi.search.solve import Limit

    if goal not in ("win", "score"):
        raise NotationError(f"--goal: found {goal!r}, expected win or score")
    allowed = parse_limit(limit)
    item = read_one(source, players, variant)
    table = table_of(item, turn)
    ranking = rank(table, method, Limit(allowed.seconds, allowed.nodes), goal)
    if json:
        print_json("analyze/1", _fields(item, table, ranking))
    else:
        print(_text(item, table, ranking))


def _fields(item: Item, table: Table, ranking: Ranking) -> dict[str, Any]:
    return {
        "source": item.source,
        "variant": table.variant.name,
        "turn": int(table.game["turn"]) + 1,
        "player": table.names[int(table.game["to_move"])],
        "method": ranking.method,
        "assumes": ranking.assumes,
        "convention": None,
        "target": ranking.target,
        "ranked_by": ranking.by,
        "worlds": ranking.worlds,
        "seed": None,
        "moves": [_move(item, table, ranking, move) for move in ranking.moves],
    }


def _move(item: Item, table: Table, ranking: Ranking, move: Move) -> dict[str, Any]:
    exact = {"se_score": 0.0, "se_win": 0.0, "se_diff": 0.0}  # exact values have no sampling error
    return {
        "action": {"type": move.action.type, "target": move.action.target, "value": move.action.value},
        "text": move.text,
        "score": float(move.score),
        "score_exact": str(move.score),
        "win": float(move.win),
        "win_exact": str(move.win),
        "diff": float(move.diff),
        "diff_exact": str(move.diff),
        **exact,
        "best": move.best,
        "max_after": move.max_after,
        "why": move.why,
        "group": move.group,
        "line_url": _url(item, table, move),
    }


def _url(item: Item, table: Table, move: Move) -> str | None:
    from hanasolve.hanabi.ranking.known_deck import line_url
    from hanasolve.hanabi.records import Replay

    replay = item.record if isinstance(item.record, Replay) else None
    return line_url(replay, table, (move.action, *move.line)) if move.line else None


def _text(item: Item, table: Table, ranking: Ranking) -> str:
    player = table.names[int(table.game["to_move"])]
    lines = [
        bold(f"{item.source}: turn {int(table.game['turn']) + 1}, {player} to move, {ranking.method}"),
        f"  {ranking.assumes}",
        f"  {_target(ranking)}",
        "",
    ]
    groups: dict[int, list[Move]] = {}
    for move in ranking.moves:
        groups.setdefault(move.group, []).append(move)
    rows = [["", "move", "score", "win", "max", "why"]]
    for moves in groups.values():
        first = moves[0]
        mark = "*" if first.best else ""
        values = [_number(first.score), _number(first.win), str(first.max_after)]
        rows.append([mark, _names(moves), *values, first.why])
    lines.append(table_text(rows, right=(2, 3, 4)))
    best = [move for moves in groups.values() for move in moves[:1] if move.best]
    lines.append(f"\n* best{f', {len(best)} kinds of move tie' if len(best) > 1 else ''}")
    url = _url(item, table, ranking.moves[0])
    if url:
        lines.append(f"  {url}")
    return "\n".join(lines)


def _target(ranking: Ranking) -> str:
    if ranking.by == "win":
        return f"win = reaching {ranking.target}, the maximum before the move"
    return f"ranked by score; win = reaching {ranking.target}, the maximum before the move"


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
