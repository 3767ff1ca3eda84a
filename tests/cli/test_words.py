"""What reasons and sentences say of moves, losses and ends: only what is new, and nothing of 0 or 100 per cent."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
COPIES = (3, 2, 2, 2, 1)


def game(path: Path, first: str, actions: list[list[int]], **options: Any) -> str:
    """A game of two whose deck begins with these cards."""
    left = [(suit, rank) for suit in range(5) for rank in range(1, 6) for _ in range(COPIES[rank - 1])]
    begin = [("rygbp".index(card[0]), int(card[1])) for card in first.split()]
    for card in begin:
        left.remove(card)
    record = {
        "players": ["Ann", "Ben"],
        "deck": [{"suitIndex": suit, "rank": rank} for suit, rank in [*begin, *left]],
        "actions": [dict(zip(("type", "target", "value"), action, strict=True)) for action in actions],
        "options": options,
    }
    path.write_text(json.dumps(record))
    return str(path)


def two_losses(path: Path) -> str:
    """Ann throws r5 away on turn 3 and y5 on turn 5."""
    clues = [[3, 1, 1], [3, 0, 5], [1, 0, 0], [3, 0, 5], [1, 1, 0], [3, 0, 1]]
    return game(path, "r5 y5 r1 r1 g1 b1 b1 g1 y1 p1", clues)


def test_the_reason_of_a_fall_is_what_was_lost_then(run: Run, tmp_path: Path) -> None:
    path = two_losses(tmp_path / "a.json")
    found = json.loads(run("review", path, "--open-states", "0", "--json", "--quiet").out)["turns"]
    assert [(turn["max_after"], turn["why"]) for turn in found[2:5]] == [
        (20 + 4, "no copy of r5 is left"), (24, None), (23, "no copy of y5 is left"),
    ]  # fmt: skip


def test_the_reason_of_a_move_is_what_it_would_lose(run: Run, tmp_path: Path) -> None:
    out = run("analyze", two_losses(tmp_path / "a.json"), "--turn", "5").out
    assert "the maximum falls from 24 to 23: no copy of y5 is left" in out


def test_max_names_all_that_is_gone(run: Run, tmp_path: Path) -> None:
    path = two_losses(tmp_path / "a.json")
    assert "why no more: no copy of r5 and y5 are left" in run("max", path).out
    goal = json.loads(run("max", path, "--target", "24", "--json", "--quiet").out)["results"][0]
    assert (goal["reachable"], goal["reason"]) == (False, "no copy of r5 and y5 are left")


def test_max_names_what_stops_the_rest_beside_what_is_gone(run: Run, tmp_path: Path) -> None:
    """r5 is gone; p5 p4 p3 come in this order, for two last turns."""
    path = tmp_path / "a.yaml"
    path.write_text(
        "players: 2\nfireworks: {r: 4, y: 5, g: 5, b: 5, p: 2}\ndiscards: rest\n"
        "hands: [[g1], [g3]]\ndeck: [p5, p4, p3]\nclues: 0\n"
    )
    found = json.loads(run("max", str(path), "--json", "--quiet").out)["results"][0]
    assert found["score"] == 22
    gone, late = found["reason"].split("; ")
    assert gone == "no copy of r5 is left" and "p3" in late and "p4" in late


HIDDEN = """players: [Ann, Ben]
fireworks: {r: 3, y: 5, g: 5, b: 5, p: 3}
discards: [r1, r1, r2, r3, r4, p1, p1, p2, p3, p4]
hands:
  Ann: [{told: [4]}, {told: [1]}, {told: [5, red]}, {told: [not 4, not 5]}, "?"]
  Ben: [g2, g3, b2, b3, y1]
clues: 3
"""


def test_chances_of_nothing_and_of_all_are_words(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(HIDDEN)
    found = run("analyze", str(path), "--method", "hidden-rollouts", "--rollouts", "30", "--no-confirm", "--json")
    why = {move["text"]: move["why"] for move in json.loads(found.out)["moves"]}
    assert not any(f"with {share} %" in words for words in why.values() for share in (0, 100))
    assert why["discard slot 2"].startswith("discards trash certainly")
    assert why["discard slot 3"].startswith("discards r5, the last copy, certainly")
    assert "trash with" in why["discard slot 1"]


def test_a_card_that_cannot_be_trash(run: Run) -> None:
    cases = Path(__file__).parents[1] / "data" / "cases" / "two-hidden-hands.yaml"
    found = run("analyze", str(cases), "--player", "Bob", "--rollouts", "40", "--no-confirm", "--json", "--quiet")
    why = {move["text"]: move["why"] for move in json.loads(found.out)["moves"]}
    assert why["discard slot 3"].startswith("discards no trash; discards the last r3 with 1/9")


def test_a_clue_that_touches_nothing(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(HIDDEN + "options: {empty_clues: allow}\n")
    found = run("analyze", str(path), "--method", "hidden-rollouts", "--rollouts", "30", "--no-confirm", "--json")
    why = {move["text"]: move["why"] for move in json.loads(found.out)["moves"]}
    assert why["clue red to Ben"].startswith("red touches no card of Ben")
    assert not any("no slot" in words for words in why.values())


OVER = """{options}players: [Ann, Ben]
fireworks: {{r: 4, y: 5, g: 5, b: 5, p: 5}}
discards: [r5]
hands: [[r1, r1, r2], [g1, g1, b1]]
"""


def test_a_position_in_which_no_more_can_be_placed_is_over(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(OVER.format(options=""))
    assert "the game is over here with 24 (amazing)" in run("analyze", str(path)).err
    assert "final score 24 of 25 (amazing)" in run("deduce", str(path)).out
    path.write_text(OVER.format(options="options: {stop_when_dead: false}\n"))  # the printed rules play on
    assert "Ann to move" in run("deduce", str(path)).out


@pytest.mark.parametrize(
    ("change", "over"),
    [
        ("turns_left: 1\n", True),  # Ben's r5 has had its last turn
        ("turns_left: 2\n", False),
        ("options: {mode: perfect_or_defeat}\n", False),
        ("options: {mode: perfect_or_defeat, hand_size: 1}\nclues: 0\n", True),  # Ann has neither card nor token
        ("options: {speedrun: true}\n", False),
    ],
)
def test_other_ends_of_positions(change: str, over: bool, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    own = "" if "clues: 0" in change else "g1"
    text = (
        "players: [Ann, Ben]\nfireworks: {r: 4, y: 5, g: 5, b: 5, p: 5}\ndiscards: rest\n"
        f"deck: 0\nhands: [[{own}], [r5]]\n"
    )
    path.write_text(text + change)
    assert ("the game is over" in run("deduce", str(path)).out) == over


# --------------------------------------------------------------------- what was dropped without a word, or without use


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["max", "p2v0s1", "--variant", "0", "--variant=1"], "--variant: found 2 times, expected once"),
        (["compare", "simple", "--players", "2", "--players", "3"], "--players: found 2 times"),
        (["koikoi", "compare", "greedy+stop", "random+stop", "--pairs", "1", "--pairs", "2"], "--pairs: found 2 times"),
        (["compare", "simple", "--rule", "strikes_max=1", "--rule", "strikes_max=2"], "strikes_max: found 1 and 2"),
        (["koikoi", "max", "--seed", "1", "-o", "cup=both", "-o", "cup=animal"], "option cup: found both and animal"),
        (["koikoi", "compare", "greedy+stop", "random+stop", "--rounds", "7", "-o", "rounds=6"], "found 7 and"),
    ],
)
def test_what_is_said_twice_is_refused(args: list[str], says: str, run: Run) -> None:
    found = run(*args)
    assert found.code == 2 and says in found.err and found.out == ""


@pytest.mark.parametrize(
    ("more", "rounds"), [([], 12), (["-o", "rounds=3"], 3), (["--rounds", "2"], 2), (["--rules", "koikoi-ai"], 8)]
)
def test_rounds_of_a_match_are_those_that_were_asked_for(more: list[str], rounds: int, run: Run) -> None:
    found = run("koikoi", "compare", "greedy+stop", "progress+stop", "--pairs", "2", *more, "--json")
    assert json.loads(found.out)["options"]["rounds"] == rounds


def test_options_that_decide_nothing_are_named(run: Run) -> None:
    asked = ("koikoi", "max", "--seed", "1", "--values")
    assert "option dealer_tie decides nothing in koikoi max" in run(*asked, "-o", "dealer_tie=class").err
    assert "option lucky_both decides nothing in koikoi max" in run(*asked, "-o", "lucky_both=dealer").err
    assert "decides nothing" not in run(*asked, "-o", "cup=animal").err


def test_printed_options_among_those_of_the_site(run: Run, tmp_path: Path) -> None:
    """With one strike allowed Ann's misplay ends the game."""
    path = game(tmp_path / "a.json", "r5 y5 r1 r1 g1 b1 b1 g1 y1 p1", [[0, 0, 0]], strikes_max=1)
    assert "final score 0 of 25 (horrible, lost)" in run("deduce", path).out
    text = Path(path).read_text()
    Path(path).write_text(text.replace('"options"', '"tableOptions": {"strikes_max": 2}, "options"'))
    found = run("deduce", path)
    assert found.code == 2 and "tableOptions.strikes_max: found 2, expected 1 as in options" in found.err
    both = game(tmp_path / "b.json", "r5", [], emptyClues=True, empty_clues="forbid")
    assert "options.empty_clues: found 'forbid', expected allow as in the site's options" in run("deduce", both).err
    assert "options.strikes_max" in run("deduce", game(tmp_path / "c.json", "r5", [], strikes_max=0)).err


def test_a_comparison_without_links_shows_none(run: Run) -> None:
    found = run("compare", "simple", "value", "--variant", "six-suits", "--players", "2", "--games", "3", "--quiet")
    assert found.code == 0 and "None" not in found.out and "worst games of simple: p2v0s" in found.out
    linked = run("compare", "simple", "--players", "2", "--games", "3", "--quiet")
    assert linked.out.count("https://hanab.live/replay-json/") == 1
