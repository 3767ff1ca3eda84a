"""The fields of a reviewed game. What was not asked for, or not computed, is null."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hanasolve.hanabi.game.records import Replay
    from hanasolve.hanabi.ranking.known_deck.hindsight import Keeping
    from hanasolve.hanabi.ranking.review.agreement import Agreement, Agreements, Share
    from hanasolve.hanabi.ranking.review.game_review import Review, Summary, Turn
    from hanasolve.hanabi.ranking.review.knowable_values import TurnEstimate

_MOVE_VALUES = ("win", "se_win", "score", "se_score")


def review_fields(source: str, replay: Replay, found: Review) -> dict[str, Any]:
    """The fields of one game."""
    return {
        "source": source, "variant": replay.variant.name, "assumes": found.assumes, "open_assumes": found.open_assumes,
        "estimate_assumes": found.estimate_assumes, "convention": found.convention,
        "score": found.score, "score_word": found.score_word, "placed": found.placed,
        "maximum": found.maximum, "deck_known": found.deck_known, "max_possible": found.full_score,
        "complete": found.stopped is None, "stopped": found.stopped,
        "turns": [_turn(replay, turn) for turn in found.turns],
        "lost_at": found.lost_at, "saving_line_url": found.saving_line_url,
        "players": [_player(player) for player in found.players],
        "agreement": None if found.agreements is None else _agreements(found.agreements),
    }  # fmt: skip


def _turn(replay: Replay, turn: Turn) -> dict[str, Any]:
    fall, one, chance = turn.fall, turn.estimate, turn.open_chance
    return {
        "turn": fall.number, "player": replay.names[fall.seat], "action": fall.action.fields(), "text": fall.text,
        "max_before": fall.max_before, "max_after": fall.max_after, "least_after": fall.least_after,
        "fell_since": fall.since,
        "open_win_before": float(chance.before) if chance else None,
        "open_win_after": float(chance.after) if chance else None,
        "open_win_exact": [str(chance.before), str(chance.after)] if chance else None,
        "open_target": chance.target if chance else None,
        "estimate_before": one.best.win if one else None,
        "estimate_after": one.played.win if one else None,
        "estimate": _estimate(one) if one else None,
        "grade": turn.grade, "knowable": turn.knowable, "why": fall.why,
        "better": [*_better(one), *(_keeping(move, fall.max_before) for move in fall.keeping)],
        "undecided": fall.undecided,
    }  # fmt: skip


def _estimate(one: TurnEstimate) -> dict[str, Any]:
    """Both moves with errors, the grade and what it rests on."""
    found = one.grade
    both = (("best", one.best), ("played", one.played))
    return {
        **{f"{name}_{which}": getattr(move, name) for which, move in both for name in _MOVE_VALUES},
        "best": one.best.text, "target": one.target,
        "judged_by": found.by, "loss": found.loss, "se_loss": found.se, "separable": found.separable,
        "forced": found.forced, "convention_move": one.own, "verdict": one.verdict,
        "deals": one.deals, "assumes": one.assumes,
    }  # fmt: skip


def _better(one: TurnEstimate | None) -> list[dict[str, Any]]:
    """The better move by what could be known, where the one played was graded."""
    if one is None or one.grade.word is None:
        return []
    values = {name: getattr(one.best, name) for name in _MOVE_VALUES}
    return [{"action": one.best.action.fields(), "text": one.best.text, "basis": "knowable", **values}]


def _keeping(one: Keeping, most: int) -> dict[str, Any]:
    return {
        "action": one.action.fields(), "text": one.text, "basis": "hindsight",
        "max_after": most, "why": one.why, "line_url": one.url,
    }  # fmt: skip


def _player(player: Summary) -> dict[str, Any]:
    exact = player.accuracy
    return {
        **vars(player),
        "accuracy": exact.value if exact else None,
        "se_accuracy": exact.se if exact else None,
        "accuracy_moves": exact.moves if exact else None,
    }


def _agreements(found: Agreements) -> dict[str, Any]:
    """What ``--agreement`` found."""
    return {
        "conventions": [_convention(one) for one in found.conventions],
        "left_out": [{"name": name, "reason": reason} for name, reason in found.left_out],
    }


def _convention(one: Agreement) -> dict[str, Any]:
    return {
        "name": one.convention,
        **_share(one.share),
        "players": [{"player": share.player, **_share(share)} for share in one.players],
        "choices": [
            {
                "turn": choice.turn, "action": choice.action.fields() if choice.action else None,
                "text": choice.text, "verdict": choice.verdict,
            }
            for choice in one.choices
        ],
    }  # fmt: skip


def _share(share: Share) -> dict[str, Any]:
    low, high = share.interval or (None, None)
    return {
        "turns": share.turns, "same": share.same, "same_cards": share.same_cards,
        "rate": share.rate, "low": low, "high": high,
    }  # fmt: skip
