"""Decks of many seeds at once: the shuffle of ``deck`` as a kernel on arrays.

The words of the generator are kept modulo 2^63: ``Intn`` never looks at the top bit, sums of 63-bit words do
not overflow 64 bits, and so the kernel runs unchanged without the JIT. Importing this module imports numba.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hanasolve.hanabi.game import deck
from hanasolve.jit import inline_kernel, kernel

_MODULUS = np.uint64(deck.MODULUS)
_LOW63 = np.uint64(2**63 - 1)
_WORDS = deck.STATE_WORDS
_LAG = deck.LAG
_S20, _S32, _S40 = np.uint64(20), np.uint64(32), np.uint64(40)


@kernel
def _powers() -> NDArray[np.uint64]:
    """48271^(21 + k) mod (2^31 - 1), as ``deck.powers``."""
    result = np.empty(3 * _WORDS, dtype=np.uint64)
    value = np.uint64(1)
    for k in range(-20, 3 * _WORDS):
        value = value * np.uint64(48271) % _MODULUS
        if k >= 0:
            result[k] = value
    return result


@kernel
def _tops(cards: int) -> NDArray[np.uint64]:
    """For each bound n = 1 .. cards the largest 31-bit number that ``Intn`` accepts."""
    result = np.empty(cards, dtype=np.uint64)
    for i in range(cards):
        result[i] = np.uint64(2**31 - 1) - np.uint64(2**31) % np.uint64(i + 1)
    return result


@inline_kernel
def _start(seed: np.uint64, index: int, powers: NDArray[np.uint64], table: NDArray[np.uint64]) -> np.uint64:
    """Word ``index`` of the start state, modulo 2^63."""
    x1 = seed * powers[3 * index] % _MODULUS
    x2 = seed * powers[3 * index + 1] % _MODULUS
    x3 = seed * powers[3 * index + 2] % _MODULUS
    word: np.uint64 = (table[index] ^ (x1 << _S40) ^ (x2 << _S20) ^ x3) & _LOW63
    return word


@inline_kernel
def _word(
    n: int, seed: np.uint64, powers: NDArray[np.uint64], table: NDArray[np.uint64], past: NDArray[np.uint64]
) -> np.uint64:
    """Word n of the generator, modulo 2^63; it is written into the ring ``past`` of 607 words."""
    slot = n % _WORDS
    if n >= _WORDS:
        old = past[slot]
    else:
        old = _start(seed, (333 - n) % _WORDS, powers, table)
    if n >= _LAG:
        recent = past[(n - _LAG) % _WORDS]
    else:
        recent = _start(seed, 606 - n, powers, table)
    word: np.uint64 = (old + recent) & _LOW63
    past[slot] = word
    return word


@kernel
def shuffle_many(
    seed_numbers: NDArray[np.int64], cards: NDArray[np.int8], table: NDArray[np.uint64]
) -> NDArray[np.int8]:
    """The decks of many seeds, int8[n, N]: row k is ``deck.shuffle`` for seed number k.

    ``seed_numbers``: from ``deck.seed_number``; ``cards``: identities in creation order, int8[N]; ``table``:
    ``table_array()``. About 1 microsecond a deck, so callers give at most some ten thousand seeds a call
    where Ctrl-C matters.
    """
    size = cards.size
    decks = np.empty((seed_numbers.size, size), dtype=np.int8)
    powers = _powers()
    tops = _tops(size)
    past = np.empty(_WORDS, dtype=np.uint64)
    for row in range(seed_numbers.size):
        seed = np.uint64(seed_numbers[row])
        n = 0
        for i in range(size):
            value = _word(n, seed, powers, table, past) >> _S32
            n += 1
            while value > tops[i]:
                value = _word(n, seed, powers, table, past) >> _S32
                n += 1
            j = np.int64(value % np.uint64(i + 1))
            decks[row, i] = cards[i]  # cards 0 .. i - 1 are mixed already: swap card i with card j
            decks[row, i] = decks[row, j]
            decks[row, j] = cards[i]
    return decks


def table_array() -> NDArray[np.uint64]:
    """The generator's fixed table as uint64[607]."""
    return np.array(deck.table(), dtype=np.uint64)


def shuffle_texts(seed_texts: Sequence[str], cards: Sequence[int]) -> NDArray[np.int8]:
    """The decks of many seed texts, int8[n, N]; row k equals ``deck.shuffle(seed_texts[k], cards)``."""
    numbers = np.array([deck.seed_number(text) for text in seed_texts], dtype=np.int64)
    return shuffle_many(numbers, np.array(cards, dtype=np.int8), table_array())
