"""Strategies and paired matches: names, mirror matches, seeds and jobs, the recorded table."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from hanasolve.errors import HanasolveError, IllegalAction, NotationError
from hanasolve.koikoi.conventions import heuristic as h
from hanasolve.koikoi.conventions.find import parse_strategy
from hanasolve.koikoi.conventions.strategy import view_of
from hanasolve.koikoi.game import cards
from hanasolve.koikoi.game import rules as engine
from hanasolve.koikoi.game.deck import below, streams
from hanasolve.koikoi.play import matches as c


@pytest.mark.parametrize("name", ["greedy+stop", "progress+always", "progress+t7h5"])
def test_mirror_matches_are_exactly_even(name: str) -> None:
    """Without random choices both matches of a pair are the same with seats exchanged."""
    rows = c.run(name, name, 30, seed=4)
    assert (c.pair_diffs(rows) == 0).all()


def test_same_seed_same_rows_in_any_slices_and_jobs() -> None:
    once = c.run("progress+t7h5", "random+stop", 70, seed=2)
    again = c.run("progress+t7h5", "random+stop", 70, seed=2, jobs=2)
    assert (once == again).all()
    assert (c.run("progress+t7h5", "random+stop", 5, seed=2) == once[:5]).all()
    assert (c.run("progress+t7h5", "random+stop", 5, seed=3) != once[:5]).any()


def test_result_counts_add_up() -> None:
    match = c.compare(["progress+t7h3", "greedy+stop"], 200, seed=1)[0]
    assert match.rounds == 2 * 200 * 12
    assert match.wins_a + match.wins_b + match.draws == match.matches == 400
    assert math.isclose(match.won_a + match.won_b + match.undecided, 1)
    assert math.isclose(match.dealer + match.other + match.undecided, 1)
    assert math.isclose(match.points_a - match.points_b, match.diff)
    assert match.calls_b == match.followed_b == 0 and 0 < match.followed_a < match.calls_a
    assert match.p is not None and match.p_holm is not None


def test_options_reach_the_matches() -> None:
    rows = c.run("progress+stop", "greedy+stop", 20, seed=1, preset="koikoi-ai")
    match = c.summarize("a", "b", rows, engine.make_rules("koikoi-ai"))
    assert match.rounds == 2 * 20 * 8 and match.lucky == 0
    assert match.points_a > 30  # starts with 30, and the dealer wins 1 of an exhausted round
    replayed = c.run("random+stop", "random+stop", 40, seed=1, changes={"undecided_counts": False})
    assert replayed[:, 15].sum() - replayed[:, 6].sum() == 2 * 40 * 12


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("progress", "expected card part + koi-koi part"),
        ("progres+stop", 'card part "progres" is unknown'),
        ("progress+halt", 'koi-koi part "halt" is unknown'),
        ("pimc0+stop", 'card part "pimc0" is unknown'),
        ("nowhere.py:Mine", "there is no file"),
    ],
)
def test_bad_names(name: str, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_strategy(name)
    assert words in str(caught.value)


OWN = '''
from hanasolve.koikoi.game.cards import mask


class First:
    """Plays the first legal option and always stops."""

    def play(self, view):
        assert view.game["hands"][1 - view.me] == 0 and (view.game["stock"] < 0).all()
        assert view.unseen.bit_count() == 48 - 8 - 2 * (view.turn - 1) - view.hand.bit_count()
        action = view.legal()[0]
        return action.card, action.taken

    def match(self, view):
        return view.legal()[0].taken

    def call(self, view):
        return False


class Cheat(First):
    def play(self, view):
        return 0, mask([1, 2])


class Lacks:
    pass
'''


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return path


def test_users_own_strategy(own: Path) -> None:
    match = c.compare([f"{own}:First", "progress+stop"], 20, seed=1)[0]
    assert match.diff < 0
    assert (c.pair_diffs(c.run(f"{own}:First", f"{own}:First", 3)) == 0).all()


def test_users_own_strategy_is_checked(own: Path) -> None:
    with pytest.raises(IllegalAction, match="Cheat"):
        c.run(f"{own}:Cheat", "progress+stop", 1)
    with pytest.raises(HanasolveError, match="lacks the method play, match, call"):
        parse_strategy(f"{own}:Lacks")
    with pytest.raises(HanasolveError, match="defines no class Nobody"):
        parse_strategy(f"{own}:Nobody")


def test_sampled_parts_play_legally() -> None:
    for name in ("progress+pimc2", "flat2+stop", "uct5+stop"):
        rows = c.run(name, "progress+stop", 1, seed=5, changes={"rounds": 2})
        assert rows[0, 15] == 4
        assert (rows == c.run(name, "progress+stop", 1, seed=5, changes={"rounds": 2})).all()


def test_pimc_prefers_the_sure_yaku(nintendo: Any) -> None:
    """One turn before the end: the card that completes hanami at once is worth more than any other."""
    game = engine.new_game()
    game["turn"], game["next"], game["mover"] = 16, 15, 1
    game["hands"][1], game["field"] = 1 << 8, cards.mask([9, 12, 16])
    game["piles"][1] = cards.mask([32, 33])
    strategy = parse_strategy("pimc3+stop")
    assert strategy.player is not None
    assert strategy.player.play(view_of(game, nintendo, streams([1], ()))) == (8, 1 << 9)


def test_potential_by_hand() -> None:
    """Section 5.4, in hundredths: cup 2 + both partners open 2, one animal and one plain for the cup."""
    cup, curtain, moon = (1 << cards.WORDS[word] for word in ("cup", "curtain", "moon"))
    assert h.potential(cup, 0) == 200 + 100 + 100 + 35 + 12
    assert h.potential(cup, moon) == 200 + 100 + 35 + 12
    assert h.potential(curtain | moon, 0) == 150 + 150 + 120 * 4
    assert h.potential(curtain, cup) == 120
    assert h.potential(1 << 40 | 1, 0b1 << 8 | 1 << 28) == 0  # two dry brights are the other's
    assert h.potential(cards.mask([20, 24]), 0) == 90 * 4 + 70


def test_small_random_numbers_are_even() -> None:
    state = streams([3], ())
    counts = [0] * 6
    for _ in range(6000):
        counts[below(state, 6)] += 1
    assert min(counts) > 850


# rules-koikoi.md, section 6.3: A, B, matches of the reference, its diff and standard error; own pairs.
TABLE = [
    ("random+stop", "random+stop", 0.08, 0.17, 10_000),
    ("greedy+stop", "random+stop", 33.77, 0.17, 10_000),
    ("progress+stop", "random+stop", 34.30, 0.17, 10_000),
    ("progress+stop", "greedy+stop", 0.73, 0.16, 10_000),
    ("progress+always", "progress+stop", -2.69, 0.32, 10_000),
    ("progress+t7h3", "progress+stop", 2.56, 0.26, 10_000),
    ("progress+t7h5", "progress+stop", 2.29, 0.18, 10_000),
    ("progress+t4h3", "progress+stop", -0.15, 0.12, 10_000),
    ("progress+t99h4", "progress+stop", 2.00, 0.23, 10_000),
    ("progress+pimc10", "progress+t7h5", 5.89, 0.72, 1_000),
    ("flat30+stop", "progress+stop", -1.82, 0.55, 300),
    ("flat30+t7h5", "progress+t7h5", -5.83, 0.68, 300),
]


def _agrees(a: str, b: str, diff: float, se: float, pairs: int) -> None:
    match = c.compare([a, b], pairs, seed=11)[0]
    assert abs(match.diff - diff) <= 4 * math.hypot(se, match.se), f"{match.diff:.2f} +- {match.se:.2f}"


@pytest.mark.parametrize(("a", "b", "diff", "se", "pairs"), TABLE[:9])
def test_table_in_small(a: str, b: str, diff: float, se: float, pairs: int) -> None:
    _agrees(a, b, diff, se, pairs // 10)


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b", "diff", "se", "pairs"), TABLE)
def test_table(a: str, b: str, diff: float, se: float, pairs: int) -> None:
    _agrees(a, b, diff, se, pairs)


# The same section: shares in % of rounds (of rounds with a winner for the yaku), for each strategy itself.
COURSE = {
    "random+stop": {
        "dealer": 52.7, "other": 45.4, "undecided": 1.9, "sanko": 9.45, "hanami": 14.73, "tsukimi": 14.59,
        "inoshikacho": 3.64, "tane": 11.46, "akatan": 3.57, "aotan": 3.57, "tan": 19.09, "kasu": 32.59,
    },
    "progress+stop": {
        "dealer": 53.5, "other": 44.8, "undecided": 1.7, "sanko": 11.51, "hanami": 16.61, "tsukimi": 16.24,
        "inoshikacho": 4.12, "tane": 10.79, "akatan": 4.14, "aotan": 3.74, "tan": 17.15, "kasu": 24.29,
    },
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", COURSE)
def test_course_of_the_rounds(name: str) -> None:
    match = c.compare([name, name], 10_000, seed=12)[0]
    shares = {"dealer": match.dealer, "other": match.other, "undecided": match.undecided, **match.yaku}
    for key, percent in COURSE[name].items():
        own = 100 * shares[key]
        # Both runs have 240 000 rounds; a mirror match of a fixed strategy plays each of its deals twice.
        se = 100 * math.sqrt(percent / 100 * (1 - percent / 100) / 240_000)
        assert abs(own - percent) <= 4 * math.hypot(se, se * math.sqrt(2)) + 0.05, f"{key}: {own:.2f}"
