"""The report on maxima: `python -m hanasolve.reports.max_score FOLDER FILE...` from files of ``hanasolve max --out``.

Each FILE (Parquet or CSV) holds one player count. Written into FOLDER: ``README.md`` (shares, times, the lost
decks), ``lost.csv`` (every deck below the maximum, with its true maximum and the reason) and ``times.svg``.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import hanasolve
from hanasolve import stats
from hanasolve.errors import NotationError

_SHOWN = 12


def read_rows(path: Path) -> Any:
    """The rows of one file as a pandas table; NotationError if it is not a file of maxima."""
    import pandas as pd

    try:
        rows = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path)
    except (OSError, ValueError) as error:
        raise NotationError(f"{path}: found no readable table ({error})") from None
    if not {"source", "players", "score", "upper_bound", "max_possible", "seconds"} <= set(rows.columns):
        raise NotationError(f"{path}: found columns {list(rows.columns)}, expected a file of `hanasolve max`")
    return rows


def write_report(folder: Path, files: Sequence[Path]) -> None:
    """Write the three files; the same rows give the same bytes."""
    from hanasolve.report.figures import time_figure

    tables = sorted((read_rows(path) for path in files), key=lambda rows: int(rows["players"].iloc[0]))
    folder.mkdir(parents=True, exist_ok=True)
    labels = {f"{int(rows['players'].iloc[0])} players": rows["seconds"].to_numpy() for rows in tables}
    (folder / "times.svg").write_text(time_figure(labels), encoding="utf-8")
    _lost(tables).to_csv(folder / "lost.csv", index=False)
    (folder / "README.md").write_text(_text(tables), encoding="utf-8")


def _lost(tables: Sequence[Any]) -> Any:
    import pandas as pd

    columns = ["source", "players", "score", "upper_bound", "method", "reason"]
    return pd.concat([rows.loc[rows["score"] < rows["max_possible"], columns] for rows in tables])


def _text(tables: Sequence[Any]) -> str:
    lines = [
        "# The best achievable score of a known deck",
        "",
        "No Variant, seeds s1 to s10000 of hanab.live for each player count, every card in view: an upper bound "
        "for what",
        "players can reach. Each score is reached by a line that the rules engine replayed, and no line reaches "
        "more: proven.",
        "",
        "| players | decks | reach 25 | share | 95 % interval (Wilson) | best score 24, 23, 22, lower | undecided |",
        "|---|---|---|---|---|---|---|",
        *(_share_row(rows) for rows in tables),
        "",
        "CPU time of a deck in milliseconds, one core, whole answer (dealing, search, proof, line, replay):",
        "",
        "| players | median | mean | 99 % | longest |",
        "|---|---|---|---|---|",
        *(_time_row(rows) for rows in tables),
        "",
        "![share of decks that took longer than a time](times.svg)",
        "",
        "## Decks that cannot reach 25",
        "",
        f"The first {_SHOWN} of each player count; `lost.csv` has all, with the true maximum and the reason.",
        "",
        *(line for rows in tables for line in _lost_lines(rows)),
        "## How it was made",
        "",
        "```",
        "for n in 2 3 4 5; do hanasolve max p${n}v0s1..p${n}v0s10000 --out p$n.parquet --jobs 2; done",
        "python -m hanasolve.reports.max_score reports/max-score p2.parquet p3.parquet p4.parquet p5.parquet",
        "```",
        "",
        f"hanasolve {hanasolve.__version__}, {_versions()}.",
        "",
    ]
    return "\n".join(lines)


def _share_row(rows: Any) -> str:
    players, decks = int(rows["players"].iloc[0]), len(rows)
    proved = rows["score"] == rows["upper_bound"]
    reached = int((rows["score"] == rows["max_possible"]).sum())
    low, high = stats.wilson(reached, decks)
    counts = [int(((rows["score"] == score) & proved).sum()) for score in (24, 23, 22)]
    lower = int(((rows["score"] < 22) & proved).sum())
    scores = ", ".join(str(count) for count in [*counts, lower])
    return (
        f"| {players} | {decks:,} | {reached:,} | {100 * reached / decks:.2f} % | "
        f"{100 * low:.2f} to {100 * high:.2f} % | {scores} | {int((~proved).sum())} |"
    )


def _time_row(rows: Any) -> str:
    times = 1000 * rows["seconds"].to_numpy()
    cells = [np.median(times), times.mean(), np.quantile(times, 0.99), times.max()]
    return f"| {int(rows['players'].iloc[0])} | {' | '.join(f'{cell:,.2f}' for cell in cells)} |"


def _lost_lines(rows: Any) -> list[str]:
    lost = rows[rows["score"] < rows["max_possible"]]
    lines = [f"### {int(rows['players'].iloc[0])} players: {len(lost)}", ""]
    for row in lost.head(_SHOWN).itertuples():
        lines.append(f"- `{row.source}`: {row.score}; {row.reason}")
    return [*lines, ""]


def _versions() -> str:
    import numba
    import ortools

    return (
        f"Python {platform.python_version()}, numpy {np.__version__}, numba {numba.__version__}, "
        f"OR-tools {ortools.__version__}, {platform.machine()}, {platform.system()}"
    )


if __name__ == "__main__":
    write_report(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
