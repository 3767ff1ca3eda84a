"""Small random endings for the ranking tests: few suits open, few cards in the deck, hands of two to four."""

from __future__ import annotations

import random

import numpy as np

from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.options import site_options
from hanasolve.hanabi.game.records import HeldCard, Position, default_names
from hanasolve.hanabi.game.table import Table, from_position
from hanasolve.hanabi.game.variants import load_variant


def random_ending(
    rng: random.Random, most_cards: int = 4, players: int = 0, variant_name: str = "No Variant"
) -> Table:
    """A legal situation of a game that is not over, with a random deck of 0 to ``most_cards`` cards; hands may be
    small."""
    variant = load_variant(variant_name)
    suits = len(variant.suits)
    players = players or rng.randint(2, 4)
    size = rng.randint(2, 4) if players < 4 else 2
    heights = [5] * suits
    for suit in rng.sample(range(suits), rng.randint(1, min(3, suits))):
        heights[suit] = rng.randint(1, 4)
    placed = tuple(tuple(suit * 5 + rank for rank in range(height)) for suit, height in enumerate(heights))
    left = list(variant.deck_in_order())
    for suit in placed:
        for card in suit:
            left.remove(card)
    rng.shuffle(left)
    # The useful cards come early in the list: hands and deck hold most of them.
    left.sort(key=lambda card: (card % 5 < heights[card // 5]) + rng.random() * 1.3)
    cards = rng.randint(0, most_cards)
    chosen = left[: players * size + cards]
    rng.shuffle(chosen)
    hands = tuple(
        tuple(HeldCard(card) for card in chosen[seat * size : seat * size + size]) for seat in range(players)
    )
    deck = tuple(chosen[players * size :])
    position = Position(
        variant, site_options(players), default_names(players), rng.randrange(players), placed,
        tuple(left[players * size + cards :]), hands, deck, len(deck), float(rng.choice((0, 1, 2, 7, 8))),
        rng.randint(0, 2), 0, rng.randint(1, players) if not deck else None,
    )  # fmt: skip
    table = from_position(position)
    return table if not table.game["ended"] else random_ending(rng, most_cards, players, variant_name)


def actions_of(table: Table) -> list[tuple[int, int, int]]:
    rows = np.empty((engine.MAX_ACTIONS, 3), np.int64)
    count = engine.legal_actions(table.rules, table.game, rows)
    return [(int(row[0]), int(row[1]), int(row[2])) for row in rows[:count]]


def hidden_ending(
    rng: random.Random, players: int = 2, size: int = 2, cards: int = 1, variant_name: str = "No Variant"
) -> Table:
    """A small random ending in which some cards of the player to move were clued; all cards are in the record."""
    while True:
        table = random_ending(rng, cards, players, variant_name)
        game = table.game
        if int(game["hand_sizes"][0]) != size or int(game["deck_size"] - game["next"]) > cards:
            continue
        seat = int(game["to_move"])
        for order in game["hands"][seat, :size].tolist():
            card = int(game["deck"][order])
            for kind, value in ((engine.CLUE_COLOR, card // 5), (engine.CLUE_RANK, card % 5 + 1)):
                if rng.random() < 0.35:
                    flag = np.uint32(1 << engine.clue_bit(table.rules, kind, value))
                    game["told_yes"][order] |= flag
                    game["fits"][order] &= np.uint64(engine.touch_mask(table.rules, kind, value))
        return table
