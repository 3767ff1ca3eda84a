"""Position files: the example of the documentation, every error with its line, the schema and its model."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from hanasolve.errors import HanasolveError, ImpossiblePosition, NotationError
from hanasolve.hanabi.game.options import site_options
from hanasolve.hanabi.game.records import UNKNOWN, HeldCard, Position, Told, default_names
from hanasolve.hanabi.game.variants import load_variant, variant_names
from hanasolve.hanabi.notation.position import SCHEMA_FILE, format_position, parse_position, schema
from hanasolve.hanabi.notation.position_model import PositionFile, schema_text
from hanasolve.hanabi.notation.schema import check
from hanasolve.hanabi.notation.yaml_lines import Document, load_yaml

SCENARIOS = Path(__file__).parents[2] / "scenarios"

ENDGAME = """\
# Three cards left.
players: [Alice, Bob, Cathy]
to_move: Alice
fireworks: {r: 3, y: 5, g: 5, b: 4, p: 4}
discards: rest
clues: 0
hands: # slot 1, the newest card, first
  Alice: [r1, r1, r2, r3, r4]
  Bob: [y1, {card: r5, told: [red, 5, not green]}, p5, b5, y1]
  Cathy: g1 g1 b1 b1 p1
deck: [b2, b3, p2]
"""


def test_the_example() -> None:
    position = parse_position(ENDGAME)
    name = position.variant.card_name
    assert position.names == ("Alice", "Bob", "Cathy") and position.to_move == 0
    assert [len(stack) for stack in position.placed] == [3, 5, 5, 4, 4]
    oldest_first = [name(held.identity) for held in position.hands[0]]
    assert oldest_first == ["r4", "r3", "r2", "r1", "r1"]
    assert position.hands[1][3] == HeldCard(4, (Told(2, 0, True), Told(3, 5, True), Told(2, 2, False)))
    assert [name(card) for card in position.deck or ()] == ["b2", "b3", "p2"]
    assert " ".join(map(name, position.discards)) == "r4 y2 y3 y4 g2 g3 g4 b4 p1 p3 p4"
    assert (position.clues, position.strikes, position.turn, position.turns_left) == (0, 0, 0, None)
    assert position.options == site_options(3)


def test_what_may_be_left_out() -> None:
    position = parse_position("hands:\n  Ann: [?, ?]\n  Ben: r1 ? r5\n")
    assert (position.names, position.deck, position.deck_count) == (("Ann", "Ben"), None, 45)
    assert (position.clues, position.placed, position.to_move) == (8, ((), (), (), (), ()), 0)
    assert [held.identity for held in position.hands[1]] == [4, UNKNOWN, 0]
    assert parse_position("players: 2\nhands: [[], []]\n").names == ("Alice", "Bob")
    assert parse_position("hands: [[], [], []]", players=3, variant="6 Suits").deck_count == 60


def test_unknown_cards_need_no_quotes() -> None:
    for hand in ("[?, ?, r1]", '["?", "?", r1]', "? ? r1", "\n  - ?\n  - ?\n  - r1", "[{}, {card: ?}, r1]"):
        position = parse_position(f"hands:\n - {hand}\n - []\n".replace("\n  -", "\n   -"))
        assert [held.identity for held in position.hands[0]] == [0, UNKNOWN, UNKNOWN], hand


def test_suits_without_a_fixed_order_list_their_cards() -> None:
    text = 'variant: 24\nhands: [[], []]\nfireworks: {r: [r7, r2], b: b5 b4, "y": 0}\n'
    position = parse_position(text)
    assert [position.variant.card_name(card) for card in position.placed[0]] == ["r7", "r2"]
    with pytest.raises(NotationError, match=r"line 3, fireworks\.r: found 2, expected the cards in"):
        parse_position("variant: 24\nhands: [[], []]\nfireworks: {r: 2}\n")
    down = parse_position("variant: black-powder\nhands: [[], []]\nfireworks: {k: 2}\n")
    assert [down.variant.card_name(card) for card in down.placed[5]] == ["k5", "k4"]


def test_half_tokens_are_for_clue_starved() -> None:
    text = "variant: Clue Starved (6 Suits)\nhands: [[], []]\nclues: 2.5\n"
    assert parse_position(text).clues == 2.5
    with pytest.raises(NotationError, match=r"line 1, clues: found 2\.5"):
        parse_position("clues: 2.5\nhands: [[], []]\n")


# -------------------------------------------------------------------------------------------- fixpoints


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any position of a variant: a random cut of its deck, with true clues on the known cards."""
    variant = load_variant(draw(st.sampled_from(variant_names())))
    players = draw(st.integers(2, 6))
    options = site_options(players, stop_when_dead=variant.id >= 0)
    deck = list(draw(st.permutations(variant.deck_in_order())))
    hands = []
    for _ in range(players):
        hand = []
        for _ in range(draw(st.integers(0, options.cards_per_hand))):
            card = deck.pop() if draw(st.booleans()) else UNKNOWN
            masks = [*((2, i, mask) for i, mask in enumerate(variant.color_touch)),
                     *((3, variant.clue_ranks[i], mask) for i, mask in enumerate(variant.rank_touch))]
            told = [
                Told(kind, value, bool(mask >> card & 1) if card >= 0 else draw(st.booleans()))
                for kind, value, mask in masks
                if draw(st.integers(0, 9)) == 0
            ]
            hand.append(HeldCard(card, tuple(told)))
        hands.append(tuple(hand))
    unknown = sum(held.identity == UNKNOWN for hand in hands for held in hand)
    discards = [deck.pop() for _ in range(draw(st.integers(0, min(20, len(deck) - unknown))))]
    count = len(deck) - unknown
    order = tuple(deck[:count]) if draw(st.booleans()) else None
    return Position(
        variant=variant,
        options=replace(options, strikes_max=draw(st.integers(3, 9))),
        names=tuple(draw(st.permutations(["Ann", "Zoë B", "no", "7", "true", "x:#"]))[:players]),
        to_move=draw(st.integers(0, players - 1)),
        placed=((),) * len(variant.suits),
        discards=tuple(discards),
        hands=tuple(hands),
        deck=order,
        deck_count=count,
        clues=float(draw(st.integers(0, 8))),
        strikes=draw(st.integers(0, 2)),
        turn=draw(st.integers(0, 99)),
    )


@settings(max_examples=50)
@given(positions())
def test_files_are_read_back_as_written(position: Position) -> None:
    assert parse_position(format_position(position)) == position


def test_the_format_examples_of_the_documentation() -> None:
    files = sorted(SCENARIOS.glob("format-*.yaml"))
    assert files
    for file in files:
        position = parse_position(file.read_text(encoding="utf-8"))
        assert parse_position(format_position(position)) == position


def test_the_file_in_the_documentation() -> None:
    text = (SCENARIOS / "README.md").read_text(encoding="utf-8")
    position = parse_position(text.partition("```yaml\n")[2].partition("```")[0])
    assert (position.deck_count, position.turn, position.options.strikes_max) == (20, 34, 2)


def test_names_fall_back_to_hanabi_live() -> None:
    assert parse_position("players: 3\nhands: [[], [], []]").names == default_names(3)


# ----------------------------------------------------------------------------------------------- errors

WRONG = [
    ("to_move: Alice", "to_move: Alic", "line 3, to_move: found 'Alic', expected a player"),
    ("to_move: Alice", "to_move: 3", "line 3, to_move: found 3, expected a player (Alice, Bob"),
    ("[Alice, Bob, Cathy]", "[Alice, Alice, Cathy]", "line 2, players: found 'Alice', expected different"),
    ("[Alice, Bob, Cathy]", "[Alice]", "line 2, players: found [\"Alice\"], expected 2 to 6 players"),
    ("[Alice, Bob, Cathy]", "7", "line 2, players: found 7, expected 2 to 6 players"),
    ("r: 3", "x: 3", "line 4, fireworks.x: found 'x', expected a suit of No Variant: r y g b p"),
    ("r: 3", "r: 6", "line 4, fireworks.r: found 6, expected 0 to 5 cards"),
    ("r: 3", "r: 3, red: 3", "line 4, fireworks.red: found 'red', expected each suit once"),
    ("r: 3", "r: [r1, b2]", "line 4, fireworks.r: found"),
    ("r: 3", "r: high", "line 4, fireworks.r[0]: found 'high', expected a card"),
    ("discards:", "discard:", "line 5, discard: found 'discard', expected one of variant, players"),
    ("discards: rest", "discards: [r1, x1]", "line 5, discards[1]: found 'x1', expected a card"),
    ("discards: rest", "discards: r4 b4", "line 11, deck: found 38 cards placed, discarded"),
    ("discards: rest", "discards: 7", "line 5, discards: found 7, expected cards such as r4"),
    ("clues: 0", "clues: 9", "line 6, clues: found 9, expected 0 to 8 in steps of 1"),
    ("clues: 0", "clues: -1", "line 6, clues: found -1, expected the clue tokens"),
    ("clues: 0", "clues: no", "line 6, clues: found 'no', expected the clue tokens"),
    ("clues: 0", "strikes: 3", "line 6, strikes: found 3, expected 0 to 2"),
    ("clues: 0", "turns_left: 2", "line 6, turns_left: found 2, expected nothing: the deck is not empty"),
    ("clues: 0", "turn: 0", "line 6, turn: found 0, expected which turn"),
    ("clues: 0", "options: {strikes: 1}", "line 6, options: found 'strikes', expected an option"),
    ("clues: 0", "options: 5", "line 6, options: found 5, expected a mapping of table options"),
    ("clues: 0", "variant: Rainbw (6 Suits)", "line 6, variant: unknown variant 'Rainbw (6 Suits)'; nearest"),
    ("clues: 0", "clues: 0\nclues: 1", "line 7: found 'clues' twice"),
    ("clues: 0", "clues: [0", "found no valid YAML"),
    ("clues: 0", "clues: !!python/object:os.system 0", "line 6, clues: found the tag"),
    ("clues: 0", "? [a]: b", "found"),
    ("[r1, r1, r2, r3, r4]", "[r1, r1, r2, r3, r6]", "line 8, hands.Alice[4]: found 'r6', expected a card"),
    ("[r1, r1, r2, r3, r4]", "[r1, r1, r2, r3, r4, r1]", "line 8, hands.Alice: found 6 cards, expected"),
    ("[r1, r1, r2, r3, r4]", "{r1: r2}", "line 8, hands.Alice: found {\"r1\": \"r2\"}, expected the"),
    ("Alice: [r1, r1, r2", "Alice: [&a r1, *a, r2", "line 8, hands.Alice[1]: found an alias"),
    ("  Cathy: g1", "  Carl: g1", "line 10, hands.Carl: found 'Carl', expected a player"),
    ("  Cathy: g1 g1 b1 b1 p1\n", "", "line 7, hands: found no hand of Cathy"),
    ("  Cathy: g1 g1 b1 b1 p1", "  bob: g1 g1 b1 b1 p1", "line 10, hands.bob: found 'bob', expected one"),
    ("told: [red, 5", "told: [rad, 5", "line 9, hands.Bob[1].told[0]: found 'rad', expected a clue"),
    ("told: [red, 5", "told: [red, 6", "line 9, hands.Bob[1].told[1]: found 6, expected a clue"),
    ("told: [red, 5", "tol: [red, 5", "line 9, hands.Bob[1].tol: found 'tol', expected one of card, told"),
    ("deck: [b2", "deck: [?, b2", "line 11, deck[0]: found '?', expected a card"),
    ("deck: [b2, b3, p2]", "deck: 3", "line 5, discards: found 'rest', expected a list of cards"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "says"), WRONG, ids=[row[1][:24] for row in WRONG])
def test_wrong_files(old: str, new: str, says: str) -> None:
    assert old in ENDGAME
    with pytest.raises(HanasolveError) as error:
        parse_position(ENDGAME.replace(old, new, 1))
    assert says in str(error.value)


def test_too_many_copies() -> None:
    with pytest.raises(ImpossiblePosition) as error:
        parse_position(ENDGAME.replace("b5, y1]", "b5, r5]").replace("rest", "[]"))
    assert error.value.kind == "copies"
    assert str(error.value) == (
        "line 9, hands.Bob: found 2 times r5 (2 in hands.Bob), expected at most 1 in No Variant"
    )


@pytest.mark.parametrize(("told", "fact"), [("blue", "blue does not touch r5"), ("not 5", "5 touches r5")])
def test_cards_that_were_told_something_false(told: str, fact: str) -> None:
    with pytest.raises(ImpossiblePosition) as error:
        parse_position(ENDGAME.replace("told: [red", f"told: [{told}"))
    assert error.value.kind == "clue-card"
    assert str(error.value).startswith("line 9, hands.Bob[1]: found r5 told")
    assert fact in str(error.value)


def test_given_players_and_variant_must_agree() -> None:
    with pytest.raises(NotationError, match="expected 4 as in --players"):
        parse_position(ENDGAME, players=4)
    with pytest.raises(NotationError, match="as in --variant"):
        parse_position("variant: 6 Suits\nhands: [[], []]", variant="0")


# ----------------------------------------------------------------------------------- schema and fuzzing


def test_the_published_schema_is_up_to_date() -> None:
    """If this fails: ``SCHEMA_FILE.write_text(schema_text())``."""
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text()


SCALARS = st.none() | st.booleans() | st.integers(-2, 90) | st.floats(-1, 9) | st.sampled_from(
    ("r4", "?", "r44", "rest", "red", "not 3", "Ann", "")
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(("card", "told", "r", "Ann", "Ben")), inner, max_size=2),
    max_leaves=5,
)
FILES = st.dictionaries(st.sampled_from([*PositionFile.model_fields, "other"]), VALUES, max_size=4)


def follows_schema(value: Any) -> bool:
    try:
        check(Document(value), schema())
    except NotationError:
        return False
    return True


def follows_model(value: Any) -> bool:
    try:
        PositionFile.model_validate(value)
    except ValidationError:
        return False
    return True


@given(FILES | VALUES)
def test_the_checker_agrees_with_the_model(value: Any) -> None:
    assert follows_schema(value) == follows_model(value)


def test_the_example_follows_the_model() -> None:
    data = load_yaml(ENDGAME).data
    assert follows_model(data) and follows_schema(data)


@given(FILES)
def test_only_our_errors_escape(value: Any) -> None:
    text = json.dumps({"hands": [[], []], **value})
    try:
        parse_position(text)
    except HanasolveError as error:
        assert "line 1" in str(error)


@given(st.text(max_size=40) | st.text("?:-[]{}, \n#&*!|>'\"ar1", max_size=40))
def test_only_our_errors_escape_from_texts(text: str) -> None:
    for document in (text, "hands: " + text, ENDGAME + text, ENDGAME.replace("rest", text)):
        try:
            parse_position(document)
        except HanasolveError as error:
            assert str(error)


BREAKERS = ["[" * 5000, "- " * 5000, "", "# nothing", "--- 1\n--- 2", "a: &a [*a]", "\x00", "- -\n-", "%"]


@pytest.mark.parametrize("text", BREAKERS, ids=range(len(BREAKERS)))
def test_texts_that_break_yaml_readers(text: str) -> None:
    with pytest.raises(NotationError):
        parse_position(text)
