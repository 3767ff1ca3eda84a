"""CPU time of deduction, on one core: ``python tests/bench/bench_deduction.py [GAMES]``.

Positions are all turns of recorded games (GAMES of them, default 12, spread over the file), and the starts of
games alone. A view is one hand seen one way, except common and public, which are all hands at once. Times are
of the thread; the median, the 95th and 99th percentile and the largest, in milliseconds.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hanasolve.hanabi.deduction import Deduction
from hanasolve.hanabi.game.table import Table, act, deal
from hanasolve.hanabi.notation.hanab_live import parse_record

DATA = Path(__file__).parents[1] / "data" / "hanab_live" / "games.jsonl.gz"
LIMITS = {"sets": 1.0, "marginals": 5.0}  # what a view may take, in ms

Times = dict[str, list[float]]


def measured(times: Times, name: str, work: Callable[[], Any]) -> Any:
    begin = time.thread_time()
    result = work()
    times[name].append(1000 * (time.thread_time() - begin))
    return result


def measure(table: Table, times: Times) -> None:
    deduction = measured(times, "reading and checking", lambda: Deduction(table))
    seats = deduction.shown.seats
    for seat in seats:
        holder = measured(times, "holder sets", lambda seat=seat: deduction.holder(seat))
        measured(times, "holder marginals", lambda holder=holder: holder.marginals)
        viewer = (seat + 1) % len(seats)
        empathy = measured(times, "empathy sets", lambda v=viewer, seat=seat: deduction.empathy(v, seat))
        measured(times, "empathy marginals", lambda empathy=empathy: empathy.marginals)
    measured(times, "public sets, all hands", lambda: deduction.public_count)
    measured(times, "common sets, all hands", lambda: deduction.common_count)
    common = [deduction.common(seat) for seat in seats]
    measured(times, "common marginals, all hands", lambda: [view.marginals for view in common])
    measured(times, "number of assignments", lambda: deduction.count(0).assignments)


def report(title: str, times: Times) -> None:
    print(f"\n{title}\n{'':30}{'views':>7}{'median':>9}{'95 %':>9}{'99 %':>9}{'largest':>9}  in ms")
    for name, values in times.items():
        values.sort()
        last = len(values) - 1
        row = [values[round(last * part)] for part in (0.5, 0.95, 0.99, 1)]
        over = [word for word, limit in LIMITS.items() if word in name and row[0] > limit]
        print(f"{name:30}{len(values):7}" + "".join(f"{ms:9.3f}" for ms in row) + ("  OVER" if over else ""))


def main() -> None:
    games = [json.loads(line) for line in gzip.decompress(DATA.read_bytes()).splitlines()]
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    starts: Times = defaultdict(list)
    turns: Times = defaultdict(list)
    for warm in (True, False):
        if not warm:
            starts.clear()
            turns.clear()
        for game in games[:1] if warm else games[:: max(1, len(games) // wanted)]:
            replay = parse_record(game)
            table = deal(replay.variant, replay.options, replay.deck, replay.names)
            measure(table, starts)
            for action in replay.actions:
                if table.game["ended"]:
                    break
                act(table, action)
                measure(table, turns)
    report("start of the game", starts)
    report("every later turn", turns)


if __name__ == "__main__":
    main()
