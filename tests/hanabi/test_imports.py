"""Imports run one way, and Hanabi and Koi-Koi never import each other (the picture is in the README)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import hanasolve

ROOT = Path(hanasolve.__file__).parent

# Each layer may import itself and those before it. A name covers what lies below it; the longest one counts.
LAYERS = [
    ["errors", "stats", "sequential", "jit", ""],
    ["hanabi", "koikoi", "hanabi.variants", "koikoi.cards"],
    [
        "hanabi.options", "hanabi.records", "hanabi.board", "hanabi.rules", "hanabi.game", "hanabi.view",
        "hanabi.position_stats", "koikoi.options", "koikoi.yaku", "koikoi.rules", "koikoi.counting",
    ],
    [
        "hanabi.deck", "hanabi.deck_kernel", "hanabi.notation", "hanabi.deduction",
        "koikoi.deck", "koikoi.notation", "koikoi.deduction",
    ],
    [
        "hanabi.search", "hanabi.conventions", "hanabi.simulate",
        "koikoi.search", "koikoi.conventions", "koikoi.ranking.worlds",
    ],
    ["hanabi.ranking", "koikoi.ranking", "batch"],
    ["report", "api"],
    ["cli", "__main__"],
]  # fmt: skip
# What puts search and conventions to work.
DRIVERS = LAYERS.index(["hanabi.ranking", "koikoi.ranking", "batch"])
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
PACKAGES = ("hanabi", "koikoi")


def modules() -> dict[str, Path]:
    """Name (without ``hanasolve.``) -> file of every module."""
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


MODULES = modules()


def level(module: str) -> int:
    """The layer of a module; what is listed nowhere works on everything up to the rankings."""
    name = module
    while name not in LEVEL:
        name = name.rpartition(".")[0]
    return DRIVERS if name in PACKAGES and module != name else LEVEL[name]


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
        assert level(target) <= level(module), f"{place}, which lies above it"
        for one, other in (PACKAGES, PACKAGES[::-1]):
            apart = module.split(".")[0] == one and target.split(".")[0] == other
            assert not apart, f"{place}: the two games share only errors, jit and stats"


def test_no_file_is_called_utils() -> None:
    assert not [path for path in MODULES.values() if path.stem in ("utils", "helpers", "misc")]


@pytest.mark.parametrize("package", ["numpy", "numba", "pandas", "ortools", "matplotlib", "scipy"])
def test_the_command_lines_frame_stays_light(package: str) -> None:
    """Help and wrong input answer at once: what reads and refuses them imports no heavy package."""
    light = ["cli.app", "cli.common", "cli.deal", "cli.convert", "cli.variants_cmd"]
    light += [name for name in MODULES if name.startswith("hanabi.notation.") and "snapshot" not in name]
    light += ["hanabi.variants", "hanabi.options", "hanabi.records", "hanabi.deck", "errors"]
    for module in light:
        tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
        for node in tree.body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.split(".")[0] == package], module
