"""CPU time of whole commands, cold (empty cache) and warm: ``python tests/bench/bench_commands.py [RUNS]``.

Each command runs RUNS times (default 3) as a process of its own; the median of user and system time and the most
memory are printed. Cold runs have an empty cache folder each. The last row is the first 100 seeds of two players,
each as its own command. Nothing else should run beside it.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
POSITION = "scenarios/deduce-w10-midgame.yaml"
GAME = "scenarios/game-smart-p3v0s2.json"
COMMANDS: list[tuple[list[str], float | None]] = [  # with the CPU seconds asked, None: nothing asked
    (["max", "p2v0s1"], 0.5),
    (["max", "p2v0s220"], None),
    (["max", "p2v0s406"], None),
    (["deduce", POSITION], 0.45),
    (["deduce", GAME, "--turn", "30"], 0.45),
    (["deduce", GAME, "--turn", "30", "--convention", "hgroup3"], 0.6),
    (["koikoi", "score", "1b 3b 8b"], 0.3),
    (["koikoi", "max", "--seed", "7"], None),
    (["analyze", "scenarios/puzzle-e52-bottom-pair.yaml"], 0.7),
    (["analyze", "scenarios/puzzle-p05-final-useful-draw.yaml"], 0.7),
    (["analyze", "scenarios/max-e55-discard-first.yaml"], 0.7),
    (["analyze", "scenarios/hidden-p17-one-sixth.yaml"], None),
    (["review", GAME, "--open-states", "0"], None),
    (["compare", "simple", "value", "--games", "1000"], None),
    (["deal", "p3v0s17"], None),
    (["variants", "Rainbow (6 Suits)"], None),
]


def run(command: list[str], cache: Path) -> tuple[float, float, int]:
    """(CPU seconds, wall seconds, most memory in KiB) of one command."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "hanasolve", *command],
        cwd=ROOT, env={**os.environ, "HANASOLVE_CACHE": str(cache)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _, status, used = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, command
    return used.ru_utime + used.ru_stime, time.perf_counter() - began, used.ru_maxrss


def measured(command: list[str], runs: int, warm: Path) -> list[float]:
    """Medians of the CPU time cold and warm, and the most memory in MB."""
    cold, hot = [], []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as empty:
            cold.append(run(command, Path(empty)))
    for number in range(runs + 1):
        found = run(command, warm)
        hot += [found] if number else []
    return [
        statistics.median(one[0] for one in cold),
        statistics.median(one[0] for one in hot),
        max(one[2] for one in cold + hot) / 1024,
    ]


def main(runs: int) -> None:
    print("| command | cold, CPU s | warm, CPU s | asked | most memory, MB |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for command, asked in COMMANDS:
            cold, hot, memory = measured(command, runs, Path(folder))
            goal = "" if asked is None else str(asked)
            print(f"| `{' '.join(command)}` | {cold:.2f} | {hot:.2f} | {goal} | {memory:.0f} |", flush=True)
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, 101):
            times.append(run(["max", f"p2v0s{seed}"], Path(folder))[0])
    under = sum(one < 1 for one in times)
    print(f"\n`max p2v0s1` to `s100`, each as its own command, cache empty at first: {under} of 100 under 1 s of CPU;")
    print(f"median {statistics.median(times):.2f} s, longest {max(times):.2f} s.")
    print(f"Load {os.getloadavg()[0]:.1f}; Python {sys.version.split()[0]}; {resource.getpagesize()} bytes a page.")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
