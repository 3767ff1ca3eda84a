"""The table before every turn of a game, as the review's page shows it: plain lists and numbers for JSON.

Cards are named by their order (place in the drawing order) everywhere, hands newest card first. Sets of
identities are indices into ``masks``, a list of hexadecimal bit masks: most sets occur many times.
"""

from __future__ import annotations

from typing import Any

from hanasolve.hanabi.deduction import Deduction
from hanasolve.hanabi.game import fireworks
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.records import Action, Replay
from hanasolve.hanabi.game.table import Table, act, clue_name, from_replay

# Face of a card by the first word of its suit's name that is known; ink dark where the face is light.
_FACES = {
    "rainbow": "rainbow", "omni": "rainbow", "multicolour": "rainbow", "multi": "rainbow", "prism": "rainbow",
    "red": "red", "yellow": "yellow", "green": "green", "blue": "blue", "purple": "purple", "teal": "teal",
    "black": "black", "pink": "pink", "brown": "brown", "orange": "orange", "white": "white", "gray": "gray",
    "null": "gray", "cocoa": "brown",
}  # fmt: skip


def board_fields(replay: Replay) -> dict[str, Any]:
    """The states before every turn and after the last, what each action did, and what the clues told."""
    table = from_replay(replay, 1)
    masks: dict[int, int] = {}
    states, events = [_state(table, masks)], []
    marks: dict[int, list[list[Any]]] = {}
    for action in replay.actions:
        if table.game["ended"] or action.type > engine.CLUE_RANK:
            break
        event = _event(table, action, marks)
        strikes = int(table.game["strikes"])
        act(table, action)
        if action.type == engine.PLAY:
            event["struck"] = int(table.game["strikes"]) > strikes
        events.append(event)
        states.append(_state(table, masks))
    variant = replay.variant
    return {
        "suits": [{"name": suit.name, "letter": variant.letters[i], "face": face_of(suit.name)}
                  for i, suit in enumerate(variant.suits)],
        "ranks": list(variant.ranks),
        "rankNames": ["S" if rank == 7 else str(rank) for rank in variant.ranks],
        "stackSize": variant.stack_size,
        "cluesMax": int(table.rules["clues_max"]) / int(table.rules["token_unit"]),
        "strikesMax": int(table.rules["strikes_max"]),
        "deck": [int(card) for card in table.game["deck"][: table.game["deck_size"]]],
        "over": bool(table.game["ended"]),
        "copies": list(variant.copies),
        "states": states,
        "events": events,
        "marks": {str(order): told for order, told in sorted(marks.items())},
        "masks": [f"{mask:x}" for mask in masks],
    }  # fmt: skip


def face_of(suit: str) -> str:
    """The name of a suit's face in the page's style sheet."""
    words = suit.lower().split()
    return next((_FACES[word] for word in words if word in _FACES), "gray")


def _state(table: Table, masks: dict[int, int]) -> dict[str, Any]:
    game, rules = table.game, table.rules
    left = int(engine.deck_left(game))
    most = int(fireworks.max_score(rules, game))
    score = int(fireworks.score(rules, game))
    hands = [
        [int(order) for order in game["hands"][seat, : game["hand_sizes"][seat]]][::-1]
        for seat in range(int(rules["players"]))
    ]
    return {
        "toMove": int(game["to_move"]),
        "clues": int(game["clues"]) / int(rules["token_unit"]),
        "strikes": int(game["strikes"]),
        "left": left,
        "score": score,
        "pace": score + left + int(rules["players"]) - most if left else None,
        "turnsLeft": int(game["turns_left"]) if game["turns_left"] >= 0 else None,
        "stacks": _stacks(table),
        "playable": _index(int(fireworks.playable_mask(rules, game)), masks),
        "needed": _index(int(fireworks.needed_mask(rules, game)), masks),
        "critical": _index(int(fireworks.critical_mask(rules, game)), masks),
        "discarded": [int(n) for n in game["discarded"][: rules["identities"]]],
        "hands": hands,
        "knows": _knowledge(table, masks),
    }


def _stacks(table: Table) -> list[list[int]]:
    """(cards placed, identity on top or -1) of every suit."""
    found = []
    ranks = len(table.variant.ranks)
    for suit, order in enumerate(table.variant.orders):
        placed = int(table.game["stacks"][suit])
        if order == "up":
            top = placed - 1
        elif order == "down":
            top = ranks - placed
        elif order == "sudoku":
            top = (int(table.game["starts"][suit]) + placed - 1) % ranks
        else:
            top = _up_or_down_top(table, suit, placed)
        found.append([placed, suit * ranks + top if placed else -1])
    return found


def _up_or_down_top(table: Table, suit: int, placed: int) -> int:
    """Rank index on top of an Up or Down suit: START counts as the first card."""
    direction = int(table.game["directions"][suit])
    if placed == 1 or direction == 0:
        return int(table.game["starts"][suit])
    return placed - 1 if direction > 0 else 5 - placed


def _knowledge(table: Table, masks: dict[int, int]) -> list[list[list[int]]]:
    """``[viewer][seat]``: sets of the cards of that hand, newest first, as the viewer knows its holder can tell.

    For the own hand it is what the viewer knows himself.
    """
    facts = Deduction(table)
    seats = range(int(table.rules["players"]))
    found = []
    for viewer in seats:
        rows = []
        for seat in seats:
            view = facts.ask(viewer).empathy(viewer, seat)
            assert view is not None, "whoever asks has a view"
            rows.append([_index(mask, masks) for mask in reversed(view.sets)])
        found.append(rows)
    return found


def _index(mask: int, masks: dict[int, int]) -> int:
    return masks.setdefault(mask, len(masks))


def _event(table: Table, action: Action, marks: dict[int, list[list[Any]]]) -> dict[str, Any]:
    """What an action does to which cards, before it is carried out; clues are noted in ``marks``."""
    game, variant = table.game, table.variant
    if action.type <= engine.DISCARD:
        return {"kind": ("play", "discard")[action.type], "cards": [action.target], "struck": False}
    mask = int(engine.touch_mask(table.rules, action.type, action.value))
    hand = [int(order) for order in game["hands"][action.target, : game["hand_sizes"][action.target]]]
    hand = [order for order in hand if game["deck"][order] >= 0]  # of a card that is not known nothing is known
    touched = [order for order in hand if mask >> int(game["deck"][order]) & 1]
    name = clue_name(variant, action.type, action.value)
    is_color = action.type == engine.CLUE_COLOR
    face = face_of(name) if is_color else ""
    for order in hand:
        row = [int(game["turn"]) + 1, name, int(is_color), face, int(order in touched)]
        marks.setdefault(order, []).append(row)
    return {"kind": "clue", "cards": touched, "target": action.target, "name": name, "face": face}
