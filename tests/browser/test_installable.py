"""The house can be installed as an app: the browser itself finds nothing missing (issue 11, part 4)."""

import json

from playwright.sync_api import BrowserContext


def test_the_browser_calls_it_installable(desktop: BrowserContext) -> None:
    """Chromium's own check (Page.getInstallabilityErrors); only the private window is in its way."""
    page = desktop.new_page()
    page.goto("/")
    page.get_by_test_id("create-table").wait_for()
    line = desktop.new_cdp_session(page)
    manifest = line.send("Page.getAppManifest")
    assert manifest["errors"] == []
    told = json.loads(manifest["data"])
    assert (told["display"], told["start_url"], told["scope"]) == ("standalone", "/", "/")
    faults = [one["errorId"] for one in line.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert [fault for fault in faults if fault != "in-incognito"] == []
    for icon in told["icons"]:
        answer = page.request.get(icon["src"])
        assert answer.ok
        assert answer.headers["content-type"] == icon["type"]
    # The check itself can fail: without the manifest it does.
    page.route("**/manifest.webmanifest", lambda route: route.fulfill(status=404))
    page.reload()
    page.get_by_test_id("create-table").wait_for()
    line.send("Page.getAppManifest")
    without = [one["errorId"] for one in line.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert [fault for fault in without if fault != "in-incognito"] != []


def test_no_worker_stands_between_the_page_and_the_server(desktop: BrowserContext) -> None:
    """Nothing serves an old client: no service worker, no cache of its own, and the page is asked for each time."""
    page = desktop.new_page()
    answer = page.goto("/")
    assert answer is not None
    assert answer.headers["cache-control"] == "no-cache"
    page.get_by_test_id("create-table").wait_for()
    kept = "async () => [(await navigator.serviceWorker.getRegistrations()).length, (await caches.keys()).length]"
    assert page.evaluate(kept) == [0, 0]
