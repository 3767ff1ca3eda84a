"""The simulator against a naive game of its own, views against rebuilt ones, and games against themselves."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hanasolve.errors import IllegalAction, NotationError, UnsupportedVariant
from hanasolve.hanabi.conventions.convention import MAX_SETUP, Convention
from hanasolve.hanabi.conventions.find import convention_names, find_convention
from hanasolve.hanabi.game import deck, rules
from hanasolve.hanabi.game import table as game
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.game.view import MEMORY, VIEW, fill_game, new_view
from hanasolve.hanabi.play.games import act, begin
from hanasolve.hanabi.play.simulator import Simulator, play_games, play_one, seed_numbers
from tests.oracles.naive_conventions import NaiveGame, NaiveRecommendation, NaiveSimple

KINDS = {0: "play", 1: "discard", 2: "color", 3: "rank"}


def seeds(players: int, count: int, first: int = 1) -> list[str]:
    return [f"p{players}v0s{i}" for i in range(first, first + count)]


def slow(name: str) -> Any:
    """A convention whose kernels take long to compile."""
    return pytest.param(name, marks=pytest.mark.slow)


def cards_of(replay: Any) -> list[tuple[int, int]]:
    return [(identity // 5, identity % 5 + 1) for identity in replay.deck]


def replay_naively(convention: str, seed: str, players: int) -> NaiveGame:
    """Play a recorded game on the naive rules; every action must be legal and every count the same."""
    replay = play_one(convention, seed, players)
    naive, table = NaiveGame(cards_of(replay), players), game.from_replay(replay, 1)
    for action in replay.actions:
        kind, target, value = game.engine_action(table, action)
        assert (KINDS[kind], target, value) in naive.legal()
        naive.act(KINDS[kind], target, value)
        game.act(table, action)
        state = table.game
        assert [naive.stacks[s] for s in range(5)] == state["stacks"][:5].tolist()
        assert (naive.tokens, naive.strikes, naive.turn) == (state["clues"], state["strikes"], state["turn"])
        assert len(naive.deck) == state["deck_size"] - state["next"]
        for seat, hand in enumerate(naive.hands):
            orders = state["hands"][seat, : state["hand_sizes"][seat]]
            assert [suit * 5 + rank - 1 for suit, rank in hand] == state["deck"][orders].tolist()
    assert naive.ended == rules.ENDED_NAMES[table.game["ended"]] != ""
    return naive


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_equal_a_naive_engine(players: int) -> None:
    for seed in seeds(players, 75):
        naive = replay_naively("random-legal", seed, players)
        assert naive.ended == "strikeout"
    for seed in seeds(players, 5):  # random games end early: these reach the last round
        replay_naively("cautious", seed, players)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_ten_thousand_random_games_equal_a_naive_engine(players: int) -> None:
    for seed in seeds(players, 2500, 1000):
        replay_naively("random-legal", seed, players)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_simple_equals_its_naive_twin(players: int) -> None:
    for seed in seeds(players, 25):
        twin_plays("simple", seed, players, NaiveSimple)


def test_simple_equals_its_naive_twin_with_large_hands() -> None:
    for seed in seeds(2, 15):
        twin_plays("simple", seed, 2, NaiveSimple, hand_size=9)


def test_the_largest_of_packed_counters() -> None:
    from hanasolve.hanabi.conventions.players.simple import color_counter, first_clue, largest, rank_counter

    clues = [(color_counter(suit), (2, suit)) for suit in range(6)]
    clues += [(rank_counter(rank), (3, rank)) for rank in range(1, 6)]
    rng = np.random.default_rng(8)
    for _ in range(300):
        counts = rng.integers(0, rng.integers(2, 11), len(clues)).tolist()
        value, having = largest(sum(count * at for count, (at, _) in zip(counts, clues, strict=True)))
        assert value == max(counts)
        if value:
            kind, number = clues[counts.index(value)][1]
            assert first_clue(2, having) == kind << 16 | 2 << 8 | number


def test_cox_recommendation_equals_its_naive_twin() -> None:
    for seed in seeds(5, 40):
        twin_plays("cox-recommendation", seed, 5, NaiveRecommendation)


def twin_plays(convention: str, seed: str, players: int, twin: Any, hand_size: int = 0) -> None:
    """Ask the naive twin for every action of a recorded game; ``hand_size`` 0: the printed one."""
    replay = play_one(convention, seed, players, options=Options(players, hand_size=hand_size))
    naive = NaiveGame(cards_of(replay), players, hand_size=hand_size)
    player, table = twin(naive), game.from_replay(replay, 1)
    for action in replay.actions:
        kind, target, value = game.engine_action(table, action)
        assert player.decide() == (KINDS[kind], target, value), f"{seed} turn {player.game.turn + 1}"
        player.act(KINDS[kind], target, value)
        game.act(table, action)


# ------------------------------------------------------------------------------------------------- views


@pytest.mark.parametrize(
    ("players", "variant"), [(2, "No Variant"), (5, "6 Suits"), (4, "wild"), (3, "Sudoku (5 Suits)")]
)
def test_the_kept_view_equals_a_fresh_one_and_hides_the_own_hand(players: int, variant: str) -> None:
    table = Simulator("random-legal", players, variant, separate=True)
    checked = 0
    for number in seed_numbers(seeds(players, 12)):
        for _ in turns(table, int(number)):
            view, state = table.view, table.game
            fresh = new_view(table.rules)
            fill_game(fresh, state, int(view["seat"]), False)
            assert differing(fresh, view) == []
            hidden = [o for o in range(state["deck_size"]) if state["where"][o] in (-1, view["seat"])]
            assert set(view["deck"][hidden].tolist()) <= {-1}
            checked += 1
    assert checked > 100


def differing(a: Any, b: Any) -> list[str]:
    """Fields in which two views differ, hands without their unused places."""
    names = []
    for name in VIEW.names or ():
        left, right = a[name], b[name]
        if name == "hands":
            used = np.arange(left.shape[1]) < a["hand_sizes"][:, None]
            left, right = np.where(used, left, -1), np.where(used, right, -1)
        if not name.startswith("choice") and not np.array_equal(left, right):
            names.append(name)
    return names


def turns(table: Simulator, number: int) -> Any:
    """Play a game step by step, every seat with its own notes; yields before each decision's action."""
    cards = table.decks(np.array([number], np.int64))[0]
    parts = (table.rules, table.game, table.view, table.memory, table.event)
    begin(*parts, cards, table.setup, number, False)
    tell_all(table)
    while table.game["ended"] == 0:
        seat = int(table.game["to_move"])
        look(table, seat)
        code = table.functions.decide(table.view, table.memory[seat])
        yield seat, code
        assert act(table.rules, table.game, table.view, table.event, code, False) == 0
        tell_all(table)


def look(table: Simulator, seat: int) -> None:
    from hanasolve.hanabi.game.view import aim

    aim(table.view, table.game, seat, False)


def tell_all(table: Simulator) -> None:
    for seat in range(table.options.players):
        look(table, seat)
        table.functions.update(table.view, table.memory[seat], table.event)


PUBLIC = [name for name in MEMORY.names or () if name not in ("dice", "work", "work_mask", "work_float")]
QUICK = ("random-legal", "simple", "smart", "outer", "iggi", "piers", "cox-recommendation")


def closed_conventions() -> list[Any]:
    """All that see no own hand; those whose kernels take long to compile are for the slow set."""
    found = [
        convention for convention in map(find_convention, convention_names()) if not convention.open_hands
    ]
    return [
        pytest.param(c, id=c.name, marks=() if c.name in QUICK else pytest.mark.slow)
        for c in found
        if c.shared
    ]


CLOSED = closed_conventions()


@pytest.mark.parametrize("convention", CLOSED)
def test_public_notes_are_equal_in_all_seats_and_deciding_leaves_them_alone(convention: Convention) -> None:
    for players in {2, 3, 5} & set(convention.players):
        table = Simulator(convention, players, separate=True)
        before = np.zeros(0)
        for number in seed_numbers(seeds(players, 3)):
            for seat, _ in turns(table, int(number)):
                first = table.memory[0]
                for other in table.memory[1:]:
                    assert all(np.array_equal(first[name], other[name]) for name in PUBLIC)
                before = table.memory[seat].copy()
                table.functions.decide(table.view, table.memory[seat])
                assert all(np.array_equal(before[name], table.memory[seat][name]) for name in PUBLIC)
                table.memory["dice"][seat] = before["dice"]
        assert before.size


@pytest.mark.parametrize("convention", CLOSED)
def test_what_a_player_cannot_see_changes_nothing(convention: Convention) -> None:
    """Privacy: deal the hidden cards anew; the view is the same bytes, and so are decision and notes."""
    shuffler = np.random.default_rng(4)
    players = max(set(convention.players) & {2, 3, 4, 5})
    table = Simulator(convention, players, separate=True)
    for number in seed_numbers(seeds(players, 2)):
        for seat, code in turns(table, int(number)):
            other = table.game.copy()
            hidden = [o for o in range(other["deck_size"]) if other["where"][o] in (-1, seat)]
            other["deck"][hidden] = shuffler.permutation(other["deck"][hidden])
            fresh = new_view(table.rules)
            fill_game(fresh, other, seat, False)
            fill_game(table.view, table.game, seat, False)
            assert fresh.tobytes() == table.view.tobytes()
            memory, other_memory = table.memory[seat].copy(), table.memory[seat].copy()
            memory["work"], memory["work_mask"], memory["work_float"] = -1, 2**40 + 1, -1.5
            again = table.functions.decide(fresh, memory)
            assert again == table.functions.decide(table.view, other_memory)  # the same dice
            assert again == code or not convention.deterministic


# ------------------------------------------------------------------------------------------------- games


@pytest.mark.parametrize("convention", CLOSED)
def test_one_memory_for_all_plays_the_same_games(convention: Convention) -> None:
    for players in sorted(set(convention.players) & {2, 3, 4, 5}):
        names = seeds(players, 30)
        together = play_games(convention, names, players)
        assert np.array_equal(together, play_games(convention, names, players, separate=True))
        assert np.array_equal(together, play_games(convention, names, players))


def test_a_game_alone_equals_the_same_game_in_a_batch() -> None:
    results = play_games("van-den-bergh", seeds(3, 40), 3)
    for i in (0, 17, 39):
        single, replay = Simulator("van-den-bergh", 3).play_one(f"p3v0s{i + 1}")
        assert single == results[i] and len(replay.actions) == results[i]["turns"]


def test_the_deck_is_that_of_the_seed() -> None:
    replay = play_one("simple", "p4v0s123", 4)
    assert list(replay.deck) == deck.shuffle("p4v0s123", load_variant("No Variant").deck_in_order())
    assert replay.seed == "p4v0s123" and replay.options.players == 4


def test_results_hold_both_scorings() -> None:
    results = play_games("smart", seeds(5, 100), 5)
    assert set(results["strikeout"].tolist()) == {True, False}
    assert np.array_equal(results["strikeout"], results["strikes"] == 3)
    assert np.array_equal(results["perfect"], results["placed"] == 25)


def test_options_reach_the_game() -> None:
    names = seeds(5, 100)
    official = play_games("cox-recommendation", names, 5)
    fourth = play_games("cox-recommendation", names, 5, options=Options(5, strikes_max=4))
    assert official["strikes"].max() <= 2 and fourth["strikes"].max() == 3
    assert fourth["placed"].mean() > official["placed"].mean()


def test_seed_numbers_may_be_any_view_of_an_array() -> None:
    table, numbers = Simulator("simple", 3), seed_numbers(seeds(3, 12))
    forwards = table.play(numbers)
    assert np.array_equal(table.play(numbers[::-1])[::-1], forwards)
    assert np.array_equal(table.play(numbers[::3], table.decks(numbers)[::3]), forwards[::3])


def test_all_notes_are_blank_before_a_game() -> None:
    table = Simulator("random-legal", 3, separate=True)
    table.memory.view(np.uint8)[:] = 255
    cards = table.decks(seed_numbers(["p3v0s1"]))[0]
    begin(*(table.rules, table.game, table.view, table.memory, table.event), cards, table.setup, 1, False)
    for name in set(PUBLIC) - {"setup"}:
        assert not table.memory[name].any(), name


@pytest.mark.parametrize("name", ["simple", "random-legal", "iggi", *map(slow, ["value", "holmes", "info"])])
def test_plain_python_plays_the_same_games(name: str) -> None:
    names = seeds(3, 4)
    assert np.array_equal(play_games(name, names, 3, jit=False), play_games(name, names, 3))


@pytest.mark.parametrize(
    "name", ["internal", "outer", "cautious", "iggi", "piers", slow("cheat"), slow("cheat-q")]
)
def test_suits_by_other_names_are_the_same_game(name: str) -> None:
    """These conventions never look at the order of the suits."""
    table = Simulator(name, 3)
    numbers = seed_numbers(seeds(3, 40))
    cards = table.decks(numbers)
    turned = ((cards // 5 + 2) % 5 * 5 + cards % 5).astype(np.int8)
    assert np.array_equal(table.play(numbers, cards), table.play(numbers, turned))


@pytest.mark.parametrize("name", ["simple", "smart", *map(slow, ["cheat", "value", "holmes", "info"])])
def test_seats_turned_are_the_same_game(name: str) -> None:
    """Seat 1 begins and holds what seat 0 held: nothing else changes."""
    numbers = seed_numbers(seeds(3, 40))
    table, turned = Simulator(name, 3), Simulator(name, 3, options=Options(3, first_player=1))
    cards = table.decks(numbers)
    moved = np.concatenate([cards[:, 10:15], cards[:, :10], cards[:, 15:]], axis=1)
    assert np.array_equal(table.play(numbers, cards), turned.play(numbers, moved))


# ------------------------------------------------------------------------------------------------ errors


def illegal(view: Any, memory: Any) -> int:
    if view["turn"] == 3:
        return (1 << 16) | (9 << 8)
    return 0 if view["turn"] % 2 else (3 << 16) | (int(1 - view["seat"]) << 8) | 9


def nothing(view: Any, memory: Any, event: Any) -> int:
    return 0


def test_an_illegal_move_names_convention_seed_turn_and_move() -> None:
    bad = Convention("bad", "", pair=(illegal, nothing))
    with pytest.raises(
        IllegalAction, match=r"convention bad, seed p2v0s7, 2 players, turn 1: clue 9 to seat 1 is illegal"
    ):
        play_games(bad, ["p2v0s7"], 2)
    with pytest.raises(IllegalAction, match=r"seed p2v0s7.*rank_not_nameable"):
        play_one(bad, "p2v0s7", 2, jit=False)


def test_tables_a_convention_does_not_know_are_refused() -> None:
    with pytest.raises(UnsupportedVariant, match="cox-information is for 5 players, not 3"):
        play_games("cox-information", ["p3v0s1"], 3)
    with pytest.raises(UnsupportedVariant, match="does not know the suits of Rainbow"):
        play_games("smart", ["p3v16s1"], 3, "Rainbow (6 Suits)")
    with pytest.raises(NotationError, match="unknown convention 'smrt'; nearest: smart"):
        find_convention("smrt")


def test_random_players_play_any_variant() -> None:
    for name, variant in itertools.product(
        ["random-legal", "blind"], ["Rainbow (6 Suits)", "Up or Down (5 Suits)"]
    ):
        assert len(play_games(name, seeds(2, 10), 2, variant)) == 10


def test_six_suits_are_plain() -> None:
    for name in ["simple", "smart", "iggi"]:
        results = play_games(name, seeds(3, 50), 3, "6 Suits")
        assert results["placed"].mean() > 17 and results["placed"].max() <= 30


# -------------------------------------------------------------------------------------- users' conventions

FRIDAY = """
from hanasolve.hanabi.conventions.convention import named_convention
from hanasolve.hanabi.conventions.tools.building_blocks import (
    discard_card,
    oldest_number,
    play_card,
    seat_after,
)


def decide(view, memory):
    if memory["notes"][0] == 0:
        return play_card(0)
    if view["clues"] > 0:
        return oldest_number(view, seat_after(view, view["seat"], 1))
    return discard_card(0)


def update(view, memory, event):
    if event["kind"] == 0:
        memory["notes"][0] += 1
    return 0


friday_table = named_convention("friday", decide=decide, update=update, about="One play, then clues.")
"""


def test_a_users_file_is_a_convention(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FRIDAY)
    for text in (f"{file}:friday_table", str(file)):
        convention = find_convention(text)
        assert convention.name == "mine:friday_table" and convention.about == "One play, then clues."
    names = seeds(2, 10)
    results = play_games(convention, names, 2)
    assert np.array_equal(results, play_games(convention, names, 2, jit=False))
    assert set(results["ended"].tolist()) == {rules.LAST_ROUND} and results["placed"].max() <= 1


SETS = """
import numpy as np

from hanasolve.hanabi.conventions.tools import building_blocks as kit
from hanasolve.hanabi.conventions.convention import named_convention
from hanasolve.hanabi.conventions.tools.building_blocks import (
    dead_set,
    first_bit,
    order_at,
    placed_set,
    playable_set,
)
from hanasolve.jit import kernel


@kernel
def unsure(view, index):
    return view["fits"][order_at(view, view["seat"], index)] & ~playable_set(view)


def decide(view, memory):
    for index in range(kit.hand_size(view, view["seat"])):
        if unsure(view, index) == 0:
            return kit.play_card(index)
    if view["clues"] == view["clues_max"]:
        return kit.oldest_number(view, kit.seat_after(view, view["seat"], 1))
    dead = dead_set(view) & ~(placed_set(view) & kit.last_copy_set(view))
    index = kit.count_bits(~dead) + first_bit(~dead) + kit.roll(view, memory, 7)
    return kit.discard_card(index % kit.hand_size(view, view["seat"]))


def update(view, memory, event):
    return 0


sets = named_convention("sets", decide=decide, update=update)
"""


def test_sets_are_the_same_without_the_jit(tmp_path: Path) -> None:
    file = tmp_path / "sets.py"
    file.write_text(SETS)
    names = seeds(3, 12)
    plain, compiled = (play_games(find_convention(str(file)), names, 3, jit=jit) for jit in (False, True))
    assert np.array_equal(plain, compiled) and plain["placed"].max() > 0


def test_a_misspelt_field_is_named_without_the_jit(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FRIDAY.replace('view["clues"]', 'view["tokens"]'))
    with pytest.raises(KeyError, match="no field 'tokens'; nearest: token_unit"):
        play_games(find_convention(str(file)), ["p2v0s1"], 2, jit=False)


@pytest.mark.parametrize(
    ("content", "member", "message"),
    [
        (FRIDAY, "other", "no convention named 'other', found friday_table"),
        ("x = 1\n", "", "expected one convention, found none"),
        ("\nimport nonsense_module\n", "", r"mine.py:2: ModuleNotFoundError"),
        ("a = (\n", "", r"mine.py:1: SyntaxError"),
        ("import sys\nsys.exit(4)\n", "", r"mine.py:2: SystemExit: 4"),
        (FRIDAY.replace("decide=decide, ", ""), "", "missing 1 required keyword-only argument: 'decide'"),
        (FRIDAY.replace("decide=decide", "decide=0"), "", "decide and update: found .*, expected two functions"),
        (FRIDAY.replace("update=update", "update=update, players=5"), "", r"players: found 5, expected numbers such"),
        (FRIDAY.replace("update=update", "update=update, setup=(0.5,) * 200"), "", "setup: found 200 numbers"),
        (FRIDAY.replace("update=update", "update=update, setup=('a',)"), "", r"setup: found \('a',\), expected"),
    ],
)
def test_a_users_file_with_a_fault_is_named(tmp_path: Path, content: str, member: str, message: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(content)
    with pytest.raises(NotationError, match=message):
        find_convention(f"{file}:{member}" if member else str(file))


def test_an_index_out_of_bounds_is_an_error_when_compiled(tmp_path: Path) -> None:
    """It ended the process: numba reads whatever lies there unless told to look."""
    file = tmp_path / "mine.py"
    file.write_text(FRIDAY.replace('memory["notes"][0]', 'memory["notes"][view["turn"] * 1000000]'))
    with pytest.raises(IndexError):
        play_games(find_convention(str(file)), ["p2v0s1"], 2)


def test_a_users_constants_fit_the_notes() -> None:
    assert MEMORY["setup"].shape == (MAX_SETUP,)


def test_a_compiled_function_that_does_not_return_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its thread cannot be ended, so its loop ends some time after it is given up."""
    monkeypatch.setattr("hanasolve.hanabi.play.simulator.PATIENCE", 0.3)
    file = tmp_path / "mine.py"
    loop = 'for n in range(1_500_000_000):\n        memory["work"][0] = memory["work"][n % 7] + n\n    if'
    file.write_text(FRIDAY.replace("if", loop, 1))
    with pytest.raises(IllegalAction, match=r"mine:friday_table, seed p2v0s7, 2 players, turn 1: no answer for 0\.3 s"):
        play_games(find_convention(str(file)), ["p2v0s7", "p2v0s8"], 2)


IGGI = """
name = "our table"
about = "IGGI by another name."
[[rule]]
do = "PlayIfCertain"
[[rule]]
do = "PlaySafe"
[[rule]]
do = "TellUseful"
[[rule]]
do = "OsawaDiscard"
[[rule]]
do = "DiscardOldest"
[[rule]]
do = "TellRandom"
"""


def test_a_rule_list_file_plays_as_the_built_in_list(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(IGGI)
    ours = find_convention(str(file))
    assert (ours.name, ours.about) == ("our table", "IGGI by another name.")
    assert np.array_equal(play_games(ours, seeds(4, 20), 4), play_games("iggi", seeds(4, 20), 4))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[[rule]]\ndo = "PlaySave"', r"rule\[0\].do: unknown rule 'PlaySave'; nearest: PlaySafe"),
        ('[[rule]]\ndo = "PlaySafe"\nodds = 1', r"rule\[0\]: unknown key 'odds'"),
        ('[[rule]]\ndo = "PlayProbable"\nchance = 2', r"chance: found 2, expected a number from 0 to 1"),
        ('[[rule]]\ndo = "PlaySafe"\ntokens_below = "4"', r"tokens_below: found '4', expected a whole number"),
        ('name = "a\\nb"\n[[rule]]\ndo = "PlaySafe"', r"name: found 'a\\nb', expected a text of one line"),
        ('name = 5\n[[rule]]\ndo = "PlaySafe"', "name: found 5, expected a text of one line"),
        ('about = 5\n[[rule]]\ndo = "PlaySafe"', "about: found 5, expected a text"),
        ('base = ["hgroup3"]', r"base: found \['hgroup3'\], expected hgroup1"),
        ('rule = "PlaySafe"', r"rule: found 'PlaySafe', expected \[\[rule\]\] tables"),
        ("rules = 1", "unknown key 'rules'"),
        ("", "expected 1 to 20"),
        ("[[rule]", "ours.toml: not TOML: .*line 1"),
    ],
)
def test_a_rule_list_with_a_fault_is_named(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(content)
    with pytest.raises(NotationError, match=message):
        find_convention(str(file))
