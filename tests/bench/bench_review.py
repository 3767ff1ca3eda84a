"""Reviews of whole games on the known deck: CPU time a game. Run: python tests/bench/bench_review.py [N] [PLAYERS...]

N games a player count (default 200) and kind: random-legal, info and smart on hanab.live's seeds p2v0s1 and on. With
``recorded`` instead those games of tests/data/hanab_live/games.jsonl.gz that can be reviewed. ``known`` is hindsight
alone (the maximum at every turn, proven, and what would have kept it where it fell), ``review`` the whole of
``hanasolve review`` without options.
"""

from __future__ import annotations

import gzip
import json
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from hanasolve.batch.games import find_conventions, replay_of
from hanasolve.errors import HanasolveError
from hanasolve.hanabi.game.options import site_options
from hanasolve.hanabi.game.records import Replay
from hanasolve.hanabi.game.table import deal, from_replay
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.notation.hanab_live import parse_game
from hanasolve.hanabi.ranking.known_deck.hindsight import Hindsight
from hanasolve.hanabi.ranking.review.game_review import review
from hanasolve.hanabi.search.problem import problem_from_table
from hanasolve.limits import Limit

RECORDED = Path(__file__).parents[1] / "data" / "hanab_live" / "games.jsonl.gz"
KINDS = ("random-legal", "info", "smart")


def games(kind: str, players: int, count: int) -> Iterator[tuple[str, Replay]]:
    """Games of a convention on the seeds 1 to ``count``."""
    (player,) = find_conventions([kind])
    for number in range(1, count + 1):
        seed = f"p{players}v0s{number}"
        yield seed, replay_of(player, seed, load_variant(0), site_options(players))


def recorded() -> Iterator[tuple[str, Replay]]:
    """The recorded games with a whole deck, but for variants that the known-deck solver does not know."""
    for line in gzip.decompress(RECORDED.read_bytes()).decode().splitlines():
        try:
            game = parse_game(line)
            problem_from_table(deal(game.variant, game.options, game.deck))
            from_replay(game, len(game.actions))
        except HanasolveError:
            continue
        if game.actions:
            yield json.loads(line)["file"], game


def measure(name: str, found: Iterator[tuple[str, Replay]], whole: bool) -> None:
    """One row; the three longest games are named so that they can be looked at."""
    times: list[tuple[float, str]] = []
    undecided = brackets = 0
    for seed, game in found:
        began = time.process_time()
        if whole:
            falls = [turn.fall for turn in review(game).turns]
        else:
            walk = Hindsight(game, Limit())
            falls = walk.closed(list(walk.turns()))
        times.append((time.process_time() - began, seed))
        undecided += sum(fall.undecided for fall in falls)
        brackets += sum(fall.open_to is not None for fall in falls)
    times.sort()
    seconds = [spent for spent, _ in times]
    longest = ", ".join(f"{seed} {spent:.2f}" for spent, seed in times[:-4:-1])
    over = sum(spent > 3 for spent in seconds)
    print(
        f"| {name} | {len(times)} | {median(seconds):.3f} | {seconds[int(0.99 * (len(seconds) - 1))]:.2f} | "
        f"{seconds[-1]:.2f} | {over} | {brackets} | {undecided} | {longest} |",
        flush=True,
    )


def main(count: int, tables: list[int], whole: bool) -> None:
    print("| games | number | median s | 99 % s | longest s | over 3 s | turns open | side moves open | longest |")
    print("|---|---|---|---|---|---|---|---|---|")
    if "recorded" in sys.argv:
        review(next(recorded())[1])  # compile
        measure("recorded", recorded(), whole)
        tables = []
    for players in tables:
        review(next(games("smart", players, 1))[1])  # compile
        for kind in KINDS:
            measure(f"{kind}, {players} players", games(kind, players, count), whole)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:] if text.isdigit()]
    main(numbers[0] if numbers else 200, numbers[1:] or [2, 3, 4, 5], "known" not in sys.argv)
