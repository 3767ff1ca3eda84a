"""Ranking: known deck, open hands by cards left, whole reviews; one core. Run: python tests/bench/bench_ranking.py [N]

With a number of cards behind N: open hands with so many cards left only, limit 10 s, CPU times; behind that, kinds of
games and numbers of players, if not all: ``200 10 info 2 3``.
N positions of each kind (default 50), from games along a best line in which three of ten turns are a random clue or
discard, so that suits are still open late ("mixed"), and for open hands also from games of the convention ``info``.
Wall times where nothing else is said.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from hanasolve import api
from hanasolve.errors import LimitReached
from hanasolve.hanabi.conventions.find import find_convention
from hanasolve.hanabi.game.deck import shuffle
from hanasolve.hanabi.game.options import site_options
from hanasolve.hanabi.game.records import Replay
from hanasolve.hanabi.game.table import Table, act, deal
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.play.simulator import play_one
from hanasolve.hanabi.ranking.known_deck.rank import rank_known_deck
from hanasolve.hanabi.ranking.open_hands.rank import rank_open_hands
from hanasolve.hanabi.ranking.review.game_review import review
from hanasolve.hanabi.search.solve import solve
from hanasolve.limits import Limit


def played(players: int, number: int) -> Replay:
    """A game along best lines with random clues and discards in between."""
    rng = random.Random(number)
    variant, options = load_variant(0), site_options(players)
    deck = tuple(shuffle(f"p{players}v0s{number}", variant.deck_in_order()))
    table = deal(variant, options, deck)
    actions, line = [], list(solve(table).actions)
    while not table.game["ended"]:
        action = line.pop(0)
        others = [other for other in api.legal_actions(table) if other.type > 0]
        if others and rng.random() < 0.3:
            action = rng.choice(others)
        actions.append(action)
        act(table, action)
        line = list(solve(table).actions) if not table.game["ended"] else []
    return Replay(variant, options, table.names, deck, tuple(actions))


def with_cards_left(game: Replay, left: int) -> Table:
    """The position of a game with this many cards in the deck (the last one before that, if it ends earlier)."""
    table = before = deal(game.variant, game.options, game.deck)
    for action in game.actions:
        if table.game["ended"] or int(table.game["deck_size"] - table.game["next"]) <= left:
            break
        before = table.copy()
        act(table, action)
    return before if table.game["ended"] else table


def measure(name: str, players: int, runs: list[Callable[[], Any]]) -> None:
    times, stopped = [], 0
    for run in runs:
        began = time.perf_counter()
        try:
            run()
        except LimitReached:
            stopped += 1
        times.append(1000 * (time.perf_counter() - began))
    times.sort()
    ninety = times[int(0.9 * (len(times) - 1))]
    print(
        f"| {name} | {players} | {len(times)} | {median(times):.0f} | {ninety:.0f} | {times[-1]:.0f} | {stopped} |",
        flush=True,
    )


def main(count: int) -> None:
    print("| what | players | runs | median ms | 90 % ms | longest ms | at the limit of 10 s |")
    print("|---|---|---|---|---|---|---|")
    for players in (2, 3, 4, 5):
        games = [played(players, number) for number in range(1, count + 1)]
        rank_known_deck(with_cards_left(games[0], 20))  # compile
        rank_open_hands(with_cards_left(games[0], 3))
        middles = [with_cards_left(game, 20 if players < 5 else 15) for game in games]
        measure("known deck, mid-game", players, [lambda t=table: rank_known_deck(t) for table in middles])
        for left in (4, 6, 8, 10):
            tables = [with_cards_left(game, left) for game in games]
            runs = [lambda t=table: rank_open_hands(t, Limit(seconds=10)) for table in tables]
            measure(f"open hands, {left} cards left", players, runs)
        measure("review of a game", players, [lambda g=game: review(g) for game in games])
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")


def open_hands(count: int, left: int, only: list[str]) -> None:
    print("| games | players | cards left | runs | median ms | 90 % ms | longest ms | over 1 s | at the limit |")
    print("|---|---|---|---|---|---|---|---|---|")
    for kind in [kind for kind in ("info", "mixed") if kind in only] or ("info", "mixed"):
        for players in [players for players in (2, 3, 4, 5) if str(players) in only] or (2, 3, 4, 5):
            numbers = range(1, count + 1)
            if kind == "info":
                games = [play_one(find_convention("info"), f"p{players}v0s{number}") for number in numbers]
            else:
                games = [played(players, number) for number in numbers]
            rank_open_hands(with_cards_left(games[0], 3))  # compile
            solve(with_cards_left(games[0], 3))
            times, stopped = [], 0
            for game in games:
                table, began = with_cards_left(game, left), time.process_time()
                try:
                    rank_open_hands(table, Limit(seconds=10))
                except LimitReached:
                    stopped += 1
                times.append(1000 * (time.process_time() - began))
            times.sort()
            print(
                f"| {kind} | {players} | {left} | {count} | {median(times):.0f} | {times[int(0.9 * (count - 1))]:.0f} "
                f"| {times[-1]:.0f} | {sum(each > 1000 for each in times)} | {stopped} |",
                flush=True,
            )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")


if __name__ == "__main__":
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    if len(sys.argv) > 2:
        open_hands(runs, int(sys.argv[2]), sys.argv[3:])
    else:
        main(runs)
