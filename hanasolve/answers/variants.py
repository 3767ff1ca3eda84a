"""The variants there are; one of them in detail, with what every command does with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hanasolve.answers.answer import Answer
from hanasolve.errors import UnsupportedVariant
from hanasolve.hanabi.game.variants import Variant, load_variant, variant_names

if TYPE_CHECKING:
    from hanasolve.hanabi.conventions.convention import Convention

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


@dataclass(frozen=True)
class VariantsAnswer(Answer):
    """Several variants, in the order of their numbers."""

    schema = "hanasolve.variants/1"
    names: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """The fields of ``--json``: ``variants``, a few fields of each."""
        return {"variants": [_row(load_variant(name)) for name in self.names]}


@dataclass(frozen=True)
class VariantAnswer(Answer):
    """One variant: its special ``rules`` in words, and by command ``yes`` or why not (``support``)."""

    schema = "hanasolve.variants/1"
    variant: Variant
    rules: tuple[str, ...]
    support: dict[str, str]

    def record(self) -> dict[str, Any]:
        """The fields of ``--json``: ``variant``."""
        variant = self.variant
        names = map(variant.card_name, range(len(variant.copies)))
        colors = zip(variant.clue_colors, variant.color_touch, strict=True)
        ranks = zip(variant.clue_ranks, variant.rank_touch, strict=True)
        fields = {
            **_row(variant),
            "letters": list(variant.letters),
            "built": list(variant.orders),
            "copies": dict(zip(names, variant.copies, strict=True)),
            "clue_colors": {color: _touched(variant, mask) for color, mask in colors},
            "clue_ranks": {str(rank): _touched(variant, mask) for rank, mask in ranks},
            "rules": list(self.rules),
            "support": self.support,
        }
        return {"variant": fields}


def variants(name: str | None = None) -> VariantAnswer | VariantsAnswer:
    """The variant of this name or hanab.live number; else those whose names contain its words; all without a name.

    UnsupportedVariant, with the nearest names, if there is none.
    """
    found = search(name)
    if isinstance(found, Variant):
        return VariantAnswer(found, tuple(rules_of(found)), support(found))
    return VariantsAnswer(tuple(found))


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


def _touched(variant: Variant, mask: int) -> list[str]:
    return [variant.card_name(card) for card in range(len(variant.copies)) if mask >> card & 1]


def rules_of(variant: Variant) -> list[str]:
    """The special rules of a variant in words."""
    rules = [text.format(rank=variant.special_rank) for flag, text in _FLAGS.items() if flag in variant.flags]
    if variant.critical_rank:
        rules.append(f"each {variant.critical_rank} exists once")
    if any(suit.inverted for suit in variant.suits):
        rules.append("an orange card that is played is discarded, one that is discarded is played")
    return rules


# ------------------------------------------------------------------------------- what each command supports


def support(variant: Variant) -> dict[str, str]:
    """What each command does with this variant: ``yes``, or why not. The code that refuses is asked."""
    from hanasolve.hanabi.game.options import site_options
    from hanasolve.hanabi.game.table import deal
    from hanasolve.hanabi.ranking.open_hands.order_counts import check_open
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
    from hanasolve.hanabi.ranking.hidden_hands.viewpoint import check_hidden

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
