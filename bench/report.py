"""Writes a section of bench/results.md: every bench keeps its own, all figures come from the run that wrote them."""

from __future__ import annotations

import platform
import re
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RESULTS = Path(__file__).with_name("results.md")
_HEAD = "# Bench results\n\nWritten by the files of this folder; each section says how to run it again.\n"


def write(
    title: str, command: str, rows: Sequence[tuple[str, ...]], measured: str = "CPU time, median of the runs"
) -> None:
    """Put a section in place of the one with the same title; `rows` begin with the table's head."""
    head, *body = rows
    lines = [
        f"## {title}",
        "",
        f"`{command}` on {_machine()}; {measured}.",
        "",
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
        *(f"| {' | '.join(row)} |" for row in body),
    ]
    section = "\n".join(lines) + "\n"
    print(section)
    text = RESULTS.read_text() if RESULTS.exists() else _HEAD
    parts = {part.splitlines()[0]: part for part in re.split(r"(?m)^(?=## )", text)[1:]}
    parts[f"## {title}"] = section
    RESULTS.write_text(_HEAD + "\n" + "\n".join(parts[name].strip() + "\n" for name in sorted(parts)))


def seconds(work: Callable[[], object], runs: int = 5) -> float:
    """Return the median CPU seconds of a piece of work."""
    found: list[float] = []
    for _ in range(runs):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return median(found)


def _machine() -> str:
    model = ""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        match = re.search(r"model name\s*: (.*)", cpuinfo.read_text())
        model = f", {match[1].strip()}" if match else ""
    return f"Python {platform.python_version()}{model}"
