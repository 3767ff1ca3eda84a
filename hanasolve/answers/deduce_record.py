"""The record of ``deduce``: statistics, a row for each card with its views, and why a card can be nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hanasolve.hanabi.deduction.masks import members
from hanasolve.hanabi.deduction.statistics import bottom, by_suit

if TYPE_CHECKING:
    from hanasolve.hanabi.conventions.players.hgroup.explain import Reading
    from hanasolve.hanabi.deduction import Deduction, View
    from hanasolve.hanabi.game.statistics import Statistics
    from hanasolve.hanabi.game.variants import Variant


def position_fields(
    deduction: Deduction, viewer: int, views: Sequence[str], stats: Statistics
) -> dict[str, Any]:
    """The position and all its cards, hand by hand, newest first."""
    shown = deduction.shown
    game = shown.table.game
    count, unknown = deduction.count(viewer), deduction.open_cards(viewer)
    return {
        "variant": shown.variant.name,
        "players": list(shown.names),
        "turn": int(game["turn"]) + 1,
        "player_to_move": shown.names[int(game["to_move"])],
        "player": shown.names[viewer],
        "stats": _stats_fields(deduction, viewer, stats),
        "deals": str(count.total),
        "assignments": str(count.assignments),
        "unknown_to_all": [shown.place(order) for order in sorted(unknown, key=shown.position_of)],
        "cards": [card for seat in shown.seats for card in _card_fields(deduction, viewer, seat, views)],
    }


def reading_fields(variant: Variant, convention: str, reading: Reading) -> dict[str, Any]:
    """The ``convention`` object of a card."""
    return {
        "name": convention,
        "inferred": _names(variant, reading.inferred),
        "common": _names(variant, reading.common),
        "playable": reading.playable,
        "asked": reading.asked,
        "reason": reading.reason,
    }


def why_fields(deduction: Deduction, order: int, view: View) -> dict[str, Any]:
    """Which card is explained, and what excludes each card that it cannot be."""
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


def _names(variant: Variant, mask: int) -> list[str]:
    return [variant.card_name(card) for card in members(mask)]


def _exact(name: str, value: Fraction | int | None) -> dict[str, Any]:
    """A fraction as text, and a float beside it."""
    if value is None:
        return {name: None, f"{name}_float": None}
    return {name: _fraction(value), f"{name}_float": float(value)}


def _fraction(value: Fraction | int) -> str:
    return f"{value.numerator}/{value.denominator}"


def _stats_fields(deduction: Deduction, viewer: int, stats: Statistics) -> dict[str, Any]:
    from hanasolve.hanabi.game.statistics import final_word

    shown = deduction.shown
    name = shown.variant.card_name
    last = bottom(deduction, viewer)
    whole = stats.clues.denominator == 1

    def names(mask: int) -> dict[str, list[str]]:
        return {suit: [name(card) for card in cards] for suit, cards in by_suit(shown, mask).items()}

    return {
        "score": stats.score,
        "score_word": final_word(shown.table),
        "max_score": stats.max_score,
        "at_most": stats.most,
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
        "critical_at_bottom_cards": {name(card): _fraction(chance) for card, chance in (last or {}).items()},
    }


def _card_fields(deduction: Deduction, viewer: int, seat: int, kinds: Sequence[str]) -> list[dict[str, Any]]:
    shown = deduction.shown
    views = {kind: deduction.view(kind, viewer, seat) for kind in kinds}
    seen = deduction.seen_by(viewer, seat)
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
        "possible": [shown.variant.card_name(card) for card in row],
        "probabilities": {shown.variant.card_name(card): _fraction(chance) for card, chance in row.items()},
        **_exact("playable", view.chance(index, shown.playable)),
        **_exact("trash", view.chance(index, shown.trash)),
        **_exact("critical", view.chance(index, shown.critical)),
    }
