"""A whole game, turn by turn: in hindsight, and by what the players could know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hanasolve.answers.answer import Answer, Progress, Tell, silent
from hanasolve.answers.reading import read_one, replay_of, table_of
from hanasolve.errors import NotationError

if TYPE_CHECKING:
    from hanasolve.hanabi.game.records import Replay
    from hanasolve.hanabi.notation.source import Item
    from hanasolve.hanabi.ranking.review.game_review import Review
    from hanasolve.limits import Limit

ALL = "all"


@dataclass(frozen=True)
class ReviewAnswer(Answer):
    """The game with its review; ``found.stopped`` says what is missing (a limit, Ctrl-C), None if nothing is."""

    schema = "hanasolve.review/1"
    source: str
    replay: Replay
    found: Review

    def record(self) -> dict[str, Any]:
        """The fields of ``--json``."""
        from hanasolve.answers.review_record import review_fields

        return review_fields(self.source, self.replay, self.found)


def review(
    source: str | Item, *, convention: str | None = None, rollouts: int = 2_000, seed: int = 0,
    open_states: int = 100_000, states: int = 300_000, agreement: str | Sequence[str] | None = None,
    limit: Limit | None = None, players: int | None = None, variant: str | None = None,
    progress: Progress | None = None, warn: Tell = silent,
) -> ReviewAnswer:  # fmt: skip
    """Review a game turn by turn.

    In hindsight, which nobody at the table had: the proven maximum before and after every action, where it was lost
    and a line that keeps it, with at most ``states`` states for one question (0: until it is proven); and the chance
    of the maximum with open hands, from the end back to the first turn that takes more than ``open_states``
    (0: none). With ``convention``, by what each player could know: the chances of the best move and of the one
    played, everybody on the convention afterwards (``rollouts`` games a turn from the random ``seed``), and grades.
    ``agreement``: how often conventions (names, or ``all``) would have made the same move.

    Turns count from 1, chances are from 0 to 1, scores in points, each with one standard error where it is drawn.
    Where cards of the deck are unknown (``found.deck_known`` False), hindsight says what the known ones exclude.
    At the ``limit``, and on Ctrl-C, the answer holds what is done. ``players`` and ``variant`` are for decks that do
    not say. NotationError for what cannot be asked and for a game without actions; UnsupportedVariant for rules that
    the search or the convention does not know; IllegalAction for an action that cannot be.
    """
    for option, value, least in (("states", states, 0), ("open-states", open_states, 0), ("rollouts", rollouts, 10)):
        if value < least:
            raise NotationError(f"--{option}: found {value}, expected {least} or more")
    names = _names(agreement)
    item = read_one(source, players, variant, warn=warn)
    replay = replay_of(item)
    table_of(item, len(replay.actions) + 1, warn)  # warns of actions after the end
    from hanasolve.hanabi.ranking.review import game_review

    options = game_review.ReviewOptions(names, convention, rollouts, seed, open_states, states)
    return ReviewAnswer(item.source, replay, game_review.review(replay, limit, options, progress))


def _names(agreement: str | Sequence[str] | None) -> tuple[str, ...] | None:
    """The conventions to ask: None = not asked, () = all."""
    if agreement is None:
        return None
    listed = agreement.split(",") if isinstance(agreement, str) else agreement
    names = tuple(name.strip() for name in listed if name.strip())
    if not names:
        raise NotationError(f"--agreement: found {agreement!r}, expected names with commas between them, or all")
    return () if names == (ALL,) else names
