"""``random-legal``: every distinct legal action with the same chance. The floor of any comparison."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.tools.building_blocks import hand_size, roll
from hanasolve.hanabi.game.rules import CLUE_COLOR, CLUE_RANK, DISCARD, PLAY, legal
from hanasolve.hanabi.game.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
from hanasolve.jit import kernel, kernel_of


@kernel
def random_action(view: Any, memory: Any) -> int:
    """A uniformly random legal action: the k-th one found replaces the choice with chance 1/k."""
    found, choice = 0, -1
    for kind in (PLAY, DISCARD):
        for i in range(hand_size(view, view["seat"])):
            if legal(view, view, kind, i, 0) == 0:
                found += 1
                if roll(view, memory, found) == 0:
                    choice = (kind << 16) | (i << 8)
    for seat in range(view["players"]):
        for i in range(view["colors"] + view["clue_ranks"]):
            kind, value = CLUE_COLOR, i
            if i >= view["colors"]:
                kind, value = CLUE_RANK, int(np.int64(view["rank_values"][i - view["colors"]]))
            if legal(view, view, kind, seat, value) == 0:
                found += 1
                if roll(view, memory, found) == 0:
                    choice = (kind << 16) | (seat << 8) | value
    return choice


@kernel_of(DECIDE_SIGNATURE)
def decide(view: Any, memory: Any) -> int:
    """Any legal action."""
    return random_action(view, memory)


@kernel_of(UPDATE_SIGNATURE)
def update(view: Any, memory: Any, event: Any) -> int:
    """Nothing to note."""
    return 0
