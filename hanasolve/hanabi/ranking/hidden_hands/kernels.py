"""Kernels for hidden hands: what the partners' actions say about a hand, and games played on from drawn deals.

A *deal* gives the viewer's hidden cards and the draw pile identities. Every seat has its own MEMORY, told of
every action from its own view: after an action that the convention would not have chosen, the seats may read
it differently, so one public MEMORY would be wrong. Up to the position one MEMORY serves all seats if the
convention's notes are public and everybody followed it (``belief.py`` checks that); otherwise the history is
told again to all seats, deal by deal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.searching.rollouts import ILLEGAL, retell, step, tell_all
from hanasolve.hanabi.conventions.tools.building_blocks import has, random_below
from hanasolve.hanabi.game.fireworks import max_score, score
from hanasolve.hanabi.game.rules import GAME, MAX_ACTIONS, MAX_IDS, RULES, legal, legal_actions, result_score
from hanasolve.hanabi.game.view import (
    DECIDE_SIGNATURE,
    EVENT_TYPE,
    MEMORY,
    UPDATE_SIGNATURE,
    VIEW_TYPE,
    aim,
    blank,
    fill_game,
    open_event,
)
from hanasolve.hanabi.play.games import dice_seed
from hanasolve.jit import from_dtype, kernel, kernel_of, types

CONVENTION = -1  # as a candidate: whatever the convention does here

_RULES, _GAME = from_dtype(RULES), from_dtype(GAME)
_MEMORY = from_dtype(MEMORY)
_GAMES, _MEMORIES = _GAME[::1], _MEMORY[::1]
_CALLS = (types.FunctionType(DECIDE_SIGNATURE), types.FunctionType(UPDATE_SIGNATURE))
_CODES, _CARDS = types.int64[::1], types.int8[:, ::1]
_FLAGS = types.uint8[::1]

_TRACE = types.void(_RULES, VIEW_TYPE, _MEMORY, EVENT_TYPE, *_CALLS, types.int64, _CODES, _GAMES, _MEMORIES, _FLAGS)
_EXPLAIN = types.void(VIEW_TYPE, _MEMORY, _CALLS[0], _CODES, _CARDS, types.int64, _FLAGS)
_NARRATE = types.int64(
    _RULES, VIEW_TYPE, _GAME, _GAMES, _MEMORIES, _MEMORIES, EVENT_TYPE, *_CALLS, types.boolean, _CODES,
    types.int64, _CARDS, types.int64, _CODES,
)  # fmt: skip
_TABLES = types.uint64[:, ::1], types.int16[:, ::1], types.int16[:, ::1]
_EXPAND = types.int64(
    _RULES, VIEW_TYPE, _GAME, _GAMES, _MEMORIES, _MEMORIES, _MEMORIES, EVENT_TYPE, *_CALLS, types.boolean, _CODES,
    types.int64, _CODES, _CARDS, _CODES, *_TABLES,
)  # fmt: skip


@kernel_of(_TRACE, heavy=True)
def trace(
    rules: Any, view: Any, memory: Any, event: Any, decide: Any, update: Any, seat: int, history: Any,
    games: Any, memories: Any, follows: Any,
) -> None:  # fmt: skip
    """One seat's notes through the game. ``games[0]`` is dealt; games and memories of every turn are written.

    ``follows[turn]``: on this seat's own turns, whether the convention would have done the same; else 1.
    """
    blank(memory)
    fill_game(view, games[0], seat, False)
    open_event(games[0], event)
    update(view, memory, event)
    memories[0] = memory
    for turn in range(history.shape[0]):
        games[turn + 1] = games[turn]
        game = games[turn + 1]
        follows[turn] = 1
        if game["to_move"] == seat and decide(view, memory) != history[turn]:
            follows[turn] = 0
        step(rules, view, game, event, history[turn])
        update(view, memory, event)
        memories[turn + 1] = memory


@kernel_of(_EXPLAIN, heavy=True)
def explain_turn(
    view: Any, memory: Any, decide: Any, orders: Any, hands: Any, code: int, kept: Any
) -> None:
    """``kept[row]`` = 0 if the player who looks would not have acted so, seeing ``hands[row]`` as ``orders``."""
    for row in range(hands.shape[0]):
        for column in range(orders.shape[0]):
            view["deck"][orders[column]] = hands[row, column]
        kept[row] = 1 if decide(view, memory) == code else 0


@kernel_of(_NARRATE, heavy=True)
def narrate(
    rules: Any, view: Any, root: Any, games: Any, given: Any, memories: Any, event: Any, decide: Any,
    update: Any, retold: bool, history: Any, code: int, decks: Any, dice: int, log: Any,
) -> int:  # fmt: skip
    """As ``roll_out`` for one candidate on the deal ``decks[0]``: write the actions to ``log``, return how many."""
    for seat in range(given.shape[0]):
        memories[seat] = given[seat]
    if retold:
        retell(rules, view, games[0], memories, event, update, history, decks[0, : root["deck_size"]])
    games[1] = root
    game = games[1]
    for order in range(root["deck_size"]):
        game["deck"][order] = decks[0, order]
    for seat in range(given.shape[0]):
        memories[seat]["dice"][seat] = dice_seed(dice, seat)
    fill_game(view, game, int(np.int64(game["to_move"])), False)
    count = 0
    while game["ended"] == 0 and count < log.shape[0]:
        if count > 0:
            mover = int(np.int64(game["to_move"]))
            aim(view, game, mover, False)
            code = decide(view, memories[mover])
        kind, target, value = code >> 16, (code >> 8) & 255, code & 255
        if code < 0 or kind > 3 or legal(rules, game, kind, target, value) != 0:
            break
        log[count] = code
        count += 1
        step(rules, view, game, event, code)
        tell_all(view, game, memories, event, update)
    return count


# --- information sets ------------------------------------------------------------------------------------


@kernel
def mix(seen: Any, number: int) -> Any:
    """Add a number to a 64-bit fingerprint (the finalizer of splitmix64)."""
    z = seen + np.uint64(0x9E3779B97F4A7C15) + np.uint64(number + 2) * np.uint64(0xD6E8FEB86659FD93)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def notice(game: Any, event: Any, seat: int, seen: Any) -> Any:
    """Add to the fingerprint what a seat sees of an action: also which card another player draws."""
    seen = mix(seen, int(np.int64(event["kind"])))
    seen = mix(seen, int(np.int64(event["target"])))
    seen = mix(seen, int(np.int64(event["value"])))
    seen = mix(seen, int(np.int64(event["touched"])))
    seen = mix(seen, int(np.int64(event["identity"])))
    if event["drawn"] >= 0 and event["actor"] != seat:
        seen = mix(seen, int(np.int64(game["deck"][event["drawn"]])))
    return seen


@kernel
def most_points(rules: Any, game: Any) -> int:
    """No play from here on gets more points: by the cards and the turns that are left."""
    placed, turns = score(rules, game), int(np.int64(game["turns_left"]))
    if turns < 0:
        turns = int(np.int64(game["deck_size"] - game["next"] + rules["players"]))
    return min(max_score(rules, game), placed + turns)


@kernel
def play_on(
    rules: Any, view: Any, game: Any, memories: Any, event: Any, decide: Any, update: Any, seat: int, codes: Any,
    seen: Any,
) -> tuple[int, Any]:  # fmt: skip
    """Play on with the actions ``codes`` of ``seat`` on his turns, all others by the convention, to the turn of
    his after them or to the end: (points of a game that is over, else ``ILLEGAL``; the fingerprint ``seen`` and
    all that he saw)."""
    turn = 0
    while game["ended"] == 0:
        mover = int(np.int64(game["to_move"]))
        if mover == seat:
            if turn == codes.shape[0]:
                return ILLEGAL, seen
            code = codes[turn]
            turn += 1
        else:
            aim(view, game, mover, False)
            code = decide(view, memories[mover])
        kind, target, value = code >> 16, (code >> 8) & 255, code & 255
        if code < 0 or kind > 3 or legal(rules, game, kind, target, value) != 0:
            return 0, seen
        step(rules, view, game, event, code)
        seen = notice(game, event, seat, seen)
        tell_all(view, game, memories, event, update)
    return max(0, int(np.int64(result_score(rules, game)))), seen


@kernel
def list_actions(rules: Any, game: Any, usual: int, actions: Any) -> int:
    """Write the codes of all legal actions but blind plays, ``usual`` first; returns how many there are."""
    rows = np.empty((MAX_ACTIONS, 3), np.int64)
    count, at = legal_actions(rules, game, rows), 0
    for first in range(2):
        for i in range(count):
            code = rows[i, 0] << 16 | rows[i, 1] << 8 | rows[i, 2]
            if rows[i, 1] >= 0 and (code == usual) == (first == 0):
                actions[at] = code
                at += 1
    return at


@kernel_of(_EXPAND, heavy=True)
def expand(
    rules: Any, view: Any, root: Any, games: Any, given: Any, base: Any, memories: Any, event: Any, decide: Any,
    update: Any, retold: bool, history: Any, seat: int, codes: Any, decks: Any, actions: Any, seen: Any, points: Any,
    most: Any,
) -> int:  # fmt: skip
    """All legal actions of ``seat`` at the turn that his actions ``codes`` lead to, each on every deal to his next
    turn.

    The deals look the same to him up to that turn. ``actions``: codes of the actions, the convention's own first;
    their number is returned. ``points[a, w]`` of a game that is over, else ``ILLEGAL``; ``most[a, w]``: a bound of
    its points; ``seen[a, w]``: fingerprint of all that ``seat`` saw. ``games``: three to work on.
    """
    one, count = np.zeros(1, np.int64), 0
    for w in range(decks.shape[0]):
        for other in range(given.shape[0]):
            base[other] = given[other]
        if retold:
            retell(rules, view, games[0], base, event, update, history, decks[w, : root["deck_size"]])
        games[1] = root
        for order in range(root["deck_size"]):
            games[1]["deck"][order] = decks[w, order]
        fill_game(view, games[1], seat, False)
        _, before = play_on(rules, view, games[1], base, event, decide, update, seat, codes, np.uint64(1))
        if w == 0:
            aim(view, games[1], seat, False)
            count = list_actions(rules, games[1], decide(view, base[seat]), actions)
        for a in range(count):
            games[2] = games[1]
            for other in range(given.shape[0]):
                memories[other] = base[other]
            fill_game(view, games[2], seat, False)
            one[0] = actions[a]
            points[a, w], seen[a, w] = play_on(
                rules, view, games[2], memories, event, decide, update, seat, one, before
            )
            most[a, w] = points[a, w] if points[a, w] >= 0 else most_points(rules, games[2])
    return count


# --- drawing deals ---------------------------------------------------------------------------------------


@kernel
def complete_hands(masks: Any, copies: Any, done: int, state: Any, hands: Any, kept: Any) -> None:
    """Draw the columns from ``done`` on of every hand; ``kept[row]`` = 0 if it would use a copy twice.

    Every card takes an unseen copy that its mask allows, all independent. If the beginnings are drawn with the
    number of deals of copies behind them, the hands that are kept are uniform over all deals of copies.
    """
    size = masks.shape[0]
    used = np.zeros(MAX_IDS, np.int64)
    totals = np.zeros(size, np.int64)
    for column in range(size):
        for identity in range(copies.shape[0]):
            if has(masks[column], identity):
                totals[column] += copies[identity]
    for row in range(hands.shape[0]):
        used[:] = 0
        for column in range(done):
            used[hands[row, column]] += 1
        kept[row] = 1
        for column in range(done, size):
            at, identity = random_below(state, int(totals[column])), -1
            while at >= 0:
                identity += 1
                if has(masks[column], identity):
                    at -= copies[identity]
            if random_below(state, int(copies[identity])) < used[identity]:
                kept[row] = 0
                break
            used[identity] += 1
            hands[row, column] = identity


@kernel
def fill_decks(orders: Any, hands: Any, copies: Any, first: int, state: Any, decks: Any) -> None:
    """Write the hands into ``decks`` as the cards ``orders`` and shuffle what is left into the pile from
    ``first`` on."""
    left = np.zeros(MAX_IDS, np.int64)
    for w in range(hands.shape[0]):
        for identity in range(copies.shape[0]):
            left[identity] = copies[identity]
        for column in range(orders.shape[0]):
            decks[w, orders[column]] = hands[w, column]
            left[hands[w, column]] -= 1
        at = first
        for identity in range(copies.shape[0]):
            for _ in range(left[identity]):
                decks[w, at] = identity
                other = first + random_below(state, at - first + 1)
                decks[w, at], decks[w, other] = decks[w, other], decks[w, at]
                at += 1
