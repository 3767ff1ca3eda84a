"""The documentation names every option and its example position can be read; figures are drawn the same
twice."""

from __future__ import annotations

import re
from pathlib import Path

from hanasolve.koikoi.game.options import OPTIONS, PRESETS
from hanasolve.koikoi.notation.position import parse_position
from hanasolve.reports.koikoi_figures import strategy_differences, value_histogram

DOCS = (Path(__file__).parents[2] / "docs" / "koikoi.md").read_text(encoding="utf-8")


def test_every_option_is_documented() -> None:
    for name in [*OPTIONS, *PRESETS]:
        assert f"`{name}`" in DOCS, name


def test_option_table_shows_the_defaults() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", DOCS, re.MULTILINE))
    assert len(rows) == 19
    for name, default in rows.items():
        assert str(OPTIONS[name][1]) == default


def test_example_position_is_read() -> None:
    text = re.search(r"```yaml\n(.*?)```", DOCS, re.DOTALL)
    assert text is not None
    position = parse_position(text[1])
    assert position.match is not None and position.options["double_at"] == 0


def test_figures_are_reproducible(tmp_path: Path) -> None:
    results = [{"a": "progress+stop", "b": "greedy+stop", "diff": 0.7, "se": 0.2}]
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        value_histogram([-3, 0, 0, 5, 12], tmp_path / folder / "values.svg")
        strategy_differences(results, tmp_path / folder / "strategies.svg")
    for name in ("values.svg", "strategies.svg"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
