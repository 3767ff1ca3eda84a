"""A finished game turn by turn, in two columns that are never mixed: hindsight, and what players could know.

*Hindsight* (``hindsight.py``): the proven maximum of the known deck before and after each action, where it
was lost and a line that would have kept it; and the chance of the maximum with open hands, where the rest of
the game is short enough to count. Nobody at the table knew this, so it carries no word of blame.

*What players could know*: the chances under a convention, from the mover's own belief, and the grades that
follow from them (``grades.py``). ``agreement.py`` says how often conventions would have done the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hanasolve.errors import Interrupted, LimitReached, NotationError, UnsupportedVariant
from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.game.fireworks import score as placed_cards
from hanasolve.hanabi.game.records import Replay
from hanasolve.hanabi.game.rules import CLUE_RANK
from hanasolve.hanabi.game.statistics import final_word
from hanasolve.hanabi.game.table import from_replay, official_score
from hanasolve.hanabi.ranking.known_deck import known_part
from hanasolve.hanabi.ranking.known_deck.hindsight import ASSUMES, TURN_STATES, Fall, Hindsight, settled
from hanasolve.hanabi.ranking.open_hands.chances import ASSUMES as open_assumes
from hanasolve.hanabi.ranking.open_hands.chances import STATES, OpenChance, open_chances
from hanasolve.hanabi.ranking.review.agreement import Agreements, agreement, conventions_for
from hanasolve.hanabi.ranking.review.grades import GRADES, Accuracy, accuracy
from hanasolve.hanabi.ranking.review.knowable_values import ROLLOUTS, Estimator, TurnEstimate
from hanasolve.limits import CTRL_C, Limit, stopped_by

__all__ = ["ASSUMES", "Review", "Summary", "Turn", "review"]

Progress = Callable[[str, int, int], None]
"""(what is being done, how much of it is done, of how much)."""


@dataclass(frozen=True)
class Turn:
    """One action with all that was found about it."""

    fall: Fall
    estimate: TurnEstimate | None = None
    open_chance: OpenChance | None = None

    @property
    def number(self) -> int:
        return self.fall.number

    @property
    def grade(self) -> str | None:
        """Only ever from what the player could know."""
        return self.estimate.grade.word if self.estimate else None

    @property
    def knowable(self) -> bool | None:
        """Whether what was lost on this turn lay in what the player could know.

        True with a grade; False where the maximum of the known deck fell and the estimates show no graded loss;
        None where nothing was lost, nothing was estimated, or the samples cannot tell.
        """
        if self.estimate is None:
            return None
        if self.grade:
            return True
        return False if self.fall.loss and self.estimate.grade.separable else None


@dataclass(frozen=True)
class Summary:
    """One player's turns: in hindsight, how often the maximum fell and by how much; the grades; accuracy.

    A fall that may have been on an earlier turn (``Fall.since``) counts for nobody.
    """

    player: str
    turns: int
    falls: int
    points_lost: int
    worst_turn: int | None
    grades: dict[str, int] | None = None
    accuracy: Accuracy | None = None


@dataclass(frozen=True)
class Review:
    """A reviewed game. ``lost_at``: the first turn after which the deck's own maximum is proven to be gone.

    ``stopped`` says what is missing (a limit, Ctrl-C), None if everything is there.
    """

    turns: tuple[Turn, ...]
    maximum: int | None  # None: not proven within the limit
    full_score: int
    score: int
    deck_known: bool  # else the maximum is a bound by what is known of it (``known_part``)
    score_word: str | None  # by the table's scale; None while the game runs and where only won and lost count
    placed: int  # cards: more than the score where the game was lost
    players: tuple[Summary, ...]
    agreements: Agreements | None = None
    open_assumes: str | None = None
    convention: str | None = None
    estimate_assumes: str | None = None
    stopped: str | None = None
    interrupted: bool = False

    @property
    def assumes(self) -> str:
        """What the maximum rests on."""
        return ASSUMES if self.deck_known else known_part.ASSUMES

    @property
    def lost_at(self) -> int | None:
        return next((turn.number for turn in self.turns if turn.fall.loss), None)

    @property
    def saving_line_url(self) -> str | None:
        """A game that is the same up to the first loss and then reaches the deck's maximum."""
        return next((turn.fall.saving_url for turn in self.turns if turn.fall.loss), None)


@dataclass(frozen=True)
class ReviewOptions:
    """What a review should contain beside the known deck.

    ``agreement``: names, () = all, None = none. ``convention``: whose estimates, None = none, with ``rollouts``
    games a turn. ``open_states``: for the chance with open hands of one turn, 0 = none. ``states``: for one question
    about the known deck, 0 = until it is proven.
    """

    agreement: Sequence[str] | None = None
    convention: Convention | str | None = None
    rollouts: int = ROLLOUTS
    seed: int = 0
    open_states: int = STATES
    states: int = TURN_STATES


class _UnfinishedReview:
    """A review in the making: every stage adds to it, so that a limit or Ctrl-C leaves what is done."""

    def __init__(self, replay: Replay, limit: Limit | None, options: ReviewOptions, on_progress: Progress) -> None:
        self.replay, self.options, self.on_progress = replay, options, on_progress
        self.limit = (limit or Limit()).part()
        self.falls: list[Fall] = []
        self.maximum: int | None = None
        self.agreements: Agreements | None = None
        self.open: dict[int, OpenChance] = {}
        self.open_assumes: str | None = None
        self.estimates: dict[int, TurnEstimate] = {}
        self.estimator: Estimator | None = None
        if options.convention is not None:
            self.estimator = Estimator(replay, options.convention, options.rollouts, options.seed, self.limit)
        if options.agreement is not None:
            conventions_for(replay, options.agreement)  # names that are not there are named before the work begins

    def run(self) -> None:
        self._hindsight()
        if self.options.open_states and not self.replay.is_partial:
            self._open_hands()
        if self.options.agreement is not None:
            self.agreements = agreement(self.replay, self.options.agreement, self.on_progress, self.limit)
        if self.estimator is not None:
            self._estimate(self.estimator)

    def _hindsight(self) -> None:
        if self.replay.is_partial:
            self.falls = list(known_part.falls(self.replay))
            self.maximum = self.falls[0].max_before
            return
        total = sum(action.type <= CLUE_RANK for action in self.replay.actions)
        self.on_progress("known deck", 0, total)
        walk = Hindsight(self.replay, self.limit, self.options.states)
        self.maximum = walk.maximum
        for fall in walk.turns():
            self.falls.append(fall)
            self.on_progress("known deck", len(self.falls), total)
        self.falls = walk.closed(self.falls)

    def _open_hands(self) -> None:
        total = len(self.falls)
        self.open_assumes = open_assumes
        last = self.estimator is None and self.options.agreement is None
        part = self.limit.part(1.0 if last else 0.5)  # the rest is for what follows
        try:
            for one in open_chances(self.replay, self.options.open_states, part):
                self.open[one.number] = one
                self.on_progress("open hands, from the end", total - one.number + 1, total)
        except UnsupportedVariant as error:
            self.open_assumes = f"no chances with open hands: {error}"
        except LimitReached as stop:
            if self.limit.late:
                raise
            self.open_assumes += f"; {stop}"

    def _estimate(self, estimator: Estimator) -> None:
        label = f"estimates under {estimator.convention.name}"
        self.on_progress(label, 0, len(self.falls))
        for one in estimator.turns():
            self.estimates[one.number] = one
            self.on_progress(label, one.number, len(self.falls))

    def answer(self, stopped: str | None, interrupted: bool) -> Review:
        end = from_replay(self.replay)
        placed = int(placed_cards(end.rules, end.game))
        turns = tuple(
            Turn(fall, self.estimates.get(fall.number), self.open.get(fall.number)) for fall in settled(self.falls)
        )
        name, label = None, None
        if self.estimator is not None:
            cautions = self.estimator.cautions(list(self.estimates.values()))
            name, label = self.estimator.convention.name, "; ".join(filter(None, [self.estimator.assumes, cautions]))
        whole = not self.replay.is_partial
        return Review(
            turns, self.maximum, int(end.rules["full_score"]), official_score(end), whole, final_word(end), placed,
            summaries(turns, self.replay.names), self.agreements, self.open_assumes, name, label, stopped, interrupted,
        )  # fmt: skip


def review(
    replay: Replay, limit: Limit | None = None, options: ReviewOptions | None = None,
    on_progress: Progress | None = None,
) -> Review:  # fmt: skip
    """Review a game; at the limit, or on Ctrl-C, what is done. Where cards of its deck are unknown (``deck_known``
    False), hindsight says what the known ones exclude.

    NotationError if there is nothing to review, UnsupportedVariant as the solver,
    IllegalAction for an action that cannot be.
    """
    if not any(action.type <= CLUE_RANK for action in replay.actions):
        raise NotationError("found no action, expected a game that was played: hanasolve analyze takes a deal")
    from_replay(replay)  # an impossible action is named before the work begins
    work = _UnfinishedReview(replay, limit, options or ReviewOptions(), on_progress or (lambda text, done, total: None))
    try:
        work.run()
    except (LimitReached, Interrupted, KeyboardInterrupt) as stop:
        interrupted = stopped_by(stop) == CTRL_C
        return work.answer("interrupted" if interrupted else str(stop), interrupted)
    return work.answer(None, False)


def summaries(turns: Sequence[Turn], names: tuple[str, ...]) -> tuple[Summary, ...]:
    """What each player's turns cost, by seat."""
    found = []
    for seat, name in enumerate(names):
        own = [turn for turn in turns if turn.fall.seat == seat]
        falls = [turn.fall for turn in own if turn.fall.loss and turn.fall.since is None]
        worst = max(falls, key=lambda fall: fall.loss).number if falls else None
        found.append(Summary(name, len(own), len(falls), sum(fall.loss for fall in falls), worst, *_graded(own)))
    return tuple(found)


def _graded(turns: Sequence[Turn]) -> tuple[dict[str, int] | None, Accuracy | None]:
    """Grades and accuracy of one player's turns; moves without a choice do not count for accuracy."""
    estimated = [turn.estimate for turn in turns if turn.estimate]
    if not estimated:
        return None, None
    words = [turn.grade for turn in turns]
    losses = [one.grade.win_loss for one in estimated if one.choices > 1]
    return {word: words.count(word) for word in GRADES}, accuracy(losses)
