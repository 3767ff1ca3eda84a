"""``hanasolve analyze``: the value of every legal move of one position."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanasolve.answers.reading import seat_of, table_of
from hanasolve.cli.common import (
    Json,
    LimitText,
    Player,
    Players,
    RandomSeed,
    Source,
    Turn,
    VariantName,
    note,
    print_json,
    read_one,
    warn,
)
from hanasolve.cli.text.style import bold, table_text
from hanasolve.errors import ImpossiblePosition, Interrupted, LimitReached, NotationError
from hanasolve.limits import CTRL_C, parse_limit

if TYPE_CHECKING:
    from fractions import Fraction

    from hanasolve.hanabi.game.table import Table
    from hanasolve.hanabi.notation.source import Item
    from hanasolve.hanabi.ranking.moves import Move, Ranking

Method = Annotated[
    str | None,
    typer.Option(
        "--method",
        metavar="NAME",
        help="known-deck, open-hands, open-hands-sampled, hidden, hidden-exact or hidden-rollouts; "
        "the strongest possible if left out.",
    ),
]
Goal = Annotated[
    str, typer.Option("--goal", metavar="win|score", help="Rank by the chance of the maximum, or by the score.")
]
ConventionName = Annotated[
    str | None,
    typer.Option("--convention", metavar="NAME", help="Hidden hands: what everybody plays (smart if left out)."),
]
Rollouts = Annotated[
    int | None,
    typer.Option(
        "--rollouts",
        metavar="N",
        help="Hidden hands: games over all moves together (10000). Open hands, sampled: orders of the deck (200).",
    ),
]
Partners = Annotated[
    str | None,
    typer.Option(
        "--partners",
        metavar="convention|optimal",
        help="Hidden hands, exact: partners follow the convention, or reply as with open hands.",
    ),
]
MaxWorlds = Annotated[
    int, typer.Option("--max-worlds", metavar="N", help="Hidden hands: exact values up to so many worlds.")
]
Confirm = Annotated[
    bool, typer.Option("--confirm/--no-confirm", help="Play the best two moves again on fresh deals.")
]


def command(
    source: Source,
    players: Players = None,
    variant: VariantName = None,
    turn: Turn = None,
    player: Player = None,
    convention: ConventionName = None,
    method: Method = None,
    goal: Goal = "win",
    rollouts: Rollouts = None,
    seed: RandomSeed = 0,
    confirm: Confirm = True,
    partners: Partners = None,
    max_worlds: MaxWorlds = 4_096,
    limit: LimitText = None,
    json: Json = False,
) -> None:
    """The value of every legal move, by the strongest method that the position allows.

    Known deck (a seed, a game, a position with its deck): the proven best score after each move. Open hands
    with an unknown deck order: the exact chance of the maximum and the exact expected score, or where that takes
    too long the mean over drawn orders, each solved as if known (too high, the label says so). Hidden hands
    (--convention, --player, or a hand with ? in the file): exact values of the player's best plan where few
    worlds are possible, else games played on with a convention from deals that he must hold possible. A win
    is measured against the maximum before the move. At --limit the exit code is 3.
    """
    if goal not in ("win", "score"):
        raise NotationError(f"--goal: found {goal!r}, expected win or score")
    if rollouts is not None and rollouts < 1:
        raise NotationError(f"--rollouts: found {rollouts}, expected 1 or more")
    if max_worlds < 0:
        raise NotationError(f"--max-worlds: found {max_worlds}, expected 0 or more")
    allowed = parse_limit(limit)
    with allowed.guard():
        item = read_one(source, players, variant)
        table = table_of(item, turn, warn=warn)
    try:
        with allowed.guard(), _Bar() as bar:
            from hanasolve.hanabi.game.records import Replay
            from hanasolve.hanabi.ranking.choice import Asked, rank

            seat = None if player is None else seat_of(player, table.names)
            history = item.record.actions if isinstance(item.record, Replay) else None
            asked = Asked(seat, convention, history, rollouts, seed, confirm, partners, max_worlds, bar.advance)
            ranking = rank(table, method, allowed, goal, asked)
    except ImpossiblePosition as error:
        from hanasolve.hanabi.notation.deck_file import located

        raise located(error, item.source) from None
    except (LimitReached, Interrupted) as stop:
        if json:  # the error says what is proven; whoever reads JSON finds it there
            print_json("analyze/1", {**_position_fields(item, table), "stopped": str(stop), "moves": []})
        raise
    if json:
        print_json("analyze/1", _fields(item, table, ranking))
    else:
        print(_text(item, table, ranking))
    if ranking.stopped:
        note(f"note: stopped by {ranking.stopped}: these are the values so far")
        raise typer.Exit(130 if ranking.stopped == CTRL_C else 3)


class _Bar:
    """Progress on a terminal, for what takes longer than a moment."""

    def __init__(self) -> None:
        self.bar: Any = None
        self.done = self.total = 0

    def __enter__(self) -> _Bar:
        return self

    def advance(self, done: int, total: int) -> None:
        from hanasolve.batch.progress import Progress

        if total != self.total:  # one method gave way to another
            self.__exit__(None, None, None)
            self.bar, self.done, self.total = Progress("counted", total, None), 0, total
            self.bar.__enter__()
        self.bar.advance(done - self.done)
        self.done = done

    def __exit__(self, *error: Any) -> None:
        if self.bar is not None:
            self.bar.__exit__(*error)


def _position_fields(item: Item, table: Table) -> dict[str, Any]:
    return {
        "source": item.source,
        "variant": table.variant.name,
        "turn": int(table.game["turn"]) + 1,
        "player": table.names[int(table.game["to_move"])],
    }


def _fields(item: Item, table: Table, ranking: Ranking) -> dict[str, Any]:
    from hanasolve.hanabi.ranking.why import best_and_second

    return {
        **_position_fields(item, table),
        "eyes": None if ranking.seat is None else table.names[ranking.seat],
        "method": ranking.method,
        "assumes": ranking.assumes,
        "convention": ranking.convention,
        "partners": ranking.partners,
        "target": ranking.target,
        "ranked_by": ranking.by,
        "worlds": ranking.worlds,
        "fresh_worlds": ranking.fresh_worlds,
        "seed": ranking.seed,
        "stopped": ranking.stopped or None,
        "why_best": best_and_second(ranking),
        "line_is": ranking.line_is,
        "max_is": ranking.max_is,
        "moves": [_move(item, table, ranking, move) for move in ranking.moves],
        "undecided": [
            {
                "action": {"type": one.action.type, "target": one.action.target, "value": one.action.value},
                "text": one.text,
                "score_proven": [one.low, one.high],
            }
            for one in ranking.undecided
        ],
    }


def _move(item: Item, table: Table, ranking: Ranking, move: Move) -> dict[str, Any]:
    exact = move.samples is None
    return {
        "action": {"type": move.action.type, "target": move.action.target, "value": move.action.value},
        "text": move.text,
        "score": float(move.score),
        "score_exact": str(move.score) if exact else None,
        "win": float(move.win),
        "win_exact": str(move.win) if exact else None,
        "diff": float(move.diff),
        "diff_exact": str(move.diff) if exact else None,
        "se_score": move.se_score,  # exact values have no sampling error
        "se_win": move.se_win,
        "se_diff": move.se_diff,
        "score_range": move.score_range,  # 95 %, None for exact values
        "win_range": move.win_range,
        "win_proven": None if move.win_proven is None else [str(bound) for bound in move.win_proven],
        "samples": move.samples,
        "fresh": move.fresh,
        "best": move.best,
        "separable": move.best or -float(move.diff) >= 2 * move.se_diff,
        "max_after": move.max_after,
        "why": move.why,
        "group": move.group,
        "line_url": _url(item, table, move),
    }


def _url(item: Item, table: Table, move: Move) -> str | None:
    from hanasolve.hanabi.game.records import Replay
    from hanasolve.hanabi.ranking.known_deck.rank import line_url

    replay = item.record if isinstance(item.record, Replay) else None
    if replay is None or not move.line:
        return None
    if move.deal is not None:
        replay = dataclasses.replace(replay, deck=move.deal)
    return line_url(replay, table, (move.action, *move.line))


def _text(item: Item, table: Table, ranking: Ranking) -> str:
    from hanasolve.hanabi.ranking.why import best_and_second

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
    sampled = ranking.moves[0].samples is not None
    proven = any(move.win_proven is not None for move in ranking.moves)
    heads = [*(["behind"] if sampled else []), *(["proven win"] if proven else [])]
    rows = [["", "move", "score", "win", *heads, "max", "why"]]
    for moves in groups.values():
        first = moves[0]
        values = [*_values(ranking, first), *([_bracket(first)] if proven else [])]
        rows.append([_mark(first), _names(moves), *values, str(first.max_after), first.why])
    lines.append(table_text(rows, right=tuple(range(2, len(rows[0]) - 1))))
    best = [move for moves in groups.values() for move in moves[:1] if move.best]
    lines.append(f"\n* best{f', {len(best)} kinds of move tie' if len(best) > 1 else ''}")
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
    url = _url(item, table, ranking.moves[0])
    if url:
        lines.append(f"  {url}")
        if ranking.moves[0].deal is not None:
            lines.append(f"  ({ranking.line_is})")
    return "\n".join(lines)


def _mark(move: Move) -> str:
    if move.best:
        return "*"
    return "~" if move.samples is not None and -float(move.diff) < 2 * move.se_diff else ""


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
    fresh = "" if ranking.fresh_worlds is None else "; ' = played again on fresh deals"
    if ranking.by == "win":
        return f"win = reaching {ranking.target}, the maximum before the move{fresh}"
    return f"ranked by score; win = reaching {ranking.target}, the maximum before the move{fresh}"


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
