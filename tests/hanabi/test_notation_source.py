"""What a SOURCE can be, and that each kind is told from the others."""

from __future__ import annotations

import io
import json
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanasolve.errors import HanasolveError, NotationError
from hanasolve.hanabi.game.records import Position, Replay
from hanasolve.hanabi.notation.deck_file import deal_seed
from hanasolve.hanabi.notation.hanab_live import format_game, format_record
from hanasolve.hanabi.notation.position import format_position, parse_position
from hanasolve.hanabi.notation.replay_url import format_url
from hanasolve.hanabi.notation.source import Item, read_source, read_sources
from hanasolve.hanabi.notation.text import format_cards

DEAL = deal_seed("p3v0s1")
CARDS = format_cards(DEAL.deck, DEAL.variant)
POSITION = "hands: [[r1], [b4]]\n"


def only(text: str, **given: object) -> Item:
    [item] = read_source(text, **given)  # type: ignore[arg-type]
    return item


def deck(item: Item) -> tuple[int, ...]:
    assert isinstance(item.record, Replay)
    return item.record.deck


def test_seeds_and_ranges() -> None:
    assert only("p3v0s1") == Item("p3v0s1", DEAL)
    found = list(read_source("p3v0s1..p3v0s3"))
    assert [item.source for item in found] == ["p3v0s1", "p3v0s2", "p3v0s3"]
    assert deck(found[0]) == DEAL.deck


def test_ranges_are_read_one_at_a_time() -> None:
    first = list(islice(read_source("p2v0s1..p2v0s900000"), 2))
    assert [item.source for item in first] == ["p2v0s1", "p2v0s2"]


def test_links() -> None:
    link = format_url(DEAL)
    assert deck(only(link)) == deck(only(link.rpartition("/")[2])) == DEAL.deck
    assert only(link + "#1").turn == 1


@pytest.mark.parametrize(
    ("name", "text", "sources"),
    [
        ("game.json", format_game(DEAL), ["game.json"]),
        ("game.txt", "// a comment\n" + format_game(DEAL), ["game.txt"]),
        ("one.jsonl", json.dumps(format_record(DEAL)), ["one.jsonl"]),
        ("two.jsonl", (json.dumps(format_record(DEAL)) + "\n") * 2, ["two.jsonl:1", "two.jsonl:2"]),
        ("deck.txt", "# deck\n" + CARDS + "\n", ["deck.txt:2"]),
        ("decks.txt", CARDS + "\n\n" + CARDS + "\n", ["decks.txt:1", "decks.txt:3"]),
        ("seeds.txt", "p3v0s1\np3v0s1\n", ["seeds.txt:1", "seeds.txt:2"]),
        ("links.txt", format_url(DEAL) + "\n", ["links.txt:1"]),
    ],
)
def test_files_of_decks(name: str, text: str, sources: list[str], tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    found = list(read_source(str(path), players=3))
    assert [deck(item) for item in found] == [DEAL.deck] * len(sources)
    assert [item.source for item in found] == [str(tmp_path / source) for source in sources]
    piped = list(read_source("-", players=3, stdin=io.StringIO(text)))
    assert [item.record for item in piped] == [item.record for item in found]


def test_position_files(tmp_path: Path) -> None:
    for name, text in (("a.yaml", POSITION), ("b.txt", "# x\n" + POSITION), ("c", "---\n" + POSITION)):
        (tmp_path / name).write_text(text)
        assert only(str(tmp_path / name)).record == parse_position(POSITION)
    written = format_position(parse_position(POSITION))
    assert isinstance(only("-", stdin=io.StringIO(written)).record, Position)


def test_a_turn_behind_a_file(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(format_game(DEAL))
    assert only(f"{path}#1").turn == 1 and only(f"{path}#1").source == f"{path}#1"  # so #3 and #7 differ in results
    assert only(str(path)).turn is None
    with pytest.raises(NotationError, match="found 'x' after #"):
        only(f"{path}#x")
    odd = tmp_path / "game#2"
    odd.write_text(format_game(DEAL))
    assert only(str(odd)).turn is None


def test_several_sources_in_order() -> None:
    assert [item.source for item in read_sources(["p3v0s2", "p3v0s1"])] == ["p3v0s2", "p3v0s1"]


def test_given_players_and_variant() -> None:
    assert only("-", players=2, variant="6 Suits", stdin=io.StringIO("t1 t2")).record.variant.id == 1
    link = format_url(DEAL)
    for text in ("p3v0s1", link):
        assert deck(only(text, players=3, variant="No Variant")) == DEAL.deck
        with pytest.raises(NotationError, match="expected 4 as in --players"):
            only(text, players=4)
        with pytest.raises(NotationError, match="'6 Suits' as in --variant"):
            only(text, variant="1")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nonsense", "nonsense: found neither a file nor a known form, expected a seed (p3v0s17)"),
        ("missing.json", "missing.json: found no such file"),
        ("tests", "tests: found a folder, expected a file"),
        ("", "SOURCE: found an empty text, expected a seed, a file or a link"),
        ("-", "found no standard input"),
        ("a\0b", "a\\x00b: found neither a file nor a known form"),
        ("x" * 5000, "no readable file"),
    ],
)
def test_what_is_no_source(text: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    with pytest.raises(NotationError) as error:
        only(text)
    assert says in str(error.value)


def test_a_misspelt_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "game-17.json").write_text("{}")
    with pytest.raises(NotationError, match=r"expected e\.g\. .*game-17\.json"):
        only(str(tmp_path / "game-71.json"))


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"{\xff\xfe}")
    with pytest.raises(NotationError, match="no UTF-8 text at 1"):
        only(str(path))


@given(st.text(max_size=30) | st.text("{}[]#:-,?r1 \n\"pv0s", max_size=30))
def test_only_our_errors_escape(text: str) -> None:
    try:
        list(read_source("-", players=2, stdin=io.StringIO(text)))
    except HanasolveError as error:
        assert str(error)
