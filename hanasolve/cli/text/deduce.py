"""``deduce`` as text: statistics, then the hands card by card, or why one card can be nothing else."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hanasolve.cli.text.style import bold, card_text
from hanasolve.hanabi.deduction.conflicts import group_name
from hanasolve.hanabi.deduction.statistics import bottom, by_suit
from hanasolve.hanabi.deduction.why import explain

if TYPE_CHECKING:
    from hanasolve.answers.deduce import DeduceAnswer
    from hanasolve.hanabi.deduction import Deduction, View
    from hanasolve.hanabi.deduction.why import Reason
    from hanasolve.hanabi.game.statistics import Statistics

_FEW = 6  # so many possibilities stand one by one, with their chances


def text(answer: DeduceAnswer) -> str:
    """Without a ``view`` the viewer's own hand as its holder judges it, the others by empathy."""
    lines = [_heading(answer)]
    if answer.why is not None:
        return "\n".join([*lines, _why(answer.deduction, *answer.why)])
    for seat in answer.deduction.shown.seats:
        lines += ["", _hand(answer, seat)]
        if answer.readings is not None:
            lines += [f"  under {answer.convention}:", *_reading_lines(answer, seat)]
    return "\n".join(lines)


def _heading(answer: DeduceAnswer) -> str:
    deduction, viewer = answer.deduction, answer.viewer
    shown = deduction.shown
    game = shown.table.game
    to_move = shown.names[int(game["to_move"])]
    moves = "the game is over" if game["ended"] else f"{to_move} to move"
    lines = [bold(f"{answer.source}: {shown.variant.name}, turn {int(game['turn']) + 1}, {moves}")]
    lines += _stats_lines(deduction, viewer, answer.statistics)
    asks = shown.names[viewer]
    deals, unknown = deduction.count(viewer).total, deduction.open_cards(viewer)
    which = f" and of {group_name(shown, unknown)}" if unknown else ""
    lines.append(f"{asks} asks: {deals:,} deals of {asks}'s hand{which} agree with what {asks} knows")
    if unknown:
        lines.append(f"{asks} sees cards that are not named here: they count as unknown to all")
    return "\n".join(lines)


def _stats_lines(deduction: Deduction, viewer: int, stats: Statistics) -> list[str]:
    from hanasolve.hanabi.game.statistics import score_line

    parts = [
        score_line(deduction.shown.table, stats),
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
    if stats.future is not None and stats.most == stats.max_score:
        parts.append(f"needed {float(stats.future):.2f}")
    lines = [", ".join(parts)]
    lines.append(f"trash     {_grouped(deduction, deduction.shown.trash) or 'none'}")
    lines.append(f"critical  {_grouped(deduction, deduction.shown.critical) or 'none'}")
    last = bottom(deduction, viewer)
    if last is not None:
        lines.append(f"an unseen critical card is at the bottom: {_percent(sum(last.values(), Fraction(0)))}")
    return lines


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{float(value):g}"


# ------------------------------------------------------------------------------------------------ hands


def _hand(answer: DeduceAnswer, seat: int) -> str:
    deduction, viewer = answer.deduction, answer.viewer
    kind = answer.view or ("holder" if seat == viewer else "empathy")
    view, shown = deduction.view(kind, viewer, seat), deduction.shown
    title = bold(f"{shown.names[seat]}, {_view_words(deduction, viewer, seat, view, kind)}")
    if view is None:
        return f"{title}: open, it depends on cards that the position hides (try --view common)"
    seen = deduction.seen_by(viewer, seat)
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


def _reading_lines(answer: DeduceAnswer, seat: int) -> list[str]:
    """A line for each card that the convention says something about, newest first."""
    hand, lines = answer.deduction.shown.hands[seat], []
    for index in reversed(range(len(hand))):
        reading = (answer.readings or {})[hand[index]]
        if reading.reason:
            word = "play now, before anything else" if reading.asked else "play" if reading.playable else ""
            parts = [_grouped(answer.deduction, reading.inferred), reading.reason, word]
            lines.append(f"  {len(hand) - index:>4}   " + "  ".join(part for part in parts if part))
    return lines or ["         no card is marked or asked for"]


# -------------------------------------------------------------------------------------------------- why


def _why(deduction: Deduction, order: int, view: View) -> str:
    index = view.orders.index(order)
    kind = "common" if view.kind == "public" else view.kind
    words = _view_words(deduction, view.seat if view.viewer is None else view.viewer, view.seat, view, kind)
    lines = ["", bold(f"{deduction.shown.place(order)} (order {order}), {words}")]
    lines.append(f"  can be  {_possibilities(deduction, view, index)}")
    together: dict[tuple[Reason, ...], int] = {}
    for gone in explain(deduction, view, order):
        together[gone.reasons] = together.get(gone.reasons, 0) | 1 << gone.identity
    for reasons, mask in together.items():
        lines.append(f"  not     {_grouped(deduction, mask)}: {reasons[0]}")
        lines += [f"          or: {reason}" for reason in reasons[1:]]
    return "\n".join(lines)
