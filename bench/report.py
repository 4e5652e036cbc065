"""Writes the pages of bench/results: a page a bench, with its command, machine, commit and date."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from triptych import stats

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

RESULTS = Path(__file__).with_name("results")
RUNS = 5


class Spread(NamedTuple):
    """The least, the median and the most of some runs."""

    least: float
    median: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Return the spread of some figures."""
        return cls(min(values), median(values), max(values))

    @classmethod
    def around(cls, mean: float, half: float) -> Spread:
        """Return the interval of a mean."""
        return cls(mean - half, mean, mean + half)

    def rate(self, count: float) -> Spread:
        """Turn seconds for `count` things into things a second."""
        return Spread(count / self.most, count / self.median, count / self.least)

    def text(self, form: str) -> tuple[str, str, str]:
        """Return the three as text, least first."""
        least, middle, most = (format(value, form) for value in self)
        return least, middle, most


def at_least(spread: Spread, target: float, form: str = ".2f") -> str:
    """Say whether all of an interval reaches a target, else how far it is from it; open where only a part does."""
    if spread.least >= target:
        return "met"
    if spread.most < target:
        return f"missed: {spread.median / target:{form}} of it"
    return f"open: {spread.least / target:{form}} to {spread.most / target:{form}} of it"


def at_most(spread: Spread, target: float, form: str = ".2f") -> str:
    """Say whether all of an interval is within a target, else how many times it is as much; open where a part is."""
    if spread.most <= target:
        return "met"
    if spread.least > target:
        return f"missed: {spread.median / target:{form}} × it"
    return f"open: {spread.least / target:{form}} to {spread.most / target:{form}} × it"


def interval(values: NDArray[np.float64]) -> str:
    """Return the mean of some values with its 95 % interval, as text."""
    estimate = stats.estimate(values)
    return f"{estimate.mean:+.3f} ± {estimate.half:.3f}"


def write(title: str, command: str, rows: Sequence[tuple[str, ...]], note: str = "") -> None:
    """Write the page of this title in place of the one before; `rows` begin with the table's head."""
    head, *body = rows
    lines = [
        f"# {title}",
        "",
        f"`{command}` on {_machine()}{f'. {note}' if note else '.'}",
        "",
        f"Commit {_commit()}, {datetime.now(UTC):%Y-%m-%d}.",
        "",
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
        *(f"| {' | '.join(row)} |" for row in body),
    ]
    page = "\n".join(lines) + "\n"
    print(page, flush=True)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{slug(title)}.md").write_text(page)


def slug(title: str) -> str:
    """Return the name of a title's file."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def seconds(work: Callable[[], object], runs: int = RUNS) -> Spread:
    """Return the CPU seconds of a piece of work in each of some runs, after one that warms up."""
    work()
    times: list[float] = []
    for _ in range(runs):
        start = time.thread_time()
        work()
        times.append(time.thread_time() - start)
    return Spread.of(times)


def _commit() -> str:
    """Return the commit of this checkout, marked where files differ from it."""
    described = subprocess.run(
        ["git", "describe", "--always", "--abbrev=9", "--exclude=*", "--dirty=, changed"],  # noqa: S607 - wherever it is
        cwd=RESULTS.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return described.stdout.strip() or "unknown"


def _machine() -> str:
    model = ""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        match = re.search(r"model name\s*: (.*)", cpuinfo.read_text())
        model = f", {match[1].strip()}" if match else ""
    busy = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    return f"Python {platform.python_version()}{model}, {os.cpu_count()} cores, load {busy}; CPU time of one core"
