"""The rules engine on the edge cases of the rules; ``tests/data/rules`` describes the data."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hanasolve.hanabi.game import fireworks as board
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.records import Action, HeldCard, Position, default_names
from hanasolve.hanabi.game.table import Table, act, deal, from_position
from hanasolve.hanabi.game.variants import Variant, load_variant
from hanasolve.hanabi.notation.position import parse_position
from hanasolve.hanabi.notation.table_options import parse_options

DATA = json.loads((Path(__file__).parents[1] / "data" / "rules" / "rules-cases.json").read_text())
PASS = 9  # no action of the engine


def table_of(case: dict[str, Any]) -> Table:
    variant = load_variant(case["variant"])
    options = parse_options(case["options"], Options(case["players"]), "options")
    start = case["start"]
    if start["kind"] == "deal":
        return deal(variant, options, cards(variant, start["deck"]))
    return from_position(position(variant, options, start))


def cards(variant: Variant, names: list[str]) -> tuple[int, ...]:
    return tuple(variant.names[name] for name in names)


def position(variant: Variant, options: Options, start: dict[str, Any]) -> Position:
    placed = []
    for letter, order in zip(variant.letters, variant.orders, strict=True):
        ranks = [5, 4, 3, 2, 1] if order == "down" else [1, 2, 3, 4, 5]
        count = start["stacks"].get(letter, 0)
        placed.append(cards(variant, [f"{letter}{rank}" for rank in ranks[:count]]))
    return Position(
        variant=variant,
        options=options,
        names=default_names(options.players),
        to_move=start["to_move"],
        placed=tuple(placed),
        discards=cards(variant, start["discards"]),
        hands=tuple(tuple(map(HeldCard, cards(variant, hand))) for hand in start["hands"]),
        deck=cards(variant, start["deck"]),
        deck_count=len(start["deck"]),
        clues=start["clues"],
        strikes=start["strikes"],
        turn=start["turn"],
        turns_left=start["turns_left"],
    )


def engine_action(variant: Variant, action: dict[str, Any]) -> tuple[int, int, int]:
    if action["type"] == "pass":
        return PASS, 0, 0
    if action["type"] != "clue":
        return ("play", "discard").index(action["type"]), action["index"], 0
    if "rank" in action:
        return engine.CLUE_RANK, action["to"], action["rank"]
    letters = list(variant.color_letters)
    color = letters.index(action["color"]) if action["color"] in letters else -1
    return engine.CLUE_COLOR, action["to"], color


def state(table: Table) -> dict[str, Any]:
    """The public state in the words of the data."""
    rules, game = table.rules, table.game
    ended = engine.ENDED_NAMES[game["ended"]] or None
    no_score = bool(rules["mode"] != engine.NORMAL and ended)
    left, points = int(game["turns_left"]), int(engine.result_score(rules, game))
    return {
        "clues": int(game["clues"]),
        "strikes": int(game["strikes"]),
        "deck": int(engine.deck_left(game)),
        "turn": int(game["turn"]),
        "played": int(board.score(rules, game)),
        "max_score": int(board.max_score(rules, game)),
        "to_move": None if ended else int(game["to_move"]),
        "turns_left": None if left < 0 else left,
        "ended": ended,
        "result_score": None if points < 0 else points,
        "won": ended == "perfect" if no_score else None,
    }


@pytest.mark.parametrize("case", DATA["cases"], ids=lambda case: case["id"])
def test_edge_case(case: dict[str, Any]) -> None:
    table = table_of(case)
    assert state(table) == {**state(table), **case["start_state"]}
    for step in case["steps"]:
        before = table.game.copy()
        kind, target, value = engine_action(table.variant, step["action"])
        code = int(engine.legal(table.rules, table.game, kind, target, value))
        assert (engine.CODES[code] or None) == step.get("error"), step
        assert (code == 0) == step["legal"]
        if "touched" in step and step["legal"]:
            assert touched(table, kind, target, value) == step["touched"]
        if not step["legal"]:
            assert table.game == before
            continue
        engine.apply(table.rules, table.game, kind, target, value)
        # A running last round is only counted while the game goes on.
        expected = {**step["after"]}
        found = state(table)
        if expected["ended"]:
            expected.pop("turns_left"), found.pop("turns_left")
        assert found == expected, step


def touched(table: Table, kind: int, seat: int, value: int) -> list[int]:
    mask = engine.touch_mask(table.rules, kind, value)
    hand = table.game["hands"][seat, : table.game["hand_sizes"][seat]]
    return [index for index, order in enumerate(hand) if board.has(mask, int(table.game["deck"][order]))]


def test_legal_actions_are_the_legal_ones() -> None:
    """The list agrees with asking one by one, over random games of a variant with every kind of clue."""
    variant = load_variant("Rainbow & White (6 Suits)")
    rng = np.random.default_rng(1)
    table = deal(variant, Options(3), tuple(rng.permutation(variant.deck_in_order()).tolist()))
    out = np.zeros((engine.MAX_ACTIONS, 3), np.int64)
    while not table.game["ended"]:
        count = int(engine.legal_actions(table.rules, table.game, out))
        listed = {tuple(map(int, row)) for row in out[:count]}
        assert len(listed) == count
        asked = {
            (kind, target, value)
            for kind in range(5)
            for target in range(-1, 6)
            for value in range(7)
            if kind != engine.END
            and (kind > 1 or value == 0)
            and engine.legal(table.rules, table.game, kind, target, value) == 0
        }
        assert listed == asked
        engine.apply(table.rules, table.game, *listed.pop())


def up_or_down(fireworks: str, discards: str) -> Table:
    """A position of Up or Down with these cards placed and discarded."""
    text = f"variant: Up or Down (5 Suits)\nhands: [[], []]\nfireworks: {fireworks}\ndiscards: {discards}\n"
    return from_position(parse_position(text))


def needed(table: Table, suit: str) -> str:
    """The ranks of a suit that can still be placed."""
    mask = board.needed_mask(table.rules, table.game)
    names = table.variant.names
    return "".join(rank for rank in "123457" if board.has(mask, names[suit + rank]))


def test_up_or_down_maximum() -> None:
    """E60: without 2, 2 and START blue still reaches 5 4 3; losing b1 changes nothing, losing b5 does."""
    tables = (up_or_down("{}", f"b2 b2 b7 {more}") for more in ("", "b1", "b1 b5"))
    assert [int(board.max_score(table.rules, table.game)) for table in tables] == [23, 23, 20]


def test_up_or_down_trash() -> None:
    """E61: after START and without 3s, 1 and 5 are trash. E62: without 1, START and 4s, 2 and 3 are."""
    assert needed(up_or_down("{b: b7}", "b3 b3"), "b") == "24"
    assert needed(up_or_down("{}", "b1 b7 b4 b4"), "b") == "5"


def test_an_extra_action_tile_keeps_the_turn() -> None:
    """Rules section 8: the action that a tile grants belongs to the same turn."""
    variant = load_variant("base")
    options = parse_options({"tiles": {"order": ["extra_action", "gain_clues"]}}, Options(2), "options")
    deck = cards(variant, "r1 r2 r3 r4 r5 y1 y2 y3 y4 y5".split())
    rest = list(variant.deck_in_order())
    for card in deck:
        rest.remove(card)
    table = deal(variant, options, deck + tuple(rest))
    for turn in range(4):
        act(table, Action(0, turn))
        act(table, Action(0, 5 + turn))
    act(table, Action(0, 4))
    assert (table.game["to_move"], table.game["turn"], table.game["clues"]) == (0, 8, 8)


def test_a_free_clue_tile_takes_its_choice() -> None:
    variant = load_variant("base")
    options = parse_options({"tiles": {"order": ["free_clue"]}}, Options(2), "options")
    deck = cards(variant, "r1 r2 r3 r4 r5 y1 y2 y3 y4 y5".split())
    rest = list(variant.deck_in_order())
    for card in deck:
        rest.remove(card)
    table = deal(variant, options, deck + tuple(rest))
    for turn in range(4):
        act(table, Action(0, turn))
        act(table, Action(0, 5 + turn))
    act(table, Action(0, 4, choice=(engine.CLUE_COLOR, 1, 1)))
    assert table.game["clues"] == 8
    assert table.game["told_yes"][9] == 2  # the y5 was told yellow, without a token


SCRIPT = """
import hashlib
import numpy as np
from hanasolve.hanabi.game import fireworks as board, rules as engine
from hanasolve.hanabi.game.table import deal
from hanasolve.hanabi.game.options import Options, site_options
from hanasolve.hanabi.game.variants import load_variant

digest = hashlib.sha256()
out = np.zeros((engine.MAX_ACTIONS, 3), np.int64)
tables = [("No Variant", site_options(3)),
          ("Up or Down & Rainbow (6 Suits)", site_options(4, card_cycle=True)),
          ("Sudoku (5 Suits)", site_options(2)), ("Clue Starved & White (6 Suits)", site_options(5)),
          ("wild+black-powder", Options(2, mode="perfect_or_defeat", on_impossible="play_on")),
          ("base", Options(2, tiles=("take_back", "extra_action", "gain_clues", "free_clue")))]
for number, (name, options) in enumerate(tables):
    rng = np.random.default_rng(number)
    variant = load_variant(name)
    for _ in range(4):
        table = deal(variant, options, tuple(rng.permutation(variant.deck_in_order()).tolist()))
        rules, game = table.rules, table.game
        for _ in range(400):
            if game["ended"]:
                break
            count = int(engine.legal_actions(rules, game, out))
            if not count:
                break
            actions = [tuple(map(int, row)) for row in out[:count]]
            hand = game["hands"][game["to_move"]]
            good = [a for a in actions if a[0] == 0 and a[1] >= 0
                    and board.playable(rules, game, int(game["deck"][hand[a[1]]]))]
            choice = good or [a for a in actions if a[0] != 0] or actions
            game["choice_kind"], game["choice_target"], game["choice_value"] = 3, int(rng.integers(2)), 1
            engine.apply(rules, game, *choice[int(rng.integers(len(choice)))])
            masks = (board.needed_mask(rules, game), board.critical_mask(rules, game),
                     board.playable_mask(rules, game), board.max_score(rules, game),
                     engine.result_score(rules, game))
            digest.update(game.tobytes() + repr(tuple(map(int, masks))).encode())
print(digest.hexdigest())
"""


def digest(**environment: str) -> str:
    """What a fresh process computes on fixed random games, as a hash over every state.

    It chooses its own cache: kernels with bounds checks must not be taken from the cache of those without.
    """
    inherited = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_compiled_plain_and_checked_engines_agree() -> None:
    """The same source runs compiled, as plain Python, and with bounds checks; every state is the same."""
    compiled = digest()
    assert digest(NUMBA_DISABLE_JIT="1") == compiled
    assert digest(NUMBA_BOUNDSCHECK="1") == compiled
