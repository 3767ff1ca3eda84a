"""The exact value of known deals with open cards: line, every first move, and the bound if both play for one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TextIO

from hanasolve.answers.answer import Answer, Tell, silent
from hanasolve.answers.koikoi.reading import decks, one_or_results, read_text, seeds
from hanasolve.answers.koikoi.score import yaku_fields, yaku_of
from hanasolve.errors import LimitReached, NotationError, printable

if TYPE_CHECKING:
    from hanasolve.koikoi.notation.text import Turn
    from hanasolve.koikoi.search.solve import Solution
    from hanasolve.limits import Limit

OPEN_CARDS = "open-card value: both players see all cards; players who do not cannot reach it knowingly"
COOPERATIVE = "cooperative bound: both players help one; an upper bound"


@dataclass(frozen=True)
class KnownDeal:
    """One deal: ``value`` is A's round score minus B's under best play; ``coop``: the most for A, for B, if both help.

    ``solution`` and ``rules``: the line and the moves; None where only values were asked for.
    """

    source: str
    value: int
    coop: tuple[int, int] | None
    solution: Solution | None
    rules: Any
    warnings: list[str]

    def fields(self) -> dict[str, Any]:
        """The fields of ``--json``; values are ``{A: v, B: -v}``."""
        more = {} if self.coop is None else {"coop": {"A": self.coop[0], "B": self.coop[1]}}
        head = {"source": self.source, "meaning": OPEN_CARDS, "value": two(self.value)}
        if self.solution is None:
            return {**head, **more, "warnings": self.warnings}
        if self.coop is not None:
            more["coop_meaning"] = COOPERATIVE  # type: ignore[assignment]
        return {**head, **self._line(self.solution), **more, "warnings": self.warnings}

    def _line(self, found: Solution) -> dict[str, Any]:
        final, winner = found.final, int(found.final["winner"])
        return {
            "line": [turn_fields(turn) for turn in found.line],
            "winner": "AB"[winner] if winner >= 0 else None,
            "yaku": yaku_fields(yaku_of(int(final["piles"][winner]), self.rules)) if winner >= 0 else [],
            "round_score": int(final["score"]),
            "moves": [
                turn_fields(one.turn) | {"value": two(one.value * (1 if one.turn.player == 0 else -1))}
                for one in found.moves
            ],
            "nodes": found.nodes,
            "seconds": round(found.seconds, 6),
        }


@dataclass(frozen=True)
class KnownDeals(Answer):
    """An answer for each deal, in their order; ``stopped``: why the deals after them have none, or nothing."""

    schema: ClassVar[str] = "koikoi-max/1"
    results: tuple[KnownDeal, ...]
    stopped: str = ""

    def record(self) -> dict[str, Any]:
        records = [one.fields() for one in self.results]
        return {"results": records, "stopped": self.stopped} if self.stopped else one_or_results(records)


def maximum(
    sources: str | Sequence[str] = (),
    *,
    deck: str | None = None,
    seed: str | int | None = None,
    coop: bool = False,
    values_only: bool = False,
    limit: Limit | None = None,
    preset: str = "nintendo",
    changes: Mapping[str, object] | None = None,
    stdin: TextIO | None = None,
    warn: Tell = silent,
    each: Callable[[KnownDeal], None] | None = None,
) -> KnownDeals:
    """The exact values of known deals with open cards: A's round score minus B's in points, when both play best.

    ``sources``: position files of known deals, or ``-``. ``deck``: 48 cards from the top, or a file with a deck a line.
    ``seed``: 17 or ``1..100``. ``coop``: also the most that each can score if both play for this player.
    ``values_only``: neither line nor moves. ``changes``: options on top of those of ``preset``, or of the file.
    ``each`` is told every deal as soon as it is solved.

    Every deal has the whole ``limit``; the answer holds those before the first that it is too short for (``stopped``).
    LimitReached if that is none; NotationError and ImpossiblePosition for what no deal can be read from,
    UnsupportedVariant for unknown options.
    """
    from hanasolve.koikoi.search.kernel import new_space
    from hanasolve.limits import Limit

    if not sources and deck is None and seed is None:
        raise NotationError("nothing to solve: give a position file, --deck or --seed")
    found: list[KnownDeal] = []
    space = cache(new_space)  # 100 MB that are not kept after the answer
    named = [sources] if isinstance(sources, str) else sources
    for source, game, rules, notes in _deals(named, deck, seed, preset, changes, stdin):
        for text in notes:
            warn(f"{source}: {text}")
        allowed = (limit or Limit()).again()
        try:
            with allowed.guard():
                found.append(_solve(source, game, rules, notes, coop, values_only, allowed, space))
        except LimitReached as stop:
            if not found:
                raise
            return KnownDeals(tuple(found), str(stop))
        if each is not None:
            each(found[-1])
    return KnownDeals(tuple(found))


def _deals(
    sources: Sequence[str], deck: str | None, seed: str | int | None, preset: str, changes: Mapping[str, object] | None,
    stdin: TextIO | None,
) -> Iterator[tuple[str, Any, Any, list[str]]]:  # fmt: skip
    """(source, GAME, RULES, warnings) of every known deal that was asked for."""
    from hanasolve.koikoi.game.deck import seeded_deck
    from hanasolve.koikoi.game.rules import deal_record, make_rules
    from hanasolve.koikoi.notation.position import deal_warnings, parse_position

    for source in sources:
        position = parse_position(read_text(source, stdin), source, dict(changes or {}))
        if not position.known:
            raise NotationError(f"{source}: max needs a known deal (hands and stock); see koikoi analyze")
        yield printable(source), position.game, position.rules, position.warnings
    rules = make_rules(preset, changes)
    orders = list(decks(deck, stdin)) if deck is not None else []
    orders += [(f"seed {number}", seeded_deck(number)) for number in seeds(seed)]
    for name, order in orders:
        game = deal_record(order, 0, rules)
        notes = deal_warnings(game, rules)
        game["phase"], game["winner"], game["score"], game["undecided"] = 0, -1, 0, 0  # played on, if lucky
        yield printable(name), game, rules, notes


def _solve(
    source: str, game: Any, rules: Any, notes: list[str], coop: bool, values_only: bool, limit: Limit,
    space: Callable[[int], Any],
) -> KnownDeal:  # fmt: skip
    """One deal; ``space``: the search arrays of a size, the same for all deals of a question."""
    from hanasolve.koikoi.search.coop import SLOTS_COOP, coop_values
    from hanasolve.koikoi.search.solve import SLOTS, solve, value_a

    bounds = coop_values(game, rules, space(SLOTS_COOP), limit) if coop else None
    if values_only:
        return KnownDeal(source, value_a(game, rules, space(SLOTS), limit), bounds, None, rules, notes)
    solution = solve(game, rules, space(SLOTS), limit)
    return KnownDeal(source, solution.value, bounds, solution, rules, notes)


def two(value: int) -> dict[str, int]:
    """A's value as both players have it."""
    return {"A": value, "B": -value}


def turn_fields(turn: Turn) -> dict[str, Any]:
    """One turn in notation and in parts."""
    from hanasolve.koikoi.game import cards

    return {
        "player": "AB"[turn.player],
        "text": turn_text(turn),
        "card": cards.CODES[turn.card] if turn.card >= 0 else None,
        "take": cards.codes(turn.taken),
        "stock": cards.CODES[turn.drawn] if turn.drawn >= 0 else None,
        "stock_take": cards.codes(turn.drawn_taken),
        "koikoi": turn.call,
    }


def turn_text(turn: Turn) -> str:
    """Turn notation; of a turn that was begun before, only the rest."""
    from hanasolve.koikoi.game import cards
    from hanasolve.koikoi.notation.text import format_turn

    if turn.card >= 0:
        return format_turn(turn)
    rest = []
    if turn.drawn >= 0:
        taken = f" x {' '.join(cards.codes(turn.drawn_taken))}" if turn.drawn_taken else ""
        rest.append(f"{cards.CODES[turn.drawn]}{taken}")
    if turn.call is not None:
        rest.append("koikoi" if turn.call else "stop")
    return f"{'AB'[turn.player]}: {', '.join(rest)}"
