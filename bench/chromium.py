"""How soon a visitor's own browser answers: a first street on the analysis board, in two workers.

uv run python -m bench chromium

Each position is opened in a page that knows nothing yet, as by a link that somebody sent: its compiler has to warm up
too. The server's own kernel gets the same positions, in two threads and in the same run; issue 14, Shown by 1.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import sync_playwright

from bench.decisions.positions import spot
from bench.decisions.soon import timed
from bench.report import Spread, at_most, write
from tests.browser import browsers
from tests.browser.servers import serve
from triptych.notation.position import position_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Browser, CDPSession

    from triptych.notation.position import Position

COMMAND = "uv run python -m bench chromium"
NOTE = (
    "Seconds until the best four are within ± 0.1, the median of 8 positions (the most), heads-up; "
    "*processor*: what two cores take that do nothing else; in Chromium with all that the page does before. "
    "By the clock both wait for whatever else runs on the machine"
)
PRESET = "pineapple"
WORKERS = 2
POSITIONS = 8
SOON = 2.0
# What the page does all by itself, and when.
_LISTENS = f"""
Object.defineProperty(navigator, 'hardwareConcurrency', {{ get: () => {WORKERS} }});
window.stages = {{}};
new MutationObserver(() => {{
  const stage = document.querySelector('[data-testid=answer]')?.dataset.stage;
  if (stage) window.stages[stage] ??= performance.now();
}}).observe(document, {{ subtree: true, childList: true, attributes: true, attributeFilter: ['data-stage'] }});
"""


class Took(NamedTuple):
    """Seconds: by the clock from the first rollout on; by the processor, of one of two; by the clock, all told."""

    clock: float
    processor: float
    whole: float = 0.0


def asked(position: Position, seed: int) -> Took:
    """Ask the server's own kernel, in two threads."""
    began = perf_counter()
    _, took = timed(position, PRESET, seed)
    return Took(perf_counter() - began, took.waited)


def opened(browser: Browser, processes: CDPSession, address: str) -> Took:
    """Open a position in a page that knows nothing, and wait until it is known."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(_LISTENS)
    page.goto(address, wait_until="commit")
    page.locator("[data-testid=answer][data-stage=done]").wait_for(timeout=60_000)
    used = _used(processes)
    if len(page.workers) != WORKERS:
        message = f"{len(page.workers)} workers analyse, not {WORKERS}"
        raise RuntimeError(message)
    stages = page.evaluate("window.stages")
    context.close()
    return Took((stages["done"] - stages["sorting"]) / 1000, used / WORKERS, stages["done"] / 1000)


def _used(processes: CDPSession) -> float:
    """Return the processor seconds of the page; what else draws has drawn nothing."""
    infos = processes.send("SystemInfo.getProcessInfo")["processInfo"]
    return max(float(one["cpuTime"]) for one in infos if one["type"] == "renderer")


def _seconds(times: Sequence[float]) -> str:
    return f"{median(times):.2f} ({max(times):.2f})"


def _shown(timings: Sequence[Took]) -> tuple[str, str]:
    return _seconds([one.clock for one in timings]), _seconds([one.processor for one in timings])


def _verdict(timings: Sequence[Took]) -> tuple[str, str]:
    return f"≤ {SOON:g} s from the first rollout on, the most", at_most(
        Spread.of([one.clock for one in timings]), SOON
    )


def main() -> None:
    """Measure everything in one run and write the section."""
    launch = browsers.find()
    timed(spot(PRESET, 2, 1, "first"), PRESET, 1)  # the weights are loaded once a process
    here: list[Took] = []
    there: list[Took] = []
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=launch.executable, args=[*launch.arguments])
        processes = browser.new_browser_cdp_session()
        for index in range(POSITIONS):
            position = spot(PRESET, 2, 1, f"soon/{index}")
            here.append(asked(position, index))
            text = position_text(position).replace(" | ", "~").replace(" ", "_").replace("+", "!")
            there.append(opened(browser, processes, f"{server.url}/analyse/{PRESET}#{text}"))
        version = browser.version
        browser.close()
    rows = [
        ("what", "from the first rollout on", "processor", "from an empty page on", "target", ""),
        ("native, two threads", *_shown(here), "", "", ""),
        (
            f"Chromium {version}, two workers",
            *_shown(there),
            _seconds([one.whole for one in there]),
            *_verdict(there),
        ),
    ]
    write("Analysis in Chromium", COMMAND, rows, NOTE)


if __name__ == "__main__":
    main()
