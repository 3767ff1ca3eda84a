"""The commands: fields of --json, text, exit codes, errors in one sentence."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.koikoi.test_notation import DECIDE, HIDDEN, KNOWN

Run = Callable[..., Any]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in (("hidden", HIDDEN), ("decide", DECIDE), ("known", KNOWN)):
        (tmp_path / f"{name}.yaml").write_text(text)
    return tmp_path


def answer(run: Run, *args: str) -> dict[str, Any]:
    result = run("koikoi", *args, "--json")
    assert (result.code, result.err) == (0, ""), result.err
    return dict(json.loads(result.out))


# rules-koikoi.md, section 4: captured, points, round score, after the opponent's call
WORKED = [
    ("3b 9a", 5, 5, 10), ("3b 8b 9a", 10, 20, 40), ("1b 3b 11b", 0, 0, 0), ("1b 3b 12b", 5, 5, 10),
    ("1b 3b 8b 11b", 7, 14, 28), ("1b 3b 8b 12b", 8, 16, 32), ("1b 3b 8b 11b 12b 9a", 20, 40, 80),
    ("6a 7a 10a 9a", 6, 6, 12), ("6a 7a 10a 2a 4a", 7, 14, 28), ("5a 7a 8a 9a 10a", 1, 1, 2),
    ("1r 2r 3r 6r 9r", 7, 14, 28), ("1r 2r 3r 6r 9r 10r 11r", 11, 22, 44), ("4r 5r 7r 11r 1r", 1, 1, 2),
]  # fmt: skip


@pytest.mark.parametrize(("captured", "points", "score", "doubled"), WORKED)
def test_worked_scores(run: Run, captured: str, points: int, score: int, doubled: int) -> None:
    plain, after = answer(run, "score", captured), answer(run, "score", captured, "--opponent-called")
    assert (plain["points"], plain["round_score"], after["round_score"]) == (points, score, doubled)
    assert plain["schema"] == "koikoi-score/1"
    assert sum(entry["points"] for entry in plain["yaku"]) == points
    assert plain["doubled_at_seven"] == (points >= 7)
    assert after["doubled_after_call"] == (points > 0)


def test_score_of_several_lists(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("3b 9a\n\n1b, 3b, 12b  # dry\n"))
    found = answer(run, "score", "-")["results"]
    assert [entry["yaku"][0]["name"] for entry in found] == ["hanami", "sanko"]


def test_lucky_hands(run: Run) -> None:
    assert answer(run, "score", "--hand", "1b 1r 1p 1p 2a 3b 4a 5a")["lucky"] == "teshi"
    assert answer(run, "score", "--hand", "1b 1r 2a 2r 3b 3r 4a 4r")["lucky"] == "kuttsuki"
    assert answer(run, "score", "--hand", "1b 2a 3b 4a 5a 6a 7a 8b")["lucky"] is None


def test_max(run: Run, files: Path) -> None:
    found = answer(run, "max", str(files / "known.yaml"))
    assert found["schema"] == "koikoi-max/1" and found["value"] == {"A": 14, "B": -14}
    assert found["line"][-1]["text"] == "A: 11b x 11r, 9p1 x 9a, stop"
    assert [entry["name"] for entry in found["yaku"]] == ["hanami", "tan"] and found["round_score"] == 14
    assert max(move["value"]["A"] for move in found["moves"]) == 14
    text = run("koikoi", "max", str(files / "known.yaml")).out
    assert "value A +14" in text and "open-card value" in text and "curtain" in text


def test_max_of_many_deals(run: Run, tmp_path: Path) -> None:
    found = answer(run, "max", "--seed", "1..3", "--values")["results"]
    assert [entry["source"] for entry in found] == ["seed 1", "seed 2", "seed 3"]
    from hanasolve.koikoi.game.cards import codes
    from hanasolve.koikoi.game.deck import seeded_deck

    decks = tmp_path / "decks.txt"
    decks.write_text("".join(" ".join(codes(seeded_deck(seed))) + "\n" for seed in (1, 2, 3)))
    again = answer(run, "max", "--deck", str(decks), "--values")["results"]
    assert [entry["value"] for entry in again] == [entry["value"] for entry in found]


def test_limit_gives_exit_code_3(run: Run) -> None:
    result = run("koikoi", "max", "--seed", "3", "--limit", "10nodes")
    assert result.code == 3 and "10nodes" in result.err and result.out == ""


def test_analyze(run: Run, files: Path) -> None:
    found = answer(run, "analyze", str(files / "hidden.yaml"))
    assert (found["schema"], found["method"], found["worlds"]) == (
        "koikoi-analyze/1",
        "average-pi-all",
        11880,
    )
    means = {entry["option"]: round(entry["mean"], 6) for entry in found["options"]}
    assert means == {"5a x 5r": 2.166667, "4p1": -5.985522}  # rules-koikoi.md, section 3.3
    assert found["opponent"]["probability"] == "1/12"
    assert "open cards" in run("koikoi", "analyze", str(files / "hidden.yaml")).out


def test_analyze_decision_with_match(run: Run, files: Path) -> None:
    found = answer(run, "analyze", str(files / "decide.yaml"), "--match", "30:28", "--round", "12")
    assert found["best"] == "koikoi"
    sums = {entry["option"]: (entry["sum"], entry["mean"]) for entry in found["options"]}
    assert sums["koikoi"] == (4088, 4088 / 990) and sums["stop"][1] == 1  # section 3.3
    stop = next(entry for entry in found["options"] if entry["option"] == "stop")
    assert stop["match"] == {"win": 0.0, "draw": 0.0, "lose": 1.0}  # B is two behind and gets one


def test_compare(run: Run) -> None:
    args = ("progress+stop", "greedy+stop", "random+stop", "--pairs", "20", "--seed", "3")
    found = answer(run, "compare", *args)
    assert found["schema"] == "koikoi-compare/1" and len(found["results"]) == 3
    assert found["results"][0]["matches"] == 40
    text = run("koikoi", "compare", *args).out
    assert "simulation" in text and "p (Holm)" in text


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("score", "1b 1b"), "already"),
        (("score", "--hand", "1b"), "found 1 cards, expected the 8"),
        (("score", "1b", "-o", "cup=bath"), "option cup: expected both or animal"),
        (("max",), "nothing to solve"),
        (("max", "--seed", "x"), "expected a number like 17"),
        (("max", "--deck", "1b 2a"), "found 2 cards, expected all 48"),
        (("max", "nowhere.yaml"), "nowhere.yaml: cannot be read"),
        (("compare", "progress+stop"), "expected two or more"),
        (("compare", "progress+stop", "x+stop"), 'card part "x" is unknown'),
        (("analyze", "nowhere.yaml"), "cannot be read"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(run: Run, args: tuple[str, ...], words: str) -> None:
    result = run("koikoi", *args)
    assert result.code == 2 and words in result.err
    assert result.err.startswith("error: ") and result.err.count("\n") == 1 and result.out == ""


def test_max_wants_a_known_deal(run: Run, files: Path) -> None:
    result = run("koikoi", "max", str(files / "hidden.yaml"))
    assert result.code == 2 and "max needs a known deal" in result.err


def test_command_file_imports_nothing_heavy() -> None:
    code = (
        "import sys, hanasolve.cli.koikoi; print({'numpy', 'numba', 'pydantic', 'scipy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


LATE = """
from hanasolve.koikoi.notation.position import parse_position
from hanasolve.koikoi.ranking.hidden import rank
from tests.koikoi.test_notation import DECIDE
found = rank(parse_position(DECIDE), worlds=20, max_worlds=1, seed=1)
print([(option.choice.text, option.mean) for option in found.options])
"""


def test_kernels_give_the_same_without_numba() -> None:
    """Two fresh processes: with the kernels of the cache, and with numba switched off."""
    import os

    answers = []
    for disabled in ("0", "1"):
        env = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        done = subprocess.run([sys.executable, "-c", LATE], capture_output=True, text=True, env=env)
        assert done.returncode == 0, done.stderr
        assert "Warning" not in done.stderr
        answers.append(done.stdout)
    assert answers[0] == answers[1] != ""
