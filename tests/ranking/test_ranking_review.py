"""Reviews: every maximum equals the solver's, lines are proven, the first fall is found, sums by player."""

from __future__ import annotations

import dataclasses
import json
import random
from pathlib import Path

import pytest

from hanasolve import api
from hanasolve.errors import NotationError
from hanasolve.hanabi.game.deck import shuffle
from hanasolve.hanabi.game.options import site_options
from hanasolve.hanabi.game.records import Action, Replay
from hanasolve.hanabi.game.table import Table, act, deal
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.notation.replay_url import parse_url
from hanasolve.hanabi.ranking.known_deck.hindsight import Fall
from hanasolve.hanabi.ranking.known_deck.rank import rank_known_deck
from hanasolve.hanabi.ranking.review.game_review import Review, ReviewOptions, review
from hanasolve.hanabi.search.solve import solve
from hanasolve.limits import Limit

DATA = Path(__file__).parents[1] / "data" / "hanab_live" / "replays.json"
LINKS = [game["compact"] for game in json.loads(DATA.read_text())["games"] if "compact" in game]


def played(seed: str, players: int, variant_id: int, chance: float) -> Replay:
    """A game along a best line, with random actions in between."""
    rng = random.Random(seed)
    variant, options = load_variant(variant_id), site_options(players)
    deck = tuple(shuffle(seed, variant.deck_in_order()))
    table: Table = deal(variant, options, deck)
    actions: list[Action] = []
    while not table.game["ended"]:
        line = solve(table).actions
        legal = api.legal_actions(table)
        action = rng.choice(legal) if rng.random() < chance or not line else line[0]
        actions.append(action)
        act(table, action)
    return Replay(variant, options, table.names, deck, tuple(actions))


def falls_of(found: Review) -> list[Fall]:
    return [turn.fall for turn in found.turns]


@pytest.mark.parametrize(("seed", "players", "variant"), [("p2v0s11", 2, 0), ("p4v0s3", 4, 0), ("p3v15s4", 3, 15)])
def test_every_maximum_is_the_solvers(seed: str, players: int, variant: int) -> None:
    game = played(seed, players, variant, 0.12)
    found = review(game)
    table = deal(game.variant, game.options, game.deck)
    assert found.maximum == solve(table).score and len(found.turns) == len(game.actions)
    for turn in falls_of(found):
        assert turn.max_before == solve(table).score
        act(table, turn.action)
        struck = table.game["strikes"] >= table.rules["strikes_max"]
        assert turn.max_after == (0 if struck else solve(table).score), turn.text
    assert found.score == falls_of(found)[-1].max_after  # at the end nothing is left open
    assert sum(row.points_lost for row in found.players) == found.maximum - found.score


def test_few_states_leave_brackets_that_hold() -> None:
    """With hardly any states for a question, some stay open; what is said is still true, and what fell is found."""
    left_open = spans = 0
    for number in range(1, 9):
        game = played(f"p4v0s{number}", 4, 0, 0.35)
        exact, found = (falls_of(review(game, options=ReviewOptions(states=most))) for most in (0, 1))
        table = deal(game.variant, game.options, game.deck)
        for one, other in zip(exact, found, strict=True):
            act(table, one.action)
            struck = table.game["strikes"] >= table.rules["strikes_max"]
            assert one.open_to is None and one.max_after == (0 if struck else solve(table).score)
            assert other.least_after <= one.max_after <= other.max_after, (number, one.number)
            left_open += other.open_to is not None
        fell = [(turn.number, turn.max_before - step) for turn in exact for step in range(turn.loss)]
        for turn in found:
            for step in range(turn.loss):
                at = fell.pop(0)
                assert (turn.since or turn.number) <= at[0] <= turn.number and at[1] == turn.max_before - step
                spans += turn.since is not None
        assert not fell
    assert left_open > 3 and spans > 0


@pytest.mark.parametrize("link", LINKS)
def test_recorded_games(link: str) -> None:
    found = review(parse_url(link))
    assert (found.maximum, found.score) == (25, 24)
    first = next(turn for turn in falls_of(found) if turn.loss)
    assert found.lost_at == first.number and first.why
    assert all(turn.grade is None and turn.knowable is None for turn in found.turns)  # hindsight blames nobody
    assert found.saving_line_url is not None
    line = parse_url(found.saving_line_url)
    assert line.actions[: first.number - 1] == parse_url(link).actions[: first.number - 1]
    assert api.score(api.load(found.saving_line_url.partition("#")[0])) == 25
    before = api.load(link, first.number)
    ranking = rank_known_deck(before)
    group = {move.action: move.group for move in ranking.moves}
    assert {group[one.action] for one in first.keeping} == {move.group for move in ranking.moves if move.win == 1}
    for one in first.keeping:
        assert one.url is not None and api.score(api.load(one.url.partition("#")[0])) == 25
        assert parse_url(one.url).actions[first.number - 1] == one.action


def test_a_perfect_game_loses_nothing() -> None:
    found = review(played("p3v0s8", 3, 0, 0.0))
    assert found.lost_at is None and found.saving_line_url is None and found.score == found.maximum == 25
    assert all(turn.loss == 0 and turn.keeping == () for turn in falls_of(found))


def test_the_last_strike_costs_everything() -> None:
    game = played("p2v0s11", 2, 0, 0.0)
    table = deal(game.variant, game.options, game.deck)
    actions = []
    while not table.game["ended"]:
        hand = table.game["hands"][table.game["to_move"], : table.game["hand_sizes"][table.game["to_move"]]]
        high = [order for order in hand if table.game["deck"][order] % 5 > 0]
        actions.append(Action(0, int(high[0])))
        act(table, actions[-1])
    found = review(dataclasses.replace(game, actions=tuple(actions)))
    last = falls_of(found)[-1]
    assert (last.max_after, last.why, found.score) == (0, "the last strike ends the game", 0)


def test_a_deal_and_a_limit() -> None:
    game = played("p3v0s8", 3, 0, 0.0)
    with pytest.raises(NotationError, match="no action"):
        review(dataclasses.replace(game, actions=()))
    stopped = review(hard_game(), Limit(nodes=1000))
    assert stopped.stopped and not stopped.interrupted and stopped.maximum is None and stopped.turns == ()


def hard_game() -> Replay:
    """The first clue of a deck that takes about two million states to solve."""
    table = api.load("p5v0s2989")
    clue = next(action for action in api.legal_actions(table) if action.type > 1)
    deck = tuple(int(card) for card in table.game["deck"][:50])
    return Replay(table.variant, table.options, table.names, deck, (clue,))


def test_ctrl_c_keeps_what_is_done() -> None:
    game = parse_url(LINKS[0])

    def stop(text: str, done: int, total: int) -> None:
        if done == 12:
            raise KeyboardInterrupt

    found = review(game, on_progress=stop)
    assert found.interrupted and found.stopped == "interrupted" and found.maximum == 25
    whole = review(game)
    assert found.turns == whole.turns[:12] and whole.stopped is None
