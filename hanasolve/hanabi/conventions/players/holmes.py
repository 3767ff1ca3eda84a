"""``holmes`` (O'Dwyer, Quuxplusone/Hanabi, HolmesBot): ``value`` with negative information and elimination.

Public notes by order: mask[0] possible identities; card[2] playable, card[3] valuable, card[4] worthless;
card[0] and card[1] repeat colour + 1 and rank where the mask leaves one.
"""

from __future__ import annotations

from typing import Any

from hanasolve.hanabi.conventions.players.simple import COLOR, PLAYABLE, RANK, is_reclaim
from hanasolve.hanabi.conventions.players.value import (
    VALUABLE,
    WORTHLESS,
    read_warning,
    reclaim_or_discard,
    warn_play_clue,
)
from hanasolve.hanabi.conventions.tools.building_blocks import (
    deck_left,
    hand_size,
    has,
    is_last_copy,
    is_touched,
    last_copy_set,
    order_at,
    placed_set,
    play_card,
    playable_set,
    stack,
)
from hanasolve.hanabi.conventions.tools.elimination import (
    POSSIBLE,
    color_set,
    exhausted_set,
    forget_all,
    is_single,
    known_color,
    known_rank,
    mark_clue,
    rank_set,
)
from hanasolve.hanabi.game.rules import CLUE_COLOR, CLUE_RANK, PLAY
from hanasolve.hanabi.game.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
from hanasolve.jit import kernel, kernel_of


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
    code = warn_play_clue(view, memory, True)
    if code < 0 and deck_left(view) <= 1:
        index = mystery_card(view, memory)
        if index >= 0:
            return play_card(index)
    return code if code >= 0 else reclaim_or_discard(view, memory)


@kernel
def read_color(view: Any, memory: Any, event: Any) -> None:
    """The facts; touched cards of unknown rank that are not worthless have the next rank."""
    suit, seat = event["value"], event["target"]
    mark_clue(view, memory, event, color_set(suit))
    for i in range(hand_size(view, seat)):
        order = order_at(view, seat, i)
        card = memory["card"]
        if is_touched(event, i) and not card[WORTHLESS, order] and card[RANK, order] == 0:
            mask = memory["mask"][POSSIBLE, order]
            if stack(view, suit) < 5 and has(mask, suit * 5 + stack(view, suit)):
                memory["mask"][POSSIBLE, order] = mask & rank_set(view, stack(view, suit) + 1)


@kernel
def read_number(view: Any, memory: Any, event: Any) -> None:
    """As ``value.read_number``; without a warning only cards of unknown colour become playable."""
    card, seat = memory["card"], event["target"]
    warned = read_warning(view, memory, event, True)
    mark_clue(view, memory, event, rank_set(view, event["value"]))
    for i in range(hand_size(view, seat)):
        order = order_at(view, seat, i)
        if is_touched(event, i) and not warned and not card[WORTHLESS, order] and card[COLOR, order] == 0:
            card[PLAYABLE, order] = 1


@kernel
def drop_play_marks(view: Any, memory: Any, identity: int) -> None:
    """A card was placed: playable marks that could have meant it are lost, but for valuable cards."""
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            order = order_at(view, seat, i)
            if has(memory["mask"][POSSIBLE, order], identity) and not memory["card"][VALUABLE, order]:
                memory["card"][PLAYABLE, order] = 0


@kernel
def conclude_card(memory: Any, order: int, gone: Any, placed: Any, playable: Any, valuable: Any) -> None:
    """Exclude what is exhausted or contradicts the marks; then mark what holds whatever the card is."""
    card, mask = memory["card"], memory["mask"][POSSIBLE, order]
    if not is_single(mask):
        keep = ~gone
        if card[WORTHLESS, order]:
            keep &= placed
        if card[VALUABLE, order]:
            keep &= valuable
        if card[PLAYABLE, order]:
            keep &= playable
        if (mask & keep) != 0:
            mask &= keep
            memory["mask"][POSSIBLE, order] = mask
    if card[WORTHLESS, order]:
        return
    if not card[PLAYABLE, order] and not card[VALUABLE, order] and (mask & ~placed) == 0:
        card[WORTHLESS, order] = 1
        return
    if (mask & ~valuable) == 0:
        card[VALUABLE, order] = 1
    if (mask & ~playable) == 0:
        card[PLAYABLE, order] = 1


@kernel
def conclude(view: Any, memory: Any) -> None:
    """``conclude_card`` for all cards until no identified card is added; then note colours and ranks."""
    card = memory["card"]
    placed, playable = placed_set(view), playable_set(view)
    valuable = last_copy_set(view) & ~placed
    gone = exhausted_set(view, memory)
    again = True
    while again:
        for seat in range(view["players"]):
            for i in range(hand_size(view, seat)):
                conclude_card(memory, order_at(view, seat, i), gone, placed, playable, valuable)
        before = gone
        gone = exhausted_set(view, memory)
        again = bool(before != gone)
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            order = order_at(view, seat, i)
            mask = memory["mask"][POSSIBLE, order]
            card[COLOR, order], card[RANK, order] = known_color(mask), known_rank(mask)


@kernel_of(UPDATE_SIGNATURE)
def update(view: Any, memory: Any, event: Any) -> int:
    """Read the event, then conclude: the notes are those of the next move."""
    kind = event["kind"]
    if kind < 0:
        forget_all(view, memory)
    elif kind == PLAY and event["scored"]:
        if not is_last_copy(view, event["identity"]):
            drop_play_marks(view, memory, event["identity"])
    elif kind == CLUE_COLOR:
        read_color(view, memory, event)
    elif kind == CLUE_RANK and not is_reclaim(view, event):
        read_number(view, memory, event)
    conclude(view, memory)
    return 0
