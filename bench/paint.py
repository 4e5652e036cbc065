"""First paint and transfer size on a slow phone: `python -m bench.paint`.

Chromium's slow 3G of old: 400 ms a round trip, 400 kbit/s both ways, a processor four times as slow; nothing cached.
The pages are served by this tree's own server on loopback.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import ViewportSize, sync_playwright

from tests.browser import browsers
from tests.browser.people import Person
from tests.browser.servers import serve

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LATENCY_MS = 400
BYTES_A_SECOND = 400_000 / 8
SLOWER = 4
PHONE = ViewportSize(width=390, height=664)
SETTLES_MS = 1_500
_PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


class Paint(NamedTuple):
    """When something was painted first and when the page stood (s), and what had been sent for it by then (bytes)."""

    seconds: float
    stands: float
    sent: int
    requests: int


def measure_paint(browser: Browser, address: str, selector: str) -> Paint:
    """Open an address with an empty cache over a slow line; `shown`: the test id that says that it stands."""
    context = browser.new_context(viewport=PHONE, device_scale_factor=2, is_mobile=True, has_touch=True)
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": LATENCY_MS,
            "downloadThroughput": BYTES_A_SECOND,
            "uploadThroughput": BYTES_A_SECOND,
        },
    )
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    sent: list[int] = []
    line.on("Network.loadingFinished", lambda done: sent.append(int(done["encodedDataLength"])))
    page.goto(address, wait_until="commit")
    page.get_by_test_id(selector).first.wait_for(timeout=120_000)
    stands = page.evaluate("performance.now()") / 1000
    page.wait_for_timeout(SETTLES_MS)
    seconds = page.evaluate(_PAINTED) / 1000
    context.close()
    return Paint(seconds, stands, sum(sent), len(sent))


def measure_pages() -> dict[str, Paint]:
    """Return what the lobby and an empty table take."""
    launch = browsers.find()
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=launch.executable, args=[*launch.arguments])
        context = browser.new_context(base_url=server.url)
        table = server.url + Person(context.new_page(), "Ann").open_custom_table("pineapple")
        paints = {
            "lobby": measure_paint(browser, server.url + "/", "create-table"),
            "table": measure_paint(browser, table, "stage"),
        }
        browser.close()
    return paints


def main() -> None:
    """Print both pages."""
    print(f"{LATENCY_MS} ms a round trip, {BYTES_A_SECOND * 8 / 1000:g} kbit/s, processor {SLOWER} times as slow")
    for name, paint in measure_pages().items():
        times = f"first paint {paint.seconds:.2f} s, stands at {paint.stands:.2f} s"
        print(f"{name}: {times}, {paint.sent / 1000:.1f} kB in {paint.requests} requests")


if __name__ == "__main__":
    main()
