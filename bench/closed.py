"""The closed strategies that come with the package: what was measured when they were made. Issue 4, 5.

uv run python -m bench closed

`uv run python -m bench.closed_gain PRESET` measures one again, on other deals, in minutes.
"""

from __future__ import annotations

from bench.closed_gain import PRESETS
from bench.report import Spread, at_most, write
from triptych.rulesets.load import resolve
from triptych.solve.closed.strategy import nearest_strategy, relevant_opponent_counts

COMMAND = "uv run python -m bench closed"
NOTE = "Points a deal that a best response gained when each strategy was trained, with the 95 % interval"
TARGET = 0.02


def main() -> None:
    """Write the section from the heads of the packaged files."""
    table = [
        ("strategy", "players", "gain of a best response", "duplicate deals", "target", "", "made and measured by")
    ]
    for preset in PRESETS:
        rules = resolve(preset)
        for opponents in relevant_opponent_counts(rules):
            head = nearest_strategy(rules, opponents).head
            gain = f"{head.gain:+.4f} ± {head.interval:.4f}" if head.deals else "–"
            verdict = at_most(Spread.around(head.gain, head.interval), TARGET) if head.deals else "not measured yet"
            row = (preset, str(opponents + 1), gain, f"{head.deals:,}", f"≤ {TARGET}", verdict, f"`{head.command}`")
            table.append(row)
    write("Closed strategies", COMMAND, table, NOTE)


if __name__ == "__main__":
    main()
