"""Practice: what was missed comes back on another day. Issue 14, part 5, Shown by 2."""

from __future__ import annotations

import datetime as dt
from functools import cache
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, ViewportSize, expect

from tests.browser.numbers import as_text
from tests.case_sample import sample_cases
from triptych.solve.puzzles.model import Puzzle, collections, read_puzzles

if TYPE_CHECKING:
    from tests.browser.conftest import Check

KEYS = {"front": "q", "middle": "w", "back": "e"}
FIRST_DAY = dt.datetime(2030, 3, 1, 20, tzinfo=dt.UTC)


@cache
def installed() -> dict[str, Puzzle]:
    (pineapple,) = (collection for collection in collections() if collection.spec == {"preset": "pineapple"})
    return {puzzle.id: puzzle for puzzle in read_puzzles(pineapple.content.decode().splitlines(), pineapple.spec)}


def position(page: Page) -> Locator:
    return page.get_by_test_id("practice-position")


def puzzle(page: Page) -> Puzzle:
    return installed()[position(page).get_attribute("data-puzzle") or ""]


def place(page: Page, which: int, *, taps: bool = False) -> None:
    """Place the cards as one of the choices has them, and say Ready."""
    layout = puzzle(page).choices[which].layout
    tray = page.locator("[data-testid=draws] [data-mine]")
    for row, key in KEYS.items():
        for card in getattr(layout, row):
            if taps:
                page.get_by_test_id(f"card-{card}").click()
                page.get_by_test_id(f"place-{row}").click()
            else:
                # The keys number the cards as the tray shows them.
                drawn = tray.evaluate_all("all => all.map((one) => one.dataset.mine)")
                page.keyboard.press(str(drawn.index(card) + 1))
                page.keyboard.press(key)
                expect(page.locator(f"[data-testid=draws] [data-mine='{card}']")).to_have_count(0)
    if taps:
        page.get_by_test_id("ready").click()
    else:
        page.keyboard.press("Enter")


def solve(page: Page, *, right: bool, taps: bool = False) -> str:
    """Try the puzzle on the page, and go on to the next; the puzzle's name."""
    expect(page.get_by_test_id("practice-answer")).to_have_count(0)
    name, tempting = puzzle(page).id, puzzle(page).tempting
    place(page, 0 if right else tempting, taps=taps)
    expect(page.get_by_test_id("practice-answer")).to_have_attribute("data-right", "true" if right else "false")
    page.get_by_test_id("practice-next").click()
    return name


@pytest.mark.slow
def test_the_answer_shows_what_each_placement_brings_and_leads_to_the_board(
    phone: BrowserContext, axe: Check
) -> None:
    page = phone.new_page()
    page.goto("/practice")
    page.get_by_test_id("practice-theme").select_option("fantasyland_or_safety")
    expect(position(page)).to_be_visible()
    current = puzzle(page)
    assert "fantasyland_or_safety" in current.themes
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
    axe(page)
    place(page, current.tempting, taps=True)
    lost = current.best.value - current.choices[current.tempting].value
    expect(page.get_by_test_id("practice-answer")).to_contain_text(f"loses {as_text(lost)}")
    expect(page.get_by_test_id("value-0")).to_have_text(f"{current.best.value:+.2f}".replace("-", "−"))
    expect(page.get_by_test_id("why")).to_contain_text("worse than the best")
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
    axe(page)
    page.get_by_test_id("practice-analyse").click()
    expect(page.get_by_test_id("analyse-drawn").locator("[data-testid^=lies-]")).to_have_count(
        len(current.best.layout.front + current.best.layout.middle + current.best.layout.back) + (current.street > 1)
    )


@pytest.mark.parametrize(("width", "height"), sample_cases([(390, 844), (390, 664), (320, 640)], [(390, 664)]))
@pytest.mark.slow
def test_the_whole_board_is_in_sight_above_the_tray(phone: BrowserContext, width: int, height: int) -> None:
    """At once and after the first answer, however low the phone is (issue 14, parts 4 and 5; LOOK, Phone)."""
    page = phone.new_page()
    page.set_viewport_size(ViewportSize(width=width, height=height))
    page.goto("/practice")
    for _ in range(2):
        expect(page.get_by_test_id("practice-answer")).to_have_count(0)
        expect(page.get_by_test_id("ready")).to_be_in_viewport(ratio=1)
        foot = page.get_by_test_id("tray").bounding_box()
        rows = [page.get_by_test_id(f"row-{row}").bounding_box() for row in ("front", "back")]
        assert foot is not None
        assert rows[0] is not None
        assert rows[1] is not None
        assert rows[0]["y"] >= 0
        assert rows[1]["y"] + rows[1]["height"] <= foot["y"]
        solve(page, right=True, taps=True)
