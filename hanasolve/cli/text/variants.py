"""``hanasolve variants`` as text: a table of several, or suits, touched cards and commands of one."""

from __future__ import annotations

from collections.abc import Sequence

from hanasolve.answers.variants import VariantAnswer, VariantsAnswer
from hanasolve.cli.text.style import bold, card_text, table_text
from hanasolve.hanabi.game.variants import DOWN, START_RANK, SUDOKU, UP, Variant, load_variant

_BUILT = {UP: "1 to 5", DOWN: "5 to 1", "up-or-down": "up or down", SUDOKU: "from any free rank, in a circle"}


def text(answer: VariantAnswer | VariantsAnswer) -> str:
    return _list(answer.names) if isinstance(answer, VariantsAnswer) else _detail(answer)


def _list(names: Sequence[str]) -> str:
    rows: list[Sequence[object]] = [("id", "name", "suits", "cards", "maximum")]
    for name in names:
        variant = load_variant(name)
        number = variant.id if variant.id >= 0 else "-"
        rows.append((number, variant.name, len(variant.suits), variant.deck_size, variant.max_score))
    return table_text(rows, right=(0, 2, 3, 4))


def _suit_rows(variant: Variant) -> list[Sequence[object]]:
    rows: list[Sequence[object]] = [("", "suit", "built", "copies of each rank")]
    size = len(variant.ranks)
    for index, suit in enumerate(variant.suits):
        copies = variant.copies[index * size : (index + 1) * size]
        each = " ".join(
            f"{'S' if rank == START_RANK else rank}:{count}"
            for rank, count in zip(variant.ranks, copies, strict=True)
        )
        rows.append((variant.letters[index], suit.name, _BUILT[variant.orders[index]], each))
    return rows


def _touch_text(variant: Variant, mask: int) -> str:
    """The touched cards, a suit's together."""
    size, groups = len(variant.ranks), []
    for suit in range(len(variant.suits)):
        cards = [card for card in range(suit * size, (suit + 1) * size) if mask >> card & 1]
        if len(cards) == size:
            groups.append(f"all {variant.letters[suit]}")
        elif cards:
            groups.append(" ".join(card_text(variant, card) for card in cards))
    return ", ".join(groups) or "nothing"


def _detail(answer: VariantAnswer) -> str:
    variant = answer.variant
    number = f" (hanab.live {variant.id})" if variant.id >= 0 else " (printed game)"
    lines = [bold(f"{variant.name}{number}: {variant.deck_size} cards, maximum {variant.max_score}"), ""]
    lines += [table_text(_suit_rows(variant)), "", "clues touch"]
    names = [*map(str.lower, variant.clue_colors), *map(str, variant.clue_ranks)]
    clues = list(zip(names, (*variant.color_touch, *variant.rank_touch), strict=True))
    width = max((len(clue) for clue, _ in clues), default=0)
    lines += [f"  {clue:<{width}}  {_touch_text(variant, mask)}" for clue, mask in clues]
    if not clues:
        lines.append("  there are no clues")
    if answer.rules:
        lines += ["", "special rules", *(f"  {rule}" for rule in answer.rules)]
    width = max(map(len, answer.support))
    lines += ["", "commands", *(f"  {name:<{width}}  {words}" for name, words in answer.support.items())]
    return "\n".join(lines)
