"""Table options: what is refused, and the mapping form that files use."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanasolve.errors import HanasolveError, NotationError, UnsupportedVariant
from hanasolve.hanabi.game.options import HAND_SIZES, TILE_EFFECTS, Options, check_fits, site_options
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.notation.table_options import NAMES, default_options, format_options, parse_options


def test_hand_sizes() -> None:
    """E31."""
    assert {players: Options(players).cards_per_hand for players in range(2, 7)} == HAND_SIZES
    assert HAND_SIZES == {2: 5, 3: 5, 4: 4, 5: 4, 6: 3}


def test_defaults_by_profile() -> None:
    assert default_options(load_variant(0), 3) == site_options(3)
    assert default_options(load_variant("base"), 3) == Options(3)
    assert site_options(3).stop_when_dead and not Options(3).stop_when_dead


def test_a_deal_must_fit() -> None:
    with pytest.raises(UnsupportedVariant, match="need 36 cards"):
        check_fits(load_variant("3 Suits"), Options(6, hand_size=6))


OPTIONS = st.builds(
    Options,
    players=st.integers(2, 6),
    hand_size=st.sampled_from((0, 1, 2, 9)),
    clues_max=st.integers(4, 8),
    clues_start=st.integers(-1, 4),
    strikes_max=st.integers(1, 5),
    empty_clues=st.sampled_from(("forbid", "allow")),
    discard_at_max=st.sampled_from(("forbid", "allow")),
    fifth_card_bonus=st.booleans(),
    strikeout_score=st.sampled_from(("zero", "keep")),
    stop_when_dead=st.booleans(),
    mode=st.sampled_from(("normal", "perfect_or_defeat", "royal_favor")),
    on_impossible=st.sampled_from(("stop", "play_on")),
    powder_bonus=st.sampled_from(("on_complete", "none")),
    tiles=st.lists(st.sampled_from(TILE_EFFECTS), max_size=3).map(tuple),
    scale=st.sampled_from(("scaled", "absolute")),
    first_player=st.integers(0, 1),
    deck_plays=st.booleans(),
    card_cycle=st.booleans(),
    speedrun=st.booleans(),
)


@given(OPTIONS)
def test_options_are_read_back_as_written(options: Options) -> None:
    base = Options(options.players)
    assert parse_options(format_options(options, base), base, "options") == options


def test_tile_set_files() -> None:
    tiles = {"tiles": [{"id": "t1", "effect": "look"}, {"effect": "gain_clues"}], "when_empty": "nothing"}
    options = parse_options({"tiles": tiles}, Options(2), "options")
    assert (options.tiles, options.tiles_when_empty) == (("look", "gain_clues"), "nothing")


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"strikes": 1}, "options: found 'strikes', expected an option"),
        ({"strikes_max": 0}, "options.strikes_max: found 0, expected a number from 1 to 60"),
        ({"strikes_max": "many"}, "options.strikes_max: found 'many', expected a whole number"),
        ({"clues_start": 9}, "options.clues_start: found 9, expected a number from 0 to 8"),
        ({"mode": "royal_favour"}, "nearest: royal_favor"),
        ({"stop_when_dead": "perhaps"}, "expected on or off"),
        ({"tiles": {"order": ["fly"]}}, "options.tiles.order[0]: found 'fly', expected an effect"),
        ({"tiles": ["look"]}, "options.tiles: found"),
        ([], "options: found []"),
    ],
)
def test_wrong_options(chosen: Any, says: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_options(chosen, Options(2), "options")
    assert says in str(error.value)


VALUES = st.none() | st.booleans() | st.integers() | st.text(max_size=9)


@given(st.dictionaries(st.sampled_from(NAMES), VALUES))
def test_only_our_errors_escape(chosen: dict[str, Any]) -> None:
    try:
        options = parse_options(chosen, Options(3), "options")
    except HanasolveError:
        return
    assert isinstance(options, Options)
