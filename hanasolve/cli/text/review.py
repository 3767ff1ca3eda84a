"""A review as text: what was lost in hindsight, what could have been known, and the players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanasolve.cli.text.style import bold, table_text

if TYPE_CHECKING:
    from hanasolve.answers.review import ReviewAnswer
    from hanasolve.hanabi.game.records import Replay
    from hanasolve.hanabi.ranking.known_deck.hindsight import Fall, Keeping
    from hanasolve.hanabi.ranking.open_hands.chances import OpenChance
    from hanasolve.hanabi.ranking.review.game_review import Review, Turn
    from hanasolve.hanabi.ranking.review.knowable_values import TurnEstimate


def text(answer: ReviewAnswer) -> str:
    """The whole review."""
    from hanasolve.hanabi.game.statistics import with_word

    replay, found = answer.replay, answer.found
    lines = [
        bold(f"{answer.source}: {replay.variant.name}, {len(replay.names)} players, {len(found.turns)} turns"),
        f"  {found.assumes}",
        f"  score {with_word(found.score, _word(found))}; {_allowed(found)}",
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
        fall, one = turn.fall, turn.estimate
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


def _change(one: TurnEstimate | None) -> str:
    """Win chance of the best move and of the one played."""
    if one is None:
        return "-"
    best, played = f"{100 * one.best.win:.0f}", f"{100 * one.played.win:.0f} %"
    return played if one.best.action == one.played.action else f"{best} -> {played}"


def _doubt(one: TurnEstimate | None) -> str:
    return "not separable" if one is not None and not one.grade.separable else ""


def _graded(replay: Replay, found: Review) -> list[str]:
    """What could have been known: a line for every graded move."""
    lines = []
    for turn in found.turns:
        if turn.grade and turn.estimate:
            player = replay.names[turn.fall.seat]
            lines.append(f"turn {turn.number}, {player}: {turn.estimate.verdict}; better: {turn.estimate.best.text}")
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


def _word(found: Review) -> str | None:
    """The word for the score, and with how many cards a game was lost."""
    if found.score == found.placed:
        return found.score_word
    return f"{found.score_word or 'lost'} with {found.placed} cards placed"


def _allowed(found: Review) -> str:
    if found.maximum is None:
        return "what the deck allowed was not proven within the limit"
    if not found.deck_known:
        return f"the deck allowed at most {found.maximum} of {found.full_score}"
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
    kept = f"; kept by: {others}{more}" if others else ""
    return f"turn {fall.number}, {player}: {fall.text}, {change}{why}{kept}{open_kinds}"


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
