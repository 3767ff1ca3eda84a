"""Every command that takes ``--limit``, with a question that would take minutes (or all that there is of such): it ends
in time, with exit code 3, and names the limit that was given."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanasolve.cli.app import COMMANDS
from hanasolve.hanabi.ranking.review.knowable_values import Estimator
from hanasolve.limits import Limit

Run = Callable[..., Any]
DATA = Path(__file__).parents[1] / "data"
GAME = str(DATA / "limits" / "game-5p-no-options.json")  # 53 turns, five players, on no convention
SMALL = str(Path(__file__).parents[2] / "scenarios" / "game-smart-p3v0s2.json")
EARLY = "game: koikoi\ndealer: A\nto_move: A\nhand: 1r 3b 4r 4p1 5p1 7r 11b 11a\nfield: 1p1 3r 3p2 6r 7a 7p1 9p2 11r\n"
STRATEGY = "class Slow:\n    def play(self, view):\n        while True:\n            pass\n\n    match = call = play\n"
MOST = str(10**8)
AT = ("analyze", GAME, "--turn")

HOSTILE = [
    ("500ms", "max", "hard.json"),
    ("500ms", "max", "hard.json", "--target", "25", "--verify"),
    ("500ms", "analyze", "hard.json"),
    ("500ms", "review", "played.json", "--states", "0"),
    ("2s", *AT, "30", "--method", "open-hands"),
    ("2s", *AT, "30", "--method", "open-hands-sampled", "--rollouts", MOST),
    ("2s", *AT, "4", "--convention", "hgroup3"),
    ("2s", *AT, "4", "--method", "hidden-rollouts", "--rollouts", MOST),
    ("2s", *AT, "45", "--method", "hidden-exact", "--partners", "optimal"),
    ("2s", *AT, "4", "--convention", "compiled_loop.py"),
    ("2s", *AT, "4", "--convention", "python_loop.py"),
    ("2s", "review", GAME, "--convention", "smart", "--rollouts", MOST, "--html", "page.html"),
    ("2s", "review", GAME, "--convention", "python_loop.py"),
    ("10ms", "koikoi", "max", "--seed", "3", "--coop"),
    ("2s", "koikoi", "analyze", "early.yaml", "--worlds", MOST),
    ("2s", "koikoi", "analyze", "early.yaml", "--max-worlds", "1" + 15 * "0"),
    ("2s", "koikoi", "compare", "progress+t7h5", "random+stop", "greedy+stop", "--pairs", MOST),
    ("2s", "koikoi", "compare", "uct1000000+stop", "flat1000000000+stop"),
    ("2s", "koikoi", "compare", "slow.py:Slow", "random+stop"),
    ("2s", "koikoi", "compare", "progress+t7h5", "random+stop", "--pairs", MOST, "--jobs", "2"),
]
COUNTED = [
    ("max", "hard.json"),
    ("max", "hard.json", "--target", "25"),
    ("analyze", "hard.json"),
    ("analyze", SMALL, "--turn", "30", "--method", "open-hands"),
    ("analyze", SMALL, "--turn", "20", "--method", "open-hands-sampled"),
    ("analyze", SMALL, "--turn", "19", "--convention", "smart"),
    ("review", "played.json", "--convention", "smart"),
    ("koikoi", "max", "--seed", "3"),
    ("koikoi", "analyze", "early.yaml"),
    ("koikoi", "compare", "progress+t7h5", "random+stop"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What the commands read: the hardest deck there is (hard-decks.json: seconds), and code that does not end."""
    with gzip.open(DATA / "known_deck" / "hard-decks.jsonl.gz", "rt") as lines:
        row = next(row for row in map(json.loads, lines) if "unblinkingly" in row["name"])
    deck = [{"suitIndex": suit, "rank": rank} for suit, rank in row["deck"]]
    clue = [{"type": 3, "target": 1, "value": row["deck"][4][1]}]  # seat 1 holds the cards 4 to 7
    names = [f"p{seat}" for seat in range(row["players"])]
    (tmp_path / "hard.json").write_text(json.dumps({"deck": row["deck"], "players": row["players"]}))
    (tmp_path / "played.json").write_text(json.dumps({"players": names, "deck": deck, "actions": clue}))
    (tmp_path / "early.yaml").write_text(EARLY)
    (tmp_path / "slow.py").write_text(STRATEGY)
    subprocess.run([sys.executable, "-m", "hanasolve", "conventions", "new", "mine"], cwd=tmp_path, check=True)
    plain = (tmp_path / "mine.py").read_text()
    (tmp_path / "python_loop.py").write_text(plain.replace("def decide(", "while True:\n    pass\n\n\ndef decide(", 1))
    loop = "    turns = 0\n    while view['players'] > 0:\n        turns += 1\n    me = view"
    (tmp_path / "compiled_loop.py").write_text(plain.replace("    me = view", loop, 1))
    return tmp_path


def started(folder: Path, *args: str, **more: str) -> tuple[subprocess.CompletedProcess[str], float]:
    """The command in a process of its own, and its seconds."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "hanasolve", *args], cwd=folder, capture_output=True, text=True, timeout=300,
        check=False, stdin=subprocess.DEVNULL, env=dict(os.environ) | more,
    )  # fmt: skip
    return done, time.monotonic() - began


def seconds_of(text: str) -> float:
    return float(text.removesuffix("ms")) / 1000 if text.endswith("ms") else float(text.removesuffix("s"))


def check_names(text: str, limit: str) -> None:
    """The limit that was given is named, and no other one."""
    assert f"the limit of {limit}" in text
    assert set(re.findall(r"limit of ([\d.,]+ ?[a-z]+)", text)) == {limit}, text


@pytest.mark.slow
@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: "-".join(Path(word).stem for word in case[1:])[:60])
def test_the_limit_is_kept(case: tuple[str, ...], folder: Path) -> None:
    limit, *args = case
    _, start = started(folder, "deal", "p2v0s1")  # what the interpreter takes on this machine at this moment
    done, seconds = started(folder, *args, "--limit", limit)
    assert done.returncode == 3, done.stderr
    assert seconds <= 1.1 * seconds_of(limit) + 1 + 3 * start, f"{seconds:.2f} s, the interpreter {start:.2f} s"
    check_names(done.stdout + done.stderr, limit)
    assert done.stderr.count("error:") <= 1 and "fault" not in done.stderr


@pytest.mark.slow
def test_the_limit_is_kept_while_kernels_are_compiled(folder: Path) -> None:
    _, start = started(folder, "deal", "p2v0s1")
    for args in ((*AT, "4", "--convention", "hgroup3"), ("review", GAME, "--convention", "hgroup3")):
        done, seconds = started(folder, *args, "--limit", "2s", HANASOLVE_CACHE=str(folder / "empty"))
        assert done.returncode == 3 and done.stdout == "" and seconds <= 2.2 + 1 + 3 * start
        words = "error: the limit of 2s ended the compilation of kernels, which is done once for this version: "
        assert done.stderr.splitlines()[-1] == words + "give more time"


@pytest.mark.parametrize("args", COUNTED, ids=lambda args: "-".join(Path(word).stem for word in args)[:60])
def test_a_limit_in_nodes_is_kept(
    args: tuple[str, ...], folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    told = run(*args, "--limit", "1000nodes")
    assert told.code == 3, told.err
    check_names(told.out + told.err, "1000nodes")


def test_a_review_keeps_text_record_and_page(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some turns are estimated, the limit ends the others: players without any have no grades."""
    page, plain = tmp_path / "page.html", Estimator._turn

    def late(self: Estimator, table: Any, action: Any, limit: Limit) -> Any:
        return plain(self, table, action, limit if int(table.game["turn"]) < 2 else Limit(0))

    monkeypatch.setattr(Estimator, "_turn", late)
    asked = ("review", GAME, "--convention", "smart", "--open-states", "0", "--rollouts", "20", "--html", str(page))
    told = run(*asked, "--limit", "9m", "--json")
    found = json.loads(told.out)
    assert told.code == 3 and not found["complete"] and len(found["turns"]) == 53
    assert found["stopped"] == "the limit of 9m ended the estimates at turn 3"
    assert [turn["estimate"] is not None for turn in found["turns"]] == [True] * 2 + [False] * 51
    assert [player["grades"] is not None for player in found["players"]] == [True] * 2 + [False] * 3
    assert "the limit of 9m" in page.read_text()
    text = run(*asked, "--limit", "9m")
    assert text.code == 3 and "lost at turn 36" in text.out and f"page: {page}" in text.err


def test_these_are_all_commands_with_a_limit(run: Run) -> None:
    names = [(name,) for name in COMMANDS if name != "koikoi"]
    names += [("koikoi", name) for name in ("score", "max", "analyze", "compare")]
    limited = {name for name in names if "--limit" in run(*name, "--help").out}
    for cases in ([case[1:] for case in HOSTILE], COUNTED):
        assert {case[: 2 if case[0] == "koikoi" else 1] for case in cases} == limited


def test_a_record_of_koikoi_says_what_ended_it(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for args in (("analyze", "early.yaml"), ("compare", "progress+t7h5", "random+stop")):
        told = run("koikoi", *args, "--json", "--limit", "1000nodes")
        assert told.code == 3 and json.loads(told.out)["stopped"] == "the limit of 1000nodes"
