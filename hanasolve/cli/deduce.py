"""``hanasolve deduce``: what every card can be, and how likely, in three views (``docs/deduction.md``)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanasolve.answers.reading import seat_of, table_of
from hanasolve.cli.common import Json, Player, Players, Source, Turn, VariantName, print_json, read_one, warn
from hanasolve.cli.text.style import bold, card_text
from hanasolve.errors import ImpossiblePosition, NotationError

if TYPE_CHECKING:
    from hanasolve.hanabi.conventions.players.hgroup.explain import Reading
    from hanasolve.hanabi.deduction import Deduction, View
    from hanasolve.hanabi.deduction.why import Reason
    from hanasolve.hanabi.game.statistics import Statistics
    from hanasolve.hanabi.game.table import Table
    from hanasolve.hanabi.notation.source import Item


class ViewName(StrEnum):
    """What ``--view`` can be."""

    holder = "holder"
    empathy = "empathy"
    common = "common"


OneView = Annotated[
    ViewName | None,
    typer.Option(
        "--view",
        help="holder: what a card's holder can exclude; empathy: what --player knows that the holder can "
        "exclude; common: common knowledge. Without it the text shows --player's own hand as its holder and "
        "the others by empathy; JSON has all three.",
        show_default=False,
    ),
]
Why = Annotated[
    str | None,
    typer.Option(
        "--why",
        metavar="CARD",
        help="Why this card can be nothing else: order=14 (place in the deck), or slot=2 of --player's hand.",
    ),
]
ConventionName = Annotated[
    str | None,
    typer.Option(
        "--convention",
        metavar="NAME",
        help="Also what the clues mean under hgroup1, hgroup2, hgroup3 or a TOML file based on one: the inferred set "
        "of each card and the reason. For games, not single positions.",
        show_default=False,
    ),
]

_WHY = re.compile(r"(?:(?P<key>order|slot)\s*=\s*)?(?P<number>[0-9]{1,2})")
_FEW = 6  # so many possibilities are shown one by one, with their chances


def command(
    source: Source,
    turn: Turn = None,
    player: Player = None,
    view: OneView = None,
    why: Why = None,
    convention: ConventionName = None,
    players: Players = None,
    variant: VariantName = None,
    json: Json = False,
) -> None:
    """Show what every card can be, and how likely, by exact counting.

    --player is who asks: the player to move if it is not given, or the player whose hand the file hides. His
    own cards stay hidden. Clues are facts here; why they were given is considered with --convention only.
    """
    item = read_one(source, players, variant)
    table = table_of(item, turn, warn=warn)
    deduction = _deduction(item, table, turn)
    viewer = _viewer(deduction, player, int(table.game["to_move"]))
    names = [view.value] if view is not None else [name.value for name in ViewName]
    explained = _explained(deduction, viewer, why, view) if why is not None else None
    stats = _statistics(item, deduction)
    readings = None if convention is None else _readings(item, table, viewer, convention)
    if json:
        result = _result(deduction, viewer, names, stats)
        if readings is not None and convention is not None:
            _add_readings(deduction, result["cards"], convention, readings)
        if explained is not None:
            result |= _why_fields(deduction, *explained)
        print_json("deduce/1", {"source": item.source, **result})
        return
    print(_heading(item.source, deduction, viewer, stats))
    if explained is not None:
        print(_why_text(deduction, *explained))
        return
    for seat in deduction.shown.seats:
        kind = view.value if view is not None else "holder" if seat == viewer else "empathy"
        print()
        print(_hand_text(deduction, viewer, seat, _view(deduction, kind, viewer, seat), kind))
        if readings is not None:
            print(f"  under {convention}:")
            print("\n".join(_reading_lines(deduction, seat, readings)))


def _readings(item: Item, table: Table, viewer: int, convention: str) -> dict[int, Reading]:
    """What every card is taken for under a convention that keeps inferred sets."""
    from hanasolve.hanabi.conventions.find import find_convention
    from hanasolve.hanabi.conventions.players.hgroup.explain import read_game
    from hanasolve.hanabi.conventions.players.hgroup.parameters import MODULE
    from hanasolve.hanabi.game.records import Replay

    found = find_convention(convention)
    if found.module != MODULE:
        raise NotationError(
            f"--convention: found {convention}, expected hgroup1, hgroup2, hgroup3 or a TOML file based on one of "
            "them: other conventions keep no inferred sets"
        )
    if not isinstance(item.record, Replay):
        raise NotationError(
            f"--convention: {item.source} is a single position, and what a clue means depends on the turns before "
            "it: give the game (hanab.live JSON or a replay link) and --turn"
        )
    found.check_table(item.record.variant, item.record.options)
    return read_game(found, item.record, int(table.game["turn"]), viewer)


def _add_readings(
    deduction: Deduction, cards: list[dict[str, Any]], convention: str, readings: dict[int, Reading]
) -> None:
    """The ``convention`` object of every card."""
    for card in cards:
        reading = readings[card["order"]]
        card["convention"] = {
            "name": convention,
            "inferred": _names(deduction, reading.inferred),
            "common": _names(deduction, reading.common),
            "playable": reading.playable,
            "asked": reading.asked,
            "reason": reading.reason,
        }


def _names(deduction: Deduction, mask: int) -> list[str]:
    variant = deduction.shown.variant
    return [variant.card_name(c) for c in range(len(variant.copies)) if mask >> c & 1]


def _reading_lines(deduction: Deduction, seat: int, readings: dict[int, Reading]) -> list[str]:
    """A line for each card that the convention says something about, newest first."""
    hand = deduction.shown.hands[seat]
    lines = []
    for index in reversed(range(len(hand))):
        reading = readings[hand[index]]
        if reading.reason:
            word = "play now, before anything else" if reading.asked else "play" if reading.playable else ""
            parts = [_grouped(deduction, reading.inferred), reading.reason, word]
            lines.append(f"  {len(hand) - index:>4}   " + "  ".join(part for part in parts if part))
    return lines or ["         no card is marked or asked for"]


def _deduction(item: Item, table: Table, turn: int | None) -> Deduction:
    from hanasolve.hanabi.deduction import Deduction, hint_turns
    from hanasolve.hanabi.game.records import Replay

    turns = None
    if isinstance(item.record, Replay):
        turns = hint_turns(item.record, turn if turn is not None else item.turn)
    try:
        return Deduction(table, turns)
    except ImpossiblePosition as error:
        raise ImpossiblePosition(f"{item.source}: {error}", error.kind) from None


def _viewer(deduction: Deduction, player: str | None, to_move: int) -> int:
    if player is not None:
        return seat_of(player, deduction.shown.names)
    hidden = [seat for seat in deduction.shown.seats if not deduction.shown.is_shown(seat)]
    return hidden[0] if len(hidden) == 1 else to_move


def _view(deduction: Deduction, kind: str, viewer: int, seat: int) -> View | None:
    if kind == "holder":
        return deduction.holder(seat)
    if kind == "empathy":
        return deduction.empathy(viewer, seat)
    return deduction.common(seat)


def _seen(deduction: Deduction, viewer: int, seat: int) -> list[int]:
    """The cards of a hand as far as the viewer knows them, -1 for the others; oldest first."""
    shown = deduction.shown
    if seat != viewer:
        return shown.cards(seat)
    if not deduction.sees_all(viewer):
        return [-1] * len(shown.hands[seat])
    sets = deduction.count(viewer).sets
    return [mask.bit_length() - 1 if mask.bit_count() == 1 else -1 for mask in sets]


def _statistics(item: Item, deduction: Deduction) -> Statistics:
    from hanasolve.hanabi.game.records import Replay
    from hanasolve.hanabi.game.statistics import statistics

    shown = deduction.shown
    possible: dict[int, int] = {}
    for seat in shown.seats:
        possible |= dict(zip(shown.hands[seat], deduction.common(seat).sets, strict=True))
    return statistics(shown.table, history=isinstance(item.record, Replay), possible=possible)


# ------------------------------------------------------------------------------------------------- JSON


def _exact(name: str, value: Fraction | int | None) -> dict[str, Any]:
    """A fraction as text, and a float beside it."""
    if value is None:
        return {name: None, f"{name}_float": None}
    return {name: _fraction(value), f"{name}_float": float(value)}


def _fraction(value: Fraction | int) -> str:
    return f"{value.numerator}/{value.denominator}"


def _result(deduction: Deduction, viewer: int, kinds: Sequence[str], stats: Statistics) -> dict[str, Any]:
    shown = deduction.shown
    game = shown.table.game
    count = deduction.count(viewer) if deduction.sees_all(viewer) else None
    return {
        "variant": shown.variant.name,
        "players": list(shown.names),
        "turn": int(game["turn"]) + 1,
        "player_to_move": shown.names[int(game["to_move"])],
        "player": shown.names[viewer],
        "stats": _stats_fields(deduction, viewer, stats),
        "deals": None if count is None else str(count.total),
        "assignments": None if count is None else str(count.assignments),
        "cards": [
            card for seat in shown.seats for card in _card_fields(deduction, viewer, seat, kinds)
        ],
    }


def _stats_fields(deduction: Deduction, viewer: int, stats: Statistics) -> dict[str, Any]:
    from hanasolve.hanabi.deduction.statistics import bottom, by_suit

    shown = deduction.shown
    name = shown.variant.card_name
    last = bottom(deduction, viewer)
    whole = stats.clues.denominator == 1

    def names(mask: int) -> dict[str, list[str]]:
        return {suit: [name(c) for c in cards] for suit, cards in by_suit(shown, mask).items()}

    return {
        "score": stats.score,
        "max_score": stats.max_score,
        "full_score": stats.full_score,
        "pace": stats.pace,
        "pace_risk": stats.pace_risk,
        "clues": int(stats.clues) if whole else float(stats.clues),
        "strikes": stats.strikes,
        "deck": stats.deck,
        "usable_clues": stats.usable,
        "got": stats.got,
        "spent": None if stats.spent is None else float(stats.spent),
        **_exact("efficiency", stats.current),
        **_exact("future_efficiency", stats.future),
        **_exact("minimum_efficiency", stats.minimum),
        "trash": names(shown.trash),
        "critical": names(shown.critical),
        **_exact("critical_at_bottom", None if last is None else sum(last.values(), Fraction(0))),
        "critical_at_bottom_cards": {name(c): _fraction(p) for c, p in (last or {}).items()},
    }


def _card_fields(deduction: Deduction, viewer: int, seat: int, kinds: Sequence[str]) -> list[dict[str, Any]]:
    shown = deduction.shown
    views = {kind: _view(deduction, kind, viewer, seat) for kind in kinds}
    seen = _seen(deduction, viewer, seat)
    cards = []
    for index in reversed(range(len(seen))):
        order = shown.hands[seat][index]
        hints = list(shown.hints(order))
        card: dict[str, Any] = {
            "player": shown.names[seat],
            "slot": len(seen) - index,
            "order": order,
            "card": None if seen[index] < 0 else shown.variant.card_name(seen[index]),
            "clues": [hint.short for hint in hints],
            "hints": [{"clue": h.name, "touched": h.touched, "turn": h.turn} for h in hints],
        }
        for kind, view in views.items():
            card[kind] = None if view is None else _view_fields(deduction, view, index)
        cards.append(card)
    return cards


def _view_fields(deduction: Deduction, view: View, index: int) -> dict[str, Any]:
    """``counting`` says which view it is: ``public`` stands for common where common is not determined."""
    shown = deduction.shown
    row = view.marginals[index]
    return {
        "counting": view.kind,
        "possible": [shown.variant.card_name(c) for c in row],
        "probabilities": {shown.variant.card_name(c): _fraction(p) for c, p in row.items()},
        **_exact("playable", view.chance(index, shown.playable)),
        **_exact("trash", view.chance(index, shown.trash)),
        **_exact("critical", view.chance(index, shown.critical)),
    }


# ------------------------------------------------------------------------------------------------- text


def _heading(source: str, deduction: Deduction, viewer: int, stats: Statistics) -> str:
    shown = deduction.shown
    game = shown.table.game
    to_move = shown.names[int(game["to_move"])]
    moves = "the game is over" if game["ended"] else f"{to_move} to move"
    lines = [bold(f"{source}: {shown.variant.name}, turn {int(game['turn']) + 1}, {moves}")]
    lines += _stats_lines(deduction, viewer, stats)
    asks = shown.names[viewer]
    if deduction.sees_all(viewer):
        count = deduction.count(viewer)
        lines.append(f"{asks} asks: {count.total:,} deals of {asks}'s hand agree with what {asks} knows")
    else:
        lines.append(f"{asks} asks; the position does not show all cards that {asks} sees")
    return "\n".join(lines)


def _stats_lines(deduction: Deduction, viewer: int, stats: Statistics) -> list[str]:
    from hanasolve.hanabi.deduction.statistics import bottom

    shown = deduction.shown
    parts = [
        f"score {stats.score} of {stats.max_score} still possible ({stats.full_score} full)",
        f"clues {_number(stats.clues)}",
        f"strikes {stats.strikes}",
        f"deck {stats.deck}",
    ]
    if stats.pace is not None:
        parts.append(f"pace {stats.pace}")
    if stats.usable is not None:
        parts.append(f"clues still usable {stats.usable}")
    if stats.current is not None:
        parts.append(f"efficiency {float(stats.current):.2f}")
    if stats.future is not None:
        parts.append("maximum impossible" if (stats.pace or 0) < 0 else f"needed {float(stats.future):.2f}")
    lines = [", ".join(parts)]
    lines.append(f"trash     {_grouped(deduction, shown.trash) or 'none'}")
    lines.append(f"critical  {_grouped(deduction, shown.critical) or 'none'}")
    last = bottom(deduction, viewer)
    if last is not None:
        lines.append(f"an unseen critical card is at the bottom: {_percent(sum(last.values(), Fraction(0)))}")
    return lines


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{float(value):g}"


def _hand_text(deduction: Deduction, viewer: int, seat: int, view: View | None, kind: str) -> str:
    shown = deduction.shown
    title = bold(f"{shown.names[seat]}, {_view_words(deduction, viewer, seat, view, kind)}")
    if view is None:
        return f"{title}: open, it depends on cards that the position hides (try --view common)"
    seen = _seen(deduction, viewer, seat)
    told = [" ".join(_brackets(h.short) for h in shown.hints(order)) for order in shown.hands[seat]]
    width = max([len("clues"), *map(len, told)])
    lines = [title, f"  slot  card  {'clues':<{width}}   play  trash   crit  can be"]
    for index in reversed(range(len(seen))):
        chances = [view.chance(index, mask) for mask in (shown.playable, shown.trash, shown.critical)]
        percents = "  ".join(f"{_percent(p):>5}" for p in chances)
        card = card_text(shown.variant, seen[index]) + (" " if seen[index] < 0 else "")
        lines.append(
            f"  {len(seen) - index:>4}   {card}   {told[index]:<{width}}  {percents}  "
            f"{_possibilities(deduction, view, index)}"
        )
    return "\n".join(lines)


def _brackets(clue: str) -> str:
    """A missed clue in brackets, so that several stand on one line."""
    return f"({clue})" if clue.startswith("not ") else clue


def _view_words(deduction: Deduction, viewer: int, seat: int, view: View | None, kind: str) -> str:
    names = deduction.shown.names
    if kind == "holder" or (kind == "empathy" and seat == viewer):
        return f"holder view (what {names[seat]} knows)"
    if kind == "empathy":
        return f"empathy (what {names[viewer]} knows that {names[seat]} knows)"
    if view is not None and view.kind == "public":
        return "public counting (hidden cards leave common knowledge open)"
    return "common knowledge"


def _possibilities(deduction: Deduction, view: View, index: int) -> str:
    row = view.marginals[index]
    variant = deduction.shown.variant
    if len(row) == 1:
        return card_text(variant, next(iter(row)))
    if len(row) <= _FEW:
        return " ".join(f"{card_text(variant, c)} {_percent(p)}" for c, p in row.items())
    return _grouped(deduction, view.sets[index])


def _grouped(deduction: Deduction, mask: int) -> str:
    """``r134 y25``: a set by suits."""
    from hanasolve.hanabi.deduction.statistics import by_suit

    variant = deduction.shown.variant
    words = []
    for letter, cards in by_suit(deduction.shown, mask).items():
        if cards:
            ranks = "".join(variant.card_name(c)[1:] for c in cards)
            words.append(card_text(variant, cards[0]).replace(variant.card_name(cards[0]), letter + ranks))
    return " ".join(words)


def _percent(value: Fraction) -> str:
    if value in (0, 1):
        return f"{int(value) * 100}%"
    percent = round(value * 100)
    return "<1%" if percent == 0 else ">99%" if percent == 100 else f"{percent}%"


# -------------------------------------------------------------------------------------------------- why


def _explained(
    deduction: Deduction, viewer: int, why: str, kind: ViewName | None
) -> tuple[int, View]:
    """The card that ``--why`` names and the view that is explained."""
    order = _order(deduction, viewer, why)
    seat = deduction.shown.holder_of(order)
    kinds = [kind.value] if kind is not None else ["holder", "empathy", "common"]
    for name in kinds:
        view = _view(deduction, name, viewer, seat)
        if view is not None:
            return order, view
    raise NotationError(f"--view {kinds[0]}: it depends on cards that the position does not show; try common")


def _order(deduction: Deduction, viewer: int, why: str) -> int:
    shown = deduction.shown
    match = _WHY.fullmatch(why.strip())
    if match is None:
        raise NotationError(f"--why: found {why!r}, expected a card such as order=14 or slot=2")
    number = int(match["number"])
    if match["key"] == "slot":
        hand = shown.hands[viewer]
        if not 1 <= number <= len(hand):
            raise NotationError(
                f"--why: found slot {number}, expected 1 to {len(hand)} ({shown.names[viewer]}'s hand)"
            )
        return hand[len(hand) - number]
    held = sorted(deduction.all_orders)
    if number not in held:
        orders = ", ".join(map(str, held))
        raise NotationError(f"--why: found order {number}, expected a card in a hand: {orders}")
    return number


def _why_fields(deduction: Deduction, order: int, view: View) -> dict[str, Any]:
    from hanasolve.hanabi.deduction.why import explain

    shown = deduction.shown
    return {
        "why": {"order": order, "player": shown.names[view.seat], "slot": shown.slot(view.seat, order),
                "view": view.kind},
        "eliminated": [
            {"card": shown.variant.card_name(gone.identity), "by": [str(reason) for reason in gone.reasons]}
            for gone in explain(deduction, view, order)
        ],
    }  # fmt: skip


def _why_text(deduction: Deduction, order: int, view: View) -> str:
    from hanasolve.hanabi.deduction.why import explain

    shown = deduction.shown
    index = view.orders.index(order)
    kind = "common" if view.kind == "public" else view.kind
    words = _view_words(deduction, view.seat if view.viewer is None else view.viewer, view.seat, view, kind)
    lines = ["", bold(f"{shown.place(order)} (order {order}), {words}")]
    lines.append(f"  can be  {_possibilities(deduction, view, index)}")
    together: dict[tuple[Reason, ...], int] = {}
    for gone in explain(deduction, view, order):
        together[gone.reasons] = together.get(gone.reasons, 0) | 1 << gone.identity
    for reasons, mask in together.items():
        lines.append(f"  not     {_grouped(deduction, mask)}: {reasons[0]}")
        lines += [f"          or: {reason}" for reason in reasons[1:]]
    return "\n".join(lines)
