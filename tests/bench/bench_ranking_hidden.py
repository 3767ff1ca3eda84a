"""Hidden hands: beliefs and 10,000 rollouts of mid-game positions, CPU time on one core.

Run: python tests/bench/bench_ranking_hidden.py
"""

from __future__ import annotations

import time
from statistics import median

from hanasolve.hanabi.game.table import from_replay
from hanasolve.hanabi.play.simulator import play_one
from hanasolve.hanabi.ranking.hidden_hands.rank import rank_hidden
from hanasolve.hanabi.ranking.hidden_hands.viewpoint import Viewpoint


def main() -> None:
    print("| convention | players | positions | belief ms, median (max) | 10,000 rollouts s, median (max) |")
    print("|---|---|---|---|---|")
    for name in ("smart", "info"):
        for players in (2, 3, 4):
            beliefs, rollouts = [], []
            for seed in range(1, 5):
                game = play_one(name, f"p{players}v0s{seed}", players)
                for turn in (12, 20, 28):
                    table = from_replay(game, turn)
                    rank_hidden(table, convention=name, history=game.actions, rollouts=50)  # load the kernels
                    began = time.process_time()
                    viewpoint = Viewpoint(table, None, name, game.actions)
                    viewpoint.belief.draw(500)
                    beliefs.append(1000 * (time.process_time() - began))
                    began = time.process_time()
                    rank_hidden(table, convention=name, history=game.actions, rollouts=10_000)
                    rollouts.append(time.process_time() - began)
            print(
                f"| {name} | {players} | {len(rollouts)} | {median(beliefs):.0f} ({max(beliefs):.0f}) | "
                f"{median(rollouts):.2f} ({max(rollouts):.2f}) |",
                flush=True,
            )


if __name__ == "__main__":
    main()
