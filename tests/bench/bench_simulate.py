"""Games per CPU second of every convention and player count, beside other programs measured on such a
machine.

Run it by hand: ``python -m tests.bench.bench_simulate [NAME ...]``. One core; each figure is the best of
many short batches, so that what else the machine does counts little; compile time is left out. The last line
is a user's convention without the JIT.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from hanasolve.hanabi.conventions.find import convention_names, find_convention
from hanasolve.hanabi.play.simulator import Simulator, seed_numbers

PEERS = {
    "info": ("Rust simulator", (377, 296, 240, 184)),
    "smart": ("C++", (4310, 3207, 2815, 2511)),
    "holmes": ("C++", (13093, 7749, 6130, 4924)),
    "simple": ("C++", (118699, 80896, 68964, 61815)),
    "cheat": ("C++", (152000, 193000, 188000, 193000)),
}
BATCHES, SECONDS = 16, 0.12


def games_per_second(name: str, players: int, *, jit: bool = True) -> float:
    """The best of ``BATCHES`` batches of about ``SECONDS`` each."""
    table = Simulator(name, players, jit=jit)
    numbers = seed_numbers([f"p{players}v0s{i}" for i in range(1, 50_001)])
    count, best = 20 if jit else 2, 0.0
    table.play(numbers[:count])
    for _ in range(BATCHES):
        began = time.process_time()
        table.play(numbers[:count])
        spent = max(time.process_time() - began, 1e-4)
        best = max(best, count / spent)
        count = int(np.clip(best * SECONDS, 1, len(numbers)))
    return best


def main(names: list[str]) -> None:
    """Print the table."""
    print(
        f"{'convention':20s}" + "".join(f"{p}p".rjust(12) for p in (2, 3, 4, 5)) + "   peer (times as fast)"
    )
    for name in names or convention_names():
        players = [p for p in (2, 3, 4, 5) if p in find_convention(name).players]
        speeds = {p: games_per_second(name, p) for p in players}
        line = f"{name:20s}" + "".join(
            f"{speeds[p]:12,.0f}" if p in speeds else " " * 12 for p in (2, 3, 4, 5)
        )
        if name in PEERS:
            peer, figures = PEERS[name]
            ratios = " ".join(
                f"{speeds[p] / figure:.1f}" for p, figure in zip((2, 3, 4, 5), figures, strict=True)
            )
            line += f"   {peer} {figures}: {ratios}"
        print(line, flush=True)
    plain = " ".join(f"{games_per_second('simple', p, jit=False):.0f}" for p in (2, 3, 4, 5))
    print(f"simple without the JIT: {plain}")


if __name__ == "__main__":
    main(sys.argv[1:])
