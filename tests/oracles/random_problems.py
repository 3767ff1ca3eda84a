"""Small random known-deck questions, as Problems and as Tables of the rules engine, from a seeded generator.

They are aimed at what goes wrong: few tokens or all of them, decks that end soon, the last round, few
strikes, cards that are lost, hands of one or two cards, suits that no clue touches, alternating clues, play
after the deck is gone. Full-size decks are no subject here: the naive solver could not follow.
"""

from __future__ import annotations

from random import Random
from typing import Any

from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.records import HeldCard, Position, default_names
from hanasolve.hanabi.game.table import Table, from_position
from hanasolve.hanabi.game.variants import Suit, Variant
from hanasolve.hanabi.search.problem import CLUE_COLOR, CLUE_RANK, Problem

COLORS = ("Red", "Yellow", "Green")


def random_problem(
    rng: Random,
    *,
    suits: tuple[int, int] = (2, 3),
    ranks: tuple[int, int] = (3, 5),
    players: tuple[int, int] = (2, 4),
    hand: tuple[int, int] = (1, 3),
    deck: tuple[int, int] = (0, 6),
    most_cards: int = 11,
    clue_always: bool | None = True,
    normal: bool | None = True,
) -> Problem:
    """A random Problem; pairs are inclusive ranges, None for a flag means either.

    ``most_cards`` limits hands and deck together, by a shorter deck. With ``normal`` the mode has a last
    round, no hand is empty and the game does not end for impossibility.
    """
    n_suits, n_ranks, n_players = rng.randint(*suits), rng.randint(*ranks), rng.randint(*players)
    hand_size = rng.randint(*hand)
    while n_players * hand_size > most_cards:
        hand_size -= 1
    drawn = n_players * hand_size
    n_deck = min(rng.randint(*deck), most_cards - drawn)
    stacks = tuple(_low(rng, n_ranks - 1) for _ in range(n_suits))
    cards = _cards(rng, stacks, n_suits, n_ranks, drawn + n_deck)
    clues_max = rng.choice((1, 2, 3, 8))
    unit = rng.choice((1, 1, 1, 2))
    strikes_max = rng.choice((1, 2, 3))
    last_round = normal or (normal is None and rng.random() < 0.5)
    always = clue_always or (clue_always is None and rng.random() < 0.5)
    alternating = not always and rng.random() < 0.5
    turns_left = None
    if last_round and n_deck == 0:
        turns_left = rng.randint(1, n_players)
    identities = n_suits * n_ranks
    return Problem(
        players=n_players,
        suits=n_suits,
        stack_size=n_ranks,
        stacks=stacks,
        hands=tuple(tuple(cards[i * hand_size : (i + 1) * hand_size]) for i in range(n_players)),
        deck=tuple(cards[drawn : drawn + n_deck]),
        hand_orders=tuple(tuple(range(i * hand_size, (i + 1) * hand_size)) for i in range(n_players)),
        deck_order=drawn,
        to_move=rng.randrange(n_players),
        clues=_tokens(rng, clues_max * unit),
        clues_max=clues_max * unit,
        clue_cost=unit,
        discard_gain=1,
        bonus=tuple(rng.choice((1, 1, 1, 0)) for _ in range(n_suits)),
        strikes=rng.randrange(strikes_max),
        strikes_max=strikes_max,
        discard_at_max=rng.random() < 0.2,
        last_round=last_round,
        turns_left=turns_left,
        empty_hand_ends=not last_round and rng.random() < 0.5,
        stop_when_impossible=not normal and rng.random() < 0.3,
        deck_plays=rng.random() < 0.15,
        clue_always=always,
        alternating=alternating,
        last_clue=rng.choice((None, CLUE_COLOR, CLUE_RANK)) if alternating else None,
        color_free=not always and rng.random() < 0.2,
        rank_free=not always and rng.random() < 0.2,
        color_touchable=tuple(always or rng.random() < 0.5 for _ in range(identities)),
        rank_touchable=tuple(always or rng.random() < 0.5 for _ in range(identities)),
        original=tuple(range(identities)),
    )


def _low(rng: Random, high: int) -> int:
    return min(rng.randint(0, high), rng.randint(0, high))


def _tokens(rng: Random, most: int) -> int:
    return rng.choice((0, most, rng.randint(0, most)))


def _cards(rng: Random, stacks: tuple[int, ...], suits: int, ranks: int, count: int) -> list[int]:
    """``count`` cards in random order: mostly one copy of what is needed, filled up with other copies."""
    needed = [suit * ranks + step for suit in range(suits) for step in range(stacks[suit], ranks)]
    every = [identity for identity in range(suits * ranks) for _ in range(2)]
    rng.shuffle(needed)
    rng.shuffle(every)
    keep = len(needed) if rng.random() < 0.7 else max(0, len(needed) - rng.randint(1, 3))
    cards = (needed[:keep] + every + every)[:count]
    rng.shuffle(cards)
    if rng.random() < 0.3:  # needed cards late: these decks are close to the limit
        cards.sort(key=lambda card: card % ranks < ranks - 2)
    return cards


# --- tables: the same through the rules engine -----------------------------------------------------------


def small_variant(rng: Random, suits: int, clue_always: bool = True) -> Variant:
    """A variant of few suits; one may be built downwards, one may be untouched by clues."""
    kinds = [Suit(COLORS[i], (COLORS[i],)) for i in range(suits)]
    if rng.random() < 0.3:
        kinds[0] = Suit("Red Reversed", ("Red",), reversed=True)
    flags = set()
    if not clue_always:
        dark = rng.random() < 0.6
        if dark:
            kinds[-1] = Suit("Null", (), no_clue_colors=True, no_clue_ranks=True)
        if not dark or rng.random() < 0.3:
            flags.add("alternatingClues")
    if rng.random() < 0.15:
        flags.add("clueStarved")
    colors = tuple(color for suit in kinds for color in suit.clue_colors)
    letters, ranks = tuple("ryg"[:suits]), (1, 2, 3, 4, 5)
    return Variant(-1, "small", tuple(kinds), letters, colors, ranks, flags=frozenset(flags))


def random_table(
    rng: Random, *, clue_always: bool = True, normal: bool = True, most_cards: int = 10, deck: int = 5
) -> Table:
    """A random position as a Table: fewer ranks are suits that begin with cards placed.

    All cards that are in no hand, not in the deck and not placed lie in the discard pile.
    """
    players = rng.randint(2, 4)
    hand_size = rng.randint(1, 3)
    while players * hand_size > most_cards:
        hand_size -= 1
    variant = small_variant(rng, rng.randint(2, 3), clue_always)
    drawn = players * hand_size
    n_deck = min(rng.randint(0, deck), most_cards - drawn)
    placed = [rng.randint(0, 2) + rng.randint(0, 2) for _ in variant.suits]
    fireworks, pool = _fireworks(variant, placed)
    rng.shuffle(pool)
    pool = _useful_first(rng, pool, fireworks)
    cards = pool[: drawn + n_deck]
    rng.shuffle(cards)
    clues_max = rng.choice((1, 2, 8))
    options = Options(
        players,
        hand_size=hand_size,
        clues_max=clues_max,
        strikes_max=rng.choice((1, 2, 3)),
        fifth_card_bonus=rng.random() < 0.8,
        discard_at_max="allow" if rng.random() < 0.2 else "forbid",
        empty_clues="allow" if rng.random() < 0.1 else "forbid",
        mode="normal" if normal else rng.choice(("perfect_or_defeat", "royal_favor")),
        on_impossible="" if normal else rng.choice(("stop", "play_on")),
        stop_when_dead=rng.random() < 0.2,
        deck_plays=rng.random() < 0.15,
    )
    unit = 2 if "clueStarved" in variant.flags else 1
    position = Position(
        variant=variant,
        options=options,
        names=default_names(players),
        to_move=rng.randrange(players),
        placed=tuple(tuple(suit) for suit in fireworks),
        discards=tuple(pool[drawn + n_deck :]),
        hands=tuple(
            tuple(HeldCard(card) for card in cards[i * hand_size : (i + 1) * hand_size])
            for i in range(players)
        ),
        deck=tuple(cards[drawn:]),
        deck_count=n_deck,
        clues=_tokens(rng, clues_max * unit) / unit,
        strikes=rng.randrange(options.strikes_max),
        turns_left=rng.randint(1, players) if normal and n_deck == 0 else None,
    )
    return from_position(position)


def _fireworks(variant: Variant, placed: list[int]) -> tuple[list[list[int]], list[int]]:
    """Placed cards by suit and all other cards of the deck."""
    pool = variant.deck_in_order()
    fireworks: list[list[int]] = []
    for suit, height in enumerate(placed):
        ranks: Any = range(5) if variant.orders[suit] == "up" else range(4, -1, -1)
        fireworks.append([suit * 5 + rank for rank in list(ranks)[:height]])
        for card in fireworks[-1]:
            pool.remove(card)
    return fireworks, pool


def _useful_first(rng: Random, pool: list[int], fireworks: list[list[int]]) -> list[int]:
    """Mostly one copy of each card that is not placed in front, so that there is something to play."""
    if rng.random() < 0.15:
        return pool
    done = {card for suit in fireworks for card in suit}
    front: list[int] = []
    back: list[int] = []
    for card in pool:
        useful = card not in done and card not in front and rng.random() < 0.97
        (front if useful else back).append(card)
    return front + back
