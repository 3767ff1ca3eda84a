"""``replay-json`` links against published ones and against those of the site's own encoder."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanasolve.errors import HanasolveError, NotationError, UnsupportedVariant
from hanasolve.hanabi.game.deck import shuffle
from hanasolve.hanabi.game.options import Options, site_options
from hanasolve.hanabi.game.records import Action, Replay, default_names
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.notation.deck_file import deal_seed
from hanasolve.hanabi.notation.replay_url import (
    BASE62,
    PREFIX,
    decode,
    encode,
    format_url,
    is_url,
    lost_in_url,
    parse_url,
)

FILE = Path(__file__).parents[1] / "data" / "hanab_live" / "codec_vectors.jsonl.gz"
VECTORS = [json.loads(line) for line in gzip.decompress(FILE.read_bytes()).decode().splitlines()]
EXAMPLE = (
    "415howrnrhjibpqadkaq-glbsvtsfvpnulfyxumcc-kxeiwkagpufdm,02fcla-dkdpoblddqdolcefdsob-ddduejdtidicdydrdwrc-,0"
)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["url"][:12])
def test_vector(vector: dict[str, Any]) -> None:
    numbers = decode(vector["url"])
    assert (numbers.players, numbers.variant_id, numbers.seed) == (
        vector["players"], vector["variantId"], vector["seedField"],
    )  # fmt: skip
    assert [list(card) for card in numbers.deck] == vector["deck"]
    assert [list(action) for action in numbers.actions] == vector["actions"]
    again = encode(numbers)
    if vector["origin"] == "generated":
        assert again == vector["url"]
    else:  # published links may carry a wider range of types than they need, or a fourth field
        assert decode(again) == replace(numbers, seed=None)
        assert len(again.replace("-", "")) <= len(vector["url"].replace("-", ""))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["url"][:12])
def test_vectors_as_replays(vector: dict[str, Any]) -> None:
    """All of them are read; what is written is read back; the known seeds give the decks."""
    replay = parse_url(vector["url"])
    assert replay.variant.name == vector["variant"]
    assert parse_url(format_url(replay)) == replace(replay, seed=None)
    if vector["deckSeed"]:
        assert tuple(shuffle(vector["deckSeed"], replay.variant.deck_in_order())) == replay.deck


def test_the_example() -> None:
    replay = parse_url(EXAMPLE)
    assert replay.deck == deal_seed("p4v0s10").deck
    assert len(replay.actions) == 22


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE + "#7",
        "https://hanab.live/replay-json/" + EXAMPLE + "#7",
        "https://hanab.live/shared-replay-json/" + EXAMPLE + "#7",
        "hanab.live/replay-json/" + EXAMPLE.replace("-", "") + "#7",
        EXAMPLE + ",p4v0s10#7",
    ],
)
def test_shapes_of_an_address(text: str) -> None:
    assert is_url(text)
    replay = parse_url(text)
    assert replace(replay, turn=None, seed=None) == parse_url(EXAMPLE)
    assert replay.turn == 7


def test_files_and_seeds_are_no_addresses() -> None:
    for text in ("p3v0s17", "games/a.json", "r1 b4", "deck.txt", "-"):
        assert not is_url(text)


@st.composite
def replays(draw: st.DrawFn) -> Replay:
    """Any replay whose shape a link can hold; the actions need not be legal."""
    variant = load_variant(draw(st.integers(0, 2425)))
    players = draw(st.integers(2, 6))
    deck = tuple(draw(st.permutations(variant.deck_in_order())))
    use = st.builds(Action, st.integers(0, 1), st.integers(0, len(deck) - 1))
    seats = st.integers(0, players - 1)
    rank = st.builds(Action, st.just(3), seats, st.integers(1, 5))
    color = st.builds(Action, st.just(2), seats, st.integers(0, max(len(variant.clue_colors) - 1, 0)))
    actions = tuple(draw(st.lists(use | rank | color, max_size=12)))
    turn = draw(st.none() | st.integers(1, 60))
    return Replay(variant, site_options(players), default_names(players), deck, actions, turn=turn)


@settings(max_examples=50)
@given(replays())
def test_links_are_read_back_as_written(replay: Replay) -> None:
    assert parse_url(format_url(replay)) == replay


def test_a_link_says_what_it_would_lose() -> None:
    plain = deal_seed("p3v0s1")
    assert lost_in_url(plain) == []
    rich = replace(
        plain,
        options=site_options(3, deck_plays=True, empty_clues="allow", hand_size=6, first_player=1),
        actions=(Action(5, -1, 10),),
    )
    with pytest.raises(NotationError) as error:
        format_url(rich)
    for part in ("deck_plays True", "empty_clues allow", "hand_size 6", "first_player 1", "target -1"):
        assert part in str(error.value)
    assert parse_url(format_url(rich, force=True)) == replace(plain, seed=None)
    with pytest.raises(UnsupportedVariant, match="a link cannot hold 'base'"):
        base = load_variant("base")
        format_url(Replay(base, Options(2), default_names(2), tuple(base.deck_in_order())))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("https://hanab.live/replay/123", "needs the network"),
        ("https://hanab.live/shared-replay/123#4", "needs the network"),
        ("https://hanab.live/lobby/x", "expected replay-json or shared-replay-json"),
        ("https://example.org/415a,00,0", "expected an address"),
        ("415abc", "found 0 commas"),
        ("4,00,0", "three digits"),
        ("915abc,00,0", "character 1: found 9, expected 2 to 6"),
        ("451abc,00,0", "characters 2 and 3: found '51'"),
        ("415ab$,00,0", "first part, character 6: found '$'"),
        ("415abc,0,0", "two digits"),
        ("415abc,03abc,0", "half an action"),
        ("415abc,09ha,0", "actions[0].type"),
        ("415abc,03bb,99999", "unknown variant id 99999"),
        ("415abc,00,", "third part"),
        ("415,00,0", "found no card"),
        ("415abZ,00,0", "card 3 of the deck"),
        ("415abc,02aZ,0", "actions[0].target: found 61"),
        ("415abc,00,0#x", "after #: found 'x'"),
        ("415" + "a" * 51 + ",00,0", "found 51 cards"),
    ],
)
def test_wrong_links(text: str, says: str) -> None:
    with pytest.raises(HanasolveError) as error:
        parse_url(text)
    assert says in str(error.value)


@given(st.text(BASE62 + ",-#/:", max_size=60) | st.text(max_size=60), st.sampled_from(("", "415", PREFIX)))
def test_only_our_errors_escape(text: str, start: str) -> None:
    try:
        parse_url(start + text)
    except HanasolveError as error:
        assert str(error) and error.exit_code == 2
