"""The review's page in a real headless Chromium, held against the rules engine and the deduction.

Skipped only where there is no Chromium, and never where the environment variable CI is set.
"""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from hanasolve.answers.review import ReviewAnswer
from hanasolve.hanabi.deduction import Deduction
from hanasolve.hanabi.game import fireworks as board
from hanasolve.hanabi.game.records import Replay
from hanasolve.hanabi.game.table import Table, from_replay
from hanasolve.hanabi.notation.replay_url import parse_url
from hanasolve.hanabi.ranking.review.game_review import Review, ReviewOptions, review
from hanasolve.report.review_board import board_fields, face_of
from hanasolve.report.review_page import embedded_json, review_page

DATA = Path(__file__).parents[1] / "data" / "hanab_live" / "replays.json"
LINK = next(game["compact"] for game in json.loads(DATA.read_text())["games"] if "compact" in game)
NAMES = ("</script><b id=evil>A</b>", "O'Neil & \"Bob\"", "<img src=x onerror=alert(1)>", "Дональд")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="module")
def game() -> Replay:
    """A recorded game (24 of 25, lost at turn 50), with names that try to break out of the page."""
    return dataclasses.replace(parse_url(LINK), names=NAMES)


@pytest.fixture(scope="module")
def found(game: Replay) -> Review:
    return review(game, options=ReviewOptions(("smart", "value"), "smart", rollouts=20, open_states=2_000))


@pytest.fixture(scope="module")
def address(game: Replay, found: Review, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "review.html"
    path.write_text(review_page(ReviewAnswer("a link", game, found)), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    if CHROMIUM is None:
        assert not os.environ.get("CI"), "CI is set and there is no Chromium: apt-get install chromium chromium-driver"
        pytest.skip("no Chromium is installed: the review's page was not tested in a browser")
    driver = shutil.which("chromedriver")
    assert driver, "Chromium is installed, but no chromedriver: apt-get install chromium-driver"
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in [*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}", "--window-size=1280,900"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = webdriver.Chrome(options=options, service=Service(driver))
    yield chrome
    chrome.quit()


@pytest.fixture
def page(browser: WebDriver, address: str) -> Iterator[WebDriver]:
    """The page freshly opened; whatever it logs, an error above all, fails the test."""
    browser.get("about:blank")
    browser.get_log("browser")  # type: ignore[no-untyped-call]
    browser.get(address)
    yield browser
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


def press(page: WebDriver, *keys: str) -> None:
    page.find_element(By.TAG_NAME, "body").send_keys(*keys)


def text_of(page: WebDriver, selector: str) -> str:
    return str(page.find_element(By.CSS_SELECTOR, selector).text)


def cards(page: WebDriver, seat: int) -> list[WebElement]:
    """The cards of a hand as shown, newest first."""
    row = page.find_elements(By.CSS_SELECTOR, "#hands .hand")[seat]
    return list(row.find_elements(By.CSS_SELECTOR, ".card"))


def hand(table: Table, seat: int) -> list[int]:
    """Orders of a hand, newest first."""
    return [int(order) for order in table.game["hands"][seat, : table.game["hand_sizes"][seat]]][::-1]


# ------------------------------------------------------------------------------------------ in the browser


@pytest.mark.parametrize("turn", [1, 19, 38, 51])
def test_the_board_is_the_engines(page: WebDriver, address: str, game: Replay, turn: int) -> None:
    page.get(f"{address}#turn={turn}")
    table = from_replay(game, turn)
    name = game.variant.card_name
    counts = {one.text.split("\n")[1]: one.text.split("\n")[0] for one in page.find_elements(By.CSS_SELECTOR, ".count")}
    assert counts["score"] == str(board.score(table.rules, table.game))
    assert counts["clues"] == f"{int(table.game['clues'])}/8" and counts["strikes"] == f"{int(table.game['strikes'])}/3"
    left = int(table.game["deck_size"] - table.game["next"])
    assert counts.get("deck", "0") == str(left) and ("turns left" in counts) == (left == 0)
    for seat in range(4):
        shown = [(card.text.split("\n")[:2]) for card in cards(page, seat)]
        real = [name(int(table.game["deck"][order])) for order in hand(table, seat)]
        assert ["".join(parts) for parts in shown] == real
    stacks = [one.get_attribute("aria-label") for one in page.find_elements(By.CSS_SELECTOR, ".card.stack")]
    heights = [int(height) for height in table.game["stacks"][:5]]
    letters = game.variant.letters
    assert [label.split(": ")[1] for label in stacks if label] == [
        f"{letters[suit]}{height}" if height else "empty" for suit, height in enumerate(heights)
    ]
    discarded = len(page.find_elements(By.CSS_SELECTOR, "#pile .mini"))
    assert discarded == sum(int(n) for n in table.game["discarded"])


@pytest.mark.parametrize("turn", [2, 30])
def test_a_player_sees_the_others_and_what_he_knows(page: WebDriver, address: str, game: Replay, turn: int) -> None:
    """Own cards are closed; hovering and focus show the holder's set; for others, empathy."""
    viewer, other = 1, 2
    page.get(f"{address}#turn={turn}&view={viewer + 1}")
    table = from_replay(game, turn)
    facts = Deduction(table)
    own, seen = facts.holder(viewer), facts.empathy(viewer, other)
    assert own is not None and seen is not None
    for seat, view in ((viewer, own), (other, seen)):
        for card, mask in zip(cards(page, seat), reversed(view.sets), strict=True):
            assert ("closed" in (card.get_attribute("class") or "")) == (seat == viewer)
            page.execute_script("arguments[0].focus()", card)  # type: ignore[no-untyped-call]
            cells = page.find_elements(By.CSS_SELECTOR, "#pop .sets i")
            on = [index for index, cell in enumerate(cells) if "out" not in (cell.get_attribute("class") or "")]
            assert on == [identity for identity in range(25) if mask >> identity & 1]
            assert page.find_element(By.ID, "pop").is_displayed()
    for card, order in zip(cards(page, viewer), hand(table, viewer), strict=True):
        label = card.get_attribute("aria-label") or ""
        assert "hidden, can be" in label and game.variant.card_name(int(table.game["deck"][order])) in label
        known = len(label.split("can be ")[1].split()) == 1
        assert ("?" in card.text) != known or not known
    webdriver.ActionChains(page).move_to_element(cards(page, other)[0]).perform()
    head = text_of(page, "#pop .head")
    assert head.startswith(f"{NAMES[other]}, slot 1: ")
    webdriver.ActionChains(page).move_to_element(page.find_element(By.ID, "where")).perform()
    assert not page.find_element(By.ID, "pop").is_displayed()


def test_keys(page: WebDriver) -> None:
    where = "#where"
    assert text_of(page, where) == "turn 1 of 50"
    press(page, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert text_of(page, where) == "turn 3 of 50" and "#turn=3" in page.current_url
    press(page, Keys.ARROW_LEFT)
    assert text_of(page, where) == "turn 2 of 50"
    press(page, Keys.END)
    assert text_of(page, where) == "end of the game" and "24 of 25 (amazing)" in text_of(page, "#now")
    press(page, Keys.ARROW_RIGHT)
    assert text_of(page, where) == "end of the game"
    press(page, "[")  # back to the only loss
    assert text_of(page, where) == "turn 50 of 50" and "25 → 24" in text_of(page, "#details")
    assert "lost the perfect score" in text_of(page, "#details")
    assert page.find_element(By.CSS_SELECTOR, "#details li a").get_attribute("href")
    press(page, Keys.HOME, "3")
    assert "view=3" in page.current_url and len(page.find_elements(By.CSS_SELECTOR, ".card.closed")) == 4
    assert page.find_element(By.CSS_SELECTOR, "#views input[value='2']").is_selected()
    press(page, "9")  # there is no ninth player
    assert "view=3" in page.current_url
    press(page, "0")
    assert "view=" not in page.current_url and not page.find_elements(By.CSS_SELECTOR, ".card.closed")
    dialog = page.find_element(By.ID, "help")
    press(page, "?")
    assert dialog.is_displayed() and "previous, next turn" in dialog.text
    press(page, Keys.ESCAPE)
    assert not dialog.is_displayed()


def test_links_clicks_and_the_timeline(page: WebDriver, address: str) -> None:
    page.get(f"{address}#turn=999")
    assert text_of(page, "#where") == "end of the game"
    page.execute_script("location.hash = '#17'")  # type: ignore[no-untyped-call]
    WebDriverWait(page, 5).until(lambda _: text_of(page, "#where") == "turn 17 of 50")
    row = page.find_element(By.CSS_SELECTOR, "#moves tr.current")
    assert row.get_attribute("data-turn") == "17" and row.get_attribute("aria-current") == "step"
    page.find_element(By.CSS_SELECTOR, "#moves tr[data-turn='20']").click()
    assert text_of(page, "#where") == "turn 20 of 50"
    page.find_element(By.ID, "next").click()
    assert text_of(page, "#where") == "turn 21 of 50"
    page.find_elements(By.CSS_SELECTOR, "#views label")[2].click()
    assert "view=2" in page.current_url
    chart = page.find_element(By.CSS_SELECTOR, "#chart svg")
    box = chart.rect
    clicks = webdriver.ActionChains(page)
    clicks.move_to_element_with_offset(chart, int(box["width"] / 2) - 13, 0).click().perform()  # the right end
    assert text_of(page, "#where") == "turn 50 of 50"
    assert len(page.find_elements(By.CSS_SELECTOR, "#chart path.fell")) == 1


def test_estimates_and_open_hands_are_shown(page: WebDriver, address: str, found: Review) -> None:
    """Turn 50: with open hands from 1 to 0, and a blunder by what Bob could know."""
    page.get(f"{address}#turn=50")
    shown = text_of(page, "#details")
    assert "chance of 25: 100 % → 0 %" in shown and "best move 100 %" in shown and "this move 0 %" in shown
    assert "blunder: win chance -1.00" in shown and "Better by what could be known" in shown
    assert text_of(page, "#now .grade") == "blunder"
    assert text_of(page, "#moves tr[data-turn='50'] .grade") == "blunder"
    graded = sum(turn.grade is not None for turn in found.turns)
    assert len(page.find_elements(By.CSS_SELECTOR, "#chart text.mark")) == graded > 0
    assert not page.find_elements(By.CSS_SELECTOR, "#chart .bracket, #chart .least")  # every turn is proven here
    for name in ("max", "points", "open", "estimate"):
        assert page.find_element(By.CSS_SELECTOR, f"#chart path.{name}").get_attribute("d")


def test_both_ends_of_a_bracket_are_shown(browser: WebDriver, game: Replay, found: Review, tmp_path: Path) -> None:
    """Turns 48 to 50 left open between 23 and 24, in a game that was lost with 24 cards placed."""
    turns = list(found.turns)
    for at in (47, 48, 49):
        before = 25 if at == 47 else 24
        fall = dataclasses.replace(turns[at].fall, max_before=before, max_after=24, open_to=23)
        turns[at] = dataclasses.replace(turns[at], fall=fall)
    path = tmp_path / "review.html"
    lost = dataclasses.replace(found, turns=tuple(turns), score=0, score_word="horrible, lost")
    path.write_text(review_page(ReviewAnswer("a link", game, lost)), encoding="utf-8")
    browser.get(f"{path.as_uri()}#turn=48")
    areas = browser.find_elements(By.CSS_SELECTOR, "#chart rect.bracket")
    assert [area.find_element(By.TAG_NAME, "title").get_attribute("textContent") for area in areas] == [
        f"turn {turn}: maximum 23–24, not decided" for turn in (48, 49, 50)
    ]
    assert all(float(str(area.get_attribute("height"))) > 0 for area in areas)
    assert browser.find_element(By.CSS_SELECTOR, "#chart path.least").get_attribute("d")
    assert "not decided between these" in text_of(browser, "#legend")
    assert "25 → 23–24" in text_of(browser, "#details")
    assert "25 → 23–24" in text_of(browser, "#moves tr[data-turn='48']")
    assert "lost with 24 placed" in text_of(browser, "h1")


def test_agreement_is_shown(page: WebDriver, address: str, found: Review) -> None:
    assert found.agreements is not None
    page.get(f"{address}#turn=4")
    shown = text_of(page, "#details")
    for one in found.agreements.conventions:
        choice = one.choices[3]
        assert one.convention in shown and (choice.verdict == "same" or choice.text in shown)


def test_names_stay_text_and_nothing_is_loaded(page: WebDriver) -> None:
    assert page.find_elements(By.ID, "evil") == [] and page.find_elements(By.TAG_NAME, "img") == []
    shown = [one.text for one in page.find_elements(By.CSS_SELECTOR, "#hands .name")]
    assert shown == list(NAMES)
    assert NAMES[0] in text_of(page, "h1") and NAMES[2] in page.title
    loaded = page.execute_script("return performance.getEntriesByType('resource').length")  # type: ignore[no-untyped-call]
    assert loaded == 0


@pytest.mark.parametrize("dark", [False, True])
def test_light_and_dark(page: WebDriver, address: str, dark: bool) -> None:
    media = {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", media)  # type: ignore[attr-defined]
    page.get(address + "#1")
    body = page.find_element(By.TAG_NAME, "body")
    before = lightness(body)
    assert before < 0.2 if dark else before > 0.8
    press(page, "d")
    assert lightness(body) > 0.8 if dark else lightness(body) < 0.2


def lightness(body: WebElement) -> float:
    red, green, blue = (int(part) for part in body.value_of_css_property("background-color")[5:].split(",")[:3])
    return (red + green + blue) / 3 / 255


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_is_cut_off(page: WebDriver, address: str, width: int) -> None:
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)  # type: ignore[attr-defined]
    try:
        page.get(f"{address}#turn=30&view=1")
        assert page.execute_script("return document.documentElement.scrollWidth") <= width  # type: ignore[no-untyped-call]
        for card in cards(page, 0) + cards(page, 3):
            assert card.rect["x"] >= 0 and card.rect["x"] + card.rect["width"] <= width
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})  # type: ignore[attr-defined]


# ------------------------------------------------------------------------------------- without a browser


def test_the_data_cannot_end_its_element(game: Replay, found: Review) -> None:
    answer = ReviewAnswer("</script>", game, found)
    text = review_page(answer)
    assert text.count("</script>") == 2  # those of the data and of the script
    inside = text.split('<script type="application/json" id="data">')[1].split("</script>")[0]
    data: dict[str, Any] = json.loads(inside)
    assert data["names"] == list(NAMES) and data["review"] == json.loads(json.dumps(answer.record()))
    assert json.loads(embedded_json({"a": "<!--\u2028&"})) == {"a": "<!--\u2028&"}
    assert text == review_page(answer)
    assert "http" not in text.replace("https://hanab.live/", "").replace("http://www.w3.org/2000/svg", "")


def test_what_the_board_holds(game: Replay) -> None:
    fields = board_fields(game)
    assert len(fields["states"]) == 51 and len(fields["events"]) == 50
    clue = fields["events"][0]
    table = from_replay(game, 1)
    assert clue["kind"] == "clue" and clue["name"] == "1" and clue["target"] == 2
    assert clue["cards"] == [order for order in hand(table, 2)[::-1] if table.game["deck"][order] % 5 == 0]
    end = from_replay(game)
    assert fields["states"][-1]["stacks"] == [
        [int(n), suit * 5 + int(n) - 1] for suit, n in enumerate(end.game["stacks"][:5])
    ]
    strikes = sum(event.get("struck", False) for event in fields["events"])
    assert strikes == int(end.game["strikes"]) > 0
    assert [face_of(name) for name in ("Red", "Dark Rainbow", "Light Pink", "Cocoa Rainbow", "Nameless")] == [
        "red", "rainbow", "pink", "brown", "gray",
    ]  # fmt: skip
