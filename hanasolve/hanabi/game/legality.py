"""Which actions are legal: the first rule that an action would break, and the list of all that break none."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.bits import has
from hanasolve.hanabi.game.state import (
    CLUE_COLOR,
    CLUE_RANK,
    DISCARD,
    END,
    MAX_CLUE_RANKS,
    MAX_COLORS,
    MAX_HAND,
    MAX_PLAYERS,
    PLAY,
    RUNNING,
    TOP,
    deck_left,
)
from hanasolve.jit import kernel

MAX_ACTIONS = 2 * MAX_HAND + 2 + MAX_PLAYERS * (MAX_COLORS + MAX_CLUE_RANKS)  # rows that `legal_actions` may fill

# What `legal` returns: 0 = legal, else an index into this list.
CODES = (
    "",
    "game_over",
    "no_such_action",
    "no_such_card",
    "discard_at_max_clues",
    "no_such_player",
    "clue_to_self",
    "no_clue_token",
    "color_not_nameable",
    "rank_not_nameable",
    "clue_type_repeated",
    "empty_clue",
)


@kernel
def touch_mask(rules: Any, kind: int, value: int) -> Any:
    """Identities that a clue touches; 0 for a value that may not be named."""
    if kind == CLUE_COLOR:
        if 0 <= value < rules["colors"]:
            return rules["color_touch"][value]
        return np.uint64(0)
    for i in range(rules["clue_ranks"]):
        if rules["rank_values"][i] == value:
            return rules["rank_touch"][i]
    return np.uint64(0)


@kernel
def nameable(rules: Any, kind: int, value: int) -> bool:
    if kind == CLUE_COLOR:
        return bool(0 <= value < rules["colors"])
    for i in range(rules["clue_ranks"]):
        if rules["rank_values"][i] == value:
            return True
    return False


@kernel
def touches_any(game: Any, player: int, mask: Any) -> bool:
    for i in range(game["hand_sizes"][player]):
        identity = int(game["deck"][game["hands"][player, i]])
        if identity >= 0 and has(mask, identity):
            return True
    return False


@kernel
def legal(rules: Any, game: Any, kind: int, target: int, value: int) -> int:
    """0 if the player to move may do this, else an index into CODES (the first rule that is broken)."""
    if game["ended"] != RUNNING:
        return 1
    if kind == PLAY or kind == DISCARD:
        top = target == TOP and rules["deck_plays"] and deck_left(game) == 1
        if top and kind == DISCARD and not rules["inverted"]:
            top = False
        if not top and not 0 <= target < game["hand_sizes"][game["to_move"]]:
            return 3
        if kind == DISCARD and game["clues"] >= rules["clues_max"] and not rules["discard_at_max"]:
            return 4
        return 0
    if kind == END:
        return 0
    if kind != CLUE_COLOR and kind != CLUE_RANK:
        return 2
    if not 0 <= target < rules["players"]:
        return 5
    if target == game["to_move"]:
        return 6
    if game["clues"] < rules["clue_cost"]:
        return 7
    return legal_value(rules, game, kind, target, value)


@kernel
def legal_value(rules: Any, game: Any, kind: int, target: int, value: int) -> int:
    """As ``legal`` for what a clue names, to a seat that it may go to and with a token there."""
    if not nameable(rules, kind, value):
        return 8 if kind == CLUE_COLOR else 9
    if rules["alternating_clues"] and game["last_clue"] == kind:
        return 10
    empty_allowed = rules["empty_color_clues"] if kind == CLUE_COLOR else rules["empty_rank_clues"]
    if not empty_allowed and not touches_any(game, target, touch_mask(rules, kind, value)):
        return 11
    return 0


@kernel
def legal_actions(rules: Any, game: Any, out: Any) -> int:
    """Write all legal actions as rows (kind, target, value) into ``out`` (int64[k, 3]) and count them.

    Order: plays, discards (oldest card first), then by seat colour clues and rank clues. ``out`` needs
    MAX_ACTIONS rows.
    """
    count = 0
    for kind in (PLAY, DISCARD):
        for index in range(-1, game["hand_sizes"][game["to_move"]]):
            if legal(rules, game, kind, index, 0) == 0:
                out[count, 0], out[count, 1], out[count, 2] = kind, index, 0
                count += 1
    for seat in range(rules["players"]):
        for i in range(rules["colors"] + rules["clue_ranks"]):
            kind, value = CLUE_COLOR, i
            if i >= rules["colors"]:
                kind, value = CLUE_RANK, int(rules["rank_values"][i - rules["colors"]])
            if legal(rules, game, kind, seat, value) == 0:
                out[count, 0], out[count, 1], out[count, 2] = kind, seat, value
                count += 1
    return count
