"""``hanasolve review``: a whole game, turn by turn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanasolve.answers.reading import replay_of, table_of
from hanasolve.cli.common import (
    Json,
    LimitText,
    Players,
    RandomSeed,
    Source,
    VariantName,
    note,
    print_json,
    read_one,
    warn,
)
from hanasolve.cli.text.style import bold, table_text
from hanasolve.errors import NotationError
from hanasolve.limits import parse_limit

if TYPE_CHECKING:
    from hanasolve.hanabi.game.records import Replay
    from hanasolve.hanabi.notation.source import Item
    from hanasolve.hanabi.ranking.known_deck.hindsight import Fall, Keeping
    from hanasolve.hanabi.ranking.open_hands.chances import OpenChance
    from hanasolve.hanabi.ranking.review.game_review import Review, Turn
    from hanasolve.hanabi.ranking.review.knowable_values import Estimated

ALL = "all"
Agree = Annotated[
    str | None,
    typer.Option(
        "--agreement", metavar="NAMES",
        help="How often these conventions (comma between them; all) would have made the same move.",
    ),
]  # fmt: skip
ConventionName = Annotated[
    str | None,
    typer.Option(
        "--convention", metavar="NAME",
        help="Judge every move by what its player could know, everybody on this convention afterwards.",
    ),
]  # fmt: skip
Rollouts = Annotated[int, typer.Option("--rollouts", metavar="N", help="With --convention: games a turn.")]
OpenStates = Annotated[
    int,
    typer.Option(
        "--open-states", metavar="N",
        help="Open-hands chances from the end back to the first turn that takes more states (0 = none).",
    ),
]  # fmt: skip
States = Annotated[
    int,
    typer.Option(
        "--states", metavar="N",
        help="Known deck: states for one question before its answer is left open (0 = until it is proven).",
    ),
]  # fmt: skip
Html = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Also write a page that opens offline.")]


def command(
    source: Source,
    players: Players = None,
    variant: VariantName = None,
    convention: ConventionName = None,
    rollouts: Rollouts = 2_000,
    seed: RandomSeed = 0,
    open_states: OpenStates = 100_000,
    states: States = 300_000,
    agreement: Agree = None,
    html: Html = None,
    limit: LimitText = None,
    json: Json = False,
) -> None:
    """A game turn by turn: the proven maximum before and after each action, and where it was lost.

    This is hindsight: the deck is known, as it was to nobody at the table. With --convention every move is
    judged, and graded, by what its player could know. At --limit, and on Ctrl-C, what is done is printed; the
    exit code is then 3, or 130.
    """
    if states < 0:
        raise NotationError(f"--states: found {states}, expected 0 or more")
    if open_states < 0:
        raise NotationError(f"--open-states: found {open_states}, expected 0 or more")
    if rollouts < 10:
        raise NotationError(f"--rollouts: found {rollouts}, expected 10 or more")
    allowed = parse_limit(limit)
    check_writable(html)
    names = names_of(agreement)
    with allowed.guard(), Watch() as watch:
        item = read_one(source, players, variant)
        replay = replay_of(item)
        table_of(item, len(replay.actions) + 1, warn=warn)  # warns of actions after the end
        from hanasolve.hanabi.ranking.review.game_review import Wishes, review

        wishes = Wishes(names, convention, rollouts, seed, open_states, states)
        found = review(replay, allowed, wishes, watch.show)
    if html is not None:
        _write_page(html, item, replay, found)
    if json:
        from hanasolve.report.review_record import review_fields

        print_json("review/1", review_fields(item.source, replay, found))
    else:
        print(_text(item, replay, found))
    if found.stopped is not None:
        note(f"{len(found.turns)} turns are done on the known deck; stopped: {found.stopped}")
        raise typer.Exit(130 if found.interrupted else 3)


def names_of(agreement: str | None) -> tuple[str, ...] | None:
    """The names of ``--agreement``: None = not asked, () = all."""
    if agreement is None:
        return None
    names = tuple(name.strip() for name in agreement.split(",") if name.strip())
    if not names:
        raise NotationError(f"--agreement: found {agreement!r}, expected names with commas between them, or all")
    return () if names == (ALL,) else names


def check_writable(path: Path | None) -> None:
    """Refuse a page that cannot be written before the work, not after it."""
    if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
        raise NotationError(f"--html: found {path}, expected a file in a folder that exists")


class Watch:
    """A progress line on stderr, where that is a terminal."""

    def __init__(self) -> None:
        import sys

        from hanasolve.cli.common import SETTINGS

        self.status: Any = None
        if sys.stderr.isatty() and not SETTINGS.quiet:
            from rich.console import Console

            self.status = Console(stderr=True).status("")

    def __enter__(self) -> Watch:
        if self.status is not None:
            self.status.start()
        return self

    def show(self, text: str, done: int, total: int) -> None:
        if self.status is not None:
            self.status.update(f"{text}: {done} of {total}")

    def __exit__(self, *error: object) -> None:
        if self.status is not None:
            self.status.stop()


def _write_page(path: Path, item: Item, replay: Replay, found: Review) -> None:
    from hanasolve.report.review_page import review_page

    try:
        path.write_text(review_page(item.source, replay, found), encoding="utf-8")
    except OSError as error:
        raise NotationError(f"--html: {path} cannot be written: {error.strerror}") from error
    note(f"page: {path}")


# ------------------------------------------------------------------------------------------------- text


def _text(item: Item, replay: Replay, found: Review) -> str:
    from hanasolve.hanabi.ranking.review.game_review import ASSUMES

    lines = [
        bold(f"{item.source}: {replay.variant.name}, {len(replay.names)} players, {len(found.turns)} turns"),
        f"  {ASSUMES}",
        f"  score {found.score}{_lost_points(found)}; {_allowed(found)}",
        f"  {_lost(replay, found)}",
    ]
    if found.saving_line_url:
        lines.append(f"  a line that keeps it: {found.saving_line_url}")
    if found.open_assumes:
        lines.append(f"  open: {found.open_assumes}")
    if found.estimate_assumes:
        lines.append(f"  estimate: {found.estimate_assumes}")
    lines += ["", table_text(_rows(replay, found), right=(0,)), ""]
    lines += [_fall(replay, turn) for turn in found.turns if turn.fall.loss]
    lines += _graded(replay, found)
    lines += ["", _players(found)]
    return "\n".join([*lines, *_agreement(replay, found)])


def _rows(replay: Replay, found: Review) -> list[list[str]]:
    judged = found.convention is not None
    opened = any(turn.open_chance for turn in found.turns)
    rows = [["turn", "player", "action", "max", *(["open"] if opened else []), *(["estimate", ""] if judged else [])]]
    for turn in found.turns:
        fall, one = turn.fall, turn.estimated
        after = _change_of(fall) if fall.loss else _most(fall)
        row = [str(fall.number), replay.names[fall.seat], fall.text, after]
        if opened:
            row.append(_open(turn.open_chance))
        if judged:
            row += [_change(one), turn.grade or _doubt(one)]
        rows.append(row)
    return rows


def _most(fall: Fall) -> str:
    """What is proven of the maximum after an action: a number, or both ends of a bracket."""
    return str(fall.max_after) if fall.open_to is None else f"{fall.open_to}..{fall.max_after}"


def _change_of(fall: Fall) -> str:
    return f"{fall.max_before} -> {_most(fall)}"


def _open(one: OpenChance | None) -> str:
    """Chance with open hands before and after the move, for the same target."""
    if one is None:
        return ""
    after = f"{100 * float(one.after):.0f} %"
    return after if one.before == one.after else f"{100 * float(one.before):.0f} -> {after}"


def _change(one: Estimated | None) -> str:
    """Win chance of the best move and of the one played."""
    if one is None:
        return "-"
    best, played = f"{100 * one.best.win:.0f}", f"{100 * one.played.win:.0f} %"
    return played if one.best.action == one.played.action else f"{best} -> {played}"


def _doubt(one: Estimated | None) -> str:
    return "not separable" if one is not None and not one.judgement.separable else ""


def _graded(replay: Replay, found: Review) -> list[str]:
    """What could have been known: a line for every graded move."""
    lines = []
    for turn in found.turns:
        if turn.grade and turn.estimated:
            player = replay.names[turn.fall.seat]
            lines.append(f"turn {turn.number}, {player}: {turn.estimated.verdict}; better: {turn.estimated.best.text}")
    return ["", "by what the player could know:", *lines] if lines else []


def _players(found: Review) -> str:
    table = [["player", "turns", "falls", "points lost", "worst turn"]]
    judged = found.convention is not None
    if judged:
        table[0] += ["inaccuracies", "mistakes", "blunders", "accuracy"]
    for row in found.players:
        cells = [row.player, str(row.turns), str(row.falls), str(row.points_lost), str(row.worst_turn or "-")]
        if judged:
            cells += [str((row.grades or {}).get(word, 0)) for word in ("inaccuracy", "mistake", "blunder")]
            exact = row.accuracy
            cells.append(f"{exact.value:.0f} ± {exact.se:.0f} ({exact.moves} moves)" if exact else "-")
        table.append(cells)
    return table_text(table, right=range(1, len(table[0])))


def _lost_points(found: Review) -> str:
    """Where a lost game is worth less than its fireworks."""
    return f" (the game was lost with {found.placed} cards placed)" if found.score < found.placed else ""


def _allowed(found: Review) -> str:
    if found.maximum is None:
        return "what the deck allowed was not proven within the limit"
    return f"the deck allowed {found.maximum} of {found.full_score}, proven"


def _lost(replay: Replay, found: Review) -> str:
    if found.lost_at is None:
        return "the maximum was never lost" if found.stopped is None else "not lost in the turns that are done"
    fall = found.turns[found.lost_at - 1].fall
    what = f"{fall.text} ({_change_of(fall)})"
    if fall.since is not None:
        return f"lost between turn {fall.since} and turn {fall.number} ({_change_of(fall)})"
    return f"lost at turn {found.lost_at} by {replay.names[fall.seat]}: {what}"


def _fall(replay: Replay, turn: Turn) -> str:
    fall = turn.fall
    if fall.since is not None:
        change = _change_of(fall)
        return f"turns {fall.since} to {fall.number}: {change}; on which of them was not decided (--states 0 goes on)"
    others = "; ".join(_kind(one) for one in fall.keeping[:4])
    more = f"; {len(fall.keeping) - 4} kinds more" if len(fall.keeping) > 4 else ""
    why = f" ({fall.why})" if fall.why else ""
    change = _change_of(fall)
    player = replay.names[fall.seat]
    open_kinds = f"; {fall.undecided} kinds not decided" if fall.undecided else ""
    return f"turn {fall.number}, {player}: {fall.text}, {change}{why}; kept by: {others}{more}{open_kinds}"


def _kind(move: Keeping) -> str:
    return "any clue" if move.action.type > 1 else move.text


def _agreement(replay: Replay, found: Review) -> list[str]:
    if found.agreements is None:
        return []
    rows = [["would have done the same", "turns", "same", "95 % interval", "same cards", *replay.names]]
    for one in found.agreements.conventions:
        low, high = one.share.interval or (0.0, 0.0)
        rows.append(
            [
                one.convention, str(one.share.turns), _percent(one.share.rate),
                f"{100 * low:.0f} to {100 * high:.0f} %", str(one.share.same_cards),
                *(_percent(share.rate) for share in one.players),
            ]
        )  # fmt: skip
    lines = ["", table_text(rows, right=range(1, len(rows[0])))]
    if len(rows) == 1:
        lines = ["", "no convention was made for this table"]
    reasons: dict[str, list[str]] = {}
    for name, reason in found.agreements.left_out:
        reasons.setdefault(reason, []).append(name)
    lines += [f"  not asked: {', '.join(names)}: {reason}" for reason, names in reasons.items()]
    return [*lines, "  same cards: another clue to the same player that touches the same cards, not counted as same"]


def _percent(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.0f} %"

