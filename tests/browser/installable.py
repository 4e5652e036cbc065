"""What makes the site an app that can be installed (issue 11, part 4); Chromium's own check: test_installable_app."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page


def can_be_installed(page: Page) -> None:
    """The lobby's manifest is read without an error, and its icons are there."""
    manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert manifest["errors"] == []
    content: dict[str, Any] = json.loads(manifest["data"])
    assert (content["display"], content["start_url"], content["scope"]) == ("standalone", "/", "/")
    for icon in content["icons"]:
        answer = page.request.get(icon["src"])
        assert answer.ok
        assert answer.headers["content-type"] == icon["type"]
