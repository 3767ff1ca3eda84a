"""The names of the rules of a rule list, their parameters, and the published lists (no numba here)."""

from __future__ import annotations

from dataclasses import dataclass

ENTRY = 6
"""Numbers a rule takes in ``setup``: rule, chance, strikes left above, at most, tokens below, deck empty."""
MAX_RULES = 20
NO_LIMIT = 99.0

RULES: dict[str, str] = {
    "PlayIfCertain": "play the first card of known colour and number that is playable",
    "PlaySafe": "play the first card that is playable whatever it is",
    "PlayProbable": "play the card most likely to be playable, if that is at least `chance`",
    "SafeDiscard": "discard the first card that its known attributes show to be useless",
    "UselessDiscard": "discard the first card of known colour too high to be reached",
    "OsawaDiscard": "SafeDiscard, else UselessDiscard",
    "DiscardIfCertain": "discard the first card of known colour and number that is already placed",
    "DiscardOldest": "discard the oldest card",
    "DiscardRandom": "discard any card",
    "ProbUseless": "discard the card most likely to be useless, if that is at least `chance`",
    "TellPlayableRandom": "clue the next player's first playable card, number or colour at random",
    "TellPlayableOuter": "clue the next player's first playable card that lacks an attribute, number first",
    "TellUnknown": "clue the next player's first card that lacks an attribute, colour first",
    "TellUseful": "as TellPlayableOuter, to the others in turn order",
    "TellDispensable": "clue the first card that one attribute shows to be useless",
    "TellMost": "give the clue that tells most cards something new",
    "TellRandom": "a random clue to the next player",
}
"""Rule name -> meaning; a rule's number is its place here, from 1."""


@dataclass(frozen=True)
class Rule:
    """A rule of a list with its parameter and the conditions under which it is looked at."""

    name: str
    chance: float = 0.0
    strikes_left_above: int = 0
    strikes_left_at_most: float = NO_LIMIT
    tokens_below: float = NO_LIMIT
    deck_empty: bool = False

    def numbers(self) -> tuple[float, ...]:
        number = float(list(RULES).index(self.name) + 1)
        limits = (float(self.strikes_left_above), float(self.strikes_left_at_most), float(self.tokens_below))
        return (number, self.chance, *limits, float(self.deck_empty))


def setup_of(rules: tuple[Rule, ...]) -> tuple[float, ...]:
    """The constants of a rule list."""
    return tuple(number for rule in rules for number in rule.numbers())


def _list(*rules: str | Rule) -> tuple[Rule, ...]:
    return tuple(Rule(rule) if isinstance(rule, str) else rule for rule in rules)


LISTS: dict[str, tuple[Rule, ...]] = {
    "internal": _list("PlaySafe", "OsawaDiscard", "TellPlayableRandom", "TellRandom", "DiscardRandom"),
    "outer": _list("PlaySafe", "OsawaDiscard", "TellPlayableOuter", "TellUnknown", "DiscardRandom"),
    "self-recognition": _list(
        "PlayIfCertain", "DiscardIfCertain", "TellPlayableOuter", "TellUnknown", "DiscardRandom"
    ),
    "cautious": _list(
        "PlayIfCertain", "PlaySafe", "TellUseful", "OsawaDiscard", "DiscardRandom", "TellRandom"
    ),
    "iggi": _list("PlayIfCertain", "PlaySafe", "TellUseful", "OsawaDiscard", "DiscardOldest", "TellRandom"),
    "piers": _list(
        Rule("PlayProbable", 0.0, strikes_left_above=1, deck_empty=True),
        "PlaySafe",
        Rule("PlayProbable", 0.6, strikes_left_above=1),
        "TellUseful",
        Rule("TellDispensable", tokens_below=4),
        "OsawaDiscard",
        "DiscardOldest",
        "TellRandom",
        "DiscardRandom",
    ),
    "flawed": _list(
        "PlaySafe", Rule("PlayProbable", 0.25), "TellRandom", "OsawaDiscard", "DiscardOldest", "DiscardRandom"
    ),
    "van-den-bergh": _list(
        Rule("PlayProbable", 0.6, strikes_left_above=1),
        Rule("PlaySafe", strikes_left_at_most=1),
        Rule("ProbUseless", 1.0),
        "TellUseful",
        "TellMost",
        Rule("ProbUseless", 0.0),
    ),
}
