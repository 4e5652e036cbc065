"""The lobby opens on a desktop and on a phone, in light and dark (issue 2, shown by 1 and 2)."""

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.seldom import seldom


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_the_lobby_opens_and_is_accessible(
    device: str, request: pytest.FixtureRequest, axe: Callable[[Page], None]
) -> None:
    person: BrowserContext = request.getfixturevalue(device)
    page = person.new_page()
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        page.goto("/")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
        axe(page)


@pytest.mark.parametrize("width", seldom([320, 360, 390], [320]))
def test_ones_name_is_shown_whole(phone: BrowserContext, width: int) -> None:
    page = phone.new_page()
    page.set_viewport_size({"width": width, "height": 640})
    page.goto("/")
    name = page.get_by_test_id("my-name")
    expect(name).to_be_visible()
    assert name.evaluate("one => one.scrollWidth <= one.clientWidth")
