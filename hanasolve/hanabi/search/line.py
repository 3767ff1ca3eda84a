"""From the kernel's moves to a line of real actions, carried out by the rules engine as it is written.

The kernel knows trash, needed cards and passes; here trash becomes a card and a pass a clue. Where the kernel
threw away what is in truth a playable second copy, the engine places it; what the moves then ask for in vain
is thrown away instead (state.py proves that this never costs a card).
"""

from __future__ import annotations

from typing import Any

from hanasolve.errors import IllegalAction
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.fireworks import needed_mask, playable, score
from hanasolve.hanabi.game.records import Action
from hanasolve.hanabi.game.table import Table, stored_action
from hanasolve.hanabi.search import state as st
from hanasolve.hanabi.search.problem import Problem, pass_action

EngineAction = tuple[int, int, int]
_FILL_LIMIT = 200


def write_line(table: Table, problem: Problem, moves: list[int], target: Any) -> tuple[Table, list[Action]]:
    """Carry out ``moves`` on a copy of ``table``, then harmless actions until the game ends.

    IllegalAction if a pass is asked for where no clue is legal (variants in which clues may miss all cards).
    """
    table = table.copy()
    writer = _Writer(table, problem, target)
    actions = []
    for move in moves:
        if table.game["ended"]:
            break
        actions.append(writer.do(writer.choose(move)))
    goal = score(table.rules, table.game)
    for _ in range(_FILL_LIMIT):
        if table.game["ended"]:
            break
        filler = writer.idle()
        if filler is None or not _keeps(table, filler, goal):
            break
        actions.append(writer.do(filler))
    return table, actions


def _keeps(table: Table, action: EngineAction, goal: int) -> bool:
    """Whether the cards placed still count after this action."""
    trial = table.copy()
    engine.apply(trial.rules, trial.game, *action)
    ended = int(trial.game["ended"])
    return score(trial.rules, trial.game) >= goal and ended not in (engine.STRIKEOUT, engine.SPEEDRUN_FAIL)


class _Writer:
    """Chooses real actions for the kernel's moves on one table."""

    def __init__(self, table: Table, problem: Problem, target: Any) -> None:
        self.table, self.problem, self.target = table, problem, target
        self.step_of = {identity: step for step, identity in enumerate(problem.original)}

    def do(self, action: EngineAction) -> Action:
        table = self.table
        code = engine.legal(table.rules, table.game, *action)
        if code:
            raise IllegalAction(f"the line asks for an illegal action {action}", engine.CODES[code])
        stored = stored_action(table, *action)
        engine.apply(table.rules, table.game, *action)
        return stored

    def hand(self) -> list[int]:
        """Identities (variant's numbering) of the player to move, by hand index."""
        game = self.table.game
        seat = int(game["to_move"])
        return [int(game["deck"][order]) for order in game["hands"][seat, : game["hand_sizes"][seat]]]

    def choose(self, move: int) -> EngineAction:
        if move == st.PASS:
            return self.clue()
        if move == st.IDLE:
            idle = self.idle()
            if idle is None:
                raise IllegalAction("no action is left in the last round", "no_clue_token")
            return idle
        if move == st.DECK_PLAY:
            return engine.PLAY, engine.TOP, 0
        if move == st.DECK_THROW:
            return (engine.DISCARD if self.problem.deck_discards else engine.PLAY), engine.TOP, 0
        hand = self.hand()
        if move in (st.DROP_TRASH, st.MISPLAY_TRASH):
            return self.throw(self.trash_index(hand))
        wanted = self.problem.original[move % st.DROP]
        if wanted not in hand:
            return self.throw(self.trash_index(hand))
        index = hand.index(wanted)
        if move < st.DROP and playable(self.table.rules, self.table.game, wanted):
            return engine.PLAY, index, 0
        return self.throw(index)

    def clue(self) -> EngineAction:
        action = pass_action(self.table)
        if action is None:
            raise IllegalAction("the line needs a clue where none is legal", "empty_clue")
        return action

    def can_discard(self) -> bool:
        rules = self.table.rules
        return bool(self.table.game["clues"] < rules["clues_max"] or rules["discard_at_max"])

    def throw(self, index: int) -> EngineAction:
        """Discard, or with all tokens misplay."""
        return (engine.DISCARD if self.can_discard() else engine.PLAY), index, 0

    def trash_index(self, hand: list[int]) -> int:
        """The least useful card: placed or dead first, then what the target leaves out, second copies."""
        rules, game = self.table.rules, self.table.game
        needed = int(needed_mask(rules, game))
        steps, best, best_worth = self.problem.stack_size, 0, 99
        for index, identity in enumerate(hand):
            step = self.step_of[identity]
            if not (needed >> identity) & 1:
                worth = 0
            elif hand.count(identity) > 1:
                worth = 2 + playable(rules, game, identity)
            elif step % steps >= self.target[step // steps]:
                worth = 1 + 4 * playable(rules, game, identity)
            else:
                worth = 9
            if worth < best_worth:
                best, best_worth = index, worth
        return best

    def idle(self) -> EngineAction | None:
        """An action that costs nothing needed: a clue, or a discard of trash, or a misplay of trash."""
        hand = self.hand()
        game, rules = self.table.game, self.table.rules
        if hand and self.can_discard() and game["clues"] < rules["clues_max"] // 2:
            return self.throw(self.trash_index(hand))
        clue = pass_action(self.table)
        if clue is not None:
            return clue
        if not hand:
            return None
        return self.throw(self.trash_index(hand))
