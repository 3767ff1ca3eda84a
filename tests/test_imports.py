"""Imports run one way, in the order of ``docs/architecture.md``; no files form a circle; the games stay apart."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import hanasolve

ROOT = Path(hanasolve.__file__).parent
PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
GAMES = ("hanabi", "koikoi")


def rooms() -> dict[str, int]:
    """Room -> its row in the page's table of imports."""
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {room: int(row) for row, cells in rows for room in re.findall(r"`([\w.]+)`", cells)}


def modules() -> dict[str, Path]:
    """Name (without ``hanasolve.``) -> file of every module."""
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


ROOMS, MODULES = rooms(), modules()


def row(module: str) -> int:
    """The row of a module's room; hanasolve itself and the empty packages of the games come first, the command last."""
    if module in ("", *GAMES):
        return 0
    if module == "__main__":
        return max(ROOMS.values())
    names = [room for room in ROOMS if module == room or module.startswith(f"{room}.")]
    assert len(names) == 1, f"{module} belongs to {names or 'no room'} of {PAGE.name}"
    return ROOMS[names[0]]


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """(line, module) of every import of our own modules, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: line {node.lineno}: imports are written in full"
            assert all(alias.name != "*" for alias in node.names), f"{path}: line {node.lineno}: star import"
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "hanasolve":
            base = (node.module or "").partition("hanasolve")[2].lstrip(".")
            for alias in node.names:
                whole = f"{base}.{alias.name}".lstrip(".")
                yield node.lineno, whole if whole in MODULES else base
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "hanasolve":
                    yield node.lineno, alias.name.partition("hanasolve")[2].lstrip(".")


@pytest.mark.parametrize("module", sorted(MODULES))
def test_imports_run_one_way(module: str) -> None:
    for line, target in imports(MODULES[module]):
        place = f"{MODULES[module]}: line {line}: {module or 'hanasolve'} imports {target}"
        assert target in MODULES, f"{place}, which does not exist"
        assert row(target) <= row(module), f"{place}, which lies above it"
        for one, other in (GAMES, GAMES[::-1]):
            apart = module.split(".")[0] == one and target.split(".")[0] == other
            assert not apart, f"{place}: the two games share only what knows neither"


def circles(arrows: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that import each other in a circle (Tarjan's strongly connected components)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        number[module] = low[module] = len(number)
        stack.append(module)
        for target in sorted(arrows[module]):
            if target not in number:
                visit(target)
                low[module] = min(low[module], low[target])
            elif target in stack:
                low[module] = min(low[module], number[target])
        if low[module] == number[module]:
            group = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            if len(group) > 1:
                found.append(sorted(group))

    for module in sorted(arrows):
        if module not in number:
            visit(module)
    return found


def test_circles_are_found() -> None:
    arrows = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"a", "f"}, "f": {"g"}, "g": {"e"}}
    assert circles(arrows) == [["b", "c"], ["e", "f", "g"]]


def test_no_files_form_a_circle() -> None:
    arrows = {module: {target for _, target in imports(path)} - {module} for module, path in MODULES.items()}
    assert circles(arrows) == []


def test_the_page_names_no_room_that_is_not_there() -> None:
    assert [room for room in ROOMS if not any(m == room or m.startswith(f"{room}.") for m in MODULES)] == []


def test_no_file_is_called_utils() -> None:
    assert not [path for path in MODULES.values() if path.stem in ("utils", "helpers", "misc")]


@pytest.mark.parametrize("package", ["numpy", "numba", "pandas", "ortools", "matplotlib", "scipy"])
def test_the_command_lines_frame_stays_light(package: str) -> None:
    """Help and wrong input answer at once: what reads and refuses them imports no heavy package."""
    light = ["cli.app", "cli.common", "cli.deal", "cli.convert", "cli.variants"]
    light += [name for name in MODULES if name.startswith("hanabi.notation.") and "snapshot" not in name]
    light += [name for name in MODULES if name.startswith(("answers", "cli.text"))]
    light += ["hanabi.game.variants", "hanabi.game.options", "hanabi.game.records", "hanabi.game.deck", "errors"]
    for module in light:
        tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
        for node in tree.body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.split(".")[0] == package], module
