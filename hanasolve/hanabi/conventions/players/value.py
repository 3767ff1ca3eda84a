"""``value`` (O'Dwyer, Quuxplusone/Hanabi, ValueBot): ``simple`` that also saves last copies with number
clues.

Public notes by order: those of ``simple`` and card[3] valuable (last copy), card[4] worthless. What ``holmes``
does in the same way has a flag ``infers``: he knows what each card can be (mask[0]) and lets clues touch cards
whose notes say enough.
"""

from __future__ import annotations

from typing import Any

from hanasolve.hanabi.conventions.players.simple import (
    COLOR,
    PLAYABLE,
    RANK,
    color_counter,
    drop_play_marks,
    first_clue,
    first_lowest_playable,
    is_reclaim,
    largest,
    rank_counter,
)
from hanasolve.hanabi.conventions.tools.building_blocks import (
    card_at,
    clue_rank,
    discard_card,
    hand_size,
    has,
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
from hanasolve.hanabi.game.rules import CLUE_COLOR, CLUE_RANK, PLAY
from hanasolve.hanabi.game.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
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
def could_be_valuable(view: Any, memory: Any, order: int, rank: int, infers: bool) -> bool:
    """Whether a card of this rank could be a last copy that is not yet placed; ``infers``: this very card."""
    for suit in range(view["suits"]):
        identity = suit * 5 + rank - 1
        if view["stacks"][suit] < rank and is_last_copy(view, identity):
            if not infers or has(memory["mask"][0, order], identity):
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
def best_clue_to(view: Any, memory: Any, seat: int, at_least: int, infers: bool) -> tuple[int, int]:
    """(count, clue) of the best clue to one player that marks more than ``at_least`` cards, else (.., -1).

    It touches no unplayable card that would be taken for playable: a colour one of unknown rank, a number any,
    or with ``infers`` one of unknown colour, and worthless cards may be touched.
    """
    card = memory["card"]
    fresh, bad = 0, 0
    for i in range(hand_size(view, seat)):
        identity, order = card_at(view, seat, i), order_at(view, seat, i)
        suit = identity // 5
        color_at, rank_at = color_counter(suit), rank_counter(identity - 5 * suit + 1)
        if is_playable(view, identity):
            if not card[PLAYABLE, order]:
                fresh += color_at | rank_at
        elif not (infers and card[WORTHLESS, order]):
            if card[RANK, order] == 0:
                bad |= color_at
            if not infers or card[COLOR, order] == 0:
                bad |= rank_at
    index = discard_index(view, memory, seat)
    if index >= 0:
        rank = card_at(view, seat, index) % 5 + 1
        if could_be_valuable(view, memory, order_at(view, seat, index), rank, infers):
            bad |= rank_counter(rank)
    count, having = largest(fresh & ~(15 * bad))
    return (count, first_clue(seat, having)) if count > at_least else (at_least, -1)


@kernel
def warning(view: Any, memory: Any, infers: bool) -> int:
    """A clue to the next player if he would discard a last copy: the best one, else that card's number;
    -1."""
    seat = seat_after(view, view["seat"], 1)
    index = discard_index(view, memory, seat)
    if index < 0:
        return -1
    identity = card_at(view, seat, index)
    if is_placed(view, identity) or not is_last_copy(view, identity):
        return -1
    clue = best_clue_to(view, memory, seat, 0, infers)[1]
    return clue if clue >= 0 else clue_rank(seat, identity % 5 + 1)


@kernel
def warn_play_clue(view: Any, memory: Any, infers: bool) -> int:
    """Warn, play the lowest marked card, give the best clue; -1 if there is none of these."""
    if view["clues"] > 0:
        clue = warning(view, memory, infers)
        if clue >= 0:
            return clue
    index = first_lowest_playable(view, memory)
    if index >= 0:
        return play_card(index)
    best, most = -1, 0
    if view["clues"] > 0:
        for step in range(1, view["players"]):
            seat = seat_after(view, view["seat"], step)
            most, clue = best_clue_to(view, memory, seat, most, infers)
            best = clue if clue >= 0 else best
    return best


@kernel
def reclaim_or_discard(view: Any, memory: Any) -> int:
    """At full tokens the reclaim clue, else a discard."""
    if view["clues"] >= view["clues_max"]:
        return oldest_number(view, seat_after(view, view["seat"], view["players"] - 1))
    return discard_card(discard_choice(view, memory))


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
    code = warn_play_clue(view, memory, False)
    return code if code >= 0 else reclaim_or_discard(view, memory)


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
def read_warning(view: Any, memory: Any, event: Any, infers: bool) -> bool:
    """Whether a number warns: it touches the card about to be discarded, which could be a last copy. It then is."""
    card, seat, rank = memory["card"], event["target"], event["value"]
    index = discard_index(view, memory, seat)
    if index < 0 or not is_touched(event, index):
        return False
    order = order_at(view, seat, index)
    if not could_be_valuable(view, memory, order, rank, infers):
        return False
    card[VALUABLE, order] = 1
    if rank == lowest_open_rank(view):
        card[PLAYABLE, order] = 1
    return True


@kernel
def read_number(view: Any, memory: Any, event: Any) -> None:
    """All touched cards have this rank; without a warning they are playable."""
    card, seat = memory["card"], event["target"]
    warned = read_warning(view, memory, event, False)
    for i in range(hand_size(view, seat)):
        if is_touched(event, i):
            order = order_at(view, seat, i)
            card[RANK, order] = event["value"]
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
            drop_play_marks(view, memory, event["identity"], -1)
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
