"""The rules engine: legal actions, apply, end and score, on the records of ``state.py``. There is no other.

An action is ``(kind, target, value)``: play and discard take a hand index as target (``TOP`` = blind play of the
last card of the deck, hanab.live's ``deckPlays``), clues a seat and a colour index or a rank as in files.
Everybody takes the engine from here; ``state.py`` holds its records, ``legality.py`` which actions are legal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.bits import has
from hanasolve.hanabi.game.fireworks import ORDER_UP_OR_DOWN, START_INDEX, max_score, playable, score
from hanasolve.hanabi.game.legality import CODES, MAX_ACTIONS, legal, legal_actions, legal_value, touch_mask
from hanasolve.hanabi.game.state import (
    CLUE_COLOR,
    CLUE_RANK,
    DEAD,
    DISCARD,
    DISCARDED,
    END,
    ENDED_NAMES,
    GAME,
    GONE,
    IMPOSSIBLE,
    IN_DECK,
    LAST_ROUND,
    MAX_CLUE_RANKS,
    MAX_COLORS,
    MAX_DECK,
    MAX_HAND,
    MAX_IDS,
    MAX_PLAYERS,
    NO_CARDS,
    NORMAL,
    PERFECT,
    PLACED,
    PLAY,
    ROYAL_FAVOR,
    RULES,
    RUNNING,
    SITE_END,
    SPEEDRUN_FAIL,
    STRIKEOUT,
    STUCK,
    TOP,
    clear,
    deck_left,
    draw,
    make_rules,
    new_game,
    start,
)
from hanasolve.jit import kernel

__all__ = [
    "CLUE_COLOR", "CLUE_RANK", "CODES", "DEAD", "DISCARD", "DISCARDED", "END", "ENDED_NAMES", "GAME", "IMPOSSIBLE",
    "IN_DECK", "LAST_ROUND", "MAX_ACTIONS", "MAX_CLUE_RANKS", "MAX_COLORS", "MAX_DECK", "MAX_HAND", "MAX_IDS",
    "MAX_PLAYERS", "NORMAL", "PERFECT", "PLACED", "PLAY", "RULES", "RUNNING", "SITE_END", "SPEEDRUN_FAIL",
    "STRIKEOUT", "STUCK", "TOP", "apply", "clear", "clue_bit", "deck_left", "has_turn", "legal", "legal_actions",
    "make_rules", "mark", "new_game", "place", "result_score", "score", "start", "touch_mask",
]  # fmt: skip


@kernel
def apply(rules: Any, game: Any, kind: int, target: int, value: int) -> None:
    """Carry out a legal action of the player to move, and end the game where the rules say so."""
    again = False
    if kind == PLAY or kind == DISCARD:
        again = _use_card(rules, game, kind, target)
    elif kind == END:
        game["ended"] = SITE_END + value
    else:
        game["clues"] -= rules["clue_cost"]
        game["clues_given"] += 1
        game["last_clue"] = kind
        mark(rules, game, kind, target, value)
        if rules["card_cycle"]:
            _cycle(game, int(game["to_move"]))
    if again and game["strikes"] < rules["strikes_max"]:
        return  # the extra action of a bonus tile belongs to the same turn
    _end_turn(rules, game)


@kernel
def clue_bit(rules: Any, kind: int, value: int) -> int:
    """Bit of a clue in ``told_yes`` and ``told_no``: the colour index, or 10 + index of the rank."""
    if kind == CLUE_COLOR:
        return value
    for i in range(rules["clue_ranks"]):
        if rules["rank_values"][i] == value:
            return MAX_COLORS + i
    return 31


@kernel
def mark(rules: Any, game: Any, kind: int, target: int, value: int) -> None:
    """Record on every card of a hand whether this clue touched it; of a card that is not known this is not known."""
    mask = touch_mask(rules, kind, value)
    flag = np.uint32(1 << clue_bit(rules, kind, value))
    for i in range(game["hand_sizes"][target]):
        order = game["hands"][target, i]
        identity = int(game["deck"][order])
        if identity < 0:
            continue
        if has(mask, identity):
            game["told_yes"][order] |= flag
            game["fits"][order] &= mask
        else:
            game["told_no"][order] |= flag
            game["fits"][order] &= ~mask


@kernel
def _cycle(game: Any, player: int) -> None:
    """hanab.live's cardCycle: the giver's oldest card without a touching clue becomes the newest."""
    size = int(game["hand_sizes"][player])
    for i in range(size):
        order = game["hands"][player, i]
        if game["told_yes"][order] == 0:
            for j in range(i, size - 1):
                game["hands"][player, j] = game["hands"][player, j + 1]
            game["hands"][player, size - 1] = order
            return


@kernel
def _take(game: Any, player: int, index: int) -> int:
    """Remove a card from a hand (or the last card from the deck) and return its order."""
    if index == TOP:
        game["next"] += 1
        return int(game["next"]) - 1
    order = int(game["hands"][player, index])
    size = int(game["hand_sizes"][player])
    for j in range(index, size - 1):
        game["hands"][player, j] = game["hands"][player, j + 1]
    game["hand_sizes"][player] = size - 1
    return order


@kernel
def _use_card(rules: Any, game: Any, kind: int, index: int) -> bool:
    """Play or discard, then draw. True if a bonus tile grants one more action in this turn."""
    player = int(game["to_move"])
    order = _take(game, player, index)
    identity = int(game["deck"][order])
    again = False
    if kind == PLAY and playable(rules, game, identity):
        game["where"][order] = PLACED
        if place(rules, game, identity):
            again = _bonus(rules, game, int(rules["suit_of"][identity]))
    else:
        game["where"][order] = DISCARDED
        game["discarded"][identity] += 1
        if kind == PLAY:
            game["strikes"] += 1
        else:
            game["clues"] = min(rules["clues_max"], game["clues"] + rules["discard_gain"])
    if index != TOP:
        draw(game, player)
    return again


@kernel
def place(rules: Any, game: Any, identity: int) -> bool:
    """Put a playable card on its firework; True if that completes it."""
    suit, rank = int(rules["suit_of"][identity]), int(rules["rank_of"][identity])
    if game["stacks"][suit] == 0:
        game["starts"][suit] = rank
    if rules["order"][suit] == ORDER_UP_OR_DOWN and game["directions"][suit] == 0 and rank != START_INDEX:
        if game["stacks"][suit] == 0:
            game["directions"][suit] = 1 if rank == 0 else -1
        else:
            game["directions"][suit] = 1 if rank == 1 else -1
    game["stacks"][suit] += 1
    return bool(game["stacks"][suit] == rules["stack_size"])


@kernel
def _bonus(rules: Any, game: Any, suit: int) -> bool:
    """Pay for a completed firework: a token, or the next bonus tile. True = one more action."""
    if game["tiles_turned"] < rules["tiles"]:
        effect = int(rules["tile_effects"][game["tiles_turned"]])
        game["tiles_turned"] += 1
        return _turn_tile(rules, game, effect)
    gain = int(rules["bonus"][suit])
    if gain == 0 or rules["tile_replaces_token"]:
        return False
    if game["clues"] >= rules["clues_max"]:
        game["bonus_lost"] += 1
    else:
        game["clues"] += gain
    return False


@kernel
def _turn_tile(rules: Any, game: Any, effect: int) -> bool:
    """Apply a bonus tile (index into TILE_EFFECTS); what cannot be applied is void.

    The choice travels in the record: ``free_clue`` = (kind, seat, value); ``take_back`` = (any kind, order of
    a discarded card, place in the deck from the top). ``look`` shows a card to its holder only: the public
    record does not change.
    """
    if effect == 0 and game["strikes"] > 0:
        game["strikes"] -= 1
    elif effect == 1 and game["choice_kind"] >= 0:
        kind, target, value = int(game["choice_kind"]), int(game["choice_target"]), int(game["choice_value"])
        fits = 0 <= target < rules["players"] and target != game["to_move"]
        if fits and legal_value(rules, game, kind, target, value) == 0:
            mark(rules, game, kind, target, value)
    elif effect == 2 and game["choice_kind"] >= 0:
        _take_back(game, int(game["choice_target"]), int(game["choice_value"]))
    elif effect == 3:
        game["clues"] = min(rules["clues_max"], game["clues"] + 2 * rules["token_unit"])
    return effect == 5


@kernel
def _take_back(game: Any, order: int, depth: int) -> None:
    """Move a discarded card into the deck, ``depth`` cards below the top; void if the deck is empty.

    The card gets a new order, that of its place in the deck.
    """
    left = deck_left(game)
    if left == 0 or game["deck_size"] >= MAX_DECK or not 0 <= order < game["next"]:
        return
    if game["where"][order] != DISCARDED:
        return
    identity = int(game["deck"][order])
    at = int(game["next"]) + min(max(depth, 0), left)
    for i in range(int(game["deck_size"]), at, -1):
        game["deck"][i] = game["deck"][i - 1]
    game["deck"][at] = identity
    game["deck_size"] += 1
    game["where"][order] = GONE
    game["discarded"][identity] -= 1


@kernel
def _end_turn(rules: Any, game: Any) -> None:
    """Count the turn, pass it on, and test for the end in the order of the rules."""
    game["turn"] += 1
    following = int(game["to_move"]) + 1
    game["to_move"] = 0 if following == rules["players"] else following
    if rules["mode"] == NORMAL:
        if game["turns_left"] >= 0:
            game["turns_left"] -= 1
        elif deck_left(game) == 0:
            game["turns_left"] = rules["players"]
    if game["ended"] == RUNNING:
        game["ended"] = end_reason(rules, game)


@kernel
def end_reason(rules: Any, game: Any) -> int:
    """Why the game is over before the turn of the player to move, by the first rule that says so; else RUNNING."""
    if game["strikes"] >= rules["strikes_max"]:
        return STRIKEOUT
    placed = score(rules, game)
    if placed == rules["full_score"]:
        return PERFECT
    if rules["speedrun"] and max_score(rules, game) < rules["full_score"]:
        return SPEEDRUN_FAIL
    if rules["stop_when_impossible"] and max_score(rules, game) < rules["full_score"]:
        return IMPOSSIBLE
    if rules["mode"] != NORMAL and game["hand_sizes"][game["to_move"]] == 0:
        if rules["mode"] == ROYAL_FAVOR:
            return NO_CARDS
        if game["clues"] < rules["clue_cost"]:
            return STUCK
    if game["turns_left"] == 0:
        return LAST_ROUND
    if rules["stop_when_dead"] and (placed == max_score(rules, game) or not _can_score(rules, game)):
        return DEAD
    return RUNNING


@kernel
def has_turn(rules: Any, game: Any, player: int) -> bool:
    """Whether this seat still has a turn (all have before the last round)."""
    if game["turns_left"] < 0:
        return True
    wait = (player - game["to_move"] + rules["players"]) % rules["players"]
    return bool(wait < game["turns_left"])


@kernel
def _can_score(rules: Any, game: Any) -> bool:
    """Whether the next card of some firework is in the deck or in a hand that still has a turn."""
    for order in range(game["next"], game["deck_size"]):
        if game["deck"][order] < 0 or playable(rules, game, int(game["deck"][order])):
            return True
    for player in range(rules["players"]):
        if has_turn(rules, game, player):
            for i in range(game["hand_sizes"][player]):
                identity = int(game["deck"][game["hands"][player, i]])
                if identity < 0 or playable(rules, game, identity):
                    return True
    return False


@kernel
def result_score(rules: Any, game: Any) -> int:
    """Points of a finished game; -1 while it runs and in the modes without a score."""
    if game["ended"] == RUNNING or rules["mode"] != NORMAL:
        return -1
    if game["ended"] == STRIKEOUT:
        return score(rules, game) if rules["keep_score"] else 0
    if game["ended"] >= SITE_END or game["ended"] == SPEEDRUN_FAIL:
        return 0
    return score(rules, game)
