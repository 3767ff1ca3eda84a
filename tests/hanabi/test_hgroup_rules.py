"""One small position for each rule of the H-Group convention, levels 1 to 3, and inferences that only shrink."""

from __future__ import annotations

import pytest

from hanasolve.hanabi.conventions.players.hgroup.player import decide
from hanasolve.hanabi.conventions.players.hgroup.reading import URGENT, read_all
from hanasolve.hanabi.conventions.players.hgroup.state import INFERRED, POSSIBLE, is_clued
from hanasolve.hanabi.conventions.tools.building_blocks import dead_set, playable_set
from hanasolve.hanabi.game.rules import DISCARD, PLAY
from hanasolve.hanabi.game.view import aim, fill_game
from hanasolve.hanabi.play.games import act, begin
from hanasolve.hanabi.play.simulator import Simulator, seed_numbers
from tests.hanabi.hgroup_table import NAMES, Told

UNKNOWN = "? ? ? ? ?"
TRASH = "r1 r1 y1 y1 g1"  # with these stacks at 1


def table(level: int, *hands: str, tokens: int = 8, first: str = "Alice", **stacks: int) -> Told:
    """Hands newest first, Alice first; ``?`` is not known to Alice."""
    return Told({
        "variant": "No Variant", "suits": list("rygbp"), "level": level, "viewer": "Alice", "tokens": tokens,
        "hands": {
            name: [None if card == "?" else card for card in hand.split()]
            for name, hand in zip(NAMES, hands, strict=False)
        },
        "stacks": stacks, "discards": [], "first_player": first,
    })  # fmt: skip


def clue(told: Told, giver: str, target: str, value: str, *slots: int) -> None:
    told.take({"player": giver, "type": "clue", "clue": value, "target": target, "touched_slots": list(slots)})


def use(told: Told, player: str, how: str, card: str, slot: int, draws: str | None = None) -> None:
    told.take({"player": player, "type": how, "card": card, "slot": slot, "draws": draws})


def asked(told: Told, player: str) -> int:
    """The slot that a player must play before everything else, 0."""
    seat = NAMES.index(player)
    read_all(told.view, told.memory, playable_set(told.view))
    size = int(told.game["hand_sizes"][seat])
    orders = [int(order) for order in told.game["hands"][seat, :size]]
    urgent = int(told.memory["work"][URGENT + seat])
    return size - orders.index(urgent) if urgent in orders else 0


def decision(told: Told, player: str) -> tuple[int, int]:
    """What a player would do with a hand that he does not see: (kind, slot)."""
    seat = NAMES.index(player)
    fill_game(told.view, told.game, seat, False)
    code = int(decide(told.view, told.memory))
    fill_game(told.view, told.game, told.me, False)
    return code >> 16, int(told.game["hand_sizes"][seat]) - (code >> 8 & 255)


def test_chop_and_focus() -> None:
    told = table(1, UNKNOWN, "r2 y3 b1 p4 g4")
    clue(told, "Alice", "Bob", "4", 4, 5)
    assert told.own("Bob", 5) <= {"r4", "y4", "g4", "b4", "p4"}  # the chop was touched: the focus
    assert told.common("Bob", 4) == {"r4", "y4", "g4", "b4", "p4"}
    clue(told, "Alice", "Bob", "yellow", 2)
    assert told.own("Bob", 2) == {"y1"}


@pytest.mark.parametrize(("level", "expected"), [(1, {"p5"}), (2, {"r5", "y5", "g5", "b5", "p5"})])
def test_five_stall_of_level_2(level: int, expected: set[str]) -> None:
    """Number 5 off the chop in the early game; at level 1 it asks to play."""
    told = table(level, UNKNOWN, "r2 y5 b1 p4 g4", "b3 b4 r4 y4 y3", p=4)
    clue(told, "Alice", "Bob", "5", 2)
    assert told.own("Bob", 2) == expected


def test_five_after_the_early_game_is_a_play_clue() -> None:
    told = table(2, UNKNOWN, "r2 p5 b1 p3 g4", "b3 b4 r4 y4 y3", tokens=5, p=4)
    use(told, "Alice", "discard", "y2", 5)
    use(told, "Bob", "discard", "g4", 5, "g3")
    clue(told, "Cathy", "Bob", "5", 3)
    assert told.own("Bob", 3) == {"p5"}


def test_two_save_needs_no_other_copy_in_sight_unless_both_are_on_chops() -> None:
    told = table(1, UNKNOWN, "r4 y3 b3 p4 g2", "g2 b4 r4 y4 y3")
    clue(told, "Alice", "Bob", "2", 5)
    assert told.own("Bob", 5) == {"r2", "y2", "b2", "p2"}
    told = table(1, UNKNOWN, "r4 y3 b3 p4 g2", "b4 b4 r4 y4 g2")
    clue(told, "Alice", "Bob", "2", 5)
    assert told.own("Bob", 5) == {"r2", "y2", "g2", "b2", "p2"}


def test_prompt_comes_before_finesse() -> None:
    """r3 needs r2: Bob's older red card is asked for, his newest one if no marked card of his can be r2."""
    told = table(1, UNKNOWN, "g4 y3 r2 b4 r1", "b4 r3 g4 y4 y1")
    clue(told, "Alice", "Bob", "red", 3, 5)
    use(told, "Bob", "play", "r1", 5, "r4")
    clue(told, "Alice", "Cathy", "red", 2)
    assert told.own("Bob", 4) == {"r2"}
    assert told.own("Bob", 1) != {"r2"}
    told = table(1, UNKNOWN, "r2 y3 r4 p4 b4", "b4 r3 g4 y4 y1", r=1)
    clue(told, "Alice", "Bob", "4", 3, 4, 5)
    clue(told, "Alice", "Cathy", "red", 2)
    assert asked(told, "Bob") == 1
    assert told.own("Bob", 1) == {"r2"}


def test_double_finesse_of_level_2() -> None:
    for level, slots in ((1, (0, 0)), (2, (1, 0))):
        told = table(level, UNKNOWN, "r1 y3 b4 p4 g4", "r2 b4 b4 y4 y3", "p3 g4 r3 y4 g3")
        clue(told, "Alice", "Donald", "red", 3)
        assert asked(told, "Bob") == slots[0]
        assert told.own("Cathy", 1) == ({"r2"} if level == 2 else told.own("Cathy", 1))
    use(told, "Bob", "play", "r1", 1, "g1")
    assert asked(told, "Cathy") == 1


def test_reverse_finesse_waits_a_round() -> None:
    """Cathy acts after Bob, who is the receiver: he cannot tell r1 from r2 until she has acted."""
    told = table(2, UNKNOWN, "y3 r2 b4 p4 g4", "r1 b4 b4 y4 y3")
    clue(told, "Alice", "Bob", "red", 2)
    assert told.own("Bob", 2) == {"r1", "r2"}
    assert asked(told, "Cathy") == 1
    use(told, "Bob", "discard", "g4", 5, "g1")
    use(told, "Cathy", "play", "r1", 1, "g1")
    assert told.own("Bob", 3) == {"r2"}


def test_self_finesse_only_if_nothing_else_explains_the_clue() -> None:
    told = table(2, UNKNOWN, "y3 b4 b4 p4 g4", "g3 b4 r4 y4 y3", r=1)
    clue(told, "Bob", "Alice", "red", 2)
    assert told.own("Alice", 2) == {"r2"}
    assert asked(told, "Alice") == 0
    told = table(2, UNKNOWN, "y3 b4 b4 p4 g4", "g3 b4 r4 y4 y3", r=1)
    clue(told, "Bob", "Alice", "3", 2)
    assert asked(told, "Alice") == 1
    assert told.own("Alice", 1) == {"r2"}


def test_a_strike_ends_the_call() -> None:
    """Nothing explains the 2s but a self-finesse; the strike shows that it was none: the next card is not asked for."""
    told = table(2, UNKNOWN, "y3 b4 b3 p4 g4")
    clue(told, "Bob", "Alice", "2", 2)
    assert asked(told, "Alice") == 1
    use(told, "Alice", "misplay", "r4", 1)
    assert asked(told, "Alice") == 0
    assert told.own("Alice", 2) == {"r2", "y2", "g2", "b2", "p2"}


def test_second_blind_play_after_a_wrong_prompt() -> None:
    """Alice's red card is asked for as r2 and is r4: then her finesse position at the time of the clue is r2."""
    told = table(2, UNKNOWN, "r3 b4 y4 p4 g4", "g3 b4 b3 y4 y3")
    clue(told, "Bob", "Alice", "red", 2, 5)
    use(told, "Alice", "play", "r1", 5)
    clue(told, "Cathy", "Bob", "3", 1)
    assert asked(told, "Alice") == 3
    assert told.own("Alice", 3) == {"r2"}
    use(told, "Alice", "misplay", "r4", 3)
    assert asked(told, "Alice") == 2  # it was slot 1 when the clue was given
    assert told.own("Alice", 2) == {"r2"}


def test_order_of_ones() -> None:
    """Slots 1, 2, 3 and 5 are 1s, slot 5 was the chop, slot 1 was drawn later: order 5, 1, 3, 2."""
    for level, expected in ((3, [5, 1, 3, 2]), (1, [5, 3, 2, 1])):
        told = table(level, UNKNOWN, "y3 b4 b4 p4 g4", tokens=1)
        use(told, "Alice", "play", "r1", 1)
        clue(told, "Bob", "Alice", "1", 1, 2, 3, 5)
        size = int(told.game["hand_sizes"][0])
        slots = {int(order): size - i for i, order in enumerate(told.game["hands"][0, :size])}
        played = []
        for card in ("y1", "g1", "b1", "p1"):
            kind, slot = decision(told, "Alice")
            order = int(told.game["hands"][0, size - slot])
            assert kind == PLAY
            played.append(slots[order])
            use(told, "Alice", "play", card, slot)
        assert played == expected


def test_stop_clue_of_level_3() -> None:
    """The 1s are marked again with nothing new: the one that would be played is useless."""
    for level in (2, 3):
        told = table(level, UNKNOWN, "b1 b4 y3 p4 g1", "b3 g4 r4 y4 y3")
        clue(told, "Alice", "Bob", "1", 1, 5)
        use(told, "Bob", "play", "g1", 5, "r3")
        use(told, "Cathy", "play", "b1", 1, "g3")  # as it happens
        assert "b1" not in told.own("Bob", 2)
        clue(told, "Alice", "Bob", "1", 2)
        own = told.own("Bob", 2)
        assert (own <= {"g1", "b1"}) == (level == 3)


def test_fix_clue_with_facts() -> None:
    """The colour shows that a 1 is a copy of a placed card."""
    told = table(3, UNKNOWN, "b1 b4 y3 p4 g1", "b3 g4 r4 y4 y3")
    clue(told, "Alice", "Bob", "1", 1, 5)
    use(told, "Bob", "play", "g1", 5, "r3")
    use(told, "Cathy", "play", "b1", 1, "g3")
    clue(told, "Alice", "Bob", "blue", 2, 3)
    assert told.own("Bob", 2) == {"b1"}


@pytest.mark.parametrize(("level", "expected"), [(2, {"y2", "r2"}), (3, {"r2"})])
def test_sarcastic_discard_of_level_3(level: int, expected: set[str]) -> None:
    """Alice discards her known r2: Bob's marked 2 is the other one."""
    told = table(level, UNKNOWN, "b4 r2 y3 p4 g4", r=1, y=1)
    clue(told, "Alice", "Bob", "2", 2)
    clue(told, "Bob", "Alice", "red", 3)
    clue(told, "Bob", "Alice", "2", 3)
    assert told.own("Alice", 3) == {"r2"}
    use(told, "Alice", "discard", "r2", 3)
    assert told.own("Bob", 2) == expected


def test_a_locked_player_discards_without_sarcasm() -> None:
    told = table(3, UNKNOWN, "b4 y2 r2 p4 g4", r=1, y=1)
    clue(told, "Alice", "Bob", "2", 2, 3)
    for value, slots in (("red", (1, 2)), ("yellow", (3, 4)), ("5", (5,))):
        clue(told, "Bob", "Alice", value, *slots)
    before = told.common("Bob", 2)
    use(told, "Alice", "discard", "r2", 2)
    assert told.common("Bob", 2) == before


def test_a_call_that_is_not_answered_is_not_believed_any_more() -> None:
    told = table(2, UNKNOWN, "y3 r2 b4 p4 g4", "g4 b4 b4 y4 y3", "p3 g4 r3 y4 g3")
    clue(told, "Cathy", "Bob", "red", 2)
    assert asked(told, "Alice") == 1
    use(told, "Donald", "discard", "g3", 5, "y1")
    use(told, "Alice", "discard", "g3", 5)
    use(told, "Bob", "discard", "g4", 5, "b1")
    assert asked(told, "Alice") == 0


def grown(before: dict[int, int], table: Simulator) -> list[int]:
    """Cards whose set is not inside the one before, though that contradicted neither facts nor good touch, and no
    stop told that they are useless."""
    memory, dead, found = table.memory[0], int(dead_set(table.view)), []
    for order, inferred in before.items():
        now, facts = int(memory["mask"][INFERRED, order]), int(memory["mask"][POSSIBLE, order])
        if now & ~inferred and now & ~dead and inferred & facts & ~dead:
            found.append(order)
    return found


@pytest.mark.parametrize("level", ["hgroup1", "hgroup2", "hgroup3"])
def test_information_lock(level: str) -> None:
    """Inferred sets shrink; they start again if contradicted, after a strike, a stop, or an unexpected blind play."""
    checked = 0
    for players in (2, 3, 4, 5):
        for number in seed_numbers([f"p{players}v0s{i}" for i in range(31, 35)]):
            checked += follow(Simulator(level, players), int(number))
    assert checked > 2000


def follow(table: Simulator, number: int) -> int:
    deck = table.decks(seed_numbers([f"{table.seed_prefix}{number}"]))[0]
    begin(table.rules, table.game, table.view, table.memory, table.event, deck, table.setup, number, False)
    game, view, event, memory = table.game, table.view, table.event, table.memory[0]
    table.functions.update(view, memory, event)
    checked = 0
    while not game["ended"]:
        aim(view, game, int(game["to_move"]), False)
        code = int(table.functions.decide(view, memory))
        hands = [int(o) for s in range(table.options.players) for o in game["hands"][s, : game["hand_sizes"][s]]]
        before = {o: int(memory["mask"][INFERRED, o]) for o in hands if is_clued(memory, o)}
        marked = {o: bool(is_clued(memory, o)) for o in hands}
        act(table.rules, game, view, event, code, False)
        table.functions.update(view, memory, event)
        free = event["kind"] == PLAY and (event["scored"] == 0 or not marked[int(event["order"])])
        gone = int(event["order"]) if event["kind"] in (PLAY, DISCARD) else -1
        before.pop(gone, None)
        checked += len(before)
        if not free and not (event["kind"] == DISCARD and marked[gone]):
            assert grown(before, table) == [], (table.convention.name, number, int(game["turn"]))
    return checked
