"""Answers of the commands as plain dictionaries: the fields of ``--json``, in the names of the rules'
section 5."""

from __future__ import annotations

import dataclasses
import math
from itertools import zip_longest
from typing import Any

from hanasolve.koikoi.game import cards, yaku
from hanasolve.koikoi.game import rules as engine
from hanasolve.koikoi.notation.position import Position
from hanasolve.koikoi.notation.text import Turn, format_turn
from hanasolve.koikoi.play.matches import Match
from hanasolve.koikoi.ranking.chances import Chances, MatchChance, hand_chance
from hanasolve.koikoi.ranking.hidden import Ranked, Ranking
from hanasolve.koikoi.search.solve import Solution

VALUE_LABEL = "open-card value: both players see all cards; players who do not cannot reach it knowingly"
COOP_LABEL = "cooperative bound: both players help one; an upper bound"
SIMULATION = "simulation result: mean and standard error over pairs of matches"


def yaku_dicts(pile: int, rules: Any) -> list[dict[str, Any]]:
    """Name, points and cards of every yaku of a pile."""
    return [
        {"name": entry.name, "points": entry.points, "cards": cards.codes(entry.cards)}
        for entry in yaku.yaku_list(pile, rules)
    ]


def score(pile: int, opponent_called: bool, rules: Any) -> dict[str, Any]:
    """``koikoi score`` of captured cards."""
    points, calls = int(yaku.points(pile, rules)), int(opponent_called)
    return {
        "cards": cards.codes(pile),
        "yaku": yaku_dicts(pile, rules),
        "points": points,
        "doubled_at_seven": bool(points and rules["double_at"] > 0 and points >= rules["double_at"]),
        "doubled_after_call": bool(points and opponent_called and rules["double_after_call"] == 1),
        "round_score": int(engine.round_score(pile, points, 0, calls, rules)),
        "missing": [
            {"name": entry.name, "needed": entry.needed, "cards": cards.codes(entry.cards)}
            for entry in yaku.missing(pile, 0, rules)
        ],
    }


def lucky(hand: int, rules: Any) -> dict[str, Any]:
    """``koikoi score --hand``: whether a dealt hand ends the round."""
    points = int(engine.lucky_points(hand, rules)) if rules["lucky_hands"] == 0 else 0
    fours = any(hand >> 4 * month & 15 == 15 for month in range(12))
    return {
        "hand": cards.codes(hand),
        "lucky": None if points == 0 else "teshi" if fours else "kuttsuki",
        "points": points,
        "round_score": points,
    }


def _two(value_a: int) -> dict[str, int]:
    return {"A": value_a, "B": -value_a}


def turn_dict(turn: Turn) -> dict[str, Any]:
    """One turn in notation and in parts."""
    return {
        "player": "AB"[turn.player],
        "text": turn_text(turn),
        "card": cards.CODES[turn.card] if turn.card >= 0 else None,
        "take": cards.codes(turn.taken),
        "stock": cards.CODES[turn.drawn] if turn.drawn >= 0 else None,
        "stock_take": cards.codes(turn.drawn_taken),
        "koikoi": turn.call,
    }


def turn_text(turn: Turn) -> str:
    """Turn notation; of a turn that was begun before, only the rest."""
    if turn.card >= 0:
        return format_turn(turn)
    rest = []
    if turn.drawn >= 0:
        taken = f" x {' '.join(cards.codes(turn.drawn_taken))}" if turn.drawn_taken else ""
        rest.append(f"{cards.CODES[turn.drawn]}{taken}")
    if turn.call is not None:
        rest.append("koikoi" if turn.call else "stop")
    return f"{'AB'[turn.player]}: {', '.join(rest)}"


def maximum(source: str, solution: Solution, rules: Any, coop: tuple[int, int] | None) -> dict[str, Any]:
    """``koikoi max`` of one known deal. Values of ``moves`` are A's minus B's, as ``{A: v, B: -v}``."""
    final = solution.final
    winner = int(final["winner"])
    answer: dict[str, Any] = {
        "source": source,
        "meaning": VALUE_LABEL,
        "value": _two(solution.value),
        "line": [turn_dict(turn) for turn in solution.line],
        "winner": "AB"[winner] if winner >= 0 else None,
        "yaku": yaku_dicts(int(final["piles"][winner]), rules) if winner >= 0 else [],
        "round_score": int(final["score"]),
        "moves": [
            turn_dict(option.turn) | {"value": _two(option.value * (1 if option.turn.player == 0 else -1))}
            for option in solution.moves
        ],
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
    }
    if coop is not None:
        answer |= {"coop": {"A": coop[0], "B": coop[1]}, "coop_meaning": COOP_LABEL}
    return answer


def _ranked(option: Ranked, chance: MatchChance | None) -> dict[str, Any]:
    entry: dict[str, Any] = {
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
    if chance is not None:
        entry["match"] = dataclasses.asdict(chance)
    return entry


def analysis(
    source: str, position: Position, ranking: Ranking, chances: Chances, match: list[MatchChance] | None
) -> dict[str, Any]:
    """``koikoi analyze``."""
    in_hand = hand_chance(position)
    options = ranking.options
    paired = zip_longest(options, match or [])
    return {
        "source": source,
        "to_move": "AB"[int(position.game["mover"])],
        "turn": int(position.game["turn"]),
        "phase": engine.PHASES[int(position.game["phase"])],
        "method": ranking.method,
        "meaning": ranking.label,
        "worlds": ranking.worlds,
        "options": [_ranked(option, chance) for option, chance in paired],
        "best": options[0].choice.text,
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


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def comparison(found: list[Match], options: dict[str, Any]) -> dict[str, Any]:
    """``koikoi compare``."""
    results = []
    for match in found:
        fields = {name: _finite(value) for name, value in dataclasses.asdict(match).items()}
        results.append({"a": match.a, "b": match.b, "matches": match.matches, **fields})
    return {"meaning": SIMULATION, "results": results, **options}
