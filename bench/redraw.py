"""What an update costs a page that watches a table: `python -m bench.redraw [--updates 50]`.

CPU time of the page's main thread, by Chromium's performance metrics, of all that happens between the first update
and the last: drawing, clocks and animations too. The table is this tree's own, played by bots.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import ViewportSize, sync_playwright

from tests.browser import browsers
from tests.browser.people import Person
from tests.browser.servers import serve

SCREEN = ViewportSize(width=1280, height=800)
TIMES = ("TaskDuration", "ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
COUNTS = ("RecalcStyleCount", "LayoutCount")
_SEAT = """async ([table, seat]) => {
    const id = crypto.randomUUID();
    const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ws');
    await new Promise((done) => {
        socket.onopen = () => socket.send(JSON.stringify(
            { t: 'do', cmd_id: id, table, seen: 0, action: { do: 'seat_bot', seat, level: 'fast', buy_in: 200 } }));
        socket.onmessage = (said) => JSON.parse(said.data).cmd_id === id && done();
    });
    socket.close();
}"""


def measured(updates: int) -> dict[str, float]:
    """Return what so many updates cost a page, each: times in ms, and counts."""
    launch = browsers.find()
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=launch.executable, args=[*launch.arguments])
        page = browser.new_context(base_url=server.url, viewport=SCREEN).new_page()
        link = Person(page, "Ann").found_table("pineapple", seats__buy_in_max=200)
        page.emulate_media(reduced_motion="no-preference")
        line = page.context.new_cdp_session(page)
        line.send("Performance.enable", {"timeDomain": "threadTicks"})
        line.send("Network.enable")
        heard: list[int] = []

        def hear(frame: dict[str, Any]) -> None:
            text = frame["response"]["payloadData"]
            if text.startswith(('{"t":"update"', '{"t":"parts"')):
                heard.append(len(text.encode()))

        line.on("Network.webSocketFrameReceived", hear)
        page.goto(link)
        page.get_by_test_id("stage").wait_for()
        for seat in range(3):
            page.evaluate(_SEAT, [link.rpartition("/")[2], seat])

        def wait(more: int) -> None:
            enough = len(heard) + more
            while len(heard) < enough:
                page.wait_for_timeout(50)

        def metrics() -> dict[str, float]:
            return {each["name"]: each["value"] for each in line.send("Performance.getMetrics")["metrics"]}

        wait(10)
        first, before = len(heard), metrics()
        wait(updates)
        last, after = len(heard), metrics()
        browser.close()
    done = last - first
    found = {name: (after[name] - before[name]) * 1000 / done for name in TIMES}
    found |= {name: (after[name] - before[name]) / done for name in COUNTS}
    return {**found, "bytes": sum(heard[first:last]) / done, "updates": done}


def main() -> None:
    """Print what an update costs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=50)
    for name, value in measured(parser.parse_args().updates).items():
        print(f"{name}: {value:.1f}{' ms' if name in TIMES else ''}")


if __name__ == "__main__":
    main()
