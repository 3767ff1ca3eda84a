"""Seeds to decks, against decks, hashes and generator words made by Go's own programs.

``tests/data/hanab_live/``: ``seeds.json`` holds 200 seeds with hash and deck, ``go_rand_vectors.json`` the
words of 13 generator seeds; both come from a Go program that uses the language's own generator and CRC
package, and the rule was checked against exported games that hold both seed and deck.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanasolve.errors import NotationError
from hanasolve.hanabi.game import deck
from hanasolve.hanabi.game.variants import load_variant
from tests.oracles.deck_table import compute_table

DATA = Path(__file__).parents[1] / "data" / "hanab_live"
SEEDS: list[dict[str, Any]] = json.loads((DATA / "seeds.json").read_text())
VECTORS: list[dict[str, Any]] = json.loads((DATA / "go_rand_vectors.json").read_text())
NO_VARIANT = [suit * 5 + rank for suit in range(5) for rank in (0, 0, 0, 1, 1, 2, 2, 3, 3, 4)]


def names(cards: list[int]) -> str:
    return " ".join("rygbp"[card // 5] + "12345"[card % 5] for card in cards)


# ------------------------------------------------------------------------------------------- seed texts


def test_parts_of_a_seed() -> None:
    assert deck.parse_seed("p3v0s17") == deck.Seed("p3v0s17", 3, 0, "17")
    assert deck.parse_seed("p4v15sweekly-31211") == deck.Seed("p4v15sweekly-31211", 4, 15, "weekly-31211")
    assert deck.parse_seed("legacy-1-p5v1s1442") == deck.Seed("legacy-1-p5v1s1442", 5, 1, "1442", 1)


@pytest.mark.parametrize("case", SEEDS, ids=lambda case: case["seed"])
def test_stored_seeds_parse(case: dict[str, Any]) -> None:
    seed = deck.parse_seed(case["seed"])
    assert (seed.text, seed.players, seed.variant_id) == (case["seed"], case["players"], case["variantId"])
    assert (seed.legacy_first_player is not None) == case["seed"].startswith("legacy-")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "expected p{players}v{variant id}s{suffix}"),
        ("game.json", "expected p{players}v{variant id}s{suffix}"),
        ("P3v0s17", "expected p{players}v{variant id}s{suffix}"),
        ("p3v0s17\n", "expected p{players}v{variant id}s{suffix}"),
        ("p3v0", "expected p{players}v{variant id}s{suffix}"),
        ("p1v0s1", "found 1 after 'p', expected 2 to 6 players"),
        ("p7v0s1", "found 7 after 'p', expected 2 to 6 players"),
        ("p33v0s1", "found 33 after 'p', expected 2 to 6 players"),
        ("p3v01s1", "found 01 after 'v'"),
        ("p3v0s", "found nothing after 's'"),
        ("p3v0sa_b", "found '_' after 's', expected only letters, digits and hyphens"),
        ("p3v0s1 ", "found ' ' after 's'"),
        ("p3v0sé", "found 'é' after 's'"),
        ("legacy-x-p3v0s1", "found 'x' between 'legacy-' and '-'"),
        ("legacy-10-p3v0s1", "found '10' between 'legacy-' and '-'"),
        ("legacy-p3v0s1", "expected p{players}v{variant id}s{suffix}"),
    ],
)
def test_faults_of_a_seed_are_named(text: str, says: str) -> None:
    with pytest.raises(NotationError) as caught:
        deck.parse_seed(text)
    message = str(caught.value)
    assert says in message and repr(text) in message and "e.g. p3v0s17" in message


def test_outline_tells_seeds_from_ranges_and_files() -> None:
    assert deck.is_seed("p3v0s17") and deck.is_seed("legacy-1-p5v1s1442") and deck.is_seed("p9v0s1")
    assert not any(
        map(deck.is_seed, ("p3v0s1..p3v0s9", "p3v0s17.json", "p3v0s1/a", "deck.txt", "s17", "-", ""))
    )
    assert deck.is_seed_range("p3v0s1..p3v0s9") and deck.is_seed_range("p3v0s1..9")
    assert not any(
        map(deck.is_seed_range, ("p3v0s1", "../p3v0s1", "p3v0s1..json", "p3v0s1..p3v0s9.json", "a..b", ".."))
    )


def test_range() -> None:
    assert deck.parse_seed_range("p3v0s9..p3v0s11") == ["p3v0s9", "p3v0s10", "p3v0s11"]
    assert deck.parse_seed_range("p2v15s4..p2v15s4") == ["p2v15s4"]
    assert len(deck.parse_seed_range("p3v0s1..p3v0s10000")) == 10_000


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("p3v0s1", "found 0 times '..'"),
        ("p3v0s1..p3v0s2..p3v0s3", "found 2 times '..'"),
        ("p3v0s1..9", "found '9' after '..', expected a whole seed"),
        ("deck..p3v0s9", "found 'deck' before '..', expected a whole seed"),
        ("p3v0s1..p4v0s9", "the same players and variant at both ends"),
        ("p3v0s1..p3v1s9", "the same players and variant at both ends"),
        ("p3v0s9..p3v0s1", "found 1 after 9, expected counters that ascend"),
        ("p3v0sa..p3v0sb", "the suffix 'a', expected a counter"),
        ("p3v0s0..p3v0s9", "the suffix '0', expected a counter"),
        ("p3v0s01..p3v0s9", "the suffix '01', expected a counter"),
        ("legacy-1-p3v0s1..legacy-1-p3v0s9", "found a 'legacy-' seed"),
        ("p3v0s1..p3v0s999999999999999999", "at most 1000000 in one range"),
        ("p3v0s1..p3v0s" + "9" * 5000, "expected a counter"),
        ("p7v0s1..p7v0s2", "expected 2 to 6 players"),
    ],
)
def test_faults_of_a_range_are_named(text: str, says: str) -> None:
    with pytest.raises(NotationError, match=r"^seed") as caught:
        deck.parse_seed_range(text)
    assert says in str(caught.value)


@given(st.text(alphabet="plegacyvs-.0123456789 é\n", max_size=30) | st.text(max_size=20))
def test_only_notation_errors_escape(text: str) -> None:
    for parse in (deck.parse_seed, deck.parse_seed_range):
        try:
            parse(text)
        except NotationError as error:
            assert "\n" not in str(error)


# ------------------------------------------------------------------------------------ hash and generator


@pytest.mark.parametrize(
    ("data", "expected"),
    # the check value of CRC-64/XZ in the catalogue of CRC algorithms; the hash of a seed by Go's hash/crc64
    [(b"", 0), (b"123456789", 0x995DC9BBDF1939FA), (b"p2v0s1", 6498259397102791896)],
)
def test_crc64(data: bytes, expected: int) -> None:
    assert deck.crc64(data) == expected


@pytest.mark.parametrize("case", SEEDS, ids=lambda case: case["seed"])
def test_hash_of_stored_seeds(case: dict[str, Any]) -> None:
    bare = case["seed"].removeprefix("legacy-1-")
    assert deck.crc64(bare.encode()) == case["crc64"]
    assert deck.seed_number(case["seed"]) == deck.generator_seed(case["crc64"])


def test_seed_number() -> None:
    assert deck.seed_number("p2v0s1") == 1124390357
    assert deck.generator_seed(0) == deck.generator_seed(2**31 - 1) == 89482311  # Go's substitute for 0
    assert deck.generator_seed(-1) == 2**31 - 2
    assert deck.generator_seed(2**64 - 1) == deck.generator_seed(-1)


def test_fill() -> None:
    first = deck.fill(1, 20, 10)
    assert (first[0], first[606]) == (0x260AD7E373984, 0x379684E34A9AF)
    second = deck.fill(1, 40, 20)
    assert (second[0], second[606]) == (0x7718C8D2532BD84, 0x9F6D530CEB1189AF)


@given(st.integers(1, 2**31 - 2), st.integers(0, 606))
def test_fill_by_powers_equals_fill_step_by_step(seed: int, index: int) -> None:
    value = seed
    for _ in range(20 + 3 * index):
        value = 48271 * value % (2**31 - 1)
    outputs = []
    for _ in range(3):
        value = 48271 * value % (2**31 - 1)
        outputs.append(value)
    expected = (outputs[0] << 40 ^ outputs[1] << 20 ^ outputs[2]) & (2**64 - 1)
    assert deck.fill(seed, 40, 20)[index] == expected


def test_shipped_table() -> None:
    shipped = deck.table()
    assert (shipped[0], shipped[1], shipped[606]) == (
        0xC5F74A33EB98FFEA,
        0xC07B4A41BA965F5B,
        0x39A00A3A31C025C6,
    )
    digest = hashlib.sha256(struct.pack("<607Q", *shipped)).hexdigest()
    assert digest == "1928503b93a563e491119a5889baba73d1605b90b63634c14a408805797a7c7b"
    assert compute_table() == shipped


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: case["seed"])
def test_words_of_go(case: dict[str, Any]) -> None:
    seed = deck.generator_seed(int(case["seed"]))
    stream = deck.words(seed)
    assert [str(word) for word in islice(stream, 20)] == case["uint64"]
    assert str(next(islice(stream, 1980, None))) == case["uint64_2000"]
    stream = deck.words(seed)
    assert [deck.bounded(stream, bound) for bound in range(1, 61)] == case["intn_1_60"]


def test_bounds_of_the_first_seed() -> None:
    stream = deck.words(deck.seed_number("p2v0s1"))
    drawn = [deck.bounded(stream, bound) for bound in range(1, 21)]
    assert drawn == [0, 1, 2, 2, 1, 1, 4, 3, 0, 0, 5, 0, 8, 4, 2, 12, 0, 12, 12, 6]


def test_bounded_rejects_the_uneven_rest() -> None:
    bound = 3 * 2**29  # 2^31 mod bound = 2^29: numbers above 3 * 2^29 - 1 are drawn again
    stream = iter([(3 * 2**29) << 32, (2**31 - 1) << 32, (2**63) + (7 << 32)])
    assert deck.bounded(stream, bound) == 7


# ------------------------------------------------------------------------------------------------ decks


@pytest.mark.parametrize(
    ("seed", "start"),
    [
        ("p2v0s1", "b5 p4 b3 r4 g1 b3 b1 r1 g2 g4"),
        ("p4v0s10", "y3 g5 p3 b3 g4 b3 y3 y5 y4 r2 b1 b2 r1 r4 g1 r1"),
        ("p5v0s198", "r4 g2 r1 y1 b2 g4 r4 g3"),
    ],
)
def test_deck_starts(seed: str, start: str) -> None:
    cards = deck.shuffle(seed, NO_VARIANT)
    assert names(cards).startswith(start)
    assert sorted(cards) == NO_VARIANT


@pytest.mark.parametrize("case", SEEDS, ids=lambda case: case["seed"])
def test_decks_of_go(case: dict[str, Any]) -> None:
    variant = load_variant(case["variantId"])
    ranks = list(variant.ranks)
    expected = [suit * len(ranks) + ranks.index(rank) for suit, rank in case["deck"]]
    assert deck.shuffle(case["seed"], variant.deck_in_order()) == expected


@given(st.text(max_size=20), st.lists(st.integers(0, 40), max_size=70))
def test_shuffle_takes_any_text_and_any_cards(text: str, cards: list[int]) -> None:
    before = list(cards)
    assert sorted(deck.shuffle(text, cards)) == sorted(before)
    assert cards == before


def test_importing_the_module_loads_neither_numpy_nor_numba() -> None:
    program = "import sys, hanasolve.hanabi.game.deck; print([m for m in ('numpy', 'numba') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ----------------------------------------------------------------------------------------------- kernel


@pytest.mark.parametrize("size", [0, 1, 2, 50, 60, 127])
def test_kernel_agrees(size: int) -> None:
    from hanasolve.hanabi.game import shuffle

    cards = [index % 30 for index in range(size)]
    seeds = [f"p3v1s{counter}" for counter in range(1, 101)] + ["legacy-1-p3v1s7", "p3v1sa-b"]
    decks = shuffle.shuffle_texts(seeds, cards)
    assert decks.shape == (len(seeds), size) and decks.dtype == "int8"
    assert decks.tolist() == list(deck.shuffles(seeds, cards))


def test_kernel_agrees_where_its_ring_of_words_wraps() -> None:
    from hanasolve.hanabi.game import shuffle

    cards = [index % 120 for index in range(1500)]  # more than twice 607 words
    assert shuffle.shuffle_texts(["p2v0s1"], cards).tolist() == [deck.shuffle("p2v0s1", cards)]


def test_kernel_rejects_the_uneven_rest() -> None:
    """A table made for one seed number, so that its words are chosen: the third card is drawn three times."""
    import numpy as np

    from hanasolve.hanabi.game import shuffle

    wanted = [0, 0, 2**31 - 1, 2**31 - 2, 0, 1]  # 2^31 mod 3 = 2: the two largest numbers are drawn again
    start = deck.fill(7, 40, 20)  # with it as the table all start words are 0
    for n, value in enumerate(wanted):
        start[333 - n] ^= value << 32
    made = np.array(start, dtype=np.uint64)
    drawn = shuffle.shuffle_many(np.array([7]), np.array([10, 11, 12, 13], dtype=np.int8), made)
    cards = [10, 11, 12, 13]
    for i, j in ((0, 0), (1, 0), (2, 0), (3, 1)):
        cards[i], cards[j] = cards[j], cards[i]
    assert drawn.tolist() == [cards]


def test_kernel_runs_without_the_jit_and_without_overflow() -> None:
    program = (
        "import warnings; warnings.simplefilter('error')\n"
        "from hanasolve.hanabi.game import deck, shuffle\n"
        "cards = list(range(50))\n"
        "seeds = [f'p2v0s{k}' for k in range(1, 6)]\n"
        "assert shuffle.shuffle_texts(seeds, cards).tolist() == list(deck.shuffles(seeds, cards))\n"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
