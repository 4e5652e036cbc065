"""What lies over a table: Back closes it, Enter does what it is for (issue 11, 1.12)."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.conftest import PATIENCE
from tests.browser.people import Person
from tests.browser.scenes import my_turn, show
from tests.browser.servers import Server


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(
        base_url=server.url, viewport=ViewportSize(width=390, height=664), has_touch=True, is_mobile=True
    )
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.mark.slow
def test_back_closes_dialogs_over_the_table_before_leaving_it(page: Page) -> None:
    page.goto("/")
    show(page, my_turn("pineapple", 3))
    for _ in range(2):
        page.get_by_role("button", name="Score", exact=False).first.click()
        expect(page.locator("dialog")).to_be_visible()
        page.go_back()
        expect(page.locator("dialog")).to_have_count(0)
        expect(page.get_by_test_id("stage")).to_be_visible()
    page.get_by_role("button", name="Score", exact=False).first.click()
    page.get_by_role("button", name="Close").click()
    expect(page.locator("dialog")).to_have_count(0)
    page.go_back()
    expect(page.get_by_test_id("my-name")).to_be_visible()


def test_enter_sits_down_and_a_free_table_names_the_number_of_free_seats(ann: Person) -> None:
    """The focus stood on Close, so that Enter cancelled."""
    ann.open_custom_table("ofc_american")
    ann.press("sit-0")
    expect(ann.page.get_by_test_id("confirm-sit")).to_be_focused()
    ann.page.keyboard.press("Enter")
    expect(ann.page.get_by_test_id("stack-0")).to_be_visible()
    expect(ann.page.locator("#my-place")).to_be_focused()
    ann.wait_until_closed()
    ann.add_bot(1, "random")
    ann.says("lounge", "Two more players can join")
