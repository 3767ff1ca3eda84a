"""Recorded Koi-Koi data and helpers for its tests."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from hanasolve.koikoi.game import cards, rules

FOLDER = Path(__file__).parent.parent / "data" / "koikoi"


def load(name: str) -> Any:
    """A recorded file: yaku_cases, endings, known_deal_values or records."""
    packed = FOLDER / f"{name}.json.gz"
    if packed.exists():
        return json.loads(gzip.decompress(packed.read_bytes()))
    return json.loads((FOLDER / f"{name}.json").read_text())


def known_game(record: dict[str, Any], dealer: int = 0) -> Any:
    """The GAME of a recorded deal, before its first turn."""
    game = rules.new_game()
    game["dealer"] = game["mover"] = dealer
    game["hands"][:] = cards.mask(record["hand_A"]), cards.mask(record["hand_B"])
    game["field"] = cards.mask(record["field"])
    game["stock"][:] = record["stock"]
    return game
