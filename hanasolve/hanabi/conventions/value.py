"""``value`` (O'Dwyer, Quuxplusone/Hanabi, ValueBot): ``simple`` that also saves last copies with number
clues.

Public notes by order: those of ``simple`` and card[3] valuable (last copy), card[4] worthless.
"""

from __future__ import annotations

from typing import Any

from hanasolve.hanabi.conventions.kit import (
    card_at,
    clue_color,
    clue_rank,
    discard_card,
    hand_size,
    is_last_copy,
    is_placed,
    is_playable,
    is_touched,
    oldest_number,
    order_at,
    play_card,
    seat_after,
    stack,
)
from hanasolve.hanabi.conventions.simple import (
    COLOR,
    PLAYABLE,
    RANK,
    first_lowest_playable,
    is_reclaim,
    wipe,
)
from hanasolve.hanabi.rules import CLUE_COLOR, CLUE_RANK, PLAY
from hanasolve.hanabi.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
from hanasolve.jit import kernel, kernel_of

VALUABLE, WORTHLESS = 3, 4


@kernel
def discard_index(view: Any, memory: Any, seat: int) -> int:
    """The card a player would discard, publicly: none (-1) if he has a playable or worthless card."""
    card = memory["card"]
    first = -1
    for i in range(hand_size(view, seat)):
        order = order_at(view, seat, i)
        if card[PLAYABLE, order] or card[WORTHLESS, order]:
            return -1
        if first < 0 and not card[VALUABLE, order]:
            first = i
    return first


@kernel
def rank_could_be_valuable(view: Any, rank: int) -> bool:
    """Whether some suit is down to its last copy of this rank, not yet placed."""
    for suit in range(view["suits"]):
        if view["stacks"][suit] < rank and is_last_copy(view, suit * 5 + rank - 1):
            return True
    return False


@kernel
def lowest_open_rank(view: Any) -> int:
    """L: the lowest rank that is not yet placed in every suit."""
    lowest = 5
    for suit in range(view["suits"]):
        lowest = min(lowest, stack(view, suit))
    return lowest + 1


@kernel
def best_clue_to(view: Any, memory: Any, seat: int, at_least: int) -> tuple[int, int]:
    """(count, clue) of the best clue to one player that marks more than ``at_least`` cards, else (.., -1).

    Counters are packed as in ``simple.best_clue``.
    """
    card = memory["card"]
    fresh, bad = 0, 0
    for i in range(hand_size(view, seat)):
        identity, order = card_at(view, seat, i), order_at(view, seat, i)
        suit = identity // 5
        color_at, rank_at = 1 << (4 * suit), 1 << (32 + 4 * (identity - 5 * suit))
        if is_playable(view, identity):
            if not card[PLAYABLE, order]:
                fresh += color_at | rank_at
        else:
            bad |= rank_at
            if card[RANK, order] == 0:
                bad |= color_at
    index = discard_index(view, memory, seat)
    if index >= 0:
        rank = card_at(view, seat, index) % 5 + 1
        if rank_could_be_valuable(view, rank):
            bad |= 1 << (28 + 4 * rank)
    best, most = -1, at_least
    for clue in range(13):
        count = (fresh >> (4 * clue)) & 15
        if count > most and (bad >> (4 * clue)) & 15 == 0:
            most = count
            best = clue_color(seat, clue) if clue < 8 else clue_rank(seat, clue - 7)
    return most, best


@kernel
def warning(view: Any, memory: Any) -> int:
    """A clue to the next player if he would discard a last copy: the best one, else that card's number;
    -1."""
    seat = seat_after(view, view["seat"], 1)
    index = discard_index(view, memory, seat)
    if index < 0:
        return -1
    identity = card_at(view, seat, index)
    if is_placed(view, identity) or not is_last_copy(view, identity):
        return -1
    clue = best_clue_to(view, memory, seat, 0)[1]
    return clue if clue >= 0 else clue_rank(seat, identity % 5 + 1)


@kernel
def discard_choice(view: Any, memory: Any) -> int:
    """First worthless card, else first that is not valuable, else the highest known rank."""
    card, seat = memory["card"], view["seat"]
    for i in range(hand_size(view, seat)):
        if card[WORTHLESS, order_at(view, seat, i)]:
            return i
    best, highest = 0, -1
    for i in range(hand_size(view, seat)):
        order = order_at(view, seat, i)
        if not card[VALUABLE, order]:
            return i
        if card[RANK, order] > highest:
            best, highest = i, int(card[RANK, order])
    return best


@kernel_of(DECIDE_SIGNATURE)
def decide(view: Any, memory: Any) -> int:
    """Warn, play, clue, reclaim, discard."""
    if view["clues"] > 0:
        clue = warning(view, memory)
        if clue >= 0:
            return clue
    index = first_lowest_playable(view, memory)
    if index >= 0:
        return play_card(index)
    if view["clues"] > 0:
        best, most = -1, 0
        for step in range(1, view["players"]):
            count, clue = best_clue_to(view, memory, seat_after(view, view["seat"], step), most)
            if clue >= 0:
                best, most = clue, count
        if best >= 0:
            return best
    if view["clues"] >= view["clues_max"]:
        return oldest_number(view, seat_after(view, view["seat"], view["players"] - 1))
    return discard_card(discard_choice(view, memory))


@kernel
def read_color(view: Any, memory: Any, event: Any) -> None:
    """Touched: this colour, the next rank unless known; placed -> worthless, else playable, last copy."""
    card, suit = memory["card"], event["value"]
    for i in range(hand_size(view, event["target"])):
        if not is_touched(event, i):
            continue
        order = order_at(view, event["target"], i)
        card[COLOR, order] = suit + 1
        if card[RANK, order] == 0:
            card[RANK, order] = stack(view, suit) + 1
        rank = card[RANK, order]
        if rank <= stack(view, suit):
            card[WORTHLESS, order] = 1
        elif rank <= 5:
            if rank == stack(view, suit) + 1:
                card[PLAYABLE, order] = 1
            if is_last_copy(view, suit * 5 + rank - 1):
                card[VALUABLE, order] = 1


@kernel
def read_number(view: Any, memory: Any, event: Any) -> None:
    """A number on the card about to be discarded that could be a last copy warns; otherwise all are
    playable."""
    card, seat, rank = memory["card"], event["target"], event["value"]
    index = discard_index(view, memory, seat)
    warned = index >= 0 and is_touched(event, index) and rank_could_be_valuable(view, rank)
    if warned:
        order = order_at(view, seat, index)
        card[VALUABLE, order] = 1
        if rank == lowest_open_rank(view):
            card[PLAYABLE, order] = 1
    for i in range(hand_size(view, seat)):
        if is_touched(event, i):
            order = order_at(view, seat, i)
            card[RANK, order] = rank
            if not warned:
                card[PLAYABLE, order] = 1


@kernel
def finish_rank(view: Any, memory: Any, rank: int) -> None:
    """This rank is placed in every suit: cards known to have it are worthless."""
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            order = order_at(view, seat, i)
            if memory["card"][RANK, order] == rank:
                memory["card"][WORTHLESS, order] = 1


@kernel_of(UPDATE_SIGNATURE)
def update(view: Any, memory: Any, event: Any) -> int:
    """notes[0] keeps L, to see it rise."""
    kind = event["kind"]
    if kind == PLAY and event["scored"]:
        if not is_last_copy(view, event["identity"]):
            wipe(view, memory, event["identity"], -1)
        lowest = lowest_open_rank(view)
        if lowest > memory["notes"][0]:
            finish_rank(view, memory, lowest - 1)
            memory["notes"][0] = lowest
    elif kind == CLUE_COLOR:
        read_color(view, memory, event)
    elif kind == CLUE_RANK and not is_reclaim(view, event):
        read_number(view, memory, event)
    elif kind < 0:
        memory["notes"][0] = 1
    return 0
