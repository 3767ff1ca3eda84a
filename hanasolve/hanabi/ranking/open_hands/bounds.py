"""Kernel: what is known of situations with open hands. Tables of proven bounds, and what bounds a state.

A row holds, for every number of tokens, a lower bound, an upper bound and a *real* bound of the states that differ
by their tokens only. Where more tokens are never worse (``surplus``) a lower bound holds for all that have more, and
an upper bound for all that have less. A real bound comes from a plan without strikes and without discards with all
tokens: it is good for the same state of the real game, and for more tokens as long as its discards stay below
the maximum (its *reach*).

The tables of all counts lie in one array, the heap. A table is the number of its slots, the width of a row, the slots
(a hash and a row's number) and the rows; the rules of a count say where its own table begins, and those it looks into.
"""

from __future__ import annotations

from typing import Any

from hanasolve.hanabi.ranking.open_hands.state import (
    BELOW,
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
# ASKED: how many easier counts have answered for the state at hand; WHOM and NEED: the one to ask, and for what;
# ANSWER: its upper bound, exact if it is more than NEED; LOST: orders lost for the targets that were asked about.
INFO = 15
STATUS, LEVEL, PHASE, VALUE, NODES, STORED, LOW, HIGH, REAL, REACH, ASKED, WHOM, NEED, ANSWER, LOST = range(INFO)
BOUNDS = 3  # a row of a table holds a lower, an upper and a real bound for every number of tokens
NO_BOUND = 1 << 62
DEEP = 2  # of how many targets the wins bound a score

# The parts of the working array: the key, the last round, the words of the suits, sorted words, penalties, hash.
FINISH, WORD, SORTED, PENALTY, HASH, WORK = 8, 32, 40, 48, 96, 97


@kernel
def _slot_of(heap: Any, table: int, key: Any, words: int) -> int:
    """The place of the key's slot in a table, or of the free slot (-1) where it belongs."""
    h = 0
    for i in range(words):
        h = (((h ^ (key[i] & 0x7FFFFFFF)) * 1103515245) + 12345) & 0x7FFFFFFF
        h = ((h ^ (h >> 15) ^ (key[i] >> 31)) * 0x5BD1E995) & 0x7FFFFFFF
    h ^= h >> 13
    key[HASH] = h
    slots, width, first = heap[table], heap[table + 1], table + 2
    place = h & (slots - 1)
    while heap[first + place] != -1:
        if heap[first + place] >> 32 == h:
            row = first + slots + (heap[first + place] & 0xFFFFFFFF) * width
            same = True
            for i in range(words):
                if heap[row + i] != key[i]:
                    same = False
                    break
            if same:
                return int(first + place)
        place = (place + 1) & (slots - 1)
    return int(first + place)


@kernel
def _row_of(heap: Any, table: int, key: Any, words: int) -> int:
    """Where the row of the key begins, or -1."""
    slot = heap[_slot_of(heap, table, key, words)]
    return int(table + 2 + heap[table] + (slot & 0xFFFFFFFF) * heap[table + 1]) if slot != -1 else -1


@kernel
def move_rows(heap: Any, table: int, larger: int, stored: int) -> None:
    """Copy all rows of a table to a larger one, which is empty."""
    slots, width, mask = heap[table], heap[table + 1], heap[larger] - 1
    for old in range(table + 2, table + 2 + slots):
        if heap[old] != -1:
            place = (heap[old] >> 32) & mask
            while heap[larger + 2 + place] != -1:
                place = (place + 1) & mask
            heap[larger + 2 + place] = heap[old]
    for i in range(stored * width):
        heap[larger + 2 + heap[larger] + i] = heap[table + 2 + slots + i]


@kernel
def _by_wins(rules: Any, heap: Any, work: Any, tokens: int, left: int, ceiling: int, least: int, info: Any) -> None:
    """Bounds of a score by the wins of targets: the sum over targets of the best chances is never less, and whoever
    plays for one target gets it as often as it is won. Tightens LOW, HIGH, REAL and REACH of ``info``.

    ``ceiling``: the highest score that the state allows; ``least``: what the cards placed are worth.
    """
    last, orders = int(rules["suits"]), rules["factorial"][left]
    at = last + 1 + BOUNDS * useful_tokens(rules, tokens, left)
    top, lost = min(ceiling, rules["aim"]), 0
    for target in range(top, top - DEEP, -1):
        below = rules["aim"] - target
        table = rules["win_tables"][below] if below < BELOW else -1
        row = _row_of(heap, table, work, last + 1) if table >= 0 else -1
        if row < 0:
            break
        gain, surely = target - least // orders, heap[row + last + 3 + BOUNDS * tokens]
        if least + gain * surely > info[REAL]:
            reach = tokens
            while reach < rules["tokens_max"] and heap[row + last + 6 + BOUNDS * reach] >= surely:
                reach += 1
            info[REAL], info[REACH] = least + gain * surely, reach
        info[LOW] = max(info[LOW], least + gain * heap[row + at], info[REAL])
        if heap[row + at + 1] >= orders:
            break
        lost += orders - heap[row + at + 1]
    info[HIGH] = min(info[HIGH], top * orders - lost)


@kernel
def _with_plenty(rules: Any, tokens: int, left: int, free: int, info: Any) -> None:
    """Raise LOW and REAL where the tokens last to the end of the deck: then the game is as good as the free one.

    ``free``: a lower bound of the free game. Before a card is used, clues let others pass, a whole round of them if a
    player with all tokens is to discard; each of LEFT uses brings a new card.
    """
    seats = int(rules["players"])
    if tokens >= left * (seats - 1) * rules["clue_cost"]:
        info[LOW] = max(info[LOW], free)
    if tokens >= left * seats * rules["clue_cost"] and free > info[REAL]:
        info[REAL], info[REACH] = free, rules["tokens_max"]


@kernel
def probe(
    rules: Any, heap: Any, work: Any, tokens: int, left: int, ceiling: int, low: int, high: int, info: Any
) -> None:
    """What the tables know of the state whose key is in ``work``, given the bounds ``low`` and ``high``.

    ``ceiling``: the highest score that the state allows. Sets LOW, HIGH, REAL and REACH of ``info``.
    """
    info[LOW], info[HIGH], info[REAL], info[REACH] = low, high, low, rules["tokens_max"]
    if low < high:
        last = int(rules["suits"])
        at = last + 1 + BOUNDS * useful_tokens(rules, tokens, left)
        row = _row_of(heap, rules["table"], work, last + 1)
        if row >= 0:
            info[LOW], info[HIGH] = max(low, heap[row + at]), min(high, heap[row + at + 1])
            real = heap[row + last + 3 + BOUNDS * tokens]
            if real > low:
                reach = tokens
                while reach < rules["tokens_max"] and heap[row + last + 6 + BOUNDS * reach] >= real:
                    reach += 1
                info[REAL], info[REACH] = real, reach
                info[LOW] = max(info[LOW], real)
        if info[LOW] < info[HIGH] and rules["aim"] > 0:
            _by_wins(rules, heap, work, tokens, left, ceiling, low, info)
        if info[LOW] < info[HIGH] and rules["easier"] == FREE:
            work[last] &= (1 << 35) - 1
            row = _row_of(heap, rules["easier_table"], work, last + 1)
            if row >= 0:
                info[HIGH] = min(info[HIGH], heap[row + last + 2])
                _with_plenty(rules, tokens, left, heap[row + last + 1], info)
        elif info[LOW] < info[HIGH] and rules["easier"] == EASY:
            work[last] &= (1 << 38) - 1
            at = last + 1 + BOUNDS * min(tokens, left * (rules["players"] - 1) * rules["clue_cost"])
            row = _row_of(heap, rules["easier_table"], work, last + 1)
            if row >= 0:
                info[HIGH] = min(info[HIGH], heap[row + at + 1])
                info[LOW] = max(info[LOW], heap[row + last + 3 + BOUNDS * tokens])
    surely = rules["surely"] - left * rules["gain_most"]
    if tokens <= surely and info[LOW] > info[REAL]:
        info[REAL], info[REACH] = info[LOW], surely
    info[HIGH] = max(info[LOW], info[HIGH])


@kernel
def look(rules: Any, state: Any, heap: Any, work: Any, info: Any) -> None:
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
    probe(rules, heap, work, int(state[TOKENS]), left, ceiling(rules, state), low, high, info)


@kernel
def store(rules: Any, state: Any, low: int, high: int, real: int, reach: int, heap: Any, work: Any, info: Any) -> None:
    """Keep what is proven of a state: its bounds, and its real bound with the tokens it is good for."""
    last, table = int(rules["suits"]), int(rules["table"])
    pack_suits(rules, state, work)
    work[last] = pack_rest(rules, state)
    slot, rows, width = _slot_of(heap, table, work, last + 1), table + 2 + heap[table], heap[table + 1]
    if heap[slot] == -1:
        heap[slot] = (work[HASH] << 32) | info[STORED]
        row = rows + info[STORED] * width
        info[STORED] += 1
        for i in range(last + 1):
            heap[row + i] = work[i]
        for i in range(last + 1, width, BOUNDS):
            heap[row + i], heap[row + i + 1], heap[row + i + 2] = 0, NO_BOUND, 0
    row = rows + (heap[slot] & 0xFFFFFFFF) * width + last + 1
    info[REAL], info[REACH] = real, reach
    for tokens in range(state[TOKENS], reach + 1):
        place = row + BOUNDS * tokens + 2
        heap[place] = max(heap[place], real)
    at, limit = useful_tokens(rules, int(state[TOKENS]), int(state[LEFT])), surplus(rules, int(state[LEFT]))
    if state[TOKENS] > limit:
        heap[row + BOUNDS * at], heap[row + BOUNDS * at + 1] = low, high
        return
    for tokens in range(limit + 1):
        place = row + BOUNDS * tokens
        if tokens >= at:
            heap[place] = max(heap[place], low)
        if tokens <= at:
            heap[place + 1] = min(heap[place + 1], high)
