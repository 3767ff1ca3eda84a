"""The house: no long files, no long functions, docstrings where people ask, and a page that names what there is."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from statistics import median

import pytest

import hanasolve

ROOT = Path(hanasolve.__file__).parent
REPOSITORY = Path(__file__).parents[1]
PAGE = (REPOSITORY / "docs/architecture.md").read_text(encoding="utf-8")
FILES = sorted(ROOT.rglob("*.py"))
LONGEST_FILE, LONGEST_FUNCTION, MEDIAN_FUNCTION = 400, 60, 10  # lines

Function = ast.FunctionDef | ast.AsyncFunctionDef


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def functions(path: Path) -> list[tuple[str, int]]:
    """(name, lines with docstring and without decorators) of every function and method."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [(node.name, node.end_lineno - node.lineno + 1) for node in nodes if isinstance(node, Function)]  # type: ignore[operator]


def test_no_file_is_long() -> None:
    assert {str(path): lines_of(path) for path in FILES if lines_of(path) > LONGEST_FILE} == {}


def test_no_function_is_long_and_most_are_short() -> None:
    sizes = {(str(path), *found) for path in FILES for found in functions(path)}
    assert [found for found in sizes if found[2] > LONGEST_FUNCTION] == []
    assert median(size for *_, size in sizes) < MEDIAN_FUNCTION


def without_docstring(path: Path) -> list[str]:
    """The public functions and classes of a file that say nothing of themselves, and the file itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = [] if ast.get_docstring(tree) or not tree.body else ["the file"]
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_") and not ast.get_docstring(node):
            silent.append(node.name)
    return silent


@pytest.mark.parametrize("path", [*(ROOT / "answers").rglob("*.py"), ROOT / "api.py"], ids=str)
def test_what_answers_says_what_it_answers(path: Path) -> None:
    assert without_docstring(path) == []


def named_paths() -> list[str]:
    """The files and folders that the page on the architecture names, also those with NAME."""
    found = re.findall(r"(?<![\w/.])[\w*-]+(?:/[\w*.-]+)*(?:/|\.(?:py|tsv|json|md))(?![\w/])", PAGE)
    return sorted(set(found))


@pytest.mark.parametrize("name", named_paths())
def test_the_page_names_what_there_is(name: str) -> None:
    """From the repository, from hanasolve or from the room of the game; NAME stands for at least one file."""
    pattern = name.rstrip("/").replace("NAME", "*")
    roots = (REPOSITORY, ROOT, ROOT / "hanabi")
    found = [path for root in roots for path in root.glob(pattern)]
    assert found or ("/" not in name.rstrip("/") and list(ROOT.rglob(pattern))), name
