"""What axe finds on a page. Its script is brought to a page once, which costs as much as a look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from axe_playwright_python.base import AXE_SCRIPT

if TYPE_CHECKING:
    from playwright.sync_api import Page


def violations(page: Page) -> list[dict[str, Any]]:
    """Return axe's faults of the page as it is now."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[dict[str, Any]] = page.evaluate(
        "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"
    )
    return found
