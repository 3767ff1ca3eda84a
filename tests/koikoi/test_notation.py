"""Cards, turns and position files: round trips, the worked examples of the rules, errors that name the
place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanasolve.errors import HanasolveError, NotationError
from hanasolve.koikoi.game import cards
from hanasolve.koikoi.notation import position as p
from hanasolve.koikoi.notation.text import (
    format_cards,
    parse_turn,
    play_turn,
    read_card,
    read_cards,
    read_lists,
)

SCHEMA = Path(p.__file__).with_name("position.schema.json")

# rules-koikoi.md, section 3.3
HIDDEN = """game: koikoi
rules: nintendo
dealer: A
to_move: B
hand: 4p1 5a
field: 5r 6r 8a 10p1
captured:
  A: 1b 1r 2p1 2p2 3b 3r 6a 6p1 7a 7p1 11a 11p 12b 12p1 12p2 12p3
  B: 1p1 1p2 2a 2r 4a 4r 5p1 5p2 7r 7p2 9p1 9p2 10r 10p2
koikoi: A
"""
DECIDE = """game: koikoi
to_move: B
phase: decide
hand: 10p2
field: 2r 9p1 11p 12p2
captured:
  A: 1r 1p1 2a 2p1 4p1 4p2 5a 5r 8p1 8p2 9r 9p2 11b 11r
  B: 3b 3p1 4a 4r 5p1 5p2 6p1 6p2 7a 7r 7p1 7p2 8b 8a 10a 10p1 12p1 12p3
"""
KNOWN = """game: koikoi
dealer: A
to_move: A
hands:
  A: 1r 3b 4r 4p1 5p1 7r 11b 11a
  B: 2r 4p2 5a 5r 6p1 8p2 10a 10p1
field: 1p1 3r 3p2 6r 7a 7p1 9p2 11r
stock: 2a 4a 9r 6p2 9a 2p2 8p1 10p2 2p1 12p2 8b 10r 9p1 3p1 11p 8a 1b 5p2 12p3 12p1 7p2 1p2 12b 6a
"""


@given(st.lists(st.integers(0, 47), unique=True))
def test_cards_round_trip(listed: list[int]) -> None:
    assert read_cards(format_cards(listed)) == listed
    assert read_cards(" ".join(f"N{card}" for card in listed)) == listed


def test_words_and_classes() -> None:
    assert {word: cards.CODES[card] for word, card in cards.WORDS.items()} == {
        "crane": "1b", "curtain": "3b", "moon": "8b", "rain": "11b", "phoenix": "12b", "warbler": "2a",
        "cuckoo": "4a", "bridge": "5a", "butterflies": "6a", "boar": "7a", "geese": "8a", "cup": "9a",
        "deer": "10a", "swallow": "11a", "lightning": "11p",
    }  # fmt: skip
    assert [cards.CLASS.count(kind) for kind in range(4)] == [5, 9, 10, 24]
    assert read_card("11p1") == read_card("11P") == 43


def test_plains_without_number_are_shared_out() -> None:
    """Numbered cards first, the others in order of appearance over the whole input."""
    assert read_lists([("a", "3p 12p"), ("b", "3p1, 12p 12p")]) == [[11, 45], [10, 46, 47]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1b 5x", 'cards, card 2: "5x" is no card'),
        ("13b", "months are 1 to 12"),
        ("8r", "month 8 has 8b 8a 8p1 8p2"),
        ("3p3", "month 3 has 3b 3r 3p1 3p2"),
        ("n48", "ids are n0 to n47"),
        ("moon 8b", '"8b" (8b) is already cards, card 1'),
        ("3p 3p 3p", "one plain too many; all 2 of month 3 are named"),
        ("mon", "nearest: moon"),
    ],
)
def test_card_errors(text: str, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_cards(text)
    assert words in str(caught.value)


@pytest.mark.parametrize("text", [HIDDEN, DECIDE, KNOWN])
def test_positions_round_trip(text: str) -> None:
    first = p.parse_position(text)
    written = p.format_position(first)
    second = p.parse_position(written)
    assert first.game == second.game and p.format_position(second) == written


def test_turn_of_a_position() -> None:
    assert (int(p.parse_position(HIDDEN).game["turn"]), p.parse_position(HIDDEN).opponent_cards) == (14, 1)
    assert int(p.parse_position(DECIDE).game["turn"]) == 14
    assert p.parse_position(KNOWN).known


ERRORS = [
    ("game: koikoi", "game: hanabi", "line 1, game"),
    ("to_move: B", "to_move: C", "line 4, to_move"),
    ("to_move", "tomove", "key tomove is unknown; did you mean to_move"),
    ("4p1 5a", "4p1 5x", 'line 5, hand, card 2: "5x"'),
    ("field: 5r", "field: 5a", "is already"),
    ("hand: 4p1 5a", "hand: 4p1", "expected 38 on turn 16"),
    ("hand: 4p1 5a", "hand: ''", "expected 1 to 8"),
    ("field: 5r 6r", "field: 6r", "field and captured hold 33 cards, expected 34 on turn 14"),
    ("koikoi: A", "koikoi: no", "captured.A: A has 5 points without having called"),
    ("koikoi: A", "koikoi: B", "captured.A: A has 5 points without having called"),
    ("koikoi: A", "koikoi: A\nopponent_hand: 2", "found 2, expected 1 on turn 14"),
    ("koikoi: A", "koikoi: A\nphase: draw", "phase draw needs it"),
    ("koikoi: A", "koikoi: A\nstock: 9a", "stock belongs to a known deal"),
    ("koikoi: A", "koikoi: A\noptions: {cups: both}", "did you mean cup"),
    ("rules: nintendo", "rules: sakura", 'rules "sakura" are unknown'),
    ("dealer: A", "dealer: [A", "not YAML"),
    ("field: 5r 6r 8a 10p1", "field: 5r 6r 8a 1b", "already"),
    ("2p1 2p2 3b 3r", "2p1 8b 3b 3r", "1 cards of month 2 (2p1)"),
]


@pytest.mark.parametrize(("old", "new", "words"), ERRORS)
def test_position_errors_name_the_place(old: str, new: str, words: str) -> None:
    assert old in HIDDEN
    with pytest.raises(HanasolveError) as caught:
        p.parse_position(HIDDEN.replace(old, new, 1), "file.yaml")
    assert words in str(caught.value)
    assert str(caught.value).startswith("file.yaml: ")
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("stock: 2a", "stock: ", "stock"),
        ("A: 1r 3b", "A: 3b", "expected"),
        ("hands:", "hand: 1b\nhands:", "either hand"),
    ],
)
def test_known_deal_errors(old: str, new: str, words: str) -> None:
    text = KNOWN.replace(old, new, 1)
    if old.startswith("stock"):
        text = text[: text.index("12p2 8b")] + "\n"
    with pytest.raises(HanasolveError, match=words):
        p.parse_position(text)


@pytest.mark.parametrize("key", ['";"', '""', '"a.b c"', '"[x]"', '"7"', '"\\n"', '"\\u200b"'])
def test_any_text_can_be_an_unknown_key(key: str) -> None:
    with pytest.raises(NotationError, match=r"^x: line 1, key .+ is unknown$") as caught:
        p.parse_position("{" + key + ": 1}", "x")
    assert str(caught.value).isprintable()


@given(st.text(max_size=200))
def test_only_our_errors_escape(text: str) -> None:
    try:
        p.parse_position(text)
    except HanasolveError:
        pass


@given(st.sampled_from(HIDDEN.splitlines()), st.text(max_size=12))
def test_damaged_files_give_our_errors(line: str, text: str) -> None:
    try:
        p.parse_position(HIDDEN.replace(line, line[: len(line) // 2] + text, 1))
    except HanasolveError:
        pass


def test_known_deal_warnings() -> None:
    swapped = KNOWN.replace("1r 3b 4r", "4a 3b 4r").replace("2a 4a", "2a 1r").replace("4p2", "1p2")
    text = swapped.replace("7p2 1p2", "7p2 4p2")
    assert p.parse_position(text).warnings == []
    quad = "game: koikoi\nto_move: A\nhands: {A: 1b 1r 1p 1p 2a 3b 4a 5a, B: 2r 3r 4r 5r 6a 7a 8a 9a}\n"
    quad += (
        "field: 2p 3p 4p 5p 6p 7p 8p 9p\nstock: 10a 10r 10p 10p 11b 11a 11r 11p 12b 12p 12p 12p 6r 7r 8b 9r\n"
    )
    assert "A holds a lucky hand" in p.parse_position(quad).warnings[0]


def test_turns_of_the_example() -> None:
    position = p.parse_position(KNOWN)
    for text in ("a: 1r x 1p1, 2a", "B: 2r x 2A, 4a", "A: 3b x 3r, 9r"):
        play_turn(position.game, position.rules, parse_turn(text, position.game, position.rules))
    assert int(position.game["turn"]) == 4
    with pytest.raises(NotationError, match="7r can take 7a or 7p1"):
        parse_turn("B: 7r, 6p2", position.game, position.rules)
    with pytest.raises(NotationError, match="expected A: or B:"):
        parse_turn("C: 4p2, 6p2", position.game, position.rules)
    with pytest.raises(HanasolveError, match="the stock card is 6p2, not 9a"):
        play_turn(position.game, position.rules, parse_turn("B: 4p2 x 4a, 9a", position.game, position.rules))


def test_published_schema_is_current() -> None:
    assert json.loads(SCHEMA.read_text()) == p.json_schema()
