"""Sets of up to 64 things as the bits of one integer: kernels for uint64 and int64 alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.jit import inline_kernel

ONE = np.uint64(1)


@inline_kernel
def bit(place: int) -> Any:
    """The set of one thing, uint64."""
    return ONE << np.uint64(place)


@inline_kernel
def has(mask: Any, place: int) -> bool:
    return bool((np.uint64(mask) >> np.uint64(place)) & ONE)


@inline_kernel
def count_bits(mask: Any) -> int:
    """How many there are.

    The form that LLVM turns into the popcnt instruction; ``int`` keeps the product from overflowing when numba is
    off.
    """
    bits = int(np.int64(mask))
    bits = bits - ((bits >> 1) & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((bits * 0x0101010101010101) >> 56) & 0x7F


@inline_kernel
def first_bit(mask: Any) -> int:
    """The lowest of them, -1 if there is none."""
    bits = int(np.int64(mask))
    return count_bits((bits & -bits) - 1) if bits != 0 else -1
