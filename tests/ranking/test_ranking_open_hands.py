"""Open hands with an unknown deck order: equal to plain recursion over all actions and draws, and bounded."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations

import pytest

from hanasolve.errors import LimitReached, UnsupportedVariant
from hanasolve.hanabi.game.deck import shuffle
from hanasolve.hanabi.game.options import site_options
from hanasolve.hanabi.game.table import Table, act, deal, engine_action
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.ranking.known_deck.rank import rank_known_deck
from hanasolve.hanabi.ranking.moves import Move, Ranking
from hanasolve.hanabi.ranking.open_hands import order_counts
from hanasolve.hanabi.ranking.open_hands.rank import Uncounted, rank_open_hands, unseen, with_deck
from hanasolve.hanabi.search.problem import problem_from_table
from hanasolve.hanabi.search.solve import solve
from hanasolve.limits import Limit
from tests.oracles.naive_expectimax import Naive, Step, TooManySituations
from tests.ranking.ranking_cases import random_ending


def step_of(table: Table, move: Move) -> Step:
    if move.action.type > 1:
        return "clue", -1
    return ("play", "discard")[move.action.type], int(table.game["deck"][move.action.target])


def check_against_naive(table: Table, ranking: Ranking, most: int) -> None:
    """Every move's chance and score; and more than the target has no chance at all."""
    problem = problem_from_table(table)
    chance, score = Naive(problem, ranking.target, most), Naive(problem, 0, most)
    first = score.first()
    for move in ranking.moves:
        step = step_of(table, move)
        assert (move.win, move.score) == (chance.of(first, step), score.of(first, step)), move.text
    assert Naive(problem, ranking.target + 1, most).value(first) == 0


@pytest.mark.parametrize("block", range(5))
def test_equals_plain_recursion(block: int) -> None:
    """Hundreds of random endings; those that are too big for the recursion are passed over."""
    checked = 0
    for number in range(50 * block, 50 * block + 50):
        table = random_ending(random.Random(number), most_cards=3)
        try:
            check_against_naive(table, rank_open_hands(table), most=2000)
            checked += 1
        except TooManySituations:
            continue
    assert checked >= 15


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_equals_plain_recursion_on_thousands(block: int) -> None:
    """200 random endings a block with up to four cards in the deck: every move's chance and score."""
    checked = 0
    for number in range(20_000 + 200 * block, 20_200 + 200 * block):
        table = random_ending(random.Random(number), most_cards=4)
        try:
            check_against_naive(table, rank_open_hands(table), most=2000)
            checked += 1
        except TooManySituations:
            continue
    assert checked >= 40


def test_equals_plain_recursion_over_several_draws() -> None:
    """Two players, small hands, two to four cards in the deck."""
    checked = 0
    for number in range(9000, 9050):
        table = random_ending(random.Random(number), most_cards=4, players=2)
        if len(unseen(table)) < 2 or table.game["hand_sizes"][0] > 3 or table.game["clues"] > 2:
            continue
        try:
            check_against_naive(table, rank_open_hands(table), most=6000)
            checked += 1
        except TooManySituations:
            continue
    assert checked >= 4


def test_never_above_the_known_deck_averaged_over_orders() -> None:
    for number in range(25):
        table = random_ending(random.Random(1000 + number), most_cards=3, players=2)
        ranking = rank_open_hands(table)
        known: dict[str, Fraction] = {move.text: Fraction(0) for move in ranking.moves}
        orders = list(permutations(unseen(table)))
        for order in orders:
            for move in rank_known_deck(with_deck(table, list(order))).moves:
                known[move.text] += move.score / len(orders)
        assert all(move.score <= known[move.text] for move in ranking.moves), number
        if len(unseen(table)) < 2:  # one order: nothing is unknown
            assert all(move.score == known[move.text] for move in ranking.moves), number


def late(seed: str, players: int, left: int) -> Table:
    """A well played game with ``left`` cards in the deck."""
    variant = load_variant(0)
    table = deal(variant, site_options(players), tuple(shuffle(seed, variant.deck_in_order())))
    for action in solve(table).actions:
        if int(table.game["deck_size"] - table.game["next"]) <= left:
            break
        act(table, action)
    return table


def test_the_order_of_the_deck_is_not_looked_at() -> None:
    table = late("p3v0s5", 3, 5)
    turned = with_deck(table, unseen(table)[::-1])
    assert rank_open_hands(table) == rank_open_hands(turned)


def test_ties_diffs_and_labels() -> None:
    ranking = rank_open_hands(late("p3v0s5", 3, 5))
    assert ranking.method == "open-hands-exact" and "ideal communication" in ranking.assumes
    assert ranking.by == "win" and ranking.moves[0].best and ranking.moves[0].diff == 0
    top = ranking.moves[0].win
    assert all(move.best == (move.win == top) and move.diff == move.win - top for move in ranking.moves)
    assert all((move.win > 0) == (move.max_after == ranking.target) for move in ranking.moves)


def test_a_limit_names_the_bracket() -> None:
    with pytest.raises(LimitReached, match=r"the best score lies between \d+ and 25"):
        rank_open_hands(late("p3v0s5", 3, 12), Limit(nodes=20))
    with pytest.raises(LimitReached, match="up to 19"):
        rank_open_hands(late("p3v0s5", 3, 30))


def test_what_the_limit_leaves_is_bracketed() -> None:
    """Whatever is counted before the limit: the exact chance of every move lies in its proven bracket."""
    narrowed = stopped = 0
    for seed in ("p3v0s5", "p3v0s8", "p3v0s13"):
        table = late(seed, 3, 9)
        exact = {engine_action(table, move.action): move.win for move in rank_open_hands(table).moves}
        for nodes in (1, 10, 30, 60, 100, 200, 500):
            try:
                rank_open_hands(table, Limit(nodes=nodes))
            except Uncounted as limit:
                stopped += 1
                assert limit.brackets.keys() == exact.keys()
                assert all(low <= exact[action] <= high for action, (low, high) in limit.brackets.items())
                narrowed += any(low > 0 or high < 1 for low, high in limit.brackets.values())
    assert stopped >= 5 and narrowed >= 3


def test_the_room_for_tables_does_not_change_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that move again and again hold what they held; where there is no room, what is proven is said."""
    table = random_ending(random.Random(43), most_cards=10, players=3)
    assert len(unseen(table)) == 7
    expected = rank_open_hands(table)
    monkeypatch.setattr(order_counts, "FIRST_BYTES", 1 << 13)
    grown: list[int] = []
    grow = order_counts.Counts.grow
    monkeypatch.setattr(order_counts.Counts, "grow", lambda counts, which: (grown.append(which), grow(counts, which)))
    assert rank_open_hands(table) == expected
    assert len(grown) >= 10
    monkeypatch.setattr(order_counts, "MAX_BYTES", 1 << 19)
    with pytest.raises(Uncounted, match="proven: the chance of") as caught:
        rank_open_hands(table)
    for move in expected.moves:
        low, high = caught.value.brackets[engine_action(table, move.action)]
        assert low <= move.win <= high


def test_refused_by_name() -> None:
    table = late("p3v0s5", 3, 5)
    table.rules["deck_plays"] = True
    with pytest.raises(UnsupportedVariant, match="deck_plays"):
        rank_open_hands(table)
