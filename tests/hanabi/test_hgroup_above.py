"""Positions above level 3, or of other conventions: what the facts alone exclude.

``tests/data/hgroup/above-level-3.json``. The readings of those levels are out of scope; the published inferred set
must lie inside the logical one, which is counted here and compared with the facts that the H-Group notes keep.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hanasolve.errors import ImpossiblePosition
from hanasolve.hanabi.deduction import Deduction
from tests.hanabi.hgroup_table import NAMES, Told
from tests.hanabi.test_deduction_vectors import table_of

VECTORS = json.loads((Path(__file__).parents[1] / "data/hgroup/above-level-3.json").read_text())["vectors"]

IMPOSSIBLE = {"HG-105": "b5", "HG-120": "b5"}  # the published hands show this card twice


class Facts:
    """The cards with the clues that touched and missed them, in the form of the deduction vectors."""

    def __init__(self, vector: dict[str, Any]) -> None:
        self.vector = vector
        self.stacks, self.discards = dict(vector["stacks"]), list(vector["discards"])
        self.hands = {
            name: [{"card": card, "touched": [], "missed": []} for card in hand]
            for name, hand in vector["hands"].items()
        }

    def take(self, turn: dict[str, Any]) -> None:
        if turn["type"] == "clue":
            for slot, card in enumerate(self.hands[turn["target"]], 1):
                card["touched" if slot in turn["touched_slots"] else "missed"].append(turn["clue"])
            return
        hand = self.hands[turn["player"]]
        del hand[turn["slot"] - 1]
        hand.insert(0, {"card": turn.get("draws"), "touched": [], "missed": []})
        if turn["type"] == "play":
            self.stacks[turn["card"][0]] += 1
        else:
            self.discards.append(turn["card"])

    def deduction(self) -> Deduction:
        position = {"stacks": self.stacks, "discards": self.discards, "hands": self.hands}
        return Deduction(table_of(self.vector, position))

    def known(self, player: str) -> bool:
        """Whether all hands but this one are in sight."""
        return all(card["card"] for name, hand in self.hands.items() if name != player for card in hand)


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_positions_above_level_3_as_logical_deductions(vector: dict[str, Any]) -> None:
    if vector["id"] in IMPOSSIBLE:
        with pytest.raises(ImpossiblePosition, match=IMPOSSIBLE[vector["id"]]):
            Facts(vector).deduction()
        return
    facts, told, done = Facts(vector), Told(vector | {"level": 3}), 0
    for number, turn in enumerate(vector["turns"], 1):
        facts.take(turn)
        told.take(turn)
        for check in vector["checks"]:
            if check["after_turns"] == number:
                compare(check, facts, told)
                done += 1
    assert done == len(vector["checks"])


def compare(check: dict[str, Any], facts: Facts, told: Told) -> None:
    """The holder's set as published; the inferred set inside it; the notes never exclude what logic allows."""
    seat, slot, deduction = NAMES.index(check["player"]), check["slot"], facts.deduction()
    index = len(facts.hands[check["player"]]) - slot

    def cards(mask: int) -> set[str]:
        return {name for name, i in told.ids.items() if mask >> i & 1}

    noted = told.facts(check["player"], slot)
    common = cards(deduction.common(seat).sets[index])
    assert common <= noted
    expected = set(check["expected"])
    if check["kind"] == "empathy" and check["view"] == "common":
        assert expected <= common
    assert expected <= noted
    if "pure_logic_holder" not in check:
        return
    assert facts.known(check["player"])
    holder = cards(deduction.holder(seat).sets[index])
    assert holder == set(check["pure_logic_holder"])
    assert holder <= common
    assert (expected <= holder) == check["subset_of_pure_logic"]
