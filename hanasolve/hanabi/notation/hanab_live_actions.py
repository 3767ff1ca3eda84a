"""The actions of hanab.live's game files: today's shape and those before April 2020, and what no action can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hanasolve.hanabi.game.records import Action
from hanasolve.hanabi.game.variants import Variant
from hanasolve.hanabi.notation.faults import fault, is_int, plural

Record = Mapping[str, Any]

_OLD_TYPES = {0: "clue", 1: "play", 2: "discard"}
_TYPES = "0 play, 1 discard, 2 colour clue, 3 number clue, 4 or 5 end of the game"


def parse_actions(
    items: object, record: Record, variant: Variant, players: int, warnings: list[str], deck_size: int
) -> tuple[Action, ...]:
    """The actions up to the first whose card the deck lacks; ``warnings`` then gets a sentence."""
    if not isinstance(items, list):
        raise fault("actions", items, "a list of actions {type, target, value}")
    old = _is_old(items, record)
    actions = []
    for index, item in enumerate(items):
        place = f"actions[{index}]"
        if isinstance(item, list) and len(item) in (2, 3):
            item = dict(zip(("type", "target", "value"), item, strict=False))
        if not isinstance(item, Mapping):
            raise fault(place, item, "an action {type, target, value}")
        action = _old_action(item, place) if old else _action(item, place)
        if is_cut_off(action, variant, deck_size):
            warnings.append(cut_off(place, action, index))
            break
        check_action(action, variant, players, deck_size, place)
        actions.append(replace(action, choice=_choice(item.get("choice"), f"{place}.choice")))
    return tuple(actions)


def _is_old(items: list[Any], record: Record) -> bool:
    """Whether the actions have the shape before April 2020, where type 0 is a clue."""
    objects = [item for item in items if isinstance(item, Mapping)]
    if any("clue" in item or isinstance(item.get("type"), str) for item in objects):
        return True
    deck = record.get("deck")
    old_deck = isinstance(deck, list) and any(isinstance(card, Mapping) and "suit" in card for card in deck)
    return (old_deck or "firstPlayer" in record) and not any("value" in item for item in objects)


def _integer(item: Record, key: str, place: str, expected: str) -> int:
    value = item.get(key)
    if not is_int(value):
        raise fault(f"{place}.{key}", value, expected)
    return value


def _action(item: Record, place: str) -> Action:
    kind = _integer(item, "type", place, _TYPES)
    if kind not in range(6):
        raise fault(f"{place}.type", kind, _TYPES)
    target = _integer(item, "target", place, "a card's position in the deck or a seat")
    value = item.get("value")
    if value is not None and not is_int(value):
        raise fault(f"{place}.value", value, "a number")
    return Action(kind, target, value or 0)


def _old_action(item: Record, place: str) -> Action:
    """An action before April 2020: 0 clue, 1 play, 2 discard; a clue's type is 0 number, 1 colour."""
    kind = item.get("type")
    word = _OLD_TYPES.get(kind) if is_int(kind) else kind
    if word not in _OLD_TYPES.values():
        known = "0 clue, 1 play, 2 discard (the file has the shape before April 2020)"
        raise fault(f"{place}.type", kind, known, _OLD_TYPES.values())
    target = _integer(item, "target", place, "a card's position in the deck or a seat")
    if word != "clue":
        return Action(0 if word == "play" else 1, target)
    clue = item.get("clue")
    if not isinstance(clue, Mapping):
        raise fault(f"{place}.clue", clue, "an object {type, value}")
    of_number = _integer(clue, "type", f"{place}.clue", "0 number or 1 colour")
    if of_number not in (0, 1):
        raise fault(f"{place}.clue.type", of_number, "0 number or 1 colour")
    value = _integer(clue, "value", f"{place}.clue", "a number or the index of a colour")
    return Action(3 if of_number == 0 else 2, target, value)


def _choice(item: object, place: str) -> tuple[int, int, int] | None:
    if item is None:
        return None
    if not isinstance(item, Mapping):
        raise fault(place, item, "an object {type, target, value}")
    kind, target, value = (_integer(item, key, place, "a number") for key in ("type", "target", "value"))
    if not all(0 <= number < 100 for number in (kind, target, value)):
        raise fault(place, dict(item), "numbers from 0 to 99")
    return kind, target, value


def is_cut_off(action: Action, variant: Variant, known: int) -> bool:
    """Whether an action uses a card of the deck's part that is not in the record."""
    return action.type in (0, 1) and known <= action.target < variant.deck_size


def cut_off(place: str, action: Action, index: int) -> str:
    """The warning that a record is read up to an action."""
    read = plural(index, "action")
    return f"{place}: card {action.target} of the deck is not known; read is what comes before it, {read}"


def check_action(action: Action, variant: Variant, players: int, deck_size: int, place: str) -> None:
    """Refuse what cannot be an action of any game of this variant, as the site's import does."""
    kind, target, value = action.type, action.target, action.value
    if kind in (0, 1):
        if not 0 <= target < max(deck_size, 1):
            raise fault(f"{place}.target", target, f"a card's position in the deck, 0 to {deck_size - 1}")
        if value != 0:
            raise fault(f"{place}.value", value, "0 or nothing for a play or discard")
    elif kind in (2, 3):
        if not 0 <= target < players:
            raise fault(f"{place}.target", target, f"a seat from 0 to {players - 1}")
        if kind == 2 and not 0 <= value <= len(variant.clue_colors):
            colors = ", ".join(f"{i} {color}" for i, color in enumerate(variant.clue_colors)) or "none"
            raise fault(f"{place}.value", value, f"the index of a clue colour ({colors})")
        if kind == 3 and not 1 <= value <= 5:
            raise fault(f"{place}.value", value, "a number from 1 to 5")
    else:
        if not -1 <= target < players:
            raise fault(f"{place}.target", target, f"a seat from 0 to {players - 1}, or -1")
        if not 0 <= value <= 10:
            raise fault(f"{place}.value", value, "an end condition from 0 to 10")
