"""Deduction along real games of hanab.live: the truth is never excluded, knowledge never shrinks.

Which sets may grow? None. Whatever a player knows stays true and stays known: clues add facts, a card that
leaves a hand becomes public, a new card of another hand is seen, and a new card of the own hand is one more
slot without facts, which takes nothing away from the others. So for a card that stays in a hand the holder,
empathy, common and public sets can only shrink. (The one exception of the rules, a bonus tile that shuffles a
discarded card back into the deck, does not occur on hanab.live.)
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from hanasolve.hanabi.deduction import Deduction
from hanasolve.hanabi.game.records import Action, Replay
from hanasolve.hanabi.game.table import Table, act, deal
from hanasolve.hanabi.notation.hanab_live import parse_record

DATA = Path(__file__).parents[1] / "data" / "hanab_live"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress((DATA / name).read_bytes()).splitlines()]


GAMES = {game["file"]: game for game in lines("games.jsonl.gz")}
FUZZ = {game["name"]: game for game in lines("fuzz_games.jsonl.gz")}  # all families of variants and options

Sets = dict[tuple[str, int | None, int], int]  # (kind, viewer, order) -> set


def sets_of(table: Table, viewers: list[int]) -> Sets:
    """All sets of a position, checked: the chain of inclusions, and the true card in each."""
    deduction = Deduction(table)
    shown = deduction.shown
    found: Sets = {}
    for seat in shown.seats:
        views = [deduction.holder(seat)]
        views += [deduction.empathy(viewer, seat) for viewer in viewers]
        views += [deduction.common(seat), deduction.public(seat)]
        for index, order in enumerate(shown.hands[seat]):
            clues = shown.fits[order]
            holder = views[0].sets[index]
            common, public = views[-2].sets[index], views[-1].sets[index]
            assert holder >> shown.deck[order] & 1
            assert not common & ~public
            assert not public & ~clues
            for view in views:
                assert not holder & ~view.sets[index], (view.kind, view.viewer)
                assert view.kind != "empathy" or not view.sets[index] & ~common
                found[view.kind, view.viewer, order] = view.sets[index]
    return found


def follow(replay: Replay, all_viewers: bool) -> int:
    table = deal(replay.variant, replay.options, replay.deck, replay.names)
    seats = list(range(len(replay.names)))
    before: Sets = {}
    for turn, action in enumerate(replay.actions):
        viewers = seats if all_viewers else [turn // len(seats) % len(seats)]
        now = sets_of(table, viewers)
        for key, known in before.items():
            if key in now:
                assert not now[key] & ~known, (turn, key)
        before = {**before, **now}
        if table.game["ended"]:
            return turn
        act(table, action)
    return len(replay.actions)


def random_game(name: str) -> Replay:
    plain = parse_record({**FUZZ[name], "actions": []})
    legal = FUZZ[name]["actions"][: FUZZ[name]["result"]["actionsUsed"]]
    actions = tuple(Action(*item) for item in legal)
    return Replay(plain.variant, plain.options, plain.names, plain.deck, actions)


@pytest.mark.parametrize("name", list(GAMES)[::3])
def test_recorded_games_at_every_turn(name: str) -> None:
    assert follow(parse_record(GAMES[name]), all_viewers=False) > 5


@pytest.mark.parametrize("name", list(FUZZ)[::8])
def test_random_games_at_every_turn(name: str) -> None:
    follow(random_game(name), all_viewers=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_recorded_games_for_every_viewer(name: str) -> None:
    follow(parse_record(GAMES[name]), all_viewers=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUZZ)
def test_random_games_for_every_viewer(name: str) -> None:
    follow(random_game(name), all_viewers=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*list(GAMES)[1::3], *list(FUZZ)[1::8]])
def test_probabilities_along_games(name: str) -> None:
    """Marginals sum to 1, their support is the set, and the real hand is among the deals counted."""
    replay = parse_record(GAMES[name]) if name in GAMES else random_game(name)
    table = deal(replay.variant, replay.options, replay.deck, replay.names)
    for action in replay.actions:
        deduction = Deduction(table)
        shown = deduction.shown
        for seat in shown.seats:
            views = [deduction.holder(seat), deduction.common(seat), deduction.public(seat)]
            views.append(deduction.empathy((seat + 1) % len(shown.hands), seat))
            for view in views:
                assert view is not None
                for mask, row in zip(view.sets, view.marginals, strict=True):
                    assert sum(row.values()) == 1
                    assert sum(1 << c for c, p in row.items() if p > 0) == mask
            count = deduction.count(seat)
            truth = {i: 1 << card for i, card in enumerate(shown.cards(seat))}
            assert 0 < count.chance(truth) <= 1
        if table.game["ended"]:
            break
        act(table, action)
