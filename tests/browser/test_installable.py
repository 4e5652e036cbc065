"""What makes the house an app that can be installed (issue 11, part 4); Chromium's own word on it: test_app.py."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import BrowserContext


def test_the_manifest_is_read_without_an_error_and_its_icons_are_there(desktop: BrowserContext) -> None:
    page = desktop.new_page()
    page.goto("/")
    page.get_by_test_id("create-table").wait_for()
    manifest = desktop.new_cdp_session(page).send("Page.getAppManifest")
    assert manifest["errors"] == []
    told: dict[str, Any] = json.loads(manifest["data"])
    assert (told["display"], told["start_url"], told["scope"]) == ("standalone", "/", "/")
    for icon in told["icons"]:
        answer = page.request.get(icon["src"])
        assert answer.ok
        assert answer.headers["content-type"] == icon["type"]
