"""Cards, decks, clues and actions in words, and deck files."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanasolve.errors import HanasolveError, NotationError
from hanasolve.hanabi.game.records import Action, Told
from hanasolve.hanabi.game.variants import Variant, load_variant, variant_names
from hanasolve.hanabi.notation import text as words
from hanasolve.hanabi.notation.deck_file import deal_seed, format_deck, parse_deck_file

NO_VARIANT = load_variant(0)
NAMES = ("Alice", "Bob", "Cathy")
VARIANTS = st.sampled_from(variant_names()).map(load_variant)


@given(VARIANTS, st.data())
def test_decks_are_read_back_as_written(variant: Variant, data: st.DataObject) -> None:
    deck = tuple(data.draw(st.permutations(variant.deck_in_order())))
    assert words.parse_deck(words.format_cards(deck, variant), variant) == deck
    assert words.copies_warnings(deck, variant) == []


@given(VARIANTS)
def test_clues_are_read_back_as_written(variant: Variant) -> None:
    """By name, by letter, and as something a card was told."""
    clues = [(words.COLOR, index) for index in range(len(variant.clue_colors))]
    clues += [(words.RANK, rank) for rank in variant.clue_ranks]
    for kind, value in clues:
        assert words.parse_clue(words.clue_name(variant, kind, value), variant, "clue") == (kind, value)
        for touched in (True, False):
            told = Told(kind, value, touched)
            assert words.parse_told(words.format_told(told, variant), variant, "told") == told
    letters = variant.color_letters
    assert len(set(letters)) == len(letters)
    for index, letter in enumerate(letters):
        assert words.parse_clue(letter, variant, "clue") == (words.COLOR, index)


def test_separators_and_case() -> None:
    assert words.parse_deck("R1, b4,g5\t y2", NO_VARIANT) == words.parse_deck("r1 b4 g5 y2", NO_VARIANT)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("play slot 1", Action(0, 9)),
        ("discard slot 2", Action(1, 4)),
        ("play r2", Action(0, 4)),
        ("Play R2 (slot 2)", Action(0, 4)),
        ("discard card 4 of the deck", Action(1, 4)),
        ("clue red to bob", Action(2, 1, 0)),
        ("clue p to 2", Action(2, 2, 4)),
        ("clue 3 to Cathy", Action(3, 2, 3)),
    ],
)
def test_actions(text: str, action: Action) -> None:
    hand = [(0, 0), (4, 1), (9, 0)]  # r1 r2 r1, oldest first
    assert words.parse_action(text, NO_VARIANT, NAMES, hand) == action


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("pass", "expected `play slot 2`"),
        ("play", "expected `play slot 2`"),
        ("play slot 4", "expected a slot from 1 (newest) to 3"),
        ("play r1", "it is there 2 times"),
        ("play y1", "it is there 0 times"),
        ("play x1", "expected a card of No Variant"),
        ("clue 6 to Bob", "expected a clue: red, yellow, green, blue, purple, 1, 2, 3, 4, 5"),
        ("clue rad to Bob", "(nearest: red)"),
        ("clue red to Bop", "(nearest: Bob)"),
        ("clue red to 3", "a seat 0 to 2"),
    ],
)
def test_wrong_actions(text: str, says: str) -> None:
    with pytest.raises(NotationError) as error:
        words.parse_action(text, NO_VARIANT, NAMES, [(0, 0), (4, 1), (9, 0)])
    assert says in str(error.value)


@given(st.text(max_size=40))
def test_only_our_errors_escape(text: str) -> None:
    for parse in (
        lambda: words.parse_deck(text, NO_VARIANT),
        lambda: words.parse_action(text, NO_VARIANT, NAMES, [(0, 0)]),
        lambda: list(parse_deck_file(text, players=3)),
    ):
        try:
            parse()
        except HanasolveError as error:
            assert str(error) and error.exit_code == 2


# -------------------------------------------------------------------------------------------- deck files


def test_a_deck_file_mixes_forms() -> None:
    seed = deal_seed("p3v0s1")
    pairs = [list(NO_VARIANT.suit_rank(card)) for card in seed.deck]
    text = f"""# three times the same deck
{words.format_cards(seed.deck, NO_VARIANT)}  # with a comment

p3v0s1
{json.dumps({"deck": pairs, "players": ["Ann", "Ben", "Cid"]})}
"""
    found = list(parse_deck_file(text, players=3))
    assert [line for line, _ in found] == [2, 4, 5]
    assert all(replay.deck == seed.deck for _, replay in found)
    assert found[2][1].names == ("Ann", "Ben", "Cid")


@pytest.mark.parametrize("seed", ["p2v0s1", "p5v24s7", "p6v2425sx-1"])
def test_a_seed_as_deck_file(seed: str) -> None:
    replay = deal_seed(seed)
    text, name = format_deck(replay), replay.variant.name
    [(line, again)] = parse_deck_file(text, players=replay.options.players, variant=name)
    assert (line, again.deck, again.options) == (2, replay.deck, replay.options)


def test_odd_decks_are_named() -> None:
    text = "r1 r1 r1 r1 " + words.format_cards(NO_VARIANT.deck_in_order()[4:], NO_VARIANT)
    [(_, replay)] = parse_deck_file(text, players=2)
    assert replay.warnings == (
        "the deck is not a deck of No Variant: 4 times r1 instead of 3, 1 times r2 instead of 2",
    )
    [(_, replay)] = parse_deck_file("r1 r2 r3", players=2)
    assert replay.is_partial and replay.warnings == ("only the first 3 of 50 cards are known",)


def test_legacy_seeds_name_the_first_player() -> None:
    assert deal_seed("legacy-1-p2v0s1").options.first_player == 1
    assert deal_seed("legacy-1-p2v0s1").deck == deal_seed("p2v0s1").deck
    with pytest.raises(NotationError, match="first player 3"):
        deal_seed("legacy-3-p2v0s1")
