"""The H-Group readings of one clue against ``tests/oracles/naive_hgroup.py``, on random positions."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from hanasolve.hanabi.conventions.players.hgroup.reading import URGENT, read_all
from hanasolve.hanabi.conventions.players.hgroup.state import CLUED, CLUER, EARLY, INFERRED, POSSIBLE
from hanasolve.hanabi.conventions.tools.building_blocks import dead_set, playable_set
from hanasolve.hanabi.conventions.tools.elimination import eliminate
from hanasolve.hanabi.game.view import fill_game
from tests.hanabi.hgroup_table import NAMES, Told
from tests.oracles.naive_hgroup import COPIES, EVERYTHING, Card, Identity, Naive

LETTERS = "rygbp"
COLORS = ("red", "yellow", "green", "blue", "purple")


def name(c: Identity) -> str:
    return f"{LETTERS[c[0]]}{c[1]}"


def mask_of(those: set[Identity]) -> int:
    return sum(1 << 5 * suit + rank - 1 for suit, rank in those)


def random_table(rng: random.Random, level: int) -> Naive:
    """Stacks, discards and hands at random, with up to two older clues to each hand."""
    players = rng.choice((2, 3, 3, 4, 5))
    stacks = [rng.choice((0, 0, 1, 1, 2, 3)) for _ in range(5)]
    left = [c for c in EVERYTHING for _ in range(COPIES[c[1]] - (c[1] <= stacks[c[0]]))]
    rng.shuffle(left)
    if rng.random() < 0.5:  # cards that play soon come into the hands
        left.sort(key=lambda c: rng.random() + 0.25 * max(0, c[1] - stacks[c[0]] - 1), reverse=True)
    discards = Counter(left.pop(0) for _ in range(rng.choice((0, 3, 6))))
    size = 5 if players < 4 else 4
    hands = [[Card(left.pop()) for _ in range(size)] for _ in range(players)]
    table = Naive(level, stacks, discards, hands, rng.choice((2, 5, 8)), rng.random() < 0.5)
    for seat, hand in enumerate(hands):
        for _ in range(rng.choice((0, 0, 1, 2))):
            is_rank, card = rng.random() < 0.5, rng.choice(hand)
            value = card.identity[1 if is_rank else 0]
            giver = rng.choice([other for other in range(players) if other != seat])
            for other in hand:
                touched = other.identity[1 if is_rank else 0] == value
                other.facts.append((is_rank, value, touched))
                if touched and other.marker is None:
                    other.marker = giver
    return table


def told_of(table: Naive) -> Told:
    """The same position for the kernels: older clues as marks, nothing asked for."""
    players = len(table.hands)
    told = Told({
        "variant": "No Variant", "suits": list(LETTERS), "level": table.level, "viewer": "Alice",
        "hands": {NAMES[s]: [name(card.identity) for card in reversed(hand)] for s, hand in enumerate(table.hands)},
        "stacks": {LETTERS[suit]: height for suit, height in enumerate(table.stacks)},
        "discards": [name(c) for c in table.discards.elements()], "tokens": table.tokens, "first_player": "Alice",
    })  # fmt: skip
    assert told.players == players
    memory, size = told.memory, len(table.hands[0])
    for seat, card in table.cards():
        order = seat * size + table.hands[seat].index(card)
        memory["mask"][POSSIBLE, order] = mask_of({c for c in EVERYTHING if card.fits(c)})
        if card.marker is not None:
            memory["card"][CLUED, order], memory["card"][CLUER, order] = 1, card.marker
    eliminate(told.view, memory)
    dead = int(dead_set(told.view))
    for order in range(players * size):
        facts = int(memory["mask"][POSSIBLE, order])
        memory["mask"][INFERRED, order] = facts & ~dead or facts
    memory["notes"][EARLY] = int(table.early)
    return told


def kernel_reading(told: Told, seat: int) -> tuple[list[int], int]:
    """His sets and the hand index of the card he must play, -1."""
    fill_game(told.view, told.game, seat, False)
    read_all(told.view, told.memory, playable_set(told.view))
    size = int(told.game["hand_sizes"][seat])
    sets = [int(told.memory["work_mask"][10 * seat + i]) for i in range(size)]
    urgent = int(told.memory["work"][URGENT + seat])
    return sets, [int(order) for order in told.game["hands"][seat, :size]].index(urgent) if urgent >= 0 else -1


def give(rng: random.Random, table: Naive, told: Told) -> tuple[int, int, bool, int]:
    giver = rng.randrange(len(table.hands))
    target = rng.choice([seat for seat in range(len(table.hands)) if seat != giver])
    card, is_rank = rng.choice(table.hands[target]), rng.random() < 0.5
    value = card.identity[1 if is_rank else 0]
    size = len(table.hands[target])
    touched = [size - i for i, card in enumerate(table.hands[target]) if card.identity[1 if is_rank else 0] == value]
    told.take({
        "player": NAMES[giver], "type": "clue", "target": NAMES[target], "touched_slots": touched,
        "clue": str(value) if is_rank else COLORS[value],
    })  # fmt: skip
    table.clue(giver, target, is_rank, value)
    return giver, target, is_rank, value


def show(table: Naive, clue: Any) -> str:
    hands = [
        " ".join(name(c.identity) + ("'" if c.old else '"' if c.marked else "") for c in hand) for hand in table.hands
    ]
    return f"level {table.level} stacks {table.stacks} discards {dict(table.discards)} {clue} hands {hands}"


@pytest.mark.parametrize("level", [1, 2, 3])
def test_one_clue_is_read_as_by_the_plain_rules(level: int) -> None:
    rng, asked, focused = random.Random(20 + level), 0, 0
    for number in range(700):
        table = random_table(rng, level)
        told = told_of(table)
        clue = give(rng, table, told)
        where = f"position {number}: {show(table, clue)}"
        for seat, card in table.cards():
            order = seat * len(table.hands[0]) + table.hands[seat].index(card)
            if card.marked:
                common = int(told.memory["mask"][INFERRED, order])
                assert common == mask_of(table.common[card]), f"{where}; common, {name(card.identity)}"
        for seat, hand in enumerate(table.hands):
            sets, urgent = table.read(seat)
            expected = [mask_of(those) for those in sets], hand.index(urgent) if urgent else -1
            assert kernel_reading(told, seat) == expected, f"{where}; seat {seat}"
            asked += urgent is not None
            focused += seat == clue[1] and len(sets[hand.index(table.focus)]) > 1
    assert asked > 20
    assert focused > 200


def test_no_board_is_out_of_range() -> None:
    """The generator reaches prompts, finesses and saves of every kind."""
    rng, kinds = random.Random(5), Counter[str]()
    for _ in range(4000):
        table = random_table(rng, 2)
        giver = rng.randrange(len(table.hands))
        target = (giver + 1 + rng.randrange(len(table.hands) - 1)) % len(table.hands)
        card, is_rank = rng.choice(table.hands[target]), rng.random() < 0.5
        table.clue(giver, target, is_rank, card.identity[1 if is_rank else 0])
        chain = table.chain(giver, table.focus.identity, {c: {c.identity} for c in table.hands[giver]})
        kinds["save"] += table.focus.identity in table.saves
        for step in chain.steps if chain else []:
            own = "self-" if step.seat == target else ""
            kinds[own + ("prompt" if step.prompt else "finesse")] += 1
        kinds["double"] += chain is not None and len(chain.steps) > 1
    wanted = ("save", "prompt", "finesse", "self-prompt", "self-finesse", "double")
    assert min(kinds[kind] for kind in wanted) > 10, kinds
