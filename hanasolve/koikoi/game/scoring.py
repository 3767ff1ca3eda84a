"""From the points of a pile to the round score: new yaku, doublings, the end of a round without cards."""

from __future__ import annotations

from typing import Any

from hanasolve.jit import inline_kernel, kernel
from hanasolve.koikoi.game import yaku


@inline_kernel
def is_new(before: int, names_before: int, pile: int, points: int, rules: Any) -> bool:
    """Whether a pile worth ``points`` holds a new yaku against the start of the turn."""
    if rules["new_yaku"] == 0:
        return bool(points > before)
    return bool((yaku.names(pile, rules) & ~names_before) != 0)


@kernel
def round_score(pile: int, points: int, own_calls: int, other_calls: int, rules: Any) -> int:
    """Round score of a winner with this pile, worth ``points``."""
    doubled = rules["double_at"] > 0 and points >= rules["double_at"]
    called = other_calls > 0 and rules["double_after_call"] == 1
    score = points
    if doubled:
        score *= 2
    if called and not (doubled and rules["double_combine"] == 1):
        score *= 2
    if own_calls > 0:
        score += (rules["viewing_called"] - rules["viewing_points"]) * yaku.viewings(pile, rules)
        if rules["own_calls"] == 1:
            score = score + own_calls if own_calls <= 3 else score * (own_calls - 2)
    return score


@kernel
def exhausted_score(pile: int, other_pile: int, calls: int, other_calls: int, rules: Any) -> int:
    """Dealer's score minus the other's when the cards have run out; ``pile`` and ``calls`` are the
    dealer's."""
    if calls + other_calls == 0 or rules["exhausted_call"] == 0:
        return int(rules["exhausted_dealer"])
    mine, theirs = yaku.points(pile, rules), yaku.points(other_pile, rules)
    own = round_score(pile, mine, calls, other_calls, rules)
    others = round_score(other_pile, theirs, other_calls, calls, rules)
    if rules["exhausted_call"] == 1:  # the caller's score at the call: his points have not changed since
        own = own if calls > 0 else 0
        others = others if other_calls > 0 else 0
        return own if own > others else -others if others > own else 0
    return own if mine > theirs else -others if theirs > mine else 0
