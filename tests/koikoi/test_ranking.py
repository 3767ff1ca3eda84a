"""Hidden-card positions: recorded exact and averaged endings, the label rules, sampling, chances."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from hanasolve.koikoi.game import cards, rules
from hanasolve.koikoi.game.deck import seeded_deck
from hanasolve.koikoi.notation.position import Position
from hanasolve.koikoi.ranking import chances
from hanasolve.koikoi.ranking.hidden import Ranking, choices, count_worlds, rank
from tests.koikoi.koikoi_data import load

ENDINGS = load("endings")


def position_of(entry: dict[str, Any], phase: int, record: Any) -> Position:
    """The position of a recorded ending."""
    game, mover = rules.new_game(), "AB".index(entry["to_move"])
    game["mover"], game["turn"], game["phase"] = mover, entry["turn"], phase
    game["hands"][mover], game["field"] = cards.mask(entry["hand"]), cards.mask(entry["field"])
    game["piles"][:] = cards.mask(entry["captured_A"]), cards.mask(entry["captured_B"])
    if entry["koikoi"]:
        game["calls"]["AB".index(entry["koikoi"])] = 1
    game["next"] = entry["turn"] - (phase == rules.PLAY)
    return Position(game, record, {}, False, entry["opponent_hand_size"])


def sums(ranking: Ranking) -> dict[tuple[int, int], int | None]:
    return {(option.choice.card, option.choice.taken): option.total for option in ranking.options}


def expected(entry: dict[str, Any], key: str = "sum") -> dict[tuple[int, int], int]:
    return {(option["card"], cards.mask(option["take"])): option[key] for option in entry["options"]}


@pytest.mark.parametrize("entry", ENDINGS["exact"], ids=lambda entry: entry["id"])
def test_exact_endings(entry: dict[str, Any], nintendo: Any) -> None:
    position = position_of(entry, rules.PLAY, nintendo)
    ranking = rank(position)
    assert (ranking.method, ranking.worlds) == ("exact", entry["worlds"])
    assert sums(ranking) == expected(entry)
    average = rank(position, method="average-pi-all")
    if "average_sum" in entry["options"][0]:
        assert sums(average) == expected(entry, "average_sum")
    if entry["turn"] == 16:
        assert sums(average) == expected(entry)


@pytest.mark.parametrize("entry", ENDINGS["average"], ids=lambda entry: entry["id"])
def test_averaged_endings(entry: dict[str, Any], nintendo: Any) -> None:
    ranking = rank(position_of(entry, rules.PLAY, nintendo))
    assert (ranking.method, ranking.worlds) == ("average-pi-all", entry["worlds"])
    assert sums(ranking) == expected(entry)


@pytest.mark.parametrize("entry", ENDINGS["decide"], ids=lambda entry: entry["id"])
def test_decisions(entry: dict[str, Any], nintendo: Any) -> None:
    ranking = rank(position_of(entry, rules.DECIDE, nintendo))
    found = {option.choice.kind: option for option in ranking.options}
    assert ranking.worlds == entry["worlds"]
    assert found["stop"].mean == entry["stop"]
    assert found["koikoi"].total == entry["koikoi_sum"]
    assert ranking.options[0].choice.kind == entry["better"]


def test_sampling_agrees_within_four_standard_errors(nintendo: Any) -> None:
    for entry in ENDINGS["average"]:
        ranking = rank(position_of(entry, rules.PLAY, nintendo), worlds=400, max_worlds=1, seed=3)
        assert ranking.method == "average-pi"
        means = {(o["card"], cards.mask(o["take"])): o["mean"] for o in entry["options"]}
        for option in ranking.options:
            distance = abs(option.mean - means[option.choice.card, option.choice.taken])
            assert distance <= 4 * option.se + 1e-9
        assert ranking.options[0].diff == ranking.options[0].se_diff == 0


WORLDS = {16: 9, 15: 990, 14: 11_880, 13: 1_081_080, 12: 16_216_200, 11: 1_470_268_800}  # section 5.3


@pytest.mark.parametrize(("turn", "worlds"), WORLDS.items())
def test_number_of_worlds(turn: int, worlds: int) -> None:
    game = rules.new_game()
    game["turn"], game["mover"] = turn, 1 - turn % 2
    own = 8 - (turn - 1) // 2
    other = own - (turn % 2 == 0)
    unseen = cards.mask(range(48 - own - 8 - 2 * (turn - 1)))
    assert count_worlds(game, unseen, other) == worlds


def test_same_seed_same_answer(nintendo: Any) -> None:
    position = position_of(ENDINGS["average"][0], rules.PLAY, nintendo)
    first, second = (rank(position, worlds=50, max_worlds=1, seed=9) for _ in range(2))
    assert [option.mean for option in first.options] == [option.mean for option in second.options]


def test_close_options_are_said_to_be(nintendo: Any) -> None:
    position = position_of(ENDINGS["average"][0], rules.PLAY, nintendo)
    ranking = rank(position, worlds=2, max_worlds=1)
    expected_close = -ranking.options[1].diff < 2 * ranking.options[1].se_diff or ranking.options[1].diff == 0
    assert ranking.close == expected_close


def test_turns_15_and_16_after_the_stock_card_is_seen(nintendo: Any) -> None:
    """Phase draw: on turn 16 nothing is hidden; on turn 15 playing and matching agree with each other."""
    source, done = random.Random(4), 0
    for seed in range(400):
        game = rules.deal_record(seeded_deck(seed), 0, nintendo)
        game["phase"] = rules.PLAY
        turn = 15 + seed % 2
        while game["phase"] != rules.OVER and not (game["turn"] == turn and game["phase"] == rules.DRAW):
            rules.apply(game, nintendo, source.choice(rules.legal(game, nintendo)))
        if game["phase"] == rules.OVER:
            continue
        done += 1
        hidden = Position(rules.copy_game(game), nintendo, {}, True, 16 - turn)
        ranking = rank(hidden)
        assert (ranking.method, ranking.worlds) == ("exact", 1 if turn == 16 else 90)
        if turn == 16:
            assert rank(hidden, method="average-pi-all").options[0].mean == ranking.options[0].mean
    assert done > 20


def test_equal_plains_are_one_option(nintendo: Any) -> None:
    game = rules.new_game()
    game["hands"][0], game["field"] = cards.mask([2, 3, 8]), cards.mask([10, 11])
    found = [(choice.card, choice.taken) for choice in choices(game, nintendo)]
    assert found == [(2, 0), (8, 1 << 10)]


def test_chances_of_yaku_add_up(nintendo: Any) -> None:
    position = position_of(ENDINGS["average"][0], rules.PLAY, nintendo)
    found = chances.yaku_chances(position, 500, seed=1)
    assert math.isclose(sum(found.won) + found.undecided, 1.0)
    assert all(0 <= share <= 1 for row in found.yaku for share in row.values())
    assert chances.yaku_chances(position, 500, seed=1) == found


def test_match_chance_of_the_last_round_is_counted(nintendo: Any) -> None:
    position = position_of(ENDINGS["average"][0], rules.PLAY, nintendo)
    options = rank(position).options
    for lead in (-30, 0, 3):
        for option, chance in zip(
            options, chances.match_chances(options, lead, 0, "nintendo", {}), strict=True
        ):
            worlds = sum(option.histogram.values())
            won = sum(times for value, times in option.histogram.items() if lead + value > 0)
            assert math.isclose(chance.win, won / worlds)
    ahead, behind = (chances.match_chances(options, lead, 2, "nintendo", {})[0].win for lead in (40, -40))
    assert ahead > 0.9 > 0.1 > behind


def test_opponents_cards(nintendo: Any) -> None:
    position = position_of(ENDINGS["average"][0], rules.PLAY, nintendo)
    assert str(chances.hand_chance(position)) == "1/12"
