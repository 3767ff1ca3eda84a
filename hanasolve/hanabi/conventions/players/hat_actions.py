"""What the clues of ``hat`` tell: the notes' layout, the standard action of a hand, the freely chosen action.

Actions are numbers: 0 clue, 1 to 4 play hand index 3 to 0, 5 to 8 discard hand index 3 to 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.tools.building_blocks import (
    ONE,
    bit,
    card_at,
    deck_left,
    hand_size,
    has,
    is_placed,
    is_playable,
    reach,
    seat_after,
    stack,
)
from hanasolve.jit import kernel

# notes[...]: single numbers
COUNT, MODIFIED, USELESS, PLAN, TOLD, BEFORE_COUNT = range(6)
# notes[...] by suit: heights that earlier clues promise, the same with the clue now read, at the modified turn
PROMISED, PROMISING, LATER = 8, 16, 24
# notes[...] by seat: standard action without a play (-1 none); hand index and card of a promised play (-1 none)
EXPECTED, DUE, DUE_CARD, FRESH, FRESH_CARD, LATER_CARD = 32, 56, 64, 72, 80, 88
# notes[...] in turn order: actions of those after the modified player (or me), of those before him
AFTER, BEFORE = 40, 48
# notes[...] by clue that is not yet resolved, oldest first; log[clue, 2 seat] = 1 + action since, then its card
VALUE, GIVER = 96, 104
DISCARDED = 0  # row of mask by clue: two bits an identity
CLUE = 0


@kernel
def is_play(action: int) -> bool:
    return 1 <= action <= 4


@kernel
def index_of(action: int) -> int:
    """The hand index of a play or discard."""
    return 4 - action if action <= 4 else 8 - action


@kernel
def between(seat: int, first: int, last: int) -> bool:
    """Whether a seat is in turn order from ``first`` to ``last``, both included."""
    if first <= last:
        return first <= seat <= last
    return seat >= first or seat <= last


@kernel
def discard_counts(view: Any) -> Any:
    """The discard pile, two bits an identity (no identity has more than three copies)."""
    packed = np.uint64(0)
    for identity in range(view["identities"]):
        packed |= np.uint64(view["discarded"][identity]) << np.uint64(2 * identity)
    return packed


@kernel
def safe_discard(notes: Any, cards: Any, size: int) -> int:
    """The oldest card that is promised already, else the first of a pair in the hand, else a clue."""
    for i in range(size):
        if notes[PROMISED + cards[i] // 5] > cards[i] % 5:
            return 8 - i
    for i in range(size):
        for j in range(size):
            if i != j and cards[i] == cards[j]:
                return 8 - i
    return CLUE


@kernel
def wants_to_play(
    view: Any, notes: Any, giver: int, seat: int, taken: Any, heights: int, promised: int, identity: int
) -> bool:
    """Whether a card follows on ``heights``, is nobody else's (``taken``), and its predecessor lies in time.

    ``heights`` and ``promised`` are places in the notes: stack heights by suit, promised cards by seat.
    """
    suit, rank = identity // 5, identity % 5
    if notes[heights + suit] != rank or has(taken, identity):
        return False
    if is_playable(view, identity):
        return True
    holder = -1
    for other in range(view["players"]):
        if rank > 0 and notes[promised + other] == identity - 1:
            holder = other
    return holder >= 0 and between(holder, giver, seat)


@kernel
def standard_action(view: Any, memory: Any, giver: int, seat: int, taken: Any, discarded: Any) -> int:
    """The action of a hand by itself: a promised play, the best play, a safe discard, a clue."""
    notes, cards = memory["notes"], memory["work"]
    if notes[DUE + seat] >= 0:
        return int(4 - notes[DUE + seat])
    best, best_value = -1, -1
    size = hand_size(view, seat)
    for i in range(size):
        identity = card_at(view, seat, i)
        cards[i] = identity
        if wants_to_play(view, notes, giver, seat, taken, PROMISED, DUE_CARD, identity):
            gone = int(np.int64((discarded >> np.uint64(2 * identity)) & np.uint64(3)))
            critical = gone + 1 == view["copies"][identity]
            value = 2 * (4 - identity % 5) + (1 if critical else 0)
            if value >= best_value:
                best, best_value = i, value
    return 4 - best if best >= 0 else safe_discard(notes, cards, size)


# --- the freely chosen action of the modified player, through the giver's eyes ---------------------------


@kernel
def look_ahead(view: Any, memory: Any) -> tuple[int, int, int, int]:
    """Tokens at the modified player's turn, the least and the last after the others' actions, their plays.

    LATER and LATER_CARD become the stacks then and the cards that the others play.
    """
    notes, me = memory["notes"], view["seat"]
    for suit in range(view["suits"]):
        notes[LATER + suit] = view["stacks"][suit]
    for seat in range(view["players"]):
        notes[LATER_CARD + seat] = -1
    tokens, plays = int(np.int64(view["clues"])) - 1, 0
    seat = seat_after(view, me, 1)
    for k in range(notes[BEFORE_COUNT]):
        tokens += play_later(view, notes, seat, index_of(int(notes[BEFORE + k])))
        plays += 1
        seat = seat_after(view, seat, 1)
    seat = seat_after(view, seat, 1)
    least, last = tokens, tokens
    for k in range(notes[TOLD]):
        action = int(notes[AFTER + k])
        if action == CLUE:
            last -= 1
            least = min(least, last)
        elif is_play(action):
            last += play_later(view, notes, seat, index_of(action))
            plays += 1
        else:
            last += 1
        seat = seat_after(view, seat, 1)
    return tokens, least, last, plays


@kernel
def play_later(view: Any, notes: Any, seat: int, index: int) -> int:
    """Note that a seat plays this card; returns the tokens it gives."""
    identity = card_at(view, seat, index)
    notes[LATER + identity // 5] = identity % 5 + 1
    notes[LATER_CARD + seat] = identity
    return 1 if identity % 5 == 4 else 0


@kernel
def harmless_discard(view: Any, seat: int, taken: Any) -> int:
    """First card that others will play, else first that is seen in another hand than the giver's; else a clue."""
    for i in range(hand_size(view, seat)):
        if has(taken, card_at(view, seat, i)):
            return 8 - i
    seen = hands_set(view, seat)
    for i in range(hand_size(view, seat)):
        if has(seen, card_at(view, seat, i)):
            return 8 - i
    return CLUE


@kernel
def hands_set(view: Any, without: int) -> Any:
    """Identities in the hands of all but me and one other seat (-1: nobody else left out)."""
    seen = np.uint64(0)
    for other in range(view["players"]):
        if other != view["seat"] and other != without:
            for i in range(hand_size(view, other)):
                seen |= bit(card_at(view, other, i))
    return seen


@kernel
def least_bad_discard(view: Any, notes: Any, seat: int) -> int:
    """The highest card below 5 without a discarded copy that does not play on the promised stacks; else a clue."""
    best, best_rank = -1, -1
    for i in range(hand_size(view, seat)):
        identity = card_at(view, seat, i)
        suit, rank = identity // 5, identity % 5
        fit = view["discarded"][identity] == 0 and rank < 4 and notes[PROMISED + suit] != rank
        if fit and rank > best_rank:
            best, best_rank = i, rank
    return 8 - best if best >= 0 else CLUE


@kernel
def highest_card(view: Any, seat: int) -> int:
    best = 0
    for i in range(hand_size(view, seat)):
        if card_at(view, seat, i) % 5 > card_at(view, seat, best) % 5:
            best = i
    return 8 - best


@kernel
def unplaced(view: Any) -> int:
    """Cards that can still be placed."""
    total = 0
    for suit in range(view["suits"]):
        total += reach(view, suit) - stack(view, suit)
    return total


@kernel
def instead_of_play(view: Any, memory: Any, seat: int, taken: Any, action: int) -> int:
    """Somebody would have no token for his clue: a playable 5, or a discard before the endgame."""
    notes, cards = memory["notes"], memory["work"]
    size = hand_size(view, seat)
    if card_at(view, seat, index_of(action)) % 5 == 4:
        return action
    for i in range(size):
        cards[i] = card_at(view, seat, i)
        if cards[i] % 5 == 4 and notes[PROMISED + cards[i] // 5] == 4:
            return 4 - i
    if unplaced(view) - deck_left(view) > 0:
        return action
    other = safe_discard(notes, cards, size)
    if other == CLUE:
        other = harmless_discard(view, seat, taken)
    if other == CLUE:
        other = least_bad_discard(view, notes, seat)
    return action if other == CLUE else other


@kernel
def modified_action(view: Any, memory: Any, taken: Any) -> int:
    """What the giver tells the first player who has nothing left to play."""
    notes, me = memory["notes"], int(np.int64(view["seat"]))
    seat = int(notes[MODIFIED])
    action = standard_action(view, memory, me, seat, taken, discard_counts(view))
    tokens, least, last, plays = look_ahead(view, memory)
    if is_play(action):
        if least < 0 or last == 0:
            return instead_of_play(view, memory, seat, taken, action)
        return action
    if tokens >= view["clues_max"]:
        return CLUE
    if action == CLUE:
        action = harmless_discard(view, seat, taken)
    if least <= 0 or last <= 1:
        if action == CLUE:
            action = least_bad_discard(view, notes, seat)
        return highest_card(view, seat) if action == CLUE and tokens <= 0 else action
    if plays == view["players"] - 2 and notes[BEFORE_COUNT] > 0 and last >= 2:
        return CLUE
    if somebody_new_plays(view, notes, seat):
        return CLUE
    endgame = unplaced(view) - deck_left(view)
    if action != CLUE:
        if endgame <= 0 or plays == 0:
            return action
        if plays == 1 and endgame == 1 and late_discard(view, notes, seat, tokens):
            return action
    if plays <= 1 and endgame <= 0:
        return least_bad_discard(view, notes, seat) if action == CLUE else action
    return CLUE


@kernel
def somebody_new_plays(view: Any, notes: Any, modified: int) -> bool:
    """Whether a later player without a play holds a card that fits by then."""
    seat = seat_after(view, modified, 1)
    for k in range(notes[TOLD]):
        if not is_play(int(notes[AFTER + k])):
            for i in range(hand_size(view, seat)):
                card = card_at(view, seat, i)
                if wants_to_play(
                    view, notes, int(np.int64(view["seat"])), seat, ONE ^ ONE, LATER, LATER_CARD, card
                ):
                    return True
        seat = seat_after(view, seat, 1)
    return False


@kernel
def useful_cards(view: Any, seat: int) -> int:
    """Cards of a hand that are not placed."""
    count = 0
    for i in range(hand_size(view, seat)):
        if not is_placed(view, card_at(view, seat, i)):
            count += 1
    return count


@kernel
def late_discard(view: Any, notes: Any, seat: int, tokens: int) -> bool:
    """One card too few in the deck, one play to come: whether a hand of placed cards had better discard."""
    if useful_cards(view, seat) > 0:
        return False
    players = int(np.int64(view["players"]))
    seen = hands_set(view, -1)
    for suit in range(view["suits"]):
        for rank in range(stack(view, suit), reach(view, suit)):
            if not has(seen, suit * 5 + rank):
                return tokens < players - 2
    playing = -1
    for other in range(players):
        if notes[FRESH + other] >= 0:
            playing = other
    # seats after the modified one in the published order: from the next seat number up, then from 0
    for step in range(1, players):
        other = seat_after(view, seat, step)
        mine = 1 if notes[FRESH + other] >= 0 else 0
        if other == view["seat"] or useful_cards(view, other) <= mine:
            continue
        needed = step
        if playing >= 0 and playing != other and between(playing, seat, other):
            needed -= 1
            if notes[FRESH_CARD + playing] % 5 == 4 and seat_after(view, playing, 1) != other:
                needed -= 1
        return tokens < needed
    return True
