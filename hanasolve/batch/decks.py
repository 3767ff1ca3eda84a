"""Known decks as a batch grid: the proven maximum of each, one row a deck.

Keys are seeds, which a worker deals itself, or the names of records that were read from files.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hanasolve.batch.grid import Grid, Row
from hanasolve.errors import HanasolveError
from hanasolve.hanabi.game.deck import is_seed
from hanasolve.hanabi.game.records import Action, Replay
from hanasolve.hanabi.game.statistics import final_word, score_word, with_word
from hanasolve.hanabi.game.table import Table, act, describe, from_position, from_replay, official_score
from hanasolve.hanabi.notation.deck_file import located
from hanasolve.hanabi.notation.source import Item, read_source
from hanasolve.hanabi.ranking.known_deck import known_part
from hanasolve.hanabi.ranking.known_deck.known_part import bracket, missing
from hanasolve.hanabi.search.solve import Solution, Stopped, solve
from hanasolve.limits import Limit

COLUMNS = {
    "source": str,
    "players": int,
    "variant": str,
    "score": int,
    "upper_bound": int,
    "proved": bool,
    "max_possible": int,
    "reason": str,
    "method": str,
    "verified": bool,
    "clues": int,
    "strikes": int,
    "turns": int,
    "nodes": int,
    "seconds": float,
    "replay_url": str,
}
"""The columns of a file of maxima; ``seconds`` is CPU time and the only one that differs between runs."""


@dataclass(frozen=True)
class Question:
    """What is asked of every deck: its limit, the score to reach (None = the best), whether CP-SAT confirms.

    ``lines``: rows hold, beside the columns, what ``more_of`` says.
    """

    seconds: float | None = None
    nodes: int | None = None
    goal: int | None = None
    verify: bool = False
    players: int | None = None
    variant: str | None = None
    turn: int | None = None
    lines: bool = False


ASSUMES = "known deck: every card in view"
FROM_START = "--turn 1 asks from the start"
_DECIDE_ROWS = ("seconds", "nodes", "goal", "verify", "players", "variant", "turn")


def decks_grid(sources: Sequence[str], question: Question, items: Mapping[str, Item] | None = None) -> Grid:
    """The grid that solves these sources; ``items`` holds the records of those that are not seeds."""
    return Grid(
        keys=sources,
        run=solve_rows,
        columns=COLUMNS,
        args=(question, dict(items or {})),
        key="source",
        chunk=8,
        made_with={"command": "max", "question": {name: vars(question)[name] for name in _DECIDE_ROWS}},
        warm=_warm,
    )


def _warm(question: Question, items: Mapping[str, Item]) -> None:
    """Compile the kernels once, before workers start."""
    item = next(iter(items.values()), None) or next(read_source("p2v0s40"))
    solve_item(item, question)


def solve_rows(sources: list[str], question: Question, items: Mapping[str, Item]) -> list[Row]:
    """A row for each source: the columns; with ``lines`` also a field ``more``."""
    return [_row(row_item(source, question, items), question) for source in sources]


def _row(item: Item, question: Question) -> Row:
    try:
        found = solve_item(item, question)
    except HanasolveError as error:  # what is wrong with one of many records is said with its name
        raise error if item.source in str(error) else located(error, item.source) from None
    if found.interrupted:  # rows are of decks that are done
        raise KeyboardInterrupt
    more = {"more": more_of(item, found)} if question.lines else {}
    return {**more, **columns_of(item, found)}


def row_item(source: str, question: Question, items: Mapping[str, Item]) -> Item:
    if source in items:
        return items[source]
    assert is_seed(source)
    return next(read_source(source, players=question.players, variant=question.variant))


def table_at(item: Item, turn: int | None) -> Table:
    """The table of a record before its ``turn``-th action; None: the start of decks, the end of games."""
    turn = item.turn_asked(turn)
    if isinstance(item.record, Replay):
        return from_replay(item.record, turn)
    return from_position(item.record)


@dataclass(frozen=True)
class Solved:
    """A solved record: the table it was solved from, the solution, CPU seconds, CP-SAT's verdict.

    ``interrupted``: Ctrl-C ended it, and the solution is the bracket that was proven before.
    """

    table: Table
    solution: Solution
    seconds: float
    verified: bool | None
    replay: Replay | None  # history and line together; None for positions
    interrupted: bool = False
    lacks: int = 0  # cards of the deck that the record of a game does not name

    @property
    def url(self) -> str | None:
        """A link that shows the line; None for positions and for variants hanab.live does not have."""
        from hanasolve.hanabi.notation.replay_url import format_url, lost_in_url

        if self.replay is None or self.replay.variant.id < 0 or self.replay.is_partial or lost_in_url(self.replay):
            return None
        return format_url(self.replay)


def solve_item(
    item: Item, question: Question, on_progress: Callable[[str], None] | None = None, limit: Limit | None = None
) -> Solved:
    """Solve one record; UnsupportedVariant and NotationError where its cards or rules forbid it.

    ``limit``: one whose clock runs already; without it the question's begins here.
    """
    table, limit = table_at(item, question.turn), limit or Limit(question.seconds, question.nodes)
    began = time.process_time()
    interrupted = False
    lacks = _lacks(item)
    try:
        if lacks and isinstance(item.record, Replay):
            solution = bracket(item.record, table)
        else:
            solution = solve(table, limit, question.goal, on_progress)
    except Stopped as stop:
        solution, interrupted = stop.solution, True
    seconds = time.process_time() - began
    if table.game["ended"] and solution.reason and asked_from(item, table, question.turn):
        solution = replace(solution, reason=f"{solution.reason} ({FROM_START})")
    verified = None
    if question.verify and not interrupted and not lacks:
        from hanasolve.hanabi.search.verify import verify

        verified = verify(table, solution.score, solution.upper_bound, limit.left)
    replay = None
    if isinstance(item.record, Replay):
        done = item.record.actions[: int(table.game["turn"])]
        replay = replace(item.record, actions=done + solution.actions, turn=None)
    return Solved(table, solution, seconds, verified, replay, interrupted, lacks)


def line_of(table: Table, actions: Iterable[Action]) -> list[Row]:
    """A line of play from a table on, an action a row."""
    table, rows = table.copy(), []
    for action in actions:
        number, player = int(table.game["turn"]) + 1, table.names[int(table.game["to_move"])]
        text = describe(table, action)
        rows.append({"turn": number, "player": player, "action": action.fields(), "text": text})
        act(table, action)
    return rows


def tokens_of(found: Solved) -> int | float:
    """Clue tokens at the end of the line; Clue Starved has halves."""
    unit, clues = int(found.table.rules["token_unit"]), int(found.solution.final.game["clues"])
    return clues // unit if clues % unit == 0 else clues / unit


def deck_of(item: Item, table: Table) -> list[str]:
    """The cards of the deck as far as the record names them, in drawing order."""
    deck = item.record.deck if isinstance(item.record, Replay) else item.record.deck or ()
    return [table.variant.card_name(card) for card in deck]


def more_of(item: Item, found: Solved) -> Row:
    """What a file of maxima does not keep: the deck, the line, tokens in halves."""
    score, actions = found.solution.score, found.solution.actions
    return {**with_line(item, found.table, score, actions), "clues": tokens_of(found)}


def with_line(item: Item, table: Table, score: int, actions: Iterable[Action]) -> Row:
    """The deck, the word for the score and a line of play from ``table`` on, as the results of ``max`` have them."""
    line = line_of(table, actions)
    return {
        "deck": deck_of(item, table),
        "score_word": word_of(table, score),
        "line": line,
        "actions": [row["action"] for row in line],
        "assumes": known_part.ASSUMES if _lacks(item) else ASSUMES,
    }


def _lacks(item: Item) -> int:
    """How many cards of its deck the record of a game does not name."""
    return missing(item.record) if isinstance(item.record, Replay) and item.record.actions else 0


def word_of(table: Table, score: int) -> str | None:
    """The word for the best score that was found from a table on."""
    return final_word(table) if table.game["ended"] else score_word(table, score)


def asked_from(item: Item, table: Table, turn: int | None) -> str | None:
    """Of a game that was asked about without a turn: from where, since what its deck allowed is another question."""
    if item.turn_asked(turn) is not None or not isinstance(item.record, Replay) or not item.record.actions:
        return None
    if table.game["ended"]:
        score = with_word(official_score(table), final_word(table))
        return f"asked from the end of the record: the game is over with {score}"
    return f"asked from the end of the record, turn {int(table.game['turn']) + 1}; {FROM_START}"


def columns_of(item: Item, found: Solved) -> Row:
    """The columns of a solved record."""
    solution, game = found.solution, found.solution.final.game
    return {
        "source": item.source,
        "players": found.table.options.players,
        "variant": found.table.variant.name,
        "score": solution.score,
        "upper_bound": solution.upper_bound,
        "proved": solution.proved,
        "max_possible": solution.max_possible,
        "reason": solution.reason,
        "method": solution.method,
        "verified": found.verified,
        "clues": int(game["clues"]) // int(found.table.rules["token_unit"]),
        "strikes": int(game["strikes"]),
        "turns": int(game["turn"]),
        "nodes": solution.nodes,
        "seconds": round(found.seconds, 6),
        "replay_url": found.url,
    }
