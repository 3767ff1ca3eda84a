"""Which method ranks the moves of a position: the strongest that what is known allows."""

from __future__ import annotations

from hanasolve.errors import NotationError, UnsupportedVariant
from hanasolve.hanabi import rules as engine
from hanasolve.hanabi.game import Table
from hanasolve.hanabi.ranking import known_deck, open_hands
from hanasolve.hanabi.ranking.moves import Ranking
from hanasolve.hanabi.search.solve import Limit

KNOWN, OPEN = "known-deck", "open-hands"
METHODS = (KNOWN, OPEN)


def choose(table: Table) -> str:
    """``known-deck`` if every card is known, ``open-hands`` if every hand is; an error if a hand is hidden."""
    game = table.game
    for seat in range(int(table.rules["players"])):
        orders = game["hands"][seat, : game["hand_sizes"][seat]]
        hidden = sum(1 for order in orders if game["deck"][order] < 0)
        if hidden:
            raise UnsupportedVariant(
                f"{hidden} cards of {table.names[seat]} are hidden: moves cannot be ranked with hidden hands yet; "
                "name all cards of the hands in the file (then the deck may stay unknown), or ask hanasolve deduce "
                "what the hidden cards may be"
            )
    left, known = cards_left(table)
    if known and known < left:
        raise NotationError(
            f"{known} of the {left} cards of the deck are known, expected all or none: "
            "with --method open-hands the order of the deck counts as unknown"
        )
    return KNOWN if known == left else OPEN


def cards_left(table: Table) -> tuple[int, int]:
    """(cards in the draw pile, how many of them are known)."""
    game = table.game
    orders = range(int(game["next"]), int(game["deck_size"]))
    return int(engine.deck_left(game)), sum(1 for order in orders if game["deck"][order] >= 0)


def rank(table: Table, method: str | None = None, limit: Limit | None = None, goal: str = "win") -> Ranking:
    """The ranking of all legal moves by the named method, or by the strongest one that is possible."""
    chosen = choose(table) if method != OPEN else OPEN
    if method is not None and method not in METHODS:
        raise NotationError(f"--method: found {method!r}, expected {' or '.join(METHODS)}")
    if method == KNOWN and chosen == OPEN:
        raise NotationError("--method known-deck: the order of the deck is not known, expected a position with `deck`")
    if chosen == KNOWN:
        return known_deck.rank_known_deck(table, limit, goal)
    return open_hands.rank_open_hands(table, limit, goal)
