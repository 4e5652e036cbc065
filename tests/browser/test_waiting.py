"""Nobody is waited for without end (issue 27.11), and a stand-in is offered nothing that is the owner's (27.12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.scripted_table import ScriptedTable
from tests.table.session import Session
from triptych.table import commands as c

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.browser.servers import Server


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def test_nobody_is_waited_for_without_end(page: Page) -> None:
    """Without a clock: who waits is offered to place the cards of who does nothing, and that one is told so."""
    session = Session({"preset": "pineapple", "clock.kind": "none"}, people=3)
    session.begin()
    stage = ScriptedTable(page, session, "ann")
    stage.open()
    expect(page.get_by_test_id("tray")).to_be_visible()
    expect(page.get_by_test_id("placed-soon")).to_have_count(0)
    session.now += 30_000
    stage.tell()
    expect(page.get_by_test_id("placed-soon")).to_be_visible()
    expect(page.locator("[data-testid^='place-for-']")).to_have_count(0)
    # The same table, as another one sees it; the time has not passed there yet.
    session.now -= 30_000
    stage = ScriptedTable(page, session, "bob")
    stage.open()
    prompt = page.get_by_test_id("prompt")
    expect(prompt).to_contain_text("Waiting for Ann to place")
    expect(page.get_by_test_id("place-for-0")).to_have_count(0)
    session.now += 30_000
    stage.tell()
    expect(page.get_by_test_id("place-for-0")).to_have_text("Place Ann’s cards automatically")
    page.get_by_test_id("place-for-0").click()
    expect(page.get_by_test_id("seat-0-back").locator("[data-testid^='card-']")).to_have_count(5)
    expect(page.get_by_test_id("talk")).to_contain_text("Bob had Ann’s cards placed automatically")
    assert stage.asked[-1] == {"do": "place_for", "seat": 0}
    # The host has gone: who stands in for her finds no button against her.
    session.ask("ann", c.Disconnected())
    stage.tell()
    page.get_by_test_id("open-menu").click()
    expect(page.get_by_test_id("unseat-2")).to_be_visible()
    expect(page.get_by_test_id("ban-2")).to_be_visible()
    for missing in ("unseat-0", "ban-0", "close-table", "hand-over-2"):
        expect(page.get_by_test_id(missing)).to_have_count(0)
    session.ask("ann", c.Connected())
    stage.tell()
    expect(page.get_by_test_id("hosting")).to_have_count(0)
