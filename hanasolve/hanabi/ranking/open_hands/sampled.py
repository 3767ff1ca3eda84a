"""Every legal move with open hands and an unknown deck order, where counting all orders takes too long: drawn orders.

Orders of the unseen cards are drawn, each equally likely, and every move is solved on each of them as if that order
were known (``known_deck.py``). All moves share the orders, so differences are paired. The mean is too high: another
continuation may be chosen in every order, which no player can do (strategy fusion: Frank and Basin, Artificial
Intelligence 100, 1998). It estimates an upper bound of the exact value of ``rank.py``; the standard errors tell
how well the mean over all orders is known, not how far above the exact value it lies.

The target is the highest score that one of the drawn orders allows before the move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from hanasolve.errors import LimitReached
from hanasolve.hanabi.game.records import Action
from hanasolve.hanabi.game.table import Table, engine_action
from hanasolve.hanabi.ranking.budget import Progress
from hanasolve.hanabi.ranking.intervals import get_ready, score_range, standard_error, win_range
from hanasolve.hanabi.ranking.known_deck.rank import line_for, solved_moves
from hanasolve.hanabi.ranking.moves import Move, Ranking, after, effect, legal_actions, move_of, outlook, ranked
from hanasolve.hanabi.ranking.open_hands.rank import unseen, with_deck
from hanasolve.limits import CTRL_C, Limit, TimeUp, stopped_by

METHOD = "open-hands-sampled"
ORDERS = 200
LINE_ORDERS, LINE_STATES = 8, 100_000
MAX_IS = "the highest in the drawn orders"


def assumes(cards: int, orders: int) -> str:
    """The label that stands beside these values."""
    return (
        f"optimistic: open cards; the mean over {orders:,} drawn orders of the {cards} cards of the deck, each solved "
        "as if the players knew it, so too high"
    )


def drawn_orders(cards: list[int], seed: int) -> Iterator[list[int]]:
    """Endless orders of the cards, each equally likely; the same for the same seed."""
    dice = np.random.default_rng(seed)
    while True:
        yield [cards[place] for place in dice.permutation(len(cards))]


class _Sample:
    """The best score of every move, order by order, and which moves led to equal situations."""

    def __init__(self, table: Table, limit: Limit) -> None:
        self.table, self.limit = table, limit
        self.before: list[int] = []
        self.scores: list[list[int]] = []
        self.groups: list[list[int]] = []
        self.stopped = ""

    def add(self, order: list[int]) -> None:
        root, rows = solved_moves(with_deck(self.table, order), self.limit)
        self.before.append(root.score)
        self.scores.append([best.score for _, best, _ in rows])
        self.groups.append([group for group, _, _ in rows])

    def run(self, cards: list[int], orders: int, seed: int, progress: Progress | None) -> None:
        """Add orders until there are so many; ``stopped`` says what came first. The order in work then is lost."""
        try:
            for number, order in enumerate(drawn_orders(cards, seed), 1):
                self.add(order)
                if progress is not None:
                    progress(number, orders)
                if number == orders:
                    return
                if self.limit.over:
                    raise self.limit.reached("came between two orders")
        except (LimitReached, KeyboardInterrupt) as stop:
            self.stopped = stopped_by(stop)
            if self.stopped == CTRL_C and not self.scores:
                raise
            if self.stopped == str(Limit()):
                self.stopped = "an order that the solver cannot decide"


def rank_open_sampled(
    table: Table,
    *,
    orders: int = ORDERS,
    seed: int = 0,
    limit: Limit | None = None,
    goal: str = "win",
    progress: Progress | None = None,
) -> Ranking:
    """All legal moves with mean score and chance of the target over drawn orders, with standard errors.

    At the limit or on Ctrl-C the ranking so far, with ``stopped`` set; LimitReached if no order was solved.
    NotationError and UnsupportedVariant as ``rank_known_deck``.
    """
    cards = unseen(table)
    actions = legal_actions(table)
    get_ready()
    sample = _Sample(table, (limit or Limit()).part())
    sample.run(cards, orders, seed, progress)
    if not sample.scores:
        words = f"{sample.stopped} came before any order of the deck was solved: give more time"
        raise LimitReached(words, sample.stopped)
    scores = np.array(sample.scores, np.int64)  # orders x moves
    target = max(sample.before)
    groups: dict[tuple[int, ...], int] = {}
    moves = []
    root = with_deck(table, cards)
    for column, action in enumerate(actions):
        stored, text = move_of(table, action)
        group = groups.setdefault(tuple(row[column] for row in sample.groups), len(groups))
        most = int(scores[:, column].max())
        why = f"{effect(table, action)}; {outlook(after(root, action))}"
        if most < target:
            why += f"; {most} at most in the drawn orders, {target} before"
        strikes = int(after(root, action).game["strikes"])
        move = Move(stored, text, Fraction(0), Fraction(0), most, why, group, strikes=strikes)
        moves.append(_move(move, scores[:, column], target))
    ranking = ranked(METHOD, assumes(len(cards), len(scores)), target, len(scores), moves, goal)
    columns = {move.action: scores[:, column] for column, move in enumerate(moves)}
    rows = _paired(ranking, columns)
    return replace(ranking, moves=rows, seed=seed, stopped=sample.stopped, max_is=MAX_IS)


def with_lines(table: Table, ranking: Ranking, seed: int = 0, limit: Limit | None = None) -> Ranking:
    """Every move with a continuation: of ``LINE_ORDERS`` drawn orders the first one with the most frequent score.

    The order is drawn and the line plays as if it were known, which ``line_is`` says. The ranking as it is where
    an order takes more than ``LINE_STATES``, or the time of ``limit`` is up.
    """
    cards, size = unseen(table), int(table.game["deck_size"])
    part = (limit or Limit()).part(nodes=LINE_STATES * LINE_ORDERS)
    drawn = drawn_orders(cards, seed)
    decks, solved = [], []
    try:
        for _ in range(LINE_ORDERS if len(cards) > 1 else 1):
            deck = with_deck(table, next(drawn))
            decks.append(deck)
            rows = solved_moves(deck, part)[1]
            solved.append(dict(zip(legal_actions(deck), rows, strict=True)))
    except (LimitReached, TimeUp):
        if len(solved) == 0:
            return ranking
    moves = []
    for move in ranking.moves:
        action = engine_action(table, move.action)
        scores = [rows[action][1].score for rows in solved]
        at = scores.index(max(scores, key=lambda score: (scores.count(score), score)))
        deck = decks[at]
        _, best, first = solved[at][action]
        line = line_for(after(deck, action), move.action, best, first)
        moves.append(replace(move, line=line, deal=tuple(int(card) for card in deck.game["deck"][:size])))
    orders = f"of {len(solved)} (seed {seed})" if len(solved) > 1 else "(the only one)" if len(cards) < 2 else "drawn"
    words = f"one order of the deck {orders}, played as if it were known: the most frequent score"
    return replace(ranking, moves=tuple(moves), line_is=words)


def _move(move: Move, scores: NDArray[np.int64], target: int) -> Move:
    """With its means and their standard errors."""
    count, wins = len(scores), scores >= target
    return replace(
        move, score=Fraction(int(scores.sum()), count), win=Fraction(int(wins.sum()), count),
        se_score=standard_error(scores), se_win=standard_error(wins), samples=count,
        win_range=win_range(wins), score_range=score_range(scores, target),
    )  # fmt: skip


def _paired(ranking: Ranking, columns: dict[Action, NDArray[np.int64]]) -> tuple[Move, ...]:
    """Standard errors of the differences; best are the first and those that are equal to it in every order."""
    values = {
        action: scores >= ranking.target if ranking.by == "win" else scores for action, scores in columns.items()
    }
    top = values[ranking.moves[0].action].astype(np.int64)
    differences = [values[move.action] - top for move in ranking.moves]
    return tuple(
        replace(move, best=not difference.any(), se_diff=standard_error(difference))
        for move, difference in zip(ranking.moves, differences, strict=True)
    )
