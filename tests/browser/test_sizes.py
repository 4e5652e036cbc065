"""My own cards are large enough on every screen, and tray and Ready in reach (issue 11, 1.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.scenes import PLAYER, my_turn, show
from tests.browser.servers import Server
from tests.case_sample import sample_cases
from tests.table.session import LAND, LOW, PLAIN, Session

if TYPE_CHECKING:
    from triptych.table.view_types import TableView

# A phone's screen without and with its browser's bars, a tablet, a phone on its side, a desktop.
SIZES = [(390, 664), (375, 553), (360, 640), (390, 844), (820, 1180), (844, 390), (1440, 900)]
IN_PLAY = 40  # px
IN_FANTASYLAND = 32
GAMES = [("pineapple", 2), ("pineapple", 3), ("ofc_american", 2), ("ofc_american", 4), ("turbo", 4)]
STREETS = [(preset, people, street) for preset, people in GAMES for street in (1, 3)]
# The longest draw, the most opponents, and three cards of which one is set aside.
CROWDED = [("turbo", 4, 1), ("ofc_american", 4, 3), ("pineapple", 3, 3)]


MEASURE = """async () => {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const boxes = (places) => [...document.querySelectorAll(places)].map((one) => one.getBoundingClientRect());
  const slots = boxes("[data-testid=my-board] [data-slot]");
  const [ready] = boxes("[data-testid=ready]");
  const tray = boxes("[data-testid=draws] [data-card]");
  const touched = (box) => document.elementFromPoint(box.left + Math.min(12, box.width / 4), box.top + 12);
  return {
    narrowest: Math.min(...slots.map((box) => box.width)),
    flattest: Math.min(...slots.map((box) => box.height / box.width)),
    ready: Math.max(ready.bottom - innerHeight, ready.right - screen.width, -ready.left),
    tray: Math.max(...tray.map((box) => Math.max(box.right - screen.width, -box.left, box.bottom - innerHeight))),
    missed: tray.filter((box) => !touched(box)?.closest("[data-card]")).length,
    sideways: document.documentElement.scrollWidth - screen.width,
  };
}"""


def measured(page: Page) -> dict[str, float]:
    """Measure the own board's slots and what of Ready and tray is out of the window (above 0), in px, once they stay.

    `missed`: cards of the tray that a finger in their corner would not touch.
    """
    before: dict[str, float] = page.evaluate(MEASURE)
    while (sizes := page.evaluate(MEASURE)) != before:
        before = sizes
    return before


def check(page: Page, least: float) -> None:
    sizes = measured(page)
    assert sizes["narrowest"] >= least, sizes
    assert sizes["flattest"] >= 1.35, sizes
    assert sizes["ready"] <= 0, sizes
    assert sizes["tray"] <= 0, sizes
    assert sizes["missed"] == 0, sizes
    assert sizes["sideways"] <= 0, sizes


def in_play(browser: Browser, server: Server, size: ViewportSize, streets: list[tuple[str, int, int]]) -> None:
    context = browser.new_context(base_url=server.url, viewport=size)
    page = context.new_page()
    for preset, people, street in streets:
        show(page, my_turn(preset, people, street=street))
        page.get_by_test_id("ready").wait_for()
        check(page, IN_PLAY)
    context.close()


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.slow
def test_own_cards_in_play(browser: Browser, server: Server, width: int, height: int) -> None:
    in_play(browser, server, ViewportSize(width=width, height=height), STREETS)


@pytest.mark.parametrize(("width", "height"), sample_cases([(375, 553), (844, 390)], [(375, 553)]))
def test_own_cards_where_there_is_least_room(browser: Browser, server: Server, width: int, height: int) -> None:
    in_play(browser, server, ViewportSize(width=width, height=height), CROWDED)


@pytest.mark.parametrize(("width", "height"), sample_cases(SIZES, [(375, 553), (360, 640), (844, 390)]))
@pytest.mark.slow
def test_own_cards_in_fantasyland(browser: Browser, server: Server, width: int, height: int) -> None:
    context = browser.new_context(base_url=server.url, viewport=ViewportSize(width=width, height=height))
    page = context.new_page()
    for cards in (13, 14, 15, 16, 17):
        show(page, my_turn("pineapple", 3, fantasyland=cards))
        page.get_by_test_id("ready").wait_for()
        check(page, IN_FANTASYLAND)
    context.close()


@pytest.mark.parametrize(("width", "height"), sample_cases([(390, 844), (390, 664)], [(390, 664)]))
def test_the_result_covers_no_board(browser: Browser, server: Server, width: int, height: int) -> None:
    """A showdown of three: what lies there is still being read (issue 11, LOOK, Phone)."""
    session = Session("pineapple", people=3, boards=[{0: LAND, 1: PLAIN, 2: LOW}])
    session.play()
    context = browser.new_context(
        base_url=server.url, viewport=ViewportSize(width=width, height=height), reduced_motion="reduce"
    )
    page = context.new_page()
    show(page, session.see(PLAYER))
    result = page.get_by_test_id("result").first.bounding_box()
    back = page.get_by_test_id("row-back").first.bounding_box()
    assert result is not None
    assert back is not None
    assert back["y"] + back["height"] <= result["y"]
    context.close()


SHORT = ViewportSize(width=360, height=640)


def test_nothing_covers_the_text_and_rows_on_a_short_phone(browser: Browser, server: Server) -> None:
    """Four people: who takes a seat, who is out of points, and a sheet with every column (issue 32 B7, B10)."""
    context = browser.new_context(base_url=server.url, viewport=SHORT, reduced_motion="reduce")
    page = context.new_page()
    show(page, Session("turbo", people=3).see("zoe"))
    page.get_by_test_id("join").wait_for()
    seat, prompt = page.get_by_test_id("seat-0").bounding_box(), page.get_by_test_id("prompt").bounding_box()
    lounge = page.get_by_test_id("lounge").locator(":scope > :visible").first.bounding_box()
    assert seat is not None
    assert prompt is not None
    assert lounge is not None
    assert seat["y"] + seat["height"] <= prompt["y"]
    assert prompt["y"] + prompt["height"] <= lounge["y"]

    show(page, bust(people=4))
    page.get_by_test_id("top-up").wait_for()
    back = page.get_by_test_id("row-back").first.bounding_box()
    way_back = page.locator(".return").bounding_box()
    assert back is not None
    assert way_back is not None
    assert back["y"] + back["height"] <= way_back["y"]
    context.close()


@pytest.mark.parametrize(("size", "testid"), [(SHORT, "sheet"), (ViewportSize(width=1440, height=900), "side-sheet")])
def test_a_sheet_shows_all_its_columns(browser: Browser, server: Server, size: ViewportSize, testid: str) -> None:
    context = browser.new_context(base_url=server.url, viewport=size, reduced_motion="reduce")
    page = context.new_page()
    show(page, bust(people=4))
    if testid == "sheet":
        page.get_by_test_id("open-sheet").click()
    table = page.get_by_test_id(testid).locator(".wide")
    table.wait_for()
    assert table.locator("thead th").count() == 9  # the pair, rows, scoop, royalties, foul, points, paid
    assert table.evaluate("one => one.scrollWidth <= one.clientWidth")
    context.close()


def bust(people: int) -> TableView:
    """Return what the first seat sees that has lost all its points by a foul."""
    boards = {
        0: "JsJh2s/3s4d6d8d9c/TsTh5s7dQs",
        1: "QhQd2c/KsKd3c4c5h/AsAdAh7h8h",
        2: "Kh3h2d/5d5c8s9dJc/6s6h7s7cQc",
        3: "3d6c8c/2h4s4hKcJd/9s9hTdTcAc",
    }
    session = Session({"preset": "turbo", "seats.buy_in_min": 20}, people=people, buy_in=20, boards=[boards])
    session.play()
    view = session.see(PLAYER)
    assert view.seats[0].stack == 0
    return replace(view, next_at=None)
