"""Every action of the recorded games gives the tokens, score, strikes, maximum and end of the site."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hanasolve.errors import IllegalAction
from hanasolve.hanabi.game import fireworks as board
from hanasolve.hanabi.game import rules as engine
from hanasolve.hanabi.game.records import Action, Replay
from hanasolve.hanabi.game.table import Table, act, deal, from_replay
from hanasolve.hanabi.notation.hanab_live import format_game, parse_game, parse_record
from hanasolve.hanabi.notation.replay_url import parse_url
from hanasolve.hanabi.notation.snapshot import to_position

DATA = Path(__file__).parents[1] / "data" / "hanab_live"


def lines(name: str) -> list[dict[str, Any]]:
    text = gzip.decompress((DATA / name).read_bytes()).decode()
    return [json.loads(line) for line in text.splitlines()]


GAMES, FUZZ = lines("games.jsonl.gz"), lines("fuzz_games.jsonl.gz")
REPLAYS = json.loads((DATA / "replays.json").read_text())["games"]

# The site's number of our reasons to end.
CONDITIONS = {
    engine.RUNNING: 0, engine.STRIKEOUT: 2, engine.PERFECT: 1, engine.LAST_ROUND: 1, engine.DEAD: 1,
    engine.SPEEDRUN_FAIL: 5, engine.IMPOSSIBLE: 8, engine.STUCK: 9,
}  # fmt: skip


def condition(table: Table) -> int:
    ended = int(table.game["ended"])
    return ended - engine.SITE_END if ended >= engine.SITE_END else CONDITIONS[ended]


def site_score(table: Table) -> int:
    """The site's score: cards placed, 0 after an end that is not normal."""
    return int(board.score(table.rules, table.game)) if condition(table) < 2 else 0


def trace_row(table: Table) -> list[int]:
    game = table.game
    most = int(board.max_score(table.rules, game))
    left = int(engine.deck_left(game))
    return [int(game["clues"]), site_score(table), int(game["strikes"]), most, left]


def check_against(replay: Replay, trace: list[list[int]], result: dict[str, Any]) -> Table:
    """Play the record and compare with the site after every action; the table at the end."""
    table = deal(replay.variant, replay.options, replay.deck, replay.names)
    for index, (action, row) in enumerate(zip(replay.actions, trace, strict=False)):
        assert not table.game["ended"], f"ended before action {index}"
        act(table, action, f"actions[{index}]: ")
        assert trace_row(table) == row, f"after action {index}"
    assert condition(table) == result["endCondition"]
    assert bool(table.game["ended"]) == result["ended"]
    assert (site_score(table), int(table.game["strikes"])) == (result["score"], result["strikes"])
    return table


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["file"])
def test_recorded_game(game: dict[str, Any]) -> None:
    replay = parse_record(game)
    assert not replay.warnings
    assert len(game["_trace"]) == game["_result"]["actionsUsed"]
    table = check_against(replay, game["_trace"], game["_result"])
    end = from_replay(replay)  # ignores what comes after the end
    assert end.game == table.game
    if game["_publishedScore"] is not None:
        assert site_score(end) == game["_publishedScore"]


@pytest.mark.parametrize("game", FUZZ, ids=lambda game: game["name"])
def test_random_game(game: dict[str, Any]) -> None:
    """Illegal last actions are refused for the site's reason."""
    plain = {**game, "actions": []}
    actions = tuple(Action(*item) for item in game["actions"])
    replay = parse_record(plain)
    assert not replay.warnings
    used, illegal = game["result"]["actionsUsed"], game["result"]["illegal"]
    whole = Replay(replay.variant, replay.options, replay.names, replay.deck, actions[:used])
    table = check_against(whole, game["trace"], game["result"])
    if illegal:
        with pytest.raises(IllegalAction) as refused:
            act(table, actions[used])
        assert refused.value.code == illegal


@pytest.mark.parametrize("game", REPLAYS, ids=lambda game: game["id"])
def test_final_fireworks(game: dict[str, Any]) -> None:
    if game["format"] == "compact":  # played by a simulator that lets the last round run on
        replay = parse_url(game["compact"])
        replay = replace(replay, options=replace(replay.options, stop_when_dead=False))
    else:
        letters = "rygbp"
        deck = [{"suitIndex": letters.index(card[0]), "rank": int(card[1])} for card in game["deck"]]
        replay = parse_record({**game, "id": None, "deck": deck, "players": game["players"]})
    assert [replay.variant.card_name(card) for card in replay.deck] == game["deck"]
    table, final = from_replay(replay), game["final"]
    assert table.game["stacks"][:5].tolist() == list(final["stacks"].values())
    assert int(table.game["turn"]) == final["turns"]
    assert trace_row(table)[:3] == [final["tokens"], final["score"], final["strikes"]]
    assert engine.deck_left(table.game) == final["cards_left"]


def test_files_are_read_back_as_written() -> None:
    for game in GAMES:
        replay = parse_record(game)
        assert parse_game(format_game(replay)) == replay


def test_positions_of_every_turn_play_on_alike() -> None:
    """A game cut into a position and what follows gives the same states as the whole game."""
    from hanasolve.hanabi.game.table import engine_action, from_position, stored_action
    from hanasolve.hanabi.notation.position import format_position, parse_position

    for game in GAMES[::9]:
        replay = parse_record(game)
        if "alternatingClues" in replay.variant.flags:
            continue  # a position does not say what the last clue was
        for turn in range(1, game["_result"]["actionsUsed"] + 1, 11):
            whole = from_replay(replay, turn)
            position = to_position(whole)
            assert parse_position(format_position(position)) == position
            cut = from_position(position)
            for action in replay.actions[turn - 1 : game["_result"]["actionsUsed"]]:
                step = engine_action(whole, action)
                act(cut, stored_action(cut, *step))
                act(whole, action)
                assert trace_row(cut) == trace_row(whole)
