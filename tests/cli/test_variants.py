"""``hanasolve variants``."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from hanasolve.answers.variants import support
from hanasolve.hanabi.game.variants import load_variant, variant_names


def test_all_are_listed(run: Callable[..., Any]) -> None:
    lines = run("variants").out.splitlines()
    assert len(lines) == 1 + len(variant_names())
    assert lines[7].split() == ["0", "No", "Variant", "5", "50", "25"]
    listed = json.loads(run("variants", "--json").out)["variants"]
    assert [row["name"] for row in listed] == variant_names()


def test_a_part_of_a_name_lists_those_that_contain_it(run: Callable[..., Any]) -> None:
    names = [row["name"] for row in json.loads(run("variants", "rainbow 6", "--json").out)["variants"]]
    assert "Rainbow (6 Suits)" in names and all("Rainbow" in name for name in names)


def test_one_in_detail(run: Callable[..., Any]) -> None:
    out = run("variants", "black-powder").out
    for text in ("(printed game): 60 cards, maximum 30", "k  Black Powder  5 to 1", "1:1 2:2 3:2 4:2 5:3"):
        assert text in out
    detail = json.loads(run("variants", "24", "--json").out)["variant"]
    assert (detail["name"], detail["cards"], detail["max_score"]) == ("Up or Down (5 Suits)", 45, 25)
    assert detail["copies"]["r7"] == 1 and detail["clue_ranks"]["1"] == ["r1", "y1", "g1", "b1", "p1"]
    assert detail["support"]["max"].startswith("no")


@pytest.mark.parametrize("number", range(0, 2426, 97))
def test_every_kind_can_be_shown(number: int, run: Callable[..., Any]) -> None:
    assert run("variants", str(number)).code == 0


def test_support_says_what_max_does() -> None:
    """The solver refuses the same variants."""
    from hanasolve.errors import UnsupportedVariant
    from hanasolve.hanabi.game.options import site_options
    from hanasolve.hanabi.game.table import deal
    from hanasolve.hanabi.search.problem import problem_from_table

    for number in (0, 3, 24, 1356, 161, 2425, *range(50, 2400, 235)):
        variant = load_variant(number)
        table = deal(variant, site_options(2), tuple(variant.deck_in_order()))
        try:
            problem_from_table(table)
            refused = False
        except UnsupportedVariant:
            refused = True
        assert support(variant)["max"].startswith("no") == refused, variant.name


@pytest.mark.parametrize(
    "name", ["No Variant", "24", "Alternating Clues (5 Suits)", "Rainbow (5 Suits)", "Dark Null (6 Suits)"]
)
def test_support_says_what_the_rankings_do(name: str) -> None:
    """The rankings, a review and a comparison refuse the same, each when it is really asked."""
    from hanasolve.errors import HanasolveError, NotationError, UnsupportedVariant
    from hanasolve.hanabi.conventions.find import convention_names, find_convention
    from hanasolve.hanabi.game.options import site_options
    from hanasolve.hanabi.game.records import Replay
    from hanasolve.hanabi.game.table import deal, stored_action
    from hanasolve.hanabi.ranking.choice import Asked, rank
    from hanasolve.hanabi.ranking.moves import legal_actions
    from hanasolve.hanabi.ranking.review.game_review import review
    from hanasolve.limits import Limit

    def refused(ask: Callable[[], object]) -> bool:
        try:
            ask()
        except (UnsupportedVariant, NotationError):
            return True
        except HanasolveError:  # a limit: it was asked
            return False
        return False

    variant = load_variant(name)
    deck = tuple(variant.deck_in_order())
    table = deal(variant, site_options(2), deck)
    said, soon = support(variant), Limit(nodes=1)
    known = refused(lambda: rank(table, "known-deck", soon))
    assert known == ("known deck and open hands:" in said["analyze"]) == said["review"].startswith("no:")
    opened = refused(lambda: rank(table, "open-hands", soon))
    assert opened == (known or "open hands:" in said["analyze"])
    action = stored_action(table, *legal_actions(table)[0])
    game = Replay(variant, table.options, table.names, deck, (action,))
    assert refused(lambda: review(game, soon)) == known
    fits = [one for one in convention_names() if 2 in find_convention(one).players]
    for one in ("random-legal", "blind", "smart", "hgroup1"):
        asked = Asked(convention=one, rollouts=20)
        named = said["analyze"].startswith("yes") or f" {one}" in said["analyze"].replace(",", "").partition("only")[2]
        assert one in fits and refused(lambda asked=asked: rank(table, "hidden-rollouts", asked=asked)) != named, one
        plays = said["compare"].startswith("yes") or f" {one}" in said["compare"].replace(",", "")
        assert refused(lambda one=one: find_convention(one).check_table(variant, table.options)) != plays
