"""Every option of the player to move with its expected result, from what this player sees."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, ClassVar, TextIO

from hanasolve.answers.answer import Answer, Tell, silent
from hanasolve.answers.koikoi.reading import at_least, read_text
from hanasolve.errors import NotationError, printable

if TYPE_CHECKING:
    from hanasolve.koikoi.notation.position import Position
    from hanasolve.koikoi.ranking.chances import Chances, MatchChance
    from hanasolve.koikoi.ranking.hidden import Ranked, Ranking
    from hanasolve.limits import Limit


@dataclasses.dataclass(frozen=True)
class Analysis(Answer):
    """The ranking, best first; chances of yaku from playouts; chances to win the match where its score is known.

    Values are expected round scores, the mover's minus the other's.
    """

    schema: ClassVar[str] = "koikoi-analyze/1"
    source: str
    position: Position
    ranking: Ranking
    chances: Chances
    match: list[MatchChance] | None

    @property
    def stopped(self) -> str:
        """What ended the work early, or nothing."""
        return self.ranking.stopped

    def record(self) -> dict[str, Any]:
        from hanasolve.koikoi.game import cards
        from hanasolve.koikoi.game.rules import PHASES
        from hanasolve.koikoi.ranking.chances import hand_chance

        position, ranking, chances = self.position, self.ranking, self.chances
        in_hand = hand_chance(position)
        return {
            "source": self.source,
            "to_move": "AB"[int(position.game["mover"])],
            "turn": int(position.game["turn"]),
            "phase": PHASES[int(position.game["phase"])],
            "method": ranking.method,
            "meaning": ranking.label,
            "worlds": ranking.worlds,
            "options": [_option(*pair) for pair in zip_longest(ranking.options, self.match or [])],
            "best": ranking.options[0].choice.text,
            "close": ranking.close,
            "opponent": {
                "cards": position.opponent_cards,
                "possible": cards.codes(position.unseen),
                "probability": str(in_hand),
                "probability_float": float(in_hand),
            },
            "chances": {
                "meaning": "simulation result: playouts on random worlds, both players progress+stop",
                "worlds": chances.worlds,
                "won": {"A": chances.won[0], "B": chances.won[1]},
                "undecided": chances.undecided,
                "yaku": {"A": chances.yaku[0], "B": chances.yaku[1]},
            },
            "match": position.match.model_dump() if position.match is not None else None,
            **({"stopped": ranking.stopped} if ranking.stopped else {}),
        }


def analyze(
    source: str,
    *,
    worlds: int = 200,
    max_worlds: int = 100_000,
    seed: int = 0,
    match: tuple[int, int, int] | None = None,
    limit: Limit | None = None,
    changes: Mapping[str, object] | None = None,
    stdin: TextIO | None = None,
    warn: Tell = silent,
) -> Analysis:
    """The options of a position file (or ``-``) ranked by their expected round score, the mover's minus the other's.

    ``worlds``: random ways (from ``seed``) to deal the unseen cards, where there are more than ``max_worlds``; means
    then have standard errors. ``match``: (round from 1, points of A, points of B) before this round. ``changes``:
    options on top of the file's. What is known of the hidden cards is not used.

    At the ``limit``, and on Ctrl-C, the worlds that are solved count (``stopped``); LimitReached if there is none.
    NotationError and ImpossiblePosition name the line of the file; UnsupportedVariant for unknown options.
    """
    at_least(2, worlds=worlds)
    at_least(1, max_worlds=max_worlds, round=1 if match is None else match[0])
    at_least(0, seed=seed)
    from hanasolve.koikoi.notation.position import parse_position
    from hanasolve.koikoi.ranking.chances import yaku_chances
    from hanasolve.koikoi.ranking.hidden import rank
    from hanasolve.limits import Limit

    limit = limit or Limit()
    position = parse_position(read_text(source, stdin), source, dict(changes or {}))
    if position.known:
        warn("the opponent's hand and the stock of this known deal are not used")
    _set_match(position, match)
    ranking = rank(position, worlds, max_worlds, seed, limit=limit.part(0.9))
    chances = yaku_chances(position, seed=seed, limit=limit)
    return Analysis(printable(source), position, ranking, chances, _match_chances(position, ranking))


def _set_match(position: Position, match: tuple[int, int, int] | None) -> None:
    from hanasolve.koikoi.notation.position import MatchState

    if match is not None:
        position.match = MatchState(round=match[0], scores={"A": match[1], "B": match[2]})
    length = int(position.rules["rounds"])
    if position.match is not None and position.match.round > length:
        raise NotationError(f"round {position.match.round}: a match has {length} rounds")


def _match_chances(position: Position, ranking: Ranking) -> list[MatchChance] | None:
    from hanasolve.koikoi.ranking.chances import match_chances

    if position.match is None:
        return None
    scores = {"A": 0, "B": 0} | position.match.scores
    mover = int(position.game["mover"])
    lead = scores["AB"[mover]] - scores["AB"[1 - mover]]
    left = int(position.rules["rounds"]) - position.match.round
    return match_chances(ranking.options, lead, left, position.preset, position.options)


def _option(option: Ranked, chance: MatchChance | None) -> dict[str, Any]:
    from hanasolve.koikoi.game import cards

    fields: dict[str, Any] = {
        "option": option.choice.text,
        "card": cards.CODES[option.choice.card] if option.choice.card >= 0 else None,
        "take": cards.codes(option.choice.taken),
        "mean": option.mean,
        "se": option.se,
        "diff": option.diff,
        "se_diff": option.se_diff,
        "sum": option.total,
        "win": option.win,
        "lose": option.lose,
    }
    return fields if chance is None else {**fields, "match": dataclasses.asdict(chance)}
