"""The H-Group convention: readings of public positions, equal notes in all seats, privacy, symmetry, honesty."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hanasolve.batch.check import check_convention
from hanasolve.batch.games import player_of
from hanasolve.hanabi.conventions.base import find_convention
from hanasolve.hanabi.simulate import Simulator, seed_numbers
from hanasolve.hanabi.variants import NO_VARIANT
from tests.hanabi.hgroup_table import Told

DATA = Path(__file__).parents[1] / "data" / "hgroup"
VECTORS = json.loads((DATA / "positions.json").read_text())["vectors"]
