"""What a level of the H-Group convention is worth: hgroup1 to hgroup3 with 2 to 5 players on the same decks.

With a folder of hanab.live games the page also says how often their players moved as each level would have.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hanasolve import stats
from hanasolve.errors import HanasolveError
from hanasolve.hanabi.conventions.find import find_convention
from hanasolve.hanabi.game.records import Replay
from hanasolve.hanabi.notation.source import read_sources
from hanasolve.hanabi.play.simulator import play_games
from hanasolve.hanabi.ranking.review.agreement import agreement_of_games
from hanasolve.report.figures import Histogram, score_figure
from hanasolve.reports.h_group_causes import Causes, find_causes
from hanasolve.reports.how_made import PLAYERS, Folder, Size, deck_seeds, how_made, write_page
from hanasolve.streams import tell

LEVELS = ("hgroup1", "hgroup2", "hgroup3")
CAUSES_GAMES = 300


@dataclass(frozen=True)
class Cell:
    """The games of one level with one number of players."""

    level: str
    players: int
    placed: NDArray[np.int64]
    struck: NDArray[np.bool_]

    @property
    def zero(self) -> NDArray[np.int64]:
        return np.where(self.struck, 0, self.placed)


def play_cell(level: str, players: int, games: int) -> Cell:
    """Play the decks ``p{players}v0s1`` to ``p{players}v0s{games}``."""
    return cell_of(level, players, play_games(level, deck_seeds(players, games), players))


def cell_of(level: str, players: int, results: Any) -> Cell:
    """A cell from RESULT records."""
    return Cell(level, players, results["placed"].astype(np.int64), results["strikeout"].astype(np.bool_))


# ------------------------------------------------------------------------------------------------ the page


def score_lines(cells: list[Cell]) -> Iterator[str]:
    """The table of means and rates."""
    yield "| players | level | games | mean (keep) | mean (zero) | perfect % (95 %) | struck out % (95 %) | lowest |"
    yield "|---|---|---|---|---|---|---|---|"
    for cell in cells:
        keep, zero, n = stats.mean_se(cell.placed), stats.mean_se(cell.zero), len(cell.placed)
        rates = [_rate(int((cell.placed == 25).sum()), n), _rate(int(cell.struck.sum()), n)]
        yield (
            f"| {cell.players} | {cell.level[-1]} | {n:,} | {keep.mean:.3f} ± {keep.se:.3f} "
            f"| {zero.mean:.3f} ± {zero.se:.3f} | {rates[0]} | {rates[1]} | {int(cell.placed.min())} |"
        )


def _rate(count: int, n: int) -> str:
    low, high = stats.wilson(count, n)
    return f"{100 * count / n:.2f} [{100 * low:.2f}, {100 * high:.2f}]"


def level_pairs(cells: list[Cell]) -> list[tuple[Cell, Cell, str, stats.Paired, float]]:
    """(lower, upper, scoring, difference on the same decks, p adjusted over all these pairs by Holm)."""
    pairs = [
        (a, b, scoring, stats.paired(_points(a, scoring), _points(b, scoring)))
        for scoring in ("keep", "zero")
        for i, a in enumerate(cells)
        for b in cells[i + 1 :]
        if a.players == b.players
    ]
    adjusted = stats.holm([found.p for *_, found in pairs])
    return [(*pair, float(p)) for pair, p in zip(pairs, adjusted, strict=True)]


def pair_lines(cells: list[Cell]) -> Iterator[str]:
    """The table of paired differences between the levels."""
    yield "| players | difference | scoring | points ± SE | 95 % interval | p (Holm) |"
    yield "|---|---|---|---|---|---|"
    for a, b, scoring, found, p in level_pairs(cells):
        yield (
            f"| {a.players} | level {b.level[-1]} - level {a.level[-1]} | {scoring} | {found.difference:+.3f} ± "
            f"{found.se:.3f} | [{found.low:+.3f}, {found.high:+.3f}] | {p:.4f} |"
        )


def _points(cell: Cell, scoring: str) -> NDArray[np.int64]:
    return cell.placed if scoring == "keep" else cell.zero


def cause_lines(causes: dict[tuple[str, int], Causes]) -> Iterator[str]:
    """Strikes and lost points per 100 games by cause, with a game to look at."""
    for title, name in (("Strikes", "strikes"), ("Points lost", "points")):
        total: Counter[str] = Counter()
        for found in causes.values():
            total += getattr(found, name)
        heads = [f"{level[-1]}: {players}p" for level, players in causes]
        yield from ("", f"### {title} in 100 games, by cause (level: players)", "")
        yield f"| cause | {' | '.join(heads)} | example |"
        yield f"|---|{'---|' * len(heads)}---|"
        for cause, _ in total.most_common():
            shown = [f"{100 * getattr(one, name)[cause] / one.games:.1f}" for one in causes.values()]
            seed, turn, url = next(one.examples[cause] for one in causes.values() if cause in one.examples)
            yield f"| {cause} | {' | '.join(shown)} | [{seed}, turn {turn}]({url}) |"


def agreement_lines(folder: Path) -> Iterator[str]:
    """How often real games follow each level."""
    by_players: dict[int, list[Replay]] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            items = list(read_sources([str(path)]))
        except HanasolveError:
            continue  # not a game
        for item in items:
            record = item.record
            if isinstance(record, Replay) and record.variant.name == "No Variant" and record.actions:
                players, options = record.options.players, record.options
                plain = not (options.hand_size or options.deck_plays or options.card_cycle)
                if players in PLAYERS and plain:
                    by_players.setdefault(players, []).append(record)
    yield "| players | games | moves | level 1 | level 2 | level 3 | smart |"
    yield "|---|---|---|---|---|---|---|"
    names = (*LEVELS, "smart")
    for players, replays in sorted(by_players.items()):
        found = {one.convention: one.share for one in agreement_of_games(replays, names).conventions}
        cells = [_share(found[name]) for name in names]
        yield f"| {players} | {len(replays)} | {found['smart'].turns} | {' | '.join(cells)} |"


def _share(share: Any) -> str:
    low, high = stats.wilson(share.same, share.turns)
    return f"{100 * share.same / share.turns:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def gain_lines(cells: list[Cell]) -> Iterator[str]:
    """What a level is worth, in a sentence for each number of players; adjusted p decide, as in the table."""
    pairs = [pair for pair in level_pairs(cells) if pair[2] == "keep"]
    for players in PLAYERS:
        row = [cell for cell in cells if cell.players == players]
        if len(row) == len(LEVELS):
            second, _, third = (_gain(a.level[-1], found, p) for a, _, _, found, p in pairs if a.players == players)
            perfect = ", ".join(f"{100 * float((cell.placed == 25).mean()):.1f} %" for cell in row)
            yield (
                f"- {players} players: level 1 scores {row[0].placed.mean():.2f} points. Level 2 "
                f"{second}. Level 3 {third}. "
                f"Perfect games at levels 1, 2, 3: {perfect}."
            )


def _gain(level: str, found: stats.Paired, p: float) -> str:
    """The verb of a sentence: what a level changes against a lower ``level``, p adjusted for all comparisons."""
    if p > 0.05:
        return f"cannot be told from level {level} in so many games ({found.difference:+.3f} ± {found.se:.3f})"
    word = "more" if found.difference > 0 else "less"
    return f"scores {abs(found.difference):.3f} ± {found.se:.3f} points {word} than level {level}"


def write_csv(cells: list[Cell], path: Path) -> None:
    """The histogram of each cell."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["players", "level", "placed", "games", "struck_out"])
        for cell in cells:
            for points in sorted(set(cell.placed.tolist())):
                here = cell.placed == points
                writer.writerow([cell.players, cell.level, points, int(here.sum()), int((here & cell.struck).sum())])


def _histogram(cell: Cell) -> Histogram:
    counts = np.bincount(cell.placed, minlength=26).tolist()
    struck = np.bincount(cell.placed[cell.struck], minlength=26).tolist()
    return Histogram(f"{cell.players} players, level {cell.level[-1]}", tuple(counts), tuple(struck))


def text(cells: list[Cell], causes: dict[tuple[str, int], Causes], agreement: list[str]) -> list[str]:
    """The page without how it was made."""
    return [
        "# The H-Group convention, levels 1 to 3: what a level is worth",
        "",
        "No Variant, decks `p{players}v0s1`, `p{players}v0s2` and so on, as many as the table says; all levels play "
        "the same decks. *Keep*: points stay after the third strike; *zero*: they are lost. ± is one standard error. "
        "What is implemented, and what is not: `docs/h-group.md`.",
        "",
        *gain_lines(cells),
        "",
        *score_lines(cells),
        "",
        "![share of games by score](scores.svg)",
        "",
        "## Levels on the same decks",
        "",
        *pair_lines(cells),
        "",
        *_causes_section(causes),
        *agreement,
    ]


def _causes_section(causes: dict[tuple[str, int], Causes]) -> list[str]:
    if not causes:
        return []
    followed = next(iter(causes.values())).games
    return [
        "## What goes wrong",
        "",
        f"The first {followed:,} decks of each row only, followed action by action. A lost point is a fall of the best "
        "score still possible, or a card not placed at the end. An example opens before the turn named.",
        *cause_lines(causes),
        "",
    ]


def agreement_section(folder: Path) -> list[str]:
    """The section on real games."""
    return [
        "## Real games",
        "",
        "No Variant games stored by hanab.live: share of the moves that are exactly the move the level would have "
        "made in that seat, after the game as it really went [95 % interval, moves taken as independent]. The tables "
        "did not say which conventions they play; `smart` stands beside for comparison.",
        "",
        *agreement_lines(folder),
        "",
    ]


def gather(games: int) -> tuple[list[Cell], dict[tuple[str, int], Causes]]:
    """Play all cells, and their first decks once more for the causes."""
    cells = []
    for players in PLAYERS:
        for level in LEVELS:
            cells.append(play_cell(level, players, games))
            tell(f"{level} {players}p: {cells[-1].placed.mean():.3f}")
    followed = min(games, CAUSES_GAMES)
    return cells, {(c.level, c.players): find_causes(find_convention(c.level), c.players, followed) for c in cells}


def write(folder: Path, cells: list[Cell], page: list[str]) -> None:
    """Write the page, the histograms and the figure; the same input gives the same bytes."""
    write_page(folder / "README.md", page)
    write_csv(cells, folder / "scores.csv")
    (folder / "scores.svg").write_text(score_figure([_histogram(cell) for cell in cells]), encoding="utf-8")


def make(folder: Path = Path("reports/h-group"), games: Size = 10_000, real: Folder = None) -> None:
    """Play, follow, compare; --real names a folder of hanab.live games (JSON). Writes README.md and two files."""
    cells, causes = gather(games)
    agreement = agreement_section(real) if real else []
    arguments = f"h-group --games {games}{' --real FOLDER' if real else ''}"
    made = how_made(arguments, f"`p{{players}}v0s1` to `p{{players}}v0s{games}`")
    write(folder, cells, [*text(cells, causes, agreement), *made])
