"""``blind``: always plays a random card of its hand, up to the third strike."""

from __future__ import annotations

from typing import Any

from hanasolve.hanabi.conventions.tools.building_blocks import hand_size, play_card, roll
from hanasolve.hanabi.game.view import DECIDE_SIGNATURE, UPDATE_SIGNATURE
from hanasolve.jit import kernel_of


@kernel_of(DECIDE_SIGNATURE)
def decide(view: Any, memory: Any) -> int:
    """Play a uniformly random own card."""
    return play_card(roll(view, memory, hand_size(view, view["seat"])))


@kernel_of(UPDATE_SIGNATURE)
def update(view: Any, memory: Any, event: Any) -> int:
    """Nothing to note."""
    return 0
