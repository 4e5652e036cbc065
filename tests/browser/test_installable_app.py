"""Chromium itself calls the server an app that can be installed (issue 11, part 4); it must be one with windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser import browsers

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Playwright

    from tests.browser.servers import Server


@pytest.mark.slow
def test_the_browser_calls_it_installable(server: Server, playwright: Playwright) -> None:
    """Chromium's own check (Page.getInstallabilityErrors); only the private window is in its way."""
    whole = browsers.find_whole()
    if whole is None:
        pytest.skip("only a browser with windows knows of apps: `apt-get install chromium`")
    running = playwright.chromium.launch(executable_path=whole.executable, args=[*whole.arguments])
    page = running.new_page(base_url=server.url)
    page.goto("/")
    page.get_by_test_id("create-table").wait_for()
    line = page.context.new_cdp_session(page)
    line.send("Page.getAppManifest")
    assert faults(line) == []
    # The check itself can fail: without the manifest it does.
    page.route("**/manifest.webmanifest", lambda route: route.fulfill(status=404))
    page.reload()
    page.get_by_test_id("create-table").wait_for()
    line.send("Page.getAppManifest")
    assert faults(line) != []
    running.close()


def faults(line: CDPSession) -> list[str]:
    errors = line.send("Page.getInstallabilityErrors")["installabilityErrors"]
    return [error["errorId"] for error in errors if error["errorId"] != "in-incognito"]
