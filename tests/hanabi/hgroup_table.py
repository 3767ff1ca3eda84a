"""A table for H-Group positions: cards that nobody shows stay unknown, turns are carried out as they are told."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanasolve.hanabi.conventions.players.hgroup.parameters import setup_of
from hanasolve.hanabi.conventions.players.hgroup.player import update
from hanasolve.hanabi.conventions.players.hgroup.reading import read_all, read_until
from hanasolve.hanabi.conventions.players.hgroup.state import INFERRED, POSSIBLE, open_clues
from hanasolve.hanabi.conventions.tools.building_blocks import playable_set
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.rules import GAME, clear, make_rules
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.game.view import EVENT, MEMORY, fill_game, new_view, open_event

NAMES = ("Alice", "Bob", "Cathy", "Donald", "Emily")


class Told:
    """A position of ``tests/data/hgroup`` and the turns after it, seen by one player."""

    def __init__(self, vector: dict[str, Any]) -> None:
        variant = load_variant(vector["variant"])
        hands = [vector["hands"][name] for name in NAMES if name in vector["hands"]]
        rules = make_rules(variant, Options(len(hands)))
        self.players, self.me = len(hands), NAMES.index(vector["viewer"])
        self.ids = {variant.card_name(i): i for i in range(len(variant.copies))}
        self.names = {i: name for name, i in self.ids.items()}
        self.colors = [str(color).lower() for color in variant.clue_colors]
        self.game, self.view = np.zeros(1, GAME)[0], new_view(rules)
        self.memory, self.event = np.zeros(1, MEMORY)[0], np.zeros(1, EVENT)[0]
        clear(rules, self.game)
        self._deal(vector, hands, sum(variant.copies))
        setup = setup_of(f"hgroup{vector['level']}")
        self.memory["setup"][: len(setup)] = setup
        fill_game(self.view, self.game, self.me, False)
        open_event(self.game, self.event)
        update(self.view, self.memory, self.event)

    def _deal(self, vector: dict[str, Any], hands: list[list[str | None]], cards: int) -> None:
        game = self.game
        game["clues"], game["to_move"] = vector["tokens"], NAMES.index(vector["first_player"])
        for suit, letter in enumerate(vector["suits"]):
            game["stacks"][suit] = vector["stacks"].get(letter, 0)
        for name in vector["discards"]:
            game["discarded"][self.ids[name]] += 1
        game["deck_size"] = cards - sum(vector["stacks"].values()) - len(vector["discards"])
        for seat, hand in enumerate(hands):
            for name in reversed(hand):
                self._draw(seat, name)

    def _draw(self, seat: int, name: str | None) -> int:
        game, order = self.game, int(self.game["next"])
        game["deck"][order] = -1 if name is None else self.ids[name]
        game["hands"][seat, game["hand_sizes"][seat]], game["where"][order] = order, seat
        game["hand_sizes"][seat] += 1
        game["next"] = order + 1
        return order

    def take(self, turn: dict[str, Any]) -> None:
        """Carry out a turn and note it."""
        event, game, actor = self.event, self.game, NAMES.index(turn["player"])
        event["actor"], event["clues_before"], event["strikes_before"] = actor, game["clues"], game["strikes"]
        event["deck_before"] = game["deck_size"] - game["next"]
        event["order"] = event["identity"] = event["drawn"] = -1
        event["scored"] = event["touched"] = event["value"] = 0
        if turn["type"] == "clue":
            self._clue(turn)
        else:
            self._use(turn, actor)
        game["turn"] += 1
        game["to_move"] = (actor + 1) % self.players
        fill_game(self.view, game, self.me, False)
        update(self.view, self.memory, event)

    def _clue(self, turn: dict[str, Any]) -> None:
        event, seat = self.event, NAMES.index(turn["target"])
        event["target"] = seat
        if turn["clue"].isdigit():
            event["kind"], event["value"] = 3, int(turn["clue"])
        else:
            event["kind"], event["value"] = 2, self.colors.index(turn["clue"])
        for slot in turn["touched_slots"]:
            event["touched"] |= 1 << (int(self.game["hand_sizes"][seat]) - slot)
        self.game["clues"] -= 1

    def _use(self, turn: dict[str, Any], seat: int) -> None:
        event, game, size = self.event, self.game, int(self.game["hand_sizes"][seat])
        index, identity = size - turn["slot"], self.ids[turn["card"]]
        order = int(game["hands"][seat, index])
        event["kind"], event["target"] = 1 if turn["type"] == "discard" else 0, index
        event["order"], event["identity"] = order, identity
        game["deck"][order] = identity
        game["hands"][seat, index : size - 1] = game["hands"][seat, index + 1 : size].copy()
        game["hand_sizes"][seat] = size - 1
        if turn["type"] == "play":
            game["stacks"][identity // 5] += 1
            game["where"][order], event["scored"] = 10, 1
        else:
            game["discarded"][identity] += 1
            game["where"][order] = 11
            game["strikes"] += turn["type"] == "misplay"
            game["clues"] = min(8, game["clues"] + (turn["type"] == "discard"))
        event["drawn"] = self._draw(seat, turn.get("draws"))

    def cards(self, mask: Any) -> set[str]:
        return {name for i, name in self.names.items() if int(mask) >> i & 1}

    def common(self, player: str, slot: int) -> set[str]:
        """The inferred set as everybody can tell."""
        seat = NAMES.index(player)
        order = self.game["hands"][seat, int(self.game["hand_sizes"][seat]) - slot]
        return self.cards(self.memory["mask"][INFERRED, order])

    def facts(self, player: str, slot: int) -> set[str]:
        """What the notes hold possible by facts alone."""
        seat = NAMES.index(player)
        order = self.game["hands"][seat, int(self.game["hand_sizes"][seat]) - slot]
        return self.cards(self.memory["mask"][POSSIBLE, order])

    def own(self, player: str, slot: int) -> set[str]:
        """What the holder makes of his card, as the viewer can tell."""
        seat = NAMES.index(player)
        read_all(self.view, self.memory, playable_set(self.view))
        index = int(self.game["hand_sizes"][seat]) - slot
        return self.cards(self.memory["work_mask"][10 * seat + index])

    def shared(self, player: str, slot: int) -> set[str]:
        """What those who see the focus make of the card, the copies that its holder sees left out of account."""
        seat, playable = NAMES.index(player), playable_set(self.view)
        read_all(self.view, self.memory, playable)
        read_until(self.view, self.memory, seat, playable, open_clues(self.memory), False)
        index = int(self.game["hand_sizes"][seat]) - slot
        return self.cards(self.memory["work_mask"][10 * seat + index])
