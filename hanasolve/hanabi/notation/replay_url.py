"""``replay-json`` links of hanab.live: a whole game in an address, readable without the network.

The payload has three parts with commas between them, ``{players}{lowest rank}{highest rank}{cards}``,
``{lowest type}{highest type}{actions}`` and ``{variant id}``, and a hyphen after every 20 characters; each
card and each half of an action is one base-62 digit. ``Payload`` is what it holds, number by number;
``parse_url`` and ``format_url`` go on to replays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from hanasolve.errors import NotationError, UnsupportedVariant
from hanasolve.hanabi.game.records import Action, Replay, default_names
from hanasolve.hanabi.game.variants import Variant, load_variant
from hanasolve.hanabi.notation.faults import fault, fault_words
from hanasolve.hanabi.notation.hanab_live_actions import check_action, cut_off, is_cut_off
from hanasolve.hanabi.notation.table_options import default_options, format_options
from hanasolve.hanabi.notation.text import copies_warnings

BASE62 = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
PREFIX = "https://hanab.live/replay-json/"

_LINK = re.compile(r"(?:https?://)?(?:www\.)?hanab\.live/+(?P<page>[a-z-]+)/+(?P<rest>.*)", re.IGNORECASE)
_PAYLOAD = re.compile(r"[0-9]{3}[^,\s./\\]*,-?[0-9][^,\s./\\]*,[^\s./\\]*")
_WRAP = 20


@dataclass(frozen=True)
class Payload:
    """The numbers of a payload. Cards are (suit, rank), actions (type, target, value or None)."""

    players: int
    deck: tuple[tuple[int, int], ...]
    actions: tuple[tuple[int, int, int | None], ...]
    variant_id: int
    seed: str | None = None


def is_url(text: str) -> bool:
    """Whether the text is an address or has the outline of a bare payload."""
    return "://" in text or _LINK.match(text) is not None or _PAYLOAD.fullmatch(text) is not None


# ----------------------------------------------------------------------------------------------- decoding


def decode(payload: str) -> Payload:
    """The numbers of a payload (hyphens are ignored); NotationError names the character at fault."""
    fields = payload.split(",", 3)
    seed = fields.pop() if len(fields) == 4 else None
    parts = [field.replace("-", "") for field in fields]
    if len(parts) != 3:
        commas = len(parts) - 1
        raise NotationError(f"link: found {commas} commas, expected 2 (cards, actions, variant id)")
    players, deck = _decode_deck(parts[0])
    if re.fullmatch(r"[0-9]{1,9}", parts[2], re.ASCII) is None:
        raise fault("link, third part", parts[2], "a variant id")
    return Payload(players, deck, _decode_actions(parts[1]), int(parts[2]), seed or None)


def _digits(text: str, count: int, place: str, expected: str) -> list[int]:
    head = text[:count]
    if len(head) < count or not (head.isascii() and head.isdecimal()):
        raise fault(place, head, expected)
    return [int(digit) for digit in head]


def _values(text: str, skip: int, place: str) -> list[int]:
    values = []
    for index, character in enumerate(text[skip:], start=skip + 1):
        value = BASE62.find(character)
        if value < 0:
            raise fault(f"{place}, character {index}", character, "a letter or a digit")
        values.append(value)
    return values


def _decode_deck(text: str) -> tuple[int, tuple[tuple[int, int], ...]]:
    place = "link, first part"
    players, low, high = _digits(text, 3, place, "three digits: players, lowest and highest rank")
    if not 2 <= players <= 6:
        raise fault(f"{place}, character 1", players, "2 to 6 players")
    if low > high:
        raise fault(f"{place}, characters 2 and 3", f"{low}{high}", "the lowest rank before the highest")
    width = high - low + 1
    cards = _values(text, 3, place)
    return players, tuple((value // width, value % width + low) for value in cards)


def _decode_actions(text: str) -> tuple[tuple[int, int, int | None], ...]:
    place = "link, second part"
    low, high = _digits(text, 2, place, "two digits: lowest and highest type of action")
    if low > high:
        raise fault(f"{place}, characters 1 and 2", f"{low}{high}", "the lowest type before the highest")
    values = _values(text, 2, place)
    if len(values) % 2:
        raise NotationError(f"{place}: found half an action at its end, expected two characters an action")
    width = high - low + 1
    return tuple(
        (head % width + low, target, head // width - 1 if head >= width else None)
        for head, target in zip(values[::2], values[1::2], strict=True)
    )


# ----------------------------------------------------------------------------------------------- encoding


def encode(payload: Payload) -> str:
    """The payload's text with the narrowest ranges, wrapped; the seed is never written."""
    ranks = [rank for _, rank in payload.deck]
    low, high = min(ranks, default=1), max(ranks, default=5)
    width = high - low + 1
    cards = "".join(_digit(suit * width + rank - low, "card") for suit, rank in payload.deck)
    text = f"{payload.players}{low}{high}{cards},{_encode_actions(payload)},{payload.variant_id}"
    return "-".join(text[i : i + _WRAP] for i in range(0, len(text), _WRAP))


def _encode_actions(payload: Payload) -> str:
    if not payload.actions:
        return "00"
    types = [kind for kind, _, _ in payload.actions]
    low, high = min(types), max(types)
    width = high - low + 1
    pairs = (
        _digit((0 if value is None else value + 1) * width + kind - low, f"actions[{index}]")
        + _digit(target, f"actions[{index}].target")
        for index, (kind, target, value) in enumerate(payload.actions)
    )
    return f"{low}{high}{''.join(pairs)}"


def _digit(value: int, place: str) -> str:
    if not 0 <= value < len(BASE62):
        raise NotationError(f"{place}: found {value}, expected 0 to 61: a link cannot hold it")
    return BASE62[value]


# ------------------------------------------------------------------------------------------------ replays


def parse_url(text: str) -> Replay:
    """The replay of a ``replay-json`` or ``shared-replay-json`` address or of its bare payload.

    ``#K`` at its end becomes ``Replay.turn``. An address that only names a game on the site is refused:
    reading it would need the network.
    """
    payload, _, mark = _payload_text(text.strip()).partition("#")
    numbers = decode(payload)
    try:
        variant = load_variant(numbers.variant_id)
    except UnsupportedVariant as error:
        raise UnsupportedVariant(f"link, third part: {error}") from None
    deck = _identities(numbers, variant)
    warnings = copies_warnings(deck, variant)
    if len(deck) < variant.deck_size:
        warnings.append(f"link: only the first {len(deck)} of {variant.deck_size} cards are known")
    actions = []
    for index, (kind, target, value) in enumerate(numbers.actions):
        place = f"link, actions[{index}]"
        if kind > 5:
            raise fault(f"{place}.type", kind, "a type from 0 to 5")
        action = Action(kind, target, value or 0)
        if is_cut_off(action, variant, len(deck)):
            warnings.append(cut_off(place, action, index))
            break
        check_action(action, variant, numbers.players, len(deck), place)
        actions.append(action)
    return Replay(
        variant=variant,
        options=default_options(variant, numbers.players),
        names=default_names(numbers.players),
        deck=deck,
        actions=tuple(actions),
        seed=numbers.seed,
        turn=_turn(mark),
        warnings=tuple(warnings),
    )


def named_game(rest: str) -> str:
    """How to get at a game of which only the site's number is given, e.g. ``123456`` or ``123456#5``."""
    number = re.match(r"[0-9]{1,12}", rest)
    if number is None:
        return "which only names a game on the site and needs the network: give a replay-json link"
    return (
        f"which only names a game on the site and needs the network: open https://hanab.live/export/{number[0]}, save "
        f"the page, e.g. as {number[0]}.json, and give that file; or give a replay-json link"
    )


def _payload_text(text: str) -> str:
    link = _LINK.match(text)
    if link is None:
        if "://" in text or "/" in text:
            raise fault("link", text, f"an address {PREFIX}…, or its last part alone")
        return text
    if link["page"].lower() in ("replay", "shared-replay", "game"):
        raise NotationError(f"link: found {link['page']}/{link['rest']}, {named_game(link['rest'])}")
    if link["page"].lower() not in ("replay-json", "shared-replay-json"):
        raise fault("link", link["page"], "replay-json or shared-replay-json", ["replay-json"])
    return link["rest"].rstrip("/")


def _identities(numbers: Payload, variant: Variant) -> tuple[int, ...]:
    if not numbers.deck:
        raise NotationError("link, first part: found no card, expected the deck")
    if len(numbers.deck) > variant.deck_size:
        raise NotationError(
            f"link, first part: found {len(numbers.deck)} cards, "
            f"expected at most the {variant.deck_size} of {variant.name}"
        )
    deck = []
    for index, (suit, rank) in enumerate(numbers.deck):
        if not 0 <= suit < len(variant.suits) or rank not in variant.ranks:
            found = f"suit {suit}, rank {rank}"
            raise fault_words(f"link, card {index + 1} of the deck", found, f"a card of {variant.name}")
        deck.append(variant.identity(suit, rank))
    return tuple(deck)


def _turn(mark: str) -> int | None:
    if not mark:
        return None
    if re.fullmatch(r"[0-9]{1,4}", mark, re.ASCII) is None or int(mark) < 1:
        raise fault("link, after #", mark, "a turn from 1")
    return int(mark)


def lost_in_url(replay: Replay) -> list[str]:
    """What a link cannot hold of a game and changes its course, in words; empty if it holds all."""
    default = default_options(replay.variant, replay.options.players)
    options = replace(replay.options, scale=default.scale, score_words=default.score_words)  # only words for the score
    lost = [f"{name} {value}" for name, value in format_options(options, default).items()]
    chosen = (index for index, action in enumerate(replay.actions) if action.choice is not None)
    lost += [f"the choice of actions[{index}]" for index in chosen]
    if any(action.target < 0 for action in replay.actions):
        lost.append("the end of the game by nobody's action (target -1)")
    return lost


def format_url(replay: Replay, *, force: bool = False) -> str:
    """The ``replay-json`` address of a replay; refused if something would be lost, unless forced.

    Names, the game's id and the seed are never kept. Forced, an end action without a seat is left out.
    """
    if replay.variant.id < 0:
        name = replay.variant.name
        raise UnsupportedVariant(f"a link cannot hold {name!r}: hanab.live has no such variant")
    lost = lost_in_url(replay)
    if lost and not force:
        raise NotationError(f"a link cannot hold {', '.join(lost)}: --force leaves that out")
    actions = tuple(
        (action.type, action.target, None if action.type < 2 else action.value)
        for action in replay.actions
        if action.target >= 0
    )
    deck = tuple(map(replay.variant.suit_rank, replay.deck))
    text = PREFIX + encode(Payload(replay.options.players, deck, actions, replay.variant.id))
    return text if replay.turn is None else f"{text}#{replay.turn}"
