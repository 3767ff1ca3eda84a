"""Exact value of a known deal: alpha-beta over whole turns with a table of states, on an explicit stack.

A node is the start of a turn; its value is the mover's round score minus the other's under perfect play with
open cards. A move is a hand card, what it takes, what the (known) stock card takes and, with a new yaku, stop or
koi-koi. Equal plains are merged. The table holds full keys, so a value is never taken from another state.

The caller owns the arrays of a search (``Workspace`` in ``solve.py``):
``rows[depth]`` a node of the current line, ``moves[depth]`` its moves, ``table`` the states, ``control`` the
counters, ``held[seat]`` the cards each seat had at the start, ``draws[turn]`` the stock card of a turn.
Seats are 0 for the player of odd turns (dealer), 1 for even turns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.jit import inline_kernel, kernel
from hanasolve.koikoi import cards
from hanasolve.koikoi.cards import PLAINS
from hanasolve.koikoi.rules import (
    DRAW,
    PLAY,
    TURNS,
    exhausted_score,
    field_after,
    is_new,
    may_call,
    month_of,
    pile_after,
    round_score,
    take_count,
    take_option,
)
from hanasolve.koikoi.yaku import names, points

# Columns of rows.
HAND, OTHER_HAND, FIELD, PILE, OTHER_PILE, CALLS, OTHER_CALLS = range(7)
ALPHA, BETA, BEST, ALPHA_START, COUNT, AT, BEFORE, NAMES_BEFORE, KEY_0, KEY_1 = range(7, 17)
ROW_COLUMNS = 17
# Columns of moves.
ORDER, NEW_FIELD, NEW_PILE, NEW_HAND, VALUE, KIND = range(6)
MOVE_COLUMNS = 6
MOST_MOVES = 160
GO_ON, STOP, CALL = range(3)
# Entries of control.
DEPTH, FIRST_TURN, NODES, GENERATION, SLOTS, RESULT, BOUNDS, TABLE_LAST = range(8)
CONTROL_SIZE = 8
# Columns of table: two key words, and value, kind of bound and turn in one word.
UPPER, LOWER, EXACT = range(3)
INFINITE = 1 << 14
GENERATIONS = (1 << 15) - 1

_CARD_WORTH = [25 if card == 32 else (20, 10, 8, 1)[cards.CLASS[card]] for card in range(cards.CARDS)]
# Worth of a set of cards of one month, at 16 * month + set.
WORTH = np.array(
    [
        sum(_CARD_WORTH[4 * month + k] for k in range(4) if subset >> k & 1)
        for month in range(12)
        for subset in range(16)
    ],
    np.int64,
)
TWINS_BELOW = np.array([cards.twins_of(card) & ((1 << card) - 1) for card in range(cards.CARDS)], np.int64)
_SWAP_PAIRS = cards.mask(card for card in range(45) if (cards.twins_of(card) >> (card + 1)) & 1) | 1 << 45
_SWAP_SECOND = 1 << 46
_SWAP_THIRD = 1 << 45


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


# --- moves ------------------------------------------------------------------------------------------------


@inline_kernel
def _is_merged(taken: int, matching: int, choose_three: int) -> bool:
    """Whether taking this one card is the same as taking a lower twin."""
    return taken & PLAINS != 0 and (taken - 1) & matching & PLAINS != 0


@inline_kernel
def _all_at_once(matching: int, choose_three: int) -> bool:
    """No choice: nothing or one card matches, or three do and are taken together."""
    rest = matching & (matching - 1)
    return bool(rest == 0 or ((rest & (rest - 1)) != 0 and choose_three == 0))


@kernel
def _add_move(
    row: Any, moves: Any, turn: int, hand: int, field: int, pile: int, order: int, rules: Any
) -> None:
    """Append what follows from a finished turn: the end of the round, the next turn, or stop and call."""
    count = row[COUNT]
    points_now = row[BEFORE]
    fresh = False
    if pile != row[PILE]:
        points_now = points(pile, rules)
        fresh = is_new(row[BEFORE], row[NAMES_BEFORE], pile, points_now, rules)
    move = moves[count]
    move[NEW_FIELD] = field
    move[NEW_PILE] = pile
    move[NEW_HAND] = hand
    move[ORDER] = order
    move[KIND] = GO_ON
    row[COUNT] = count + 1
    if fresh:
        move[KIND] = STOP
        move[VALUE] = round_score(pile, points_now, row[CALLS], row[OTHER_CALLS], rules)
        move[ORDER] = 100000 + move[VALUE]
        if may_call(hand, row[CALLS], row[OTHER_CALLS], rules):
            call = moves[count + 1]
            call[NEW_FIELD] = field
            call[NEW_PILE] = pile
            call[NEW_HAND] = hand
            call[ORDER] = 50000 + move[VALUE]
            call[KIND] = CALL
            row[COUNT] = count + 2
    elif turn == TURNS:  # the mover is the second seat: the dealer's pile is the other one
        move[KIND] = STOP
        move[VALUE] = -exhausted_score(row[OTHER_PILE], pile, row[OTHER_CALLS], row[CALLS], rules)


@kernel
def _add_card(row: Any, moves: Any, turn: int, card: int, only_taken: int, drawn: int, rules: Any) -> None:
    """Append every way to play one hand card and to match the stock card."""
    choose = rules["match_three"]
    hand = row[HAND] & ~(1 << card)
    matching = row[FIELD] & month_of(card)
    left = matching
    while True:
        taken = left if _all_at_once(matching, choose) else left & -left
        left &= ~taken
        if (only_taken < 0 and not (taken != matching and _is_merged(taken, matching, choose))) or (
            taken == only_taken
        ):
            field = field_after(row[FIELD], card, taken)
            pile = pile_after(row[PILE], card, taken)
            worth = -WORTH[4 * (card & -4) + (1 << (card & 3))]
            if taken != 0:
                worth = WORTH[4 * (card & -4) + (((taken | 1 << card) >> (card & -4)) & 15)]
            _add_drawn(row, moves, turn, hand, field, pile, worth, drawn, rules)
        if left == 0:
            return


@kernel
def _add_drawn(
    row: Any, moves: Any, turn: int, hand: int, field: int, pile: int, worth: int, drawn: int, rules: Any
) -> None:
    """Append every way to match the stock card."""
    choose = rules["match_three"]
    matching = field & month_of(drawn)
    left = matching
    while True:
        taken = left if _all_at_once(matching, choose) else left & -left
        left &= ~taken
        if not (taken != matching and _is_merged(taken, matching, choose)):
            order = worth
            if taken != 0:
                order += WORTH[4 * (drawn & -4) + (((taken | 1 << drawn) >> (drawn & -4)) & 15)]
            _add_move(
                row,
                moves,
                turn,
                hand,
                field_after(field, drawn, taken),
                pile_after(pile, drawn, taken),
                order,
                rules,
            )
        if left == 0:
            return


@kernel
def fill_moves(
    row: Any, moves: Any, turn: int, only_card: int, only_taken: int, held: Any, draws: Any, rules: Any
) -> None:
    """All moves of a turn, equal plains merged; ``only_card >= 0`` keeps one hand card, taking one set."""
    row[COUNT] = 0
    row[AT] = 0
    row[BEFORE] = 0
    row[NAMES_BEFORE] = 0
    if row[CALLS] > 0 or rules["new_yaku"] == 1 or rules["rain_viewing"] == 1:
        row[BEFORE] = points(row[PILE], rules)
        row[NAMES_BEFORE] = names(row[PILE], rules)
    if only_card >= 0:
        _add_card(row, moves, turn, only_card, only_taken, draws[turn], rules)
        return
    seat = 1 - turn % 2
    for k in range(8):
        card = held[seat, k]
        if card >= 0 and (row[HAND] >> card) & 1 and row[HAND] & TWINS_BELOW[card] == 0:
            _add_card(row, moves, turn, card, -1, draws[turn], rules)


# --- bounds -----------------------------------------------------------------------------------------------


@inline_kernel
def _most(pile: int, reach: int, other_called: int, rules: Any) -> int:
    """A round score that the owner of ``pile`` cannot beat, from the points of everything in reach."""
    highest = points(pile | reach, rules)
    if highest == points(pile, rules):
        return 0
    doubled = rules["double_at"] > 0 and highest >= rules["double_at"]
    score = 2 * highest if doubled else highest
    if other_called != 0 and rules["double_after_call"] == 1:
        if not (doubled and rules["double_combine"] == 1):
            score *= 2
    return score


@inline_kernel
def _narrow(row: Any, turn: int, rules: Any, future: Any) -> None:
    """Cut the window to what the two players can still reach."""
    reach = row[FIELD] | row[HAND] | row[OTHER_HAND] | future[turn]
    open_call = row[CALLS] + row[OTHER_CALLS] == 0 or rules["koikoi_limit"] == 1
    mine = _most(row[PILE], reach, open_call or row[OTHER_CALLS] > 0, rules)
    theirs = _most(row[OTHER_PILE], reach, open_call or row[CALLS] > 0, rules)
    row[ALPHA] = max(row[ALPHA], -theirs)
    row[BETA] = min(row[BETA], mine)


# --- search -----------------------------------------------------------------------------------------------


@inline_kernel
def _probe(row: Any, turn: int, table: Any, control: Any) -> bool:
    """Set the row's key; narrow its window by the table. True: the table settles the node (in BEST)."""
    second_seat = turn % 2 == 0
    other_pile = row[PILE] if second_seat else row[OTHER_PILE]
    captured, owned = state_key(row[PILE] | row[OTHER_PILE], other_pile | row[HAND] | row[OTHER_HAND])
    calls, other_calls = row[CALLS], row[OTHER_CALLS]
    if second_seat:
        calls, other_calls = other_calls, calls
    row[KEY_0] = captured | (calls << 48) | (other_calls << 52)
    row[KEY_1] = owned | (control[GENERATION] << 48)
    slot = _slot(row[KEY_0], row[KEY_1], control[SLOTS])
    for k in range(2):
        entry = table[slot + k]
        if entry[0] == row[KEY_0] and entry[1] == row[KEY_1]:
            value = (entry[2] >> 8) - INFINITE
            bound = entry[2] & 3
            if bound != UPPER:
                row[ALPHA] = max(row[ALPHA], value)
            if bound != LOWER:
                row[BETA] = min(row[BETA], value)
            if row[ALPHA] >= row[BETA]:
                row[BEST] = value
                return True
    return False


@inline_kernel
def _store(row: Any, turn: int, table: Any, control: Any) -> None:
    slot = _slot(row[KEY_0], row[KEY_1], control[SLOTS])
    entry = table[slot]
    same = entry[0] == row[KEY_0] and entry[1] == row[KEY_1]
    old = (entry[1] >> 48) != control[GENERATION]
    if not same and not old and ((entry[2] >> 2) & 63) < turn:
        entry = table[slot + 1]
    best = row[BEST]
    bound = UPPER if best <= row[ALPHA_START] else LOWER if best >= row[BETA] else EXACT
    entry[0] = row[KEY_0]
    entry[1] = row[KEY_1]
    entry[2] = ((best + INFINITE) << 8) | (turn << 2) | bound


@inline_kernel
def _raise_best(row: Any, value: int) -> None:
    row[BEST] = max(row[BEST], value)
    row[ALPHA] = max(row[ALPHA], value)
    if row[ALPHA] >= row[BETA]:
        row[AT] = row[COUNT]


@inline_kernel
def _next_move(row: Any, moves: Any) -> int:
    """Bring the best move that is left to the front and return its index."""
    at = row[AT]
    best = at
    for k in range(at + 1, row[COUNT]):
        if moves[k, ORDER] > moves[best, ORDER]:
            best = k
    if best != at:
        for column in range(MOVE_COLUMNS):
            moves[at, column], moves[best, column] = moves[best, column], moves[at, column]
    row[AT] = at + 1
    return at


@inline_kernel
def _open(
    row: Any, moves: Any, turn: int, table: Any, control: Any, held: Any, draws: Any, rules: Any
) -> bool:
    """Begin a node. False: it is settled already, its value is in BEST."""
    row[BEST] = -INFINITE
    if control[BOUNDS] != 0:
        _narrow(row, turn, rules, draws[TURNS + 1 :])
        if row[ALPHA] >= row[BETA]:
            row[BEST] = row[ALPHA] if row[ALPHA] > row[ALPHA_START] else row[BETA]
            return False
    if turn <= control[TABLE_LAST] and _probe(row, turn, table, control):
        return False
    row[ALPHA_START] = row[ALPHA]
    fill_moves(row, moves, turn, -1, -1, held, draws, rules)
    return True


@kernel
def search(
    rows: Any, moves: Any, table: Any, control: Any, held: Any, draws: Any, rules: Any, budget: int
) -> bool:
    """Go on with a search that ``start`` began, for at most ``budget`` nodes. True: done, value in RESULT."""
    depth = control[DEPTH]
    limit = control[NODES] + budget
    while depth >= 0:
        row = rows[depth]
        turn = control[FIRST_TURN] + depth
        if row[AT] < row[COUNT]:
            move = moves[depth, _next_move(row, moves[depth])]
            if move[KIND] == STOP:
                _raise_best(row, move[VALUE])
                continue
            child = rows[depth + 1]
            child[HAND] = row[OTHER_HAND]
            child[OTHER_HAND] = move[NEW_HAND]
            child[FIELD] = move[NEW_FIELD]
            child[PILE] = row[OTHER_PILE]
            child[OTHER_PILE] = move[NEW_PILE]
            child[CALLS] = row[OTHER_CALLS]
            child[OTHER_CALLS] = row[CALLS] + (move[KIND] == CALL)
            child[ALPHA] = -row[BETA]
            child[BETA] = -row[ALPHA]
            child[ALPHA_START] = child[ALPHA]
            control[NODES] += 1
            if _open(child, moves[depth + 1], turn + 1, table, control, held, draws, rules):
                depth += 1
            else:
                _raise_best(row, -child[BEST])
            continue
        if depth > 0 and turn <= control[TABLE_LAST]:
            _store(row, turn, table, control)
        depth -= 1
        if depth >= 0:
            _raise_best(rows[depth], -row[BEST])
        if control[NODES] >= limit:
            break
    control[DEPTH] = depth
    control[RESULT] = rows[0, BEST]
    return bool(depth < 0)


@kernel
def set_deal(game: Any, control: Any, held: Any, draws: Any, rules: Any) -> None:
    """Prepare the search for a new deal: the GAME's hands and known stock. A new generation of the table."""
    dealer = game["dealer"]
    for seat in range(2):
        hand = game["hands"][dealer if seat == 0 else 1 - dealer]
        count = 0
        for card in range(48):
            if (hand >> card) & 1:
                held[seat, count] = card
                count += 1
        for k in range(count, 8):
            held[seat, k] = -1
    future = 0
    draws[TURNS + 1 + TURNS + 1] = 0
    for turn in range(TURNS, 0, -1):
        card = game["stock"][turn - 1]
        draws[turn] = card
        if card >= 0:
            future |= 1 << card
        draws[TURNS + 1 + turn] = future
    plain_sum = (
        rules["rain_viewing"] + rules["own_calls"] + rules["exhausted_call"] + rules["exhausted_dealer"]
    )
    control[BOUNDS] = 1 if plain_sum == 0 else 0
    control[GENERATION] = control[GENERATION] % GENERATIONS + 1


@kernel
def start(
    game: Any,
    card: int,
    taken: int,
    alpha: int,
    beta: int,
    rows: Any,
    moves: Any,
    control: Any,
    held: Any,
    draws: Any,
    rules: Any,
) -> None:
    """Begin a search from a GAME after ``set_deal``, in a window. ``taken`` < 0: all options of the mover.

    Otherwise only one: in phase play ``card`` taking ``taken``, in phase draw the drawn card taking ``taken``, in
    phase decide 1 for calling and 0 for stopping.
    """
    row = rows[0]
    mover = game["mover"]
    other = 1 - mover
    turn = game["turn"]
    row[HAND], row[OTHER_HAND] = game["hands"][mover], game["hands"][other]
    row[FIELD] = game["field"]
    row[PILE], row[OTHER_PILE] = game["piles"][mover], game["piles"][other]
    row[CALLS], row[OTHER_CALLS] = game["calls"][mover], game["calls"][other]
    row[ALPHA], row[BETA], row[BEST], row[ALPHA_START] = alpha, beta, -INFINITE, alpha
    control[DEPTH] = 0
    control[FIRST_TURN] = turn
    if game["phase"] == PLAY:
        fill_moves(row, moves[0], turn, card if taken >= 0 else -1, taken, held, draws, rules)
        return
    row[COUNT] = 0
    row[AT] = 0
    row[BEFORE], row[NAMES_BEFORE] = game["before"], game["names_before"]
    if game["phase"] == DRAW:
        _start_drawn(row, moves[0], game, taken, rules)
    else:
        _start_decision(row, moves[0], game, taken, rules)


@kernel
def _start_drawn(row: Any, moves: Any, game: Any, taken: int, rules: Any) -> None:
    drawn, turn, pile = game["drawn"], game["turn"], row[PILE]
    row[PILE] = -1  # the hand card may have made the yaku: look at the points in any case
    for k in range(take_count(row[FIELD], drawn, rules)):
        option = take_option(row[FIELD], drawn, k, rules)
        if taken < 0 or option == taken:
            field = field_after(row[FIELD], drawn, option)
            after = pile_after(pile, drawn, option)
            _add_move(row, moves, turn, row[HAND], field, after, 0, rules)
    row[PILE] = pile


@kernel
def _start_decision(row: Any, moves: Any, game: Any, taken: int, rules: Any) -> None:
    row[COUNT] = 2
    for k in range(2):
        moves[k, NEW_FIELD], moves[k, NEW_PILE], moves[k, NEW_HAND] = row[FIELD], row[PILE], row[HAND]
        moves[k, ORDER] = 0
    pile = row[PILE]
    moves[0, KIND] = STOP
    moves[0, VALUE] = round_score(pile, points(pile, rules), row[CALLS], row[OTHER_CALLS], rules)
    moves[1, KIND] = CALL
    if taken == 1:
        row[AT] = 1
    elif taken == 0:
        row[COUNT] = 1


@kernel
def option_values(
    game: Any,
    options: Any,
    values: Any,
    rows: Any,
    moves: Any,
    table: Any,
    control: Any,
    held: Any,
    draws: Any,
    rules: Any,
) -> None:
    """Exact open-card value, for the mover, of each of his options (card, taken) in this world (one deal)."""
    set_deal(game, control, held, draws, rules)
    for k in range(options.shape[0]):
        card, taken = options[k, 0], options[k, 1]
        start(game, card, taken, -INFINITE, INFINITE, rows, moves, control, held, draws, rules)
        while not search(rows, moves, table, control, held, draws, rules, 1 << 40):
            pass
        values[k] = control[RESULT]
