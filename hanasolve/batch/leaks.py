"""Does a convention read what a player cannot know? Games once more, on another deal that looks the same to one player.

Before some turn, the own hand and the rest of the deck are exchanged. The same actions are then carried out from the
start; all decisions of the player to move up to that turn, and his notes, must be the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hanasolve.batch.watched_game import LEAK, NOTES, Crash, Problem, WatchedGame
from hanasolve.hanabi.game.deck import seed_number


def look_for_leak(game: WatchedGame, seed: str) -> tuple[bool, Problem | None]:
    """Whether there was another deal to play the game of this seed on, and what was different on it."""
    number = seed_number(seed)
    rng = np.random.default_rng(number)
    if game.play(seed) is not None or not game.codes:
        return False, None
    deck, codes = game.deck, list(game.codes)
    turn = int(rng.integers(len(codes)))
    original = _follow(game, deck, number, codes, turn)
    other = _another_deal(game.table.game, deck, rng)
    if other is None:
        return False, None
    try:
        changed = _follow(game, other, number, codes, turn, original)
    except Crash as crash:
        return True, game.problem(crash.kind, f"{crash} (with other cards in hand)", seed)
    difference = _difference(original, changed)
    if not difference:
        return True, None
    text = f"{difference} although this player sees the same; the link shows the other deal"
    return True, game.problem(LEAK, text, seed)


def _follow(
    game: WatchedGame, deck: NDArray[np.int8], number: int, codes: Sequence[int], turn: int,
    before: _Course | None = None,
) -> _Course:  # fmt: skip
    """Carry out given actions before ``turn``; the player to move then is asked at each of his turns.

    With ``before``, it ends at the first decision that is another one.
    """
    game.begin(deck, number)
    players = game.table.options.players
    seat = (int(game.table.game["to_move"]) + turn) % players
    course = _Course(seat)
    for index in range(turn + 1):
        game.aim_view()
        if game.game["to_move"] == seat:
            course.decisions.append(game.decide())
            at = len(course.decisions) - 1
            if before is not None and course.decisions[at] != before.decisions[at]:
                return course
        if index < turn:
            game.act(codes[index])
    notes = game.notes()
    course.notes = {name: np.array(notes[name]) for name in NOTES}
    course.dice = int(notes["dice"][seat])
    return course


@dataclass
class _Course:
    """What one player did and noted up to some turn."""

    seat: int
    decisions: list[int] = field(default_factory=list)
    notes: dict[str, NDArray[Any]] = field(default_factory=dict)
    dice: int = 0


def _another_deal(game: Any, deck: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int8] | None:
    """The hand of the player to move and the deck dealt anew, as all clues allow; None if that fails."""
    seat = int(game["to_move"])
    hand = game["hands"][seat, : game["hand_sizes"][seat]].tolist()
    hidden = hand + list(range(int(game["next"]), int(game["deck_size"])))
    fits = {order: int(game["fits"][order]) for order in hand}
    for _ in range(20):
        pool = rng.permutation(deck[hidden]).tolist()
        changed = deck.copy()
        for order in sorted(hand, key=lambda order: fits[order].bit_count()):
            card = next((card for card in pool if fits[order] >> card & 1), None)
            if card is None:
                break
            pool.remove(card)
            changed[order] = card
        else:
            changed[hidden[len(hand) :]] = pool
            if (changed[hand] != deck[hand]).any():
                return changed
    return None


def _difference(a: _Course, b: _Course) -> str:
    """In words what differs between two courses that must be the same; nothing if nothing does."""
    if a.decisions != b.decisions:
        return "decides otherwise"
    for name, value in a.notes.items():
        if not np.array_equal(value, b.notes[name]):
            return f"has other notes in memory[{name!r}]"
    return "" if a.dice == b.dice else "rolled the dice more or less often"
