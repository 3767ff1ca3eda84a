"""What a move does, in words, as a player sees it whose own hand is hidden; and why the best beats the second."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from hanasolve.bits import has
from hanasolve.hanabi.deduction.masks import members
from hanasolve.hanabi.deduction.views import Deduction
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.fireworks import needed_mask, playable
from hanasolve.hanabi.game.table import Table, clue_name
from hanasolve.hanabi.ranking.moves import EngineAction, Move, Ranking, after, ceiling, outlook

Chances = Mapping[int, Fraction]
_SHOWN = 3  # identities named


def percent(chance: Fraction | float) -> str:
    """``certainly`` is said otherwise; 0 and 100 only where exact."""
    if isinstance(chance, Fraction) and chance.denominator <= 12 and 0 < chance < 1:
        return f"{chance}"
    value = 100 * float(chance)
    if 0 < value < 1:
        return f"{value:.2g} %"
    return ">99 %" if 99.5 < value < 100 else f"{value:.0f} %"


def names(table: Table, chances: Chances) -> str:
    """``b3 60 %, r2 20 %, …``, likeliest first."""
    found = sorted(chances.items(), key=lambda pair: (-pair[1], pair[0]))
    text = ", ".join(f"{table.variant.card_name(card)} {percent(chance)}" for card, chance in found[:_SHOWN])
    return text + (", …" if len(found) > _SHOWN else "")


def named(table: Table, action: EngineAction, card: int) -> Table:
    """The table with the used card known to be ``card``."""
    copy = table.copy()
    copy.game["deck"][copy.game["hands"][copy.game["to_move"], action[1]]] = card
    return copy


def hidden_effect(table: Table, action: EngineAction, chances: Chances, target: int) -> tuple[str, int]:
    """What a play or discard of a hidden card does, with probabilities; and the highest maximum after it."""
    outcomes: Counter[str] = Counter()
    maxima: dict[int, Fraction] = {}
    plays: dict[int, Fraction] = {}
    trash: dict[int, Fraction] = {}
    last: dict[int, Fraction] = {}
    rules, game = table.rules, table.game
    needed, whole = needed_mask(rules, game), Fraction(1)
    for card, chance in chances.items():
        child = after(named(table, action, card), action)
        outcomes[outlook(child)] += chance  # type: ignore[assignment]  # a Counter adds fractions as well
        most = ceiling(child)
        maxima[most] = maxima.get(most, Fraction(0)) + chance
        if playable(rules, game, card):
            plays[card] = chance
        if not has(needed, card):
            trash[card] = chance
        elif int(game["discarded"][card]) == int(rules["copies"][card]) - 1:
            last[card] = chance
    parts = _play(table, plays, last) if action[0] == engine.PLAY else _discard(table, chances, trash, last)
    ways = outcomes.most_common()
    parts.append(ways[0][0] + ("" if len(ways) == 1 else f" ({percent(ways[0][1])})"))
    fall = sum((chance for most, chance in maxima.items() if most < target), Fraction(0))
    if fall:
        worst = min(maxima)
        often = "" if fall == whole else f" with {percent(fall)}"
        parts.append(f"the maximum falls from {target} to {worst if fall < 1 else max(maxima)}{often}")
    return "; ".join(parts), min(target, max(maxima))


def _play(table: Table, plays: Chances, last: Chances) -> list[str]:
    total = sum(plays.values(), Fraction(0))
    strike = f"strike {int(table.game['strikes']) + 1} of {int(table.rules['strikes_max'])}"
    if total == 1:
        parts = [f"plays {names(table, plays)} certainly" if len(plays) > 1 else _sure(table, plays, "plays")]
    elif total == 0:
        parts = [f"misplays certainly, {strike}"]
    else:
        parts = [f"plays with {percent(total)} ({names(table, plays)}), otherwise {strike}"]
    lost = {card: chance for card, chance in last.items() if card not in plays}
    return parts + _lost(table, lost, "loses")


def _sure(table: Table, cards: Chances, verb: str) -> str:
    return f"{verb} {table.variant.card_name(next(iter(cards)))} certainly"


def _discard(table: Table, chances: Chances, trash: Chances, last: Chances) -> list[str]:
    if len(chances) == 1 and not last:
        parts = [_sure(table, chances, "discards") + (", which is trash" if trash else "")]
    elif sum(last.values(), Fraction(0)) == 1:
        parts = []
    else:
        total = sum(trash.values(), Fraction(0))
        often = f"trash with {percent(total)}" if 0 < total < 1 else "trash certainly" if total else "no trash"
        parts = [f"discards {often}"]
    return parts + _lost(table, last, "discards")


def _lost(table: Table, last: Chances, verb: str) -> list[str]:
    """``discards the last b4 with 1/12``."""
    if not last:
        return []
    found = sorted(last.items(), key=lambda pair: (-pair[1], pair[0]))
    if len(found) == 1 and found[0][1] == 1:
        return [f"{verb} {table.variant.card_name(found[0][0])}, the last copy, certainly"]
    cards = ", ".join(f"{table.variant.card_name(card)} with {percent(chance)}" for card, chance in found[:_SHOWN])
    return [f"{verb} the last {cards}{', …' if len(found) > _SHOWN else ''}"]


def clue_effect(table: Table, action: EngineAction, viewer: int) -> str:
    """Which cards a clue touches, and what its receiver then knows of them by the facts alone."""
    kind, seat, value = action
    child = after(table, action)
    hand = table.game["hands"][seat, : table.game["hand_sizes"][seat]].tolist()
    mask = int(engine.touch_mask(table.rules, kind, value))
    slots = {len(hand) - i: i for i, order in enumerate(hand) if mask >> int(table.game["deck"][order]) & 1}
    name = table.names[seat]
    which = f"{name}'s {_list('slot', sorted(slots))}" if slots else f"no card of {name}"
    touched = f"{clue_name(table.variant, kind, value)} touches {which}"
    view = Deduction(child).ask(viewer).empathy(viewer, seat) if slots else None
    if view is None:
        return f"{touched}; {outlook(child)}"
    sure, fewer = [], []
    for slot, index in sorted(slots.items()):
        cards = list(members(view.sets[index]))
        if len(cards) == 1:
            sure.append(f"slot {slot} is {table.variant.card_name(cards[0])}")
        elif len(cards) <= _SHOWN:
            fewer.append(f"slot {slot} is {' or '.join(table.variant.card_name(card) for card in cards)}")
    said = sure + fewer
    knows = f"; {name} then knows {', '.join(said)}" if said else ""
    return f"{touched}{knows}; {outlook(child)}"


def _list(word: str, numbers: list[int]) -> str:
    """``slot 2``, ``slots 2 and 4``."""
    if len(numbers) == 1:
        return f"{word} {numbers[0]}"
    return f"{word}s {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def best_and_second(ranking: Ranking) -> str:
    """One sentence: why the best move beats the next one, or that they tie."""
    best = ranking.moves[0]
    others = [move for move in ranking.moves[1:] if not move.best]
    ties = len(ranking.moves) - len(others)
    if not others and ranking.undecided:
        return "of the others none is decided" if ties == 1 else "the moves that are decided tie"
    if not others:
        return "all moves tie" if ties > 1 else "there is no other move"
    second = others[0]
    head = best.text if ties == 1 else f"{best.text} (and {ties - 1} that tie)"
    if best.samples is not None:
        return f"{head} {_sampled(ranking, second)}"
    if ranking.by == "win":
        chances = " against ".join(_two_chances(best.win, second.win))
        return f"{head} beats {second.text}: {chances} to reach {ranking.target}"
    return f"{head} beats {second.text}: {float(best.score):.4g} against {float(second.score):.4g} points"


def _chance(chance: Fraction) -> str:
    return "certain" if chance == 1 else "no chance" if chance == 0 else f"a chance of {percent(chance)}"


def _two_chances(one: Fraction, other: Fraction) -> tuple[str, str]:
    """In words, with as many digits as tell them apart."""
    words = _chance(one), _chance(other)
    for digits in range(1, 7):
        if words[0] != words[1]:
            break
        words = f"a chance of {100 * float(one):.{digits}f} %", f"a chance of {100 * float(other):.{digits}f} %"
    return words


def _sampled(ranking: Ranking, second: Move) -> str:
    """With the paired difference and its error."""
    gap, error = -float(second.diff), second.se_diff
    deals = f"{second.samples:,} {'fresh ' if second.fresh else ''}deals"
    if ranking.by == "win":
        words = f"wins {100 * gap:.1f} ± {100 * error:.1f} % more often on the same {deals}"
    else:
        words = f"scores {gap:.2f} ± {error:.2f} points more on the same {deals}"
    if gap < 2 * error:
        return f"is not separable from {second.text}: it {words}"
    return f"beats {second.text}: it {words}"
