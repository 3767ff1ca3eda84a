"""``hanasolve variants``: the variants there are, and one of them in detail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanasolve.cli.common import Json, print_json
from hanasolve.cli.text.style import bold, card_text, table_text
from hanasolve.errors import UnsupportedVariant
from hanasolve.hanabi.game.variants import DOWN, START_RANK, SUDOKU, UP, Variant, load_variant, variant_names

if TYPE_CHECKING:
    from hanasolve.hanabi.conventions.convention import Convention

_BUILT = {UP: "1 to 5", DOWN: "5 to 1", "up-or-down": "up or down", SUDOKU: "from any free rank, in a circle"}
_FLAGS = {
    "specialRankAllClueColors": "cards of rank {rank} are touched by every colour",
    "specialRankAllClueRanks": "cards of rank {rank} are touched by every number",
    "specialRankNoClueColors": "cards of rank {rank} are touched by no colour",
    "specialRankNoClueRanks": "cards of rank {rank} are touched by no number",
    "specialRankDeceptive": "cards of rank {rank} are touched by another number in each suit",
    "scarceOnes": "each 1 exists twice",
    "clueStarved": "discards and completed suits return half a clue token",
    "alternatingClues": "colour and number clues must alternate",
    "colorCluesTouchNothing": "colour clues touch no card",
    "rankCluesTouchNothing": "number clues touch no card",
    "oddsAndEvens": "number clues say odd (1) or even (2)",
    "funnels": "a number touches the cards up to it",
    "chimneys": "a number touches the cards from it on",
    "synesthesia": "each number also counts as a colour",
    "sudoku": "each suit starts at a different rank and goes round",
    "upOrDown": "suits go up from 1, down from 5, or from START either way",
    "throwItInAHole": "nobody sees what was played; completed suits return no token",
    "cowAndPig": "clues name animals instead of properties (the rules of play are the base rules)",
    "duck": "clues are not named aloud (the rules of play are the base rules)",
}


def command(
    name: Annotated[str | None, typer.Argument(metavar="NAME_OR_ID", show_default=False)] = None,
    json: Json = False,
) -> None:
    """Show a variant: suits, copies, which clue touches which card, what the commands support.

    Without a name all variants are listed; with a part of one, those that contain it.
    """
    found = search(name)
    if isinstance(found, Variant):
        if json:
            print_json("variants/1", {"variant": _detail(found)})
        else:
            print(_detail_text(found))
    elif json:
        print_json("variants/1", {"variants": [_row(load_variant(key)) for key in found]})
    else:
        print(_list_text(found))


def search(name: str | None) -> Variant | list[str]:
    """The variant of this name, else the names that contain it; UnsupportedVariant if there is none."""
    names = variant_names()
    if name is None:
        return names
    try:
        return load_variant(name)
    except UnsupportedVariant:
        parts = name.casefold().split()
        hits = [known for known in names if parts and all(part in known.casefold() for part in parts)]
        if not hits:
            raise
        return hits


def _row(variant: Variant) -> dict[str, Any]:
    return {
        "id": variant.id if variant.id >= 0 else None,
        "name": variant.name,
        "suits": [suit.name for suit in variant.suits],
        "cards": variant.deck_size,
        "max_score": variant.max_score,
    }


def _list_text(names: Sequence[str]) -> str:
    rows: list[Sequence[object]] = [("id", "name", "suits", "cards", "maximum")]
    for name in names:
        variant = load_variant(name)
        number = variant.id if variant.id >= 0 else "-"
        rows.append((number, variant.name, len(variant.suits), variant.deck_size, variant.max_score))
    return table_text(rows, right=(0, 2, 3, 4))


# ----------------------------------------------------------------------------------------- one in detail


def support(variant: Variant) -> dict[str, str]:
    """What each command does with this variant: ``yes``, or why not. The code that refuses is asked."""
    from hanasolve.hanabi.game.options import site_options
    from hanasolve.hanabi.game.table import deal
    from hanasolve.hanabi.ranking.open_hands.rank import check_open
    from hanasolve.hanabi.search.problem import problem_from_table

    on_site = variant.id >= 0
    table = deal(variant, site_options(2), tuple(variant.deck_in_order()))
    known = _refusal(lambda: problem_from_table(table))
    opened = known or _refusal(lambda: check_open(problem_from_table(table)))
    compared, hidden = _conventions(variant)
    both = bool(known)  # open hands are counted by the same abstraction of the game
    methods = (("known deck and open hands", known), ("open hands", "" if both else opened), ("hidden hands", hidden))
    limits = [f"{name}: {words}" for name, words in methods if words]
    return {
        "deal": "yes" if on_site else "from deck files (seeds name hanab.live's variants)",
        "convert": "yes" if on_site else "yes, but no links (hanab.live has no such variant)",
        "max": f"no: {known}" if known else "yes",
        "deduce": "yes",
        "analyze": f"in part: {'; '.join(limits)}" if limits else "yes: known deck, open hands, hidden hands",
        "review": f"no: {known}" if known else "yes" + (f"; --convention: {hidden}" if hidden else ""),
        "compare": compared or "yes, all conventions",
    }


def _refusal(ask: Callable[[], object]) -> str:
    """Why it is refused, or nothing."""
    try:
        ask()
    except UnsupportedVariant as error:
        return str(error)
    return ""


def _conventions(variant: Variant) -> tuple[str, str]:
    """Which conventions play, and which of them rank hidden hands; nothing where it is all of them."""
    from hanasolve.errors import NotationError
    from hanasolve.hanabi.conventions.find import convention_names, find_convention
    from hanasolve.hanabi.game.options import site_options
    from hanasolve.hanabi.game.table import deal
    from hanasolve.hanabi.ranking.hidden_hands.drawn_deals import check_hidden

    def plays(convention: Convention, rank: bool) -> bool:
        for players in convention.players:
            options = site_options(players)
            try:
                convention.check_table(variant, options)
                if rank:
                    check_hidden(deal(variant, options, tuple(variant.deck_in_order())), 0, convention)
            except (UnsupportedVariant, NotationError):
                continue
            return True
        return False

    every = [find_convention(name) for name in convention_names()]
    compared = [one for one in every if plays(one, rank=False)]
    if len(compared) == len(every):
        return "", ""
    hidden = [one for one in compared if plays(one, rank=True)]
    return _only(compared), _only(hidden)


def _only(found: Sequence[Convention]) -> str:
    return f"of the built-in conventions only {', '.join(one.name for one in found) or 'none'}"


def _touched(variant: Variant, mask: int) -> list[str]:
    return [variant.card_name(card) for card in range(len(variant.copies)) if mask >> card & 1]


def _detail(variant: Variant) -> dict[str, Any]:
    names = map(variant.card_name, range(len(variant.copies)))
    colors = zip(variant.clue_colors, variant.color_touch, strict=True)
    ranks = zip(variant.clue_ranks, variant.rank_touch, strict=True)
    return {
        **_row(variant),
        "letters": list(variant.letters),
        "built": list(variant.orders),
        "copies": dict(zip(names, variant.copies, strict=True)),
        "clue_colors": {color: _touched(variant, mask) for color, mask in colors},
        "clue_ranks": {str(rank): _touched(variant, mask) for rank, mask in ranks},
        "rules": _rules(variant),
        "support": support(variant),
    }


def _rules(variant: Variant) -> list[str]:
    """The special rules in words."""
    rules = [text.format(rank=variant.special_rank) for flag, text in _FLAGS.items() if flag in variant.flags]
    if variant.critical_rank:
        rules.append(f"each {variant.critical_rank} exists once")
    if any(suit.inverted for suit in variant.suits):
        rules.append("an orange card that is played is discarded, one that is discarded is played")
    return rules


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


def _detail_text(variant: Variant) -> str:
    number = f" (hanab.live {variant.id})" if variant.id >= 0 else " (printed game)"
    lines = [bold(f"{variant.name}{number}: {variant.deck_size} cards, maximum {variant.max_score}"), ""]
    lines += [table_text(_suit_rows(variant)), "", "clues touch"]
    names = [*map(str.lower, variant.clue_colors), *map(str, variant.clue_ranks)]
    clues = list(zip(names, (*variant.color_touch, *variant.rank_touch), strict=True))
    width = max((len(clue) for clue, _ in clues), default=0)
    lines += [f"  {clue:<{width}}  {_touch_text(variant, mask)}" for clue, mask in clues]
    if not clues:
        lines.append("  there are no clues")
    rules = _rules(variant)
    if rules:
        lines += ["", "special rules", *(f"  {rule}" for rule in rules)]
    supported = support(variant)
    width = max(map(len, supported))
    lines += ["", "commands", *(f"  {name:<{width}}  {answer}" for name, answer in supported.items())]
    return "\n".join(lines)
