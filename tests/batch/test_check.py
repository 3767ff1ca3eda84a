"""The check of a user's convention finds what is wrong, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from hanasolve.batch.games import find_conventions
from hanasolve.batch.soundness import Check, check_convention
from hanasolve.errors import UnsupportedVariant
from hanasolve.hanabi.game.variants import NO_VARIANT, load_variant
from hanasolve.hanabi.notation.replay_url import parse_url
from hanasolve.report.render import render

_FRAME = """
import numpy as np
from hanasolve.hanabi.conventions.convention import Convention
from hanasolve.hanabi.conventions.tools.building_blocks import (
    card_at,
    clue_rank,
    discard_card,
    play_card,
    seat_after,
)
from hanasolve.jit import inline_kernel

secret = [0]
games = [0]

@inline_kernel
def pass_time(view):
    if view["clues"] < view["clues_max"]:
        return discard_card(0)
    seat = seat_after(view, view["seat"], 1)
    return clue_rank(seat, card_at(view, seat, 0) % 5 + 1)

def decide(view, memory):
    {decide}

def update(view, memory, event):
    {update}

mine = Convention("mine", "Made up.", pair=(decide, update), shared={shared})
"""


def checked(
    folder: Path, decide: str, update: str = "return 0", shared: bool = False, games: int = 6
) -> Check:
    file = folder / "mine.py"
    file.write_text(_FRAME.format(decide=decide, update=update, shared=shared))
    return check_convention(find_conventions([str(file)])[0], load_variant(NO_VARIANT), [3], games)


def test_the_template_is_sound_for_all_tables(tmp_path: Path) -> None:
    file = tmp_path / "friday.py"
    file.write_text(render("convention.py.txt", name="friday", file="friday.py", rules={}))
    check = check_convention(find_conventions([str(file)])[0], load_variant(NO_VARIANT), [2, 3, 4, 5], 12)
    assert check.ok and check.games == 12 and list(check.means) == [2, 3, 4, 5]
    assert check.leaks_checked >= 8 and check.plain_per_second and check.compiled_per_second


@pytest.mark.parametrize("name", ["info", "smart"])
def test_a_clue_that_means_something_else_on_another_deal_is_no_leak(name: str) -> None:
    """One memory for all is written by whoever acts: with it, `info` was reported in its first game."""
    check = check_convention(find_conventions([name])[0], load_variant(NO_VARIANT), [3], 60)
    assert check.ok and check.leaks_checked > 50, check.problems


def test_the_costs_of_a_search_are_no_difference() -> None:
    check = check_convention(find_conventions(["search:simple:20"])[0], load_variant(NO_VARIANT), [2], 1)
    assert check.ok and check.games == 1, check.problems


@pytest.mark.parametrize("name", ["simple", "cheat", "iggi"])
def test_built_in_conventions_are_sound(name: str) -> None:
    check = check_convention(find_conventions([name])[0], load_variant(NO_VARIANT), [3], 10)
    assert check.ok and check.games == 10 and check.plain_per_second is None
    assert (check.leaks_checked == 0) == (name == "cheat")


def test_an_illegal_move_is_named(tmp_path: Path) -> None:
    check = checked(tmp_path, "return discard_card(0)")
    assert not check.ok and len(check.problems) == 5 and check.games == 0
    problem = check.problems[0]
    assert (problem.kind, problem.seed, problem.turn) == ("illegal move", "p3v0s1", 1)
    assert problem.text == "discard of hand index 0 is illegal (discard_at_max_clues)"
    assert problem.url is not None and parse_url(problem.url).turn == 1


def test_a_crash_is_named_with_its_line(tmp_path: Path) -> None:
    code = "if view['turn'] == 4: return 1 // (int(view['turn']) - 4)\n    return pass_time(view)"
    problem = checked(tmp_path, code).problems[0]
    assert (problem.kind, problem.turn) == ("crash", 5)
    lines = (tmp_path / "mine.py").read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "== 4" in text)
    assert f"ZeroDivisionError in decide, {tmp_path / 'mine.py'}:{line}: " in problem.text
    assert problem.url is not None and len(parse_url(problem.url).actions) == 4


def test_a_function_that_does_not_return_is_named_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hanasolve.batch.watched_game.PATIENCE", 0.2)
    check = checked(tmp_path, "while view['turn'] == 2: memory['notes'][0] = 1\n    return pass_time(view)")
    (problem,) = check.problems
    assert (problem.kind, problem.seed, problem.turn) == ("no answer", "p3v0s1", 3)
    lines = (tmp_path / "mine.py").read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "while" in text)
    assert f"still in decide, {tmp_path / 'mine.py'}:{line} after 0.2 s" in problem.text


@pytest.mark.parametrize("answer", ["1.5", "None", "'play'"])
def test_an_answer_that_is_no_action_is_shown(tmp_path: Path, answer: str) -> None:
    check = checked(tmp_path, f"return {answer}")
    texts = [problem.text for problem in check.problems if problem.kind == "crash"]
    assert texts[0] == f"TypeError in decide: found {answer} as the answer, expected an action such as play_card(0)"


def test_notes_of_the_public_that_hold_a_secret_are_a_leak(tmp_path: Path) -> None:
    """One memory for all: the actor writes down what he sees in the next player's hand."""
    check = checked(
        tmp_path,
        "return pass_time(view)",
        "memory['notes'][0] = card_at(view, seat_after(view, view['seat'], 1), 0)\n    return 0",
        shared=True,
    )
    assert {problem.kind for problem in check.problems} == {"leak"}
    assert "has other notes in memory['notes']" in check.problems[0].text
    assert check.problems[0].turn is not None and check.problems[0].url is not None


def test_variables_of_the_module_are_a_leak_or_not_repeatable(tmp_path: Path) -> None:
    check = checked(
        tmp_path,
        "return play_card(0) if secret[0] % 5 == 0 else pass_time(view)",
        "secret[0] = max(secret[0], card_at(view, 0, 0))\n    return 0",
    )
    kinds = {problem.kind for problem in check.problems}
    assert kinds & {"leak", "not repeatable", "compiled game differs", "does not compile"}
    assert not check.ok


def test_code_that_cannot_be_compiled_is_still_played(tmp_path: Path) -> None:
    check = checked(tmp_path, "return int('0') or sorted([pass_time(view)], key=str)[0]")
    assert [problem.kind for problem in check.problems] == ["does not compile"]
    assert check.games == 6 and check.leaks_checked > 0 and check.compiled_per_second is None


def test_a_table_it_was_not_made_for_is_refused() -> None:
    with pytest.raises(UnsupportedVariant, match="does not know the suits"):
        check_convention(find_conventions(["simple"])[0], load_variant("Rainbow (5 Suits)"), [3], 4)
