"""Kernel: open hands, the order of the deck unknown and uniform. Best play, counted over all deck orders.

A state is a vector of small integers. Only cards that can still be placed are told apart; all others are
trash, and so is the second copy in one hand (``search/state.py`` proves that this loses nothing; the proof
compares two games with the same draws, so it holds for every order of the deck and for plans that look at the
draws). From the same proof: below the maximum of tokens nobody misplays on purpose, and nobody throws away a
useful card while holding trash.

The value of a state with n cards in the deck is a whole number in units of n!: the number of orders of the n
cards, all told apart, that are won (or the sum of the scores over them). So a turn without a draw keeps the
unit, and a draw sums over the kinds of cards, each as often as it is left. Division comes at the very end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.jit import kernel

MAX_SUITS, MAX_PLAYERS, MAX_KINDS, MAX_DRAWS, DEPTH = 7, 6, 24, 19, 128

# The state vector: scalars, then heights, copies in the deck by kind, hands (masks of identities) and sizes.
TOKENS, STRIKES, MOVER, TURNS_LEFT, LEFT, TRASH = range(6)
HEIGHT = 6
COPIES = HEIGHT + MAX_SUITS
HAND = COPIES + MAX_KINDS
SIZE = HAND + MAX_PLAYERS
WIDTH = SIZE + MAX_PLAYERS

OPEN_RULES = np.dtype(
    [
        ("players", np.int64),
        ("suits", np.int64),
        ("steps", np.int64),
        ("tokens_max", np.int64),
        ("clue_cost", np.int64),
        ("discard_gain", np.int64),
        ("strikes_max", np.int64),
        ("discard_at_max", np.bool_),
        ("target", np.int64),  # 0: the score is asked for, otherwise the chance to reach this
        ("kinds", np.int64),
        ("bonus", np.int64, (MAX_SUITS,)),
        ("identity", np.int64, (MAX_KINDS,)),  # of every kind in the deck
        ("kind_of", np.int64, (48,)),  # and back, -1 = none in the deck
        ("factorial", np.int64, (MAX_DRAWS + 1,)),
    ]
)

RUNNING, DONE, FULL = 0, 1, 2
_ENTER, _ACTION, _DRAW, _RETURN = range(4)
INFO = 6
STATUS, LEVEL, PHASE, VALUE, NODES, STORED = range(INFO)
# What a level of the stack remembers besides its states.
CURSOR, KIND, BEST, SUM, TIMES, OPEN_ORDERS, DRAWS, CEILING = range(8)
FRAME = 8


@kernel
def score_of(rules: Any, state: Any) -> int:
    total = 0
    for suit in range(rules["suits"]):
        total += state[HEIGHT + suit]
    return total


@kernel
def pack(rules: Any, state: Any, key: Any) -> None:
    """The state in players + 2 words."""
    players = int(rules["players"])
    for seat in range(players):
        key[seat] = state[HAND + seat] | (state[SIZE + seat] << 48)
    word = state[TOKENS] | (state[STRIKES] << 8) | (state[MOVER] << 12) | ((state[TURNS_LEFT] + 1) << 16)
    word |= state[LEFT] << 20
    for suit in range(rules["suits"]):
        word |= state[HEIGHT + suit] << (26 + 3 * suit)
    key[players] = word
    word = state[TRASH]
    for kind in range(rules["kinds"]):
        word |= state[COPIES + kind] << (6 + 2 * kind)
    key[players + 1] = word


@kernel
def slot_of(keys: Any, key: Any, words: int) -> int:
    """The slot of the key, or the free one where it belongs (a free slot has -1 as its first word)."""
    h = 0
    for i in range(words):
        h = (h ^ (key[i] & 0x7FFFFFFF) ^ (key[i] >> 31)) & 0x7FFFFFFF
        h = (h * 1103515245 + 12345) & 0x7FFFFFFF
        h ^= h >> 15
    mask = keys.shape[0] - 1
    slot = h & mask
    while keys[slot, 0] != -1:
        same = True
        for i in range(words):
            if keys[slot, i] != key[i]:
                same = False
                break
        if same:
            return int(slot)
        slot = (slot + 1) & mask
    return int(slot)


@kernel
def rehash(keys: Any, values: Any, new_keys: Any, new_values: Any, words: int) -> None:
    for old in range(keys.shape[0]):
        if keys[old, 0] != -1:
            slot = slot_of(new_keys, keys[old], words)
            new_keys[slot, :] = keys[old, :]
            new_values[slot] = values[old]


@kernel
def forget_dead(rules: Any, state: Any) -> None:
    """Turn cards that can no longer be placed into trash, in hands and deck."""
    steps, players = int(rules["steps"]), int(rules["players"])
    for suit in range(rules["suits"]):
        dead = False
        for step in range(steps):
            card = suit * steps + step
            kind = rules["kind_of"][card]
            if not dead and step >= state[HEIGHT + suit]:
                found = kind >= 0 and state[COPIES + kind] > 0
                for seat in range(players):
                    found = found or (state[HAND + seat] >> card) & 1 == 1
                dead = not found
            if dead or step < state[HEIGHT + suit]:
                for seat in range(players):
                    state[HAND + seat] &= ~(1 << card)
                if kind >= 0:
                    state[TRASH] += state[COPIES + kind]
                    state[COPIES + kind] = 0


@kernel
def ceiling(rules: Any, state: Any) -> int:
    """No order of the deck allows a higher score: cards that are left, and turns that are left to play them."""
    steps, total = int(rules["steps"]), 0
    for suit in range(rules["suits"]):
        height = state[HEIGHT + suit]
        while height < steps:
            card = suit * steps + height
            kind = rules["kind_of"][card]
            found = kind >= 0 and state[COPIES + kind] > 0
            for seat in range(rules["players"]):
                found = found or (state[HAND + seat] >> card) & 1 == 1
            if not found:
                break
            height += 1
        total += height
    turns = state[TURNS_LEFT] if state[TURNS_LEFT] >= 0 else state[LEFT] + int(rules["players"])
    return int(min(total, score_of(rules, state) + turns))


@kernel
def worth(rules: Any, score: int) -> int:
    """What a final score, or a bound of it, is worth for one order of the deck."""
    if rules["target"] > 0:
        return 1 if score >= rules["target"] else 0
    return score


@kernel
def trash_held(state: Any, seat: int) -> int:
    mask, count = state[HAND + seat], 0
    while mask:
        mask &= mask - 1
        count += 1
    return int(state[SIZE + seat] - count)


@kernel
def do_action(rules: Any, state: Any, number: int) -> int:
    """Carry out action ``number`` but for the draw: 0 illegal or never better, 1 no draw, 2 a card was used.

    0 to 47: play that identity; 48: clue; 49: throw trash away; 50 + identity: throw a useful card away.
    """
    mover, steps = int(state[MOVER]), int(rules["steps"])
    may_discard = state[TOKENS] < rules["tokens_max"] or rules["discard_at_max"]
    if number < 48:
        suit = number // steps
        if (state[HAND + mover] >> number) & 1 == 0 or state[HEIGHT + suit] != number % steps:
            return 0
        state[HEIGHT + suit] += 1
        if state[HEIGHT + suit] == steps:
            state[TOKENS] = min(state[TOKENS] + rules["bonus"][suit], rules["tokens_max"])
        state[HAND + mover] &= ~(1 << number)
        forget_dead(rules, state)
    elif number == 48:
        if state[TOKENS] < rules["clue_cost"]:
            return 0
        state[TOKENS] -= rules["clue_cost"]
        return 1
    else:
        trash = trash_held(state, mover)
        card = number - 50
        if number == 49:
            if trash == 0:
                return 0
        elif trash > 0 or (state[HAND + mover] >> card) & 1 == 0:
            return 0
        elif not may_discard and state[HEIGHT + card // steps] == card % steps:
            return 0
        if may_discard:
            state[TOKENS] = min(state[TOKENS] + rules["discard_gain"], rules["tokens_max"])
        elif state[STRIKES] + 1 >= rules["strikes_max"]:
            return 0
        else:
            state[STRIKES] += 1
        if number > 49:
            state[HAND + mover] &= ~(1 << card)
            forget_dead(rules, state)
    state[SIZE + mover] -= 1
    return 2


@kernel
def end_turn(rules: Any, state: Any, kind: int) -> None:
    """Draw (``kind`` of the deck, ``kinds`` = trash, -1 = no draw) and pass the turn on."""
    mover = int(state[MOVER])
    if state[TURNS_LEFT] >= 0:
        state[TURNS_LEFT] -= 1
    if kind >= 0:
        state[LEFT] -= 1
        state[SIZE + mover] += 1
        if kind == rules["kinds"]:
            state[TRASH] -= 1
        else:
            state[COPIES + kind] -= 1
            state[HAND + mover] |= 1 << rules["identity"][kind]
        if state[LEFT] == 0:
            state[TURNS_LEFT] = rules["players"]
    state[MOVER] = (mover + 1) % rules["players"]


@kernel
def _enter(rules: Any, state: Any, frame: Any, keys: Any, values: Any, key: Any, info: Any) -> None:
    """A new state: its value at once if it is over, known or decided by the bound; otherwise open it."""
    words = int(rules["players"]) + 2
    scale = rules["factorial"][state[LEFT]]
    low, high = worth(rules, score_of(rules, state)), worth(rules, ceiling(rules, state))
    info[PHASE] = _RETURN
    info[VALUE] = low * scale
    if low == high or state[TURNS_LEFT] == 0:
        return
    pack(rules, state, key)
    slot = slot_of(keys, key, words)
    if keys[slot, 0] != -1:
        info[VALUE] = values[slot]
        return
    info[NODES] += 1
    frame[CURSOR], frame[BEST], frame[CEILING] = -1, low * scale, high
    info[PHASE] = _ACTION


@kernel
def _next_action(rules: Any, state: Any, base: Any, frame: Any) -> int:
    """Put the state after the next action (before its draw) into ``base``; as ``do_action``, 0 = none is left."""
    last = 50 + int(rules["suits"]) * int(rules["steps"])
    while frame[CURSOR] + 1 < last:
        frame[CURSOR] += 1
        if frame[CURSOR] == int(rules["suits"]) * int(rules["steps"]):
            frame[CURSOR] = 48
        base[:] = state
        kind = do_action(rules, base, int(frame[CURSOR]))
        if kind > 0:
            return kind
    return 0


@kernel
def _next_kind(rules: Any, base: Any, frame: Any) -> bool:
    """Move to the next kind of card that may be drawn; False if there is none."""
    kinds = int(rules["kinds"])
    while frame[KIND] < kinds:
        frame[KIND] += 1
        kind = frame[KIND]
        count = base[TRASH] if kind == kinds else base[COPIES + kind]
        if count > 0:
            frame[TIMES] = count
            return True
    return False


@kernel
def run(
    rules: Any, info: Any, states: Any, bases: Any, frames: Any, keys: Any, values: Any, key: Any, nodes: int
) -> None:
    """Go on with the search of ``states[0]`` until it is DONE, the table is FULL or ``nodes`` were opened."""
    words = int(rules["players"]) + 2
    stop = info[NODES] + nodes
    info[STATUS] = RUNNING
    while info[NODES] < stop:
        level = info[LEVEL]
        state, base, frame = states[level], bases[level], frames[level]
        if info[PHASE] == _ENTER:
            if 4 * info[STORED] > 3 * keys.shape[0]:
                info[STATUS] = FULL
                return
            _enter(rules, state, frame, keys, values, key, info)
        elif info[PHASE] == _ACTION:
            top = frame[CEILING] * rules["factorial"][state[LEFT]]
            kind = _next_action(rules, state, base, frame) if frame[BEST] < top else 0
            if kind == 0:
                pack(rules, state, key)
                slot = slot_of(keys, key, words)
                keys[slot, :words] = key[:words]
                values[slot] = frame[BEST]
                info[STORED] += 1
                info[PHASE], info[VALUE] = _RETURN, frame[BEST]
            elif kind == 2 and state[LEFT] > 0:
                frame[DRAWS], frame[SUM], frame[KIND], frame[OPEN_ORDERS] = 1, 0, -1, base[LEFT]
                info[PHASE] = _DRAW
            else:
                frame[DRAWS], frame[SUM], frame[TIMES] = 0, 0, 1
                states[level + 1, :] = base
                end_turn(rules, states[level + 1], -1)
                info[LEVEL], info[PHASE] = level + 1, _ENTER
        elif info[PHASE] == _DRAW:
            rest = frame[OPEN_ORDERS] * frame[CEILING] * rules["factorial"][base[LEFT] - 1]
            if frame[SUM] + rest > frame[BEST] and _next_kind(rules, base, frame):
                frame[OPEN_ORDERS] -= frame[TIMES]
                states[level + 1, :] = base
                end_turn(rules, states[level + 1], int(frame[KIND]))
                info[LEVEL], info[PHASE] = level + 1, _ENTER
            else:
                if frame[OPEN_ORDERS] == 0 and frame[SUM] > frame[BEST]:
                    frame[BEST] = frame[SUM]
                info[PHASE] = _ACTION
        else:
            if level == 0:
                info[STATUS] = DONE
                return
            info[LEVEL] = level - 1
            above = frames[level - 1]
            above[SUM] += above[TIMES] * info[VALUE]
            if above[DRAWS] == 1:
                info[PHASE] = _DRAW
            else:
                if above[SUM] > above[BEST]:
                    above[BEST] = above[SUM]
                info[PHASE] = _ACTION
