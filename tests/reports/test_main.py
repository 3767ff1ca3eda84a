"""``python -m hanasolve.reports``: the list, wrong usage in one sentence, and pages that say how they were made."""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hanasolve.reports.__main__ import REPORTS, main
from hanasolve.reports.how_made import deck_seeds, how_made

ROOT = Path(__file__).parents[2]
PAGES = [page for page in (ROOT / "reports").rglob("*.md") if page.name != "bench.md"]


def test_without_a_name_it_lists_them() -> None:
    ran = subprocess.run([sys.executable, "-m", "hanasolve.reports"], capture_output=True, text=True, check=True)
    lines = ran.stdout.splitlines()[1:]
    assert [line.split()[0] for line in lines] == list(REPORTS) and not ran.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["h-grup"], "no report 'h-grup', expected one of conventions, "),
        (["conventions", "--games", "1"], "Invalid value for '--games'"),
        (["conventions", "--gmaes", "1"], "No such option"),
        (["search", "simple"], "found the run 'simple', expected NAME:PLAYERS:GAMES"),
        (["h-group", "--real", "nowhere"], "Invalid value for '--real'"),
        (["max-score", "--jobs", "0"], "Invalid value for '--jobs'"),
    ],
)
def test_wrong_usage_is_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert err.startswith(f"error: {sentence}") and err.count("\n") == 1 and not out


@pytest.mark.parametrize("name", REPORTS)
def test_help_says_what_is_made(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert "--folder" in capsys.readouterr().out


def test_how_it_was_made() -> None:
    lines = how_made("x --games 3", "s1 to s3", seconds=12.4)
    assert lines == how_made("x --games 3", "s1 to s3", seconds=12.4)
    assert lines[0] == "## How it was made" and "python -m hanasolve.reports x --games 3" in lines
    pattern = r"Seeds: s1 to s3\. CPU time 12 s\. hanasolve [\d.]+, Python 3[\d.]+, numpy [\d.]+, numba .*cores, .*\."
    assert re.fullmatch(pattern, lines[-1])
    assert "CPU time" not in how_made("x", "s1")[-1]


def test_seeds() -> None:
    assert deck_seeds(3, 2) == ["p3v0s1", "p3v0s2"]
    assert deck_seeds(5, 1, first=40) == ["p5v0s40"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_page_says_how_it_was_made(page: Path) -> None:
    """Its command is one that there is, with options that the report has."""
    made = page.read_text(encoding="utf-8").partition("## How it was made\n")[2]
    found = re.search(r"^python -m hanasolve\.reports ([\w-]+)(.*)$", made, re.MULTILINE)
    assert found and found[1] in REPORTS
    make = importlib.import_module(f"hanasolve.reports.{found[1].replace('-', '_')}").make
    options = re.findall(r"--(\w+)", found[2])
    assert set(options) <= set(inspect.signature(make).parameters)
    assert re.search(r"^Seeds: .* hanasolve [\d.]+, Python [\d.]+, numpy [\d.]+, numba [\d.]+.*\.$", made, re.MULTILINE)
