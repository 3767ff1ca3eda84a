"""Why H-Group players strike and lose points: each strike and each point that a game lost, by its cause."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.conventions.players.hgroup.state import is_clued
from hanasolve.hanabi.conventions.players.hgroup.worth import URGENT_BASE, base_set
from hanasolve.hanabi.conventions.tools.building_blocks import is_placed, playable_set
from hanasolve.hanabi.game.fireworks import max_score, score
from hanasolve.hanabi.game.records import Replay
from hanasolve.hanabi.game.rules import DISCARD, PLAY, STRIKEOUT
from hanasolve.hanabi.game.view import aim
from hanasolve.hanabi.notation.replay_url import format_url
from hanasolve.hanabi.play.games import act, begin
from hanasolve.hanabi.play.simulator import Simulator, seed_numbers

GUESS = "a guess in the last round"
FINESSE = "a finesse or self-finesse that was not meant"
PROMPT = "a prompt that was not meant"
DOUBLE = "a marked card whose other copy was placed already"
FOCUS = "a marked card taken for another one"
CHOP_0 = "a last copy discarded from the chop, no token to save it"
CHOP = "a last copy discarded from the chop, tokens were there"
MARKED = "a marked last copy discarded (locked hand, or taken for useless)"
MISPLAY = "a last copy misplayed"
STRUCK = "cards not placed because the third strike ended the game"
TIME = "cards still reachable when the last round ended"


@dataclass
class Causes:
    """Strikes and lost points by cause, over ``games`` games; an example link of each."""

    games: int = 0
    strikes: Counter[str] = field(default_factory=Counter)
    points: Counter[str] = field(default_factory=Counter)
    examples: dict[str, tuple[str, int, str]] = field(default_factory=dict)

    def note(self, counter: Counter[str], cause: str, amount: int, table: Simulator, seed: str) -> None:
        counter[cause] += amount
        if cause not in self.examples:
            self.examples[cause] = seed, int(table.game["turn"]), ""


def find_causes(convention: Convention, players: int, games: int) -> Causes:
    """Play the first ``games`` decks once more, action by action."""
    table, causes = Simulator(convention, players), Causes()
    for number in range(1, games + 1):
        _follow(table, f"p{players}v0s{number}", causes)
    for cause, (seed, turn, _) in causes.examples.items():
        causes.examples[cause] = seed, turn, link(table, seed, turn)
    return causes


def link(table: Simulator, seed: str, turn: int) -> str:
    """The game of a seed, to open at a turn."""
    replay: Replay = table.play_one(seed)[1]
    return f"{format_url(replay, force=True)}#{turn}"


def _follow(table: Simulator, seed: str, causes: Causes) -> None:
    number = seed_numbers([seed])
    parts = (table.rules, table.game, table.view, table.memory, table.event)
    begin(*parts, table.decks(number)[0], table.setup, int(number[0]), False)
    game, notes = table.game, table.memory[0]
    table.functions.update(table.view, notes, table.event)
    reachable = int(max_score(table.rules, game))
    while not game["ended"]:
        seat = int(game["to_move"])
        aim(table.view, game, seat, False)
        code = int(table.functions.decide(table.view, notes))
        cause = _strike_cause(table, seat, code)
        place = _loss_cause(table, seat, code)
        strikes = int(game["strikes"])
        act(table.rules, game, table.view, table.event, code, False)
        table.functions.update(table.view, notes, table.event)
        if game["strikes"] > strikes:
            causes.note(causes.strikes, cause, 1, table, seed)
        now = int(max_score(table.rules, game))
        if now < reachable:
            causes.note(causes.points, place, reachable - now, table, seed)
            reachable = now
    left = reachable - int(score(table.rules, game))
    if left:
        causes.note(causes.points, STRUCK if game["ended"] == STRIKEOUT else TIME, left, table, seed)
    causes.games += 1


def _strike_cause(table: Simulator, seat: int, code: int) -> str:
    """The cause, should this play be a strike."""
    if code >> 16 != PLAY:
        return ""
    index, notes, game = code >> 8 & 255, table.memory[0], table.game
    order = int(game["hands"][seat, index])
    asked = int(notes["work"][URGENT_BASE + seat]) == order
    if asked:
        return PROMPT if is_clued(notes, order) else FINESSE
    own, playable = base_set(notes, seat, index), playable_set(table.view)
    if game["turns_left"] >= 0 and np.uint64(own) & ~np.uint64(playable):
        return GUESS
    return DOUBLE if is_placed(table.view, int(game["deck"][order])) else FOCUS


def _loss_cause(table: Simulator, seat: int, code: int) -> str:
    """The cause, should this action lower the maximum."""
    if code >> 16 > DISCARD:
        return ""
    order = int(table.game["hands"][seat, code >> 8 & 255])
    if code >> 16 == PLAY:
        return MISPLAY
    if is_clued(table.memory[0], order):
        return MARKED
    return CHOP if table.game["clues"] > 0 else CHOP_0
