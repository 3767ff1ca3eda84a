"""What all reports share: sizes and seeds of their games, and the one way to write how a page was made."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from hanasolve import __version__
from hanasolve.batch.run import cores

PLAYERS = (2, 3, 4, 5)
PACKAGES = ("numpy", "numba")

Size = Annotated[int, typer.Option(min=2, help="How many; two are the fewest that have a standard error.")]
Jobs = Annotated[int | None, typer.Option(min=1, help="Processes; one for each core if not given.")]
Folder = Annotated[Path | None, typer.Option(exists=True, file_okay=False)]


def deck_seeds(players: int, count: int, first: int = 1) -> list[str]:
    """hanab.live's No Variant seeds ``p{players}v0s{first}`` and the following."""
    return [f"p{players}v0s{number}" for number in range(first, first + count)]


def how_made(arguments: str, seeds: str, packages: tuple[str, ...] = PACKAGES, seconds: float = 0.0) -> list[str]:
    """The section "How it was made", as lines of Markdown. It has no date: the same results are the same bytes.

    ``arguments``: what follows ``python -m hanasolve.reports``. ``seeds``: which games, in words. ``seconds``: CPU
    time of all of them, 0 = not measured.
    """
    versions = [f"hanasolve {__version__}", f"Python {platform.python_version()}"]
    versions += [f"{package} {version(package)}" for package in packages]
    spent = [f"CPU time {seconds:,.0f} s."] if seconds else []
    return [
        "## How it was made",
        "",
        "```",
        f"python -m hanasolve.reports {arguments}",
        "```",
        "",
        " ".join([f"Seeds: {seeds}.", *spent, f"{', '.join(versions)}; {machine()}."]),
    ]


def machine() -> str:
    """The processor, how many of its cores may be used, and the system."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    for line in info.read_text(encoding="utf-8").splitlines() if info.exists() else []:
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    return f"{model}, {cores()} cores, {platform.machine()}, {platform.system()}"


def write_page(path: Path, lines: list[str]) -> None:
    """Write a page, and its folder if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
