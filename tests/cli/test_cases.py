"""Small public files (tests/data/cases) that were answered wrongly or refused, each with its right answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hanasolve.hanabi.deduction import Deduction
from hanasolve.hanabi.game.records import Replay
from hanasolve.hanabi.game.table import from_replay, hidden_seats
from hanasolve.hanabi.notation.source import read_source
from hanasolve.hanabi.ranking.known_deck.known_part import bracket, falls
from hanasolve.hanabi.ranking.moves import ceiling
from hanasolve.hanabi.search.solve import solve

Run = Callable[..., Any]
CASES = Path(__file__).parents[1] / "data" / "cases"
GAME, CUT = str(CASES / "game-5p-no-options.json"), str(CASES / "truncated-deck-game.json")
FROM_END = "asked from the end of the record"


def fields(run: Run, *args: str, code: int = 0) -> dict[str, Any]:
    found = run(*args, "--json", "--quiet")
    assert found.code == code, found
    parsed: dict[str, Any] = json.loads(found.out)
    return parsed


# ----------------------------------------------------------------------------------------- a game that is over


def test_a_finished_game_says_from_where_it_was_asked(run: Run) -> None:
    found = run("max", GAME, "--target", "25")
    assert found.code == 1
    assert f"{FROM_END}: the game is over with 23 (amazing)" in found.out
    assert "the game is over (--turn 1 asks from the start)" in found.out
    assert FROM_END in run("max", GAME).out
    at_the_start = run("max", GAME, "--target", "25", "--turn", "1")
    assert at_the_start.code == 0 and FROM_END not in at_the_start.out


def test_a_game_in_progress_says_it_too(run: Run, tmp_path: Path) -> None:
    record = json.loads(Path(GAME).read_text())
    path = tmp_path / "a.json"
    path.write_text(json.dumps({**record, "actions": record["actions"][:40]}))
    found = run("max", str(path), "--target", "25")
    assert found.code == 1 and f"{FROM_END}, turn 41; --turn 1 asks from the start" in found.out
    assert FROM_END not in run("max", "p2v0s1").out  # a deck is asked from its start


def test_many_inputs_say_it_in_the_reason(run: Run) -> None:
    found = run("max", GAME, "p2v0s1")
    assert f"{GAME}: 23, the game is over (--turn 1 asks from the start)" in found.out


def test_analyze_names_turns_that_it_can_answer(run: Run) -> None:
    found = run("analyze", GAME)
    assert found.code == 2
    assert "the game is over here with 23 (amazing)" in found.err
    assert "--turn 53 (before its last action) or --turn 1" in found.err


def test_deduce_shows_the_final_score(run: Run) -> None:
    assert "final score 23 of 25 (amazing), clues 4" in run("deduce", GAME).out
    assert fields(run, "deduce", GAME)["stats"]["score_word"] == "amazing"


def test_the_word_stands_with_the_score_of_a_review_and_its_page(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    asked = ("review", GAME, "--open-states", "0")
    assert "score 23 (amazing); the deck allowed 25 of 25" in run(*asked, "--html", str(page)).out
    assert fields(run, *asked)["score_word"] == "amazing"
    assert "of 25, amazing" in page.read_text()


@pytest.mark.parametrize(("option", "word"), [({}, "amazing"), ({"score_words": "abacus"}, "very good")])
def test_the_edition_of_the_words_is_a_rule(option: dict[str, str], word: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({**json.loads(Path(GAME).read_text()), "tableOptions": option}))
    assert fields(run, "max", str(path))["results"][0]["score_word"] == word


def test_the_scale_is_a_rule(run: Run, tmp_path: Path) -> None:
    """25 of 30 is step 5 in proportion and step 6 by the table for 25."""
    path = tmp_path / "a.yaml"
    text = (
        "variant: 6 Suits\nplayers: 2\nfireworks: {r: 5, y: 5, g: 5, b: 5, p: 4}\n"
        "hands: [[p5], [r1]]\ndiscards: rest\ndeck: 0\nturns_left: 2\n"
    )
    for options, word in (("", "excellent"), ("options: {scale: absolute}\n", "legendary")):
        path.write_text(text + options)
        result = fields(run, "max", str(path))["results"][0]
        assert (result["score"], result["score_word"]) == (25, word)


# ------------------------------------------------------------------------------------------ decks in brackets


def test_lists_in_brackets_are_decks(run: Run) -> None:
    path = str(CASES / "decks-in-brackets.txt")
    results = fields(run, "max", path, "--players", "2")["results"]
    assert [row["score"] for row in results] == [25, 24]
    assert "expected --players N" in run("max", path).err


@pytest.mark.parametrize("line", ["[r1, b4, y2]", '["r1", "b4", "y2"],', "[r1 b4 y2]  # three", "['r1','b4','y2']"])
def test_shapes_of_lists(line: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(f"# decks\n{line}\n\n{line}\n")
    results = fields(run, "deal", str(path), "--players", "2")["results"]
    assert [row["deck"] for row in results] == 2 * [["r1", "b4", "y2"]]


# ------------------------------------------------------------------------------------- a deck that is cut short


def test_a_game_is_read_up_to_the_action_whose_card_is_missing(run: Run) -> None:
    found = run("max", CUT, "--turn", "10")
    assert found.code == 3
    assert "actions[20]: card 25 of the deck is not known; read is what comes before it, 20 actions" in found.err
    assert "best score: between 10 and 30, 30 cards of the deck are not known" in found.out
    assert run("max", CUT, "--target", "31").code == 1 and run("max", CUT, "--target", "9").code == 0


def test_every_command_works_on_the_part_that_is_there(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    told = fields(run, "review", CUT, "--html", str(page))
    assert len(told["turns"]) == 20 and (told["maximum"], told["deck_known"]) == (30, False)
    assert "at most <b>30</b>" in page.read_text()
    assert fields(run, "deduce", CUT)["unknown_to_all"] == ["Bob slot 1"]
    assert len(fields(run, "deduce", CUT, "--turn", "10")["cards"]) == 15
    assert len(json.loads(run("convert", CUT, "--to", "json").out)["actions"]) == 20
    moves = fields(run, "analyze", CUT, "--turn", "10", "--method", "open-hands-sampled", "--rollouts", "2")["moves"]
    assert "play b2 (slot 4)" in [move["text"] for move in moves]


def test_a_link_is_read_as_far(run: Run) -> None:
    url = run("convert", CUT, "--to", "url", "--force").out.strip()
    assert fields(run, "deduce", url)["turn"] == 21


def replay_of(path: str, known: int) -> Replay:
    record = next(read_source(path)).record
    assert isinstance(record, Replay)
    return replace(record, deck=record.deck[:known], actions=record.actions)


@pytest.mark.parametrize("known", [24, 33, 42, 47])
def test_the_bracket_of_a_part_holds_for_the_whole(known: int) -> None:
    whole = replay_of(GAME, 50)
    count = next((i for i, one in enumerate(whole.actions) if one.type < 2 and one.target >= known), len(whole.actions))
    part = replace(whole, deck=whole.deck[:known], actions=whole.actions[:count])
    bounds = list(falls(part))
    for turn in (1, count // 2, count):
        found, exact = bracket(part, from_replay(part, turn)), solve(from_replay(whole, turn)).score
        assert found.score <= exact <= found.upper_bound == ceiling(from_replay(whole, turn))
    assert all(fall.max_after >= solve(from_replay(whole, fall.number + 1)).score for fall in bounds[-3:])


def test_a_clue_says_nothing_about_a_card_that_is_not_known() -> None:
    part = replay_of(CUT, 25)
    table = from_replay(part)
    assert hidden_seats(table) == [1, 2]
    assert table.game["told_yes"][25] == table.game["told_no"][25] == 0
    Deduction(table)  # no card would be missed by 5 in this variant


# ------------------------------------------------------------------------------------------- what is possible


def test_one_sentence_about_what_is_possible(run: Run) -> None:
    path = str(CASES / "negative-pace.yaml")
    text = run("deduce", path).out
    assert "score 21 of at most 24 still possible (25 full, too few turns for more)" in text
    assert "impossible" not in text
    assert fields(run, "deduce", path)["stats"]["at_most"] == fields(run, "max", path)["results"][0]["score"] == 24


def test_the_last_round_allows_no_more_than_its_turns(run: Run) -> None:
    assert "score 21 of at most 23 still possible" in run("deduce", GAME, "--turn", "52").out


# ------------------------------------------------------------------------------------------- two hidden hands


def test_cards_that_the_player_sees_but_the_file_leaves_open(run: Run) -> None:
    path = str(CASES / "two-hidden-hands.yaml")
    text = run("deduce", path, "--player", "Bob").out
    assert "Bob sees cards that are not named here: they count as unknown to all" in text
    found = fields(run, "deduce", path, "--player", "Bob")
    assert found["unknown_to_all"] == [f"Alice slot {slot}" for slot in range(1, 6)]
    threes = found["cards"][7]["holder"]["probabilities"]  # one r3 is gone: nine copies are left
    assert threes == {"r3": "1/9", "y3": "2/9", "g3": "2/9", "b3": "2/9", "p3": "2/9"}


def test_moves_are_ranked_with_them_drawn(run: Run) -> None:
    path = str(CASES / "two-hidden-hands.yaml")
    found = fields(run, "analyze", path, "--player", "Bob", "--rollouts", "60")
    assert found["method"] == "hidden-rollouts" and "cards of Alice are not named" in found["assumes"]
    targets = {move["action"]["target"] for move in found["moves"] if move["action"]["type"] > 1}
    assert targets == {2}  # which clues to Alice are possible is not known
    assert len(found["moves"]) == 18
    exact = run("analyze", path, "--player", "Bob", "--method", "hidden-exact")
    assert exact.code == 3 and "cards of Alice are not named" in exact.err
