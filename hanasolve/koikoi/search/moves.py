"""The moves of a node: a hand card, what it takes, what the stock card takes, and with a new yaku stop or koi-koi.

``rows[depth]`` is a node of the current line, ``moves[depth]`` its moves, the most promising first by ``ORDER``.
Equal plains are merged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.jit import inline_kernel, kernel
from hanasolve.koikoi.game import cards
from hanasolve.koikoi.game.cards import PLAINS
from hanasolve.koikoi.game.rules import TURNS, field_after, may_call, month_of, pile_after
from hanasolve.koikoi.game.scoring import exhausted_score, is_new, round_score
from hanasolve.koikoi.game.yaku import names, points

# Columns of rows.
HAND, OTHER_HAND, FIELD, PILE, OTHER_PILE, CALLS, OTHER_CALLS = range(7)
ALPHA, BETA, BEST, ALPHA_START, COUNT, AT, BEFORE, NAMES_BEFORE, KEY_0, KEY_1 = range(7, 17)
ROW_COLUMNS = 17
# Columns of moves.
ORDER, NEW_FIELD, NEW_PILE, NEW_HAND, VALUE, KIND = range(6)
MOVE_COLUMNS = 6
MOST_MOVES = 160
GO_ON, STOP, CALL = range(3)

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


@inline_kernel
def _is_merged(taken: int, matching: int) -> bool:
    """Whether taking this one card is the same as taking a lower twin."""
    return taken & PLAINS != 0 and (taken - 1) & matching & PLAINS != 0


@inline_kernel
def _all_at_once(matching: int, choose_three: int) -> bool:
    """No choice: nothing or one card matches, or three do and are taken together."""
    rest = matching & (matching - 1)
    return bool(rest == 0 or ((rest & (rest - 1)) != 0 and choose_three == 0))


@inline_kernel
def _add_move(
    rows: Any, moves: Any, d: int, turn: int, hand: int, field: int, pile: int, order: int, rules: Any
) -> None:
    """Append what follows from a finished turn: the end of the round, the next turn, or stop and call."""
    count = rows[d, COUNT]
    points_now = rows[d, BEFORE]
    fresh = False
    if pile != rows[d, PILE]:
        points_now = points(pile, rules)
        fresh = is_new(rows[d, BEFORE], rows[d, NAMES_BEFORE], pile, points_now, rules)
    moves[d, count, NEW_FIELD] = field
    moves[d, count, NEW_PILE] = pile
    moves[d, count, NEW_HAND] = hand
    moves[d, count, ORDER] = order
    moves[d, count, KIND] = GO_ON
    rows[d, COUNT] = count + 1
    if fresh:
        moves[d, count, KIND] = STOP
        moves[d, count, VALUE] = round_score(pile, points_now, rows[d, CALLS], rows[d, OTHER_CALLS], rules)
        moves[d, count, ORDER] = 100000 + moves[d, count, VALUE]
        if may_call(hand, rows[d, CALLS], rows[d, OTHER_CALLS], rules):
            moves[d, count + 1, NEW_FIELD] = field
            moves[d, count + 1, NEW_PILE] = pile
            moves[d, count + 1, NEW_HAND] = hand
            moves[d, count + 1, ORDER] = 50000 + moves[d, count, VALUE]
            moves[d, count + 1, KIND] = CALL
            rows[d, COUNT] = count + 2
    elif turn == TURNS:  # the mover is the second seat: the dealer's pile is the other one
        moves[d, count, KIND] = STOP
        moves[d, count, VALUE] = -exhausted_score(
            rows[d, OTHER_PILE], pile, rows[d, OTHER_CALLS], rows[d, CALLS], rules
        )


@inline_kernel
def _add_card(
    rows: Any, moves: Any, d: int, turn: int, card: int, only_taken: int, drawn: int, rules: Any
) -> None:
    """Append every way to play one hand card and to match the stock card."""
    choose = rules["match_three"]
    hand = rows[d, HAND] & ~(1 << card)
    matching = rows[d, FIELD] & month_of(card)
    left = matching
    while True:
        taken = left if _all_at_once(matching, choose) else left & -left
        left &= ~taken
        if (only_taken < 0 and not (taken != matching and _is_merged(taken, matching))) or (
            taken == only_taken
        ):
            field = field_after(rows[d, FIELD], card, taken)
            pile = pile_after(rows[d, PILE], card, taken)
            worth = -WORTH[4 * (card & -4) + (1 << (card & 3))]
            if taken != 0:
                worth = WORTH[4 * (card & -4) + (((taken | 1 << card) >> (card & -4)) & 15)]
            _add_drawn(rows, moves, d, turn, hand, field, pile, worth, drawn, rules)
        if left == 0:
            return


@inline_kernel
def _add_drawn(
    rows: Any,
    moves: Any,
    d: int,
    turn: int,
    hand: int,
    field: int,
    pile: int,
    worth: int,
    drawn: int,
    rules: Any,
) -> None:
    """Append every way to match the stock card."""
    choose = rules["match_three"]
    matching = field & month_of(drawn)
    left = matching
    while True:
        taken = left if _all_at_once(matching, choose) else left & -left
        left &= ~taken
        if not (taken != matching and _is_merged(taken, matching)):
            order = worth
            if taken != 0:
                order += WORTH[4 * (drawn & -4) + (((taken | 1 << drawn) >> (drawn & -4)) & 15)]
            new_field = field_after(field, drawn, taken)
            new_pile = pile_after(pile, drawn, taken)
            _add_move(rows, moves, d, turn, hand, new_field, new_pile, order, rules)
        if left == 0:
            return


@kernel
def fill_moves(
    rows: Any,
    moves: Any,
    d: int,
    turn: int,
    only_card: int,
    only_taken: int,
    held: Any,
    draws: Any,
    rules: Any,
) -> None:
    """All moves of a turn, equal plains merged; ``only_card >= 0`` keeps one hand card, taking one set."""
    rows[d, COUNT] = 0
    rows[d, AT] = 0
    rows[d, BEFORE] = 0
    rows[d, NAMES_BEFORE] = 0
    if rows[d, CALLS] > 0 or rules["new_yaku"] == 1 or rules["rain_viewing"] == 1:
        rows[d, BEFORE] = points(rows[d, PILE], rules)
        rows[d, NAMES_BEFORE] = names(rows[d, PILE], rules)
    seat = 1 - turn % 2
    for k in range(8):
        card = held[seat, k]
        if only_card >= 0:
            chosen = card == only_card
        else:
            chosen = card >= 0 and (rows[d, HAND] >> card) & 1 != 0 and rows[d, HAND] & TWINS_BELOW[card] == 0
        if chosen:
            _add_card(rows, moves, d, turn, card, only_taken, draws[turn], rules)
