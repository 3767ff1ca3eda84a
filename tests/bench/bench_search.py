"""Known decks: time in the kernel for the verdict "25 or not", one core. Run: python tests/bench/bench_search.py

Prints CPU times a deck (the KNOWN_DECK record is built beforehand, as a batch would) and the published times of
the SAT solver beside them, which were measured on another machine: the ratio is for orientation.
"""

from __future__ import annotations

import sys
import time
from statistics import mean, median

import numpy as np

from hanasolve.hanabi.game.deck import shuffles
from hanasolve.hanabi.game.options import site_options
from hanasolve.hanabi.game.table import deal
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.search import engine
from hanasolve.hanabi.search.problem import problem_from_table
from hanasolve.hanabi.search.solve import solve
from hanasolve.limits import Limit

SAT_MS = {2: 254.0, 3: 36.0, 4: 26.0, 5: 30.0}  # published means; 3 to 5 players "26 to 36 ms"
FULL = np.array([5, 5, 5, 5, 5, 0, 0], np.int8)


def verdict(table: object, known: object) -> float:
    """CPU seconds until the deck is decided: small searches in the kernel, then the whole ladder."""
    began = time.process_time()
    for width in (1, 8, 64):
        status, _, _ = engine.beam(known, FULL, width, Limit())
        if status in (engine.FOUND, engine.EXHAUSTED):
            return time.process_time() - began
    solution = solve(table, goal=25)  # type: ignore[arg-type]
    assert solution.score == 25 or solution.upper_bound < 25
    return time.process_time() - began


def main(decks: int) -> None:
    variant = load_variant(0)
    print("| players | decks | median us | mean ms | longest s | SAT mean ms (published) | ratio |")
    print("|---|---|---|---|---|---|---|")
    for players in (2, 3, 4, 5):
        options = site_options(players)
        seeds = [f"p{players}v0s{number}" for number in range(1, decks + 1)]
        tables = [deal(variant, options, tuple(deck)) for deck in shuffles(seeds, variant.deck_in_order())]
        knowns = [engine.known_deck(problem_from_table(table)) for table in tables]
        for table, known in zip(tables[:50], knowns[:50], strict=True):
            verdict(table, known)  # load or compile the kernels
            solve(table)
        times = [verdict(table, known) for table, known in zip(tables, knowns, strict=True)]
        ratio = SAT_MS[players] / (1000 * mean(times))
        print(
            f"| {players} | {decks} | {1e6 * median(times):.0f} | {1000 * mean(times):.2f} | {max(times):.1f} | "
            f"{SAT_MS[players]:.0f} | {ratio:.0f} |"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
