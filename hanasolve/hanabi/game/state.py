"""The RULES and GAME records: what a table plays by and where it stands. ``rules.py`` is the engine upon them.

A game is one scalar of the dtype GAME; what depends on variant and options is one scalar of RULES. Both are
read and written as ``game["field"]`` in Python and in kernels alike.

Cards have an *order* = position in ``deck`` (drawing order); hands hold orders, index 0 = oldest. Tokens are
counted in units of ``token_unit`` (2 in Clue Starved, else 1).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.game.fireworks import ORDER_DOWN, ORDER_SUDOKU, ORDER_UP, ORDER_UP_OR_DOWN
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
ENDED_NAMES = ("", "strikeout", "perfect", "last_round", "dead", "impossible", "no_cards", "stuck", "speedrun")

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
