"""From parsed records to the engine and back: start, replay to a turn, name an action in words.

A ``Table`` is what every command works on: the RULES and GAME records with the variant and the names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hanasolve.errors import IllegalAction, ImpossiblePosition
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.fireworks import playable, score
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.records import UNKNOWN, Action, Position, Replay, default_names
from hanasolve.hanabi.game.variants import Variant

# End conditions that an end action may bring; the others follow from the rules (hanab.live's numbers).
_END_CONDITIONS = (3, 4, 6, 7, 8, 9, 10)

_REASONS = {
    "game_over": "the game is over",
    "no_such_action": "there is no such action",
    "no_such_card": "this card is not in the hand of the player to move",
    "discard_at_max_clues": "no discard while all clue tokens are available",
    "no_such_player": "there is no such player",
    "clue_to_self": "a player cannot clue himself",
    "no_clue_token": "no clue token is left",
    "color_not_nameable": "this colour cannot be named in this variant",
    "rank_not_nameable": "this number cannot be named in this variant",
    "clue_type_repeated": "the clue must be of the other type than the last one",
    "empty_clue": "the clue touches no card",
}


@dataclass
class Table:
    """A running game: its records, its variant and options, and the players' names."""

    variant: Variant
    options: Options
    names: tuple[str, ...]
    rules: Any  # RULES scalar
    game: Any  # GAME scalar, changed in place by `act`

    def copy(self) -> Table:
        return Table(self.variant, self.options, self.names, self.rules, self.game.copy())


def deal(variant: Variant, options: Options, deck: tuple[int, ...], names: tuple[str, ...] = ()) -> Table:
    """The table before the first action."""
    rules = engine.make_rules(variant, options)
    full = list(deck) + [UNKNOWN] * (variant.deck_size - len(deck))
    game = engine.new_game(rules, full)
    return Table(variant, options, names or default_names(options.players), rules, game)


def from_replay(replay: Replay, turn: int | None = None) -> Table:
    """The table before the ``turn``-th action (1-based); None = after the last one.

    IllegalAction names the action's index (from 0), the player, the card or clue and the reason.
    Actions after the end of the game are ignored.
    """
    table = deal(replay.variant, replay.options, replay.deck, replay.names)
    stop = len(replay.actions) if turn is None else min(turn - 1, len(replay.actions))
    for index, action in enumerate(replay.actions[:stop]):
        if table.game["ended"]:
            break
        try:
            act(table, action, f"actions[{index}]: ")
        except IllegalAction as error:
            if error.code == "no_such_card" and _held_with_extra(replay, index):
                hint = f"{error}; with one more card in each hand it would be: is oneExtraCard missing?"
                raise IllegalAction(hint, error.code) from None
            raise
    return table


def _held_with_extra(replay: Replay, index: int) -> bool:
    """Whether all cards used up to this action are in the right hand if one more card is dealt to each."""
    options = replay.options
    size, players = options.cards_per_hand + 1, options.players
    if size * players > len(replay.deck):
        return False
    hands = [set(range(seat * size, (seat + 1) * size)) for seat in range(players)]
    drawn = size * players
    for turn, action in enumerate(replay.actions[: index + 1]):
        hand = hands[(options.first_player + turn) % players]
        if action.type in (engine.PLAY, engine.DISCARD):
            if action.target not in hand:
                return False
            hand.remove(action.target)
            hand.add(drawn)
            drawn += 1
    return True


def from_position(position: Position) -> Table:
    """The table of a position; orders are given to the discards, then the hands, then the deck."""
    rules = engine.make_rules(position.variant, position.options)
    game = np.zeros(1, engine.GAME)[0]
    engine.clear(rules, game)
    table = Table(position.variant, position.options, position.names, rules, game)
    for suit in position.placed:
        for identity in suit:
            if not playable(rules, game, identity):
                card = position.variant.card_name(identity)
                raise ImpossiblePosition(f"fireworks: {card} cannot have been placed in this order", "copies")
            engine.place(rules, game, identity)
    for identity in position.discards:
        game["where"][_add(game, identity)] = engine.DISCARDED
        game["discarded"][identity] += 1
    for seat, hand in enumerate(position.hands):
        for index, held in enumerate(hand):
            order = _add(game, held.identity)
            game["where"][order], game["hands"][seat, index] = seat, order
            for told in held.told:
                _mark_one(rules, game, order, told.kind, told.value, told.touched)
        game["hand_sizes"][seat] = len(hand)
    game["next"] = game["deck_size"]
    for identity in position.deck if position.deck is not None else [UNKNOWN] * position.deck_count:
        _add(game, identity)
    game["clues"] = round(position.clues * rules["token_unit"])
    game["strikes"], game["turn"], game["to_move"] = position.strikes, position.turn, position.to_move
    if position.turns_left is not None:
        game["turns_left"] = position.turns_left
    elif engine.deck_left(game) == 0 and rules["mode"] == engine.NORMAL:
        game["turns_left"] = rules["players"]
    game["ended"] = engine.end_reason(rules, game)
    return table


def _add(game: Any, identity: int) -> int:
    order = int(game["deck_size"])
    if order >= engine.MAX_DECK:
        raise ImpossiblePosition(f"more than {engine.MAX_DECK} cards in the position", "copies")
    game["deck"][order] = identity
    game["deck_size"] = order + 1
    return order


def _mark_one(rules: Any, game: Any, order: int, kind: int, value: int, touched: bool) -> None:
    mask = np.uint64(engine.touch_mask(rules, kind, value))  # compiled, it returns a plain int
    flag = np.uint32(1 << engine.clue_bit(rules, kind, value))
    if touched:
        game["told_yes"][order] |= flag
        game["fits"][order] &= mask
    else:
        game["told_no"][order] |= flag
        game["fits"][order] &= ~mask


def final_score(table: Table) -> int:
    """What a game that has ended is worth: nothing after the last strike, unless the table keeps its points, or where
    it was broken off; else the cards placed, also in the modes that know only won and lost."""
    ended = int(table.game["ended"])
    if ended >= engine.SITE_END or (ended == engine.STRIKEOUT and not table.rules["keep_score"]):
        return 0
    return int(score(table.rules, table.game))


def official_score(table: Table) -> int:
    """The score of the record: of a game in progress the cards placed; 0 for a game that is lost (third strike, broken
    off, a speedrun that failed, the modes that know only won and lost)."""
    ended = int(table.game["ended"])
    if ended == engine.SPEEDRUN_FAIL or (knows_only_won(table) and ended not in (engine.RUNNING, engine.PERFECT)):
        return 0
    return final_score(table)


def knows_only_won(table: Table) -> bool:
    """Whether this is a mode in which anything but the full score is nothing."""
    return bool(table.rules["mode"] != engine.NORMAL)


def engine_action(table: Table, action: Action) -> tuple[int, int, int]:
    """A stored action as the engine's (kind, target, value); an absent card becomes a target it refuses."""
    if action.type == 5:
        return engine.END, -1, 10
    if action.type > engine.DISCARD:
        return action.type, action.target, action.value
    game = table.game
    seat = int(game["to_move"])
    hand = game["hands"][seat, : game["hand_sizes"][seat]].tolist()
    if action.target in hand:
        return action.type, hand.index(action.target), 0
    if action.target == game["next"] and engine.deck_left(game) == 1 and table.rules["deck_plays"]:
        return action.type, engine.TOP, 0
    return action.type, engine.MAX_HAND, 0


def stored_action(table: Table, kind: int, target: int, value: int) -> Action:
    """The engine's action as files store it (cards by their order in the deck)."""
    if kind > engine.DISCARD:
        return Action(kind, target, value)
    game = table.game
    order = game["next"] if target == engine.TOP else game["hands"][game["to_move"], target]
    return Action(kind, int(order), 0)


def cards_of(table: Table, seat: int) -> list[int]:
    """The identities of a hand, oldest card first; -1 for cards that are not known."""
    game = table.game
    return [int(card) for card in game["deck"][game["hands"][seat, : game["hand_sizes"][seat]]]]


def hidden_seats(table: Table) -> list[int]:
    """The players of whose hand the table does not show every card."""
    return [seat for seat in range(int(table.rules["players"])) if UNKNOWN in cards_of(table, seat)]


def act(table: Table, action: Action, where: str = "") -> None:
    """Carry out a stored action; IllegalAction with ``where`` in front of the sentence if it is refused."""
    kind, target, value = engine_action(table, action)
    code = engine.legal(table.rules, table.game, kind, target, value)
    if not code and kind == engine.END and value not in _END_CONDITIONS:
        code = engine.CODES.index("no_such_action")
    if engine.CODES[code] == "empty_clue" and UNKNOWN in cards_of(table, target):
        code = 0  # it may touch a card that is not known
    if code:
        raise _refusal(table, action, engine.CODES[code], where)
    if action.choice is not None:
        table.game["choice_kind"], table.game["choice_target"], table.game["choice_value"] = action.choice
    engine.apply(table.rules, table.game, kind, target, value)
    table.game["choice_kind"] = -1


def _refusal(table: Table, action: Action, code: str, where: str) -> IllegalAction:
    player = table.names[int(table.game["to_move"])]
    text = f"{where}{player} may not {describe(table, action)}: {_REASONS[code]}"
    if code == "no_such_card" and action.target < table.rules["hand_size"] <= table.game["next"]:
        text += " (targets are positions in the deck, not slots of the hand)"
    return IllegalAction(text, code)


def describe(table: Table, action: Action) -> str:
    """An action in words, before it is carried out: ``play r4 (slot 2)``, ``clue 3 to Bob``."""
    variant, game = table.variant, table.game
    if action.type in (engine.PLAY, engine.DISCARD):
        verb = "play" if action.type == engine.PLAY else "discard"
        if not 0 <= action.target < game["deck_size"]:
            return f"{verb} card {action.target} of the deck"
        name = variant.card_name(int(game["deck"][action.target]))
        seat = int(game["to_move"])
        hand = game["hands"][seat, : game["hand_sizes"][seat]].tolist()
        if action.target in hand:
            return f"{verb} {name} (slot {len(hand) - hand.index(action.target)})"
        return f"{verb} {name} (card {action.target} of the deck)"
    if action.type in (engine.CLUE_COLOR, engine.CLUE_RANK):
        to = table.names[action.target] if 0 <= action.target < len(table.names) else f"seat {action.target}"
        return f"clue {clue_name(variant, action.type, action.value)} to {to}"
    return f"end the game (condition {action.value})"


def clue_name(variant: Variant, kind: int, value: int) -> str:
    """``red`` or ``3``; a colour index outside the variant is named by its number."""
    if kind == engine.CLUE_RANK:
        return str(value)
    colors = variant.clue_colors
    return colors[value].lower() if 0 <= value < len(colors) else f"colour {value}"
