"""``hat``: clues as numbers, what a clue tells is what is done and read, privacy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hanasolve.hanabi.conventions.find import find_convention
from hanasolve.hanabi.conventions.players import hat, hat_reading
from hanasolve.hanabi.conventions.players import hat_actions as h
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.view import EVENT, aim, announce, fill_game, new_view
from hanasolve.hanabi.play.games import act, begin
from hanasolve.hanabi.play.simulator import Simulator, play_games, seed_numbers

pytestmark = pytest.mark.slow  # the kernels take some 40 seconds to compile
SCRATCH = ("work", "work_mask", "work_float")


def turns(table: Simulator, number: int) -> Any:
    """Play a game with notes for every seat; yields (seat, code, notes before the action) after each action."""
    cards = table.decks(np.array([number], np.int64))[0]
    begin(table.rules, table.game, table.view, table.memory, table.event, cards, table.setup, number, False)
    tell_all(table)
    while table.game["ended"] == 0:
        seat = int(table.game["to_move"])
        aim(table.view, table.game, seat, False)
        code = int(table.functions.decide(table.view, table.memory[seat]))
        before = table.memory.copy()
        assert act(table.rules, table.game, table.view, table.event, code, False) == 0
        tell_all(table)
        yield seat, code, before


def tell_all(table: Simulator) -> None:
    for seat in range(table.options.players):
        aim(table.view, table.game, seat, False)
        table.functions.update(table.view, table.memory[seat], table.event)


def naive_standard(view: Any, notes: Any, giver: int, seat: int, taken: set[int], players: int) -> int:
    """Section "standard action" of the description, with lists: 0 clue, 4 - i play, 8 - i discard."""
    if notes[h.DUE + seat] >= 0:
        return 4 - int(notes[h.DUE + seat])
    hand = [int(view["deck"][view["hands"][seat, i]]) for i in range(view["hand_sizes"][seat])]
    promised = [int(height) for height in notes[h.PROMISED : h.PROMISED + 5]]
    on_time = []
    for i, card in enumerate(hand):
        suit, rank = divmod(card, 5)
        if rank != promised[suit] or card in taken:
            continue
        holders = [q for q in range(players) if rank and notes[h.DUE_CARD + q] == card - 1]
        waits = (seat - giver) % players
        if view["stacks"][suit] == rank or any((q - giver) % players <= waits for q in holders):
            critical = view["discarded"][card] + 1 == view["copies"][card]
            on_time.append((rank, not critical, -i))
    if on_time:
        return 4 + min(on_time)[2]
    dead = [i for i, card in enumerate(hand) if card % 5 < promised[card // 5]]
    doubled = [i for i, card in enumerate(hand) if hand.count(card) > 1]
    return next((8 - i for i in dead + doubled), 0)


@pytest.mark.parametrize("players", [4, 5])
def test_every_number_has_a_clue_that_names_it(players: int) -> None:
    table, event = Simulator("hat", players), np.zeros(1, EVENT)[0]
    wrong = 0
    for number in seed_numbers([f"p{players}v0s{i}" for i in range(1, 41)]):
        cards = table.decks(np.array([number], np.int64))[0]
        begin(table.rules, table.game, table.view, table.memory, table.event, cards, table.setup, int(number), False)
        for wanted in range(9):
            code = hat.number_clue(table.view, wanted)
            announce(table.game, table.view, event, code >> 16, (code >> 8) & 255, code & 255)
            wrong += hat_reading.clue_number(table.view, event) != wanted
    assert wrong <= 1  # "missing" needs a card unlike the newest


@pytest.mark.parametrize("players", [4, 5])
def test_what_a_clue_tells_is_what_is_read_and_done(players: int) -> None:
    """The giver's list of actions, against his naive twin, and against what each receiver then does."""
    table, kept, compared = Simulator("hat", players), 0, 0
    for number in seed_numbers([f"p{players}v0s{i}" for i in range(1, 31)]):
        told: dict[int, int] = {}
        for seat, code, before in turns(table, int(number)):
            kind, index = code >> 16, (code >> 8) & 255
            action = told.pop(seat, 0)
            if h.is_play(action):
                assert (kind, index) == (0, 4 - action)
                kept += 1
            elif action and kind == 1 and before[seat]["notes"][h.MODIFIED] != seat:
                assert int(before[seat]["notes"][h.USELESS]) > 0
            mover = int(table.game["to_move"])  # his notes hold his plan already
            free = [q for q in range(players) if table.memory[q]["notes"][h.COUNT] == 0 and q != mover]
            promised = {tuple(table.memory[q]["notes"][h.PROMISED : h.PROMISED + 5].tolist()) for q in free}
            assert len(promised) <= 1
            if kind >= 2:
                notes = table.memory[seat]["notes"]
                listed = [int(a) for a in notes[h.AFTER : h.AFTER + players - 1]]
                for step, action in enumerate(listed, 1):
                    other = (seat + step) % players
                    if h.is_play(action) or other not in told or not h.is_play(told[other]):
                        told[other] = action
                compared += check_standard(table, before, seat, listed)
    assert kept > 300 and compared > 300


def check_standard(table: Simulator, before: Any, seat: int, told: list[int]) -> int:
    """The actions after the modified player's, last one first, as the naive twin finds them."""
    players = table.options.players
    view = new_view(table.rules)
    fill_game(view, table.game, seat, False)
    notes, modified = table.memory[seat]["notes"], int(table.memory[seat]["notes"][h.MODIFIED])
    earlier = before[(seat - 1) % players]["notes"]
    if earlier[h.COUNT] or before[seat]["notes"][h.COUNT]:
        return 0
    taken: set[int] = set()
    old = notes.copy()
    # what was due before this clue: the plays that stay, told again in the list
    old[h.PROMISED : h.PROMISED + 5] = earlier[h.PROMISED : h.PROMISED + 5]
    old[h.DUE : h.DUE + 6] = earlier[h.DUE : h.DUE + 6]
    old[h.DUE_CARD : h.DUE_CARD + 6] = earlier[h.DUE_CARD : h.DUE_CARD + 6]
    if (earlier[h.DUE : h.DUE + players] >= 0).any():
        return 0
    for step in range(players - 1, (modified - seat) % players, -1):
        other = (seat + step) % players
        assert told[step - 1] == naive_standard(view, old, seat, other, taken, players)
        if h.is_play(told[step - 1]):
            taken.add(int(view["deck"][view["hands"][other, 4 - told[step - 1]]]))
    return players - 1 - (modified - seat) % players


def test_what_a_player_cannot_see_changes_no_note() -> None:
    """Deal the hidden cards anew before every update: the notes and the plan are the same."""
    shuffler = np.random.default_rng(8)
    for players in (4, 5):
        table = Simulator("hat", players)
        seen = 0
        for number in seed_numbers([f"p{players}v0s{i}" for i in range(1, 4)]):
            for _, _, before in turns(table, int(number)):
                for seat in range(players):
                    other = table.game.copy()
                    hidden = [o for o in range(other["deck_size"]) if other["where"][o] in (-1, seat)]
                    other["deck"][hidden] = shuffler.permutation(other["deck"][hidden])
                    fresh, memory = new_view(table.rules), before[seat].copy()
                    fill_game(fresh, other, seat, False)
                    for name in SCRATCH:
                        memory[name] = 7
                    table.functions.update(fresh, memory, table.event)
                    for name in memory.dtype.names:
                        if name not in SCRATCH:
                            assert np.array_equal(memory[name], table.memory[seat][name]), name
                    seen += 1
        assert seen > 300


def test_foreign_actions_do_no_harm() -> None:
    """Notes taken of a game that does not follow the convention stay inside the record; the moves stay legal."""
    rng = np.random.default_rng(5)
    table = Simulator("hat", 5)
    for number in seed_numbers([f"p5v0s{i}" for i in range(1, 31)]):
        cards = table.decks(np.array([number], np.int64))[0]
        begin(table.rules, table.game, table.view, table.memory, table.event, cards, table.setup, int(number), False)
        tell_all(table)
        while table.game["ended"] == 0:
            seat = int(table.game["to_move"])
            aim(table.view, table.game, seat, False)
            code = int(table.functions.decide(table.view, table.memory[seat]))
            if rng.random() < 0.5:
                code = int(rng.integers(2) << 16 | rng.integers(int(table.game["hand_sizes"][seat])) << 8)
            refused = act(table.rules, table.game, table.view, table.event, code, False)
            if refused:
                assert act(table.rules, table.game, table.view, table.event, 0, False) == 0
            tell_all(table)
            assert all(0 <= memory["notes"][h.COUNT] <= 4 for memory in table.memory)


def test_seats_turned_and_suits_by_other_names_are_the_same_game() -> None:
    numbers = seed_numbers([f"p4v0s{i}" for i in range(1, 101)])
    table, turned = Simulator("hat", 4), Simulator("hat", 4, options=Options(4, first_player=1))
    cards = table.decks(numbers)
    moved = np.concatenate([cards[:, 12:16], cards[:, :12], cards[:, 16:]], axis=1)
    assert np.array_equal(table.play(numbers, cards), turned.play(numbers, moved))
    other = ((cards // 5 + 2) % 5 * 5 + cards % 5).astype(np.int8)
    assert np.array_equal(table.play(numbers, cards), table.play(numbers, other))


def test_tables_of_three_are_refused() -> None:
    from hanasolve.errors import UnsupportedVariant

    assert find_convention("hat").players == (4, 5)
    with pytest.raises(UnsupportedVariant, match="4, 5 players"):
        play_games("hat", ["p3v0s1"], 3)
