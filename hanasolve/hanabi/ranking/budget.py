"""What may be spent on games that are played on, and who is told how much of it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hanasolve.limits import Limit

Progress = Callable[[int, int], None]  # told (done, of how many)


@dataclass
class Budget:
    """What may still be spent: games (rollouts), no more than the nodes of the limit, and time."""

    games: int
    limit: Limit
    progress: Progress | None = None
    spent: int = 0
    total: int = 0
    stopped: str = ""

    def __post_init__(self) -> None:
        self.total = self.games
        if self.limit.nodes is not None and self.limit.nodes < self.games:
            self.games, self.stopped = self.limit.nodes, str(self.limit)

    def spend(self, games: int) -> None:
        self.spent += games
        if self.progress is not None:
            self.progress(self.spent, self.total)

    def late(self) -> bool:
        if self.limit.late:
            self.stopped = str(self.limit)
        return self.limit.late
