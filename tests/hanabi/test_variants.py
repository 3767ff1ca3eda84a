"""Variants: touch and copies of all 2426 against the site, the printed game, lookups and their errors."""

from __future__ import annotations

import hashlib

import pytest

from hanasolve.errors import UnsupportedVariant
from hanasolve.hanabi.game.variants import Variant, load_variant, variant_names

# Of `id TAB touch TAB copies LF` over all variants, computed from the site's own programs.
SITE_HASH = "27b7e099cefc3cd74b46e541d89139f9f64c9c10cc3cbe5f8352baa9f89db765"


def touch_line(variant: Variant) -> str:
    """Per card, in creation order, the bits of the colours and of the numbers that touch it."""

    def bits(masks: tuple[int, ...], card: int) -> str:
        return "".join("1" if mask >> card & 1 else "0" for mask in masks)

    cards = range(len(variant.copies))
    touch = ",".join(f"{bits(variant.color_touch, card)}/{bits(variant.rank_touch, card)}" for card in cards)
    return f"{variant.id}\t{touch}\t{''.join(map(str, variant.copies))}\n"


def test_touch_and_copies_of_all_site_variants() -> None:
    digest = hashlib.sha256()
    for number in range(2426):
        digest.update(touch_line(load_variant(number)).encode())
    assert digest.hexdigest() == SITE_HASH


def test_names_and_ids_find_the_same_variant() -> None:
    assert load_variant("6 Suits") == load_variant(1) == load_variant("1") == load_variant("6 SUITS")
    assert load_variant(6).name == "Rainbow & White (6 Suits)"  # an id, not a number of suits
    assert len(variant_names()) == 2426 + 6


def test_printed_variants() -> None:
    """Cards and full scores of the table in section 1 of the rules."""
    sizes = {
        "base": (50, 25), "six-suits": (60, 30), "one-of-each": (55, 30), "wild": (60, 30),
        "black-powder": (60, 30), "wild+black-powder": (70, 35),
    }  # fmt: skip
    for name, size in sizes.items():
        variant = load_variant(name)
        assert (variant.deck_size, variant.max_score) == size
    assert load_variant("wild").clue_colors == ("Red", "Yellow", "Green", "Blue", "White")


def touched_by(name: str, card: str) -> tuple[list[str], list[int]]:
    """Colours and numbers that touch a card."""
    variant = load_variant(name)
    identity = variant.names[card]
    colors = zip(variant.clue_colors, variant.color_touch, strict=True)
    ranks = zip(variant.clue_ranks, variant.rank_touch, strict=True)
    return (
        [color for color, mask in colors if mask >> identity & 1],
        [rank for rank, mask in ranks if mask >> identity & 1],
    )


def test_suit_properties_come_before_special_ranks() -> None:
    """E63, E64."""
    assert touched_by("Null-Ones & Pink (6 Suits)", "i1") == ([], [2, 3, 4, 5])
    assert touched_by("Pink-Ones (5 Suits)", "b1") == (["Blue"], [2, 3, 4, 5])
    assert touched_by("Pink-Ones (5 Suits)", "b4") == (["Blue"], [4])


def test_wild_and_black_powder() -> None:
    """E35, E37, E47: rules section 4."""
    assert touched_by("wild", "m3") == (["Red", "Yellow", "Green", "Blue", "White"], [3])
    assert touched_by("black-powder", "k3") == ([], [3])


def test_cards_have_names() -> None:
    variant = load_variant("Up or Down (5 Suits)")
    assert variant.card_name(variant.names["rs"]) == "r7"
    assert all(variant.names[variant.card_name(card)] == card for card in range(len(variant.copies)))
    assert variant.card_name(-1) == "?"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Rainbw (6 Suits)", "nearest: Rainbow (6 Suits)"),
        ("2426", "ids 0 to 2425"),
        ("black powder", "nearest: black-powder"),
        ("", "unknown variant ''"),
        ("nothing like it at all", "hanasolve variants"),
    ],
)
def test_unknown_variants(name: str, says: str) -> None:
    with pytest.raises(UnsupportedVariant) as error:
        load_variant(name)
    assert says in str(error.value)
