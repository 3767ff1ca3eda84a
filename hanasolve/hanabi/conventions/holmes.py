"""``holmes`` (O'Dwyer, Quuxplusone/Hanabi, HolmesBot): ``value`` with negative information and elimination.

Public notes by order: mask[0] possible identities; card[2] playable, card[3] valuable, card[4] worthless;
card[0] and card[1] repeat colour + 1 and rank where the mask leaves one.
"""

from __future__ import annotations

from typing import Any

from hanasolve.hanabi.conventions.elimination import (
    POSSIBLE,
    color_set,
    eliminate,
    forget_all,
    is_single,
    known_color,
    known_rank,
    mark_clue,
    rank_set,
)
from hanasolve.hanabi.conventions.kit import (
    card_at,
    clue_color,
    clue_rank,
    deck_left,
    discard_card,
    hand_size,
    has,
    is_last_copy,
    is_placed,
    is_playable,
    is_touched,
    last_copy_set,
    oldest_number,
    order_at,
    placed_set,
    play_card,
    playable_set,
    seat_after,
    stack,
)
from hanasolve.hanabi.conventions.simple import COLOR, PLAYABLE, RANK, first_lowest_playable, is_reclaim
from hanasolve.hanabi.conventions.value import (
    VALUABLE,
    WORTHLESS,
    discard_choice,
    discard_index,
    lowest_open_rank,
    rank_could_be_valuable,
)
from hanasolve.hanabi.rules import CLUE_COLOR, CLUE_RANK, PLAY
from hanasolve.hanabi.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
from hanasolve.jit import kernel, kernel_of


@kernel
def best_clue_to(view: Any, memory: Any, seat: int, at_least: int) -> tuple[int, int]:
    """As ``value.best_clue_to``; worthless cards may be touched, numbers may touch cards of known colour."""
    card = memory["card"]
    fresh, bad = 0, 0
    for i in range(hand_size(view, seat)):
        identity, order = card_at(view, seat, i), order_at(view, seat, i)
        suit = identity // 5
        color_at, rank_at = 1 << (4 * suit), 1 << (32 + 4 * (identity - 5 * suit))
        if is_playable(view, identity):
            if not card[PLAYABLE, order]:
                fresh += color_at | rank_at
        elif not card[WORTHLESS, order]:
            if card[RANK, order] == 0:
                bad |= color_at
            if card[COLOR, order] == 0:
                bad |= rank_at
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
    """As ``value.warning``."""
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
def mystery_card(view: Any, memory: Any) -> int:
    """Newest own card that is neither worthless nor identified; -1."""
    seat = view["seat"]
    for i in range(hand_size(view, seat) - 1, -1, -1):
        order = order_at(view, seat, i)
        if not memory["card"][WORTHLESS, order] and not is_single(memory["mask"][POSSIBLE, order]):
            return i
    return -1


@kernel_of(DECIDE_SIGNATURE)
def decide(view: Any, memory: Any) -> int:
    """Warn, play, clue, at the end of the deck a mystery play, reclaim, discard."""
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
    if deck_left(view) <= 1:
        index = mystery_card(view, memory)
        if index >= 0:
            return play_card(index)
    if view["clues"] >= view["clues_max"]:
        return oldest_number(view, seat_after(view, view["seat"], view["players"] - 1))
    return discard_card(discard_choice(view, memory))


@kernel
def read_color(view: Any, memory: Any, event: Any) -> None:
    """The facts; touched cards of unknown rank that are not worthless have the next rank."""
    suit, seat = event["value"], event["target"]
    mark_clue(view, memory, event, color_set(suit))
    if stack(view, suit) == 5:
        return
    for i in range(hand_size(view, seat)):
        order = order_at(view, seat, i)
        if is_touched(event, i) and not memory["card"][WORTHLESS, order]:
            mask = memory["mask"][POSSIBLE, order]
            next_card = suit * 5 + stack(view, suit)
            if known_rank(mask) == 0 and has(mask, next_card):
                memory["mask"][POSSIBLE, order] = mask & rank_set(view, stack(view, suit) + 1)


@kernel
def read_number(view: Any, memory: Any, event: Any) -> None:
    """As ``value.read_number``; without a warning only cards of unknown colour become playable."""
    card, seat, rank = memory["card"], event["target"], event["value"]
    index = discard_index(view, memory, seat)
    warned = index >= 0 and is_touched(event, index) and rank_could_be_valuable(view, rank)
    mark_clue(view, memory, event, rank_set(view, rank))
    if warned:
        order = order_at(view, seat, index)
        card[VALUABLE, order] = 1
        if rank == lowest_open_rank(view):
            card[PLAYABLE, order] = 1
        return
    for i in range(hand_size(view, seat)):
        order = order_at(view, seat, i)
        if is_touched(event, i) and not card[WORTHLESS, order]:
            if known_color(memory["mask"][POSSIBLE, order]) == 0:
                card[PLAYABLE, order] = 1


@kernel
def wipe(view: Any, memory: Any, identity: int) -> None:
    """A card was placed: playable marks that could have meant it are lost, but for 5s and valuable cards."""
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            order = order_at(view, seat, i)
            mask = memory["mask"][POSSIBLE, order]
            if has(mask, identity) and not memory["card"][VALUABLE, order] and known_rank(mask) != 5:
                memory["card"][PLAYABLE, order] = 0


@kernel
def conclude(view: Any, memory: Any) -> None:
    """Eliminate, then mark what is worthless, valuable or playable whatever it is."""
    eliminate(view, memory)
    card = memory["card"]
    placed, playable, last = placed_set(view), playable_set(view), last_copy_set(view)
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            order = order_at(view, seat, i)
            mask = memory["mask"][POSSIBLE, order]
            card[COLOR, order], card[RANK, order] = known_color(mask), known_rank(mask)
            if (mask & ~placed) == 0:
                card[WORTHLESS, order] = 1
            if (mask & ~(last & ~placed)) == 0:
                card[VALUABLE, order] = 1
            if (mask & ~playable) == 0:
                card[PLAYABLE, order] = 1


@kernel_of(UPDATE_SIGNATURE)
def update(view: Any, memory: Any, event: Any) -> int:
    """Read the event, then conclude: the notes are those of the next move."""
    kind = event["kind"]
    if kind < 0:
        forget_all(view, memory)
    elif kind == PLAY and event["scored"]:
        if not is_last_copy(view, event["identity"]):
            wipe(view, memory, event["identity"])
    elif kind == CLUE_COLOR:
        read_color(view, memory, event)
    elif kind == CLUE_RANK and not is_reclaim(view, event):
        read_number(view, memory, event)
    conclude(view, memory)
    return 0
