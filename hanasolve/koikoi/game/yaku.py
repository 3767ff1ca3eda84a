"""Yaku of a pile of captured cards: points before any doubling, and their names.

``points`` is the kernel that everything else trusts; ``yaku_list`` names the yaku and their cards for people,
and its points always sum to ``points``. A pile is an int64 set of cards (``cards.mask``), ``rules`` a RULES
record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hanasolve.bits import count_bits
from hanasolve.jit import inline_kernel, kernel
from hanasolve.koikoi.game import cards
from hanasolve.koikoi.game.cards import (
    ANIMALS,
    BLUE_RIBBONS,
    BOAR_DEER_BUTTERFLIES,
    BRIGHTS,
    CUP,
    CURTAIN,
    DRY_BRIGHTS,
    MOON,
    PLAINS,
    RAIN,
    RED_RIBBONS,
    RIBBONS,
)

NAMES = (
    "goko",
    "shiko",
    "ame-shiko",
    "sanko",
    "hanami",
    "tsukimi",
    "inoshikacho",
    "akatan+aotan",
    "akatan",
    "aotan",
    "tane",
    "tan",
    "kasu",
)
GOKO, SHIKO, AME_SHIKO, SANKO, HANAMI, TSUKIMI, INOSHIKACHO = range(7)
RED_BLUE, AKATAN, AOTAN, TANE, TAN, KASU = range(7, 13)


@inline_kernel
def bright_points(pile: int) -> int:
    dry = count_bits(pile & DRY_BRIGHTS)
    if dry < 3:
        return 0
    rain = (pile & RAIN) != 0
    if dry == 4:
        return 10 if rain else 8
    return 7 if rain else 5


@inline_kernel
def viewings(pile: int, rules: Any) -> int:
    """How many of hanami and tsukimi hold."""
    if (pile & CUP) == 0 or (rules["rain_viewing"] == 1 and (pile & RAIN) != 0):
        return 0
    return int((pile & CURTAIN) != 0) + int((pile & MOON) != 0)  # truth values of NumPy add up to a truth value


@inline_kernel
def animal_points(pile: int, rules: Any) -> int:
    """inoshikacho and tane."""
    count = count_bits(pile & ANIMALS)
    counted = max(0, count - 4)
    if (pile & BOAR_DEER_BUTTERFLIES) == BOAR_DEER_BUTTERFLIES:
        return 5 + counted if rules["stack_sets"] == 1 else count + 2
    return counted


@inline_kernel
def ribbon_points(pile: int, rules: Any) -> int:
    """akatan, aotan and tan."""
    count = count_bits(pile & RIBBONS)
    counted = max(0, count - 4)
    sets = int((pile & RED_RIBBONS) == RED_RIBBONS) + int((pile & BLUE_RIBBONS) == BLUE_RIBBONS)
    if sets == 0:
        return counted
    extra = rules["red_blue_extra"] if sets == 2 else 0
    if rules["stack_sets"] == 1:
        return int(5 * sets + counted + extra)
    if sets == 2:
        return int(extra + (2 * (count + 2) if rules["red_blue"] == 1 else count + 4))
    return count + 2


@inline_kernel
def plain_points(pile: int, rules: Any) -> int:
    """kasu; the cup counts unless the option ``cup`` says ``animal``."""
    cup = 1 if (pile & CUP) != 0 and rules["cup"] == 0 else 0
    return max(0, count_bits(pile & PLAINS) + cup - 9)


@inline_kernel
def points(pile: int, rules: Any) -> int:
    """Sum of all yaku of the pile, before doubling."""
    total = bright_points(pile) + rules["viewing_points"] * viewings(pile, rules)
    return int(total + animal_points(pile, rules) + ribbon_points(pile, rules) + plain_points(pile, rules))


@kernel
def names(pile: int, rules: Any) -> int:
    """Bit ``y`` is set if yaku ``NAMES[y]`` holds."""
    held = 0
    bright = bright_points(pile)
    if bright > 0:
        held |= 1 << (GOKO if bright == 10 else SHIKO if bright == 8 else AME_SHIKO if bright == 7 else SANKO)
    if viewings(pile, rules) > 0:
        held |= (1 << HANAMI if (pile & CURTAIN) != 0 else 0) | (1 << TSUKIMI if (pile & MOON) != 0 else 0)
    boars = (pile & BOAR_DEER_BUTTERFLIES) == BOAR_DEER_BUTTERFLIES
    red = (pile & RED_RIBBONS) == RED_RIBBONS
    blue = (pile & BLUE_RIBBONS) == BLUE_RIBBONS
    stack = rules["stack_sets"] == 1
    if boars:
        held |= 1 << INOSHIKACHO
    if (stack or not boars) and count_bits(pile & ANIMALS) > 4:
        held |= 1 << TANE
    if red and blue and rules["red_blue"] == 0:
        held |= 1 << RED_BLUE
    else:
        held |= (1 << AKATAN if red else 0) | (1 << AOTAN if blue else 0)
    if (stack or not (red or blue)) and count_bits(pile & RIBBONS) > 4:
        held |= 1 << TAN
    if plain_points(pile, rules) > 0:
        held |= 1 << KASU
    return held


@dataclass(frozen=True)
class Yaku:
    """One yaku: its name, its points before doubling and the captured cards that count for it."""

    name: str
    points: int
    cards: tuple[int, ...]


def yaku_list(pile: int, rules: Any) -> list[Yaku]:
    """All yaku of the pile, in the order of ``NAMES``."""
    held = int(names(pile, rules))
    return [_yaku(which, pile, rules) for which in range(len(NAMES)) if held >> which & 1]


def _yaku(which: int, pile: int, rules: Any) -> Yaku:
    stack = rules["stack_sets"] == 1
    animals, ribbons = pile & ANIMALS, pile & RIBBONS
    plains = pile & (PLAINS if rules["cup"] == 1 else PLAINS | CUP)
    if which <= SANKO:
        used, value = pile & (DRY_BRIGHTS if which in (SHIKO, SANKO) else BRIGHTS), int(bright_points(pile))
    elif which in (HANAMI, TSUKIMI):
        used, value = CUP | (CURTAIN if which == HANAMI else MOON), int(rules["viewing_points"])
    elif which == INOSHIKACHO:
        used = BOAR_DEER_BUTTERFLIES if stack else animals
        value = 5 if stack else animals.bit_count() + 2
    elif which == RED_BLUE:
        used = RED_RIBBONS | BLUE_RIBBONS if stack else ribbons
        value = (10 if stack else ribbons.bit_count() + 4) + int(rules["red_blue_extra"])
    elif which in (AKATAN, AOTAN):
        used = (RED_RIBBONS if which == AKATAN else BLUE_RIBBONS) if stack else ribbons
        value = 5 if stack else ribbons.bit_count() + 2
        both = (RED_RIBBONS | BLUE_RIBBONS) & ~pile == 0
        value += int(rules["red_blue_extra"]) if which == AKATAN and both else 0
    else:
        used, limit = {TANE: (animals, 4), TAN: (ribbons, 4), KASU: (plains, 9)}[which]
        value = used.bit_count() - limit
    return Yaku(NAMES[which], value, tuple(cards.cards_of(used)))


@dataclass(frozen=True)
class Missing:
    """What a yaku still lacks: ``needed`` more of ``cards`` (for sets: exactly these cards)."""

    name: str
    needed: int
    cards: tuple[int, ...]


def missing(pile: int, gone: int, rules: Any) -> list[Missing]:
    """Next yaku in reach of a pile, nearest first. ``gone`` are cards that cannot be captured any more.

    Yaku that hold, that a higher one replaces, or that ``gone`` makes impossible are left out.
    """
    held = int(names(pile, rules))
    if rules["rain_viewing"] == 1 and pile & RAIN:
        held |= 1 << HANAMI | 1 << TSUKIMI  # spoilt, never to come
    found: list[Missing] = []
    for which, wanted, count, blockers in _targets(rules):
        lacking = count - (pile & wanted).bit_count()
        free = wanted & ~pile & ~gone
        if held >> which & 1 or held & blockers or lacking < 1 or free.bit_count() < lacking:
            continue
        found.append(Missing(NAMES[which], lacking, tuple(cards.cards_of(free))))
    return sorted(found, key=lambda entry: entry.needed)


def _targets(rules: Any) -> list[tuple[int, int, int, int]]:
    """(yaku, cards that count, how many are needed, names that replace it)."""
    bright = [1 << GOKO, 1 << SHIKO, 1 << AME_SHIKO]
    stack = rules["stack_sets"] == 1
    sets = 0 if stack else 1 << RED_BLUE | 1 << AKATAN | 1 << AOTAN
    plains = PLAINS if rules["cup"] == 1 else PLAINS | CUP
    return [
        (GOKO, BRIGHTS, 5, 0),
        (SHIKO, DRY_BRIGHTS, 4, bright[0]),
        (AME_SHIKO, BRIGHTS, 4, bright[0] | bright[1]),
        (SANKO, DRY_BRIGHTS, 3, bright[0] | bright[1] | bright[2]),
        (HANAMI, CUP | CURTAIN, 2, 0),
        (TSUKIMI, CUP | MOON, 2, 0),
        (INOSHIKACHO, BOAR_DEER_BUTTERFLIES, 3, 0),
        (AKATAN, RED_RIBBONS, 3, 1 << RED_BLUE),
        (AOTAN, BLUE_RIBBONS, 3, 1 << RED_BLUE),
        (TANE, ANIMALS, 5, 0 if stack else 1 << INOSHIKACHO),
        (TAN, RIBBONS, 5, sets),
        (KASU, plains, 10, 0),
    ]
