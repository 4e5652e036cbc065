"""`triptych score` over two-player deals: deals a second and peak memory. Issue 3; target 20,000 a second.

uv run python -m bench.score
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.report import RUNS, Spread, at_least, write
from triptych.cards import cards_text, deck

COMMAND = "uv run python -m bench score"
TARGET = 20_000


def main() -> None:
    """Score 100,000 and 200,000 deals in processes of their own; memory must not grow with the input."""
    head = ("two-player Pineapple deals", "deals a second, min", "median", "max", "target", "", "peak memory")
    table = [head]
    with tempfile.TemporaryDirectory() as folder:
        for deals in (100_000, 200_000):
            file = Path(folder) / "deals.jsonl"
            write_deals(file, deals)
            runs = [score_file(file) for _ in range(RUNS)]
            rate = Spread.of([cpu for cpu, _ in runs]).rate(deals)
            memory = max(memory for _, memory in runs) / 1024
            verdict = (f"≥ {TARGET:,}", at_least(rate, TARGET))
            table.append((f"{deals:,}", *rate.text(",.0f"), *verdict, f"{memory:.1f} MiB"))
    write("triptych score", COMMAND, table, "The start of the program is counted")


def write_deals(file: Path, deals: int) -> None:
    chance = random.Random(5)
    cards = list(deck())
    with file.open("w") as out:
        for number in range(deals):
            chance.shuffle(cards)
            players = {
                name: {
                    "front": cards_text(cards[at : at + 3]),
                    "middle": cards_text(cards[at + 3 : at + 8]),
                    "back": cards_text(cards[at + 8 : at + 13]),
                }
                for name, at in (("A", 0), ("B", 13))
            }
            out.write(json.dumps({"id": number, "rules": {"preset": "pineapple"}, "players": players}) + "\n")


def score_file(file: Path) -> tuple[float, int]:
    """Return CPU seconds and peak memory in KiB of one run."""
    command = [sys.executable, "-c", "from triptych.cli.main import main; main()", "score", str(file)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit("triptych score failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


if __name__ == "__main__":
    main()
