"""What axe finds on a page. Its script is brought to a page once, which costs as much as a look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from axe_playwright_python.base import AXE_SCRIPT

if TYPE_CHECKING:
    from playwright.sync_api import Page

# What lies behind a dialog is inert, and has been looked at without it. The newest dialog lies on top.
_RUN = """async () => {
    const reached = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
    const options = { resultTypes: ['violations'], preload: false, iframes: false };
    return (await axe.run(reached, options)).violations;
}"""


def violations(page: Page) -> list[dict[str, Any]]:
    """Return axe's faults of what can be reached now: an open dialog, else the page."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    faults: list[dict[str, Any]] = page.evaluate(_RUN)
    return faults
