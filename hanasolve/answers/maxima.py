"""The proven best scores of many known decks: each by itself, and how many reach the maximum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from hanasolve.answers.answer import Answer, Tell, silent
from hanasolve.answers.maximum import asked_fields, question_of
from hanasolve.answers.reading import Given, listed, read_items
from hanasolve.errors import NotationError
from hanasolve.limits import Limit

if TYPE_CHECKING:
    from hanasolve.batch.decks import Question
    from hanasolve.batch.grid import Row
    from hanasolve.hanabi.notation.source import Item


@dataclass
class Summary:
    """Running totals over rows: how many reach the maximum, the distribution, what is lost or open.

    With a ``goal`` that was asked for, a deck is decided once that is: reached, lost (out of reach) or undecided.
    """

    goal: int | None = None
    count: int = 0
    reached_max: int = 0
    reached: int = 0  # what was asked for: the goal, or the maximum
    seconds: float = 0.0
    histogram: Counter[int] = field(default_factory=Counter)
    lost: list[Row] = field(default_factory=list)
    undecided: list[Row] = field(default_factory=list)
    slowest: list[Row] = field(default_factory=list)

    def add(self, rows: Sequence[Row]) -> None:
        """Count some rows (``batch.decks.COLUMNS``) in."""
        for row in rows:
            self.count += 1
            self.seconds += row["seconds"]
            self.reached_max += row["score"] == row["max_possible"]
            if row["proved"]:
                self.histogram[row["score"]] += 1
            wanted = row["max_possible"] if self.goal is None else self.goal
            self.reached += row["score"] >= wanted
            if not row["proved"] and (self.goal is None or row["score"] < wanted <= row["upper_bound"]):
                self.undecided.append(row)
            elif row["score"] < wanted:
                self.lost.append(row)
        self.slowest = sorted([*self.slowest, *rows], key=lambda row: -row["seconds"])[:5]

    def text(self) -> str:
        """The running estimate beside a progress bar."""
        what = "the maximum" if self.goal is None else str(self.goal)
        return f"{self.reached} of {self.count} reach {what}"

    def record(self) -> dict[str, Any]:
        """The field ``summary``."""
        return {
            "count": self.count,
            "reached_max": self.reached_max,
            "reached": self.reached,
            "histogram": {str(score): self.histogram[score] for score in sorted(self.histogram)},
            "undecided": [row["source"] for row in self.undecided],
            "lost": [{name: row[name] for name in ("source", "score", "reason")} for row in self.lost],
            "slowest": [{name: row[name] for name in ("source", "seconds")} for row in self.slowest],
        }


@dataclass(frozen=True)
class MaximaAnswer(Answer):
    """A row for each deck (none where ``keep_rows`` was False), and the ``summary`` over all.

    ``items``: the records of sources that are not seeds. ``limit`` names the limit of each deck. ``interrupted``:
    Ctrl-C came before the last deck.
    """

    schema = "hanasolve.max/1"
    question: Question
    rows: tuple[Row, ...]
    summary: Summary
    items: Mapping[str, Item]
    limit: str
    interrupted: bool = False

    @property
    def settled(self) -> bool | None:
        """False: a deck cannot reach the target; None: a deck is open; True: all are decided."""
        if self.question.goal is not None and self.summary.lost:
            return False
        return None if self.summary.undecided else True

    def record(self) -> dict[str, Any]:
        """The fields of ``--json``: ``results`` with one for each deck, and ``summary``."""
        return {"results": [self._result(row) for row in self.rows], "summary": self.summary.record()}

    def _result(self, row: Row) -> Row:
        """A row with deck, line and actions, also where the row was kept in a file."""
        fields = {**row, **(row.get("more") or self._kept(row)), **asked_fields(self.question, row)}
        fields.pop("more", None)
        return fields

    def _kept(self, row: Row) -> Row:
        """What the link of a row from a file holds besides; without a link the deck alone."""
        from hanasolve.batch.decks import row_item, table_at, with_line
        from hanasolve.hanabi.notation.replay_url import parse_url

        item = row_item(row["source"], self.question, self.items)
        table = table_at(item, self.question.turn)
        url = row["replay_url"]
        actions = parse_url(url).actions[int(table.game["turn"]) :] if url else ()
        return with_line(item, table, row["score"], actions)


@dataclass(frozen=True)
class Decks:
    """Decks by name; ``items`` holds the records of those that are not seeds. A range of seeds is not dealt."""

    names: Sequence[str]
    items: Mapping[str, Item]

    @property
    def only(self) -> str | Item | None:
        """The deck, if there is but one."""
        return self.items.get(self.names[0], self.names[0]) if len(self.names) == 1 else None


def decks_of(
    sources: Given, players: int | None = None, variant: str | None = None, stdin: TextIO | None = None,
    warn: Tell = silent,
) -> Decks:  # fmt: skip
    """The decks of all sources; NotationError for one that is named twice."""
    from hanasolve.hanabi.game.deck import is_seed, is_seed_range, parse_seed_range

    given = listed(sources)
    if all(isinstance(text, str) and (is_seed(text) or is_seed_range(text)) for text in given):
        seeds = (parse_seed_range(text) if is_seed_range(text) else [text] for text in map(str, given))
        return Decks([seed for part in seeds for seed in part], {})
    items: dict[str, Item] = {}
    for item in read_items(given, players, variant, stdin, warn):
        if item.source in items:
            raise NotationError(f"{item.source} is named twice: expected each source once")
        items[item.source] = item
    return Decks(list(items), items)


def maxima(
    sources: Given | Decks, *, target: int | None = None, limit: Limit | None = None, verify: bool = False,
    players: int | None = None, variant: str | None = None, turn: int | None = None, out: Path | None = None,
    jobs: int = 1, engine: str = "local", scheduler: str | None = None, keep_rows: bool = True,
    show_progress: bool = False, warn: Tell = silent, stdin: TextIO | None = None,
) -> MaximaAnswer:  # fmt: skip
    """The best score of every deck, as ``maximum`` finds it (``turn``, ``target``, ``verify``), each by ``limit``.

    ``sources``: seeds, ranges (``p3v0s1..p3v0s100``), files, links. ``out`` keeps a row a deck in a ``.csv`` or
    ``.parquet`` file and takes those that are there from it. ``jobs``: processes, 0 for all cores; ``engine`` ``dask``
    uses the cluster at ``scheduler``. ``keep_rows``: whether the answer holds the decks one by one.
    ``show_progress``: a bar on a terminal.

    Errors as ``maximum``, with the deck's name; NotationError for a file, an engine that cannot be used. Ctrl-C ends
    it with what is done, and ``warn`` is told of that.
    """
    from hanasolve.batch import run_batch
    from hanasolve.batch.decks import decks_grid

    question = question_of(target, limit, verify, players, variant, turn, lines=keep_rows)
    decks = sources if isinstance(sources, Decks) else decks_of(sources, players, variant, stdin, warn)
    summary, interrupted = Summary(target), False
    kept: list[Row] = []

    def take(rows: list[Row]) -> None:
        summary.add(rows)
        kept.extend(rows if keep_rows else ())

    try:
        run_batch(
            decks_grid(decks.names, question, decks.items), out, jobs=jobs, engine=engine, scheduler=scheduler,
            on_rows=take, progress="solving" if show_progress else None, estimate=summary.text,
        )  # fmt: skip
    except KeyboardInterrupt:
        interrupted = True
        if summary.count:
            kept_in = f", kept in {out}" if out else ""
            warn(f"interrupted after {summary.count} of {len(decks.names)} decks{kept_in}")
    return MaximaAnswer(question, tuple(kept), summary, decks.items, str(limit or Limit()), interrupted)
