"""Figures: the same input gives the same bytes, and the SVG is whole and stands alone."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hanasolve.batch.running_scores import running_means
from hanasolve.report.figures import (
    Difference,
    Histogram,
    count_figure,
    difference_figure,
    running_figure,
    score_figure,
    time_figure,
)

COUNTS = [0] * 20 + [3, 10, 20, 30, 25, 12]
STRUCK = [0] * 20 + [1, 2, 0, 0, 0, 0]
SCORES = np.random.default_rng(5).integers(15, 26, 500)

FIGURES: dict[str, Callable[[str], Any]] = {
    "scores": lambda form: score_figure(
        [Histogram("a & <b>", COUNTS, STRUCK), Histogram("perfect", [0] * 25 + [7])], form
    ),
    "one score": lambda form: score_figure([Histogram("zero", [4] + [0] * 25, [4] + [0] * 25)], form),
    "differences": lambda form: difference_figure(
        [Difference("b − a", 0.2, 0.1, 0.3), Difference("c − a", -0.1, -0.4, 0.2)], form
    ),
    "counts": lambda form: count_figure([-3, 0, 0, 5, 12], "points", "deals", form),
    "running": lambda form: running_figure({"a": running_means(SCORES)}, "mean score", form=form),
    "few games": lambda form: running_figure({"a": running_means(SCORES[:12])}, "mean", zero=True, form=form),
    "times": lambda form: time_figure({"2 players": [1e-5, 3e-4, 0.2, 60.0], "3 players": [0.0, 1e-3]}, form),
}


@pytest.mark.parametrize("name", FIGURES)
def test_the_same_input_gives_the_same_bytes(name: str) -> None:
    assert FIGURES[name]("svg") == FIGURES[name]("svg")


@pytest.mark.parametrize("name", FIGURES)
def test_the_svg_is_whole_and_stands_alone(name: str) -> None:
    text = FIGURES[name]("svg")
    root = ET.fromstring(text)
    assert root.tag.endswith("svg") and "metadata" not in text
    used = set(re.findall(r'(?:xlink:href="|url\()#([^")]+)', text))
    assert used <= set(re.findall(r'id="([^"]+)"', text))
    addresses = set(re.findall(r'https?://[^"\s]+', text))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def test_the_png_is_the_same_figure() -> None:
    assert FIGURES["scores"]("png").startswith(b"\x89PNG")


def test_labels_and_shares_are_written() -> None:
    text = FIGURES["scores"]("svg")
    for words in ("a &amp; &lt;b&gt;: mean 23.00, 3.0 % struck out (pale)", "perfect: mean 25.00", "30.0 %"):
        assert words in text
    assert "+0.200" in FIGURES["differences"]("svg") and "−0.100" in FIGURES["differences"]("svg")
