"""The worked examples of docs/deduction.md (scenarios/deduce-w*.yaml), and counting facts derived by hand."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from math import comb, factorial, perm, prod
from pathlib import Path
from typing import Any

import pytest

from hanasolve.errors import ImpossiblePosition
from hanasolve.hanabi.deduction import Count, Deduction, View
from hanasolve.hanabi.deduction.masks import members
from hanasolve.hanabi.deduction.statistics import bottom
from hanasolve.hanabi.game.options import Options
from hanasolve.hanabi.game.statistics import Statistics, statistics
from hanasolve.hanabi.game.table import deal, from_position
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.notation.position import parse_position

ROOT = Path(__file__).parents[2]
VARIANT = load_variant("No Variant")
ALICE, BOB, CATHY = range(3)


def scenario(number: int) -> Deduction:
    (path,) = (ROOT / "scenarios").glob(f"deduce-w{number:02}-*.yaml")
    return deduce(path.read_text(encoding="utf-8"))


def deduce(text: str) -> Deduction:
    return Deduction(from_position(parse_position(text)))


def slot(view: View | None, number: int) -> str:
    """``y1 1/6 y2 1/3``: a slot's identities with their chances."""
    assert view is not None
    row = view.marginals[len(view.sets) - number]
    return " ".join(f"{VARIANT.card_name(c)} {p}" for c, p in row.items())


def chances(deduction: Deduction, number: int) -> tuple[str, str, str]:
    """Playable, trash, critical of one of Alice's slots."""
    view, shown = deduction.holder(ALICE), deduction.shown
    assert view is not None
    index = len(view.sets) - number
    return tuple(str(view.chance(index, m)) for m in (shown.playable, shown.trash, shown.critical))  # type: ignore


def test_w01_start() -> None:
    deduction = scenario(1)
    count = deduction.count(ALICE)
    assert count.total == 45 * 44 * 43 * 42 * 41 == 146_611_080
    for number in range(1, 6):
        assert len(slot(deduction.holder(ALICE), number).split()) == 2 * 24
        assert chances(deduction, number) == ("14/45", "0", "4/45")


def test_w02_copies_weigh() -> None:
    deduction = scenario(2)
    assert slot(deduction.holder(ALICE), 1) == "y1 1/6 y2 1/3 y3 1/6 y4 1/6 y5 1/6"
    assert chances(deduction, 1) == ("1/6", "0", "1/3")


def test_w03_two_fives() -> None:
    deduction = scenario(3)
    count = deduction.count(ALICE)
    assert (count.total, count.assignments) == (4, 4)
    assert slot(deduction.holder(ALICE), 1) == "g5 1/2 b5 1/4 p5 1/4"
    assert slot(deduction.holder(ALICE), 2) == "b5 1/2 p5 1/2"


def test_w04_to_w06_a_pair_is_counted_once() -> None:
    pair = scenario(4).holder(ALICE)
    assert slot(pair, 1) == "r3 2/7 y3 2/7 g3 2/7 b3 1/21 p3 2/21"
    assert slot(pair, 2) == slot(pair, 3) == "b3 1/3 p3 2/3"
    used_up = scenario(5).holder(ALICE)
    assert slot(used_up, 1) == "r3 1/3 y3 1/3 g3 1/3"
    assert slot(used_up, 2) == slot(used_up, 3) == "b3 1/2 p3 1/2"
    broken = scenario(6)
    assert slot(broken.holder(ALICE), 1) == "r3 2/7 y3 2/7 g3 2/7 b3 1/14 p3 1/14"
    assert slot(broken.holder(ALICE), 2) == "b3 1/2 p3 1/2"
    assert chances(broken, 2)[2] == "1/2"


def test_w07_joint_chance_is_not_the_product() -> None:
    deduction = scenario(7)
    assert slot(deduction.holder(ALICE), 1) == slot(deduction.holder(ALICE), 2) == "r1 2/5 y1 3/5"
    assert chances(deduction, 1)[0] == "1"
    count = deduction.count(ALICE)
    assert count.total == 20
    assert count.probability([0, 1], lambda a, b: a != b) == Fraction(12, 20)
    red = 1 << VARIANT.names["r1"]
    assert count.chance({0: red, 1: red}) == Fraction(2, 20)
    assert count.given({0: red}).marginals[1] == {VARIANT.names["r1"]: Fraction(1, 4),
                                                  VARIANT.names["y1"]: Fraction(3, 4)}  # fmt: skip


def test_w08_common_knowledge_is_more_than_public_counting() -> None:
    deduction = scenario(8)
    for seat, card in ((ALICE, "y4"), (BOB, "y4"), (CATHY, "y5")):
        assert slot(deduction.public(seat), 1) == "y4 2/3 y5 1/3"
        assert slot(deduction.common(seat), 1) == slot(deduction.holder(seat), 1) == f"{card} 1"


def test_w09_empathy_does_not_know_the_own_card() -> None:
    deduction = scenario(9)
    assert slot(deduction.holder(BOB), 1) == "r1 1/4 r2 1/4 r3 1/4 r4 1/4"
    empathy = deduction.empathy(ALICE, BOB)
    assert slot(empathy, 1).split()[::2] == ["r1", "r2", "r3", "r4", "r5"]
    assert slot(deduction.common(BOB), 1).split()[::2] == ["r1", "r2", "r3", "r4", "r5"]
    # Alice holds one of r1 r1 r2 r3 r3 r4 r4 r5; Bob then sees it and one of the eight others is his.
    seen = {"r1": 2, "r2": 1, "r3": 2, "r4": 2, "r5": 1}
    left = {**seen, "r2": 2}
    expected = {
        VARIANT.names[card]: sum(
            Fraction(seen[own], 8) * Fraction(left[card] - (own == card), 8) for own in seen
        )
        for card in left
    }
    assert empathy is not None
    assert empathy.marginals[0] == expected


def test_w10_midgame() -> None:
    deduction = scenario(10)
    assert slot(deduction.holder(ALICE), 1) == "r3 1/7 y3 2/7 g3 2/7 b3 1/7 p3 1/7"
    assert chances(deduction, 1) == ("4/7", "1/7", "1/7")
    assert chances(deduction, 2) == ("0", "11/19", "4/19")
    assert slot(deduction.holder(ALICE), 3) == "r1 2/5 r2 1/5 r4 1/5 r5 1/5"
    assert chances(deduction, 3) == ("0", "3/5", "2/5")
    assert deduction.count(ALICE).total == 665


def test_w11_empty_deck() -> None:
    deduction = scenario(11)
    assert slot(deduction.holder(ALICE), 1) == slot(deduction.common(ALICE), 1) == "y1 1"
    assert slot(deduction.holder(ALICE), 2) == slot(deduction.common(ALICE), 2) == "p5 1"
    for number in (1, 2):
        assert slot(deduction.holder(BOB), number) == slot(deduction.common(BOB), number) == "r2 1/2 b4 1/2"
    assert slot(deduction.public(ALICE), 1) == "r2 1/3 y1 1/3 b4 1/3"


def test_w12_crossing_clues() -> None:
    deduction = scenario(12)
    assert slot(deduction.holder(ALICE), 3) == "r4 1"
    assert slot(deduction.holder(ALICE), 1) == "r1 1/3 r3 1/3 r5 1/3"
    assert chances(deduction, 1) == ("0", "2/3", "1/3")
    assert slot(deduction.holder(ALICE), 2) == "y4 1/4 g4 1/4 b4 1/4 p4 1/4"


def test_w13_w14_conflicts_name_what_is_in_conflict() -> None:
    fives = "{told: [5, not red, not yellow, not green]}"
    with pytest.raises(ImpossiblePosition, match=r"Alice slots 1, 2, 3 need 3 cards.*b5, p5") as raised:
        deduce(f"hands: {{Alice: [{fives}, {fives}, {fives}, '?'], Bob: []}}\n")
    assert raised.value.kind == "joint"
    with pytest.raises(ImpossiblePosition, match=r"r1") as raised:
        deduce("hands: {Alice: ['?'], Bob: [r1, r1, r1, r1, r1]}\n")
    assert raised.value.kind == "copies"


def test_conflicts_of_clues_name_the_fewest_clues() -> None:
    both = "{told: [1, red, blue, not 2, not green]}"
    with pytest.raises(ImpossiblePosition) as raised:
        deduce(f"hands: {{Alice: [{both}], Bob: []}}\n")
    assert (raised.value.kind, str(raised.value)) == (
        "clues", "Alice slot 1: no card of No Variant is touched by red and touched by blue"
    )  # fmt: skip


# --- counting facts of tests/data/deduction/probability.json ---------------------------------------------

FULL = (1 << 25) - 1
ONES = sum(1 << VARIANT.names[f"{suit}1"] for suit in "rygbp")
FACTS = json.loads((Path(__file__).parents[1] / "data/deduction/probability.json").read_text("utf-8"))
FACT = {fact["id"]: fact["answer"] for fact in FACTS["facts"]}


def fractions(name: str) -> list[Fraction]:
    parts = FACT[name].replace(" ; ", " / ").split(" / ")
    return [Fraction(part.split("=")[0].strip()) for part in parts if "!" not in part.split("=")[0]]


def unseen(*seen: str) -> list[int]:
    left = list(VARIANT.copies)
    for card in seen:
        left[VARIANT.names[card]] -= 1
    return left


def test_single_cards() -> None:
    assert [Count([FULL], VARIANT.copies).chance({0: ONES})] == fractions("Q01")
    bob = Count([FULL], unseen("g2", "b1", "r2", "r3", "g5"))
    assert [bob.chance({0: ONES})] == fractions("Q02")
    sixteen = unseen(*("r1 r1 r1 y1 y1 y1 g1 g1 g1 b1 b1 b1 r2 y2 g2 b2".split()))
    fives = sum(1 << VARIANT.names[f"{suit}5"] for suit in "rygbp")
    assert [Count([FULL], sixteen).chance({0: fives})] == fractions("Q19")


def test_five_cards() -> None:
    hand = Count([FULL] * 5, VARIANT.copies)
    no_ones = dict.fromkeys(range(5), FULL & ~ONES)
    assert [hand.chance(no_ones)] == fractions("Q12") == [Fraction(comb(35, 5), comb(50, 5))]
    ten = unseen(*("r1 y1 g1 r2 r3 r4 y2 y3 y4 g2".split()))
    assert [Count([FULL] * 5, ten).chance(no_ones)] == fractions("Q20")


def test_places_in_the_deck() -> None:
    """Places of the deck are hidden slots like any other."""
    twos, ones = 1 << VARIANT.names["r2"], 1 << VARIANT.names["r1"]
    pair, three = Count([FULL] * 2, VARIANT.copies), Count([FULL] * 3, VARIANT.copies)
    assert [5 * pair.chance({0: twos, 1: twos})] == fractions("Q09")
    assert [5 * three.chance({0: ones, 1: ones, 2: ones})] == fractions("Q10")
    for hidden, answer in zip((32, 16, 8), fractions("Q17"), strict=True):
        copies = [hidden - 2, 2]
        assert Count([3, 3], copies).chance({0: 2, 1: 2}) == answer


def test_places_of_a_needed_card() -> None:
    """One needed card and blanks: where it lies is uniform over the hidden places."""
    for name, places, good in (("Q14", 3, 2), ("Q15", 5, 4), ("Q16", 4, 1)):
        count = Count([3] * places, [places - 1, 1])
        assert [sum((count.chance({i: 2}) for i in range(good)), Fraction(0))] == fractions(name)
    blind = Count([3] * 5, [4, 1]).chance({0: 2})
    assert [blind * blind, blind] == fractions("Q13")  # two hands; the second answer: the slots agree


def test_numbers_of_decks_and_arrangements() -> None:
    whole = Count([FULL] * 50, VARIANT.copies)
    assert whole.total == factorial(50)
    decks = whole.total // prod(factorial(copies) for copies in VARIANT.copies)
    assert str(decks) == FACT["Q11"].split("= ")[1]
    # Five of eight places, filled by a multiset with two pairs (2 + 2 + 1).
    arranged = Count([7] * 5, [2, 2, 1]).assignments * comb(8, 5)
    assert str(arranged) == FACT["Q18"] == str(comb(8, 5) * perm(5, 5) // 4)


def test_chance_of_a_critical_card_at_the_bottom() -> None:
    """Start of W1: each unseen 5 is in one of 45 places, 40 of them in the deck, one of these the bottom."""
    deduction = scenario(1)
    last = bottom(deduction, ALICE)
    assert last == {VARIANT.names[card]: Fraction(1, 45) for card in ("y5", "g5", "b5", "p5")}
    assert bottom(scenario(11), ALICE) is None
    known = deduce("hands: {Alice: [{told: [5, red]}, '?'], Bob: []}\n")  # Alice knows her r5
    last = bottom(known, ALICE)
    assert last is not None
    assert set(last) == {VARIANT.names[card] for card in ("y5", "g5", "b5", "p5")}
    assert list(members(known.count(ALICE).sets[1])) == [VARIANT.names["r5"]]


def test_starting_statistics() -> None:
    def start(players: int, hand_size: int = 0) -> Statistics:
        return statistics(deal(VARIANT, Options(players, hand_size=hand_size), ()))

    def joined(values: list[object]) -> str:
        return " / ".join(map(str, values))

    starts = [start(players) for players in (2, 3, 4, 5)]
    assert joined([s.pace for s in starts]) == FACT["Q03"]
    assert joined([start(2, 6).pace, start(2, 4).pace]) == FACT["Q04"]
    assert joined([s.usable for s in starts]) == FACT["Q05"]
    assert joined([s.minimum for s in starts]) == FACT["Q06"]
    assert str(starts[2].pace) == FACT["Q07"]
    # 20 plays below the 5s draw one card each; every other draw is a discard and needs one clue before it,
    # apart from the eight clues that are there at the start.
    assert joined([20 + 2 * (s.deck - 20 - 1) + 8 for s in starts]) == FACT["Q08"]


def test_the_example_in_the_documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs/deduction.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict[str, Any] = {}
    count = 0
    for line in filter(None, code.splitlines()):
        source, _, comment = (part.strip() for part in line.partition("#"))
        if source.startswith(("from ", "text ", "deduction ", "count = ")):
            exec(source, names)
        else:
            assert str(eval(source, names)).replace("/", ", ") in comment.replace("/", ", "), line
            count += 1
    assert count == 5
