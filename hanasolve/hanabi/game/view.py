"""What a convention is given: VIEW (what one player can know), MEMORY (his notes), EVENT (a public action).

A VIEW carries the fields of RULES and GAME under the same names, so every kernel of ``board`` and ``rules``
that only reads accepts it in both places: ``playable(view, view, identity)``, ``legal(view, view, kind,
target, value)``. The one difference is ``deck``: it holds the identities this player knows, -1 for the cards
of the deck and of his own hand. ``seat`` is his seat. With *open hands* (``cheat``) the own hand is shown as
well; the deck never is.

One VIEW record serves a whole game: it is brought up to date with each action (``refresh``) and aimed at the
player who looks (``aim``), which hides and shows one hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.game.rules import (
    DISCARD,
    GAME,
    IN_DECK,
    MAX_DECK,
    MAX_HAND,
    MAX_IDS,
    MAX_PLAYERS,
    PLACED,
    PLAY,
    RULES,
    touch_mask,
)
from hanasolve.jit import from_dtype, kernel, types

START = -1  # kind of the event before the first action

_GAME_FIELDS = [(name, GAME[name]) for name in GAME.names or ()]
_RULES_FIELDS = [(name, RULES[name]) for name in RULES.names or () if name not in (GAME.names or ())]

VIEW = np.dtype([("seat", np.int64), *_RULES_FIELDS, *_GAME_FIELDS])

SETUP_SIZE, CARD_ROWS, MASK_ROWS, NOTES, WORK = 128, 6, 6, 128, 256

MEMORY = np.dtype(
    [
        ("dice", np.uint64, (MAX_PLAYERS,)),  # state of each seat's generator; a player rolls his own only
        ("setup", np.float64, (SETUP_SIZE,)),  # the convention's constants, the same in every game
        ("notes", np.int64, (NOTES,)),
        ("card", np.int8, (CARD_ROWS, MAX_DECK)),  # by order: a card keeps its number wherever it moves
        ("mask", np.uint64, (MASK_ROWS, MAX_DECK)),
        ("weights", np.int8, (MAX_DECK, MAX_IDS)),
        ("log", np.int16, (MAX_PLAYERS, 512)),
        ("work", np.int64, (WORK,)),  # scratch of one call; never compared, never relied upon
        ("work_mask", np.uint64, (WORK,)),
        ("work_float", np.float64, (WORK,)),
    ]
)
"""A player's notes; what each field holds is the convention's own choice. All zero before the START event."""

EVENT = np.dtype(
    [
        ("kind", np.int64),  # START, or PLAY, DISCARD, CLUE_COLOR, CLUE_RANK of the rules
        ("actor", np.int64),
        ("target", np.int64),  # seat that was clued, else the hand index of the card before it left
        ("value", np.int64),  # colour index or rank of a clue
        ("touched", np.int64),  # bit i: the clue touched index i of the hand; the others it missed
        ("order", np.int64),  # card that left the hand, -1 for a clue
        ("identity", np.int64),
        ("scored", np.int64),  # 1 if a played card was placed
        ("drawn", np.int64),  # order of the card drawn for it, -1
        ("clues_before", np.int64),
        ("strikes_before", np.int64),
        ("deck_before", np.int64),
    ]
)
"""A public action, as every player saw it. The view is already that after the action."""

VIEW_TYPE = from_dtype(VIEW)
MEMORY_TYPE = from_dtype(MEMORY)
EVENT_TYPE = from_dtype(EVENT)
DECIDE_SIGNATURE = types.int64(VIEW_TYPE, MEMORY_TYPE)
UPDATE_SIGNATURE = types.int64(VIEW_TYPE, MEMORY_TYPE, EVENT_TYPE)


def new_view(rules: Any) -> Any:
    """An empty VIEW of a table; ``fill_game`` completes it."""
    view = np.zeros(1, VIEW)[0]
    for name, _ in _RULES_FIELDS:
        view[name] = rules[name]
    return view


@kernel
def blank(notes: Any) -> None:
    """A player's notes before a game: the convention's constants and the dice stay."""
    notes["notes"][:] = 0
    notes["card"][:] = 0
    notes["mask"][:] = 0
    notes["weights"][:] = 0
    notes["log"][:] = 0


@kernel
def open_event(game: Any, event: Any) -> None:
    """The event before the first action."""
    event["kind"], event["actor"], event["target"], event["value"] = START, -1, -1, 0
    event["order"], event["identity"], event["scored"], event["drawn"] = -1, -1, 0, -1
    event["touched"], event["clues_before"], event["strikes_before"] = 0, game["clues"], 0
    event["deck_before"] = game["deck_size"] - game["next"]


@kernel
def fill_game(view: Any, game: Any, seat: int, open_hands: bool) -> None:
    """Copy everything that this player may know of a game."""
    _copy_scalars(view, game)
    view["seat"] = seat
    for suit in range(view["suits"]):
        view["stacks"][suit] = game["stacks"][suit]
        view["starts"][suit] = game["starts"][suit]
        view["directions"][suit] = game["directions"][suit]
    for identity in range(view["identities"]):
        view["discarded"][identity] = game["discarded"][identity]
    for player in range(view["players"]):
        view["hand_sizes"][player] = game["hand_sizes"][player]
        _copy_hand(view, game, player)
    for order in range(MAX_DECK):
        view["where"][order] = game["where"][order]
        view["told_yes"][order] = game["told_yes"][order]
        view["told_no"][order] = game["told_no"][order]
        view["fits"][order] = game["fits"][order]
        hidden = game["where"][order] == IN_DECK or (game["where"][order] == seat and not open_hands)
        view["deck"][order] = -1 if hidden else game["deck"][order]


@kernel
def _copy_hand(view: Any, game: Any, player: int) -> None:
    for i in range(MAX_HAND):
        view["hands"][player, i] = game["hands"][player, i]


@kernel
def _copy_scalars(view: Any, game: Any) -> None:
    view["clues"] = game["clues"]
    view["strikes"] = game["strikes"]
    view["turn"] = game["turn"]
    view["to_move"] = game["to_move"]
    view["turns_left"] = game["turns_left"]
    view["ended"] = game["ended"]
    view["next"] = game["next"]
    view["deck_size"] = game["deck_size"]
    view["clues_given"] = game["clues_given"]
    view["bonus_lost"] = game["bonus_lost"]
    view["last_clue"] = game["last_clue"]
    view["tiles_turned"] = game["tiles_turned"]


@kernel
def aim(view: Any, game: Any, seat: int, open_hands: bool) -> None:
    """Turn the view to another seat: show the old seat's hand, hide the new one's."""
    old = view["seat"]
    if old == seat:
        return
    view["seat"] = seat
    if open_hands:
        return
    for i in range(game["hand_sizes"][old]):
        order = game["hands"][old, i]
        view["deck"][order] = game["deck"][order]
    for i in range(game["hand_sizes"][seat]):
        view["deck"][game["hands"][seat, i]] = -1


@kernel
def announce(game: Any, view: Any, event: Any, kind: int, target: int, value: int) -> None:
    """Write what is public about an action before it is carried out."""
    actor = game["to_move"]
    event["kind"], event["actor"], event["target"], event["value"] = kind, actor, target, value
    event["order"], event["identity"], event["scored"], event["drawn"] = -1, -1, 0, -1
    event["clues_before"], event["strikes_before"] = game["clues"], game["strikes"]
    event["deck_before"] = game["deck_size"] - game["next"]
    event["touched"] = 0
    if kind == PLAY or kind == DISCARD:
        order = game["hands"][actor, target]
        event["order"], event["identity"] = order, game["deck"][order]
        return
    mask = touch_mask(view, kind, value)
    touched = 0
    for i in range(game["hand_sizes"][target]):
        identity = np.uint64(game["deck"][game["hands"][target, i]])
        touched |= int(np.int64((mask >> identity) & np.uint64(1))) << i
    event["touched"] = touched


@kernel
def refresh(view: Any, game: Any, event: Any, open_hands: bool) -> None:
    """Bring the view up to date after the announced action, and complete the event."""
    _copy_scalars(view, game)
    kind = event["kind"]
    if kind == PLAY or kind == DISCARD:
        _refresh_card(view, game, event, open_hands)
    else:
        target = event["target"]
        for i in range(game["hand_sizes"][target]):
            order = game["hands"][target, i]
            view["told_yes"][order] = game["told_yes"][order]
            view["told_no"][order] = game["told_no"][order]
            view["fits"][order] = game["fits"][order]
        if view["card_cycle"]:
            _copy_hand(view, game, int(np.int64(event["actor"])))
    if view["tiles"] > 0:
        fill_game(view, game, view["seat"], open_hands)


@kernel
def _refresh_card(view: Any, game: Any, event: Any, open_hands: bool) -> None:
    actor, order, identity = event["actor"], event["order"], event["identity"]
    size = game["hand_sizes"][actor]
    suit = view["suit_of"][identity]
    view["hand_sizes"][actor] = size
    for i in range(event["target"], size):
        view["hands"][actor, i] = game["hands"][actor, i]
    view["hands"][actor, size] = game["hands"][actor, size]
    where = game["where"][order]
    view["where"][order] = where
    view["deck"][order] = identity
    view["discarded"][identity] = game["discarded"][identity]
    view["stacks"][suit] = game["stacks"][suit]
    view["starts"][suit] = game["starts"][suit]
    view["directions"][suit] = game["directions"][suit]
    event["scored"] = 1 if where == PLACED else 0
    if event["deck_before"] > 0:
        drawn = int(np.int64(game["next"])) - 1
        event["drawn"] = drawn
        view["where"][drawn] = actor
        if actor != view["seat"] or open_hands:
            view["deck"][drawn] = game["deck"][drawn]
