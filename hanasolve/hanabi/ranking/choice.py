"""Which method ranks the moves of a position: the strongest that what is known allows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from hanasolve.errors import LimitReached, NotationError, UnsupportedVariant
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.statistics import final_word, with_word
from hanasolve.hanabi.game.table import Table, engine_action, hidden_seats, official_score
from hanasolve.hanabi.ranking.budget import Progress
from hanasolve.hanabi.ranking.hidden_hands import info_sets
from hanasolve.hanabi.ranking.hidden_hands import open_partners as open_replies
from hanasolve.hanabi.ranking.hidden_hands import rank as hidden
from hanasolve.hanabi.ranking.hidden_hands.viewpoint import CONVENTION, History, viewpoint_within
from hanasolve.hanabi.ranking.known_deck import rank as known_deck
from hanasolve.hanabi.ranking.moves import Ranking
from hanasolve.hanabi.ranking.open_hands import rank as open_hands
from hanasolve.hanabi.ranking.open_hands import sampled as open_sampled
from hanasolve.limits import Limit

KNOWN, OPEN, HIDDEN = "known-deck", "open-hands", "hidden"
METHODS = (KNOWN, OPEN, open_sampled.METHOD, HIDDEN, info_sets.METHOD, hidden.METHOD)
_PLAYED = 0.9  # of the time that is left, for rollouts: the rest is for a line of every move
OPEN_STATES = 1_000_000  # counted exactly before orders are drawn, where no limit is given: a few seconds
PARTNERS = ("convention", OPTIMAL := "optimal")


@dataclass(frozen=True)
class Asked:
    """What is asked for where something is sampled; ``named``: fields that choose the methods for hidden hands."""

    seat: int | None = None
    convention: str | None = None
    history: History | None = None
    rollouts: int | None = None  # None: as many as the method takes by itself
    seed: int = 0
    confirm: bool = True
    partners: str | None = None
    max_worlds: int = info_sets.MAX_WORLDS
    progress: Progress | None = None

    @property
    def named(self) -> bool:
        """Whether something was asked that only hidden hands know."""
        return any(value is not None for value in (self.seat, self.convention, self.partners))


def choose(table: Table, asked: Asked | None = None) -> str:
    """``hidden`` if a hand is or a convention is named, ``known-deck`` if every card is known, else open hands."""
    if (asked is not None and asked.named) or hidden_seats(table):
        return HIDDEN
    left, known = cards_left(table)
    return KNOWN if known == left else OPEN


def cards_left(table: Table) -> tuple[int, int]:
    """(cards in the draw pile, how many of them are known)."""
    game = table.game
    orders = range(int(game["next"]), int(game["deck_size"]))
    return int(engine.deck_left(game)), sum(1 for order in orders if game["deck"][order] >= 0)


def rank(
    table: Table,
    method: str | None = None,
    limit: Limit | None = None,
    goal: str = "win",
    asked: Asked | None = None,
) -> Ranking:
    """The ranking of all legal moves by the named method, or by the strongest one that is possible."""
    if method is not None and method not in METHODS:
        raise NotationError(f"--method: found {method!r}, expected {', '.join(METHODS[:-1])} or {METHODS[-1]}")
    asked, limit = asked or Asked(), limit or Limit()
    _refuse_over(table, asked)
    chosen = choose(table, asked) if method in (None, KNOWN) else method
    if method == KNOWN and chosen != KNOWN:
        _refuse_known(table, asked)
    if method in (KNOWN, OPEN, open_sampled.METHOD) and asked.named:
        raise NotationError(
            f"--method {method}: --player, --convention and --partners belong to hidden hands (--method hidden)"
        )
    if chosen == KNOWN:
        return known_deck.rank_known_deck(table, limit, goal)
    if chosen in (OPEN, open_sampled.METHOD):
        _refuse_hidden(table)
        ranking = _open(table, method, limit, goal, asked)
        left, known = cards_left(table)
        if method is None and 0 < known < left:
            note = f"; {known} of the {left} cards of the deck are known, and their order counts as unknown"
            ranking = replace(ranking, assumes=ranking.assumes + note)
        if asked.history is None or ranking.stopped:  # without a game there is no link that could show a line
            return ranking
        return open_sampled.with_lines(table, ranking, asked.seed, limit)
    return _hidden(table, chosen, limit, goal, asked)


def _open(table: Table, method: str | None, limit: Limit, goal: str, asked: Asked) -> Ranking:
    """The method that was named; if none was, exact values where they are found soon, else sampled with a note why."""
    if method == OPEN:
        return open_hands.rank_open_hands(table, limit, goal, asked.progress)
    note, error = "", None
    if method is None:
        free = limit.end is None and limit.nodes is None
        soon = limit.part(0.5, OPEN_STATES if free else None)
        try:
            return open_hands.rank_open_hands(table, soon, goal, asked.progress)
        except (LimitReached, UnsupportedVariant) as stopped:
            note, error = f"; not exact: {stopped}", stopped
    orders = open_sampled.ORDERS if asked.rollouts is None else asked.rollouts
    ranking = open_sampled.rank_open_sampled(
        table, orders=orders, seed=asked.seed, limit=limit, goal=goal, progress=asked.progress
    )
    if isinstance(error, open_hands.Uncounted) and error.target == ranking.target:
        brackets = error.brackets
        moves = [replace(move, win_proven=brackets[engine_action(table, move.action)]) for move in ranking.moves]
        ranking = replace(ranking, moves=tuple(moves))
    return replace(ranking, assumes=ranking.assumes + note)


def _hidden(table: Table, method: str, limit: Limit, goal: str, asked: Asked) -> Ranking:
    """With the partners that were asked for; optimal ones that take too long follow the convention, with a note why."""
    if asked.partners not in (None, *PARTNERS):
        raise NotationError(f"--partners: found {asked.partners!r}, expected convention or optimal")
    if asked.partners != OPTIMAL:
        return replace(_with_convention(table, method, limit, goal, asked), partners=PARTNERS[0])
    if method == hidden.METHOD:
        raise NotationError("--partners optimal: rollouts know partners who follow the convention only")
    bounds, soon = (info_sets.MAX_NODES, info_sets.MAX_GAMES), limit.part()
    if method == HIDDEN:  # what would take more than about half a minute is left
        soon, bounds = limit.part(0.5), (open_replies.MAX_NODES, open_replies.MAX_GAMES)
    viewpoint, _ = viewpoint_within(soon, table, _eyes(table, asked), asked.convention or CONVENTION, None, asked.seed)
    try:
        exact = info_sets.rank_exact(
            viewpoint, partners=partial(open_replies.OpenReplies, limit=soon), limit=soon, goal=goal,
            max_worlds=asked.max_worlds, max_nodes=bounds[0], max_games=bounds[1], foresee=method == HIDDEN,
            progress=asked.progress,
        )  # fmt: skip
        return replace(hidden.with_lines(viewpoint, exact, limit), partners=OPTIMAL)
    except LimitReached as error:
        if method == info_sets.METHOD:
            raise LimitReached(f"exact values over information sets: {error}", error.limit) from None
        note = f"instead of --partners optimal, which was not counted: {error}"
    ranking = _with_convention(table, method, limit, goal, asked)
    return replace(ranking, assumes=f"{ranking.assumes}; {note}", partners=PARTNERS[0])


def _with_convention(table: Table, method: str, limit: Limit, goal: str, asked: Asked) -> Ranking:
    """Exactly over information sets where the worlds are few, else by rollouts, with a note why."""
    name = asked.convention or CONVENTION
    viewpoint, cut = viewpoint_within(limit, table, _eyes(table, asked), name, asked.history, asked.seed)
    note = ""
    if method != hidden.METHOD:
        try:
            exact = info_sets.rank_exact(
                viewpoint, limit=limit.part(0.5 if method == HIDDEN else 1.0), goal=goal, max_worlds=asked.max_worlds,
                foresee=method == HIDDEN, progress=asked.progress,
            )  # fmt: skip
            return replace(hidden.with_lines(viewpoint, exact, limit), stopped=cut)
        except LimitReached as error:
            note = f"not exact: {error}"
            if method == info_sets.METHOD:
                raise LimitReached(f"exact values over information sets: {error}", error.limit) from None
    ranking = hidden.rank_hidden(
        table, rollouts=hidden.ROLLOUTS if asked.rollouts is None else asked.rollouts, seed=asked.seed,
        limit=limit.part(_PLAYED), goal=goal, confirm=asked.confirm, progress=asked.progress, viewpoint=viewpoint,
    )  # fmt: skip
    assumes = f"{ranking.assumes}; {note}" if note else ranking.assumes
    return hidden.with_lines(viewpoint, replace(ranking, assumes=assumes, stopped=ranking.stopped or cut), limit)


def _eyes(table: Table, asked: Asked) -> int | None:
    """Whose eyes: as asked; else, where the file leaves one hand open, its holder's are meant."""
    unknown = hidden_seats(table)
    return unknown[0] if asked.seat is None and len(unknown) == 1 else asked.seat


def _refuse_over(table: Table, asked: Asked) -> None:
    """Refuse a table at which nobody is to move; of a game the turns that can be asked about are named."""
    if not table.game["ended"]:
        return
    score, turns = with_word(official_score(table), final_word(table)), int(table.game["turn"])
    named = f", e.g. --turn {turns} (before its last action) or --turn 1" if asked.history and turns else ""
    raise NotationError(f"the game is over here with {score}: expected a position in which somebody is to move{named}")


def _refuse_known(table: Table, asked: Asked) -> None:
    if not asked.named:
        _refuse_hidden(table)
        raise NotationError("--method known-deck: the order of the deck is not known, expected a position with `deck`")


def _refuse_hidden(table: Table) -> None:
    for seat in hidden_seats(table):
        raise NotationError(
            f"cards of {table.names[seat]} are hidden, expected a position that names all cards of the hands; "
            "--method hidden ranks with them hidden, hanasolve deduce says what they may be"
        )
