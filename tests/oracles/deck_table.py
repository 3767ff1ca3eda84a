"""The fixed table of the seeds' generator, computed from its definition."""

from __future__ import annotations

from hanasolve.hanabi.game import deck

_WORD = 2**64 - 1
_STEPS = 7_800_000_000_000
_SLOT = 18  # bytes: a product's coefficient is below 607 * 2^128 < 2^144


def compute_table() -> tuple[int, ...]:
    """The table K from its definition: the state after 7.8e12 steps from ``fill(1, 20, 10)`` (about 0.3 s).

    The steps are jumped: with c(t) = t^steps in Z/2^64[t] / (t^607 - t^334 - 1), a later word is the sum of
    c's coefficients times the start words. ``deck.table`` reads the stored result.
    """
    state = deck.fill(1, 20, 10)
    start = [state[(333 - n) % deck.STATE_WORDS] for n in range(deck.STATE_WORDS)]  # the oldest word first
    polynomial = _power_of_t(_STEPS)
    result = [0] * deck.STATE_WORDS
    for n in range(deck.STATE_WORDS):
        result[(333 - n - _STEPS) % deck.STATE_WORDS] = sum(map(int.__mul__, polynomial, start)) & _WORD
        polynomial = _times_t(polynomial)
    return tuple(result)


def _power_of_t(exponent: int) -> list[int]:
    power = [1] + [0] * (deck.STATE_WORDS - 1)
    for bit in f"{exponent:b}":
        power = _square(power)
        if bit == "1":
            power = _times_t(power)
    return power


def _times_t(polynomial: list[int]) -> list[int]:
    shifted = [polynomial[-1], *polynomial[:-1]]
    shifted[deck.STATE_WORDS - deck.LAG] = (shifted[deck.STATE_WORDS - deck.LAG] + polynomial[-1]) & _WORD
    return shifted


def _square(polynomial: list[int]) -> list[int]:
    """The square modulo t^607 - t^334 - 1, by one product of long integers (Kronecker substitution)."""
    packed = int.from_bytes(b"".join(value.to_bytes(_SLOT, "little") for value in polynomial), "little")
    length = 2 * deck.STATE_WORDS - 1
    raw = (packed * packed).to_bytes(length * _SLOT, "little")
    product = [int.from_bytes(raw[i * _SLOT : (i + 1) * _SLOT], "little") for i in range(length)]
    for i in range(length - 1, deck.STATE_WORDS - 1, -1):
        product[i - deck.STATE_WORDS] += product[i]
        product[i - deck.LAG] += product[i]
    return [value & _WORD for value in product[:deck.STATE_WORDS]]
