"""The documentation names every option, and its example position can be read."""

from __future__ import annotations

import re
from pathlib import Path

from hanasolve.koikoi.game.options import OPTIONS, PRESETS
from hanasolve.koikoi.notation.position import parse_position

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
