"""Known deals: recorded values, the naive minimax on late positions, cooperative bounds, lines,
properties."""

from __future__ import annotations

import random
from typing import Any

import pytest

from hanasolve.errors import LimitReached
from hanasolve.koikoi.game import cards, rules
from hanasolve.koikoi.game.deck import seeded_deck
from hanasolve.koikoi.game.rules import OVER, PLAY
from hanasolve.koikoi.notation.position import parse_position
from hanasolve.koikoi.notation.text import format_turn
from hanasolve.koikoi.search import solve as s
from hanasolve.koikoi.search.coop import SLOTS_COOP, coop_values
from hanasolve.koikoi.search.kernel import TABLE_LAST, new_space
from hanasolve.limits import Limit
from tests.koikoi.koikoi_data import known_game, load
from tests.oracles import koikoi_naive as naive

DEALS = load("known_deal_values")["deals"]
EXAMPLE = """
game: koikoi
dealer: A
to_move: A
hands:
  A: 1r 3b 4r 4p1 5p1 7r 11b 11a
  B: 2r 4p2 5a 5r 6p1 8p2 10a 10p1
field: 1p1 3r 3p2 6r 7a 7p1 9p2 11r
stock: 2a 4a 9r 6p2 9a 2p2 8p1 10p2 2p1 12p2 8b 10r 9p1 3p1 11p 8a 1b 5p2 12p3 12p1 7p2 1p2 12b 6a
"""
# rules-koikoi.md, section 3.3
EXAMPLE_LINE = (
    "A: 1r x 1p1, 2a; B: 2r x 2a, 4a; A: 3b x 3r, 9r x 9p2; B: 4p2 x 4a, 6p2 x 6r; A: 4r, 9a; B: 5r, 2p2; "
    "A: 4p1 x 4r, 8p1; B: 5a x 5r, 10p2; A: 5p1, 2p1 x 2p2; B: 8p2 x 8p1, 12p2; A: 7r x 7a, 8b, koikoi; "
    "B: 6p1, 10r x 10p2; A: 11b x 11r, 9p1 x 9a, stop"
)


@pytest.mark.parametrize("deal", DEALS, ids=lambda deal: str(deal["deal"]))
def test_recorded_values(deal: dict[str, Any], nintendo: Any, space: Any) -> None:
    value = s.value_a(known_game(deal), nintendo, space)
    assert value == deal["value_A"]
    assert -deal["coop_B"] <= value <= deal["coop_A"]


def test_example_line_by_the_tie_rule() -> None:
    position = parse_position(EXAMPLE)
    solution = s.solve(position.game, position.rules)
    assert solution.value == 14
    assert "; ".join(format_turn(turn) for turn in solution.line) == EXAMPLE_LINE
    best = max(option.value for option in solution.moves)
    assert best == 14 and solution.final["score"] == 14


def test_lines_replay_to_their_value(nintendo: Any, space: Any) -> None:
    for deal in DEALS[:8]:
        solution = s.solve(known_game(deal), nintendo, space)  # replays the line, or fails
        assert solution.value == deal["value_A"]
        assert max(option.value for option in solution.moves) == solution.value


def test_cooperative_bounds_enclose_the_value(nintendo: Any, space: Any) -> None:
    """Section 6.5, on late positions; a player who can be helped to nothing cannot win either."""
    small, choice = new_space(1 << 16), random.Random(13)
    for seed in range(30):
        game = late_position(seed, 11, nintendo, choice)
        if game is not None:
            bound_a, bound_b = coop_values(game, nintendo, small)
            assert -bound_b <= s.value_a(game, nintendo, space) <= bound_a


@pytest.mark.slow
def test_all_cooperative_bounds(nintendo: Any) -> None:
    space = new_space(SLOTS_COOP)
    for deal in DEALS:
        assert coop_values(known_game(deal), nintendo, space) == (deal["coop_A"], deal["coop_B"])


def _record_value(entry: dict[str, Any], nintendo: Any, space: Any) -> int:
    dealer = "AB".index(entry["dealer"])
    value = s.value_a(known_game(entry, dealer), nintendo, space)
    return value if dealer == 0 else -value


def test_some_recorded_rounds_have_their_value(nintendo: Any, space: Any) -> None:
    for record in load("records")["games"][:8]:
        for entry in record["rounds"]:
            assert _record_value(entry, nintendo, space) == entry["value_dealer"]


@pytest.mark.slow
def test_all_recorded_rounds_have_their_value(nintendo: Any, space: Any) -> None:
    for record in load("records")["games"]:
        for entry in record["rounds"]:
            assert _record_value(entry, nintendo, space) == entry["value_dealer"]


# --- the naive twin ---------------------------------------------------------------------------------------

TWINS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"koikoi_limit": "unlimited"}, {"unlimited": True}),
    ({"exhausted_call": "caller"}, {"exhausted": "caller"}),
    ({"exhausted_call": "higher", "koikoi_limit": "unlimited"}, {"exhausted": "higher", "unlimited": True}),
    ({"new_yaku": "new_name"}, {"new_name": True}),
    ({"match_three": "choose"}, {"choose_three": True}),
    ({"double_combine": "once", "red_blue": "sum"}, {"once": True, "sum_red_blue": True}),
    ({"stack_sets": True, "cup": "animal"}, {"stack": True, "cup_plain": False}),
]


def late_position(seed: int, turn: int, record: Any, choice: random.Random) -> Any:
    """A GAME in phase play on ``turn`` (or None), reached by random legal play that calls whenever it can."""
    game = rules.deal_record(seeded_deck(seed), seed % 2, record)
    game["phase"] = PLAY
    while game["phase"] != OVER and not (game["turn"] == turn and game["phase"] == PLAY):
        rules.apply(game, record, choice.choice(rules.legal(game, record)))
    return None if game["phase"] == OVER else game


def naive_value(game: Any, options: dict[str, Any]) -> int:
    """Mover's value by the naive minimax."""
    hands = [set(cards.cards_of(hand)) for hand in game["hands"]]
    piles = [set(cards.cards_of(pile)) for pile in game["piles"]]
    stock = [int(card) for card in game["stock"][game["next"] :]]
    field = set(cards.cards_of(game["field"]))
    calls = [int(count) for count in game["calls"]]
    mover, turn = int(game["mover"]), int(game["turn"])
    return naive.minimax(hands, piles, field, stock, mover, turn, calls, naive.DEFAULTS | options)


@pytest.mark.parametrize(("options", "naive_options"), TWINS, ids=str)
def test_naive_minimax_agrees(options: dict[str, Any], naive_options: dict[str, Any], space: Any) -> None:
    """70 late positions for each of 8 rule sets (560 in all), half with and half without the table."""
    record = rules.make_rules("nintendo", {"lucky_hands": "off", **options})
    choice, done, seed = random.Random(11), 0, 0
    while done < 70:
        seed += 1
        game = late_position(seed, 12 + done % 4, record, choice)
        if game is None:
            continue
        space.control[TABLE_LAST] = 14 if done % 2 else 0
        value = s.value_a(game, record, space)
        expected = naive_value(game, naive_options)
        assert (value if game["mover"] == 0 else -value) == expected, f"seed {seed}"
        done += 1
    space.control[TABLE_LAST] = 14


@pytest.mark.slow
def test_naive_minimax_agrees_from_turn_ten(nintendo: Any, space: Any) -> None:
    choice, done, seed = random.Random(12), 0, 0
    while done < 60:
        seed += 1
        game = late_position(seed, 10, nintendo, choice)
        if game is not None:
            value = s.value_a(game, nintendo, space)
            assert (value if game["mover"] == 0 else -value) == naive_value(game, {})
            done += 1


# --- properties -------------------------------------------------------------------------------------------


def test_exhausted_call_does_not_change_a_fresh_deal(space: Any) -> None:
    """Section 1.6: ``none`` and ``caller`` give the same value from a position without a call."""
    caller = rules.make_rules("nintendo", {"exhausted_call": "caller"})
    for deal in DEALS[:20]:
        assert s.value_a(known_game(deal), caller, space) == deal["value_A"]


def test_exchanging_names_changes_the_sign(nintendo: Any, space: Any) -> None:
    for deal in DEALS[:20]:
        swapped = {**deal, "hand_A": deal["hand_B"], "hand_B": deal["hand_A"]}
        assert s.value_a(known_game(swapped, 1), nintendo, space) == -deal["value_A"]


def test_limit_is_kept(nintendo: Any, space: Any) -> None:
    with pytest.raises(LimitReached, match="100nodes"):
        s.value_a(known_game(DEALS[0]), nintendo, space, Limit(nodes=100))
    assert s.value_a(known_game(DEALS[0]), nintendo, space) == DEALS[0]["value_A"]


def test_middle_of_a_turn_keeps_the_value(nintendo: Any, space: Any) -> None:
    """The value of a position is that of its best option, step by step."""
    for deal in DEALS[:5]:
        game = known_game(deal)
        while game["phase"] != OVER:
            space_value = _value(game, nintendo, space)
            after = []
            for action in rules.legal(game, nintendo):
                child = rules.copy_game(game)
                rules.apply(child, nintendo, action)
                sign = 1 if child["mover"] == game["mover"] else -1
                ended = child["phase"] == OVER
                value = (
                    s.signed_score(child, int(game["mover"]))
                    if ended
                    else sign * _value(child, nintendo, space)
                )
                after.append((value, child))
            best, game = max(after, key=lambda pair: pair[0])
            assert best == space_value


def _value(game: Any, record: Any, space: Any) -> int:
    value = s.value_a(game, record, space)
    return value if game["mover"] == 0 else -value


def test_generations_of_the_table_wrap(nintendo: Any) -> None:
    from hanasolve.koikoi.search.kernel import GENERATION, GENERATIONS

    space = new_space(1 << 14)
    space.control[GENERATION] = GENERATIONS - 2
    for deal in DEALS[:5]:
        assert s.value_a(known_game(deal), nintendo, space) == deal["value_A"]
    assert int(space.control[GENERATION]) == 3
