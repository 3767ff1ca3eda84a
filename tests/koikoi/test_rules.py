"""The rules engine: recorded rounds, the deal, the course of a round, and what always holds in random
rounds."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from hanasolve.errors import IllegalAction, UnsupportedVariant
from hanasolve.koikoi.game import cards, rules, scoring, yaku
from hanasolve.koikoi.game.deck import seeded_deck
from hanasolve.koikoi.game.rules import DECIDE, OVER, PLAY, Action
from hanasolve.koikoi.notation.position import parse_position
from hanasolve.koikoi.notation.text import parse_turn, play_turn
from tests.koikoi.koikoi_data import known_game, load
from tests.oracles import koikoi_counting as counting

RECORDS = load("records")["games"]


def deck_of(record: dict[str, Any]) -> Any:
    """The deck that deals a recorded round."""
    dealer = record["dealer"]
    hands = record[f"hand_{'AB'['BA'.index(dealer)]}"], record[f"hand_{dealer}"]
    deck = []
    for k in range(4):
        for group in (record["field"], *hands):
            deck += group[2 * k : 2 * k + 2]
    return np.array(deck + record["stock"])


def replay(record: dict[str, Any], house: Any) -> Any:
    """Play a recorded round through the rules engine."""
    game = rules.new_game()
    assert rules.deal(game, deck_of(record), "AB".index(record["dealer"]), house)
    for player, card, took, drawn, drawn_took, *called in record["moves"]:
        assert "AB"[game["mover"]] == player and game["phase"] == PLAY
        rules.apply(game, house, Action("play", card, cards.mask(took)))
        rules.apply(game, house, Action("match", drawn, cards.mask(drawn_took)))
        if game["phase"] == DECIDE:
            rules.apply(game, house, Action("call" if called[0] else "stop"))
    return game


def test_all_recorded_rounds_replay(nintendo: Any) -> None:
    """635 rounds: piles, yaku by our rules, house scores, dealers and final points of 80 games."""
    house = rules.make_rules("koikoi-ai")
    rounds = 0
    for record in RECORDS:
        totals, game = list(record["start"]), None
        for entry in record["rounds"]:
            if game is not None:
                assert rules.next_dealer(game, house) == "AB".index(entry["dealer"])
            game = replay(entry, house)
            assert game["phase"] == OVER
            assert bool(game["exhausted"]) == (entry["winner"] is None)
            score = int(game["score"]) if game["winner"] == 0 else -int(game["score"])
            assert score == entry["house_A"]
            for player, name in enumerate("AB"):
                assert cards.cards_of(game["piles"][player]) == sorted(entry[f"captured_{name}"])
                found = yaku.yaku_list(int(game["piles"][player]), nintendo)
                assert {y.name: y.points for y in found} == entry[f"yaku_{name}"]
            totals = [totals[0] + score, totals[1] - score]
            rounds += 1
        assert totals == record["end"]
    assert rounds == 635


def test_deal_order(nintendo: Any) -> None:
    """Section 1.1: two to the field, two to the other player, two to the dealer, four times."""
    game = rules.deal_record(range(48), 1, nintendo)
    assert cards.cards_of(game["field"]) == [0, 1, 6, 7, 12, 13, 18, 19]
    assert cards.cards_of(game["hands"][0]) == [2, 3, 8, 9, 14, 15, 20, 21]
    assert cards.cards_of(game["hands"][1]) == [4, 5, 10, 11, 16, 17, 22, 23]
    assert list(game["stock"]) == list(range(24, 48))


def test_deal_chances_are_exact() -> None:
    """Section 6.1, by two ways of counting."""
    assert counting.hands() == 377_348_994
    assert counting.teshi_hands() == 1_628_946
    assert counting.kuttsuki_hands() == 641_520
    one, two = counting.lucky_given_accepted_field()
    assert round(100 * float(one), 4) == 1.1967
    assert round(100 * float(two), 5) == 0.00484


def test_lucky_hands_by_enumerating_months(nintendo: Any) -> None:
    """The engine's own judgement of every way to hold months sums to the exact counts."""
    from tests.oracles.koikoi_naive import _vectors, all_hands_counted

    ways, lucky = (1, 4, 6, 4, 1), 0
    for held in _vectors(12, 8):
        hand = sum(((1 << n) - 1) << 4 * month for month, n in enumerate(held))
        if rules.lucky_points(hand, nintendo):
            weight = 1
            for n in held:
                weight *= ways[n]
            lucky += weight
    assert lucky == 1_628_946 + 641_520
    assert all_hands_counted() == (1_628_946, 641_520, 377_348_994)


LUCKY = [0, 1, 2, 3, 4, 8, 12, 16]
PLAIN_HAND = [5, 9, 13, 17, 20, 24, 28, 32]


def _lucky_deck(dealer_hand: list[int], other_hand: list[int], field: list[int] | None = None) -> Any:
    used = {*dealer_hand, *other_hand, *(field or [])}
    rest = [card for card in (37, 41, 45, 36, 40, 44, 33, 29, *range(48)) if card not in used]
    rest = list(dict.fromkeys(rest))
    chosen = field or rest[:8]
    deck: list[int] = []
    for k in range(4):
        for group in (chosen, other_hand, dealer_hand):
            deck += group[2 * k : 2 * k + 2]
    return np.array(deck + [card for card in rest if card not in chosen][:24])


def test_lucky_hand_ends_the_round(nintendo: Any) -> None:
    game = rules.new_game()
    assert rules.deal(game, _lucky_deck(PLAIN_HAND, LUCKY), 0, nintendo)
    assert (game["phase"], game["winner"], game["score"]) == (OVER, 1, 6)
    assert rules.next_dealer(game, nintendo) == 1


def test_lucky_options() -> None:
    off = rules.make_rules("nintendo", {"lucky_hands": False})  # YAML reads off as false
    game = rules.new_game()
    assert rules.deal(game, _lucky_deck(LUCKY, PLAIN_HAND), 0, off) and game["phase"] == PLAY
    again = rules.make_rules("nintendo", {"lucky_hands": "redeal"})
    assert not rules.deal(game, _lucky_deck(LUCKY, PLAIN_HAND), 0, again)
    both = [20, 21, 22, 23, 24, 28, 32, 36]
    assert rules.deal(game, _lucky_deck(LUCKY, both), 0, rules.make_rules())
    assert (game["winner"], game["score"], game["undecided"]) == (-1, 0, 1)
    assert rules.next_dealer(game, rules.make_rules()) == 1
    dealer = rules.make_rules("nintendo", {"lucky_both": "dealer"})
    assert rules.deal(game, _lucky_deck(LUCKY, both), 0, dealer) and game["winner"] == 0
    twice = rules.make_rules("nintendo", {"lucky_twice": "twice"})
    assert rules.lucky_points(0xFF, twice) == 12


def test_redeal_options(nintendo: Any) -> None:
    four, three, pairs = 0xF1110001, 0x71110011 & ~0x10, 0x33330000
    assert rules.field_cancelled(four, nintendo)
    assert not rules.field_cancelled(three, nintendo) and not rules.field_cancelled(pairs, nintendo)
    assert rules.field_cancelled(three, rules.make_rules("nintendo", {"redeal_field": "three"}))
    assert rules.field_cancelled(pairs, rules.make_rules("nintendo", {"redeal_field": "four_or_pairs"}))
    game = rules.new_game()
    assert not rules.deal(game, _lucky_deck(LUCKY, PLAIN_HAND, [36, 37, 38, 39, 40, 44, 45, 46]), 0, nintendo)


def test_first_dealer(nintendo: Any) -> None:
    assert rules.first_dealer(7, 8, nintendo) == 0
    assert rules.first_dealer(8, 7, nintendo) == 1
    assert rules.first_dealer(0, 2, nintendo) == -1
    by_class = rules.make_rules("nintendo", {"dealer_tie": "class"})
    assert [rules.first_dealer(0, 2, by_class), rules.first_dealer(2, 1, by_class)] == [0, 1]
    assert rules.first_dealer(2, 3, by_class) == -1


COURSE = """
game: koikoi
to_move: A
hands: {A: "9p1 12b 2a 4a 5a 6a 7a 1b", B: "4r 5r 6r 7r 8p1 10r 11r 12p1"}
field: 9a 3p1 2r 10a 10p1 11a 12p2 4p1
stock: 3b 1r 1p1 2p1 3r 1p2 2p2 5p1 5p2 6p1 6p2 7p1 7p2 8a 8p2 9r
"""


def test_course_hanami_in_the_first_turn() -> None:
    """Section 4: 9p1 takes the cup, the curtain turns up and takes a plain: hanami, 5 points."""
    position = parse_position(COURSE)
    game = position.game
    play_turn(game, position.rules, parse_turn("A: 9p1, 3b", game, position.rules))
    assert game["phase"] == DECIDE
    rules.apply(game, position.rules, Action("stop"))
    assert (game["winner"], game["score"], game["turn"]) == (0, 5, 1)


def test_opponent_doubles_after_a_call() -> None:
    """Section 4: the opponent of a caller wins doubled, and the caller gets nothing."""
    position = parse_position(COURSE)
    game, record = position.game, position.rules
    play_turn(game, record, parse_turn("A: 9p1 x 9a, 3b x 3p1, koikoi", game, record))
    assert game["calls"][0] == 1 and game["mover"] == 1
    game["piles"][1] = cards.mask([13, 17, 25, 42])  # four ribbons: the next one makes tan
    play_turn(game, record, parse_turn("B: 10r x 10a, 1r", game, record))
    assert (game["phase"], game["winner"], game["score"]) == (OVER, 1, 2)


def test_caller_gets_all_points_for_any_increase(nintendo: Any) -> None:
    """Section 4: called with kasu 1, an eleventh plain ends the round with 2, not with the difference."""
    game = rules.new_game()
    plains = [2, 3, 6, 7, 10, 11, 14, 15, 18, 19]
    game["piles"][0] = cards.mask(plains)
    game["hands"][:] = 1 << 20, 1 << 47
    game["field"] = cards.mask([22, 40])
    game["stock"][14:16] = 44, 45
    game["turn"], game["next"], game["calls"][0] = 15, 14, 1
    rules.apply(game, nintendo, Action("play", 20, 1 << 22))
    rules.apply(game, nintendo, Action("match", 44, 0))
    assert (game["winner"], game["score"]) == (0, 2)


def test_exhausted_round_options() -> None:
    expected = {"none": (-1, 0, 1), "caller": (0, 1, 0), "higher": (0, 1, 0)}
    for option, outcome in expected.items():
        record = rules.make_rules("nintendo", {"exhausted_call": option})
        game = rules.new_game()
        game["piles"][0] = cards.mask([2, 3, 6, 7, 10, 11, 14, 15, 18, 19])  # kasu 1, called
        game["hands"][1] = 1 << 47
        game["field"] = cards.mask([40])
        game["stock"][15] = 36
        game["turn"], game["next"], game["mover"], game["calls"][0] = 16, 15, 1, 1
        rules.apply(game, record, Action("play", 47, 0))
        rules.apply(game, record, Action("match", 36, 0))
        assert game["exhausted"] == 1
        assert (game["winner"], game["score"], game["undecided"]) == outcome


def test_new_name_option() -> None:
    record = rules.make_rules("nintendo", {"new_yaku": "new_name"})
    pile = cards.mask([2, 3, 6, 7, 10, 11, 14, 15, 18, 19])
    held = yaku.names(pile, record)
    more = pile | 1 << 22
    assert not scoring.is_new(1, held, more, 2, record)
    assert scoring.is_new(1, held, more | cards.mask([8, 32]), 7, record)


def test_choose_one_of_three() -> None:
    record = rules.make_rules("nintendo", {"match_three": "choose"})
    assert rules.takes(0b1110, 0, record) == [2, 4, 8]


def test_illegal_actions_say_what_is_legal() -> None:
    position = parse_position(COURSE)
    game, record = position.game, position.rules
    with pytest.raises(IllegalAction, match=r"9r is not in the hand") as caught:
        rules.apply(game, record, Action("play", 33))
    assert caught.value.code == "not_in_hand"
    with pytest.raises(IllegalAction, match=r"9p1 takes 9a, not nothing"):
        rules.apply(game, record, Action("play", 34))
    with pytest.raises(IllegalAction, match=r"stop is not possible now; expected play"):
        rules.apply(game, record, Action("stop"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cups": "both"}, "did you mean cup"),
        ({"cup": "x"}, "expected both or animal"),
        ({"rounds": 0}, "whole number >= 1"),
    ],
)
def test_bad_options(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UnsupportedVariant, match=words):
        rules.make_rules("nintendo", options)


@pytest.mark.parametrize("options", [{}, {"koikoi_limit": "unlimited"}, {"match_three": "choose"}], ids=str)
def test_random_rounds_keep_all_cards(options: dict[str, Any]) -> None:
    """48 different cards at any time; pairs in the piles; two of a month on the field only from the deal."""
    record = rules.make_rules("nintendo", {"lucky_hands": "off", **options})
    source = random.Random(7)
    for seed in range(60):
        game = rules.deal_record(seeded_deck(seed), seed % 2, record)
        dealt = int(game["field"])
        game["phase"] = PLAY  # play a cancelled deal as well
        while game["phase"] != OVER:
            rules.apply(game, record, source.choice(rules.legal(game, record)))
            _check_cards(game, dealt)


def _check_cards(game: Any, dealt: int) -> None:
    stock = cards.mask(int(card) for card in game["stock"][game["next"] :])
    drawn = 1 << int(game["drawn"]) if game["drawn"] >= 0 else 0
    parts = [int(x) for x in (game["field"], *game["hands"], *game["piles"], stock, drawn)]
    assert sum(part.bit_count() for part in parts) == 48
    assert sum(parts) == cards.ALL_CARDS
    for month in range(12):
        group = 15 << 4 * month
        assert (parts[3] & group).bit_count() % 2 == 0
        if (parts[0] & group).bit_count() >= 2:
            assert (dealt & group).bit_count() >= 2
    assert game["turn"] <= rules.TURNS


def test_next_dealer_options(nintendo: Any) -> None:
    game = known_game(load("known_deal_values")["deals"][0])
    game["undecided"] = 1
    keep = rules.make_rules("nintendo", {"undecided_dealer": "keep"})
    assert (rules.next_dealer(game, nintendo), rules.next_dealer(game, keep)) == (1, 0)
