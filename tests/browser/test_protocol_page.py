"""The protocol's page at `/docs`: read on a phone, at a desk, by LAN name, and by axe (issue 15, part 5)."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.browser.browsers import LAN
from tests.browser.conftest import DESKTOP, PHONE, Check
from tests.browser.servers import Server
from tests.case_sample import sample_cases

SMALL = ViewportSize(width=360, height=640)
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize(
    ("size", "scheme"), sample_cases([(SMALL, "dark"), (PHONE, "light"), (DESKTOP, "dark")], [(SMALL, "dark")])
)
@pytest.mark.slow
def test_it_is_read_on_every_screen(
    browser: Browser, server: Server, axe: Check, size: ViewportSize, scheme: str
) -> None:
    """Shut and with everything open nothing is wider than the screen, and it needs no script and no other host."""
    home = f"{LAN}:{urlsplit(server.url).port}"
    context = browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
    hosts: list[str] = []
    context.on("request", lambda request: hosts.append(urlsplit(request.url).netloc))
    page = context.new_page()
    page.goto(f"http://{home}/docs")
    assert page.evaluate("getComputedStyle(document.body).maxWidth") != "none"  # the style sheet has come
    assert page.evaluate(TOO_WIDE) <= 0
    page.locator("summary", has_text="/api/me/tokens").first.click()
    assert page.locator("details[open] pre, details[open] p").first.is_visible()
    axe(page)
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert page.evaluate(TOO_WIDE) <= 0
    assert set(hosts) == {home}
    context.close()
