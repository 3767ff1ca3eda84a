"""Kernels that play whole games of a convention: the loop, its dice, and what is kept of a game.

Every game is played by ``rules.legal`` and ``rules.apply``; a convention is asked for an action (``decide``)
and told of every action (``update``) through VIEW, MEMORY and EVENT records (``view.py``). Each seat's dice are
seeded by (seed, seat): the same seed gives the same game.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.convention import SEARCH_COST
from hanasolve.hanabi.game.rules import GAME, PERFECT, RULES, STRIKEOUT, apply, legal, start
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
from hanasolve.jit import from_dtype, kernel, kernel_of, types

RESULT = np.dtype(
    [
        ("placed", np.int16),  # cards placed = the score, unless a strike-out counts as zero
        ("strikes", np.int16),
        ("clues", np.int16),  # clues given
        ("turns", np.int16),
        ("ended", np.int16),  # rules.ENDED_NAMES
        ("perfect", np.bool_),
        ("strikeout", np.bool_),
        ("refused", np.int16),  # 0, else the code of the illegal action that stopped the game
        ("action", np.int64),  # that action
        *((name, np.int64) for name in SEARCH_COST),  # 0 without a search
    ]
)
"""One game. Both scorings follow: keep = placed, zero = placed unless ``strikeout``."""

_GAME_TYPE, _RULES_TYPE = from_dtype(GAME), from_dtype(RULES)
_RESULT_TYPE, _MEMORY_TYPE = from_dtype(RESULT), from_dtype(MEMORY)
_FUNCTIONS = (types.FunctionType(DECIDE_SIGNATURE), types.FunctionType(UPDATE_SIGNATURE))
_TABLE = (_RULES_TYPE, _GAME_TYPE, VIEW_TYPE, _MEMORY_TYPE[::1], EVENT_TYPE)
_LOG_TYPE = types.int16[:, ::1]
_PLAY_ON = types.void(*_TABLE, *_FUNCTIONS, types.boolean, types.boolean, _RESULT_TYPE, _LOG_TYPE)
_PLAY_BATCH = types.int64(
    *_TABLE, *_FUNCTIONS, types.boolean, types.boolean, types.float64[::1],
    types.int8[:, ::1], types.int64[::1], _RESULT_TYPE[::1], _LOG_TYPE,
)  # fmt: skip


@kernel
def scramble(number: Any) -> Any:
    """A 32-bit mixing function (on uint64), so that neighbouring seeds and seats roll unrelated dice."""
    low = np.uint64(0xFFFFFFFF)
    number = ((number ^ (number >> np.uint64(16))) * np.uint64(0x7FEB352D)) & low
    number = ((number ^ (number >> np.uint64(15))) * np.uint64(0x846CA68B)) & low
    return number ^ (number >> np.uint64(16))


@kernel
def dice_seed(number: int, seat: int) -> Any:
    """Start state of a seat's generator; ``number`` = ``deck.seed_number`` of the seed text."""
    first = scramble(np.uint64(number) ^ np.uint64(seat << 8))
    second = scramble(first + np.uint64(seat + 1))
    return (first << np.uint64(32)) | second | np.uint64(1)


@kernel
def begin(
    rules: Any,
    game: Any,
    view: Any,
    memory: Any,
    event: Any,
    deck: Any,
    setup: Any,
    number: int,
    open_hands: bool,
) -> None:
    """Deal, and make all notes blank but for the convention's constants and the dice."""
    start(rules, game, deck)
    fill_game(view, game, game["to_move"], open_hands)
    for m in range(memory.shape[0]):
        notes = memory[m]
        blank(notes)
        for i in range(setup.shape[0]):
            notes["setup"][i] = setup[i]
        for seat in range(rules["players"]):
            notes["dice"][seat] = dice_seed(number, seat)
    open_event(game, event)


@kernel
def tell(game: Any, view: Any, memory: Any, event: Any, update: Any, shared: bool, open_hands: bool) -> None:
    """Let every MEMORY take note of the event; the view is left aimed at the last reader."""
    if shared:
        update(view, memory[0], event)
        return
    for seat in range(view["players"]):
        aim(view, game, seat, open_hands)
        update(view, memory[seat], event)


@kernel
def act(rules: Any, game: Any, view: Any, event: Any, code: int, open_hands: bool) -> int:
    """Carry out an encoded action and refresh view and event; returns the rules' code if it is refused."""
    kind, target, value = code >> 16, (code >> 8) & 255, code & 255
    refused = 2 if code < 0 else legal(rules, game, kind, target, value)
    if refused == 0 and kind > 3:
        refused = 2
    if refused:
        return refused
    announce(game, view, event, kind, target, value)
    apply(rules, game, kind, target, value)
    refresh(view, game, event, open_hands)
    return 0


@kernel
def summarize(rules: Any, game: Any, result: Any) -> None:
    """Write the outcome of a game into a RESULT."""
    placed = 0
    for suit in range(rules["suits"]):
        placed += int(np.int64(game["stacks"][suit]))
    result["placed"], result["strikes"], result["turns"] = placed, game["strikes"], game["turn"]
    result["clues"], result["ended"] = game["clues_given"], game["ended"]
    result["perfect"] = game["ended"] == PERFECT
    result["strikeout"] = game["ended"] == STRIKEOUT


@kernel_of(_PLAY_ON, heavy=True)
def play_on(
    rules: Any, game: Any, view: Any, memory: Any, event: Any,
    decide: Any, update: Any, shared: bool, open_hands: bool, result: Any, log: Any,
) -> None:  # fmt: skip
    """Play a game to its end from where it stands; ``memory`` must agree with the history.

    ``log``: int16[turns, 3] of (kind, target, value), cards by order; may have no rows.
    """
    result["refused"] = 0
    while game["ended"] == 0:
        seat = int(np.int64(game["to_move"]))
        aim(view, game, seat, open_hands)
        code = decide(view, memory[0 if shared else seat])
        refused = act(rules, game, view, event, code, open_hands)
        if refused:
            result["refused"], result["action"] = refused, code
            break
        turn = int(np.int64(game["turn"])) - 1
        if turn < log.shape[0]:
            card = event["order"]
            log[turn, 0], log[turn, 1], log[turn, 2] = event["kind"], event["target"], event["value"]
            if card >= 0:
                log[turn, 1] = card
        tell(game, view, memory, event, update, shared, open_hands)
    summarize(rules, game, result)


@kernel_of(_PLAY_BATCH, heavy=True)
def play_batch(
    rules: Any, game: Any, view: Any, memory: Any, event: Any,
    decide: Any, update: Any, shared: bool, open_hands: bool, setup: Any,
    cards: Any, numbers: Any, results: Any, log: Any,
) -> int:  # fmt: skip
    """Play the decks ``cards``, int8[n, N]; returns the index of the game that an illegal action stopped,
    or n."""
    for row in range(cards.shape[0]):
        begin(rules, game, view, memory, event, cards[row], setup, numbers[row], open_hands)
        tell(game, view, memory, event, update, shared, open_hands)
        play_on(rules, game, view, memory, event, decide, update, shared, open_hands, results[row], log)
        if results[row]["refused"]:
            return row
    return int(np.int64(cards.shape[0]))
