"""The lobby opens on a desktop and on a phone, in light and dark (issue 2, shown by 1 and 2)."""

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.installable import can_be_installed
from tests.browser.kernel import runs_the_kernel
from tests.case_sample import sample_cases


@pytest.mark.parametrize("device", sample_cases(["desktop", "phone"], ["phone"]))
def test_the_lobby_opens_and_is_accessible(
    device: str, request: pytest.FixtureRequest, axe: Callable[[Page], None]
) -> None:
    """Also: one's name is shown whole, the server can be installed as an app, and the page may run the kernel."""
    person: BrowserContext = request.getfixturevalue(device)
    page = person.new_page()
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        page.goto("/")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        axe(page)
    for width in (320, 360, 390) if device == "phone" else (1280,):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth <= screen.width"), "the page scrolls sideways"
        name = page.get_by_test_id("my-name")
        expect(name).to_be_visible()
        assert name.evaluate("one => one.scrollWidth <= one.clientWidth")
    can_be_installed(page)
    runs_the_kernel(page)
