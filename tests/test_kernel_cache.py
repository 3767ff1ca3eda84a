"""The cache of compiled kernels: two first runs at once, broken files, folders that cannot be written, Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# A kernel that compiles in a second or two, and one that it calls.
CODE = """
import numpy as np
from hanasolve.hanabi.game.deck import seed_number
from hanasolve.hanabi.game.shuffle import shuffle_many, table_array
from hanasolve.hanabi.game.variants import load_variant
cards = np.array(load_variant(0).deck_in_order(), np.int8)
print(shuffle_many(np.array([seed_number("p2v0s1")], np.int64), cards, table_array())[0][:6].tolist())
"""


def start(cache: Path, **environment: str) -> subprocess.Popen[str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA_", "HANASOLVE_"))}
    env = {**kept, "HANASOLVE_JIT": "compiled", "HANASOLVE_CACHE": str(cache), **environment}
    return subprocess.Popen(
        [sys.executable, "-c", CODE], cwd=ROOT, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def stored(cache: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(cache.rglob("*.nb[ic]"))}


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What plain Python prints."""
    code, out, _ = finish(start(tmp_path_factory.mktemp("none"), HANASOLVE_JIT="interpreted"))
    assert code == 0
    return out


def test_two_first_runs_at_once(tmp_path: Path, answer: str) -> None:
    """Both answer, one of them compiles, and a third finds everything."""
    two = [finish(process) for process in (start(tmp_path), start(tmp_path))]
    assert [(code, out) for code, out, _ in two] == [(0, answer)] * 2
    assert sum("note: compiling kernels" in err for *_, err in two) == 1
    before = stored(tmp_path)
    assert before
    code, out, err = finish(start(tmp_path))
    assert (code, out, err) == (0, answer, "")
    assert stored(tmp_path) == before


def test_cut_files_are_made_anew_without_a_word_of_python(tmp_path: Path, answer: str) -> None:
    assert finish(start(tmp_path))[0] == 0
    for path in tmp_path.rglob("*.nb[ic]"):
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    code, out, err = finish(start(tmp_path))
    assert (code, out) == (0, answer)
    assert err.startswith("note: compiling kernels") and err.count("\n") == 1
    assert finish(start(tmp_path)) == (0, answer, "")


def test_a_cache_that_cannot_be_written_is_said_once(tmp_path: Path, answer: str) -> None:
    place = tmp_path / "file"
    place.write_text("no folder")
    code, out, err = finish(start(place, HOME=str(tmp_path)))
    assert (code, out) == (0, answer)
    assert err.count("cannot be kept") == 1 and "HANASOLVE_CACHE names another folder" in err


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_while_kernels_compile(tmp_path: Path) -> None:
    """Exit code 130 and one line; the next run goes on from what was compiled."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("HANASOLVE_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "hanasolve", "max", "p2v0s406"],
        cwd=ROOT, env={**kept, "HANASOLVE_JIT": "compiled", "HANASOLVE_CACHE": str(tmp_path)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    while process.poll() is None and not stored(tmp_path):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    code, out, err = finish(process)
    assert code == 130 and out == ""
    assert err.splitlines()[-1] == "error: interrupted" and "Traceback" not in err
    assert stored(tmp_path)
