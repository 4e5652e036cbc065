"""What an update costs a page that watches a table: `python -m bench.redraw [--phone] [--other PYTHON]`.

CPU time of the page's main thread, by Chromium's performance metrics, of all that happens between the first update
and the last: drawing, clocks and animations too. The table is this tree's own, played by bots. With `--other`, the
Python of another checkout's environment, its page watches a table of its own at the same time.
"""

from __future__ import annotations

import argparse
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import ViewportSize, sync_playwright

from bench.servers import over_sqlite
from tests.browser import browsers
from tests.browser.people import Person

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DESKTOP: Final = ViewportSize(width=1280, height=800)
PHONE: Final = ViewportSize(width=390, height=844)
TIMES: Final = ("TaskDuration", "ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
COUNTS: Final = ("RecalcStyleCount", "LayoutCount")
WARM: Final = 10  # updates before the first one that counts
_SEAT = """async ([table, seat]) => {
    const id = crypto.randomUUID();
    const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ws');
    await new Promise((done) => {
        socket.onopen = () => socket.send(JSON.stringify(
            { t: 'do', cmd_id: id, table, seen: 0, action: { do: 'seat_bot', seat, level: 'fast', buy_in: 200 } }));
        socket.onmessage = (message) => JSON.parse(message.data).cmd_id === id && done();
    });
    socket.close();
}"""


class WatchingPage:
    """A page that watches three bots play, and what it has cost since `begin`."""

    def __init__(self, browser: Browser, url: str, screen: ViewportSize) -> None:
        self.page = browser.new_context(base_url=url, viewport=screen).new_page()
        link = Person(self.page, "Ann").open_custom_table("pineapple", seats__buy_in_max=200)
        self.page.emulate_media(reduced_motion="no-preference")
        self._devtools = self.page.context.new_cdp_session(self.page)
        self._devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._devtools.send("Network.enable")
        self.sizes: list[int] = []
        self._devtools.on("Network.webSocketFrameReceived", self._count_frame)
        self.page.goto(link)
        self.page.get_by_test_id("stage").wait_for()
        for seat in range(3):
            self.page.evaluate(_SEAT, [link.rpartition("/")[2], seat])

    def _count_frame(self, frame: dict[str, Any]) -> None:
        text = frame["response"]["payloadData"]
        if text.startswith(('{"t":"update"', '{"t":"parts"')):
            self.sizes.append(len(text.encode()))

    def _metrics(self) -> dict[str, float]:
        return {each["name"]: each["value"] for each in self._devtools.send("Performance.getMetrics")["metrics"]}

    def begin(self) -> None:
        """Count from here on."""
        self._first, self._before = len(self.sizes), self._metrics()

    def cost(self) -> dict[str, float]:
        """Return what the updates since then have cost, each: times in ms, and counts."""
        sizes, after = self.sizes[self._first :], self._metrics()
        spent = {name: (after[name] - self._before[name]) / len(sizes) for name in (*TIMES, *COUNTS)}
        times = {name: spent[name] * 1000 for name in TIMES}
        return {**spent, **times, "bytes": sum(sizes) / len(sizes), "updates": len(sizes)}


def measure(updates: int, screen: ViewportSize, others: list[Path]) -> list[dict[str, float]]:
    """Return what so many updates cost a page of ours, each, and then a page of each other checkout."""
    launch = browsers.find()
    with ExitStack() as stack:
        groups = []
        for python in (None, *others):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            groups.append(stack.enter_context(over_sqlite(folder, python)))
        chromium = stack.enter_context(sync_playwright()).chromium
        # A browser each: pages of two ports of one host may share a process, and its main thread.
        pages = []
        for group in groups:
            browser = chromium.launch(executable_path=launch.executable, args=[*launch.arguments])
            stack.callback(browser.close)
            pages.append(WatchingPage(browser, group.urls[0], screen))

        def wait(more: int) -> None:
            enough = [len(page.sizes) + more for page in pages]
            while any(len(page.sizes) < many for page, many in zip(pages, enough, strict=True)):
                pages[0].page.wait_for_timeout(50)

        wait(WARM)
        for page in pages:
            page.begin()
        wait(updates)
        return [page.cost() for page in pages]


def main() -> None:
    """Print what an update costs; with another checkout, what it costs there and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=50)
    parser.add_argument("--phone", action="store_true", help="390 pixels wide instead of 1280")
    parser.add_argument("--other", type=Path, help="the Python of another checkout's environment")
    args = parser.parse_args()
    others = [args.other.absolute()] if args.other else []
    ours, *theirs = measure(args.updates, PHONE if args.phone else DESKTOP, others)
    for name, value in ours.items():
        unit = " ms" if name in TIMES else ""
        beside = "".join(f"; other {other[name]:.1f}{unit}, ratio {value / other[name]:.2f}" for other in theirs)
        print(f"{name}: {value:.1f}{unit}{beside}")


if __name__ == "__main__":
    main()
