"""What every card of a game is taken for under the H-Group convention, and why, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.conventions.players.hgroup.chains import (
    FINESSE,
    KIND,
    LENGTH,
    OWN_FINESSE,
    STEP,
    WAITS,
    WANTED,
    connect,
)
from hanasolve.hanabi.conventions.players.hgroup.reading import URGENT, read_all, read_until
from hanasolve.hanabi.conventions.players.hgroup.state import (
    FOCUS,
    GIVER,
    INFERRED,
    SAVES,
    WHEN,
    clue_field,
    is_clued,
    open_clues,
)
from hanasolve.hanabi.conventions.tools.building_blocks import playable_set
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.records import Replay
from hanasolve.hanabi.game.table import Table, engine_action
from hanasolve.hanabi.game.view import aim
from hanasolve.hanabi.play.games import act, begin
from hanasolve.hanabi.play.simulator import Simulator


@dataclass(frozen=True)
class Reading:
    """A card under the convention. Sets are masks of identities.

    ``inferred``: what its holder makes of it, as the viewer can tell; ``common``: what everybody can tell;
    ``playable``: the holder takes it for playable now; ``asked``: he is asked to play it before anything else.
    """

    inferred: int
    common: int
    playable: bool
    asked: bool
    reason: str


class GameNotes:
    """The notes of a recorded game up to a turn, seen by one player."""

    def __init__(self, convention: Convention, replay: Replay, turns: int, viewer: int) -> None:
        """``turns``: so many actions are carried out. UnsupportedVariant if the convention is not for this game."""
        self.at = Simulator(convention, replay.options.players, replay.variant, replay.options)
        self.replay, self.viewer, self.memory = replay, viewer, self.at.memory[0]
        at, deck = self.at, np.full(replay.variant.deck_size, -1, np.int8)
        deck[: len(replay.deck)] = replay.deck
        begin(at.rules, at.game, at.view, at.memory, at.event, deck, at.setup, 0, False)
        at.functions.update(at.view, self.memory, at.event)
        shown = Table(replay.variant, replay.options, replay.names, at.rules, at.game)
        for action in replay.actions[:turns]:
            kind, target, value = engine_action(shown, action)
            if at.game["ended"] or kind > engine.CLUE_RANK or target == engine.TOP:
                break
            act(at.rules, at.game, at.view, at.event, kind << 16 | target << 8 | value, False)
            at.functions.update(at.view, self.memory, at.event)
        aim(at.view, at.game, viewer, False)
        self.playable = playable_set(at.view)

    def readings(self) -> dict[int, Reading]:
        """Every card in a hand, by order."""
        read_all(self.at.view, self.memory, self.playable)
        sets, work = self.memory["work_mask"].copy(), self.memory["work"].copy()
        found: dict[int, Reading] = {}
        for seat in range(self.replay.options.players):
            reasons = self._reasons(seat)
            for index, order in enumerate(self._hand(seat)):
                own = int(sets[10 * seat + index])
                known = is_clued(self.memory, order) or order in reasons
                found[order] = Reading(
                    own,
                    int(self.memory["mask"][INFERRED, order]),
                    bool(known and not own & ~int(self.playable)),
                    int(work[URGENT + seat]) == order,
                    reasons.get(order, "marked beside the focus" if is_clued(self.memory, order) else ""),
                )
        return found

    def _hand(self, seat: int) -> list[int]:
        game = self.at.game
        return [int(order) for order in game["hands"][seat, : game["hand_sizes"][seat]]]

    def _reasons(self, seat: int) -> dict[int, str]:
        """Why this player takes his cards for what he does, by order."""
        view, memory, reasons = self.at.view, self.memory, dict[int, str]()
        for k in range(open_clues(memory)):
            read_until(view, memory, seat, self.playable, k, True)
            focus = clue_field(memory, k, FOCUS)
            holder = int(view["where"][focus])
            if holder == seat:
                read_until(view, memory, seat, self.playable, k + 1, True)
                own = int(memory["work_mask"][10 * seat + self._hand(seat).index(focus)])
                read_until(view, memory, seat, self.playable, k, True)
                parts = "; ".join(self._parts(seat, k, own)) or "nothing in sight explains it"
                reasons[focus] = f"{self._clue(k)}: {parts}"
            elif clue_field(memory, k, GIVER) != seat:
                reasons |= self._calls(seat, holder, k)
        return reasons

    def _clue(self, k: int) -> str:
        giver = self.replay.names[clue_field(self.memory, k, GIVER)]
        return f"focus of {giver}'s clue, turn {clue_field(self.memory, k, WHEN)}"

    def _parts(self, seat: int, k: int, own: int) -> Iterator[str]:
        """The readings of a focus in words."""
        name, memory = self.replay.variant.card_name, self.memory
        saves = own & int(memory["mask"][SAVES, clue_field(memory, k, FOCUS)])
        cards = [c for c in range(len(self.replay.variant.copies)) if own >> c & 1]
        if saves:
            yield "save: " + " ".join(name(c) for c in cards if saves >> c & 1)
        plain, late = [], []
        for c in cards:
            if saves >> c & 1 or not connect(self.at.view, memory, seat, k, seat, c, self.playable):
                continue
            steps = [self._step(n) for n in range(int(memory["work"][LENGTH]))]
            if steps:
                late.append(f"{name(c)} through {', '.join(steps)}")
            elif memory["work"][WAITS]:
                late.append(f"{name(c)} after cards that are known")
            else:
                plain.append(name(c))
        if plain:
            yield "play: " + " ".join(plain)
        yield from late

    def _step(self, n: int) -> str:
        """``the finesse of Bob's slot 1: r2``."""
        work = self.memory["work"]
        order, kind = int(work[STEP + n]), int(work[KIND + n])
        word = "finesse" if kind in (FINESSE, OWN_FINESSE) else "prompt"
        return f"the {word} of {self._place(order)}: {self.replay.variant.card_name(int(work[WANTED + n]))}"

    def _place(self, order: int) -> str:
        seat = int(self.at.view["where"][order])
        hand = self._hand(seat)
        return f"{self.replay.names[seat]}'s slot {len(hand) - hand.index(order)}"

    def _calls(self, seat: int, holder: int, k: int) -> dict[int, str]:
        """Cards of this player that a clue to another one asks for."""
        view, memory, name = self.at.view, self.memory, self.replay.variant.card_name
        focus = clue_field(memory, k, FOCUS)
        identity = int(view["deck"][focus])
        if identity < 0 or not int(memory["mask"][INFERRED, focus]) >> identity & 1:
            return {}
        if int(memory["mask"][SAVES, focus]) >> identity & 1:
            return {}
        if not connect(view, memory, seat, k, holder, identity, self.playable):
            return {}
        found = {}
        for n in range(int(memory["work"][LENGTH])):
            order, kind = int(memory["work"][STEP + n]), int(memory["work"][KIND + n])
            if int(view["where"][order]) == seat:
                word = "finesse" if kind in (FINESSE, OWN_FINESSE) else "prompt"
                card = name(int(memory["work"][WANTED + n]))
                found[order] = f"{word} for {self._place(focus)} ({name(identity)}): {card}"
        return found


def read_game(convention: Convention, replay: Replay, turns: int, viewer: int) -> dict[int, Reading]:
    """Readings of all cards in hands after ``turns`` actions, by order."""
    return GameNotes(convention, replay, turns, viewer).readings()
