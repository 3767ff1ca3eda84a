"""Game files of hanab.live (JSON) to replays and back.

Reading is tolerant where real files differ: comments and trailing commas, missing values, the shapes before
April 2020, the shapes of bot repositories and challenge templates. What is tolerated with a doubt goes into
``Replay.warnings``; what is wrong is a NotationError with the JSON path and, for actions, their index from 0.

Only the shape is checked here. Whether an action is legal is for the rules engine to say.

Two keys are ours: ``tableOptions`` holds options of the printed game that the site does not have, and an
action's ``choice`` (an object like an action) goes with a bonus tile.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hanasolve.errors import NotationError, UnsupportedVariant
from hanasolve.hanabi.game.deck import shuffle
from hanasolve.hanabi.game.options import HAND_SIZES, Options
from hanasolve.hanabi.game.records import Action, Replay, default_names
from hanasolve.hanabi.game.variants import NO_VARIANT, Variant, load_variant
from hanasolve.hanabi.notation.faults import fault, is_int, is_name
from hanasolve.hanabi.notation.hanab_live_actions import parse_actions
from hanasolve.hanabi.notation.jsonc import load_jsonc
from hanasolve.hanabi.notation.table_options import NAMES, default_options, format_options, parse_options
from hanasolve.hanabi.notation.text import copies_warnings

Record = Mapping[str, Any]

_LOG_KEYS = ("init", "gameActionList")
_SITE_SWITCHES = {"deckPlays": "deck_plays", "cardCycle": "card_cycle", "speedrun": "speedrun"}
_SITE_FLAGS = ("emptyClues", "oneExtraCard", "oneLessCard", "allOrNothing", "detrimentalCharacters")


def parse_game(text: str) -> Replay:
    """The replay of a game file's text."""
    return parse_record(load_jsonc(text))


def parse_record(
    data: object, *, players: int | None = None, variant: str | None = None, need_actions: bool = True
) -> Replay:
    """The replay of a decoded game file.

    ``players`` and ``variant`` help where the record does not say; if it says otherwise, that is an error.
    """
    record = _object(data)
    options = record.get("options")
    if options is None or options == []:  # an empty list is how some programs write no options
        options = {}
    if not isinstance(options, Mapping):
        raise fault("options", options, "an object")
    kind = _variant(record, options, variant)
    names = _names(record, options, players)
    _refuse_characters(record, options)
    seed = record.get("seed")
    seed = seed if isinstance(seed, str) and seed else None
    deck, warnings = _deck(record, kind, seed)
    actions = record.get("actions")
    if actions is None and need_actions:
        raise fault("actions", None, "a list of actions (it may be empty)")
    played = parse_actions([] if actions is None else actions, record, kind, len(names), warnings, len(deck))
    return Replay(
        variant=kind,
        options=_options(record, options, kind, len(names)),
        names=names,
        deck=deck,
        actions=played,
        seed=seed,
        id=record["id"] if is_int(record.get("id")) else None,
        warnings=tuple(warnings),
    )


def _object(data: object) -> Record:
    log = isinstance(data, list) and data and isinstance(data[0], Mapping) and "type" in data[0]
    if log or (isinstance(data, Mapping) and any(key in data for key in _LOG_KEYS)):
        raise NotationError(
            "found a log of the live protocol, expected a game file; export the game from the site instead"
        )
    if not isinstance(data, Mapping):
        raise fault("the file", data, "an object with players, deck and actions")
    return data


# ------------------------------------------------------------------------------------------------ header


def _variant(record: Record, options: Record, given: str | None) -> Variant:
    """The variant of ``options``, of the top level, or as given; they must not contradict each other."""
    said: list[tuple[str, object]] = []
    for place, holder in (("options", options), ("", record)):
        for key in ("variant", "variantName", "variantID", "variantId"):
            if holder.get(key) is not None:
                said.append((f"{place}.{key}".lstrip("."), holder[key]))
    if given is not None:
        said.append(("--variant", given))
    if not said:
        return load_variant(NO_VARIANT)
    kinds = []
    for place, name in said:
        if not (isinstance(name, str) or is_int(name)):
            raise fault(place, name, "the name of a variant")
        try:
            kinds.append(load_variant(str(name)))
        except UnsupportedVariant as error:
            raise UnsupportedVariant(f"{place}: {error}") from None
    for (place, _), kind in zip(said[1:], kinds[1:], strict=True):
        if kind != kinds[0]:
            raise NotationError(
                f"{place}: found {kind.name!r}, expected {kinds[0].name!r} as in {said[0][0]}"
            )
    return kinds[0]


def _names(record: Record, options: Record, given: int | None) -> tuple[str, ...]:
    """The players' names; a count where the record has only that."""
    players = record.get("players")
    if players is None:
        key = next((key for key in ("playerCount", "numPlayers") if record.get(key) is not None), None)
        players = record[key] if key else options.get("numPlayers", given)
    if is_int(players):
        if not 2 <= players <= 6:
            raise fault("players", players, "2 to 6")
        names = default_names(players)
    elif isinstance(players, list):
        for index, name in enumerate(players[:7]):
            if not is_name(name):
                raise fault(f"players[{index}]", name, "a name of printable characters")
            if name in players[:index]:
                raise fault(f"players[{index}]", name, "a name that no other player has")
        if not 2 <= len(players) <= 6:
            raise NotationError(f"players: found {len(players)} names, expected 2 to 6")
        names = tuple(players)
    else:
        hint = "" if "players" in record else " (or say --players N)"
        raise fault("players", players, f"a list of 2 to 6 names{hint}")
    if given is not None and given != len(names):
        raise NotationError(f"players: found {len(names)}, expected {given} as in --players")
    return names


def _refuse_characters(record: Record, options: Record) -> None:
    characters = record.get("characters")
    if not isinstance(characters, list | None):
        raise fault("characters", characters, "a list, or nothing")
    for index, character in enumerate(characters or ()):
        name = character.get("name") if isinstance(character, Mapping) else character
        if name and name != "n/a":
            raise UnsupportedVariant(
                f"characters[{index}]: detrimental characters ({name}) are not supported, expected none"
            )
    if options.get("detrimentalCharacters"):
        raise UnsupportedVariant("options.detrimentalCharacters: this mode is not supported, expected false")


def _options(record: Record, options: Record, variant: Variant, players: int) -> Options:
    """Site options, then the printed game's, in ``options`` or ``tableOptions``; the ones about time are ignored."""
    flags = {}
    for key in (*_SITE_SWITCHES, *_SITE_FLAGS):
        flag = options.get(key)
        if flag is not None and not isinstance(flag, bool):
            raise fault(f"options.{key}", flag, "true or false")
        flags[key] = bool(flag)
    chosen: dict[str, Any] = {name: True for key, name in _SITE_SWITCHES.items() if flags[key]}
    if flags["emptyClues"]:
        chosen["empty_clues"] = "allow"
    if flags["allOrNothing"]:
        chosen["mode"] = "perfect_or_defeat"
    if flags["oneExtraCard"] and flags["oneLessCard"]:
        raise NotationError("options: found oneExtraCard and oneLessCard, expected at most one of them")
    if flags["oneExtraCard"] or flags["oneLessCard"]:
        chosen["hand_size"] = HAND_SIZES[players] + (1 if flags["oneExtraCard"] else -1)
    first = options.get("startingPlayer", record.get("firstPlayer"))
    if first is not None:
        if not is_int(first) or not 0 <= first < players:
            place = "options.startingPlayer" if "startingPlayer" in options else "firstPlayer"
            raise fault(place, first, f"a seat from 0 to {players - 1}")
        chosen["first_player"] = first
    site = parse_options(chosen, default_options(variant, players), "options")
    printed = {name: value for name, value in options.items() if name in NAMES and name not in flags}
    _refuse_contradiction("options", printed, chosen, "the site's options")
    _refuse_contradiction("tableOptions", record.get("tableOptions"), {**chosen, **printed}, "options")
    return parse_options(record.get("tableOptions"), parse_options(printed, site, "options"), "tableOptions")


def _refuse_contradiction(place: str, chosen: object, said: Record, where: str) -> None:
    """Refuse options that were said before, and otherwise."""
    for name in set(chosen) & set(said) if isinstance(chosen, Mapping) else ():
        if isinstance(chosen, Mapping) and chosen[name] != said[name]:
            raise fault(f"{place}.{name}", chosen[name], f"{said[name]} as in {where}")


# -------------------------------------------------------------------------------------------------- deck


def _deck(record: Record, variant: Variant, seed: str | None) -> tuple[tuple[int, ...], list[str]]:
    """The deck and what is odd about it. The deck in the file wins over the seed's."""
    items = record.get("deck")
    of_seed = tuple(shuffle(seed, variant.deck_in_order())) if seed is not None else None
    if items is None:
        if of_seed is None:
            raise fault("deck", None, "a list of cards, or a seed")
        return of_seed, []
    if not isinstance(items, list):
        raise fault("deck", items, "a list of cards {suitIndex, rank}")
    if not items and of_seed is None:
        raise fault("deck", items, "at least one card")
    if len(items) > variant.deck_size:
        raise NotationError(
            f"deck: found {len(items)} cards, expected at most the {variant.deck_size} of {variant.name}"
        )
    deck = tuple(_card(item, variant, f"deck[{index}]") for index, item in enumerate(items))
    warnings = copies_warnings(deck, variant)
    if of_seed is not None and deck != of_seed:
        if deck == of_seed[: len(deck)]:
            added = len(of_seed) - len(deck)
            return of_seed, [*warnings, f"deck: the last {added} cards were added from the seed {seed}"]
        warnings.append(f"deck: it is not the deck of the seed {seed}; the deck in the file is used")
    if len(deck) < variant.deck_size and of_seed is None:
        warnings.append(f"deck: only the first {len(deck)} of {variant.deck_size} cards are known")
    return deck, warnings


def _card(item: object, variant: Variant, place: str) -> int:
    if isinstance(item, Mapping):
        suit, rank = item.get("suitIndex", item.get("suit")), item.get("rank")
    elif isinstance(item, list) and len(item) == 2:
        suit, rank = item
    else:
        raise fault(place, item, "a card {suitIndex, rank}")
    if not is_int(suit) or not 0 <= suit < len(variant.suits):
        raise fault(f"{place}.suitIndex", suit, f"0 to {len(variant.suits) - 1} ({variant.name})")
    if not is_int(rank) or rank not in variant.ranks:
        raise fault(f"{place}.rank", rank, "one of " + ", ".join(map(str, variant.ranks)))
    return variant.identity(suit, rank)


# ----------------------------------------------------------------------------------------------- writing


def format_game(replay: Replay) -> str:
    """A game file's text, one key a line, which the site's import and ``parse_game`` read."""
    entries = format_record(replay).items()
    lines = (f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in entries)
    return "{\n" + ",\n".join(lines) + "\n}\n"


def format_record(replay: Replay) -> dict[str, Any]:
    """A game file as a mapping, keys in the site's order; only options that are not default."""
    record: dict[str, Any] = {} if replay.id is None else {"id": replay.id}
    record["players"] = list(replay.names)
    suit_ranks = map(replay.variant.suit_rank, replay.deck)
    record["deck"] = [{"suitIndex": suit, "rank": rank} for suit, rank in suit_ranks]
    record["actions"] = [_format_action(action) for action in replay.actions]
    site, rest = _format_options(replay)
    if site:
        record["options"] = site
    if rest:
        record["tableOptions"] = rest
    if replay.seed is not None:
        record["seed"] = replay.seed
    return record


def _format_action(action: Action) -> dict[str, Any]:
    if action.choice is None:
        return action.fields()
    return {**action.fields(), "choice": dict(zip(("type", "target", "value"), action.choice, strict=True))}


def _format_options(replay: Replay) -> tuple[dict[str, Any], dict[str, Any]]:
    """(options the site has, the others) in which the table differs from the variant's default."""
    options, players = replay.options, replay.options.players
    rest = format_options(options, default_options(replay.variant, players))
    site: dict[str, Any] = {}
    if replay.variant.name != NO_VARIANT:
        site["variant"] = replay.variant.name
    if rest.pop("first_player", 0):
        site["startingPlayer"] = options.first_player
    for key, name in _SITE_SWITCHES.items():
        if rest.pop(name, False):
            site[key] = True
    if rest.get("empty_clues") == "allow":
        site["emptyClues"] = bool(rest.pop("empty_clues"))
    extra = options.cards_per_hand - HAND_SIZES[players]
    if extra in (1, -1):
        site["oneExtraCard" if extra == 1 else "oneLessCard"] = bool(rest.pop("hand_size"))
    if rest.get("mode") == "perfect_or_defeat":
        site["allOrNothing"] = bool(rest.pop("mode"))
    return site, rest
