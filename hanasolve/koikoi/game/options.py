"""The options of the rules: every point that published rule texts leave open, its default and its presets.

Plain Python. An option has either named values (in the order of their numbers in the RULES record) or is a
whole number with a smallest value. ``nintendo`` is the default preset; ``koikoi-ai`` holds the house rules of
the recorded games in ``tests/data/koikoi`` (other points for the viewings, fixed sets, bonus for own calls).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hanasolve.errors import UnsupportedVariant, nearest

Value = str | int
_NO_YES = ("false", "true")

# name: (values or the smallest number, default, what it decides)
OPTIONS: dict[str, tuple[tuple[str, ...] | int, Value, str]] = {
    "match_three": (("all", "choose"), "all", "three field cards match: take all, or choose one"),
    "redeal_field": (("four", "four_or_pairs", "three"), "four", "which fields cancel the deal"),
    "lucky_hands": (("six", "off", "redeal"), "six", "teshi and kuttsuki end the round"),
    "lucky_both": (("none", "dealer"), "none", "both dealt hands are lucky: nobody wins, or the dealer"),
    "lucky_twice": (("once", "twice"), "once", "two quadruples in one hand"),
    "cup": (("both", "animal"), "both", "the sake cup counts as a plain too"),
    "rain_viewing": (("ignore", "cancel"), "ignore", "a captured rain man spoils hanami and tsukimi"),
    "red_blue": (("replace", "sum"), "replace", "both ribbon sets: one yaku of 10, or both single ones"),
    "stack_sets": (_NO_YES, "false", "sets are fixed 5 and tane/tan count beside them"),
    "double_at": (0, 7, "points from which the score doubles (0: never)"),
    "double_combine": (("multiply", "once"), "multiply", "two doublings"),
    "double_after_call": (_NO_YES, "true", "the score doubles if the opponent had called"),
    "koikoi_limit": (("1", "unlimited"), "1", "calls in a round, both players together"),
    "new_yaku": (("any_increase", "new_name"), "any_increase", "what counts as new after a call"),
    "exhausted_call": (("none", "caller", "higher"), "none", "somebody called and the cards ran out"),
    "undecided_dealer": (("change", "keep"), "change", "next dealer after an undecided round"),
    "undecided_counts": (_NO_YES, "true", "an undecided round is one of the match"),
    "dealer_tie": (("redraw", "class"), "redraw", "same month when drawing for the first dealer"),
    "rounds": (1, 12, "rounds of a match"),
    # House points that only other presets use.
    "viewing_points": (0, 5, "points of hanami and of tsukimi"),
    "viewing_called": (0, 5, "the same when the winner himself had called"),
    "red_blue_extra": (0, 0, "further points for both ribbon sets together"),
    "own_calls": (_NO_YES, "false", "n own calls: +n for n <= 3, times n - 2 from 4"),
    "exhausted_dealer": (0, 0, "points of the dealer when the cards run out"),
    "start": (0, 0, "points of each player at the start of the match"),
}

_DECIDE = {
    "dealer_tie": ((), "a position names the dealer, and in compare each player deals the first round once"),
    "lucky_both": (("compare", "analyze"), "no hands are dealt"),
}
"""Options with the commands in which they can decide something, and why not in the others."""

PRESETS: dict[str, dict[str, Value]] = {
    "nintendo": {},
    "koikoi-ai": {
        "lucky_hands": "off",
        "stack_sets": "true",
        "double_at": 0,
        "double_after_call": "false",
        "koikoi_limit": "unlimited",
        "undecided_dealer": "keep",
        "rounds": 8,
        "viewing_points": 1,
        "viewing_called": 3,
        "red_blue_extra": 10,
        "own_calls": "true",
        "exhausted_dealer": 1,
        "start": 30,
    },
}


def preset_options(preset: str) -> dict[str, Value]:
    """Every option's value in the preset."""
    if preset not in PRESETS:
        raise UnsupportedVariant(f'rules "{preset}" are unknown; there are: {", ".join(PRESETS)}')
    return {name: default for name, (_, default, _) in OPTIONS.items()} | PRESETS[preset]


def complete(preset: str = "nintendo", changes: Mapping[str, object] | None = None) -> dict[str, Value]:
    """The preset with the given changes, checked. Raises UnsupportedVariant, naming option and values."""
    options = preset_options(preset)
    for name, value in (changes or {}).items():
        options[name] = _checked(name, value)
    return options


def _checked(name: str, value: object) -> Value:
    if name not in OPTIONS:
        near = nearest(name, list(OPTIONS)) or list(OPTIONS)
        raise UnsupportedVariant(f'option "{name}" is unknown; did you mean {", ".join(near)}?')
    allowed = OPTIONS[name][0]
    if isinstance(allowed, int):
        try:
            number = int(str(value))
        except ValueError:
            number = allowed - 1
        if number < allowed:
            raise UnsupportedVariant(f"option {name}: expected a whole number >= {allowed}, found {value!r}")
        return number
    word = str(value).lower()
    if isinstance(value, bool) and word not in allowed:  # YAML reads off, on, no and yes as booleans
        word = "on" if value else "off"
    if word not in allowed:
        raise UnsupportedVariant(f'option {name}: expected {" or ".join(allowed)}, found "{value}"')
    return word


def from_texts(preset: str, texts: list[str]) -> dict[str, Value]:
    """Options given as ``name=value`` on a command line."""
    changes: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise UnsupportedVariant(f'option "{text}": expected name=value, for instance double_at=0')
        name, value = name.strip(), value.strip()
        if changes.setdefault(name, value) != value:
            raise UnsupportedVariant(f"option {name}: found {changes[name]} and {value}, expected one of them")
    return complete(preset, changes)


def idle(names: Iterable[str], question: str) -> list[str]:
    """A sentence for each of these options that decides nothing in a command."""
    return [
        f"option {name} decides nothing in koikoi {question}: {why}"
        for name, (questions, why) in _DECIDE.items()
        if name in names and question not in questions
    ]


def number(name: str, value: Value) -> int:
    """The value's number in the RULES record."""
    allowed = OPTIONS[name][0]
    return int(value) if isinstance(allowed, int) else allowed.index(str(value))
