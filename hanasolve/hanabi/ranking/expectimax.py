"""Kernel: open hands, the order of the deck unknown and uniform. Best play, counted over all deck orders.

A state is a vector of small integers. Only cards that can still be placed are told apart; all others are
trash, and so is the second copy in one hand (``search/state.py`` proves that this loses nothing; the proof
compares two games with the same draws, so it holds for every order of the deck and for plans that look at the
draws). From the same proof: below the maximum of tokens nobody misplays on purpose, and nobody throws away a
useful card while holding trash.

The value of a state with n cards in the deck is a whole number in units of n!: the number of orders of the n
cards, all told apart, that are won (or the sum of the scores over them). So a turn without a draw keeps the
unit, and a draw sums over the kinds of cards, each as often as it is left. Division comes at the very end.

What keeps the count short, and why it stays exact:

- *Alike.* Building suits are alike but for their cards, and seats but for who is to move. The key of a state lists
  the suits in the order of their signatures (height, and for every step the copies in the deck and who holds one,
  counted from the mover), so states that differ by names only share one entry.
- *The last card.* A card whose only copy is the last of the deck is drawn as the last round begins, and its holder
  is the last to move in it: it may be placed with the very last turn, and nothing can be built on it. So of n!
  orders the (n - 1)! that end with such a card are worth less from the start (``most``). If a card of the deck
  is drawn, the bounds of the situations after it, each as often as its card is left, add up to the bound before: a
  card drawn is no longer last, and no other card becomes an only copy that is still in the deck.
- *Windows.* A situation is asked whether it is worth more than ``ALPHA``, what it would take to beat the best
  action so far of those above it. If not, an upper bound is answered and kept: the table holds a proven lower and
  upper bound of every state. An action whose draws so far and the bound of the others do not beat the best one is
  left; if the value of an action beats it, all its draws were exact (an upper bound below what was
  needed brings the sum below what was needed). The value of the root, asked with ALPHA = -1, is exact.
- *Order.* Plays of low ranks come first, then the clue or the discard, whichever the pace suggests. This decides
  the time only: a state is finished when an action reaches its bound.
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
STATUS, LEVEL, PHASE, VALUE, NODES, STORED = range(INFO)  # NODES: states opened
# What a level of the stack remembers besides its states.
CURSOR, KIND, BEST, SUM, TIMES, DRAWS, ALPHA, TOP, UPPER, REST, THROW_FIRST = range(11)
FRAME = 11


@kernel
def score_of(rules: Any, state: Any) -> int:
    total = 0
    for suit in range(rules["suits"]):
        total += state[HEIGHT + suit]
    return total


@kernel
def copy_state(source: Any, target: Any) -> None:
    for i in range(WIDTH):
        target[i] = source[i]


@kernel
def pack(rules: Any, state: Any, key: Any) -> None:
    """The state in suits + 1 words: the suits by signature, then what is not of a suit; seats from the mover on."""
    players, suits, steps = int(rules["players"]), int(rules["suits"]), int(rules["steps"])
    mover = int(state[MOVER])
    for suit in range(suits):
        word = state[HEIGHT + suit] | (rules["bonus"][suit] << 3)
        if state[HEIGHT + suit] < steps:
            for step in range(state[HEIGHT + suit], steps):
                card = suit * steps + step
                kind = rules["kind_of"][card]
                bits = state[COPIES + kind] if kind >= 0 else 0
                for place in range(players):
                    seat = mover + place
                    if seat >= players:
                        seat -= players
                    bits |= ((state[HAND + seat] >> card) & 1) << (2 + place)
                word |= bits << (8 + 8 * step)
        place = suit
        while place > 0 and key[place - 1] > word:
            key[place] = key[place - 1]
            place -= 1
        key[place] = word
    word = state[TOKENS] | (state[STRIKES] << 8) | ((state[TURNS_LEFT] + 1) << 12) | (state[LEFT] << 16)
    word |= state[TRASH] << 21
    for place in range(players):
        word |= state[SIZE + (mover + place) % players] << (27 + 4 * place)
    key[suits] = word


@kernel
def slot_of(keys: Any, key: Any, words: int) -> int:
    """The slot of the key, or the free one where it belongs (a free slot has -1 as its last word)."""
    h = 0
    for i in range(words):
        for shift in (0, 31):
            h ^= (key[i] >> shift) & 0x7FFFFFFF
            h = ((h ^ (h >> 15)) * 1103515245 + 12345) & 0x7FFFFFFF
            h ^= h >> 13
    mask = keys.shape[0] - 1
    slot = h & mask
    while keys[slot, words - 1] != -1:
        same = True
        for i in range(words - 1, -1, -1):
            if keys[slot, i] != key[i]:
                same = False
                break
        if same:
            return int(slot)
        slot = (slot + 1) & mask
    return int(slot)


@kernel
def rehash(keys: Any, bounds: Any, new_keys: Any, new_bounds: Any, words: int) -> None:
    for old in range(keys.shape[0]):
        if keys[old, words - 1] != -1:
            slot = slot_of(new_keys, keys[old], words)
            for i in range(words):
                new_keys[slot, i] = keys[old, i]
            new_bounds[slot, 0], new_bounds[slot, 1] = bounds[old, 0], bounds[old, 1]


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
def held_by_all(rules: Any, state: Any) -> int:
    """The identities in all hands, as a mask."""
    held = 0
    for seat in range(rules["players"]):
        held |= state[HAND + seat]
    return int(held)


@kernel
def reach_of(rules: Any, state: Any, held: int, suit: int) -> int:
    """How high the suit can still be built with the cards that are left."""
    height = int(state[HEIGHT + suit])
    while height < rules["steps"]:
        card = suit * int(rules["steps"]) + height
        kind = rules["kind_of"][card]
        if (held >> card) & 1 == 0 and (kind < 0 or state[COPIES + kind] == 0):
            break
        height += 1
    return height


@kernel
def ceiling(rules: Any, state: Any) -> int:
    """No order of the deck allows a higher score: cards that are left, and turns that are left to play them."""
    held, total = held_by_all(rules, state), 0
    for suit in range(rules["suits"]):
        total += reach_of(rules, state, held, suit)
    turns = state[TURNS_LEFT] if state[TURNS_LEFT] >= 0 else state[LEFT] + int(rules["players"])
    return int(min(total, score_of(rules, state) + turns))


@kernel
def worth(rules: Any, score: int) -> int:
    """What a final score, or a bound of it, is worth for one order of the deck."""
    if rules["target"] > 0:
        return 1 if score >= rules["target"] else 0
    return score


@kernel
def most(rules: Any, state: Any, turns: int) -> int:
    """An upper bound over all orders, in units of LEFT!, with this many turns to come."""
    steps, held, total, placed = int(rules["steps"]), held_by_all(rules, state), 0, 0
    for suit in range(rules["suits"]):
        placed += state[HEIGHT + suit]
        total += reach_of(rules, state, held, suit)
    limit, left = placed + turns, int(state[LEFT])
    best = worth(rules, min(total, limit))
    if left == 0 or best == 0:
        return int(best * rules["factorial"][left])
    value = left * best
    for kind in range(rules["kinds"]):
        card = rules["identity"][kind]
        if state[COPIES + kind] == 1 and (held >> card) & 1 == 0:
            suit = card // steps
            lost = reach_of(rules, state, held, suit) - card % steps - 1
            if lost > 0:
                value -= best - worth(rules, min(total - lost, limit))
    return int(value * rules["factorial"][left - 1])


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
def _enter(rules: Any, state: Any, frame: Any, alpha: int, keys: Any, bounds: Any, key: Any, info: Any) -> None:
    """A new state: its value at once if it is over, known or decided by the bounds; otherwise open it."""
    placed, players = score_of(rules, state), int(rules["players"])
    low = worth(rules, placed) * rules["factorial"][state[LEFT]]
    info[PHASE], info[VALUE] = _RETURN, low
    if state[TURNS_LEFT] == 0:
        return
    turns = int(state[TURNS_LEFT]) if state[TURNS_LEFT] >= 0 else int(state[LEFT]) + players
    top = most(rules, state, turns)
    if low < top and top > alpha:
        pack(rules, state, key)
        slot = slot_of(keys, key, int(rules["suits"]) + 1)
        if keys[slot, rules["suits"]] != -1:
            low, top = max(low, bounds[slot, 0]), min(top, bounds[slot, 1])
    if low >= top or top <= alpha:
        info[VALUE] = top
        return
    info[NODES] += 1
    pace = placed + state[LEFT] + players - ceiling(rules, state)
    frame[THROW_FIRST] = 1 if pace > players and state[TURNS_LEFT] < 0 else 0
    frame[CURSOR], frame[BEST], frame[ALPHA], frame[TOP], frame[UPPER] = -1, low, alpha, top, low
    info[PHASE] = _ACTION


@kernel
def _next_action(rules: Any, state: Any, base: Any, frame: Any) -> int:
    """Put the state after the next action (before its draw) into ``base``; as ``do_action``, 0 = none is left."""
    suits, steps = int(rules["suits"]), int(rules["steps"])
    cards = suits * steps
    hand = state[HAND + state[MOVER]]
    while frame[CURSOR] < 2 * cards + 1:
        frame[CURSOR] += 1
        cursor = int(frame[CURSOR])
        if cursor < cards:  # low ranks first
            number = (cursor % suits) * steps + cursor // suits
            if (hand >> number) & 1 == 0 or state[HEIGHT + number // steps] != number % steps:
                continue
        elif cursor < cards + 2:
            number = 48 + ((cursor - cards) ^ int(frame[THROW_FIRST]))
        else:
            card = 2 * cards + 1 - cursor
            if (hand >> card) & 1 == 0:
                continue
            number = 50 + card
        copy_state(state, base)
        kind = do_action(rules, base, number)
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
def _close(rules: Any, state: Any, frame: Any, keys: Any, bounds: Any, key: Any, info: Any) -> None:
    """All actions were looked at, or one reaches the bound: keep and return what is proven."""
    words = int(rules["suits"]) + 1
    high = frame[BEST]
    if high <= frame[ALPHA]:
        high = min(max(high, frame[UPPER]), frame[TOP])
    pack(rules, state, key)
    slot = slot_of(keys, key, words)
    if keys[slot, words - 1] == -1:
        info[STORED] += 1
        for i in range(words):
            keys[slot, i] = key[i]
    bounds[slot, 0], bounds[slot, 1] = frame[BEST], high
    info[PHASE], info[VALUE] = _RETURN, high


@kernel
def run(
    rules: Any, info: Any, states: Any, bases: Any, frames: Any, keys: Any, bounds: Any, key: Any, nodes: int
) -> None:
    """Go on with the search of ``states[0]`` until it is DONE, the table is FULL or ``nodes`` were opened."""
    stop = info[NODES] + nodes
    players = int(rules["players"])
    info[STATUS] = RUNNING
    while info[NODES] < stop:
        level = info[LEVEL]
        state, base, frame = states[level], bases[level], frames[level]
        if info[PHASE] == _ENTER:
            if 4 * info[STORED] > 3 * keys.shape[0]:
                info[STATUS] = FULL
                return
            alpha = -1
            if level > 0:
                above = frames[level - 1]
                need = max(above[BEST], above[ALPHA])
                alpha = (need - above[SUM] - above[REST]) // above[TIMES]
            _enter(rules, state, frame, alpha, keys, bounds, key, info)
        elif info[PHASE] == _ACTION:
            kind = _next_action(rules, state, base, frame) if frame[BEST] < frame[TOP] else 0
            if kind == 0:
                _close(rules, state, frame, keys, bounds, key, info)
            elif kind == 2 and state[LEFT] > 0:
                frame[DRAWS], frame[SUM], frame[KIND] = 1, 0, -1
                frame[REST] = most(rules, base, int(base[LEFT]) - 1 + players)
                info[PHASE] = _DRAW
            else:
                frame[DRAWS], frame[SUM], frame[TIMES], frame[REST] = 0, 0, 1, 0
                copy_state(base, states[level + 1])
                end_turn(rules, states[level + 1], -1)
                info[LEVEL], info[PHASE] = level + 1, _ENTER
        elif info[PHASE] == _DRAW:
            need = max(frame[BEST], frame[ALPHA])
            if frame[SUM] + frame[REST] <= need:
                frame[UPPER] = max(frame[UPPER], frame[SUM] + frame[REST])
                info[PHASE] = _ACTION
            elif _next_kind(rules, base, frame):
                below = states[level + 1]
                copy_state(base, below)
                end_turn(rules, below, int(frame[KIND]))
                bound = most(rules, below, int(below[LEFT]) + players) if below[LEFT] > 0 else frame[REST]
                frame[REST] -= frame[TIMES] * bound
                info[LEVEL], info[PHASE] = level + 1, _ENTER
            else:
                frame[BEST] = frame[SUM]
                info[PHASE] = _ACTION
        else:
            if level == 0:
                info[STATUS] = DONE
                return
            info[LEVEL] = level - 1
            above = frames[level - 1]
            above[SUM] += above[TIMES] * info[VALUE]
            info[PHASE] = _DRAW
            if above[DRAWS] == 0:
                above[UPPER], info[PHASE] = max(above[UPPER], above[SUM]), _ACTION
                if above[SUM] > max(above[BEST], above[ALPHA]):
                    above[BEST] = above[SUM]
