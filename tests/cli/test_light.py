"""Small questions import nothing heavier than NumPy: they are answered before the rest could be loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ("numba", "llvmlite", "ortools", "scipy", "pandas", "pyarrow", "matplotlib", "joblib", "dask", "jinja2")
POSITION, GAME = "scenarios/deduce-w10-midgame.yaml", "scenarios/game-smart-p3v0s2.json"
QUESTIONS = [
    ["--help"],
    ["max", "--help"],
    ["max", "p2v0s1"],
    ["max", GAME, "--turn", "40"],
    ["max", "p9v0s1"],
    ["deal", "p3v0s17"],
    ["convert", "p3v0s17", "--to", "url"],
    ["convert", GAME, "--to", "position", "--turn", "9"],
    ["variants", "Rainbow (6 Suits)"],
    ["variants"],
    ["deduce", POSITION],
    ["deduce", GAME, "--turn", "30", "--convention", "hgroup3"],
    ["deduce", "no-such-file.yaml"],
    ["analyze", "scenarios/max-e55-discard-first.yaml"],
    ["conventions"],
    ["koikoi", "score", "1b 3b 8b"],
    ["koikoi", "score", "1x"],
]


@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_nothing_heavy_is_imported(question: list[str]) -> None:
    code = (
        "import json, sys\nfrom hanasolve.cli.app import main\n"
        f"main({question!r})\nprint(json.dumps(sorted(set(sys.modules))))"
    )
    env = {key: value for key, value in os.environ.items() if not key.startswith(("HANASOLVE_JIT", "NUMBA_"))}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    loaded = json.loads(done.stdout.splitlines()[-1])
    assert "hanasolve.cli.app" in loaded
    assert [name for name in HEAVY if name in loaded] == []
