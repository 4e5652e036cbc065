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
_RECORD_STAGES = f"""
Object.defineProperty(navigator, 'hardwareConcurrency', {{ get: () => {WORKERS} }});
window.stages = {{}};
new MutationObserver(() => {{
  const stage = document.querySelector('[data-testid=answer]')?.dataset.stage;
  if (stage) window.stages[stage] ??= performance.now();
}}).observe(document, {{ subtree: true, childList: true, attributes: true, attributeFilter: ['data-stage'] }});
"""


class Timing(NamedTuple):
    """Seconds: by the clock from the first rollout on; by the processor, of one of two; by the clock, in all."""

    clock: float
    processor: float
    whole: float = 0.0


def time_native(position: Position, seed: int) -> Timing:
    """Ask the server's own kernel, in two threads."""
    began = perf_counter()
    _, took = timed(position, PRESET, seed)
    return Timing(perf_counter() - began, took.waited)


def time_page(browser: Browser, processes: CDPSession, address: str) -> Timing:
    """Open a position in a page that knows nothing, and wait until it is known."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(_RECORD_STAGES)
    page.goto(address, wait_until="commit")
    page.locator("[data-testid=answer][data-stage=done]").wait_for(timeout=60_000)
    used = _renderer_seconds(processes)
    if len(page.workers) != WORKERS:
        message = f"{len(page.workers)} workers analyse, not {WORKERS}"
        raise RuntimeError(message)
    stages = page.evaluate("window.stages")
    context.close()
    return Timing((stages["done"] - stages["sorting"]) / 1000, used / WORKERS, stages["done"] / 1000)


def _renderer_seconds(processes: CDPSession) -> float:
    """Return the processor seconds of the page; what else draws has drawn nothing."""
    infos = processes.send("SystemInfo.getProcessInfo")["processInfo"]
    return max(float(process["cpuTime"]) for process in infos if process["type"] == "renderer")


def _seconds(times: Sequence[float]) -> str:
    return f"{median(times):.2f} ({max(times):.2f})"


def _cells(timings: Sequence[Timing]) -> tuple[str, str]:
    return _seconds([timing.clock for timing in timings]), _seconds([timing.processor for timing in timings])


def _verdict(timings: Sequence[Timing]) -> tuple[str, str]:
    return f"≤ {SOON:g} s from the first rollout on, the most", at_most(
        Spread.of([timing.clock for timing in timings]), SOON
    )


def main() -> None:
    """Measure everything in one run and write the section."""
    launch = browsers.find()
    timed(spot(PRESET, 2, 1, "first"), PRESET, 1)  # the weights are loaded once a process
    here: list[Timing] = []
    there: list[Timing] = []
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=launch.executable, args=[*launch.arguments])
        processes = browser.new_browser_cdp_session()
        for index in range(POSITIONS):
            position = spot(PRESET, 2, 1, f"soon/{index}")
            here.append(time_native(position, index))
            text = position_text(position).replace(" | ", "~").replace(" ", "_").replace("+", "!")
            there.append(time_page(browser, processes, f"{server.url}/analyse/{PRESET}#{text}"))
        version = browser.version
        browser.close()
    rows = [
        ("what", "from the first rollout on", "processor", "from an empty page on", "target", ""),
        ("native, two threads", *_cells(here), "", "", ""),
        (
            f"Chromium {version}, two workers",
            *_cells(there),
            _seconds([timing.whole for timing in there]),
            *_verdict(there),
        ),
    ]
    write("Analysis in Chromium", COMMAND, rows, NOTE)


if __name__ == "__main__":
    main()
