"""Every preset is played by a person in the browser at a full table, from the first card to the score sheet.

Issue 3, parts 3 and 4. The person lays out cards as they come, back first, by keyboard; a foul is asked about.
"""

import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Person, begin_with_bots
from triptych.rulesets.load import preset_names, resolve

LONGEST = 600  # seconds, only for what hangs
KEYS = {"back": "e", "middle": "w", "front": "q"}


def _there(page: Page, testid: str) -> bool:
    return page.get_by_test_id(testid).count() > 0


def _lay_one(page: Page, key: str) -> bool:
    """Lift a card by its number and put it into the lowest row that takes it; tell whether one did."""
    page.keyboard.press(key)
    row = next((row for row in KEYS if _there(page, f"place-{row}")), None)
    if row is not None:
        page.keyboard.press(KEYS[row])
    return row is not None


def _street(page: Page) -> None:
    """Lay out the cards of a street, whatever it is, and confirm."""
    many = page.get_by_test_id("draws").locator("[data-mine]").count()
    for number in range(1, many + 1):
        if not _lay_one(page, str(number) if many <= 5 else "1"):
            break
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.wait_for_timeout(250)
    if _there(page, "foul-anyway"):
        page.get_by_test_id("foul-anyway").click()


def _play(page: Page) -> None:
    """Answer whatever the table asks, until the deal is scored."""
    something = page.locator("[data-testid=result], [data-testid=tray], [data-testid=question]").first
    # By the clock, not by rounds: on a busy machine bots take longer than many looks at the page.
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        expect(something).to_be_visible()
        if _there(page, "result"):
            return
        if _there(page, "announce-play"):
            page.get_by_test_id("announce-play").click()
        elif _there(page, "declare"):
            page.get_by_test_id("declare").click()
        elif page.get_by_test_id("draws").locator("[data-mine]").count():
            _street(page)
        page.wait_for_timeout(50)
    pytest.fail("the deal does not end")


@pytest.mark.slow
@pytest.mark.parametrize("preset", preset_names())
def test_a_person_plays_a_deal_of_every_preset(ann: Person, preset: str) -> None:
    rules = resolve(preset)
    begin_with_bots(ann, preset, rules.seats.max - 1)
    brought = sum(ann.stack(seat) for seat in range(rules.seats.max))
    _play(ann.page)
    ann.look(f"all-{preset}")
    stacks = [ann.stack(seat) for seat in range(rules.seats.max)]
    assert sum(stacks) == brought
    ann.page.set_viewport_size({"width": 390, "height": 844})
    ann.press("open-sheet")
    ann.sees("sheet")
    ann.look(f"all-{preset}-phone")
