"""A lost game is worth 0 however many cards were placed (README: rules); max and review say so, and say how many."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanasolve import api
from hanasolve.hanabi.game.fireworks import playable
from hanasolve.hanabi.game.records import Action
from hanasolve.hanabi.game.table import Table
from hanasolve.hanabi.notation.deck_file import deal_seed
from hanasolve.hanabi.notation.hanab_live import format_record

Run = Callable[..., Any]
SEED = "p3v0s1"
END = {
    "timeout": (4, 1, 3), "terminated": (4, 1, 4), "idle": (4, -1, 6), "vote": (5, -1, 10),
}  # fmt: skip


def plays(table: Table, fit: bool) -> list[Action]:
    """The plays of the player to move that score, or that do not."""
    deck = table.game["deck"]
    found = [action for action in api.legal_actions(table) if action.type == 0]
    return [one for one in found if bool(playable(table.rules, table.game, int(deck[one.target]))) == fit]


def written(path: Path, actions: list[Action], options: dict[str, Any]) -> str:
    record = format_record(deal_seed(SEED)) | {"options": options}
    record["actions"] = [{"type": one.type, "target": one.target, "value": one.value} for one in actions]
    path.write_text(json.dumps(record))
    return str(path)


def started() -> tuple[Table, list[Action]]:
    """A game with some cards placed, and what was done."""
    table, done = api.load(SEED), []
    for _ in range(4):
        done.append(next(iter(plays(table, True)), None) or api.legal_actions(table)[-1])
        api.act(table, done[-1])
    assert api.score(table) > 0
    return table, done


def struck_out() -> tuple[Table, list[Action]]:
    table, done = started()
    while not table.game["ended"]:
        done.append(plays(table, False)[0])
        api.act(table, done[-1])
    return table, done


def answers(run: Run, path: str) -> tuple[dict[str, Any], dict[str, Any]]:
    most = run("max", path, "--verify", "--json", "--quiet")
    told = run("review", path, "--open-states", "0", "--states", "1000", "--json", "--quiet")
    assert (most.code, told.code) == (0, 0), most.err + told.err
    return json.loads(most.out)["results"][0], json.loads(told.out)


def test_a_strikeout_scores_nothing(run: Run, tmp_path: Path) -> None:
    table, done = struck_out()
    most, told = answers(run, written(tmp_path / "a.json", done, {}))
    assert (most["score"], most["upper_bound"], most["proved"], most["verified"]) == (0, 0, True, True)
    lost = f"the game is over, lost with {api.score(table)} cards placed (--turn 1 asks from the start)"
    assert most["line"] == [] and most["reason"] == lost
    assert most["score_word"] == told["score_word"] == "horrible, lost"
    assert (told["score"], told["placed"], told["turns"][-1]["max_after"]) == (0, api.score(table), 0)


def test_a_table_may_keep_its_points(run: Run, tmp_path: Path) -> None:
    table, done = struck_out()
    path = written(tmp_path / "a.json", done, {})
    record = json.loads(Path(path).read_text()) | {"tableOptions": {"strikeout_score": "keep"}}
    Path(path).write_text(json.dumps(record))
    most, told = answers(run, path)
    assert most["score"] == told["score"] == api.score(table) > 0


@pytest.mark.parametrize("how", END)
def test_a_game_that_was_broken_off_scores_nothing(how: str, run: Run, tmp_path: Path) -> None:
    table, done = started()
    most, told = answers(run, written(tmp_path / "a.json", [*done, Action(*END[how])], {}))
    assert (most["score"], most["upper_bound"], told["score"]) == (0, 0, 0)
    assert told["placed"] == api.score(table) and len(told["turns"]) == len(done)
    assert told["turns"][-1]["max_after"] > 0  # what was still possible when it was broken off


@pytest.mark.parametrize("option", ["speedrun", "allOrNothing"])
def test_all_or_nothing_is_nothing(option: str, run: Run, tmp_path: Path) -> None:
    table = api.load(SEED)
    done = []
    while api.max_score(table) == 25:  # r5 of the first hand goes
        fives = [one for one in api.legal_actions(table) if one.type == 1 and table.game["deck"][one.target] % 5 == 4]
        done.append(fives[0] if fives else api.legal_actions(table)[-1])
        api.act(table, done[-1])
    most, told = answers(run, written(tmp_path / "a.json", done, {option: True}))
    assert told["score"] == told["turns"][-1]["max_after"] == most["score"] == most["upper_bound"] == 0
    assert told["turns"][-1]["max_before"] == 25 and told["score_word"] in (None, "horrible, lost")
    path = written(tmp_path / "a.json", done, {option: True})
    last = run("analyze", path, "--turn", str(len(done)), "--json", "--quiet")
    assert {move["score"] for move in json.loads(last.out)["moves"]} == {0, 25}


def test_royal_favor_is_won_or_lost(run: Run, tmp_path: Path) -> None:
    """The game goes on when r5 is gone; the maximum then is nothing, as the score will be."""
    table, done = api.load(SEED), []
    while api.max_score(table) == 25:
        fives = [one for one in api.legal_actions(table) if one.type == 1 and table.game["deck"][one.target] % 5 == 4]
        done.append(fives[0] if fives else api.legal_actions(table)[-1])
        api.act(table, done[-1])
    path = tmp_path / "a.json"
    written(path, [*done, api.legal_actions(table)[-1]], {})
    path.write_text(json.dumps(json.loads(path.read_text()) | {"tableOptions": {"mode": "royal_favor"}}))
    told = json.loads(run("review", str(path), "--open-states", "0", "--json", "--quiet").out)
    assert [turn["max_after"] for turn in told["turns"][-2:]] == [0, 0] and told["lost_at"] == len(done)


def test_a_game_in_progress_has_its_cards(run: Run, tmp_path: Path) -> None:
    table, done = started()
    _, told = answers(run, written(tmp_path / "a.json", done, {}))
    assert told["score"] == told["placed"] == api.score(table)
