"""My own cards are large enough on every screen, and tray and Ready in reach (issue 11, 1.1)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.scenes import PLAYER, my_turn, show
from tests.browser.servers import Server
from tests.seldom import seldom
from tests.table.session import LAND, LOW, PLAIN, Session

# A phone's screen without and with its browser's bars, a tablet, a phone on its side, a desktop.
SIZES = [(390, 664), (375, 553), (360, 640), (390, 844), (820, 1180), (844, 390), (1440, 900)]
IN_PLAY = 40  # px
IN_FANTASYLAND = 32
GAMES = [("pineapple", 2), ("pineapple", 3), ("ofc_american", 2), ("ofc_american", 4), ("turbo", 4)]
STREETS = [(preset, people, street) for preset, people in GAMES for street in (1, 3)]
# The longest draw, the most opponents, and three cards of which one is set aside.
CROWDED = [("turbo", 4, 1), ("ofc_american", 4, 3), ("pineapple", 3, 3)]


MEASURE = """() => {
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
    """Measure the own board's slots and what of Ready and tray is out of the window (above 0), in px.

    `missed`: cards of the tray that a finger in their corner would not touch.
    """
    found: dict[str, float] = page.evaluate(MEASURE)
    return found


def check(page: Page, least: float) -> None:
    found = measured(page)
    assert found["narrowest"] >= least, found
    assert found["flattest"] >= 1.35, found
    assert found["ready"] <= 0, found
    assert found["tray"] <= 0, found
    assert found["missed"] == 0, found
    assert found["sideways"] <= 0, found


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


@pytest.mark.parametrize(("width", "height"), seldom([(375, 553), (844, 390)], [(375, 553)]))
def test_own_cards_where_there_is_least_room(browser: Browser, server: Server, width: int, height: int) -> None:
    in_play(browser, server, ViewportSize(width=width, height=height), CROWDED)


@pytest.mark.parametrize(("width", "height"), seldom(SIZES, [(375, 553), (360, 640), (844, 390)]))
@pytest.mark.slow
def test_own_cards_in_fantasyland(browser: Browser, server: Server, width: int, height: int) -> None:
    context = browser.new_context(base_url=server.url, viewport=ViewportSize(width=width, height=height))
    page = context.new_page()
    for cards in (13, 14, 15, 16, 17):
        show(page, my_turn("pineapple", 3, fantasyland=cards))
        page.get_by_test_id("ready").wait_for()
        check(page, IN_FANTASYLAND)
    context.close()


@pytest.mark.parametrize(("width", "height"), seldom([(390, 844), (390, 664)], [(390, 664)]))
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
