"""Games played on from drawn deals, every seat with its own notes.

A *deal* gives all identities by order. Every seat has its own MEMORY, told of every action from its own view:
after an action that the convention would not have chosen, the seats may read it differently, so one public
MEMORY would be wrong. ``search.py`` and the rankings of hidden hands play their rollouts here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.game.rules import GAME, RULES, apply, legal, result_score, start
from hanasolve.hanabi.game.view import (
    DECIDE_SIGNATURE,
    EVENT_TYPE,
    MEMORY,
    UPDATE_SIGNATURE,
    VIEW_TYPE,
    aim,
    announce,
    blank,
    fill_game,
    open_event,
    refresh,
)
from hanasolve.hanabi.play.games import dice_seed
from hanasolve.jit import from_dtype, kernel, kernel_of, types

ILLEGAL, STUCK = -1, -2  # instead of points: the rules refuse the candidate; the convention has no legal move

_RULES, _GAME = from_dtype(RULES), from_dtype(GAME)
_GAMES, _MEMORIES = _GAME[::1], from_dtype(MEMORY)[::1]
_CALLS = (types.FunctionType(DECIDE_SIGNATURE), types.FunctionType(UPDATE_SIGNATURE))
_CODES, _CARDS = types.int64[::1], types.int8[:, ::1]
_FLAGS = types.uint8[::1]

_REPLAY = types.void(_RULES, VIEW_TYPE, _GAME, _MEMORIES, EVENT_TYPE, *_CALLS, types.int64, _CODES, _CARDS, _FLAGS)
_ROLL = types.void(
    _RULES, VIEW_TYPE, _GAME, _GAMES, _MEMORIES, _MEMORIES, _MEMORIES, EVENT_TYPE, *_CALLS, types.boolean,
    _CODES, _CODES, _CARDS, types.uint64[::1], types.int16[:, ::1],
)  # fmt: skip


@kernel
def step(rules: Any, view: Any, game: Any, event: Any, code: int) -> None:
    """Carry out a legal action and bring view and event up to date."""
    kind, target, value = code >> 16, (code >> 8) & 255, code & 255
    announce(game, view, event, kind, target, value)
    apply(rules, game, kind, target, value)
    refresh(view, game, event, False)


@kernel
def tell_all(view: Any, game: Any, memories: Any, event: Any, update: Any) -> None:
    """Every seat takes note of the event from its own view."""
    for seat in range(memories.shape[0]):
        aim(view, game, seat, False)
        update(view, memories[seat], event)


@kernel
def begin(rules: Any, view: Any, game: Any, memories: Any, event: Any, update: Any, deck: Any) -> None:
    """Deal, and tell every seat that the game begins."""
    start(rules, game, deck)
    fill_game(view, game, 0, False)
    open_event(game, event)
    for seat in range(memories.shape[0]):
        blank(memories[seat])
    tell_all(view, game, memories, event, update)


@kernel
def retell(
    rules: Any, view: Any, game: Any, memories: Any, event: Any, update: Any, history: Any, deck: Any
) -> None:
    """The notes of all seats after this history on this deal."""
    begin(rules, view, game, memories, event, update, deck)
    for turn in range(history.shape[0]):
        step(rules, view, game, event, history[turn])
        tell_all(view, game, memories, event, update)


@kernel
def explains(
    rules: Any, view: Any, game: Any, memories: Any, event: Any, decide: Any, update: Any, seat: int,
    history: Any, deck: Any,
) -> bool:  # fmt: skip
    """Whether all but ``seat`` would have acted as they did on this deal, each with his own notes."""
    begin(rules, view, game, memories, event, update, deck)
    for turn in range(history.shape[0]):
        mover = int(np.int64(game["to_move"]))
        if mover != seat:
            aim(view, game, mover, False)
            if decide(view, memories[mover]) != history[turn]:
                return False
        step(rules, view, game, event, history[turn])
        tell_all(view, game, memories, event, update)
    return True


@kernel_of(_REPLAY, heavy=True)
def explain_games(
    rules: Any, view: Any, game: Any, memories: Any, event: Any, decide: Any, update: Any, seat: int,
    history: Any, decks: Any, kept: Any,
) -> None:  # fmt: skip
    """``kept[row]``: whether this deal ``explains`` what the others did."""
    for row in range(decks.shape[0]):
        deck = decks[row]
        explained = explains(rules, view, game, memories, event, decide, update, seat, history, deck)
        kept[row] = 1 if explained else 0


@kernel
def play_out(
    rules: Any, view: Any, game: Any, memories: Any, event: Any, decide: Any, update: Any, code: int
) -> int:
    """Points of the game after this action, everybody following the convention with his own notes."""
    first = code >= 0
    while True:
        mover = int(np.int64(game["to_move"]))
        if not first:
            aim(view, game, mover, False)
            code = decide(view, memories[mover])
        kind, target, value = code >> 16, (code >> 8) & 255, code & 255
        if code < 0 or kind > 3 or legal(rules, game, kind, target, value) != 0:
            return ILLEGAL if first else STUCK
        first = False
        step(rules, view, game, event, code)
        if game["ended"] != 0:
            return max(0, result_score(rules, game))
        tell_all(view, game, memories, event, update)


@kernel_of(_ROLL, heavy=True)
def roll_out(
    rules: Any, view: Any, root: Any, games: Any, given: Any, base: Any, memories: Any, event: Any,
    decide: Any, update: Any, retold: bool, history: Any, codes: Any, decks: Any, dice: Any, points: Any,
) -> None:  # fmt: skip
    """``points[w, c]`` = points of candidate ``codes[c]`` on deal ``decks[w]``, all candidates on the same deals.

    ``given``: the notes of all seats at ``root``, or of the game's start where the history is ``retold``.
    ``games``: two to work on. ``dice[w]`` seeds the players' dice.
    """
    for w in range(decks.shape[0]):
        games[0] = root
        for order in range(root["deck_size"]):
            games[0]["deck"][order] = decks[w, order]
        for seat in range(given.shape[0]):
            base[seat] = given[seat]
        if retold:
            retell(rules, view, games[1], base, event, update, history, decks[w, : root["deck_size"]])
        for seat in range(given.shape[0]):
            base[seat]["dice"][seat] = dice_seed(int(np.int64(dice[w])), seat)
        for c in range(codes.shape[0]):
            games[1] = games[0]
            for seat in range(given.shape[0]):
                memories[seat] = base[seat]
            fill_game(view, games[1], int(np.int64(root["to_move"])), False)
            points[w, c] = play_out(rules, view, games[1], memories, event, decide, update, codes[c])
