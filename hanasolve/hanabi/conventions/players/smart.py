"""``smart`` (O'Dwyer, Quuxplusone/Hanabi, SmartBot): one card a clue, read as the newest that may be
playable. The public notes are those of ``smart_reading.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.players.smart_reading import (
    PLAYABLE,
    SETS,
    VALUABLE,
    WORTHLESS,
    could_be_valuable,
    discard_index,
    maybe,
    no_warning,
    read_clue,
    read_finesse,
    read_number,
    surely,
)
from hanasolve.hanabi.conventions.tools.building_blocks import (
    bit,
    card_at,
    clue_color,
    clue_rank,
    count_bits,
    count_left,
    dead_set,
    deck_left,
    discard_card,
    first_bit,
    hand_size,
    has,
    is_playable,
    last_copy_set,
    none_left,
    oldest_number,
    order_at,
    play_card,
    playable_set,
    seat_after,
)
from hanasolve.hanabi.conventions.tools.elimination import (
    POSSIBLE,
    color_set,
    eliminate,
    forget_all,
    is_single,
    known_rank,
    rank_set,
)
from hanasolve.hanabi.game.rules import CLUE_COLOR, CLUE_RANK, DISCARD
from hanasolve.hanabi.game.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
from hanasolve.jit import kernel, kernel_of


@kernel_of(UPDATE_SIGNATURE)
def update(view: Any, memory: Any, event: Any) -> int:
    """Read the event on the old notes, then eliminate and renew the sets."""
    kind = event["kind"]
    if kind < 0:
        forget_all(view, memory)
    elif kind == CLUE_COLOR:
        read_clue(view, memory, event, color_set(event["value"]), True)
    elif kind == CLUE_RANK:
        read_number(view, memory, event)
    is_clue = kind == CLUE_COLOR or kind == CLUE_RANK
    if kind >= 0 and not (is_clue and event["target"] == seat_after(view, event["actor"], 1)):
        no_warning(view, memory, event)
    if kind == DISCARD:
        read_finesse(view, memory, event)
    eliminate(view, memory)
    dead = dead_set(view)
    memory["mask"][SETS, PLAYABLE] = playable_set(view)
    memory["mask"][SETS, WORTHLESS] = dead
    memory["mask"][SETS, VALUABLE] = last_copy_set(view) & ~dead
    return 0


@kernel
def seen_exhausted(view: Any, memory: Any) -> Any:
    """Identities of which I see all copies: placed, discarded, in other hands, or identified in mine."""
    left = memory["work"]
    count_left(view, left)
    for seat in range(view["players"]):
        for i in range(hand_size(view, seat)):
            if seat != view["seat"]:
                left[card_at(view, seat, i)] -= 1
            else:
                mask = memory["mask"][POSSIBLE, order_at(view, seat, i)]
                if is_single(mask):
                    left[first_bit(mask)] -= 1
    return none_left(view, left)


@kernel
def seen_mask(view: Any, memory: Any, index: int, gone: Any) -> Any:
    """Possible identities of an own card with what I see."""
    mask = memory["mask"][POSSIBLE, order_at(view, view["seat"], index)]
    if is_single(mask) or (mask & ~gone) == 0:
        return mask
    return mask & ~gone


@kernel
def clue_gain(view: Any, memory: Any, seat: int, touch: Any) -> int:
    """Identities that a clue excludes over a hand; 0 if it reveals no playable card or would mislead."""
    playable = memory["mask"][SETS, PLAYABLE]
    gain, revealed, newest_seen, newest_plays = 0, False, False, False
    for i in range(hand_size(view, seat) - 1, -1, -1):
        identity = card_at(view, seat, i)
        mask = memory["mask"][POSSIBLE, order_at(view, seat, i)]
        touched = has(touch, identity)
        after = mask & touch if touched else mask & ~touch
        gain += count_bits(mask & ~after)
        if maybe(mask, playable):
            if surely(after, playable):
                revealed = True
            elif touched and not newest_seen and maybe(after, playable):
                newest_seen, newest_plays = True, is_playable(view, identity)
    return gain if revealed or newest_plays else 0


@kernel
def best_clue_to(view: Any, memory: Any, seat: int, at_least: int) -> tuple[int, int]:
    """(gain, clue) of the best clue to one player with more gain than ``at_least``, else (.., -1)."""
    avoid = 0
    if seat == seat_after(view, view["seat"], 1):
        index = discard_index(view, memory, seat)
        if index >= 0:
            rank = card_at(view, seat, index) % 5 + 1
            if could_be_valuable(view, memory, order_at(view, seat, index), rank):
                avoid = rank
    cards = np.uint64(0)
    for i in range(hand_size(view, seat)):
        cards |= bit(card_at(view, seat, i))
    best, most = -1, at_least
    for suit in range(view["suits"]):
        if (cards & color_set(suit)) != 0:
            gain = clue_gain(view, memory, seat, color_set(suit))
            if gain > most:
                best, most = clue_color(seat, suit), gain
    for rank in range(1, 6):
        touch = rank_set(view, rank)
        if rank != avoid and (cards & touch) != 0:
            gain = clue_gain(view, memory, seat, touch)
            if gain > most:
                best, most = clue_rank(seat, rank), gain
    return most, best


@kernel
def warning(view: Any, memory: Any) -> int:
    """A clue to the next player if he would discard a valuable card: the best one, else its number; -1."""
    seat = seat_after(view, view["seat"], 1)
    index = discard_index(view, memory, seat)
    if index < 0 or not has(memory["mask"][SETS, VALUABLE], card_at(view, seat, index)):
        return -1
    clue = best_clue_to(view, memory, seat, 0)[1]
    return clue if clue >= 0 else clue_rank(seat, card_at(view, seat, index) % 5 + 1)


@kernel
def finesse_card(view: Any, memory: Any) -> int:
    """First identified, playable, not valuable own card that exactly one other player drew last; -1."""
    seat = view["seat"]
    for i in range(hand_size(view, seat)):
        mask = memory["mask"][POSSIBLE, order_at(view, seat, i)]
        wanted = memory["mask"][SETS, PLAYABLE] & ~memory["mask"][SETS, VALUABLE]
        if not is_single(mask) or not surely(mask, wanted):
            continue
        holders = 0
        for other in range(view["players"]):
            size = hand_size(view, other)
            if other != seat and size > 0 and has(mask, card_at(view, other, size - 1)):
                holders += 1
        if holders == 1:
            return i
    return -1


@kernel
def sure_play(view: Any, memory: Any, gone: Any) -> int:
    """The best card that I see to be playable: first those that nobody knows I know, then low ranks; -1."""
    playable = memory["mask"][SETS, PLAYABLE]
    best, best_fitness = -1, 0
    for i in range(hand_size(view, view["seat"])):
        mask = seen_mask(view, memory, i, gone)
        if not surely(mask, playable):
            continue
        rank = known_rank(mask)
        fitness = 6 - rank if rank > 0 else 7
        if not surely(memory["mask"][POSSIBLE, order_at(view, view["seat"], i)], playable):
            fitness += 100
        if fitness > best_fitness:
            best, best_fitness = i, fitness
    return best


@kernel
def mystery_play(view: Any, memory: Any, gone: Any) -> int:
    """Near the end of the deck: the card that is most likely playable, newest on ties; -1."""
    left = view["strikes_max"] - view["strikes"]
    if deck_left(view) > (3 if left >= 3 else 1):
        return -1
    best, best_good, best_all = -1, 0, 1
    for i in range(hand_size(view, view["seat"]) - 1, -1, -1):
        mask = seen_mask(view, memory, i, gone)
        good, total = count_bits(mask & memory["mask"][SETS, PLAYABLE]), count_bits(mask)
        if good * best_all > best_good * total:
            best, best_good, best_all = i, good, total
    return best


@kernel
def worthless_card(view: Any, memory: Any, gone: Any) -> int:
    """A card that I see to be worthless, before others those that are least so publicly; -1."""
    worthless = memory["mask"][SETS, WORTHLESS]
    best, best_bad, best_all = -1, 1, 1
    for i in range(hand_size(view, view["seat"])):
        if surely(seen_mask(view, memory, i, gone), worthless):
            mask = memory["mask"][POSSIBLE, order_at(view, view["seat"], i)]
            bad, total = count_bits(mask & worthless), count_bits(mask)
            if bad > 0 and (best < 0 or bad * best_all < best_bad * total):
                best, best_bad, best_all = i, bad, total
    return best


@kernel
def highest_card(view: Any, memory: Any) -> int:
    """All are valuable: the highest known rank, first on ties."""
    best, highest = 0, -1
    for i in range(hand_size(view, view["seat"])):
        rank = known_rank(memory["mask"][POSSIBLE, order_at(view, view["seat"], i)])
        if rank > highest:
            best, highest = i, rank
    return best


@kernel
def best_clue(view: Any, memory: Any) -> int:
    """The clue with the greatest gain to anybody; -1."""
    best, most = -1, 0
    for step in range(1, view["players"]):
        gain, clue = best_clue_to(view, memory, seat_after(view, view["seat"], step), most)
        if clue >= 0:
            best, most = clue, gain
    return best


@kernel
def decide_discard(view: Any, memory: Any, gone: Any) -> int:
    """What is left: the reclaim clue at full tokens, worthless cards, D, the highest rank."""
    if view["clues"] >= view["clues_max"]:
        return oldest_number(view, seat_after(view, view["seat"], view["players"] - 1))
    index = worthless_card(view, memory, gone)
    if index < 0:
        index = discard_index(view, memory, view["seat"])
    if index < 0:
        index = highest_card(view, memory)
    return discard_card(index)


@kernel_of(DECIDE_SIGNATURE)
def decide(view: Any, memory: Any) -> int:
    """Warn, finesse by discard, play, clue, mystery play, discard; without a deck plays come first."""
    gone = seen_exhausted(view, memory)
    play = sure_play(view, memory, gone)
    if deck_left(view) == 0:
        index = play if play >= 0 else mystery_play(view, memory, gone)
        if index >= 0:
            return play_card(index)
    if view["clues"] > 0:
        clue = warning(view, memory)
        if clue >= 0:
            return clue
    if view["clues"] < view["clues_max"]:
        index = finesse_card(view, memory)
        if index >= 0:
            return discard_card(index)
    if play >= 0:
        return play_card(play)
    if view["clues"] > 0:
        clue = best_clue(view, memory)
        if clue >= 0:
            return clue
    index = mystery_play(view, memory, gone)
    if index >= 0:
        return play_card(index)
    return decide_discard(view, memory, gone)
