"""The value of every legal move of one position, by the strongest method that the position allows."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hanasolve.answers.answer import Answer, Progress, Tell, silent
from hanasolve.answers.reading import read_one, seat_of, table_of
from hanasolve.errors import ImpossiblePosition, NotationError

if TYPE_CHECKING:
    from hanasolve.hanabi.game.records import Replay
    from hanasolve.hanabi.game.table import Table
    from hanasolve.hanabi.notation.source import Item
    from hanasolve.hanabi.ranking.moves import Move, Ranking, Undecided
    from hanasolve.limits import Limit


@dataclass(frozen=True)
class AnalyzeAnswer(Answer):
    """The ``ranking`` of all legal moves at a ``table``, of which ``replay`` is the game if it is known.

    ``stopped``: what ended the work early, empty if nothing did: the values are those so far. ``ranking`` is None if
    it was ended before there were any.
    """

    schema = "hanasolve.analyze/1"
    source: str
    table: Table
    replay: Replay | None
    ranking: Ranking | None
    stopped: str = ""

    @property
    def player(self) -> str:
        """Whose turn it is."""
        return self.table.names[int(self.table.game["to_move"])]

    @property
    def turn(self) -> int:
        """The turn that is analyzed, 1 = the first."""
        return int(self.table.game["turn"]) + 1

    def line_url(self, move: Move) -> str | None:
        """A link to the game that goes on with a move as ``ranking.line_is`` says; None without a game or a line."""
        from hanasolve.hanabi.ranking.known_deck.rank import line_url

        if self.replay is None or not move.line:
            return None
        replay = self.replay if move.deal is None else dataclasses.replace(self.replay, deck=move.deal)
        return line_url(replay, self.table, (move.action, *move.line))

    def record(self) -> dict[str, Any]:
        """The fields of ``--json``; without a ranking the position and what ended the work."""
        from hanasolve.hanabi.ranking.why import best_and_second

        position = {
            "source": self.source, "variant": self.table.variant.name, "turn": self.turn, "player": self.player
        }  # fmt: skip
        ranking = self.ranking
        if ranking is None:
            return {**position, "stopped": self.stopped, "moves": []}
        return {
            **position,
            "eyes": None if ranking.seat is None else self.table.names[ranking.seat],
            "method": ranking.method,
            "assumes": ranking.assumes,
            "convention": ranking.convention,
            "partners": ranking.partners,
            "target": ranking.target,
            "ranked_by": ranking.by,
            "worlds": ranking.worlds,
            "fresh_worlds": ranking.fresh_worlds,
            "seed": ranking.seed,
            "stopped": self.stopped or None,
            "why_best": best_and_second(ranking),
            "line_is": ranking.line_is,
            "max_is": ranking.max_is,
            "moves": [{**_move_fields(move), "line_url": self.line_url(move)} for move in ranking.moves],
            "undecided": [_undecided_fields(one) for one in ranking.undecided],
        }


def analyze(
    source: str | Item, *, turn: int | None = None, player: str | None = None, method: str | None = None,
    goal: str = "win", convention: str | None = None, partners: str | None = None, rollouts: int | None = None,
    seed: int = 0, confirm: bool = True, max_worlds: int = 4_096, limit: Limit | None = None,
    players: int | None = None, variant: str | None = None, progress: Progress | None = None, warn: Tell = silent,
) -> AnalyzeAnswer:  # fmt: skip
    """The value of every legal move before the ``turn``-th action (1-based) of a source of the command line.

    ``method``: known-deck, open-hands, open-hands-sampled, hidden, hidden-exact or hidden-rollouts; the strongest
    that the position allows if left out, and ``hidden`` where a ``player`` (name or seat: whose eyes), a
    ``convention`` (what everybody plays, smart) or ``partners`` (``convention`` or ``optimal``) is named. ``goal``
    ranks by the chance of the maximum (``win``) or by the expected ``score``. ``rollouts``: games over all moves
    together with hidden hands (10000), drawn orders of the deck with open ones (200), from the random ``seed``;
    ``confirm``: the best two moves are played again on fresh deals. ``max_worlds``: hidden hands are counted exactly
    up to so many. ``players``, ``variant``: for decks that do not say them.

    Of the moves, best first: ``win`` is the chance (0 to 1) of the maximum before the move, ``score`` points,
    ``diff`` how far behind the best, exact fractions where ``samples`` is None, else with standard errors (``se_…``)
    and 95 % ranges. At the ``limit``, and on Ctrl-C, the values so far, or LimitReached or Interrupted where there
    are none. NotationError for what cannot be asked and a game that is over, UnsupportedVariant for rules that the
    method does not know, ImpossiblePosition if no deal agrees with the position.
    """
    if goal not in ("win", "score"):
        raise NotationError(f"--goal: found {goal!r}, expected win or score")
    if rollouts is not None and rollouts < 1:
        raise NotationError(f"--rollouts: found {rollouts}, expected 1 or more")
    if max_worlds < 0:
        raise NotationError(f"--max-worlds: found {max_worlds}, expected 0 or more")
    asked = unanswered(source, turn, players=players, variant=variant, warn=warn)
    from hanasolve.hanabi.notation.deck_file import located
    from hanasolve.hanabi.ranking.choice import Asked, rank

    seat = None if player is None else seat_of(player, asked.table.names)
    history = None if asked.replay is None else asked.replay.actions
    counted = None if progress is None else lambda done, total: progress("counted", done, total)
    wishes = Asked(seat, convention, history, rollouts, seed, confirm, partners, max_worlds, counted)
    try:
        ranking = rank(asked.table, method, limit, goal, wishes)
    except ImpossiblePosition as error:
        raise located(error, asked.source) from None
    return dataclasses.replace(asked, ranking=ranking, stopped=ranking.stopped)


def unanswered(
    source: str | Item, turn: int | None = None, stopped: str = "", *, players: int | None = None,
    variant: str | None = None, warn: Tell = silent,
) -> AnalyzeAnswer:  # fmt: skip
    """The position alone, with what ended the work before any move had a value."""
    from hanasolve.hanabi.game.records import Replay

    item = read_one(source, players, variant, warn=warn)
    replay = item.record if isinstance(item.record, Replay) else None
    return AnalyzeAnswer(item.source, table_of(item, turn, warn), replay, None, stopped)


def _move_fields(move: Move) -> dict[str, Any]:
    exact = move.samples is None
    return {
        "action": move.action.fields(),
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
        "score_range": None if move.score_range is None else list(move.score_range),  # 95 %
        "win_range": None if move.win_range is None else list(move.win_range),
        "win_proven": None if move.win_proven is None else [str(bound) for bound in move.win_proven],
        "samples": move.samples,
        "fresh": move.fresh,
        "best": move.best,
        "separable": move.separable,
        "max_after": move.max_after,
        "why": move.why,
        "group": move.group,
    }


def _undecided_fields(one: Undecided) -> dict[str, Any]:
    return {"action": one.action.fields(), "text": one.text, "score_proven": [one.low, one.high]}
