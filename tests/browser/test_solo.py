"""Matches on a person's own device. Issue 14, parts 5 to 7."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.servers import Server, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import Check


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the whole file."""
    with serve(tmp_path_factory.mktemp("solo")) as running:
        yield running


def place_street(page: Page) -> None:
    """Tap the street's cards into the backmost rows that have room, and confirm it."""
    ready, left = page.get_by_test_id("ready"), page.get_by_test_id("draws").locator("[data-mine]")
    expect(left.first).to_be_visible()
    while not ready.is_enabled():
        count = left.count()
        left.first.click()
        free = page.get_by_test_id(re.compile("^place-(front|middle|back)$"))
        expect(free.last).to_be_visible()
        free.last.click()
        expect(left).not_to_have_count(count)
    ready.click()


def play_deal(page: Page) -> None:
    """Place street after street until the deal is scored."""
    while True:
        turn = page.locator("[data-testid=tray] [data-testid=ready], [data-testid=foul-dialog], [data-testid=result]")
        expect(turn.first).to_be_visible()
        if page.get_by_test_id("result").is_visible():
            return
        if page.get_by_test_id("draws").locator("[data-mine]").count():
            place_street(page)
        anyway = page.get_by_test_id("foul-anyway")
        if anyway.is_visible():
            anyway.click()


@pytest.mark.parametrize("who", ["desktop", "phone"])
def test_a_deal_against_strong_and_a_reload_in_its_middle(
    request: pytest.FixtureRequest, who: str, axe: Check
) -> None:
    context: BrowserContext = request.getfixturevalue(who)
    page = context.new_page()
    page.goto("/")
    page.get_by_test_id("to-solo").click()
    page.get_by_test_id("solo-level-0-strong").check()
    axe(page)
    page.get_by_test_id("solo-start").click()
    expect(page.get_by_test_id("tray")).to_be_visible()
    axe(page)
    place_street(page)
    expect(page.get_by_test_id("prompt")).to_contain_text("discard")
    cards = page.locator("[data-testid^=row-] [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
    assert len(cards) == 5
    page.reload()
    expect(page.get_by_test_id("prompt")).to_contain_text("discard")
    kept = page.locator("[data-testid^=row-] [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
    assert sorted(kept) == sorted(cards)
    play_deal(page)
    expect(page.get_by_test_id("stage")).to_have_attribute("data-phase", "showdown")
    axe(page)
