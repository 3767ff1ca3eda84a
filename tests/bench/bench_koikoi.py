"""Speed of Koi-Koi against the targets of issue 6 and of rules-koikoi.md, section 6.2. Nothing is asserted.

Run ``python tests/bench/bench_koikoi.py`` from the project's folder, with ``--quick`` for a tenth of the
work. CPU seconds of this process, after a first call that compiles or loads the kernels.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from hanasolve.koikoi.game import rules
from hanasolve.koikoi.game.deck import seeded_deck
from hanasolve.koikoi.notation.position import Position, parse_position
from hanasolve.koikoi.play.matches import run
from hanasolve.koikoi.ranking.hidden import rank
from hanasolve.koikoi.search.coop import SLOTS_COOP, coop_values
from hanasolve.koikoi.search.kernel import new_space
from hanasolve.koikoi.search.solve import SLOTS, nodes, value_a
from tests.koikoi.koikoi_data import known_game, load
from tests.koikoi.test_notation import HIDDEN


def seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def show(name: str, value: str, target: str) -> None:
    print(f"{name:<44} {value:<42} target {target}", flush=True)


def known_deals(record: Any, count: int) -> None:
    space = new_space(SLOTS)
    deals = [known_game(deal) for deal in load("known_deal_values")["deals"]]
    value_a(deals[0], record, space)
    before = nodes(space)
    times = [1000 * seconds(lambda game=game: value_a(game, record, space)) for game in deals]
    found = f"mean {statistics.mean(times):.1f} median {statistics.median(times):.1f} max {max(times):.1f} ms"
    show("60 recorded deals, value with proof", found, "mean < 10 ms, max < 150 ms")
    show("nodes of these", f"mean {(nodes(space) - before) / 60:.0f}", "about 31 000")
    games = [rules.deal_record(seeded_deck(seed), 0, record) for seed in range(count)]
    for game in games:
        game["phase"] = rules.PLAY
    total = seconds(lambda: [value_a(game, record, space) for game in games])
    show(f"{count} deals of seeds", f"{total:.1f} s, {1000 * total / count:.1f} ms a deal", "15 s for 1000")


def cooperative(record: Any, count: int) -> None:
    space = new_space(SLOTS_COOP)
    deals = [known_game(deal) for deal in load("known_deal_values")["deals"][:count]]
    coop_values(deals[9 % count], record, space)
    times = [seconds(lambda game=game: coop_values(game, record, space)) for game in deals]
    show(f"--coop, {count} deals", f"mean {statistics.mean(times):.2f} max {max(times):.2f} s", "max < 10 s")


def hidden_at(turn: int, record: Any) -> Iterator[Position]:
    """Positions of recorded rounds in front of a turn."""
    for game in load("records")["games"]:
        for entry in game["rounds"]:
            at = known_game(entry, "AB".index(entry["dealer"]))
            for _, card, took, _, drawn_took, *called in entry["moves"]:
                if at["turn"] == turn or at["phase"] == rules.OVER or called:
                    break
                rules.play(at, card, sum(1 << c for c in took), record)
                rules.match(at, sum(1 << c for c in drawn_took), record)
            if at["turn"] == turn and at["phase"] == rules.PLAY:
                yield Position(at, record, {}, True, 8 - turn // 2 if turn % 2 == 0 else 8 - (turn - 1) // 2)


def hidden_positions(record: Any, quick: bool) -> None:
    rank(parse_position(HIDDEN), worlds=2, max_worlds=1)
    rank(parse_position(HIDDEN))
    for turn, work, target in (
        (1, {"worlds": 10 if quick else 100, "max_worlds": 1}, "100 worlds in < 10 s"),
        (14, {}, "11 880 worlds in < 1 s"),
        (13, {"max_worlds": 2_000_000}, "1 081 080 worlds in < 3 s"),
        (15, {}, "exact in < 0.1 s"),
        (16, {}, "exact in < 0.1 s"),
    ):
        positions = list(zip(hidden_at(turn, record), range(1 if turn == 1 else 3)))  # noqa: B905
        rank(positions[0][0], worlds=2, max_worlds=1)
        times = [seconds(lambda p=position, w=work: rank(p, **w)) for position, _ in positions]
        found = f"median {statistics.median(times):.3f} max {max(times):.3f} s of {len(times)}"
        show(f"analyze turn {turn}, {work or 'defaults'}", found, target)


def matches(quick: bool) -> None:
    for a, b, pairs, target in (
        ("random+stop", "random+stop", 10_000, "10 000 a second"),
        ("greedy+stop", "greedy+stop", 10_000, "10 000 a second"),
        ("progress+stop", "progress+stop", 10_000, "10 000 a second"),
        ("progress+t7h5", "progress+t7h5", 10_000, "10 000 a second"),
        ("progress+pimc10", "progress+t7h5", 200, "100 a second"),
        ("flat30+stop", "progress+stop", 50, "-"),
        ("pimc10+stop", "progress+stop", 2, "0.4 a second"),
    ):
        run(a, b, 1)
        pairs = max(1, pairs // 10) if quick else pairs
        taken = seconds(lambda a=a, b=b, pairs=pairs: run(a, b, pairs))
        show(f"{a} : {b}", f"{2 * pairs / taken:.1f} matches a second", target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    record = rules.make_rules()
    known_deals(record, 100 if quick else 1000)
    hidden_positions(record, quick)
    matches(quick)
    cooperative(record, 3 if quick else 60)


if __name__ == "__main__":
    main()
