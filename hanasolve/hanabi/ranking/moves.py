"""What a ranking of moves is, whatever the method: one row a legal action, best first, ties marked as ties."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from hanasolve.bits import has
from hanasolve.errors import NotationError
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.fireworks import max_score, needed_mask, playable, score
from hanasolve.hanabi.game.records import Action
from hanasolve.hanabi.game.statistics import turns_to_come
from hanasolve.hanabi.game.table import Table, describe, stored_action
from hanasolve.hanabi.game.table import final_score as final_score

EngineAction = tuple[int, int, int]
Situation = tuple[Any, ...]


@dataclass(frozen=True)
class Move:
    """One legal action with its value.

    ``score`` is the expected final score and ``win`` the chance of reaching the target (the maximum *before*
    the move), each with the best play for itself afterwards. ``diff`` is the ranked quantity minus the best
    one (0 or less). Moves with the same ``group`` lead to equal situations. ``line`` is a continuation that
    the method proves, empty if it has none.
    """

    action: Action
    text: str
    score: Fraction
    win: Fraction
    max_after: int
    why: str
    group: int
    best: bool = False
    diff: Fraction = Fraction(0)
    line: tuple[Action, ...] = ()
    se_score: float = 0.0  # standard errors: 0 for exact values
    se_win: float = 0.0
    se_diff: float = 0.0
    samples: int | None = None  # deals it was played on, None for exact values
    win_range: tuple[float, float] | None = None  # where sampled: 95 % intervals that also hold where all
    score_range: tuple[float, float] | None = None  # deals ended alike, so that the standard error is 0
    win_proven: tuple[Fraction, Fraction] | None = None  # where sampled: proven bounds of the exact chance
    strikes: int = 0  # after the move, where every card is in view
    fresh: bool = False  # whether those are deals of the second look
    deal: tuple[int, ...] | None = None  # the deck of ``line``, where it is a drawn one

    @property
    def separable(self) -> bool:
        """Whether this is the best move or can be told from it: two standard errors behind, or exact."""
        return self.best or -float(self.diff) >= 2 * self.se_diff


@dataclass(frozen=True)
class Undecided:
    """A legal move whose best score was not proven in time: it lies between ``low`` and ``high``."""

    action: Action
    text: str
    low: int
    high: int


@dataclass(frozen=True)
class Ranking:
    """All legal moves of the player to move, best first. ``assumes`` is the label to print beside it."""

    method: str
    assumes: str
    target: int
    worlds: int | None
    by: str  # what ranks: "win", or "score" where no move can win
    moves: tuple[Move, ...]
    convention: str | None = None
    seed: int | None = None
    seat: int | None = None  # whose eyes, where hands are hidden
    stopped: str = ""  # what ended the work early: these are the values so far
    fresh_worlds: int | None = None
    line_is: str = "proven: it reaches the score of the move"
    max_is: str = "proven"  # what ``max_after`` is
    undecided: tuple[Undecided, ...] = ()  # known deck, where ``stopped``: the legal moves that ``moves`` lacks
    partners: str | None = None  # hidden hands: "convention" or "optimal", as counted


def legal_actions(table: Table) -> list[EngineAction]:
    """The legal actions of the player to move; NotationError if the game is over."""
    if table.game["ended"]:
        raise NotationError("the game is over here: expected a position in which somebody is to move")
    rows = np.empty((engine.MAX_ACTIONS, 3), np.int64)
    count = engine.legal_actions(table.rules, table.game, rows)
    if count == 0:
        raise NotationError("no action is legal here: expected a position in which somebody can move")
    return [(int(row[0]), int(row[1]), int(row[2])) for row in rows[:count]]


def after(table: Table, action: EngineAction) -> Table:
    """A copy of the table after a legal action."""
    child = table.copy()
    engine.apply(child.rules, child.game, *action)
    return child


def situation(table: Table, merge_trash: bool) -> Situation:
    """What decides the rest of the game when hands are open: equal situations have equal values.

    The content of clues is left out. ``merge_trash`` makes all cards that can never be placed alike, which
    is right where some clue is legal whatever the hands hold.
    """
    rules, game = table.rules, table.game
    needed = needed_mask(rules, game)
    hands = []
    for seat in range(int(rules["players"])):
        cards = [int(game["deck"][order]) for order in game["hands"][seat, : game["hand_sizes"][seat]]]
        if merge_trash:
            cards = [card if has(needed, card) else -1 for card in cards]
        hands.append(tuple(sorted(cards)))
    names = ("next", "clues", "strikes", "to_move", "turns_left", "ended")
    kind = int(game["last_clue"]) if rules["alternating_clues"] else -1
    stacks = game["stacks"], game["starts"], game["directions"]
    return (
        tuple(hands), tuple(int(game[name]) for name in names), kind,
        tuple(tuple(int(value) for value in field[: rules["suits"]]) for field in stacks),
    )  # fmt: skip


def effect(table: Table, action: EngineAction) -> str:
    """What an action does, in words: before it is carried out, every card known."""
    rules, game, variant = table.rules, table.game, table.variant
    kind, target, _ = action
    if kind in (engine.CLUE_COLOR, engine.CLUE_RANK):
        left = (int(game["clues"]) - int(rules["clue_cost"])) / int(rules["token_unit"])
        return f"passes the turn for a clue token, {left:g} left"
    order = int(game["next"] if target == engine.TOP else game["hands"][game["to_move"], target])
    card = int(game["deck"][order])
    name = variant.card_name(card)
    fits = card >= 0 and bool(playable(rules, game, card))
    if kind == engine.PLAY and fits:
        suit, _ = variant.suit_rank(card)
        return f"plays {name}, {variant.suits[suit].name.lower()} then has {int(game['stacks'][suit]) + 1}"
    verb = "misplays" if kind == engine.PLAY else "discards"
    tail = f", strike {int(game['strikes']) + 1} of {int(rules['strikes_max'])}" if kind == engine.PLAY else ""
    if not has(needed_mask(rules, game), card):
        return f"{verb} {name}, which is trash{tail}"
    others = int(rules["copies"][card]) - int(game["discarded"][card]) - 1
    if others == 0:
        return f"{verb} {name}, the last copy{tail}"
    places = f"{others} more {'copy' if others == 1 else 'copies'} left"
    return f"{verb} {name}, {places}{tail}"


def ceiling(table: Table) -> int:
    """No deal allows more points from here, as everybody knows: by the cards and the turns that are left."""
    rules, game = table.rules, table.game
    placed = int(score(rules, game))
    if game["ended"]:
        return final_score(table)
    return min(int(max_score(rules, game)), placed + turns_to_come(table))


def outlook(table: Table) -> str:
    """Pace and tokens after a move (pace: discards that may still be made while the maximum stays possible)."""
    rules, game = table.rules, table.game
    clues = int(game["clues"]) / int(rules["token_unit"])
    left = int(engine.deck_left(game))
    if not left:
        return f"clues {clues:g}, last round"
    pace = int(score(rules, game)) + left + int(rules["players"]) - int(max_score(rules, game))
    return f"pace {pace}, clues {clues:g}"


def move_of(table: Table, action: EngineAction) -> tuple[Action, str]:
    """The action as files store it and in words."""
    stored = stored_action(table, *action)
    return stored, describe(table, stored)


def is_same(one: Action, other: Action) -> bool:
    """Whether two stored actions are the same; the value of a play or discard means nothing."""
    alike = (one.type, one.target) == (other.type, other.target)
    return alike and (one.type <= engine.DISCARD or one.value == other.value)


def ranked(
    method: str, assumes: str, target: int, worlds: int | None, moves: Iterable[Move], goal: str = "win"
) -> Ranking:
    """Sort by chance of the target and then by expected score, or the other way round (``goal``); mark ties. Of moves
    with equal values those without a strike come first.

    If no move has a chance of the target, the score ranks and ``by`` says so.
    """
    rows = list(moves)
    by = "score" if goal == "score" or all(move.win == 0 for move in rows) else "win"

    def value(move: Move) -> Fraction:
        return move.win if by == "win" else move.score

    top = max(value(move) for move in rows)
    rows = [replace(move, best=value(move) == top, diff=value(move) - top) for move in rows]
    rows.sort(key=lambda move: (-value(move), -move.score, -move.win, move.strikes, move.group))
    return Ranking(method, assumes, target, worlds, by, tuple(rows))
