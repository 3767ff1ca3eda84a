"""``hanasolve max``: fields, exit codes, turns of games, many decks, files that resume, bad input."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanasolve import api
from hanasolve.hanabi.game.records import Action
from hanasolve.hanabi.game.variants import load_variant
from hanasolve.hanabi.notation.deck_file import deal_seed
from hanasolve.hanabi.notation.hanab_live import format_record

# cli.md: the fields that scripts rely on
FIELDS = {
    "source", "players", "variant", "deck", "score", "upper_bound", "proved", "max_possible", "reason", "method",
    "verified", "line", "actions", "replay_url", "clues", "strikes", "turns", "nodes", "seconds",
}  # fmt: skip

Run = Callable[..., Any]


def result(run: Run, *args: str, code: int = 0) -> dict[str, Any]:
    answer = run("max", *args, "--json", "--quiet")
    assert answer.code == code, answer.err
    found = json.loads(answer.out)
    assert found["schema"] == "hanasolve.max/1"
    return dict(found["results"][0])


def vars_of(action: Action) -> dict[str, int]:
    return {"type": action.type, "target": action.target, "value": action.value}


def test_one_seed(run: Run) -> None:
    found = result(run, "p2v0s1")
    assert set(found) >= FIELDS
    assert (found["score"], found["upper_bound"], found["proved"], found["reason"]) == (25, 25, True, None)
    assert len(found["line"]) == len(found["actions"]) == found["turns"]
    assert found["line"][0]["player"] == "Alice" and found["line"][0]["turn"] == 1


def test_the_link_replays_to_the_score(run: Run) -> None:
    found = result(run, "p2v0s220")
    table = api.load(found["replay_url"])
    assert api.score(table) == found["score"] == 24
    assert table.game["ended"] != 0


def test_many_inputs_have_the_fields_of_one(run: Run, tmp_path: Path) -> None:
    """Also where no link can hold the game (startingPlayer), from a turn on, and from rows that a file kept."""
    solved = api.replay(api.load("p3v0s1"), ())
    record = format_record(deal_seed("p3v0s1"))
    record["actions"] = [vars_of(action) for action in api.solve(solved).actions[:12]]
    for name, options in (("a.json", {}), ("b.json", {"deckPlays": True})):
        (tmp_path / name).write_text(json.dumps(record | {"options": options}))
    sources = [f"{tmp_path}/a.json#4", f"{tmp_path}/a.json#9", f"{tmp_path}/b.json#9"]
    alone = [result(run, source) for source in sources]
    out = str(tmp_path / "kept.csv")
    for more in ((), ("--out", out), ("--out", out)):
        answer = run("max", *sources, *more, "--json", "--quiet")
        found = json.loads(answer.out)["results"]
        assert [row["source"] for row in found] == sources
        for one, many in zip(alone, found, strict=True):
            fresh = not more or many["replay_url"]
            assert set(one) == set(many)
            for field in set(one) - {"seconds"} - (set() if fresh else {"line", "actions"}):
                assert one[field] == many[field], field
    assert alone[2]["replay_url"] is None and alone[2]["line"] and alone[1]["line"][0]["turn"] == 9


def test_tokens_in_halves(run: Run) -> None:
    """Clue Starved (variant 1365) counts half tokens, also in a range."""
    seeds = [f"p2v{load_variant('Clue Starved (5 Suits)').id}s{number}" for number in range(1, 9)]
    many = json.loads(run("max", *seeds, "--json", "--quiet").out)["results"]
    alone = [result(run, seed)["clues"] for seed in seeds]
    assert [row["clues"] for row in many] == alone and any(clues % 1 for clues in alone)


@pytest.mark.parametrize(("target", "code", "reachable"), [("24", 0, True), ("25", 1, False)])
def test_targets(run: Run, target: str, code: int, reachable: bool) -> None:
    assert result(run, "p2v0s220", "--target", target, code=code)["reachable"] is reachable


def test_a_limit_gives_the_bracket_and_code_3(run: Run) -> None:
    """p5v0s2989 needs about two million states."""
    found = result(run, "p5v0s2989", "--limit", "1000nodes", code=3)
    assert found["score"] < found["upper_bound"] == 25 and found["proved"] is False


def test_text_has_reason_line_and_link(run: Run) -> None:
    answer = run("max", "p2v0s220", "--quiet")
    assert answer.code == 0 and answer.err == ""
    assert "both g2 are the last two cards" in answer.out
    assert answer.out.rstrip().splitlines()[-1].strip().startswith("https://hanab.live/replay-json/")


def test_the_same_command_gives_the_same_bytes(run: Run) -> None:
    assert run("max", "p2v0s242", "--quiet").out == run("max", "p2v0s242", "--quiet").out


def test_from_a_turn_of_a_game(run: Run) -> None:
    """A game that gave up a card: before its last actions less is possible than at the start."""
    url = result(run, "p2v0s220")["replay_url"]
    assert result(run, f"{url}#1")["score"] == 24
    late = result(run, url, "--turn", "60")
    assert late["score"] <= 24 and late["line"][0]["turn"] == 60


def test_a_position_with_a_known_deck(run: Run, tmp_path: Path) -> None:
    """E16 of the rules: others done, red at 3, deck [r4], partner holds r5: at most 24."""
    path = tmp_path / "e16.yaml"
    path.write_text(
        "players: 2\nto_move: 0\nfireworks: {r: 3, y: 5, g: 5, b: 5, p: 5}\ndiscards: rest\n"
        "clues: 4\nhands:\n  Alice: r1 r1 y1 y1 g1\n  Bob: r5 b1 b1 p1 p1\ndeck: [r4]\n",
        encoding="utf-8",
    )
    found = result(run, str(path))
    assert (found["score"], found["proved"], found["replay_url"]) == (24, True, None)


def test_many_decks_resume(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    first = run("max", "p3v0s1..p3v0s12", "--out", str(out), "--quiet")
    assert first.code == 0 and "12 decks" in first.out
    with out.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["source"] for row in rows] == [f"p3v0s{i}" for i in range(1, 13)]
    again = run("max", "p3v0s1..p3v0s12", "--out", str(out), "--quiet", "--json")
    found = json.loads(again.out)
    assert found["summary"]["count"] == 12 and found["summary"]["reached_max"] == 12
    assert [row["seconds"] for row in found["results"]] == [float(row["seconds"]) for row in rows]
    assert all(row["line"] and row["deck"] for row in found["results"])


def test_a_file_of_decks(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "decks.txt"
    decks = [run("convert", seed, "--to", "text", "--quiet").out for seed in ("p2v0s220", "p2v0s1")]
    path.write_text("".join(text.splitlines()[-1] + "\n" for text in decks), encoding="utf-8")
    answer = run("max", str(path), "--players", "2", "--json", "--quiet")
    assert [row["score"] for row in json.loads(answer.out)["results"]] == [24, 25]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["p2v24s1"], "Up or Down"),
        (["p2v0s1", "--limit", "soon"], "--limit"),
        (["p2v0s1", "--target", "-1"], "--target"),
        (["p2v0s1", "p2v0s1"], "twice"),
        (["p2v0s1", "--jobs", "-1"], "--jobs"),
        (["p2v0s1..p2v0s3", "--turn", "2"], "--turn: found 2"),
        (["p2v0s1..p2v0s9", "--engine", "dask"], "--scheduler"),
        (["scenarios/deduce-w10-midgame.yaml"], "unknown"),
        (["p2v0s1", "--turn", "5"], "--turn"),
    ],
)
def test_bad_input(run: Run, args: list[str], words: str) -> None:
    answer = run("max", *args)
    assert answer.code == 2
    assert answer.err.count("error:") == 1 and words in answer.err and "Traceback" not in answer.err


LAST_TURN = """hands:
  Ann: [r5, b3, b2, g1, g1]
  Ben: [y5, y1, y1, p1, p1]
deck: 0
fireworks: {r: 4, y: 4, g: 5, b: 5, p: 5}
discards: rest
clues: 0
turns_left: 1
"""


def test_a_reason_counts_no_states_where_none_were_searched(run: Run, tmp_path: Path) -> None:
    """Ann has the last turn and one of two cards that are missing."""
    path = tmp_path / "a.yaml"
    path.write_text(LAST_TURN)
    found = result(run, str(path))
    assert (found["score"], found["reason"]) == (24, "no line of play reaches 25")


def test_a_position_with_all_cards_placed_is_over(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(LAST_TURN.replace("r: 4, y: 4", "r: 5, y: 5").replace("r5, ", "").replace("y5, ", ""))
    assert (result(run, str(path))["score"], result(run, str(path))["reason"]) == (25, None)
    assert "the game is over" in run("analyze", str(path)).err
    assert "the game is over" in run("deduce", str(path)).out
