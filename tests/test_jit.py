"""Kernels come from the cache in the next process; the search is the same without the JIT and with checks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hanasolve import kernel_cache
from hanasolve.hanabi.conventions.find import find_convention
from hanasolve.hanabi.play.simulator import play_games

ROOT = Path(__file__).parents[1]

SMALL = """
import json
from random import Random
from hanasolve.hanabi.search.solve import solve
from tests.oracles.random_problems import random_table
rows = []
for seed in range(SEEDS):
    found = solve(random_table(Random(seed), most_cards=8, deck=4))
    rows.append([found.score, found.upper_bound, found.nodes, [vars(action) for action in found.actions]])
print(json.dumps(rows))
"""


def in_process(code: str, **environment: str) -> str:
    """What a fresh process prints."""
    chosen = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT, env={**chosen, **environment}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def kernels(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.rglob("*.nb[ic]")}


@pytest.mark.slow
def test_the_second_process_compiles_nothing(tmp_path: Path) -> None:
    code = "from hanasolve.cli.app import main; import sys; sys.exit(main(['max', 'p2v0s220', '--json']))"
    first = in_process(code, HANASOLVE_JIT="compiled", HANASOLVE_CACHE=str(tmp_path))
    stored = kernels(tmp_path)
    second = in_process(code, HANASOLVE_JIT="compiled", HANASOLVE_CACHE=str(tmp_path))
    assert len(stored) > 20
    assert kernels(tmp_path) == stored

    def answer(text: str) -> Any:
        return {key: value for key, value in json.loads(text)["results"][0].items() if key != "seconds"}

    assert answer(first) == answer(second)


def test_the_search_without_the_jit() -> None:
    """The same states in the same order."""
    code = SMALL.replace("SEEDS", "5")
    compiled = in_process(code, HANASOLVE_JIT="compiled")
    assert in_process(code, NUMBA_DISABLE_JIT="1") == compiled
    assert len(json.loads(compiled)) == 5


@pytest.mark.slow
def test_the_search_with_bounds_checks(tmp_path: Path) -> None:
    code = SMALL.replace("SEEDS", "300")
    checked = in_process(code, NUMBA_BOUNDSCHECK="1", HANASOLVE_JIT="compiled", HANASOLVE_CACHE=str(tmp_path))
    assert checked == in_process(code)


@pytest.mark.parametrize(
    ("edited", "stands_on_it", "apart"),
    [
        ("hanabi/search/state.py", "hanabi/search/kernel.py", "koikoi/search/kernel.py"),
        ("hanabi/game/rules.py", "hanabi/conventions/players/smart.py", "hanabi/search/kernel.py"),
        ("jit.py", "koikoi/search/kernel.py", None),
        ("koikoi/game/rules.py", "koikoi/search/kernel.py", "hanabi/play/simulator.py"),
    ],
)
def test_an_edit_changes_the_hash_of_what_stands_on_it(
    edited: str, stands_on_it: str, apart: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = Path(kernel_cache.__file__).parent
    before = {name: kernel_cache.source_hash(package / name) for name in (stands_on_it, apart) if name}
    read = kernel_cache._source.__wrapped__
    monkeypatch.setattr(kernel_cache, "_source", lambda path: read(path) + b"\n# edited" * (path == package / edited))
    after = {name: kernel_cache.source_hash.__wrapped__(package / name) for name in before}
    assert after[stands_on_it] != before[stands_on_it]
    assert apart is None or after[apart] == before[apart]


def test_a_users_file_stands_on_what_it_imports(tmp_path: Path) -> None:
    """Also names imported from a package, in brackets over several lines, or inside a function."""
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from hanasolve.hanabi.game import (\n    rules,\n    view as seen,\n)\n"
        "def f():\n    from hanasolve import stats\n    import hanasolve.koikoi.game.rules\n"
    )
    package = Path(kernel_cache.__file__).parent
    wanted = {"hanabi/game/rules.py", "hanabi/game/view.py", "stats.py", "koikoi/game/rules.py"}
    assert {package / name for name in wanted} <= set(kernel_cache._imported(mine))


def test_a_users_file_may_name_what_has_moved(tmp_path: Path) -> None:
    """Files of version 0.1 play on, and their kernels are compiled anew when what they stand on is edited."""
    mine = tmp_path / "old_table.py"
    mine.write_text(
        "from hanasolve.hanabi.conventions.base import named_convention\n"
        "from hanasolve.hanabi.conventions.kit import discard_card, play_card\n"
        "from hanasolve.hanabi.rules import PLAY\n"
        "from hanasolve.hanabi.view import START\n"
        "def decide(view, memory):\n"
        "    return play_card(0) if view['clues'] == view['clues_max'] else discard_card(PLAY)\n"
        "def update(view, memory, event):\n"
        "    return 1 if event['kind'] == START else 0\n"
        "old_table = named_convention('old', decide=decide, update=update)\n"
    )
    results = play_games(find_convention(str(mine)), ["p3v0s1", "p3v0s2"], 3)
    assert all(row["turns"] > 0 and not row["refused"] for row in results)
    package = Path(kernel_cache.__file__).parent
    rooms = {"conventions/convention.py", "conventions/tools/building_blocks.py", "game/rules.py", "game/view.py"}
    assert {package / "hanabi" / name for name in rooms} <= set(kernel_cache._imported(mine))
