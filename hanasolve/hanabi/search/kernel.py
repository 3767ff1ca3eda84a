"""The search for a line: all states of a turn are expanded by all moves, the best ``width`` are kept.

Width 1 is a greedy game, a small width a beam; a search in which no layer was ever cut has seen every line,
so that finding nothing is a proof. States that are equal are merged by comparing their whole words (the hash
only finds the place). Infeasible states are dropped by ``slack`` (a counting bound).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.bits import count_bits
from hanasolve.hanabi.search.state import (
    IDLE,
    MAX_DRAWS,
    MAX_SUITS,
    NEVER,
    PLAY,
    count_cards,
    do_move,
    drawn_of,
    goal_reached,
    height_of,
    list_moves,
    needed_ids,
    root_state,
    size_of,
    tokens_of,
)
from hanasolve.jit import kernel

RUNNING, FOUND, EXHAUSTED, CUT, NO_ROOM = 0, 1, 2, 3, 4
HOPELESS, OVERFULL = -1000, -500
VALUES = 512  # values of states are clipped to 0 .. VALUES - 1
MAX_TURNS = 240
MOVE_ROOM = 32
# Scratch of a search, int64: counts of `slack`, moves of a state, moves of the last round, histogram.
COUNTS = 3 * (MAX_DRAWS + 2)
OPTIONS_AT = COUNTS
TAIL_AT = OPTIONS_AT + MOVE_ROOM
HISTOGRAM_AT = TAIL_AT + 16
SCRATCH = HISTOGRAM_AT + VALUES

# fields of the `info` array that a search keeps between calls
STATUS, TURN, COUNT, NODES, WAS_CUT, LINE_LENGTH, PEAK = range(7)


@kernel
def slack(known: Any, target: Any, state: Any, counts: Any) -> int:
    """Spare plays of the tightest moment to come; negative = the target is out of reach.

    A needed card that nobody holds enters a hand with its next copy in the deck at the earliest; the card
    above it is played later, and until the deck is empty each play is followed by a draw, so one draw later.
    For every k, the cards that cannot be played before the k-th further draw must fit into the plays that
    come after it: one for each of the remaining draws and one for each player after the last.

    OVERFULL if the hands are too small (see ``_room``). ``counts`` is scratch, int64[COUNTS].
    """
    players = int(known["players"])
    steps = int(known["steps"])
    word = state[players]
    drawn = drawn_of(word)
    left = int(known["draws"]) - drawn
    held = np.uint64(0)
    for p in range(players):
        held |= state[p]
    counts[: 3 * (left + 1)] = 0
    ready = counts[: left + 1]  # cards by the draw after which they can be played at the earliest
    gone = counts[left + 1 : 2 * (left + 1)]  # by the draw that brings their last copy
    both = counts[2 * (left + 1) : 3 * (left + 1)]  # by the later of the two
    for suit in range(known["suits"]):
        earliest = 0
        height = height_of(word, suit)
        for step in range(height, target[suit]):
            identity = suit * steps + step
            if step > height:
                earliest = min(earliest + 1, left)
            if not (held >> np.uint64(identity)) & np.uint64(1):
                at = int(known["next_at"][identity, drawn])
                if at == NEVER:
                    return HOPELESS
                after = at - drawn + 1
                if known["deck_plays"] and after == left:
                    after -= 1
                earliest = max(earliest, after)
            last = max(0, int(known["last_at"][identity]) - drawn + 1)
            ready[earliest] += 1
            gone[last] += 1
            both[max(earliest, last)] += 1
    if not known["deck_plays"] and not _room(known, state, left, ready, gone, both):
        return OVERFULL
    if not known["last_round"]:
        return 50
    spare = 1000
    late = 0
    for k in range(left, -1, -1):
        late += ready[k]
        spare = min(spare, left - k + players - late)
    return spare


@kernel
def _room(known: Any, state: Any, left: int, ready: Any, gone: Any, both: Any) -> bool:
    """Whether the hands can hold the cards whose last copy has come and that cannot be placed yet.

    After k draws the next action that draws takes one card out of a hand. At most one card is placed a draw,
    and none before it can be, so ``placed`` bounds the cards placed by then; the others whose last copy has
    been drawn must lie in hands, which have one place less than all at that moment.
    """
    places = -1
    for p in range(known["players"]):
        places += size_of(state[p])
    placed, playable, out, out_playable = 0, 0, 0, 0
    for k in range(left):
        playable += ready[k]
        out += gone[k]
        out_playable += both[k]
        placed = min(placed + 1, playable)
        if out - min(placed, out_playable) > places:
            return False
    return True


@kernel
def finish(known: Any, target: Any, state: Any, player: int, turns: int, out: Any) -> int:
    """Last round: each of the next ``turns`` seats may play one card. Moves to ``out``; their number or -1.

    Clues, discards and tokens cannot matter any more: a player who plays nothing always has a legal action
    that costs nothing needed (a clue with a token, a discard without, either in between).
    Backtracking over the suit played in each turn; ``suits`` stands for playing nothing.
    """
    players, suits, steps = int(known["players"]), int(known["suits"]), int(known["steps"])
    word = state[players]
    missing = count_bits(needed_ids(known, target, word))
    heights = np.empty(MAX_SUITS, np.int64)
    for suit in range(suits):
        heights[suit] = height_of(word, suit)
    tried = np.full(turns + 1, -1, np.int64)
    turn = 0
    while True:
        if missing == 0:
            for t in range(turn):
                out[t] = IDLE
            for t in range(turn - 1, -1, -1):
                if tried[t] < suits:
                    heights[tried[t]] -= 1
                    out[t] = PLAY + tried[t] * steps + heights[tried[t]]
            return turn
        last = tried[turn]
        if 0 <= last < suits:
            heights[last] -= 1
            missing += 1
        choice = last + 1
        if missing > turns - turn:
            choice = suits + 1
        hand = state[(player + turn) % players]
        while choice < suits:
            identity = choice * steps + heights[choice]
            if heights[choice] < target[choice] and (hand >> np.uint64(identity)) & np.uint64(1):
                break
            choice += 1
        if choice == suits and missing > turns - turn - 1:
            choice += 1
        if choice > suits:
            tried[turn] = -1
            turn -= 1
            if turn < 0:
                return -1
            continue
        tried[turn] = choice
        if choice < suits:
            heights[choice] += 1
            missing -= 1
        turn += 1
        tried[turn] = -1


@kernel
def value_of(known: Any, target: Any, state: Any, spare: int, weights: Any) -> int:
    """How promising a state looks: an integer in 0 .. VALUES - 1, larger is better."""
    players, suits = int(known["players"]), int(known["suits"])
    word = state[players]
    placed = 0
    for suit in range(suits):
        placed += height_of(word, suit)
    held = 0
    for p in range(players):
        held += count_cards(state[p])
    tokens = tokens_of(word)
    total = (
        weights[0] * min(spare, weights[5])
        + weights[1] * (placed - drawn_of(word))
        + weights[2] * tokens
        + weights[3] * placed
        + weights[4] * held
        + weights[6]
    )
    return int(min(max(total, 0), VALUES - 1))


@kernel
def copy_words(to: Any, source: Any, words: int) -> None:
    """A loop: numba's slice assignment takes eleven seconds to compile."""
    for w in range(words):
        to[w] = source[w]


@kernel
def find_row(table: Any, keys: Any, key: Any, words: int, fresh: int) -> int:
    """Index of the row of ``keys`` that equals ``key``; if there is none, enter ``fresh`` and return -1."""
    last = np.int64(table.shape[0] - 1)
    h = np.uint64(0x9E3779B97F4A7C15)
    for w in range(words):
        h ^= key[w]
        h *= np.uint64(0xFF51AFD7ED558CCD)
        h ^= h >> np.uint64(32)
    slot = np.int64(h & np.uint64(0x7FFFFFFF)) & last
    while True:
        row = table[slot]
        if row < 0:
            table[slot] = fresh
            return -1
        same = True
        for w in range(words):
            if keys[row, w] != key[w]:
                same = False
                break
        if same:
            return int(row)
        slot = (slot + 1) & last


@kernel
def begin(known: Any, target: Any, states: Any, line: Any, info: Any) -> None:
    """Put the root into the first layer. FOUND or EXHAUSTED at once where that is clear."""
    counts = np.empty(COUNTS, np.int64)
    info[:] = 0
    root_state(known, target, states[0])
    info[COUNT] = 1
    info[STATUS] = RUNNING
    word = states[0, known["players"]]
    if goal_reached(known, target, word):
        info[STATUS] = FOUND
    elif known["last_round"] and known["turns_left"] >= 0:
        length = finish(known, target, states[0], int(known["to_move"]), int(known["turns_left"]), line)
        info[STATUS] = EXHAUSTED if length < 0 else FOUND
        info[LINE_LENGTH] = max(length, 0)
    elif slack(known, target, states[0], counts) < 0:
        info[STATUS] = EXHAUSTED


@kernel
def layer(
    known: Any, target: Any, width: int, weights: Any, info: Any, scratch: Any,
    states: Any, kids: Any, values: Any, origins: Any, table: Any, parents: Any, moves: Any, line: Any,
) -> None:
    """Expand one layer (one turn). ``info[STATUS]`` tells how it ended.

    ``states`` uint64[width, players + 1]; ``kids`` the same with more rows, ``values`` int16 and ``origins``
    int32[rows, 2] (parent, move) beside it; ``table`` int32, a power of two >= 2 * rows; ``parents`` int32
    and ``moves`` uint8 [MAX_TURNS, width] remember the way; ``line`` receives the moves when FOUND.
    """
    players = int(known["players"])
    words = players + 1
    turn = info[TURN]
    player = (int(known["to_move"]) + turn) % players
    counts = scratch[:OPTIONS_AT]
    options = scratch[OPTIONS_AT:TAIL_AT]
    tail = scratch[TAIL_AT:HISTOGRAM_AT]
    histogram = scratch[HISTOGRAM_AT:]
    histogram[:] = 0
    used = 64
    while used < 16 * info[COUNT] and used < table.shape[0]:
        used *= 2
    view = table[:used]
    view[:] = -1
    room = min(kids.shape[0], used // 2)
    rows = 0
    for parent in range(info[COUNT]):
        count = list_moves(known, target, states[parent], player, options)
        for i in range(count):
            if rows >= room:
                info[WAS_CUT] = 1
                break
            kid = kids[rows]
            copy_words(kid, states[parent], words)
            do_move(known, target, kid, player, options[i])
            info[NODES] += 1
            if goal_reached(known, target, kid[players]):
                _write_line(info, parents, moves, parent, options[i], tail, 0, line)
                return
            if known["last_round"] and drawn_of(kid[players]) == known["draws"]:
                if drawn_of(states[parent, players]) < known["draws"]:
                    length = finish(known, target, kid, (player + 1) % players, players, tail)
                    if length >= 0:
                        _write_line(info, parents, moves, parent, options[i], tail, length, line)
                        return
                continue
            spare = slack(known, target, kid, counts)
            if spare < 0 or find_row(view, kids, kid, words, rows) >= 0:
                continue
            value = value_of(known, target, kid, spare, weights)
            values[rows] = value
            histogram[value] += 1
            origins[rows, 0] = parent
            origins[rows, 1] = options[i]
            rows += 1
    _keep_best(info, rows, width, histogram, states, kids, values, origins, parents, moves)


@kernel
def _keep_best(
    info: Any, rows: int, width: int, histogram: Any,
    states: Any, kids: Any, values: Any, origins: Any, parents: Any, moves: Any,
) -> None:
    """The next layer: the ``width`` best of the new states, in the order in which they were found."""
    turn = info[TURN]
    words = states.shape[1]
    threshold, spare_places = 0, 0
    if rows > width:
        info[WAS_CUT] = 1
        better = 0
        threshold = VALUES - 1
        while better + histogram[threshold] <= width:
            better += histogram[threshold]
            threshold -= 1
        spare_places = width - better
    kept = 0
    for row in range(rows):
        if rows > width:
            if values[row] < threshold:
                continue
            if values[row] == threshold:
                if spare_places == 0:
                    continue
                spare_places -= 1
        copy_words(states[kept], kids[row], words)
        parents[turn, kept] = origins[row, 0]
        moves[turn, kept] = origins[row, 1]
        kept += 1
    info[COUNT] = kept
    info[PEAK] = max(info[PEAK], kept)
    info[TURN] = turn + 1
    if kept == 0 or turn + 1 >= MAX_TURNS:
        info[STATUS] = CUT if info[WAS_CUT] or kept > 0 else EXHAUSTED


@kernel
def _write_line(
    info: Any, parents: Any, moves: Any, parent: int, move: int, tail: Any, tail_length: int, line: Any
) -> None:
    turn = info[TURN]
    line[turn] = move
    row = parent
    for t in range(turn - 1, -1, -1):
        line[t] = moves[t, row]
        row = parents[t, row]
    for t in range(tail_length):
        line[turn + 1 + t] = tail[t]
    info[LINE_LENGTH] = turn + 1 + tail_length
    info[STATUS] = FOUND


@kernel
def run_layers(
    known: Any, target: Any, width: int, weights: Any, info: Any, scratch: Any, node_budget: int,
    states: Any, kids: Any, values: Any, origins: Any, table: Any, parents: Any, moves: Any, line: Any,
) -> None:
    """Expand layers until the search ends or ``node_budget`` more states were made."""
    stop = info[NODES] + node_budget
    while info[STATUS] == RUNNING and info[NODES] < stop:
        layer(
            known, target, width, weights, info, scratch,
            states, kids, values, origins, table, parents, moves, line,
        )
