"""Reports: what they say, that they open offline, and that the same input gives the same bytes."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from hanasolve.answers.compare import CompareAnswer, ComparedTable
from hanasolve.batch.comparison import Comparison
from hanasolve.batch.running_scores import Until
from hanasolve.report.comparison_page import comparison_page
from hanasolve.report.page import fixed, p_text, percent, signed
from tests.batch.tables import compared

SCORES = {"a<b": [20, 22, 25] * 20, "b": [21, 23, 25] * 20}


def link(name: str, seed: str) -> str | None:
    return f"https://hanab.live/replay-json/{seed}-{name[0]}"


def answer(found: Comparison) -> CompareAnswer:
    return CompareAnswer((ComparedTable(found, (), (), link),), 1)


def page(until: Until | None = None) -> str:
    return comparison_page(answer(compared(SCORES, until=until)), "hanasolve compare a<b b")


@pytest.fixture(scope="module")
def report() -> str:
    return page()


class _Tags(HTMLParser):
    """Checks that tags are closed in order, and collects what would be loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br", "link", "img"):
            self.open.append(tag)
        names = {"src"} if tag != "link" else {"src", "href"}
        self.loaded += [value or "" for name, value in attrs if name in names] + (
            [tag] if tag == "script" else []
        )

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_well_formed_and_loads_nothing(report: str) -> None:
    tags = _Tags()
    tags.feed(report)
    assert tags.open == [] and tags.loaded == []


def test_the_same_comparison_gives_the_same_bytes(report: str) -> None:
    assert page() == report


def test_the_page_says_what_was_found(report: str) -> None:
    text = re.sub(r"\s+", " ", report)
    for words in (
        "a&lt;b", "60 decks", "p3v0s60", "b is better", "+0.667", "Not separable from the best</b>",
        '<a href="https://hanab.live/replay-json/p3v0s1-a">p3v0s1</a> (20)', "About b.",
    ):  # fmt: skip
        assert words in text, words
    assert text.count("<svg") == 3


def test_few_games_show_the_games_and_no_interval() -> None:
    few = compared({"a": [20, 22] * 5, "b": [21, 23] * 5})
    text = re.sub(r"\s+", " ", comparison_page(answer(few), ""))
    assert "Fewer than 30 games" in text and "a: 20 22 20" in text and "±" not in text
    assert text.count("<svg") == 1


def test_labels_stand_beside_what_they_are_about() -> None:
    open_hands = comparison_page(answer(compared(SCORES, open_hands=["b"])), "")
    assert "b: open hands: ideal communication. It is not ranked with the others." in open_hands
    stopped = page(until=Until(0, 0.1, max_games=60))
    assert "Log likelihood ratio" in stopped and "undecided" in stopped


def test_numbers_are_written_for_people() -> None:
    assert fixed(-1234.567) == "−1,234.57" and fixed(None) == "–"
    assert signed(0.5) == "+0.500" and signed(-0.5, 1) == "−0.5"
    assert percent(0.1234) == "12.3 %" and percent(None) == "–"
    assert (p_text(0.00001), p_text(0.25), p_text(None)) == ("< 0.0001", "0.2500", "–")
