"""A deal by keyboard alone, the help on `?`, the numbers on the cards with a keyboard in use (issue 11, part 4).

What each key does: client/src/features/table/model/keys.test.ts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import Person
from tests.browser.scripted_table import ScriptedTable
from tests.browser.servers import Server
from tests.table.session import FOUL, LAND, Session

if TYPE_CHECKING:
    from collections.abc import Iterator

TRIES = 400
ROW_KEYS = {"front": "q", "middle": "w", "back": "e"}
OPEN = {"front": 3, "middle": 5, "back": 5}


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def keys(page: Page, *pressed: str) -> None:
    for key in pressed:
        page.keyboard.press(key)


def others(stage: ScriptedTable) -> None:
    """Let the others act until it is Ann's turn, or the deal is over."""
    while not stage.session.see("ann").yours and not stage.session.state().settled:
        stage.act()


def confirmed(stage: ScriptedTable, street: int) -> None:
    """Wait until Ann's street is placed; a sure foul is asked about once more, and confirmed by keys too."""
    mine = next(hand for hand in (0, 1) if stage.session.owner(hand).player == "ann")
    foul = stage.page.get_by_test_id("foul-anyway")
    for _ in range(TRIES):
        if stage.session.state().settled or stage.session.hands()[mine].street == street:
            return
        if foul.is_visible():
            keys(stage.page, "Tab", "Enter")
        stage.page.wait_for_timeout(25)
    pytest.fail(stage.page.get_by_role("main").inner_text())


def test_a_deal_of_pineapple_by_keys_alone(page: Page) -> None:
    stage = ScriptedTable(page, Session({"preset": "pineapple", "clock.kind": "none"}, seed=5))
    stage.open()
    stage.session.begin()
    stage.tell()
    ann = Person(page, "Ann")
    others(stage)
    key_labels = page.get_by_test_id("draws").locator("kbd")
    expect(page.get_by_test_id("draws").locator("[data-mine]")).to_have_count(5)
    expect(key_labels).to_have_count(0)
    page.keyboard.down("Shift")
    expect(key_labels).to_have_text(["1", "2", "3", "4", "5"])
    cards = ann.drawn()
    keys(page, "3", "e")  # with Shift held, as the numbers are read
    page.keyboard.up("Shift")
    expect(key_labels).to_have_text(["1", "2", "3", "4"])  # as the tray has closed up, while the keyboard is in use
    expect(page.get_by_test_id("row-back").locator("kbd")).to_have_text("5")
    assert ann.row("back") == [cards[2]]
    keys(page, "?")
    expect(page.get_by_test_id("keys")).to_be_visible()
    keys(page, "2", "e")  # nothing is placed behind the help
    keys(page, "Escape")
    expect(page.get_by_test_id("keys")).to_have_count(0)
    page.get_by_role("textbox", name="Write a message").press_sequentially("1e we 2q?")
    assert ann.row("back") == [cards[2]]
    page.get_by_test_id("prompt").click()
    expect(key_labels).to_have_count(0)
    keys(page, "Backspace")
    expect(key_labels).to_have_text(["1", "2", "3", "4", "5"])
    for street in (1, 2):
        others(stage)
        expect(page.get_by_test_id("prompt")).to_contain_text(f"Street {street}")
        expect(page.get_by_test_id("draws").locator("[data-mine]")).to_have_count(5 if street == 1 else 3)
        if street == 2:
            cards = ann.drawn()
            keys(page, "2", "d")
            expect(page.get_by_test_id("discard").get_by_test_id(f"card-{cards[1]}")).to_be_visible()
            keys(page, "3", "Escape")
        left = {row: OPEN[row] - len(ann.row(row)) for row in ("back", "middle", "front")}
        rows = [row for row, count in left.items() for _ in range(count)]
        for row in rows[: 5 if street == 1 else 2]:
            keys(page, "1", ROW_KEYS[row])
        expect(page.get_by_test_id("ready")).to_be_enabled()
        keys(page, "Enter")
        confirmed(stage, street)
    stage.play()
    ann.sees("result")
    keys(page, "Enter")  # the next deal
    for _ in range(TRIES):
        if stage.asked[-1]["do"] == "ready":
            return
        page.wait_for_timeout(25)
    pytest.fail(str(stage.asked[-1]))


@pytest.mark.slow
def test_a_foul_of_thirteen_cards_is_set_sorted_and_confirmed_by_keys(page: Page) -> None:
    stage = ScriptedTable(
        page, Session({"preset": "closed_basic", "clock.kind": "none"}, boards=[{0: FOUL, 1: LAND}])
    )
    stage.open()
    stage.session.begin()
    stage.tell()
    ann = Person(page, "Ann")
    expect(page.get_by_test_id("draws").locator("[data-mine]")).to_have_count(13)
    by_rank = ann.drawn()
    keys(page, "r")
    expect(page.get_by_test_id("sort-suit")).to_have_attribute("aria-pressed", "true")
    keys(page, "r")
    assert ann.drawn() == by_rank
    # The highest cards in front: a foul, which is asked about first.
    keys(page, "1", "q")
    expect(page.get_by_test_id("row-front").get_by_test_id(f"card-{by_rank[0]}")).to_be_visible()
    ann.lay(dict(zip(by_rank[1:], ["front"] * 2 + ["middle"] * 5 + ["back"] * 5, strict=True)))
    expect(page.get_by_test_id("ready")).to_be_enabled()
    keys(page, "Enter")
    expect(page.get_by_test_id("foul-anyway")).to_be_visible()
    keys(page, "Tab", "Enter")
    expect(page.get_by_test_id("foul-anyway")).to_have_count(0)
    assert stage.asked[-1]["do"] == "place"
