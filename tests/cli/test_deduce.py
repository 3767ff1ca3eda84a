"""``hanasolve deduce``: text, JSON, views, explanations, and what it refuses."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from hanasolve.hanabi.notation.hanab_live import format_game, parse_record
from hanasolve.hanabi.notation.replay_url import format_url

ROOT = Path(__file__).parents[2]
LINES = gzip.decompress((ROOT / "tests/data/hanab_live/games.jsonl.gz").read_bytes())
GAMES = {game["file"]: game for game in map(json.loads, LINES.decode().splitlines())}
GAME = parse_record(GAMES["demo-no-variant"])
Run = Callable[..., Any]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "game.json"
    path.write_text(format_game(GAME))
    return str(path)


@pytest.fixture
def piped(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """``run`` with a text on standard input."""

    def call(text: str, *args: str) -> Any:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        return run(*args)

    return call


def scenario(name: str) -> str:
    (path,) = (ROOT / "scenarios").glob(f"deduce-{name}-*.yaml")
    return str(path)


def answer(outcome: Any) -> dict[str, Any]:
    assert outcome.code == 0, outcome.err
    result: dict[str, Any] = json.loads(outcome.out)
    assert result["schema"] == "hanasolve.deduce/1"
    return result


def card(result: dict[str, Any], player: str, slot: int) -> dict[str, Any]:
    found = [c for c in result["cards"] if (c["player"], c["slot"]) == (player, slot)]
    assert len(found) == 1
    return dict(found[0])


def test_json_of_a_position(run: Run) -> None:
    result = answer(run("deduce", scenario("w10"), "--json"))
    assert (result["turn"], result["player_to_move"], result["player"]) == (1, "Alice", "Alice")
    assert result["deals"] == "665"
    assert result["stats"]["score"] == 11
    first = card(result, "Alice", 1)
    assert (first["card"], first["clues"]) == (None, ["3"])
    assert first["holder"] == {
        "counting": "holder",
        "possible": ["r3", "y3", "g3", "b3", "p3"],
        "probabilities": {"r3": "1/7", "y3": "2/7", "g3": "2/7", "b3": "1/7", "p3": "1/7"},
        "playable": "4/7", "playable_float": 4 / 7,
        "trash": "1/7", "trash_float": 1 / 7,
        "critical": "1/7", "critical_float": 1 / 7,
    }  # fmt: skip
    bob = card(result, "Bob", 2)
    assert (bob["card"], bob["holder"]) == ("b5", None)  # what Bob sees of Alice's hand is hidden
    assert "b5" in bob["empathy"]["possible"]
    assert bob["common"]["counting"] == "common"


def test_every_view_of_a_game_is_a_distribution(run: Run, file: str) -> None:
    result = answer(run("deduce", file, "--turn", "30", "--player", "Bob", "--json"))
    assert (result["turn"], result["player_to_move"], result["player"]) == (30, "Emily", "Bob")
    assert len(result["cards"]) == 20
    for shown in result["cards"]:
        assert (shown["card"] is None) <= (shown["player"] == "Bob")
        for kind in ("holder", "empathy", "common"):
            view = shown[kind]
            assert view["possible"] == list(view["probabilities"])
            assert sum(map(Fraction, view["probabilities"].values())) == 1
            assert view["playable_float"] == float(Fraction(view["playable"]))
        assert set(shown["holder"]["possible"]) <= set(shown["empathy"]["possible"])
        assert set(shown["empathy"]["possible"]) <= set(shown["common"]["possible"])


def test_the_answer_does_not_depend_on_who_asks(run: Run, file: str) -> None:
    """Holder and common views are the same for every --player."""
    texts = set()
    for seat in range(5):
        result = answer(run("deduce", file, "--turn", "25", "--player", str(seat), "--json"))
        texts.add(json.dumps([(c["holder"], c["common"]) for c in result["cards"]]))
    assert len(texts) == 1


def test_a_link_and_standard_input_give_the_same(run: Run, piped: Run, file: str) -> None:
    expected = answer(run("deduce", file, "--turn", "12", "--player", "0", "--json"))
    text = Path(file).read_text()
    same = answer(piped(text, "deduce", "-", "--turn", "12", "--player", "0", "--json"))
    assert {**same, "source": file} == expected
    link = answer(run("deduce", f"{format_url(GAME)}#12", "--player", "0", "--json"))
    for field in ("stats", "deals"):
        assert link[field] == expected[field]
    for linked, known in zip(link["cards"], expected["cards"], strict=True):
        assert (linked["order"], linked["hints"]) == (known["order"], known["hints"])
        assert (linked["holder"], linked["empathy"]) == (known["holder"], known["empathy"])


def test_one_view_only(run: Run) -> None:
    result = answer(run("deduce", scenario("w08"), "--view", "common", "--json"))
    assert [card(result, name, 1)["common"]["possible"] for name in ("Alice", "Bob", "Cathy")] == [
        ["y4"], ["y4"], ["y5"]
    ]  # fmt: skip
    assert "holder" not in result["cards"][0]


def test_why_names_the_turn_of_a_clue(run: Run, file: str) -> None:
    told = next(c for c in answer(run("deduce", file, "--turn", "30", "--json"))["cards"] if c["hints"])
    order = told["order"]
    result = answer(run("deduce", file, "--turn", "30", "--why", f"order={order}", "--json"))
    assert result["why"] == {
        "order": order, "player": told["player"], "slot": told["slot"], "view": "holder"
    }  # fmt: skip
    gone = {entry["card"]: entry["by"] for entry in result["eliminated"]}
    assert set(gone) == {f"{s}{r}" for s in "rygbp" for r in range(1, 6)} - set(told["holder"]["possible"])
    for hint in told["hints"]:
        verb = "touched" if hint["touched"] else "missed"
        assert any(f"{verb} by {hint['clue']} (turn {hint['turn']})" in by for by in gone.values())


def test_why_in_text(run: Run) -> None:
    out = run("deduce", scenario("w05"), "--why", "slot=1").out
    assert "can be  r3 33% y3 33% g3 33%" in out
    assert "not     r1245 y1245 g1245 b1245 p1245: touched by 3" in out
    assert "not     b3 p3: Alice slots 2, 3 use up b3 p3" in out


def test_why_common_knowledge_is_more_than_counting(run: Run) -> None:
    seen = answer(run("deduce", scenario("w08"), "--json"))
    order = card(seen, "Cathy", 1)["order"]
    result = answer(run("deduce", scenario("w08"), "--view", "common", "--why", f"order={order}", "--json"))
    reasons = {entry["card"]: entry["by"] for entry in result["eliminated"]}
    assert "it is common knowledge that Cathy holds y5" in reasons["y4"][0]
    assert reasons["y3"] == ["both copies are located: fireworks, discard pile"]


def test_text_names_the_view(run: Run, file: str) -> None:
    out = run("deduce", scenario("w09")).out
    assert "Alice, holder view (what Alice knows)" in out
    assert "Bob, empathy (what Alice knows that Bob knows)" in out
    assert "\x1b" not in out
    row = next(line for line in run("deduce", scenario("w02")).out.splitlines() if "   1   ?" in line)
    assert row.split()[2:] == "yellow 17% 0% 33% y1 17% y2 33% y3 17% y4 17% y5 17%".split()


def test_a_seed_is_the_start(run: Run) -> None:
    result = answer(run("deduce", "p3v0s17", "--json"))
    assert result["turn"] == 1
    assert result["stats"]["pace"] == 13
    assert all(c["clues"] == [] for c in result["cards"])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("hands: {Alice: [{told: [red, blue]}], Bob: []}\n", ["Alice slot 1", "red", "blue"]),
        ("hands: {Alice: ['?'], Bob: [{card: y1, told: [red]}]}\n", ["Bob", "y1", "red"]),
        ("hands: {Alice: ['?'], Bob: [r1, r1, r1, r1, r1]}\n", ["r1"]),
        (
            "discards: [b5]\nhands: {Alice: [{told: [5, blue]}], Bob: []}\n",
            ["Alice slot 1", "b5", "discard pile"],
        ),
    ],
)
def test_impossible_positions(piped: Run, text: str, named: list[str]) -> None:
    outcome = piped(text, "deduce", "-")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: ")
    for word in named:
        assert word in outcome.err


def test_wrong_cards_for_why(run: Run) -> None:
    for word, expected in (("slot=9", "1 to 2"), ("first", "order=14"), ("order=49", "card in a hand")):
        outcome = run("deduce", scenario("w02"), "--why", word)
        assert outcome.code == 2
        assert expected in outcome.err
    order = card(answer(run("deduce", scenario("w10"), "--json")), "Bob", 1)["order"]
    hidden = run("deduce", scenario("w10"), "--view", "holder", "--why", str(order))
    assert hidden.code == 2
    assert "does not show" in hidden.err


# ---------------------------------------------------------------------------------------- under a convention

# Alice clues red to Bob, whose only red card is on his chop; Bob plays it; Cathy clues 5 to Alice's chop.
FIRST_TURNS = str(ROOT / "tests/data/hgroup/first-turns.json")


def test_a_play_clue_under_a_convention(run: Run) -> None:
    """A colour clue saves no card here (no critical card yet, 2s and 5s are saved by number): it is r1."""
    told = answer(run("deduce", FIRST_TURNS, "--turn", "2", "--player", "Bob", "--convention", "hgroup1", "--json"))
    clued = card(told, "Bob", 5)
    assert clued["holder"]["possible"] == ["r1", "r2", "r3", "r4", "r5"]
    assert set(clued["convention"]) == {"name", "inferred", "common", "playable", "asked", "reason"}
    assert clued["convention"]["name"] == "hgroup1"
    assert clued["convention"]["inferred"] == clued["convention"]["common"] == ["r1"]
    assert clued["convention"]["playable"] is True
    assert clued["convention"]["reason"]
    assert all(set(other["convention"]) == set(clued["convention"]) for other in told["cards"])
    assert not card(told, "Bob", 1)["convention"]["playable"]
    plain = answer(run("deduce", FIRST_TURNS, "--turn", "2", "--player", "Bob", "--json"))
    assert all("convention" not in other for other in plain["cards"])


def test_a_save_clue_under_a_convention(run: Run) -> None:
    told = answer(run("deduce", FIRST_TURNS, "--turn", "4", "--player", "Alice", "--convention", "hgroup1", "--json"))
    saved = card(told, "Alice", 5)["convention"]
    assert saved["common"] == ["r5", "y5", "g5", "b5", "p5"]
    assert saved["playable"] is False


def test_a_convention_in_text(run: Run) -> None:
    out = run("deduce", FIRST_TURNS, "--turn", "2", "--player", "Bob", "--convention", "hgroup1").out
    assert out.count("under hgroup1:") == 3


def test_a_position_has_no_turns_to_read(run: Run) -> None:
    outcome = run("deduce", scenario("w10"), "--convention", "hgroup1")
    assert outcome.code == 2
    assert "is a single position" in outcome.err
    assert "give the game (hanab.live JSON or a replay link) and --turn" in outcome.err


def test_a_convention_without_inferred_sets_is_refused(run: Run) -> None:
    outcome = run("deduce", FIRST_TURNS, "--convention", "smart")
    assert outcome.code == 2
    assert "found smart, expected hgroup1, hgroup2, hgroup3" in outcome.err
