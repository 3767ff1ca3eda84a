"""Sets of identities as bit masks in Python integers (of any width)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def members(mask: int) -> Iterator[int]:
    """The identities of a set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def copies_in(mask: int, copies: Sequence[int]) -> int:
    """How many copies the identities of a set have together."""
    return sum(copies[identity] for identity in members(mask))


def fold(mask: int, width: int) -> int:
    """A set over several pools of ``width`` identities, laid on top of each other."""
    folded, pool = 0, (1 << width) - 1
    while mask:
        folded |= mask & pool
        mask >>= width
    return folded
