"""The rules engine: the GAME record, legal actions, apply, end and score. There is no other.

A game is one scalar of the dtype GAME; what depends on variant and options is one scalar of RULES. Both are
read and written as ``game["field"]`` in Python and in kernels alike.

Cards have an *order* = position in ``deck`` (drawing order); hands hold orders, index 0 = oldest. An action
is ``(kind, target, value)``: play and discard take a hand index as target (``TOP`` = blind play of the last
card of the deck, hanab.live's ``deckPlays``), clues a seat and a colour index or a rank as in files.
Tokens are counted in units of ``token_unit`` (2 in Clue Starved, else 1).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.game.fireworks import (
    ORDER_DOWN,
    ORDER_SUDOKU,
    ORDER_UP,
    ORDER_UP_OR_DOWN,
    START_INDEX,
    has,
    max_score,
    playable,
    score,
)
from hanasolve.hanabi.game.options import TILE_EFFECTS, Options, check_fits
from hanasolve.hanabi.game.variants import Variant
from hanasolve.jit import kernel

MAX_PLAYERS, MAX_HAND, MAX_SUITS, MAX_IDS, MAX_DECK, MAX_TILES = 6, 10, 7, 48, 80, 8
MAX_COLORS, MAX_CLUE_RANKS = 10, 6

PLAY, DISCARD, CLUE_COLOR, CLUE_RANK, END = 0, 1, 2, 3, 4
TOP = -1  # as target of a play: the last card of the deck

IN_DECK, PLACED, DISCARDED, GONE = -1, 10, 11, 12  # `where` of a card; 0 to 5 = in that seat's hand

NORMAL, PERFECT_OR_DEFEAT, ROYAL_FAVOR = 0, 1, 2

# `ended`: 0 running; from 20 on: 20 + end condition of a hanab.live end action.
RUNNING, STRIKEOUT, PERFECT, LAST_ROUND, DEAD, IMPOSSIBLE, NO_CARDS, STUCK, SPEEDRUN_FAIL = range(9)
SITE_END = 20
ENDED_NAMES = (
    "", "strikeout", "perfect", "last_round", "dead", "impossible", "no_cards", "stuck", "speedrun"
)

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

RULES = np.dtype(
    [
        ("suits", np.int64),
        ("ranks", np.int64),
        ("identities", np.int64),
        ("stack_size", np.int64),
        ("full_score", np.int64),
        ("deck_size", np.int64),
        ("players", np.int64),
        ("hand_size", np.int64),
        ("first_player", np.int64),
        ("token_unit", np.int64),  # tokens of the record that make one whole token
        ("clues_max", np.int64),
        ("clues_start", np.int64),
        ("clue_cost", np.int64),
        ("discard_gain", np.int64),
        ("strikes_max", np.int64),
        ("mode", np.int64),
        ("colors", np.int64),
        ("clue_ranks", np.int64),
        ("empty_color_clues", np.bool_),
        ("empty_rank_clues", np.bool_),
        ("alternating_clues", np.bool_),
        ("discard_at_max", np.bool_),
        ("keep_score", np.bool_),
        ("stop_when_dead", np.bool_),
        ("stop_when_impossible", np.bool_),
        ("speedrun", np.bool_),
        ("deck_plays", np.bool_),
        ("inverted", np.bool_),
        ("card_cycle", np.bool_),
        ("tile_replaces_token", np.bool_),  # when no tile is left: nothing instead of a token
        ("tiles", np.int64),
        ("tile_effects", np.int8, (MAX_TILES,)),  # indices into TILE_EFFECTS, top tile first
        ("bonus", np.int8, (MAX_SUITS,)),  # tokens for completing each suit
        ("order", np.int8, (MAX_SUITS,)),  # building order, board.ORDER_*
        ("copies", np.int8, (MAX_IDS,)),
        ("suit_of", np.int8, (MAX_IDS,)),  # identity // ranks, identity % ranks: a table is faster
        ("rank_of", np.int8, (MAX_IDS,)),
        ("rank_values", np.int8, (MAX_CLUE_RANKS,)),  # the ranks that may be named
        ("color_touch", np.uint64, (MAX_COLORS,)),
        ("rank_touch", np.uint64, (MAX_CLUE_RANKS,)),
    ]
)

GAME = np.dtype(
    [
        ("clues", np.int64),
        ("strikes", np.int64),
        ("turn", np.int64),  # turns done
        ("to_move", np.int64),
        ("turns_left", np.int64),  # turns still to come in the last round, -1 before it
        ("ended", np.int64),
        ("next", np.int64),  # order of the card that is drawn next
        ("deck_size", np.int64),  # orders below this exist
        ("clues_given", np.int64),
        ("bonus_lost", np.int64),  # tokens of completed suits that were lost at the maximum
        ("last_clue", np.int64),  # kind of the last clue, -1 before the first
        ("tiles_turned", np.int64),
        ("choice_kind", np.int64),  # the choice that goes with a bonus tile, -1 = none (see _turn_tile)
        ("choice_target", np.int64),
        ("choice_value", np.int64),
        ("stacks", np.int8, (MAX_SUITS,)),  # cards placed
        ("starts", np.int8, (MAX_SUITS,)),  # rank index of the first card, -1
        ("directions", np.int8, (MAX_SUITS,)),  # Up or Down: 1 up, -1 down, 0 undecided
        ("discarded", np.int8, (MAX_IDS,)),  # copies in the discard pile, misplays included
        ("hand_sizes", np.int8, (MAX_PLAYERS,)),
        ("hands", np.int8, (MAX_PLAYERS, MAX_HAND)),  # orders, index 0 = oldest
        ("deck", np.int8, (MAX_DECK,)),  # identity by order, -1 unknown
        ("where", np.int8, (MAX_DECK,)),
        ("told_yes", np.uint32, (MAX_DECK,)),  # clues that touched the card: bit colour, bit 10 + rank clue
        ("told_no", np.uint32, (MAX_DECK,)),  # clues that missed it
        ("fits", np.uint64, (MAX_DECK,)),  # identities that agree with all these clues
    ]
)

_ORDERS = {"up": ORDER_UP, "down": ORDER_DOWN, "up-or-down": ORDER_UP_OR_DOWN, "sudoku": ORDER_SUDOKU}


def make_rules(variant: Variant, options: Options) -> Any:
    """The RULES record of a variant and a table's options; UnsupportedVariant if the deck is too small."""
    check_fits(variant, options)
    rules = np.zeros(1, RULES)[0]
    flags = variant.flags
    unit = 2 if "clueStarved" in flags else 1
    rules["suits"], rules["ranks"] = len(variant.suits), len(variant.ranks)
    rules["identities"], rules["stack_size"] = len(variant.copies), variant.stack_size
    rules["full_score"], rules["deck_size"] = variant.max_score, variant.deck_size
    rules["players"], rules["hand_size"] = options.players, options.cards_per_hand
    rules["first_player"], rules["token_unit"] = options.first_player, unit
    rules["clues_max"], rules["clues_start"] = options.clues_max * unit, options.start_tokens * unit
    rules["clue_cost"], rules["discard_gain"] = unit, 1
    rules["strikes_max"] = options.strikes_max
    rules["mode"] = ("normal", "perfect_or_defeat", "royal_favor").index(options.mode)
    rules["colors"], rules["clue_ranks"] = len(variant.clue_colors), len(variant.clue_ranks)
    free = options.empty_clues == "allow"
    rules["empty_color_clues"] = free or "colorCluesTouchNothing" in flags
    rules["empty_rank_clues"] = free or "rankCluesTouchNothing" in flags
    rules["alternating_clues"] = "alternatingClues" in flags
    rules["inverted"] = any(suit.inverted for suit in variant.suits)
    rules["discard_at_max"] = options.discard_at_max == "allow" or rules["inverted"]
    rules["keep_score"] = options.strikeout_score == "keep"
    rules["stop_when_dead"], rules["speedrun"] = options.stop_when_dead, options.speedrun
    rules["stop_when_impossible"] = options.stops_when_impossible
    rules["deck_plays"], rules["card_cycle"] = options.deck_plays, options.card_cycle
    rules["tiles"] = len(options.tiles)
    for i, effect in enumerate(options.tiles):
        rules["tile_effects"][i] = TILE_EFFECTS.index(effect)
    rules["tile_replaces_token"] = bool(options.tiles) and options.tiles_when_empty == "nothing"
    for i, suit in enumerate(variant.suits):
        powder = suit.name == "Black Powder" and options.powder_bonus == "none"
        paid = options.fifth_card_bonus and "throwItInAHole" not in flags and not powder
        rules["bonus"][i] = 1 if paid else 0
        rules["order"][i] = _ORDERS[variant.orders[i]]
    rules["copies"][: len(variant.copies)] = variant.copies
    for identity in range(MAX_IDS):
        rules["suit_of"][identity], rules["rank_of"][identity] = divmod(identity, len(variant.ranks))
    rules["rank_values"][: len(variant.clue_ranks)] = variant.clue_ranks
    rules["color_touch"][: len(variant.color_touch)] = np.array(variant.color_touch, np.uint64)
    rules["rank_touch"][: len(variant.rank_touch)] = np.array(variant.rank_touch, np.uint64)
    return rules


def new_game(rules: Any, deck: Any) -> Any:
    """The GAME record before the first action; ``deck`` = identities in drawing order (-1 = unknown)."""
    game = np.zeros(1, GAME)[0]
    start(rules, game, np.asarray(deck, np.int8))
    return game


@kernel
def clear(rules: Any, game: Any) -> None:
    """An empty table: no card anywhere, all tokens, seat ``first_player`` to move."""
    game["clues"], game["strikes"], game["turn"] = rules["clues_start"], 0, 0
    game["to_move"], game["turns_left"], game["ended"] = rules["first_player"], -1, RUNNING
    game["next"], game["deck_size"] = 0, 0
    game["clues_given"], game["bonus_lost"], game["last_clue"] = 0, 0, -1
    game["tiles_turned"], game["choice_kind"] = 0, -1
    game["choice_target"], game["choice_value"] = -1, -1
    game["stacks"][:] = 0
    game["starts"][:] = -1
    game["directions"][:] = 0
    game["discarded"][:] = 0
    game["hand_sizes"][:] = 0
    game["deck"][:] = -1
    game["where"][:] = IN_DECK
    game["told_yes"][:] = 0
    game["told_no"][:] = 0
    game["fits"][:] = (np.uint64(1) << np.uint64(rules["identities"])) - np.uint64(1)


@kernel
def start(rules: Any, game: Any, deck: Any) -> None:
    """Set ``game`` to the deal of ``deck``: seat 0 takes its whole hand, then seat 1, and so on."""
    clear(rules, game)
    game["deck_size"] = deck.shape[0]
    for order in range(deck.shape[0]):
        game["deck"][order] = deck[order]
    for player in range(rules["players"]):
        for _ in range(rules["hand_size"]):
            draw(game, player)


@kernel
def draw(game: Any, player: int) -> None:
    """Give ``player`` the next card of the deck, if there is one."""
    order = game["next"]
    if order < game["deck_size"]:
        size = game["hand_sizes"][player]
        game["hands"][player, size] = order
        game["hand_sizes"][player] = size + 1
        game["where"][order] = player
        game["next"] = order + 1


@kernel
def deck_left(game: Any) -> int:
    return int(game["deck_size"] - game["next"])


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
    return _legal_value(rules, game, kind, target, value)


@kernel
def _legal_value(rules: Any, game: Any, kind: int, target: int, value: int) -> int:
    if not nameable(rules, kind, value):
        return 8 if kind == CLUE_COLOR else 9
    if rules["alternating_clues"] and game["last_clue"] == kind:
        return 10
    empty_allowed = rules["empty_color_clues"] if kind == CLUE_COLOR else rules["empty_rank_clues"]
    if not empty_allowed and not touches_any(game, target, touch_mask(rules, kind, value)):
        return 11
    return 0


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
    """Record on every card of a hand whether this clue touched it."""
    mask = touch_mask(rules, kind, value)
    flag = np.uint32(1 << clue_bit(rules, kind, value))
    for i in range(game["hand_sizes"][target]):
        order = game["hands"][target, i]
        identity = int(game["deck"][order])
        if identity >= 0 and has(mask, identity):
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
        if fits and _legal_value(rules, game, kind, target, value) == 0:
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
        game["ended"] = _end_reason(rules, game)


@kernel
def _end_reason(rules: Any, game: Any) -> int:
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


@kernel
def legal_actions(rules: Any, game: Any, out: Any) -> int:
    """Write all legal actions as rows (kind, target, value) into ``out`` (int64[k, 3]) and count them.

    Order: plays, discards (oldest card first), then by seat colour clues and rank clues. ``out`` needs
    2 * MAX_HAND + 2 + MAX_PLAYERS * (MAX_COLORS + MAX_CLUE_RANKS) rows.
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


MAX_ACTIONS = 2 * MAX_HAND + 2 + MAX_PLAYERS * (MAX_COLORS + MAX_CLUE_RANKS)
