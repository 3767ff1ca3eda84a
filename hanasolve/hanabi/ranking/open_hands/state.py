"""Kernel: one situation with open hands as a small vector, what may be done in it, and what it can still bring.

Only cards that can still be placed are told apart; all others are trash, and so is the second copy in one hand
(``search/state.py`` proves that this loses nothing; the proof compares two games with the same draws, so it holds
for every order of the deck and for plans that look at the draws). From the same proof: below the maximum of tokens
nobody misplays on purpose, and nobody throws away a useful card while holding trash.

Sets of cards are masks with the bit ``suit * steps + step``. As only useful cards are kept, the cards of a suit in
hands and deck together are a run of steps from its height up to what it can still reach.

Values are whole numbers in units of n!, with n cards in the deck: the orders of the n cards, all told apart, that
are won (or the sum of the scores over them).

``free`` is the game with tokens for nothing: whoever wants may act, so it does not matter whose turn it is. Every
plan of the real game is one of it, hence its values are upper bounds, for all tokens and movers at once. Who holds a
playable card need not throw one away in it (``search/relax.py`` has the proof). The *easy* game only lets a player
discard with all tokens, so that more tokens are never worse and strikes do not matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.jit import kernel

MAX_SUITS, MAX_PLAYERS, MAX_DRAWS = 7, 6, 19
BELOW = 10  # for how many targets, from the highest down, wins bound a score
NONE, FREE, EASY = range(3)  # whose table bounds the values of a question
ONE_TRASH = 1 << 5  # in the key's last word
TRASH_KIND = -1  # the kind of a drawn card that is trash

# The state vector: scalars, two planes of the copies in the deck (counts in binary), heights, hands and their sizes.
TOKENS, STRIKES, MOVER, TURNS_LEFT, LEFT, TRASH, DECK0, DECK1 = range(8)
HEIGHT = 8
HAND = HEIGHT + MAX_SUITS
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
        ("gain_most", np.int64),  # tokens that one turn can bring
        ("surely", np.int64),  # with this many less LEFT * gain_most, nobody can have all tokens and need a discard
        ("strikes_max", np.int64),
        ("discard_at_max", np.bool_),
        ("free", np.bool_),
        ("easier", np.int64),
        ("easier_at", np.int64),  # the numbers of the counts to ask, -1: none
        ("wins_at", np.int64, (BELOW,)),  # of aim, aim - 1, ..
        ("table", np.int64),  # where the tables begin: its own, and those of the counts to ask
        ("easier_table", np.int64),
        ("win_tables", np.int64, (BELOW,)),
        ("target", np.int64),  # 0: the score is asked for, otherwise the chance to reach this
        ("aim", np.int64),  # for the score: the highest target that some order allows
        ("first_steps", np.int64),  # mask: the first card of every suit
        ("bonus", np.int64, (MAX_SUITS,)),
        ("factorial", np.int64, (MAX_DRAWS + 1,)),
    ]
)

# Actions: play identity 0 .. 47, clue, throw trash away, THROW + identity: throw a useful card away; + SEAT * seat
# in the free game.
CLUE, THROW_TRASH, THROW, SEAT = 48, 49, 50, 128


@kernel
def bits_of(mask: int) -> int:
    """How many bits are set (masks below 2 ** 48)."""
    mask = (mask & 0x555555555555) + ((mask >> 1) & 0x555555555555)
    mask = (mask & 0x333333333333) + ((mask >> 2) & 0x333333333333)
    mask = (mask & 0x0F0F0F0F0F0F) + ((mask >> 4) & 0x0F0F0F0F0F0F)
    mask = (mask & 0x00FF00FF00FF) + ((mask >> 8) & 0x00FF00FF00FF)
    mask = mask + (mask >> 16) + (mask >> 32)
    return int(mask & 0xFF)


@kernel
def lowest(mask: int) -> int:
    """The number of the lowest bit that is set."""
    return bits_of((mask & -mask) - 1)


@kernel
def copy_state(source: Any, target: Any) -> None:
    for i in range(WIDTH):
        target[i] = source[i]


@kernel
def placed_in(rules: Any, state: Any) -> int:
    total = 0
    for suit in range(rules["suits"]):
        total += state[HEIGHT + suit]
    return int(total)


@kernel
def held_by_all(rules: Any, state: Any) -> int:
    """The identities in all hands, as a mask."""
    held = 0
    for seat in range(rules["players"]):
        held |= state[HAND + seat]
    return int(held)


@kernel
def playable(rules: Any, state: Any) -> int:
    """The next card of every suit, as a mask."""
    steps, mask = int(rules["steps"]), 0
    for suit in range(rules["suits"]):
        if state[HEIGHT + suit] < steps:
            mask |= 1 << (suit * steps + state[HEIGHT + suit])
    return int(mask)


@kernel
def forget_dead(rules: Any, state: Any, suit: int) -> None:
    """Turn the cards of a suit that can no longer be placed into trash, in hands and deck."""
    steps = int(rules["steps"])
    found = (held_by_all(rules, state) | state[DECK0] | state[DECK1]) >> (suit * steps)
    reach = state[HEIGHT + suit]
    while reach < steps and (found >> reach) & 1:
        reach += 1
    alive = ((1 << reach) - 1) & ~((1 << state[HEIGHT + suit]) - 1)
    dead = (((1 << steps) - 1) & ~alive) << (suit * steps)
    for seat in range(rules["players"]):
        state[HAND + seat] &= ~dead
    state[TRASH] += bits_of(state[DECK0] & dead) + 2 * bits_of(state[DECK1] & dead)
    state[DECK0] &= ~dead
    state[DECK1] &= ~dead


@kernel
def forget_all_dead(rules: Any, state: Any) -> None:
    for suit in range(rules["suits"]):
        forget_dead(rules, state, suit)


@kernel
def ceiling(rules: Any, state: Any) -> int:
    """No order of the deck allows a higher score: cards that are left, and turns that are left to play them."""
    placed = placed_in(rules, state)
    cards = bits_of(held_by_all(rules, state) | state[DECK0] | state[DECK1])
    turns = state[TURNS_LEFT] if state[TURNS_LEFT] >= 0 else state[LEFT] + rules["players"]
    return int(placed + min(cards, turns))


@kernel
def worth(rules: Any, score: int) -> int:
    """What a final score, or a bound of it, is worth for one order of the deck."""
    if rules["target"] > 0:
        return 1 if score >= rules["target"] else 0
    return score


@kernel
def penalty(rules: Any, card: int, cards: int, total: int, limit: int) -> int:
    """What is lost if the only copy of this card is the last of the deck, for one order.

    It is then drawn as the last round begins, and its holder is the last to move in it: it may be placed with the
    very last turn, and nothing can be built on it.
    """
    steps = int(rules["steps"])
    above = (1 << (steps - 1 - card % steps)) - 1
    lost = bits_of((cards >> (card + 1)) & above)
    return int(worth(rules, min(total, limit)) - worth(rules, min(total - lost, limit)))


@kernel
def most(rules: Any, state: Any, placed: int) -> int:
    """An upper bound over all orders, in units of LEFT!, while there are cards in the deck.

    Of n! orders, the (n - 1)! that end with a card that is the only copy are worth less from the start.
    """
    left, held = int(state[LEFT]), held_by_all(rules, state)
    cards = held | state[DECK0] | state[DECK1]
    total, limit = placed + bits_of(cards), placed + left + int(rules["players"])
    value = left * worth(rules, min(total, limit))
    only = state[DECK0] & ~state[DECK1] & ~held if value > 0 else 0
    while only:
        value -= penalty(rules, lowest(only), cards, total, limit)
        only &= only - 1
    return int(value * rules["factorial"][left - 1])


@kernel
def finish(rules: Any, state: Any, placed: int, work: Any) -> int:
    """The most cards placed at the end when the deck is empty: every seat has one turn at most.

    To place a card is never worse than not to: nobody moves twice. ``work``: 4 * MAX_PLAYERS integers.
    """
    players, turns, seat = int(rules["players"]), int(state[TURNS_LEFT]), int(state[MOVER])
    best, level, count = 0, 0, 0
    nexts, options, played = work[:MAX_PLAYERS], work[MAX_PLAYERS : 2 * MAX_PLAYERS], work[2 * MAX_PLAYERS :]
    limit = min(turns, bits_of(held_by_all(rules, state)))
    now = playable(rules, state)
    while True:
        if level == turns:
            best = max(best, count)
        else:
            nexts[level], played[level] = now, count
            options[level] = state[HAND + (seat + level) % players] & now
            if options[level] == 0:
                options[level] = -1
        if level < turns and count + turns - level > best:
            pass
        else:
            level -= 1
            while level >= 0 and (options[level] == 0 or played[level] + turns - level <= best):
                level -= 1
            if level < 0 or best == limit:
                return int(placed + best)
        chosen = options[level]
        if chosen == -1:
            options[level], now, count = 0, nexts[level], played[level]
        else:
            card = chosen & -chosen
            options[level] = chosen & ~card
            now = (nexts[level] & ~card) | ((card << 1) & ~rules["first_steps"])
            count = played[level] + 1
        level += 1


@kernel
def _list_of_seat(rules: Any, state: Any, seat: int, out: Any, count: int) -> int:
    suits, steps, hand, free = int(rules["suits"]), int(rules["steps"]), int(state[HAND + seat]), rules["free"]
    plays = hand & playable(rules, state)
    first = count
    for step in range(steps):
        for suit in range(suits):
            if (plays >> (suit * steps + step)) & 1:
                out[count] = suit * steps + step
                count += 1
    if free and count > first:
        return count
    may_clue = not free and state[TOKENS] >= rules["clue_cost"]
    cards = held_by_all(rules, state) | state[DECK0] | state[DECK1]
    if may_clue and state[LEFT] <= bits_of(cards):  # draws are needed for plays: wait rather than throw
        out[count] = CLUE
        count += 1
        may_clue = False
    at_max = not free and state[TOKENS] >= rules["tokens_max"] and not rules["discard_at_max"]
    if not at_max or state[STRIKES] + 1 < rules["strikes_max"]:
        if state[SIZE + seat] > bits_of(hand):
            out[count] = THROW_TRASH
            count += 1
        else:
            throws = hand & ~plays if at_max else hand
            for card in range(suits * steps - 1, -1, -1):
                if (throws >> card) & 1:
                    out[count] = THROW + card
                    count += 1
    if may_clue:
        out[count] = CLUE
        count += 1
    return count


@kernel
def list_actions(rules: Any, state: Any, out: Any) -> int:
    """The actions worth trying, into ``out``; returns how many. Plays of low ranks come first."""
    if not rules["free"]:
        return _list_of_seat(rules, state, int(state[MOVER]), out, 0)
    count = 0
    for seat in range(rules["players"]):
        first = count
        count = _list_of_seat(rules, state, seat, out, count)
        for i in range(first, count):
            out[i] += SEAT * seat
    return count


@kernel
def do_action(rules: Any, state: Any, action: int) -> bool:
    """Carry out a listed action but for the draw; True if it uses a card, False for a clue."""
    steps = int(rules["steps"])
    if rules["free"]:
        state[MOVER], action = action // SEAT, action % SEAT
    mover = int(state[MOVER])
    if action == CLUE:
        state[TOKENS] -= rules["clue_cost"]
        return False
    state[SIZE + mover] -= 1
    if action < CLUE:
        suit = action // steps
        state[HEIGHT + suit] += 1
        if state[HEIGHT + suit] == steps and not rules["free"]:
            state[TOKENS] = min(state[TOKENS] + rules["bonus"][suit], rules["tokens_max"])
        forget_dead(rules, state, suit)
        return True
    if rules["free"]:
        pass
    elif state[TOKENS] < rules["tokens_max"] or rules["discard_at_max"]:
        state[TOKENS] = min(state[TOKENS] + rules["discard_gain"], rules["tokens_max"])
    else:
        state[STRIKES] += 1
    if action >= THROW:
        state[HAND + mover] &= ~(1 << (action - THROW))
        forget_dead(rules, state, (action - THROW) // steps)
    return True


@kernel
def end_turn(rules: Any, state: Any, draws: bool, kind: int) -> None:
    """Draw (an identity, or TRASH_KIND) if there is a card left to draw, and pass the turn on."""
    mover = int(state[MOVER])
    if state[TURNS_LEFT] >= 0:
        state[TURNS_LEFT] -= 1
    elif draws:
        state[LEFT] -= 1
        state[SIZE + mover] += 1
        if kind == TRASH_KIND:
            state[TRASH] -= 1
        else:
            bit = 1 << kind
            state[DECK1] ^= bit & ~state[DECK0]  # borrow
            state[DECK0] ^= bit
            state[HAND + mover] |= bit
        if state[LEFT] == 0:
            state[TURNS_LEFT] = rules["players"]
    state[MOVER] = 0 if rules["free"] and state[TURNS_LEFT] < 0 else (mover + 1) % rules["players"]


@kernel
def copies(state: Any, card: int) -> int:
    """How many copies of an identity are in the deck."""
    return int(((state[DECK0] >> card) & 1) + 2 * ((state[DECK1] >> card) & 1))


@kernel
def suit_word(rules: Any, state: Any, suit: int) -> int:
    """The signature of a suit: which of its cards are in the deck and in the hands, bonus and height."""
    steps = int(rules["steps"])
    shift, low = suit * steps, (1 << steps) - 1
    word = ((state[DECK0] >> shift) & low) << steps | ((state[DECK1] >> shift) & low)
    for seat in range(rules["players"]):
        word = (word << steps) | ((state[HAND + seat] >> shift) & low)
    return int((word << 8) | state[HEIGHT + suit] | (rules["bonus"][suit] << 3))


@kernel
def pack_suits(rules: Any, state: Any, key: Any) -> None:
    """The suits by signature: building suits are alike but for their cards, so states that differ by the names of
    suits share one entry."""
    for suit in range(rules["suits"]):
        word, place = suit_word(rules, state, suit), suit
        while place > 0 and key[place - 1] > word:
            key[place] = key[place - 1]
            place -= 1
        key[place] = word


@kernel
def surplus(rules: Any, left: int) -> int:
    """Up to this many tokens, more tokens are never worse, and a strike does not matter.

    If tokens cannot reach the maximum while somebody may still have to discard (or if that is allowed), whoever has
    more tokens can follow every plan of whoever has less.
    """
    if rules["free"]:
        return 0
    if rules["discard_at_max"]:
        return int(rules["tokens_max"])
    return int(rules["tokens_max"] - 1 - (left - 1) * rules["gain_most"])


@kernel
def useful_tokens(rules: Any, tokens: int, left: int) -> int:
    """The tokens, without those that bring nothing.

    Where more are never worse, nobody clues a whole round long: that would only spend them. So all tokens above
    LEFT * (players - 1) clues are alike.
    """
    if rules["free"]:
        return 0
    if tokens <= surplus(rules, left):
        return int(min(tokens, left * (rules["players"] - 1) * rules["clue_cost"]))
    return tokens


@kernel
def pack_rest(rules: Any, state: Any) -> int:
    """What is not of a suit, in one word, but for the tokens; the free game has no mover, easy ones no strikes."""
    left = int(state[LEFT])
    word = left | state[TRASH] * ONE_TRASH
    for seat in range(rules["players"]):
        word |= state[SIZE + seat] << (11 + 4 * seat)
    if rules["free"]:
        return int(word)
    strikes = 0 if state[TOKENS] <= surplus(rules, left) else state[STRIKES]
    return int(word | (state[MOVER] << 35) | (strikes << 38))
