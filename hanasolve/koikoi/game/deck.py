"""Seeds to decks, and the small random generator that kernels use.

A deck's seed goes to NumPy's PCG64. Kernels use xorshift128 (Marsaglia 2003) on four int64 that each hold 32
bits: shifts and exclusive or only, so it runs the same with and without the JIT. Streams are seeded by NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hanasolve.jit import inline_kernel, kernel

_WORD = 0xFFFFFFFF


def seeded_deck(seed: int) -> list[int]:
    """The deck of a seed: 48 cards, the top one first."""
    return [int(card) for card in np.random.default_rng(seed).permutation(48)]


def streams(key: Sequence[int], shape: tuple[int, ...]) -> Any:
    """Independent states of the kernels' generator, ``shape + (4,)``; the key names them."""
    words = np.random.default_rng(list(key)).integers(1, _WORD, (*shape, 4), dtype=np.int64)
    return words


@inline_kernel
def next_word(state: Any) -> int:
    """The next 32 random bits."""
    x = state[0]
    x = (x ^ (x << 11)) & _WORD
    state[0] = state[1]
    state[1] = state[2]
    w = state[3]
    state[2] = w
    w = w ^ (w >> 19) ^ x ^ (x >> 8)
    state[3] = w
    return int(w)


@inline_kernel
def below(state: Any, count: int) -> int:
    """A random number 0 to ``count - 1`` (bias below count / 2**32)."""
    return (next_word(state) * count) >> 32


@kernel
def shuffle(cards: Any, count: int, drawn: int, state: Any) -> None:
    """Put a random ordered sample in the first ``drawn`` places of ``cards[:count]``."""
    for k in range(min(drawn, count - 1)):
        j = k + below(state, count - k)
        card = cards[k]
        cards[k] = cards[j]
        cards[j] = card
