"""Every scenario gives the answer that its index names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "scenarios" / "koikoi"
SCENARIOS = json.loads((FOLDER / "index.json").read_text())


@pytest.mark.parametrize("entry", SCENARIOS, ids=lambda entry: entry["file"])
def test_scenario(entry: dict[str, Any], run: Callable[..., Any]) -> None:
    result = run("koikoi", entry["command"], str(FOLDER / entry["file"]), "--json")
    assert result.code == 0, result.err
    found = json.loads(result.out)
    if entry["command"] == "max":
        assert found["value"]["A"] == entry["value_A"]
        if "last_turn" in entry:
            assert found["line"][-1]["text"] == entry["last_turn"]
        return
    assert found["method"] == entry["method"]
    means = {option["option"]: option["mean"] for option in found["options"]}
    assert means == pytest.approx(entry["means"], abs=1e-6)


def test_every_file_is_in_the_index() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.yaml")) == sorted(entry["file"] for entry in SCENARIOS)
