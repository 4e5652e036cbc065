"""Placing by drag, by finger and by tap, and with the connection lost (issue 2, part 8).

What a tap, a drag or a key does to the cards: keys.test.ts, placement.test.ts, premove.test.ts
(client/src/features/table/model).
"""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import Check
from tests.browser.people import Person
from tests.browser.scripted_table import ScriptedTable
from tests.table.session import Session


def seated(page: Page, *, touch: bool = False) -> tuple[ScriptedTable, Person]:
    """Open a table at which five cards are to be placed; nothing slides, so that places can be measured."""
    session = Session({"preset": "pineapple", "clock.kind": "none"}, seed=3)
    session.begin()
    while not session.see("ann").yours:
        session.act()
    page.emulate_media(reduced_motion="reduce")
    stage = ScriptedTable(page, session)
    stage.open()
    expect(page.get_by_test_id("draws").locator("[data-mine]")).to_have_count(5)
    return stage, Person(page, "Ann", touch=touch)


def in_row(page: Page, row: str, card: str) -> Locator:
    return page.get_by_test_id(f"row-{row}").get_by_test_id(f"card-{card}")


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, card: Locator, place: Locator) -> None:
    page.mouse.move(*middle(card))
    page.mouse.down()
    page.mouse.move(*middle(place), steps=6)
    page.mouse.up()


def test_a_card_is_dragged_and_tapped_and_announced_to_the_screen_reader(desktop: BrowserContext, axe: Check) -> None:
    page = desktop.new_page()
    stage, ann = seated(page)
    cards = ann.drawn()
    for row in ("front", "back"):
        drag(page, page.get_by_test_id(f"card-{cards[0]}"), page.get_by_test_id(f"row-{row}"))
        expect(in_row(page, row, cards[0])).to_be_visible()
    drag(page, in_row(page, "back", cards[0]), page.get_by_test_id("prompt"))
    expect(page.get_by_test_id("draws").get_by_test_id(f"card-{cards[0]}")).to_be_visible()
    expect(page.get_by_test_id("prompt")).to_have_attribute("aria-live", "polite")
    ann.tap(dict.fromkeys(cards[:3], "front"))
    expect(page.get_by_test_id("placed")).to_contain_text("You, front: ")
    ann.press(f"card-{cards[3]}")
    expect(page.get_by_test_id("place-front")).to_have_count(0)
    expect(page.get_by_role("button", name="Place in back")).to_be_visible()
    axe(page)
    page.keyboard.press("Escape")
    ann.press(f"card-{cards[0]}")
    expect(page.get_by_test_id("draws").get_by_test_id(f"card-{cards[0]}")).to_have_attribute("aria-pressed", "true")
    ann.press("place-front")
    ann.lay(dict.fromkeys(cards[3:], "back"))
    ann.ready()
    expect(page.get_by_test_id("my-board").locator("button[data-mine]")).to_have_count(0)
    expect(in_row(page, "back", cards[4])).to_be_visible()
    assert stage.asked[-1]["do"] == "place"


@pytest.mark.slow
def test_a_card_is_dragged_with_a_finger(phone: BrowserContext) -> None:
    page = phone.new_page()
    _, bob = seated(page, touch=True)
    card = bob.drawn()[2]
    (x, y), (to_x, to_y) = middle(page.get_by_test_id(f"card-{card}")), middle(page.get_by_test_id("row-middle"))
    finger = phone.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 9):
        point = {"x": x + (to_x - x) * step / 8, "y": y + (to_y - y) * step / 8}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(in_row(page, "middle", card)).to_be_visible()


@pytest.mark.slow
def test_the_connection_is_lost_and_comes_back(desktop: BrowserContext) -> None:
    page = desktop.new_page()
    stage, ann = seated(page)
    cards = ann.drawn()
    stage.cut()
    expect(page.get_by_test_id("connection-lost").or_(page.get_by_test_id("connection-back"))).to_be_visible()
    # What is laid meanwhile is told as soon as the connection is back.
    ann.lay({cards[0]: "back"})
    expect(page.get_by_test_id("row-back-name")).not_to_be_empty()
    page.reload()
    expect(in_row(page, "back", cards[0])).to_be_visible()
