"""Kernel: what is known of situations with open hands. A table of proven bounds, and what bounds a state.

A row holds, for every number of tokens, a lower bound, an upper bound and a *real* bound of the states that differ
by their tokens only. Where more tokens are never worse (``surplus``) a lower bound holds for all that have more, and
an upper bound for all that have less. A real bound comes from a plan without strikes and without discards with all
tokens: it is good for the same state of the real game, and for more tokens as long as its discards stay below
the maximum (its *reach*).
"""

from __future__ import annotations

from typing import Any

from hanasolve.hanabi.ranking.open_state import (
    EASY,
    FREE,
    LEFT,
    TOKENS,
    ceiling,
    finish,
    most,
    pack_rest,
    pack_suits,
    placed_in,
    surplus,
    useful_tokens,
    worth,
)
from hanasolve.jit import kernel

# NODES: states opened. REAL: a lower bound by a plan without strikes and without discards with all tokens, good for up
# to REACH tokens.
# ASKED: how many easier counts have answered for the state at hand; WHOM and NEED: the one to
# ask, and for what; ANSWER: its upper bound, exact if it is more than NEED.
INFO = 14
STATUS, LEVEL, PHASE, VALUE, NODES, STORED, LOW, HIGH, REAL, REACH, ASKED, WHOM, NEED, ANSWER = range(INFO)
BOUNDS = 3  # a row of a table holds a lower, an upper and a real bound for every number of tokens
NO_BOUND = 1 << 62

# The parts of the working array: the key, the last round, the words of the suits, sorted words, penalties, hash.
FINISH, WORD, SORTED, PENALTY, HASH, WORK = 8, 32, 40, 48, 96, 97


@kernel
def _slot_of(table: Any, key: Any, words: int) -> int:
    """The place of the key's slot in the table, or of the free slot (-1) where it belongs.

    A table is one array: the number of its slots, the width of a row, the slots (a hash and a row's number), the rows.
    """
    h = 0
    for i in range(words):
        h = (((h ^ (key[i] & 0x7FFFFFFF)) * 1103515245) + 12345) & 0x7FFFFFFF
        h = ((h ^ (h >> 15) ^ (key[i] >> 31)) * 0x5BD1E995) & 0x7FFFFFFF
    h ^= h >> 13
    key[HASH] = h
    slots, width = table[0], table[1]
    place = h & (slots - 1)
    while table[2 + place] != -1:
        if table[2 + place] >> 32 == h:
            row = 2 + slots + (table[2 + place] & 0xFFFFFFFF) * width
            same = True
            for i in range(words):
                if table[row + i] != key[i]:
                    same = False
                    break
            if same:
                return int(2 + place)
        place = (place + 1) & (slots - 1)
    return int(2 + place)


@kernel
def _row_of(table: Any, key: Any, words: int) -> int:
    """Where the row of the key begins, or -1."""
    slot = table[_slot_of(table, key, words)]
    return int(2 + table[0] + (slot & 0xFFFFFFFF) * table[1]) if slot != -1 else -1


@kernel
def move_rows(table: Any, larger: Any, stored: int) -> None:
    """Copy all rows to a larger table."""
    mask, width = larger[0] - 1, table[1]
    for old in range(2, 2 + table[0]):
        if table[old] != -1:
            place = (table[old] >> 32) & mask
            while larger[2 + place] != -1:
                place = (place + 1) & mask
            larger[2 + place] = table[old]
    for i in range(stored * width):
        larger[2 + larger[0] + i] = table[2 + table[0] + i]


@kernel
def _by_wins(rules: Any, wins: Any, work: Any, left: int, target: int, at: int) -> int:
    """A bound of the score of a state that allows ``target`` at most, by the table of that target's wins."""
    last = int(rules["suits"])
    row = _row_of(wins, work, last + 1)
    won = rules["factorial"][left]
    if row >= 0:
        won = min(won, wins[row + at + 1])
    return int((target - 1) * rules["factorial"][left] + won)


@kernel
def probe(
    rules: Any,
    table: Any,
    easier: Any,
    wins: Any,
    next_wins: Any,
    work: Any,
    tokens: int,
    left: int,
    ceiling: int,
    low: int,
    high: int,
    info: Any,
) -> None:
    """What the tables know of the state whose key is in ``work``, given the bounds ``low`` and ``high``.

    ``ceiling``: the highest score that the state allows. Sets LOW, HIGH, REAL and REACH of ``info``.
    """
    real, reach = low, int(rules["tokens_max"])
    if low < high:
        last = int(rules["suits"])
        at = last + 1 + BOUNDS * useful_tokens(rules, tokens, left)
        row = _row_of(table, work, last + 1)
        if row >= 0:
            low, high = max(low, table[row + at]), min(high, table[row + at + 1])
            if table[row + last + 3 + BOUNDS * tokens] > real:
                real, reach = table[row + last + 3 + BOUNDS * tokens], tokens
                while reach < rules["tokens_max"] and table[row + last + 6 + BOUNDS * reach] >= real:
                    reach += 1
                low = max(low, real)
        if low < high and ceiling == rules["aim"]:
            high = min(high, _by_wins(rules, wins, work, left, ceiling, at))
        elif low < high and ceiling == rules["aim"] - 1:
            high = min(high, _by_wins(rules, next_wins, work, left, ceiling, at))
        if low < high and rules["easier"] == FREE:
            work[last] &= (1 << 35) - 1
            row = _row_of(easier, work, last + 1)
            if row >= 0:
                high = min(high, easier[row + last + 2])
        elif low < high and rules["easier"] == EASY:
            work[last] &= (1 << 38) - 1
            at = last + 1 + BOUNDS * min(tokens, left * (rules["players"] - 1) * rules["clue_cost"])
            row = _row_of(easier, work, last + 1)
            if row >= 0:
                high = min(high, easier[row + at + 1])
                low = max(low, easier[row + last + 3 + BOUNDS * tokens])
    surely = rules["surely"] - left * rules["gain_most"]
    if tokens <= surely and low > real:
        real, reach = low, surely
    info[LOW], info[HIGH], info[REAL], info[REACH] = low, max(low, high), real, reach


@kernel
def look(rules: Any, state: Any, table: Any, easier: Any, wins: Any, next_wins: Any, work: Any, info: Any) -> None:
    """All that is known of a state: its bounds, into info[LOW] and info[HIGH], REAL and REACH."""
    placed, left = placed_in(rules, state), int(state[LEFT])
    if left == 0:
        info[LOW] = worth(rules, finish(rules, state, placed, work[FINISH:]))
        info[HIGH] = info[REAL] = info[LOW]
        info[REACH] = rules["tokens_max"]
        return
    low, high = worth(rules, placed) * rules["factorial"][left], most(rules, state, placed)
    if low < high:
        pack_suits(rules, state, work)
        work[rules["suits"]] = pack_rest(rules, state)
    probe(
        rules, table, easier, wins, next_wins, work, int(state[TOKENS]), left, ceiling(rules, state), low, high, info
    )


@kernel
def store(
    rules: Any, state: Any, low: int, high: int, real: int, reach: int, table: Any, work: Any, info: Any
) -> None:
    """Keep what is proven of a state: its bounds, and its real bound with the tokens it is good for."""
    last = int(rules["suits"])
    pack_suits(rules, state, work)
    work[last] = pack_rest(rules, state)
    slot = _slot_of(table, work, last + 1)
    if table[slot] == -1:
        table[slot] = (work[HASH] << 32) | info[STORED]
        row = 2 + table[0] + info[STORED] * table[1]
        info[STORED] += 1
        for i in range(last + 1):
            table[row + i] = work[i]
        for i in range(last + 1, table[1], BOUNDS):
            table[row + i], table[row + i + 1], table[row + i + 2] = 0, NO_BOUND, 0
    row = 2 + table[0] + (table[slot] & 0xFFFFFFFF) * table[1] + last + 1
    info[REAL], info[REACH] = real, reach
    for tokens in range(state[TOKENS], reach + 1):
        place = row + BOUNDS * tokens + 2
        table[place] = max(table[place], real)
    at, limit = useful_tokens(rules, int(state[TOKENS]), int(state[LEFT])), surplus(rules, int(state[LEFT]))
    if state[TOKENS] > limit:
        table[row + BOUNDS * at], table[row + BOUNDS * at + 1] = low, high
        return
    for tokens in range(limit + 1):
        place = row + BOUNDS * tokens
        if tokens >= at:
            table[place] = max(table[place], low)
        if tokens <= at:
            table[place + 1] = min(table[place + 1], high)
