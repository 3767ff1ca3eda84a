"""The best achievable score of known decks: shares, times, and the decks that fall short, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hanasolve import stats
from hanasolve.batch.decks import Question, decks_grid
from hanasolve.batch.grid import Row
from hanasolve.batch.run import run_batch
from hanasolve.reports.how_made import PACKAGES, PLAYERS, Jobs, Size, deck_seeds, how_made, write_page

_SHOWN = 12


def gather(decks: int, jobs: int | None) -> list[Any]:
    """A pandas table of the solved decks for each number of players, with the columns of ``hanasolve max --out``."""
    import pandas as pd

    tables = []
    for players in PLAYERS:
        rows: list[Row] = []
        grid = decks_grid(deck_seeds(players, decks), Question())
        if grid.warm:  # no deck's time holds that of compiling
            grid.warm(*grid.args)
        run_batch(grid, jobs=jobs, on_rows=rows.extend, progress=f"{players} players")
        tables.append(pd.DataFrame(rows))
    return tables


def write(folder: Path, tables: Sequence[Any], made: list[str]) -> None:
    """Write README.md, lost.csv (every deck below the maximum) and times.svg; the same rows give the same bytes."""
    from hanasolve.report.figures import time_figure

    write_page(folder / "README.md", [*text(tables), *made])
    labels = {f"{int(rows['players'].iloc[0])} players": rows["seconds"].to_numpy() for rows in tables}
    (folder / "times.svg").write_text(time_figure(labels), encoding="utf-8")
    _lost(tables).to_csv(folder / "lost.csv", index=False)


def make(folder: Path = Path("reports/max-score"), decks: Size = 10_000, jobs: Jobs = None) -> None:
    """Solve the first decks of each number of players; write README.md and two files."""
    tables = gather(decks, jobs)
    seeds = f"`p{{players}}v0s1` to `p{{players}}v0s{decks}`"
    seconds = sum(float(rows["seconds"].sum()) for rows in tables)
    made = how_made(f"max-score --decks {decks}", seeds, (*PACKAGES, "ortools"), seconds)
    write(folder, tables, made)


def _lost(tables: Sequence[Any]) -> Any:
    import pandas as pd

    columns = ["source", "players", "score", "upper_bound", "method", "reason"]
    return pd.concat([rows.loc[rows["score"] < rows["max_possible"], columns] for rows in tables])


def text(tables: Sequence[Any]) -> list[str]:
    """The page without how it was made."""
    return [
        "# The best achievable score of a known deck",
        "",
        f"No Variant, seeds s1 to s{len(tables[0])} of hanab.live for each player count, every card in view: an upper "
        "bound for what",
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
    ]


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
