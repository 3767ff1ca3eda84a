"""Kernel: the draws of an action with open hands, each with what is known of the state it leads to.

A state after a draw differs from the one before it by one card: its key and the bound by counting are changed
instead of being made anew.
"""

from __future__ import annotations

from typing import Any

from hanasolve.hanabi.ranking.open_hands.bounds import HIGH, LOW, PENALTY, REACH, REAL, SORTED, WORD, look, probe
from hanasolve.hanabi.ranking.open_hands.state import (
    DECK0,
    DECK1,
    LEFT,
    MOVER,
    ONE_TRASH,
    SEAT,
    THROW_TRASH,
    TOKENS,
    TRASH,
    TRASH_KIND,
    bits_of,
    copies,
    copy_state,
    do_action,
    end_turn,
    held_by_all,
    lowest,
    pack_rest,
    penalty,
    placed_in,
    suit_word,
    worth,
)
from hanasolve.jit import kernel


@kernel
def _prepare(rules: Any, base: Any, placed: int, work: Any) -> int:
    """What is common to all draws after an action: the suits' words, sorted and by suit, and the penalties of only
    copies, whose sum is returned."""
    for suit in range(rules["suits"]):
        word, place = suit_word(rules, base, suit), suit
        work[WORD + suit] = word
        while place > 0 and work[SORTED + place - 1] > word:
            work[SORTED + place] = work[SORTED + place - 1]
            place -= 1
        work[SORTED + place] = word
    held = held_by_all(rules, base)
    cards = held | base[DECK0] | base[DECK1]
    limit = placed + base[LEFT] - 1 + rules["players"]
    only, total = base[DECK0] & ~base[DECK1] & ~held, 0
    while only:
        card = lowest(only)
        only &= only - 1
        work[PENALTY + card] = penalty(rules, card, cards, placed + bits_of(cards), limit)
        total += work[PENALTY + card]
    return int(total)


@kernel
def _change_key(rules: Any, base: Any, kind: int, work: Any) -> None:
    """The key's suits once the mover has drawn a card: one word of the sorted ones is another."""
    suits, steps, players = int(rules["suits"]), int(rules["steps"]), int(rules["players"])
    suit, step = kind // steps, kind % steps
    old = work[WORD + suit]
    new = old | (1 << (8 + steps * (players - 1 - base[MOVER]) + step))
    low, high = 1 << (8 + steps * (players + 1) + step), 1 << (8 + steps * players + step)
    if old & low:
        new &= ~low
    else:
        new = (new & ~high) | low
    place, skipped = 0, False
    for i in range(suits):
        word = work[SORTED + i]
        if word == old and not skipped:
            skipped = True
        else:
            work[place] = word
            place += 1
    while place > 0 and work[place - 1] > new:
        work[place] = work[place - 1]
        place -= 1
    work[place] = new


@kernel
def keep_real(rules: Any, level: Any, real: int, reach: int) -> None:
    """Note what the action at hand brings by a real plan, where ``reach`` is the least of its draws."""
    most_tokens = int(rules["tokens_max"])
    if reach < most_tokens:
        reach = min(reach - (level["base"][TOKENS] - level["state"][TOKENS]), most_tokens)
    if level["throws"]:
        reach = min(reach, most_tokens - 1)
    if real > level["best_real"] or (real == level["best_real"] and reach > level["best_reach"]):
        level["best_real"], level["best_reach"] = real, reach


@kernel
def list_draws(rules: Any, level: Any, index: int, below: Any, heap: Any, work: Any, info: Any) -> None:
    """Carry out the action ``index`` of a level and list its draws with what is known of them.

    Sets ``base``, ``sum`` (of the upper bounds), ``kinds`` and the fields of each kind, and raises ``best`` by the sum
    of the lower bounds. ``below`` is the state vector of the level below, used as a scratch.
    """
    base, action = level["base"], level["action"][index]
    copy_state(level["state"], base)
    draws = do_action(rules, base, action)
    allowed = action % SEAT < THROW_TRASH or level["state"][TOKENS] < rules["tokens_max"]
    low, high, real, count, reach = 0, 0, 0, 0, int(rules["tokens_max"])
    cards = base[DECK0] | base[DECK1] if draws else 0
    trash = base[TRASH] if draws else 1
    lost, top, least, each, only, rest = 0, 0, 0, 0, 0, 0
    fast, left, last = draws and base[LEFT] > 1, base[LEFT] - 1, int(rules["suits"])
    if fast:
        placed = placed_in(rules, base)
        lost = _prepare(rules, base, placed, work)
        useful = bits_of(held_by_all(rules, base) | cards)
        top = placed + min(useful, left + int(rules["players"]))
        least, each = worth(rules, placed) * rules["factorial"][left], left * worth(rules, top)
        only = base[DECK0] & ~base[DECK1] & ~held_by_all(rules, base)
        copy_state(base, below)
        end_turn(rules, below, True, TRASH_KIND)
        below[TRASH] += 1
        rest = pack_rest(rules, below)
    while cards or trash:
        if cards:
            kind = lowest(cards)
            cards &= cards - 1
            times = copies(base, kind)
        else:
            kind, times, trash = TRASH_KIND, trash, 0
        if fast:
            if kind == TRASH_KIND:
                spared = 0
                for suit in range(last):
                    work[suit] = work[SORTED + suit]
                work[last] = rest - ONE_TRASH
            else:
                spared = work[PENALTY + kind] if (only >> kind) & 1 else 0
                _change_key(rules, base, kind, work)
                work[last] = rest
            most_here = (each - lost + spared) * rules["factorial"][left - 1]
            probe(rules, heap, work, int(below[TOKENS]), left, top, least, most_here, info)
        else:
            copy_state(base, below)
            end_turn(rules, below, draws, kind)
            look(rules, below, heap, work, info)
        level["kind"][count], level["times"][count], level["high"][count] = kind, times, info[HIGH]
        level["open"][count], level["real"][count] = info[LOW] < info[HIGH], info[REAL] if allowed else 0
        low, high = low + times * info[LOW], high + times * info[HIGH]
        real += times * level["real"][count]
        level["reach"][count] = info[REACH]
        reach = min(reach, info[REACH])
        count += 1
    level["sum"], level["kinds"], level["allowed"] = high, count, allowed
    level["throws"] = action % SEAT >= THROW_TRASH
    level["best"], level["draws"] = max(level["best"], low), draws
    keep_real(rules, level, real, reach)
