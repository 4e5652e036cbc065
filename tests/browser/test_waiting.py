"""Nobody is waited for without end (issue 27.11), and a stand-in is offered nothing that is the owner's (27.12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.servers import Server, serve
from tests.browser.stage import Stage
from tests.room.evening import Evening
from triptych.room import commands as c

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("waiting")) as running:
        yield running


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def test_without_a_clock_the_prompt_offers_to_place_the_cards_of_who_does_nothing(page: Page) -> None:
    evening = Evening({"preset": "pineapple", "clock.kind": "none"}, people=3)
    stage = Stage(page, evening, "bob")
    evening.begin()
    stage.open()
    prompt = page.get_by_test_id("prompt")
    expect(prompt).to_contain_text("Waiting for Ann to place")
    expect(page.get_by_test_id("place-for-0")).to_have_count(0)
    evening.now += 30_000
    stage.tell()
    expect(page.get_by_test_id("place-for-0")).to_have_text("Place Ann's cards automatically")
    page.get_by_test_id("place-for-0").click()
    expect(page.get_by_test_id("seat-0-back").locator("[data-testid^='card-']")).to_have_count(5)
    expect(page.get_by_test_id("talk")).to_contain_text("Bob has the cards of Ann placed automatically")
    assert stage.asked[-1] == {"do": "place_for", "seat": 0}


def test_who_keeps_the_others_waiting_is_told_so(page: Page) -> None:
    evening = Evening({"preset": "pineapple", "clock.kind": "none"})
    stage = Stage(page, evening, "ann")
    evening.begin()
    stage.open()
    expect(page.get_by_test_id("tray")).to_be_visible()
    expect(page.get_by_test_id("placed-soon")).to_have_count(0)
    evening.now += 30_000
    stage.tell()
    expect(page.get_by_test_id("placed-soon")).to_be_visible()
    expect(page.locator("[data-testid^='place-for-']")).to_have_count(0)


def test_a_stand_in_finds_no_button_against_the_owner(page: Page) -> None:
    evening = Evening(people=3)
    evening.ask("ann", c.Disconnected())
    stage = Stage(page, evening, "bob")
    stage.open()
    page.get_by_test_id("open-menu").click()
    expect(page.get_by_test_id("unseat-2")).to_be_visible()
    expect(page.get_by_test_id("ban-2")).to_be_visible()
    for missing in ("unseat-0", "ban-0", "close-table", "hand-over-2"):
        expect(page.get_by_test_id(missing)).to_have_count(0)
    evening.ask("ann", c.Connected())
    stage.tell()
    expect(page.get_by_test_id("hosting")).to_have_count(0)
