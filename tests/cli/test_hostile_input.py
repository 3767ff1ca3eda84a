"""What files, names and arguments of ill will can do: take time, write over the terminal, forge a second message."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanasolve.errors import HanasolveError, NotationError, printable
from hanasolve.hanabi.notation.jsonc import load_jsonc
from hanasolve.hanabi.notation.source import read_source

EVIL = "\x1b[2J\nerror: forged\u202e\x9b31m"
QUOTED = json.dumps(EVIL)
CARDS = [{"suitIndex": suit, "rank": rank} for suit in range(5) for rank in (1, 1, 1, 2, 2, 3, 3, 4, 4, 5)]
MILLION = 1_000_000


def game(**change: Any) -> str:
    return json.dumps({"players": ["Ann", "Ben"], "deck": CARDS, "actions": [], **change})


def position(**change: str) -> str:
    keys = {"players": "[Ann, Ben]", "hands": "[[r1, r2, y1, y1, y2], [b1, b2, g1, g1, g2]]", **change}
    return "".join(f"{key}: {value}\n" for key, value in keys.items())


KOIKOI = "game: koikoi\nto_move: A\nhand: [2p1, 3p1, 4p1, 5p1, 6p1, 7p1, 8p1, 9p1]\nfield: [1b, 2a, 3b, 4a, 5a, 6a]\n"

FILES = {
    "seed.json": game(seed=EVIL),
    "character.json": game(characters=[{"name": EVIL}]),
    "characters.json": game(characters=[{"name": {EVIL: EVIL}}]),
    "variant.json": game(options={"variant": EVIL}),
    "name.json": game(players=["Ann", EVIL]),
    "card.json": game(deck=[EVIL]),
    "action.json": game(actions=[{"type": EVIL}]),
    "option.json": game(tableOptions={EVIL: 1}),
    "key.json": f"{{{QUOTED}: 1, {QUOTED}: 2}}",
    "games.jsonl": f"{game(seed=EVIL)}\n{game(seed=EVIL)}\n",
    "cards.txt": f"r1 {EVIL}",
    "seeds.txt": f"p2v0s{EVIL}",
    "key.yaml": position() + f"{QUOTED}: 1\n",
    "name.yaml": position(players=f"[Ann, {QUOTED}]"),
    "card.yaml": position(discards=f"[{QUOTED}]"),
    "told.yaml": position(hands=f"[[{{card: r1, told: [{QUOTED}]}}], [b1]]"),
    "variant.yaml": position(variant=QUOTED),
    "option.yaml": position(options=f"{{{QUOTED}: 1}}"),
    "suit.yaml": position(fireworks=f"{{{QUOTED}: 1}}"),
    "to_move.yaml": position(to_move=QUOTED),
    "koikoi-key.yaml": f"{KOIKOI}{QUOTED}: 1\n",
    "koikoi-rules.yaml": f"{KOIKOI}rules: {QUOTED}\n",
    "koikoi-option.yaml": f"{KOIKOI}options: {{{QUOTED}: 1}}\n",
    "koikoi-card.yaml": KOIKOI.replace("2p1", QUOTED),
    "about.toml": 'about = "\\u001b[2J\\nerror: forged"\nsource = "\\u001b[2J\\nerror: forged"\nbase = "hgroup1"\n',
    "rule.toml": '[[rule]]\ndo = "\\u001b[2J\\nerror: forged"\n',
    f"{EVIL.replace('/', '')}.json": game(),
    f"{EVIL}.yaml": position(),
}


def commands(name: str) -> list[list[str]]:
    if name.endswith(".toml"):
        return [["conventions", name], ["compare", name]]
    if name.startswith("koikoi"):
        return [["koikoi", "analyze", name], ["koikoi", "max", name], ["koikoi", "score", name]]
    players = () if name.endswith(".yaml") else ("--players", "2")
    if name.endswith(".yaml"):
        return [["deduce", name], ["convert", name, "--to", "position"]]
    return [["deal", name, *players], ["convert", name, "--to", "text", *players]]


@pytest.mark.parametrize("name", FILES, ids=printable)
def test_what_a_file_says_is_shown_with_its_control_characters_escaped(
    name: str, run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(FILES[name], encoding="utf-8")
    for args in commands(name):
        found = run(*args)
        assert found.code in (0, 2), found
        lines = [*found.out.split("\n"), *found.err.split("\n")]
        assert all(line.isprintable() for line in lines), found
        assert not any(line.startswith("error: forged") for line in lines), found
        assert found.code == 0 or found.err.splitlines()[-1].startswith("error: "), found
        assert "forged" not in found.out + found.err or "\\x1b[2J\\n" in found.out + found.err


def test_one_place_escapes_every_error_and_cuts_endless_words() -> None:
    assert str(NotationError(f"a: found {EVIL}")) == "a: found \\x1b[2J\\nerror: forged\\u202e\\x9b31m"
    assert str(NotationError("x" * 5000)) == "x" * 200 + " …"
    assert printable("r1 — „Zoë“ 花札") == "r1 — „Zoë“ 花札"
    link = "https://hanab.live/replay-json/" + "x" * 400
    assert printable(link) == link


LONG = "x" * 5000
TOO_LONG = [
    [command, *more]
    for command in ("max", "deduce", "analyze", "review", "deal", "convert")
    for more in ([LONG], [f"{LONG}#3"], [f"a/{LONG}.json"], ["--quiet", f"{LONG}#3"])
] + [
    ["max", "p2v0s1", "--out", f"{LONG}.csv"],
    ["review", "p2v0s1", "--html", LONG],
    ["convert", "p2v0s1", "--to", "json", "--out", LONG],
    ["compare", "simple", "--games", "1", "--html", LONG],
    ["compare", "simple", "--games", "1", "--save-games", LONG],
    ["compare", "simple", "--games", "1", "--out", f"{LONG}.csv"],
    ["compare", f"{LONG}.py"],
    ["compare", f"{LONG}.toml"],
    ["compare", LONG],
    ["conventions", LONG],
    ["conventions", "new", LONG],
    ["conventions", "check", f"{LONG}.py"],
    ["variants", LONG],
    ["koikoi", "score", LONG],
    ["koikoi", "max", LONG],
    ["koikoi", "max", "--deck", LONG],
    ["koikoi", "analyze", LONG],
    ["koikoi", "compare", f"{LONG}.py:Mine", "random"],
]  # fmt: skip


@pytest.mark.parametrize("args", TOO_LONG, ids=[" ".join(args).replace(LONG, "LONG") for args in TOO_LONG])
def test_names_of_several_thousand_characters_are_one_short_sentence(args: list[str], run: Callable[..., Any]) -> None:
    found = run(*args)
    assert found.code == 2 and found.out == "", found
    assert found.err.startswith("error: ") and found.err.count("\n") == 1
    assert len(found.err) < 900 and "fault" not in found.err


@pytest.mark.parametrize("name", [f"{LONG}#3", "a\0b#3", "a\0b", "/"])
def test_what_no_file_can_be_called_is_an_error_of_ours(name: str) -> None:
    with pytest.raises(HanasolveError):
        list(read_source(name))


COMMENTS = {
    "slashes": ",\n" + "/" * 40 + "\n",
    "slashes with blanks": "," + "// " * 40 + "\n",
    "blocks": "," + "/**/" * 20,
    "lines of slashes": "," + "// // //\n" * (MILLION // 5),
    "small blocks": "," + "/**/" * (MILLION // 2),
    "one block": ",/*" + "*" * 2 * MILLION + "*/",
    "blanks": "," + " " * 2 * MILLION,
    "commas in comments": ", // " + ",]" * MILLION + "\n",
}
OPEN = {
    "blocks that never close": ", /*" + "/* " * (MILLION // 2),
    "strings that never close": ", " + '"\\' * MILLION,
    "commas": ", " * MILLION,
    "half comments": ", " + "/ " * MILLION,
}


@pytest.mark.parametrize("name", COMMENTS)
def test_comments_take_time_linear_in_the_text(name: str) -> None:
    began = time.process_time()
    assert load_jsonc('{"a": [1, 2' + COMMENTS[name] + '], "b": "/*//*/,]"}') == {"a": [1, 2], "b": "/*//*/,]"}
    assert time.process_time() - began < 1


@pytest.mark.parametrize("name", OPEN)
def test_what_is_never_closed_is_found_as_fast(name: str) -> None:
    began = time.process_time()
    with pytest.raises(NotationError, match=r"^line 1, column 1[0-9]: found no valid JSON"):
        load_jsonc('{"a": [1' + OPEN[name])
    assert time.process_time() - began < 1


def test_a_key_that_stands_twice_among_many_is_found_fast() -> None:
    many = ",".join(f'"{number}":0' for number in range(100_000))
    began = time.process_time()
    with pytest.raises(NotationError, match="the key '99999' twice"):
        load_jsonc(f'{{{many},"99999":1}}')
    assert time.process_time() - began < 1
