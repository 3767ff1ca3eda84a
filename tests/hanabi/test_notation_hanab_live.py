"""Game files: what is tolerated, the older shapes, what is refused and how that reads."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanasolve.errors import HanasolveError, NotationError, UnsupportedVariant
from hanasolve.hanabi.game.deck import shuffle
from hanasolve.hanabi.game.options import Options, site_options
from hanasolve.hanabi.game.records import Action, Replay
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.notation.deck_file import deal_seed
from hanasolve.hanabi.notation.hanab_live import format_game, parse_game, parse_record
from hanasolve.hanabi.notation.jsonc import load_jsonc

SEEDS = json.loads((Path(__file__).parents[1] / "data" / "hanab_live" / "seeds.json").read_text())
DEAL = deal_seed("p3v0s1")
CARDS = [{"suitIndex": suit, "rank": rank} for suit, rank in map(DEAL.variant.suit_rank, DEAL.deck)]
RECORD: dict[str, Any] = {
    "players": ["Ann", "Ben", "Cid"],
    "deck": CARDS,
    "actions": [
        {"type": 2, "target": 1, "value": 4},
        {"type": 0, "target": 7},
        {"type": 3, "target": 0, "value": 5},
        {"type": 1, "target": 0, "value": None},
        {"type": 4, "target": 1, "value": 4},
    ],
}
ACTIONS = (Action(2, 1, 4), Action(0, 7), Action(3, 0, 5), Action(1, 0), Action(4, 1, 4))


@pytest.mark.parametrize("case", SEEDS, ids=lambda case: case["seed"])
def test_a_seed_instead_of_a_deck(case: dict[str, Any]) -> None:
    """200 seeds with the decks that the site deals."""
    record = {"players": case["players"], "seed": case["seed"], "options": {"variant": case["variant"]}}
    replay = parse_record({**record, "actions": []})
    assert [list(replay.variant.suit_rank(card)) for card in replay.deck] == case["deck"]
    assert replay.seed == case["seed"] and replay.options == site_options(case["players"])
    assert parse_record({**record, "deck": case["deck"], "actions": []}) == replay


def test_a_plain_record() -> None:
    replay = parse_record(RECORD)
    assert replay == Replay(DEAL.variant, site_options(3), ("Ann", "Ben", "Cid"), DEAL.deck, ACTIONS)
    assert replay.warnings == ()


# --------------------------------------------------------------------------------------------- tolerance


def test_comments_and_trailing_commas() -> None:
    text = json.dumps({**RECORD, "notes": ["// not /* a comment, ]"]}, indent=1)
    text = text.replace('"deck": [', '"deck": [ /* drawn\nfirst */').replace("\n  }", ", // x\n  }")
    text = "\ufeff// head\n" + text
    assert text.count(", // x") > 3
    assert parse_game(text) == parse_record(RECORD)


def test_faults_keep_their_place_behind_comments() -> None:
    with pytest.raises(NotationError, match="line 3, column 9"):
        load_jsonc('{ // one\n /* two\n */ "a" 1 }')


def test_extra_keys_are_ignored() -> None:
    extra = {"notes": [["x"]], "datetime": "now", "characters": [{"name": "", "metadata": -1}]}
    timed = {"options": {"timed": True, "timeBase": 120, "timePerTurn": 20, "what": 1}}
    assert parse_record({**RECORD, **extra, **timed}) == parse_record(RECORD)
    assert parse_record({**RECORD, "options": []}) == parse_record(RECORD)


def test_site_options() -> None:
    options = {
        "startingPlayer": 2, "deckPlays": True, "cardCycle": True, "speedrun": True, "emptyClues": True,
        "oneExtraCard": True, "allOrNothing": True,
    }  # fmt: skip
    found = parse_record({**RECORD, "options": options}).options
    assert found == site_options(
        3, first_player=2, deck_plays=True, card_cycle=True, speedrun=True, empty_clues="allow", hand_size=6,
        mode="perfect_or_defeat",
    )  # fmt: skip
    assert parse_record({**RECORD, "options": {"oneLessCard": True}}).options.cards_per_hand == 4


def test_the_deck_in_the_file_wins() -> None:
    replay = parse_record({**RECORD, "seed": "p3v0s2"})
    assert replay.deck == DEAL.deck
    assert replay.warnings == ("deck: it is not the deck of the seed p3v0s2; the deck in the file is used",)


def test_a_short_deck_is_completed_from_its_seed() -> None:
    short = {**RECORD, "deck": CARDS[:20]}
    replay = parse_record({**short, "seed": "p3v0s1"})
    assert replay.deck == DEAL.deck
    assert replay.warnings == ("deck: the last 30 cards were added from the seed p3v0s1",)
    partial = parse_record(short)
    assert partial.is_partial and partial.deck == DEAL.deck[:20]
    assert partial.warnings == ("deck: only the first 20 of 50 cards are known",)


def test_wrong_copies_are_a_warning() -> None:
    assert "instead of" in parse_record({**RECORD, "deck": [CARDS[0]] * 9 + CARDS[9:]}).warnings[0]


def test_scarce_ones_have_54_cards() -> None:
    variant = load_variant("Scarce Ones (6 Suits)")
    deck = [list(variant.suit_rank(card)) for card in variant.deck_in_order()]
    record = {"players": 2, "deck": deck, "actions": [], "options": {"variant": variant.name}}
    assert len(deck) == 54 and parse_record(record).warnings == ()


# ------------------------------------------------------------------------------------------ older shapes

OLD = {
    "variant": "No Variant",
    "firstPlayer": 1,
    "players": ["Ann", "Ben", "Cid"],
    "deck": [{"suit": card["suitIndex"], "rank": card["rank"]} for card in CARDS],
    "actions": [
        {"type": 0, "clue": {"type": 1, "value": 4}, "target": 1},
        {"type": 1, "target": 7},
        {"type": 0, "clue": {"type": 0, "value": 5}, "target": 0},
        {"type": 2, "target": 0},
    ],
}


def test_before_april_2020() -> None:
    replay = parse_record(OLD)
    assert (replay.deck, replay.actions, replay.options.first_player) == (DEAL.deck, ACTIONS[:4], 1)


def test_oldest_shape_has_words() -> None:
    kinds = ("clue", "play", "discard")
    actions = [{**action, "type": kinds[action["type"]]} for action in OLD["actions"]]  # type: ignore[index]
    assert parse_record({**OLD, "actions": actions}).actions == ACTIONS[:4]


def test_old_plays_without_clues() -> None:
    """Without any clue the deck's shape tells that 1 is a play."""
    assert parse_record({**OLD, "actions": [{"type": 1, "target": 5}]}).actions == (Action(0, 5),)
    assert parse_record({**OLD, "actions": [{"type": 1, "target": 5, "value": 0}]}).actions == (Action(1, 5),)


@pytest.mark.parametrize(
    ("clue", "says"),
    [
        ({"type": 0, "value": 0}, "actions[0].value: found 0, expected a number from 1 to 5"),
        ({"type": 1, "value": 6}, "actions[0].value: found 6, expected the index of a clue colour"),
        ({"type": 2, "value": 1}, "actions[0].clue.type: found 2, expected 0 number or 1 colour"),
        (None, "actions[0].clue: found nothing"),
    ],
)
def test_old_clues_that_fit_no_reading(clue: Any, says: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_record({**OLD, "actions": [{"type": 0, "clue": clue, "target": 0}]})
    assert says in str(error.value)


def test_bots_put_the_variant_on_top() -> None:
    record = {**RECORD, "variant": "Rainbow (5 Suits)", "deck": CARDS[:30]}
    replay = parse_record(record)
    assert replay.variant.name == "Rainbow (5 Suits)" and replay.is_partial


def test_templates_count_players() -> None:
    record = {key: value for key, value in RECORD.items() if key != "players"}
    assert parse_record({**record, "playerCount": 3}).names == ("Alice", "Bob", "Cathy")
    listed = {"numPlayers": 3, "variantID": 0, "variantName": "No Variant"}
    assert parse_record({**record, "options": listed}).names == ("Alice", "Bob", "Cathy")


# --------------------------------------------------------------------------------------------- fixpoints


@st.composite
def games(draw: st.DrawFn) -> Replay:
    """Any replay whose shape a file can hold; the actions need not be legal."""
    variant = load_variant(draw(st.sampled_from(("base", "black-powder")) | st.integers(0, 2425)))
    players = draw(st.integers(2, 6))
    some = st.sampled_from(("Ann", "ann", "Zoë", "x y", "1", "0", "Bo"))
    names = tuple(draw(st.lists(some, min_size=players, max_size=players, unique=True)))
    seed = draw(st.none() | st.just(f"p{players}v{variant.id}s1")) if variant.id >= 0 else None
    deck = tuple(shuffle(seed or "other", variant.deck_in_order()))
    base = site_options(players) if variant.id >= 0 else Options(players)
    options = replace(
        base,
        hand_size=draw(st.sampled_from((0, 2, 6, 7))),
        clues_max=draw(st.integers(1, 8)),
        mode=draw(st.sampled_from(("normal", "perfect_or_defeat", "royal_favor"))),
        empty_clues=draw(st.sampled_from(("forbid", "allow"))),
        deck_plays=draw(st.booleans()),
        stop_when_dead=draw(st.booleans()),
        first_player=draw(st.integers(0, players - 1)),
        tiles=tuple(draw(st.lists(st.sampled_from(("look", "take_back")), max_size=2))),
    )
    choices = st.none() | st.tuples(st.integers(0, 3), st.integers(0, 50), st.integers(0, 9))
    use = st.builds(Action, st.integers(0, 1), st.integers(0, len(deck) - 1), choice=choices)
    clue = st.builds(Action, st.just(3), st.integers(0, players - 1), st.integers(1, 5))
    end = st.builds(Action, st.integers(4, 5), st.integers(-1, players - 1), st.integers(0, 10))
    actions = tuple(draw(st.lists(use | clue | end, max_size=9)))
    number = draw(st.none() | st.integers(1, 10**6))
    return Replay(variant, options, names, deck, actions, seed=seed, id=number)


@given(games())
def test_files_are_read_back_as_written(replay: Replay) -> None:
    normal = replay.options.hand_size
    if normal and normal == Options(replay.options.players).cards_per_hand:
        replay = replace(replay, options=replace(replay.options, hand_size=0))
    again = parse_game(format_game(replay))
    assert again == replay
    assert again.warnings == ()


def test_only_what_differs_is_written() -> None:
    record = json.loads(format_game(parse_record(RECORD)))
    assert list(record) == ["players", "deck", "actions"]
    named = json.loads(format_game(replace(DEAL, id=7, variant=load_variant(1), seed=None)))
    assert list(named) == ["id", "players", "deck", "actions", "options"]
    assert named["options"] == {"variant": "6 Suits"}


# ------------------------------------------------------------------------------------------------ errors

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"players": None}, "players: found nothing, expected a list of 2 to 6 names"),
    ({"players": ["Ann"]}, "players: found 1 names, expected 2 to 6"),
    ({"players": ["Ann", "Ben", "Ann"]}, "players[2]: found 'Ann', expected a name that no other player has"),
    ({"players": ["Ann", 7]}, "players[1]: found 7, expected a name"),
    ({"players": 9}, "players: found 9, expected 2 to 6"),
    ({"deck": None}, "deck: found nothing, expected a list of cards, or a seed"),
    ({"deck": []}, "deck: found [], expected at least one card"),
    ({"deck": CARDS + CARDS[:1]}, "deck: found 51 cards, expected at most the 50 of No Variant"),
    ({"deck": [{"suitIndex": 5, "rank": 1}]}, "deck[0].suitIndex: found 5, expected 0 to 4"),
    ({"deck": [{"suitIndex": 0, "rank": 7}]}, "deck[0].rank: found 7, expected one of 1, 2, 3, 4, 5"),
    ({"deck": [{"suitIndex": True, "rank": 1}]}, "deck[0].suitIndex: found true"),
    ({"deck": ["r1"]}, "deck[0]: found 'r1', expected a card {suitIndex, rank}"),
    ({"actions": None}, "actions: found nothing, expected a list of actions"),
    ({"actions": {}}, "actions: found {}, expected a list of actions"),
    ({"actions": [7]}, "actions[0]: found 7, expected an action"),
    ({"actions": [{"type": 6, "target": 0}]}, "actions[0].type: found 6, expected 0 play, 1 discard"),
    ({"actions": [{"type": 0, "target": 50}]}, "actions[0].target: found 50, expected a card's position"),
    ({"actions": [{"type": 0, "target": 0, "value": 3}]}, "actions[0].value: found 3, expected 0 or nothing"),
    ({"actions": [{"type": 2, "target": 3, "value": 0}]}, "actions[0].target: found 3, expected a seat"),
    ({"actions": [{"type": 2, "target": 1, "value": 9}]}, "actions[0].value: found 9, expected the index"),
    ({"actions": [{"type": 3, "target": 1, "value": 6}]}, "actions[0].value: found 6, expected a number"),
    ({"actions": [{"type": 4, "target": 1, "value": 11}]}, "actions[0].value: found 11, expected an end"),
    ({"actions": [{"type": 0}]}, "actions[0].target: found nothing"),
    ({"characters": 5}, "characters: found 5, expected a list, or nothing"),
    ({"options": "x"}, "options: found 'x', expected an object"),
    ({"options": {"deckPlays": 1}}, "options.deckPlays: found 1, expected true or false"),
    ({"options": {"startingPlayer": 3}}, "options.startingPlayer: found 3, expected a seat from 0 to 2"),
    ({"options": {"oneExtraCard": True, "oneLessCard": True}}, "expected at most one of them"),
    ({"options": {"variant": "Rainbw (6 Suits)"}}, "options.variant: unknown variant 'Rainbw (6 Suits)'"),
    ({"options": {"variant": "6 Suits"}, "variant": "No Variant"}, "variant: found 'No Variant', expected"),
    ({"characters": [{"name": "Fuming", "metadata": 0}]}, "characters[0]: detrimental characters (Fuming)"),
    ({"tableOptions": {"strikes_max": 0}}, "tableOptions.strikes_max: found 0"),
    ({"gameActionList": []}, "log of the live protocol"),
]


@pytest.mark.parametrize(("change", "says"), WRONG, ids=str)
def test_wrong_records(change: dict[str, Any], says: str) -> None:
    with pytest.raises(HanasolveError) as error:
        parse_record({**RECORD, **change})
    assert says in str(error.value)


def test_a_protocol_log_is_named() -> None:
    with pytest.raises(NotationError, match="live protocol"):
        parse_record([{"type": "draw", "rank": 1}])


def test_given_players_and_variant_must_agree() -> None:
    assert parse_record(RECORD, players=3, variant="0") == parse_record(RECORD)
    with pytest.raises(NotationError, match="expected 4 as in --players"):
        parse_record(RECORD, players=4)
    with pytest.raises(NotationError, match="--variant: found '6 Suits', expected 'No Variant'"):
        parse_record({**RECORD, "options": {"variant": "No Variant"}}, variant="6 Suits")
    with pytest.raises(UnsupportedVariant, match="--variant: unknown variant"):
        parse_record(RECORD, variant="7 Suits")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99) | st.text(max_size=3) | st.floats(-9, 9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


KEYS = [*RECORD, "options", "seed", "variant", "characters", "tableOptions"]


@given(st.dictionaries(st.sampled_from(KEYS), JSON))
def test_only_our_errors_escape(change: dict[str, Any]) -> None:
    try:
        parse_record({**RECORD, **change})
    except HanasolveError as error:
        assert str(error) and error.exit_code == 2


@given(st.dictionaries(st.sampled_from(("type", "target", "value", "clue", "choice")), JSON))
def test_only_our_errors_escape_from_actions(action: dict[str, Any]) -> None:
    try:
        parse_record({**RECORD, "actions": [action]})
    except HanasolveError as error:
        assert "actions[0]" in str(error)


@given(st.text(max_size=60) | st.text('{}[]",:/*\n 1ae\\', max_size=60))
def test_only_our_errors_escape_from_texts(text: str) -> None:
    try:
        parse_game(text)
    except HanasolveError as error:
        assert str(error)


BREAKERS = ["[" * 100_000, "9" * 5000, "NaN", '{"a": -Infinity}', "", "\x00", '{"a": 1']


@pytest.mark.parametrize("text", BREAKERS, ids=range(len(BREAKERS)))
def test_texts_that_break_json_readers(text: str) -> None:
    with pytest.raises(NotationError):
        parse_game(text)


@given(JSON)
def test_jsonc_reads_all_json(value: Any) -> None:
    assert load_jsonc(json.dumps(value)) == value
