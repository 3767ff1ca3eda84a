"""What the questions read: files and standard input, card lists, decks, seeds, options, the score of a match."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanasolve.answers.koikoi import reading
from hanasolve.errors import NotationError, UnsupportedVariant
from hanasolve.koikoi.game.cards import codes
from hanasolve.koikoi.game.deck import seeded_deck

CURTAIN, MOON, CUP = 8, 28, 32
DECKS = [" ".join(codes(seeded_deck(seed))) for seed in (1, 2)]


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], str]:
    """Writes a text to a file and names it."""

    def write(text: str) -> str:
        (tmp_path / "given").write_text(text)
        return str(tmp_path / "given")

    return write


def test_a_text_is_a_file_or_standard_input(file: Callable[[str], str]) -> None:
    assert reading.read_text(file("3b")) == "3b"
    assert reading.read_text("-", io.StringIO("9a")) == "9a"


def test_lists_of_cards(file: Callable[[str], str]) -> None:
    assert list(reading.card_lists(["curtain", "9a"])) == [("cards", [CURTAIN, CUP])]
    text = "3b 9a  # hanami\n\n# nothing\n8b"
    path = file(text)
    assert list(reading.card_lists([path])) == [(f"{path}, line 1", [CURTAIN, CUP]), (f"{path}, line 4", [MOON])]
    assert list(reading.card_lists(["-"], io.StringIO(text)))[1] == ("-, line 4", [MOON])
    assert list(reading.card_lists(["-"], io.StringIO(""))) == []


def test_decks(file: Callable[[str], str]) -> None:
    assert list(reading.decks(DECKS[0])) == [("deck", list(seeded_deck(1)))]
    path = file("\n\n".join(DECKS))
    assert [name for name, _ in reading.decks(path)] == [f"{path}, line 1", f"{path}, line 3"]
    assert [order for _, order in reading.decks("-", io.StringIO("\n".join(DECKS)))] == [
        list(seeded_deck(1)), list(seeded_deck(2)),
    ]  # fmt: skip


def test_seeds() -> None:
    assert [list(reading.seeds(given)) for given in (None, 17, "17", "3..5", "4..4")] == [
        [], [17], [17], [3, 4, 5], [4],
    ]  # fmt: skip


def test_changed_options() -> None:
    assert reading.changes_of([]) == {}
    assert reading.changes_of([" cup = animal", "rounds=3", "cup=animal"]) == {"cup": "animal", "rounds": 3}
    with pytest.raises(UnsupportedVariant, match="option cup: found animal and both, expected one of them"):
        reading.changes_of(["cup=animal", "cup=both"])


def test_the_score_of_a_match() -> None:
    assert reading.match_score(None, None) is None
    assert reading.match_score("23:31", 11) == (11, 23, 31)


def test_what_no_file_can_be_called() -> None:
    assert not reading.is_file("3b " * 3000) and not reading.is_file("a\0b") and reading.is_file(__file__)


def test_one_answer_stands_for_itself() -> None:
    one, two = {"points": 1}, {"points": 2}
    assert reading.one_or_results([one]) == one
    assert reading.one_or_results([one, two]) == {"results": [one, two]}
    assert reading.one_or_results([]) == {"results": []}


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: reading.read_text("nowhere"), "nowhere: cannot be read (No such file or directory); expected a file"),
        (lambda: list(reading.card_lists(["3b", "3b"])), 'cards, card 2: "3b" (3b) is already cards, card 1'),
        (lambda: list(reading.card_lists(["-"], io.StringIO("3b\n4x"))), "-, line 2"),
        (lambda: list(reading.decks("3b 9a")), "deck: found 2 cards, expected all 48"),
        (lambda: list(reading.decks("-", io.StringIO(DECKS[0] + "\n\n3b"))), "-, line 3: found 1 cards, expected all"),
        (lambda: reading.seeds("5..3"), '--seed: found "5..3", expected a number like 17 or a range like 1..100'),
        (lambda: reading.seeds("x"), '--seed: found "x", expected'),
        (lambda: reading.match_score(None, 3), "--round needs --match A:B as well"),
        (lambda: reading.match_score("23:31", None), '--match: found "23:31", expected A:B like 23:31 together with'),
        (lambda: reading.match_score("23-31", 3), '--match: found "23-31", expected A:B like 23:31'),
        (lambda: reading.at_least(1, pairs=2, max_worlds=0), "--max-worlds: found 0, expected 1 or more"),
    ],
)
def test_what_cannot_be_read(ask: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(NotationError) as error:
        ask()
    assert str(error.value).startswith(sentence)


def test_what_is_no_text_or_no_option(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(NotationError, match="bytes: not a text file"):
        reading.read_text(str(tmp_path / "bytes"))
    with pytest.raises(UnsupportedVariant, match="expected name=value"):
        reading.changes_of(["cup"])
