"""Wrong input through the command line: one sentence that names the place, exit code 2, no traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanasolve.hanabi.notation.deck_file import deal_seed

DEAL = deal_seed("p3v0s1")
CARDS = [{"suitIndex": suit, "rank": rank} for suit, rank in map(DEAL.variant.suit_rank, DEAL.deck)]
GAME: dict[str, Any] = {"players": ["Ann", "Ben", "Cid"], "deck": CARDS, "actions": []}
POSITION = "hands:\n  Ann: [r1, r2]\n  Ben: [b1, b2]\n"


def game(**change: Any) -> str:
    return json.dumps({**GAME, **change})


def play(*actions: tuple[int, int, int]) -> str:
    keys = ("type", "target", "value")
    return game(actions=[dict(zip(keys, action, strict=True)) for action in actions])


# Arguments; {file} is the file of the case. Each message must contain the text.
SOURCES = [
    (["deal", "p7v0s1"], "seed 'p7v0s1': found 7 after 'p', expected 2 to 6 players"),
    (["deal", "p3v0s"], "seed 'p3v0s': found nothing after 's'"),
    (["deal", "p3v2426s1"], "p3v2426s1: unknown variant id 2426"),
    (["deal", "p3v0s9..p3v0s1"], "found 1 after 9, expected counters that ascend"),
    (["deal", "p3v0s1..p2v0s9"], "two different starts"),
    (["deal", "p3v0s1..p3v0s99999999"], "at most 1000000"),
    (["deal", "p3v0s1", "--players", "4"], "expected 4 as in --players"),
    (["deal", "p3v0s1", "--variant", "6 Suits"], "as in --variant"),
    (["deal", "p3v0s1", "--variant", "Rainbw (6 Suits)"], "nearest: Rainbow (6 Suits)"),
    (["deal", "p3v0s1", "--players", "7"], "--players: found 7, expected 2 to 6"),
    (["deal", "no-such-file.json"], "no-such-file.json: found no such file"),
    (["deal", "qqq zzz"], "qqq zzz: found neither a file nor a known form"),
    (["deal", "/"], "/: found a folder, expected a file"),
    (["deal", "https://hanab.live/replay/7"], "open https://hanab.live/export/7, save the page"),
    (["review", "https://hanab.live/shared-replay/123456#5"], "open https://hanab.live/export/123456, save the page"),
    (["review", "123456"], "open https://hanab.live/export/123456, save the page"),
    (["max", "123456#9"], "open https://hanab.live/export/123456, save the page"),
    (["deal", "https://hanab.live/replay-json/"], "link: found 0 commas, expected 2"),
    (["deal", "215ab%,00,0"], "link, first part, character 6: found '%'"),
    (["deal", "215abc,03a,0"], "half an action"),
    (["deal", "215abc,00,9999"], "link, third part: unknown variant id 9999"),
    (["convert", "p3v0s1", "--to", "picture"], "'--to'"),
    (["convert", "p3v0s1"], "missing option '--to'"),
    (["convert", "p3v0s1", "--to", "url", "--turn", "5"], "--turn: found 5, expected 1 to 1"),
    (["convert", "p3v0s1..p3v0s2", "--to", "position"], "--to position: found 2 decks, expected one"),
    (["variants", "no such variant"], "unknown variant 'no such variant'"),
    (["analyze", "p3v0s1", "--convention", "smart", "--seed", "-1"], "'--seed'"),
    (["review", "p3v0s1", "--convention", "smart", "--seed", "-1"], "'--seed'"),
    (["frobnicate"], "no such command 'frobnicate'"),
    (["deal"], "missing argument"),
    (["deal", "p3v0s1", "--turns", "5"], "no such option: --turns"),
]

FILES = [
    ("a.json", "{", "a.json: line 1, column 2: found no valid JSON"),
    ("a.json", '{"players": ["Ann" "Ben"]}', "a.json: line 1, column 20"),
    ("a.json", "[1, 2]", "a.json: the file: found [1, 2]"),
    ("a.json", "{" * 3000, "a.json: line 1"),
    ("a.json", game()[:-1] + ', "actions": []}', "a.json: found the key 'actions' twice in one object"),
    ("a.json", game(options={})[:-2] + '"variant": "6 Suits", "variant": "No Variant"}}', "the key 'variant' twice"),
    ("a.json", "[" * 100_000, "nested too deeply"),
    ("a.json", '{"deck": [], "init": {}}', "log of the live protocol"),
    ("a.json", game(players=["Ann"]), "a.json: players: found 1 names, expected 2 to 6"),
    ("a.json", game(deck=[*CARDS, CARDS[0]]), "a.json: deck: found 51 cards"),
    ("a.json", game(deck=[{"suitIndex": 9, "rank": 1}]), "a.json: deck[0].suitIndex: found 9, expected 0"),
    ("a.json", game(deck=None), "a.json: deck: found nothing"),
    ("a.json", game(seed="p3v0s1", deck="x"), "a.json: deck: found 'x'"),
    ("a.json", game(options={"variant": "7 Suits"}), "options.variant: unknown variant '7 Suits'"),
    ("a.json", game(options={"startingPlayer": 3}), "options.startingPlayer: found 3"),
    ("a.json", game(characters=[{"name": "Slow-Witted"}]), "characters[0]: detrimental characters"),
    ("a.json", play((0, 99, 0)), "actions[0].target: found 99"),
    ("a.json", play((9, 0, 0)), "actions[0].type: found 9"),
    ("a.json", play((3, 1, 9)), "actions[0].value: found 9"),
    ("a.jsonl", game() + "\n" + game(players=7) + "\n", "a.jsonl: line 2: players: found 7"),
    ("a.txt", "", "a.txt: found an empty file"),
    ("a.txt", "r1 b4 x9\n", "a.txt: line 1: deck, card 3: found 'x9', expected a card of No Variant"),
    ("a.txt", "# ok\n" + "r1 " * 51, "a.txt: line 2: deck: found 51 cards, expected at most the 50"),
    ("a.txt", "p3v0s1\np9v0s1\n", "a.txt: line 2: seed 'p9v0s1'"),
    ("a.txt", "\x00\x01", "a.txt: line 1"),
    ("a.yaml", "hands: [", "a.yaml: line 1, column 9: found no valid YAML"),
    ("a.yaml", "", "a.yaml: found an empty file"),
    ("a.yaml", "clues: 3", "a.yaml: line 1: found no `hands`"),
    ("a.yaml", POSITION + "clue: 3\n", "a.yaml: line 4, clue: found 'clue', expected one of"),
    ("a.yaml", POSITION + "clues: 9\n", "a.yaml: line 4, clues: found 9, expected 0 to 8"),
    ("a.yaml", POSITION + "to_move: Anne\n", "(nearest: Ann)"),
    ("a.yaml", POSITION.replace("b1", "b7"), "a.yaml: line 3, hands.Ben[0]: found 'b7'"),
    ("a.yaml", POSITION + "deck: 5\n", "a.yaml: line 4, deck: found 4 cards placed"),
    ("a.yaml", POSITION + "discards: [r5, r5]\n", "a.yaml: line 4, discards: found 2 times r5"),
    ("a.yaml", POSITION.replace("r1", "{card: r1, told: [2]}"), "line 2, hands.Ann[0]: found r1 told '2'"),
    ("a.yaml", POSITION + "fireworks: {w: 3}\n", "a.yaml: line 4, fireworks.w: found 'w'"),
    ("a.yaml", POSITION + "options: {mode: easy}\n", "a.yaml: line 4, options.mode: found 'easy'"),
    ("a.yaml", "a: &a [*a]\nhands: []\n", "found an alias"),
]

ILLEGAL = [
    (play((1, 0, 0)), "actions[0]: Ann may not discard"),
    (play((2, 0, 0)), "clue himself"),
    (play((2, 1, 4), (0, 0, 0)), "actions[1]: Ben may not play"),
    (play((4, 0, 1)), "actions[0]: Ann may not end the game"),
]


def check(outcome: Any, says: str) -> None:
    assert outcome.code == 2, outcome
    assert outcome.out == ""
    assert outcome.err.startswith("error: ") and outcome.err.count("\n") == 1, outcome.err
    assert "Traceback" not in outcome.err
    assert says in outcome.err
    assert len(outcome.err) < 400


def test_there_are_enough_cases() -> None:
    assert len(SOURCES) + len(FILES) + len(ILLEGAL) >= 60


@pytest.mark.parametrize(("args", "says"), SOURCES, ids=[" ".join(row[0]) for row in SOURCES])
def test_wrong_arguments(args: list[str], says: str, run: Callable[..., Any]) -> None:
    check(run(*args, "--quiet"), says)


@pytest.mark.parametrize(("name", "text", "says"), FILES, ids=[row[2][:40] for row in FILES])
def test_wrong_files(name: str, text: str, says: str, run: Callable[..., Any], tmp_path: Path,
                     monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text)
    players = () if name == "a.yaml" else ("--players", "3")
    check(run("deal", name, *players, "--json", "--quiet"), says)
    check(run("deal", "--quiet", "--json", name, *players), says)  # not found early, but by the command


@pytest.mark.parametrize(("text", "says"), ILLEGAL, ids=[row[1] for row in ILLEGAL])
def test_illegal_actions(text: str, says: str, run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    named = f"error: {path}: "
    for args in (("convert", str(path), "--to", "position"), ("max", str(path)), ("max", "p3v0s2", str(path))):
        outcome = run(*args, "--quiet")
        check(outcome, says)
        assert outcome.err.startswith(named), outcome.err  # one of many files may be meant


def test_a_traceback_only_with_debug(run: Callable[..., Any]) -> None:
    outcome = run("deal", "p7v0s1", "--debug")
    assert outcome.code == 2 and "Traceback" in outcome.err
    assert outcome.err.splitlines()[-1].startswith("error: seed 'p7v0s1'")


def test_an_impossible_hidden_hand_names_the_file(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(POSITION.replace("r1", "{card: '?', told: [1, 2]}"))
    for command in ("analyze", "deduce"):
        check(run(command, str(path), "--quiet"), f"error: {path}: Ann slot 1: no card of No Variant")
