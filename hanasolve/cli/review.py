"""``hanasolve review``: a whole game, turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from hanasolve.cli.common import (
    Json,
    LimitText,
    Players,
    Source,
    VariantName,
    bold,
    note,
    parse_limit,
    print_json,
    read_one,
    replay_of,
    table_of,
    table_text,
)

if TYPE_CHECKING:
    from hanasolve.hanabi.notation.source import Item
    from hanasolve.hanabi.ranking.review import Review, Summary, Turn
    from hanasolve.hanabi.records import Replay


def command(
    source: Source,
    players: Players = None,
    variant: VariantName = None,
    limit: LimitText = None,
    json: Json = False,
) -> None:
    """A game turn by turn: the proven maximum before and after each action, and where it was lost.

    This is hindsight: the deck is known, as it was to nobody at the table. At --limit the turns that are done
    are printed and the exit code is 3.
    """
    from hanasolve.hanabi.ranking.review import review
    from hanasolve.hanabi.search.solve import Limit

    allowed = parse_limit(limit)
    item = read_one(source, players, variant)
    replay = replay_of(item)
    table_of(item, len(replay.actions) + 1)  # warns of actions after the end
    found = review(replay, Limit(allowed.seconds, allowed.nodes))
    if json:
        print_json("review/1", _fields(item, replay, found))
    else:
        print(_text(item, replay, found))
    if found.stopped is not None:
        note(f"{len(found.turns)} turns are done: {found.stopped}")
        raise typer.Exit(3)


def _fields(item: Item, replay: Replay, found: Review) -> dict[str, Any]:
    from hanasolve.hanabi.ranking.review import ASSUMES

    return {
        "source": item.source,
        "variant": replay.variant.name,
        "assumes": ASSUMES,
        "convention": None,
        "score": found.score,
        "maximum": found.maximum,
        "max_possible": found.full_score,
        "complete": found.stopped is None,
        "turns": [_turn(turn) for turn in found.turns],
        "lost_at": found.lost_at,
        "saving_line_url": found.saving_line_url,
        "players": [_player(player) for player in found.players],
        "agreement": None,
    }


def _action(action: Any) -> dict[str, int]:
    return {"type": action.type, "target": action.target, "value": action.value}


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "turn": turn.number,
        "player": turn.player,
        "action": _action(turn.action),
        "text": turn.text,
        "max_before": turn.max_before,
        "max_after": turn.max_after,
        "open_win_before": None,
        "open_win_after": None,
        "estimate_before": None,
        "estimate_after": None,
        "grade": turn.grade,
        "knowable": None,
        "why": turn.why,
        "better": [
            {"action": _action(move.action), "text": move.text, "max_after": move.max_after, "why": move.why}
            for move in turn.better
        ],
    }


def _player(player: Summary) -> dict[str, Any]:
    return {
        "player": player.player,
        "turns": player.turns,
        "falls": player.falls,
        "points_lost": player.points_lost,
        "grades": player.grades,
        "worst_turn": player.worst_turn,
        "accuracy": None,
    }


def _text(item: Item, replay: Replay, found: Review) -> str:
    from hanasolve.hanabi.ranking.review import ASSUMES

    lines = [
        bold(f"{item.source}: {replay.variant.name}, {len(replay.names)} players, {len(found.turns)} turns"),
        f"  {ASSUMES}",
        f"  score {found.score}; {_allowed(found)}",
        f"  {_lost(found)}",
    ]
    if found.saving_line_url:
        lines.append(f"  a line that keeps it: {found.saving_line_url}")
    rows = [["turn", "player", "action", "max", ""]]
    for turn in found.turns:
        after = f"{turn.max_before} -> {turn.max_after}" if turn.loss else str(turn.max_after)
        rows.append([str(turn.number), turn.player, turn.text, after, turn.grade or ""])
    lines += ["", table_text(rows, right=(0,)), ""]
    for turn in found.turns:
        if turn.loss:
            lines.append(_fall(turn))
    table = [["player", "turns", "falls", "points lost", "worst turn"]]
    table += [
        [row.player, str(row.turns), str(row.falls), str(row.points_lost), str(row.worst_turn or "-")]
        for row in found.players
    ]
    return "\n".join([*lines, "", table_text(table, right=(1, 2, 3, 4))])


def _allowed(found: Review) -> str:
    if found.maximum is None:
        return "what the deck allowed was not proven within the limit"
    return f"the deck allowed {found.maximum} of {found.full_score}, proven"


def _lost(found: Review) -> str:
    if found.lost_at is None:
        return "the maximum was never lost" if found.stopped is None else "not lost in the turns that are done"
    turn = found.turns[found.lost_at - 1]
    return f"lost at turn {found.lost_at} by {turn.player}: {turn.text} ({turn.max_before} -> {turn.max_after})"


def _fall(turn: Turn) -> str:
    others = "; ".join(_kind(move) for move in turn.better[:4])
    more = f"; {len(turn.better) - 4} kinds more" if len(turn.better) > 4 else ""
    why = f" ({turn.why})" if turn.why else ""
    fall = f"{turn.max_before} -> {turn.max_after}"
    return f"turn {turn.number}, {turn.player}: {turn.text}, {fall}{why}; kept by: {others}{more}"


def _kind(move: Any) -> str:
    return "any clue" if move.action.type > 1 else str(move.text)
