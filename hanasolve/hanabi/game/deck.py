"""Seeds to decks: the shuffle of hanab.live, bit by bit.

A seed text (``p3v0s17``) is hashed as a whole by CRC-64/XZ; the hash seeds the additive lagged Fibonacci
generator of Go's ``math/rand``; that shuffles the cards, which start in creation order (suit by suit, rank by
rank, copies adjacent; ``Variant.deck_in_order``). Card 0 of the result is dealt first: seat 0 gets its whole
hand, then seat 1, and so on.

Cards are opaque small ints here. No NumPy and no numba: one seed takes about 0.1 ms. ``deck_kernel`` does the
same for arrays of seeds. Decks dealt before 17 January 2018 used another hash and are not reproduced.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

from hanasolve.errors import NotationError

MODULUS = 2**31 - 1
"""Modulus of the seeding generator L(x) = 48271 x mod (2^31 - 1)."""
MULTIPLIER = 48271
STATE_WORDS = 607
LAG = 273
"""The generator's words obey s(n) = s(n - 607) + s(n - 273) mod 2^64."""

MAX_RANGE = 1_000_000
"""Most seeds that one range may name, so that a slip of the pen does not fill the memory."""

_WORD = 2**64 - 1
_EXAMPLE = "p3v0s17"
_TABLE_FILE = Path(__file__).parent / "data" / "go_rand_table.bin"

# ------------------------------------------------------------------------------------------- seed texts

_SHAPE = re.compile(r"(?:legacy-(?P<first>[^-]*)-)?p(?P<players>[0-9]+)v(?P<variant>[0-9]+)s(?P<suffix>.*)")
_COUNTER = re.compile(r"[1-9][0-9]{0,17}")
_OUTLINE = r"(?:legacy-[^-]*-)?p[0-9]+v[0-9]+s[^./\\\n]*"  # no file names such as p3v0s17.json
_RANGE_OUTLINE = rf"{_OUTLINE}\.\.(?:[0-9]+|{_OUTLINE})"


@dataclass(frozen=True)
class Seed:
    """A seed text and what its parts say.

    ``text`` is the whole text (the shuffle hashes it), ``players`` 2 to 6, ``variant_id`` the site's id (the
    variant tables say whether it exists), ``suffix`` a counter or free text. ``legacy_first_player`` is the k
    of ``legacy-k-``: a game before April 2020 whose first player was seat k; None without that mark.
    """

    text: str
    players: int
    variant_id: int
    suffix: str
    legacy_first_player: int | None = None


def is_seed(text: str) -> bool:
    """Whether the text has the outline of a seed, not of a file; ``parse_seed`` may still find a fault."""
    return re.fullmatch(_OUTLINE, text) is not None


def is_seed_range(text: str) -> bool:
    """Whether the text has the outline of a seed range; ``parse_seed_range`` may still find a fault."""
    return re.fullmatch(_RANGE_OUTLINE, text) is not None


def _fault(text: str, found: str, expected: str) -> NotationError:
    return NotationError(f"seed {text!r}: found {found}, expected {expected}, e.g. {_EXAMPLE}")


def parse_seed(text: str) -> Seed:
    """The parts of a seed text ``p{players}v{variant id}s{suffix}``, with or without ``legacy-k-`` before it.

    Raises ``NotationError`` when a part is missing or out of range.
    """
    match = _SHAPE.fullmatch(text)
    if match is None:
        outline = "p{players}v{variant id}s{suffix}"
        raise NotationError(f"seed {text!r}: expected {outline}, e.g. {_EXAMPLE}")
    first, players, variant, suffix = match.group("first", "players", "variant", "suffix")
    if first is not None and re.fullmatch(r"[0-9]", first) is None:
        raise _fault(text, f"{first!r} between 'legacy-' and '-'", "one digit, the first player's seat")
    if re.fullmatch(r"[2-6]", players) is None:
        raise _fault(text, f"{players} after 'p'", "2 to 6 players")
    if re.fullmatch(r"0|[1-9][0-9]{0,8}", variant) is None:
        raise _fault(text, f"{variant} after 'v'", "a variant id without leading zeros")
    _check_suffix(text, suffix)
    return Seed(text, int(players), int(variant), suffix, None if first is None else int(first))


def _check_suffix(text: str, suffix: str) -> None:
    if not suffix:
        raise _fault(text, "nothing after 's'", "a counter or a word")
    strange = re.search(r"[^A-Za-z0-9-]", suffix)
    if strange:
        raise _fault(text, f"{strange.group()!r} after 's'", "only letters, digits and hyphens")


def parse_seed_range(text: str) -> list[str]:
    """The seed texts of a range ``p3v0s1..p3v0s100``, both ends included.

    Raises ``NotationError`` unless both ends have the same players and variant and counters (1, 2, 3, ..)
    that do not fall, and when the range holds more than ``MAX_RANGE`` seeds.
    """
    ends = text.split("..")
    if len(ends) != 2:
        raise _range_fault(text, f"{len(ends) - 1} times '..'", "two seeds with '..' between them")
    for end, place in zip(ends, ("before", "after"), strict=True):
        if not is_seed(end):
            raise _range_fault(text, f"{end!r} {place} '..'", "a whole seed")
    low, high = parse_seed(ends[0]), parse_seed(ends[1])
    start, stop = _counter(text, low), _counter(text, high)
    if (low.players, low.variant_id) != (high.players, high.variant_id):
        raise _range_fault(text, "two different starts", "the same players and variant at both ends")
    if stop < start:
        raise _range_fault(text, f"{stop} after {start}", "counters that ascend")
    if stop - start >= MAX_RANGE:
        raise _range_fault(text, f"{stop - start + 1} seeds", f"at most {MAX_RANGE} in one range")
    prefix = f"p{low.players}v{low.variant_id}s"
    return [f"{prefix}{counter}" for counter in range(start, stop + 1)]


def _counter(text: str, seed: Seed) -> int:
    if seed.legacy_first_player is not None:
        raise _range_fault(text, "a 'legacy-' seed", "two seeds without that mark")
    if _COUNTER.fullmatch(seed.suffix) is None:
        raise _range_fault(text, f"the suffix {seed.suffix!r}", "a counter 1, 2, 3, ..")
    return int(seed.suffix)


def _range_fault(text: str, found: str, expected: str) -> NotationError:
    return NotationError(f"seed range {text!r}: found {found}, expected {expected}, e.g. p3v0s1..p3v0s100")


# ------------------------------------------------------------------------------------------------ hash


@cache
def _crc_table() -> tuple[int, ...]:
    def step(value: int) -> int:
        for _ in range(8):
            value = (value >> 1) ^ (0xC96C5795D7870F42 if value & 1 else 0)
        return value

    return tuple(step(byte) for byte in range(256))


def crc64(data: bytes) -> int:
    """CRC-64/XZ, unsigned: reflected polynomial 0xC96C5795D7870F42, initial value and final xor all ones."""
    table = _crc_table()
    value = _WORD
    for byte in data:
        value = table[(value ^ byte) & 0xFF] ^ (value >> 8)
    return value ^ _WORD


def seed_number(text: str) -> int:
    """The generator's seed of a seed text: 1 to 2^31 - 2.

    The first 9 characters of a ``legacy-k-`` seed do not count: its deck is that of the bare seed.
    """
    bare = text[9:] if text.startswith("legacy-") else text
    return generator_seed(crc64(bare.encode(errors="surrogatepass")))


def generator_seed(number: int) -> int:
    """Any integer, read as a signed 64-bit number, reduced as Go's ``rand.Seed`` does: 1 to 2^31 - 2."""
    signed = ((number + 2**63) & _WORD) - 2**63
    return signed % MODULUS or 89482311


# ------------------------------------------------------------------------------------------- generator


@cache
def powers() -> tuple[tuple[int, int, int], ...]:
    """48271^(21 + k) mod (2^31 - 1) for k = 0 .. 1820, three a word.

    The seeding generator skips 20 outputs; its output k for a seed is then seed * 48271^(21 + k), so any word
    of the start state can be computed alone.
    """
    values = [pow(MULTIPLIER, 21, MODULUS)]
    while len(values) < 3 * STATE_WORDS:
        values.append(values[-1] * MULTIPLIER % MODULUS)
    return tuple(zip(values[::3], values[1::3], values[2::3], strict=True))


def fill(seed: int, high: int, low: int) -> list[int]:
    """The 607 words of the seeding generator: three 31-bit outputs each, shifted by high, low and 0 bits."""
    return [
        ((seed * p1 % MODULUS << high) ^ (seed * p2 % MODULUS << low) ^ (seed * p3 % MODULUS)) & _WORD
        for p1, p2, p3 in powers()
    ]


@cache
def table() -> tuple[int, ...]:
    """The 607 fixed words K that are xored into every fresh state (read from the package's data).

    K is the state after 7.8e12 steps from ``fill(1, 20, 10)``; ``tests/oracles/deck_table.py`` computes it anew.
    """
    return struct.unpack(f"<{STATE_WORDS}Q", _TABLE_FILE.read_bytes())


def words(seed: int) -> Iterator[int]:
    """The generator's 64-bit words, without end, for a seed of 1 to 2^31 - 2.

    Word n is s(n) = s(n - 607) + s(n - 273) mod 2^64; the words before the first are the start state, of
    which only those that are needed are computed (about 100 of 607 for a deck).
    """
    fixed, power = table(), powers()
    past: list[int] = []

    def start(index: int) -> int:
        p1, p2, p3 = power[index]
        bits = (seed * p1 % MODULUS << 40) ^ (seed * p2 % MODULUS << 20) ^ (seed * p3 % MODULUS)
        return bits ^ fixed[index]  # above 64 bits: cut off below

    for n in count():
        old = past[n - STATE_WORDS] if n >= STATE_WORDS else start((333 - n) % STATE_WORDS)
        recent = past[n - LAG] if n >= LAG else start(606 - n)
        word = (old + recent) & _WORD
        past.append(word)
        yield word


def bounded(stream: Iterator[int], bound: int) -> int:
    """Go's ``Intn``: a number of 0 .. bound - 1 from the next words, 0 < bound < 2^31.

    Powers of two need no case of their own: nothing is rejected for them, and the remainder is the low bits.
    """
    top = 2**31 - 1 - 2**31 % bound
    while True:
        value = (next(stream) & (2**63 - 1)) >> 32
        if value <= top:
            return value % bound


# ---------------------------------------------------------------------------------------------- shuffle


def shuffle(seed_text: str, cards: Sequence[int]) -> list[int]:
    """The deck of a seed in drawing order; ``cards`` are the identities in creation order.

    The text is hashed as it stands and need not be a well-formed seed.
    """
    deck = list(cards)
    stream = words(seed_number(seed_text))
    for i in range(len(deck)):
        j = bounded(stream, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def shuffles(seed_texts: Iterable[str], cards: Sequence[int]) -> Iterator[list[int]]:
    """The decks of many seeds, one after the other; ``shuffle.py`` does the same for arrays, faster."""
    return (shuffle(text, cards) for text in seed_texts)
