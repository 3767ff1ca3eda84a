"""Exact value of a known deal: alpha-beta over whole turns with a table of states, on an explicit stack.

A node is the start of a turn; its value is the mover's round score minus the other's under perfect play with
open cards. A move is a hand card, what it takes, what the (known) stock card takes and, with a new yaku,
stop or koi-koi. Equal plains are merged. The table holds full keys, so a value is never taken from another
state.

A search works in the arrays of a ``Space``:
``rows[depth]`` a node of the current line, ``moves[depth]`` its moves, ``table`` the states, ``control`` the
counters, ``held[seat]`` the cards each seat had at the start, ``draws[turn]`` the stock card of a turn.
Seats are 0 for the player of odd turns (dealer), 1 for even turns.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hanasolve.bits import first_bit
from hanasolve.jit import inline_kernel, kernel
from hanasolve.koikoi.game import cards
from hanasolve.koikoi.game.rules import DRAW, PLAY, TURNS, field_after, pile_after, take_count, take_option
from hanasolve.koikoi.game.scoring import round_score
from hanasolve.koikoi.game.yaku import points
from hanasolve.koikoi.search.moves import (
    ALPHA,
    ALPHA_START,
    AT,
    BEFORE,
    BEST,
    BETA,
    CALL,
    CALLS,
    COUNT,
    FIELD,
    HAND,
    KEY_0,
    KEY_1,
    KIND,
    MOST_MOVES,
    MOVE_COLUMNS,
    NAMES_BEFORE,
    NEW_FIELD,
    NEW_HAND,
    NEW_PILE,
    ORDER,
    OTHER_CALLS,
    OTHER_HAND,
    OTHER_PILE,
    PILE,
    ROW_COLUMNS,
    STOP,
    VALUE,
    _add_move,
    fill_moves,
)

# Entries of control.
DEPTH, FIRST_TURN, NODES, GENERATION, SLOTS, RESULT, TABLE_LAST = range(7)
CONTROL_SIZE = 7
# Columns of table: two key words, and value, kind of bound and turn in one word.
UPPER, LOWER, EXACT = range(3)
INFINITE = 1 << 14
GENERATIONS = (1 << 15) - 1
# Arguments: no restriction, and the depth of the root. Not plain -1 and 0: for literals numba would compile
# the functions once more.
EVERY: Any = np.int64(-1)
ROOT: Any = np.int64(0)

_SWAP_PAIRS = cards.mask(card for card in range(45) if (cards.twins_of(card) >> (card + 1)) & 1) | 1 << 45
_SWAP_SECOND = 1 << 46
_SWAP_THIRD = 1 << 45


class Space(NamedTuple):
    """The arrays of a search (see the module's docstring)."""

    rows: Any
    moves: Any
    table: Any
    control: Any
    held: Any
    draws: Any


def new_space(slots: int) -> Space:
    """A search's arrays; the table of ``slots`` states (a power of two) takes 24 bytes each."""
    control = np.zeros(CONTROL_SIZE, np.int64)
    control[SLOTS], control[TABLE_LAST] = slots, 14
    return Space(
        np.zeros((TURNS + 2, ROW_COLUMNS), np.int64),
        np.zeros((TURNS + 2, MOST_MOVES, MOVE_COLUMNS), np.int64),
        np.zeros((slots, 3), np.int64),
        control,
        np.zeros((2, 8), np.int64),
        np.zeros(TURNS + 1, np.int64),
    )


# --- keys -------------------------------------------------------------------------------------------------


@inline_kernel
def _sorting(captured: int, owned: int, lower: int) -> int:
    """Twins (lower card in ``lower``, the other next to it) that are out of order and in nobody's hand."""
    in_hand = owned & ~captured
    free = lower & ~in_hand & ~(in_hand >> 1)
    captured_up, owned_up = captured >> 1, owned >> 1
    return free & ((~captured & captured_up) | (~(captured ^ captured_up) & ~owned & owned_up))


@inline_kernel
def _sort_twins(captured: int, owned: int, lower: int) -> tuple[int, int]:
    swap = _sorting(captured, owned, lower)
    change = swap & (captured ^ (captured >> 1))
    captured ^= change | (change << 1)
    change = swap & (owned ^ (owned >> 1))
    return captured, owned ^ (change | (change << 1))


@inline_kernel
def state_key(captured: int, owned: int) -> tuple[int, int]:
    """Merge states that differ only in equal plains lying on the field or in the piles.

    A card's place is two bits: captured or not; then second seat's pile or not, or in a hand or not.
    """
    captured, owned = _sort_twins(captured, owned, _SWAP_PAIRS)
    captured, owned = _sort_twins(captured, owned, _SWAP_SECOND)
    return _sort_twins(captured, owned, _SWAP_THIRD)


@inline_kernel
def _slot(key_0: int, key_1: int, slots: int) -> int:
    """First slot of the state's pair; the products stay below 2**63."""
    mixed = (key_0 & 0xFFFFFF) * 0x5E3779B1 ^ (key_0 >> 24) * 0x2545F491
    mixed ^= (key_1 & 0xFFFFFF) * 0x45D9F3B7 ^ ((key_1 >> 24) & 0xFFFFFF) * 0x7FEB352D
    return ((mixed >> 27) ^ (mixed >> 9)) & (slots - 2)


# --- search -----------------------------------------------------------------------------------------------


@inline_kernel
def set_keys(rows: Any, d: int, turn: int, control: Any) -> None:
    """The key words of the state in a row: places of the cards, calls of both seats, generation."""
    second_seat = turn % 2 == 0
    other_pile = rows[d, PILE] if second_seat else rows[d, OTHER_PILE]
    captured, owned = state_key(
        rows[d, PILE] | rows[d, OTHER_PILE], other_pile | rows[d, HAND] | rows[d, OTHER_HAND]
    )
    calls, other_calls = rows[d, CALLS], rows[d, OTHER_CALLS]
    if second_seat:
        calls, other_calls = other_calls, calls
    rows[d, KEY_0] = captured | (calls << 48) | (other_calls << 52)
    rows[d, KEY_1] = owned | (control[GENERATION] << 48)


@inline_kernel
def _probe(rows: Any, d: int, turn: int, table: Any, control: Any) -> bool:
    """Narrow the row's window by the table. True: the table settles the node (value in BEST)."""
    set_keys(rows, d, turn, control)
    slot = _slot(rows[d, KEY_0], rows[d, KEY_1], control[SLOTS])
    for _ in range(2):
        if table[slot, 0] == rows[d, KEY_0] and table[slot, 1] == rows[d, KEY_1]:
            value = (table[slot, 2] >> 8) - INFINITE
            bound = table[slot, 2] & 3
            if bound != UPPER:
                rows[d, ALPHA] = max(rows[d, ALPHA], value)
            if bound != LOWER:
                rows[d, BETA] = min(rows[d, BETA], value)
            if rows[d, ALPHA] >= rows[d, BETA]:
                rows[d, BEST] = value
                return True
        slot += 1
    return False


@inline_kernel
def _store(rows: Any, d: int, turn: int, table: Any, control: Any) -> None:
    slot = _slot(rows[d, KEY_0], rows[d, KEY_1], control[SLOTS])
    same = table[slot, 0] == rows[d, KEY_0] and table[slot, 1] == rows[d, KEY_1]
    old = (table[slot, 1] >> 48) != control[GENERATION]
    if not same and not old and ((table[slot, 2] >> 2) & 63) < turn:
        slot += 1
    best = rows[d, BEST]
    bound = UPPER if best <= rows[d, ALPHA_START] else LOWER if best >= rows[d, BETA] else EXACT
    table[slot, 0] = rows[d, KEY_0]
    table[slot, 1] = rows[d, KEY_1]
    table[slot, 2] = ((best + INFINITE) << 8) | (turn << 2) | bound


@inline_kernel
def _raise_best(rows: Any, d: int, value: int) -> None:
    rows[d, BEST] = max(rows[d, BEST], value)
    rows[d, ALPHA] = max(rows[d, ALPHA], value)
    if rows[d, ALPHA] >= rows[d, BETA]:
        rows[d, AT] = rows[d, COUNT]


@inline_kernel
def _next_move(rows: Any, moves: Any, d: int) -> int:
    """Bring the best move that is left to the front and return its index."""
    at = rows[d, AT]
    best = at
    for k in range(at + 1, rows[d, COUNT]):
        if moves[d, k, ORDER] > moves[d, best, ORDER]:
            best = k
    if best != at:
        for column in range(MOVE_COLUMNS):
            kept = moves[d, at, column]
            moves[d, at, column] = moves[d, best, column]
            moves[d, best, column] = kept
    rows[d, AT] = at + 1
    return int(at)


@inline_kernel
def _open(
    rows: Any, moves: Any, d: int, turn: int, table: Any, control: Any, held: Any, draws: Any, rules: Any
) -> bool:
    """Begin a node. False: it is settled already, its value is in BEST."""
    rows[d, BEST] = -INFINITE
    if turn <= control[TABLE_LAST] and _probe(rows, d, turn, table, control):
        return False
    rows[d, ALPHA_START] = rows[d, ALPHA]
    fill_moves(rows, moves, d, turn, EVERY, EVERY, held, draws, rules)
    return True


@inline_kernel
def _enter(rows: Any, moves: Any, d: int, count: int) -> None:
    """Lay out the state after move ``count`` of depth ``d`` as the node at depth ``d + 1``."""
    rows[d + 1, HAND] = rows[d, OTHER_HAND]
    rows[d + 1, OTHER_HAND] = moves[d, count, NEW_HAND]
    rows[d + 1, FIELD] = moves[d, count, NEW_FIELD]
    rows[d + 1, PILE] = rows[d, OTHER_PILE]
    rows[d + 1, OTHER_PILE] = moves[d, count, NEW_PILE]
    rows[d + 1, CALLS] = rows[d, OTHER_CALLS]
    rows[d + 1, OTHER_CALLS] = rows[d, CALLS] + (1 if moves[d, count, KIND] == CALL else 0)
    rows[d + 1, ALPHA] = -rows[d, BETA]
    rows[d + 1, BETA] = -rows[d, ALPHA]


@kernel
def search(space: Any, rules: Any, budget: int) -> bool:
    """Go on with a search that ``start`` began, for at most ``budget`` nodes. True: done, value in RESULT."""
    rows, moves, table, control = space.rows, space.moves, space.table, space.control
    held, draws = space.held, space.draws
    d, first, last = control[DEPTH], control[FIRST_TURN], control[TABLE_LAST]
    nodes = 0
    while d >= 0 and nodes < budget:
        if rows[d, AT] < rows[d, COUNT]:
            count = _next_move(rows, moves, d)
            if moves[d, count, KIND] == STOP:
                _raise_best(rows, d, moves[d, count, VALUE])
                continue
            _enter(rows, moves, d, count)
            nodes += 1
            if _open(rows, moves, d + 1, first + d + 1, table, control, held, draws, rules):
                d += 1
            else:
                _raise_best(rows, d, -rows[d + 1, BEST])
            continue
        if d > 0 and first + d <= last:
            _store(rows, d, first + d, table, control)
        d -= 1
        if d >= 0:
            _raise_best(rows, d, -rows[d + 1, BEST])
    control[DEPTH] = d
    control[NODES] += nodes
    control[RESULT] = rows[0, BEST]
    return bool(d < 0)


@kernel
def set_deal(game: Any, space: Any) -> None:
    """Prepare the search for a new deal: the GAME's hands and known stock. A new generation of the table."""
    dealer, held, control = game["dealer"], space.held, space.control
    for seat in range(2):
        hand = game["hands"][dealer if seat == 0 else 1 - dealer]
        for count in range(8):
            held[seat, count] = -1
            if hand != 0:
                held[seat, count] = first_bit(hand)
                hand &= hand - 1
    for turn in range(game["turn"], TURNS + 1):
        space.draws[turn] = game["stock"][turn - 1]
    if control[GENERATION] == GENERATIONS:  # the numbers are used up: forget everything
        control[GENERATION] = 0
        space.table[:] = 0
    control[GENERATION] += 1


@kernel
def start(game: Any, card: int, taken: int, alpha: int, beta: int, space: Any, rules: Any) -> None:
    """Begin a search from a GAME after ``set_deal``, in a window. ``taken`` < 0: all options of the mover.

    Otherwise only one: in phase play ``card`` taking ``taken``, in phase draw the drawn card taking
    ``taken``, in phase decide 1 for calling and 0 for stopping.
    """
    rows, moves, control = space.rows, space.moves, space.control
    mover = game["mover"]
    other = 1 - mover
    turn = game["turn"]
    rows[0, HAND], rows[0, OTHER_HAND] = game["hands"][mover], game["hands"][other]
    rows[0, FIELD] = game["field"]
    rows[0, PILE], rows[0, OTHER_PILE] = game["piles"][mover], game["piles"][other]
    rows[0, CALLS], rows[0, OTHER_CALLS] = game["calls"][mover], game["calls"][other]
    rows[0, ALPHA], rows[0, BETA], rows[0, BEST], rows[0, ALPHA_START] = alpha, beta, -INFINITE, alpha
    control[DEPTH] = 0
    control[FIRST_TURN] = turn
    if game["phase"] == PLAY:
        fill_moves(rows, moves, ROOT, turn, card if taken >= 0 else -1, taken, space.held, space.draws, rules)
        return
    rows[0, COUNT] = 0
    rows[0, AT] = 0
    rows[0, BEFORE], rows[0, NAMES_BEFORE] = game["before"], game["names_before"]
    if game["phase"] == DRAW:
        _start_drawn(rows, moves, game, taken, rules)
    else:
        _start_decision(rows, moves, game, taken, rules)


@kernel
def _start_drawn(rows: Any, moves: Any, game: Any, taken: int, rules: Any) -> None:
    drawn, turn, pile = game["drawn"], game["turn"], rows[0, PILE]
    rows[0, PILE] = -1  # the hand card may have made the yaku: look at the points in any case
    for k in range(take_count(rows[0, FIELD], drawn, rules)):
        option = take_option(rows[0, FIELD], drawn, k, rules)
        if taken < 0 or option == taken:
            field = field_after(rows[0, FIELD], drawn, option)
            after = pile_after(pile, drawn, option)
            _add_move(rows, moves, ROOT, turn, rows[0, HAND], field, after, ROOT, rules)
    rows[0, PILE] = pile


@kernel
def _start_decision(rows: Any, moves: Any, game: Any, taken: int, rules: Any) -> None:
    rows[0, COUNT] = 2
    for k in range(2):
        moves[0, k, NEW_FIELD], moves[0, k, NEW_PILE], moves[0, k, NEW_HAND] = (
            rows[0, FIELD],
            rows[0, PILE],
            rows[0, HAND],
        )
        moves[0, k, ORDER] = 0
    pile = rows[0, PILE]
    moves[0, 0, KIND] = STOP
    moves[0, 0, VALUE] = round_score(pile, points(pile, rules), rows[0, CALLS], rows[0, OTHER_CALLS], rules)
    moves[0, 1, KIND] = CALL
    if taken == 1:
        rows[0, AT] = 1
    elif taken == 0:
        rows[0, COUNT] = 1


@kernel
def option_values(game: Any, options: Any, values: Any, space: Any, rules: Any) -> None:
    """Exact open-card value, for the mover, of each of his options (card, taken) in this world (one deal)."""
    set_deal(game, space)
    for k in range(options.shape[0]):
        start(game, options[k, 0], options[k, 1], -INFINITE, INFINITE, space, rules)
        while not search(space, rules, 1 << 40):
            pass
        values[k] = space.control[RESULT]
