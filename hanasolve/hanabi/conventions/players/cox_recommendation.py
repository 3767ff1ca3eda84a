"""``cox-recommendation`` (Cox, De Silva, DeOrsey, Kenter, Retter, Tobin 2015): a clue recommends an action
to all.

Each of the four others has a recommended action 0 to 7 that depends on his hand alone; a clue names their sum
modulo 8 by its receiver and kind, so everybody finds his own by subtraction. Five players, four cards.

Public notes: notes[seat] = 1 + recommendation, 0 = none; notes[10] = cards placed since the last clue.
"""

from __future__ import annotations

from typing import Any

from hanasolve.hanabi.conventions.tools.building_blocks import (
    card_at,
    clue_color,
    clue_rank,
    discard_card,
    hand_size,
    is_placed,
    is_playable,
    play_card,
    seat_after,
)
from hanasolve.hanabi.game.rules import CLUE_COLOR, CLUE_RANK, PLAY
from hanasolve.hanabi.game.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
from hanasolve.jit import kernel, kernel_of

PLAYED = 10


@kernel
def recommendation(view: Any, seat: int) -> int:
    """0 to 3: play that index; 4 to 7: discard index 0 to 3.

    A playable card (the last 5, else lowest rank, then suit), else a placed one (highest rank, then suit),
    else one below 5 without a discarded copy (the same), else the newest.
    """
    best, value, kind = 3, 0, 0
    for i in range(hand_size(view, seat)):
        identity = card_at(view, seat, i)
        rank, suit = identity % 5, identity // 5
        if is_playable(view, identity):
            score = 1000 + i if rank == 4 else 500 - 10 * rank - suit
            if kind < 3 or score > value:
                best, value, kind = i, score, 3
            continue
        score, sort = 10 * rank + suit, 0
        if is_placed(view, identity):
            sort = 2
        elif rank < 4 and view["discarded"][identity] == 0:
            sort = 1
        if sort > kind or (sort == kind and sort > 0 and score > value):
            best, value, kind = i, score, sort
    return best if kind == 3 else 4 + best


@kernel
def sum_of_others(view: Any, giver: int, me: int) -> int:
    """Sum of the recommendations to all but the giver and me."""
    total = 0
    for seat in range(view["players"]):
        if seat != giver and seat != me:
            total += recommendation(view, seat)
    return total


@kernel
def named_sum(view: Any, event: Any) -> int:
    """The sum modulo 8 that a clue names: receivers in turn order, numbers before colours."""
    steps = event["target"] - event["actor"]
    if steps < 0:
        steps += view["players"]
    return int(steps - 1 + (4 if event["kind"] == CLUE_COLOR else 0))


@kernel_of(DECIDE_SIGNATURE)
def decide(view: Any, memory: Any) -> int:
    """Follow a recommended play while it is fresh, clue, follow a recommended discard, discard the newest."""
    seat = view["seat"]
    advice, played = memory["notes"][seat] - 1, memory["notes"][PLAYED]
    newest = hand_size(view, seat) - 1
    if 0 <= advice <= 3 and (played == 0 or (played == 1 and view["strikes"] <= view["strikes_max"] - 2)):
        return play_card(min(advice, newest))
    if view["clues"] > 0:
        total = sum_of_others(view, seat, seat) % 8
        target = seat_after(view, seat, 1 + total % 4)
        shown = card_at(view, target, 0)
        return clue_rank(target, shown % 5 + 1) if total < 4 else clue_color(target, shown // 5)
    if advice >= 4:
        return discard_card(min(advice - 4, newest))
    return discard_card(newest)


@kernel_of(UPDATE_SIGNATURE)
def update(view: Any, memory: Any, event: Any) -> int:
    """A clue renews all recommendations but the giver's; placed cards are counted."""
    kind, notes = event["kind"], memory["notes"]
    if kind == PLAY:
        notes[PLAYED] += event["scored"]
    elif kind == CLUE_COLOR or kind == CLUE_RANK:
        giver, me = event["actor"], view["seat"]
        for seat in range(view["players"]):
            if seat != giver and seat != me:
                notes[seat] = 1 + recommendation(view, seat)
        if me != giver:
            notes[me] = 1 + (named_sum(view, event) - sum_of_others(view, giver, me)) % 8
        notes[giver], notes[PLAYED] = 0, 0
    return 0
