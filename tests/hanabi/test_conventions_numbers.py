"""Conventions whose clues are numbers: what every reader notes is what the giver computed when he decided.

The prediction is made before the action from the mover's own view and notes; every reader's notes are his own, told
of the action from his own view, in which his hand is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from hanasolve.hanabi.conventions.players import cox_information, cox_recommendation, info, info_reading
from hanasolve.hanabi.conventions.tools.elimination import POSSIBLE, color_set, eliminate, mark_clue, rank_set
from hanasolve.hanabi.conventions.tools.questions import HAND, SETS, WEIGHT_1, WEIGHT_2
from hanasolve.hanabi.game.view import aim
from hanasolve.hanabi.play.games import act, begin
from hanasolve.hanabi.play.simulator import Simulator, seed_numbers

DISCARD, CLUE_COLOR, CLUE_RANK = 1, 2, 3


def decisions(table: Simulator, games: int) -> Iterator[tuple[int, int]]:
    """(seat, code) of every decision; whoever takes it calls ``go_on`` and ``tell_all`` before the next."""
    players = table.options.players
    for number in seed_numbers([f"p{players}v0s{i}" for i in range(1, games + 1)]):
        cards = table.decks(np.array([number], np.int64))[0]
        begin(table.rules, table.game, table.view, table.memory, table.event, cards, table.setup, int(number), False)
        tell_all(table)
        while table.game["ended"] == 0:
            seat = int(table.game["to_move"])
            aim(table.view, table.game, seat, False)
            yield seat, int(table.functions.decide(table.view, table.memory[seat]))


def go_on(table: Simulator, code: int) -> None:
    assert act(table.rules, table.game, table.view, table.event, code, False) == 0


def tell_all(table: Simulator) -> None:
    for seat in range(table.options.players):
        aim(table.view, table.game, seat, False)
        table.functions.update(table.view, table.memory[seat], table.event)


def others(table: Simulator, seat: int) -> list[int]:
    return [other for other in range(table.options.players) if other != seat]


def orders(table: Simulator, seat: int) -> list[int]:
    return [int(order) for order in table.game["hands"][seat, : table.game["hand_sizes"][seat]]]


def possible(notes: Any, of: list[int]) -> list[int]:
    return [int(mask) for mask in notes["mask"][POSSIBLE, of]]


def facts(table: Simulator, order: int) -> int:
    """What the clue just given says by itself about a card: all identities, or those it touches or leaves."""
    event = table.event
    if order not in (hand := orders(table, int(event["target"]))):
        return 2**25 - 1
    value, color = int(event["value"]), event["kind"] == CLUE_COLOR
    touch = sum(1 << i for i in range(25) if (i // 5 == value if color else i % 5 + 1 == value))
    return touch if event["touched"] >> hand.index(order) & 1 else 2**25 - 1 - touch


def test_cox_recommendation() -> None:
    """Each is told by the sum what the giver, who sees his hand, recommends."""
    table, clues = Simulator("cox-recommendation", 5, separate=True), 0
    for giver, code in decisions(table, 30):
        total = cox_recommendation.sum_of_others(table.view, giver, giver) % 8
        advice = [1 + cox_recommendation.recommendation(table.view, seat) for seat in others(table, giver)]
        go_on(table, code)
        if code >> 16 >= CLUE_COLOR:
            assert cox_recommendation.named_sum(table.view, table.event) == total
        tell_all(table)
        if code >> 16 >= CLUE_COLOR:
            clues += 1
            for reader in range(5):
                assert [int(table.memory[reader]["notes"][seat]) for seat in others(table, giver)] == advice
    assert clues > 300


@pytest.mark.slow
def test_cox_information() -> None:
    """Each is told the class of his target card; then the facts of the clue, then what is exhausted."""
    table, clues, open_cards = Simulator("cox-information", 5, separate=True), 0, 0
    for giver, code in decisions(table, 20):
        predicted, told = table.memory[giver].copy(), {}
        total = cox_information.sum_of_others(table.view, predicted, giver, giver) % 8
        for seat in others(table, giver):
            order = orders(table, seat)[cox_information.target_index(table.view, predicted, seat)]
            mask, identity = np.uint64(predicted["mask"][POSSIBLE, order]), int(table.game["deck"][order])
            number = cox_information.class_of(table.view, mask, identity)
            told[order] = cox_information.class_set(table.view, mask, number)
            open_cards += told[order] != mask
        go_on(table, code)
        if code >> 16 >= CLUE_COLOR:
            assert cox_information.named_sum(table.view, table.event) == total
        tell_all(table)
        if code >> 16 >= CLUE_COLOR:
            clues += 1
            for order, mask in told.items():
                predicted["mask"][POSSIBLE, order] = mask
            touch = rank_set(table.view, table.event["value"])
            if table.event["kind"] == CLUE_COLOR:
                touch = color_set(table.event["value"])
            mark_clue(table.view, predicted, table.event, touch)
            eliminate(table.view, predicted)
            cards = [order for seat in range(5) for order in orders(table, seat)]
            for reader in range(5):
                assert possible(table.memory[reader], cards) == possible(predicted, cards)
    assert clues > 150 and open_cards > 300


@pytest.mark.parametrize("players", [3, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 4, 5))])
def test_info(players: int) -> None:
    """A clue, or the choice among useless cards, tells each the answers that the mover saw in his hand."""
    table, made = Simulator("info", players, separate=True), {DISCARD: 0, CLUE_COLOR: 0, CLUE_RANK: 0}
    for mover, code in decisions(table, 25):
        kind, notes = code >> 16, table.memory[mover].copy()
        number = predicted = None
        if kind >= CLUE_COLOR:
            budget = info_reading.all_numbers(table.view, notes, mover)
            number = info.sum_for_others(table.view, notes, budget, False)
        elif kind == DISCARD:
            useless = info_reading.list_useless(table.view, notes, mover, len(orders(table, mover)), -1, 0)
            if useless > 1:
                number = info.sum_for_others(table.view, notes, useless, bool(table.view["clues"] > 0))
                listed = [int(order) for order in notes["work"][info_reading.USELESS : info_reading.USELESS + useless]]
        if number is not None:
            tables = notes["work_mask"]
            hands = {seat: orders(table, seat) for seat in others(table, mover)}
            predicted = {o: int(tables[HAND * seat + i]) for seat, hand in hands.items() for i, o in enumerate(hand)}
        go_on(table, code)
        if kind >= CLUE_COLOR:
            readers = [info_reading.clue_number(table.view, memory, table.event) for memory in table.memory]
            assert readers == [number] * players
        elif number is not None:
            assert listed.index(int(table.event["order"])) == number
        tell_all(table)
        for memory in table.memory if predicted is not None else ():
            made[kind] += 1
            weighty = int(memory["mask"][SETS, WEIGHT_1] | memory["mask"][SETS, WEIGHT_2])
            for order, mask in predicted.items():
                wanted = mask & (facts(table, order) if kind >= CLUE_COLOR else weighty)
                assert int(memory["mask"][POSSIBLE, order]) == wanted
    assert made[CLUE_COLOR] > 100 and made[CLUE_RANK] > 100 and made[DISCARD] > 10
