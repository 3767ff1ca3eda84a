"""The options of a table as a mapping, by the names the rules use: in position files and game files.

``tiles`` is ``{"order": [effects, top tile first], "when_empty": "token"}``; a tile set file's own list
``{"tiles": [{"effect": …}, …]}`` is understood as well. On and off may be written as truth values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from hanasolve.errors import NotationError
from hanasolve.hanabi.game.options import HAND_SIZES, TILE_EFFECTS, Options, site_options
from hanasolve.hanabi.game.variants import Variant
from hanasolve.hanabi.notation.faults import fault, is_int

_SWITCHES = ("fifth_card_bonus", "stop_when_dead", "deck_plays", "card_cycle", "speedrun")
_NUMBERS = ("hand_size", "clues_max", "clues_start", "strikes_max", "first_player")
_WORDS = {
    "empty_clues": ("forbid", "allow"),
    "discard_at_max": ("forbid", "allow"),
    "strikeout_score": ("zero", "keep"),
    "mode": ("normal", "perfect_or_defeat", "royal_favor"),
    "on_impossible": ("stop", "play_on"),
    "powder_bonus": ("on_complete", "none"),
    "scale": ("scaled", "absolute"),
    "score_words": ("english", "abacus"),
}
NAMES = (*_NUMBERS, *_SWITCHES, *_WORDS, "tiles")
_ON_OFF = {"on": True, "off": False, "true": True, "false": False}


def default_options(variant: Variant, players: int) -> Options:
    """The table a file means when it says nothing: hanab.live's for its variants, else the printed game's."""
    return site_options(players) if variant.id >= 0 else Options(players)


def parse_options(chosen: object, base: Options, place: str) -> Options:
    """``base`` with the options of a mapping; NotationError names the option that does not fit."""
    if chosen is None:
        return base
    if not isinstance(chosen, Mapping):
        raise fault(place, chosen, "a mapping of options, e.g. {strikes_max: 1}")
    values: dict[str, Any] = {}
    for name, value in chosen.items():
        where = f"{place}.{name}"
        if name not in NAMES:
            raise fault(place, name, "an option: " + ", ".join(NAMES), NAMES)
        if name == "tiles":
            values["tiles"], values["tiles_when_empty"] = _tiles(value, where)
        else:
            values[name] = _value(name, value, where)
    if values.get("hand_size") == HAND_SIZES[base.players]:
        values["hand_size"] = 0
    try:
        return replace(base, **values)
    except NotationError as error:
        raise NotationError(f"{place}.{error}") from None


def _value(name: str, value: object, place: str) -> object:
    if name in _NUMBERS:
        if not is_int(value):
            raise fault(place, value, "a whole number")
        return value
    if name in _SWITCHES:
        switch = value if isinstance(value, bool) else _ON_OFF.get(str(value).lower())
        if switch is None:
            raise fault(place, value, "on or off")
        return switch
    if value not in _WORDS[name]:
        raise fault(place, value, " or ".join(_WORDS[name]), _WORDS[name])
    return value


def _tiles(value: object, place: str) -> tuple[tuple[str, ...], str]:
    if not isinstance(value, Mapping):
        raise fault(place, value, "a mapping {order: [effects, top tile first]}")
    order = value.get("order", value.get("tiles"))
    if not isinstance(order, list):
        raise fault(f"{place}.order", order, "a list of effects, top tile first")
    effects = []
    for index, tile in enumerate(order):
        effect = tile.get("effect") if isinstance(tile, Mapping) else tile
        if effect not in TILE_EFFECTS:
            expected = "an effect: " + ", ".join(TILE_EFFECTS)
            raise fault(f"{place}.order[{index}]", effect, expected, TILE_EFFECTS)
        effects.append(str(effect))
    when_empty = value.get("when_empty", "token")
    if when_empty not in ("token", "nothing"):
        raise fault(f"{place}.when_empty", when_empty, "token or nothing")
    return tuple(effects), when_empty


def format_options(options: Options, base: Options) -> dict[str, Any]:
    """The options in which a table differs from ``base``, by name; ``parse_options`` reads them back."""
    chosen: dict[str, Any] = {}
    for name in (field.name for field in fields(Options)):
        value = getattr(options, name)
        if name in NAMES and name != "tiles" and value != getattr(base, name):
            chosen[name] = HAND_SIZES[options.players] if name == "hand_size" and value == 0 else value
    if options.tiles:
        chosen["tiles"] = {"order": list(options.tiles), "when_empty": options.tiles_when_empty}
    return chosen
