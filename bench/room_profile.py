"""Where the processor time of a room under load goes, part by part, sampled from outside: PROFILE's table.

uv run --group bench python -m bench.room_profile [--tables 300] [--seconds 30]

py-spy looks two hundred times a second at which lines the server's threads are in; a part's share of those looks is
its share of the processor time that the server used meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.report import write
from bench.room_load import Load, seated
from bench.room_paired import play
from bench.servers import ServerGroup, over_sqlite

if TYPE_CHECKING:
    from collections.abc import Iterable

COMMAND: Final = "uv run --group bench python -m bench.room_profile"
SPY: Final = Path(sys.executable).with_name("py-spy")
LOOKS_A_SECOND: Final = 200
WARM: Final = 2_000
AT_ONCE: Final = 64

# The first part of which a place stands in a stack has the look: what is lower here calls what is higher.
PARTS: Final = (
    ("the next decks, committed and proved", ("triptych/fair/",)),
    (
        "send to three and the player",
        ("write (triptych/server/edge/websocket_protocol.py", "_flush (triptych/server/edge/websocket_protocol.py"),
    ),
    ("views: what changed, as text", ("triptych/server/tables/subscribers.py",)),
    ("invariants", ("triptych/server/tables/integrity.py", "triptych/table/invariants.py")),
    ("events as bytes", ("triptych/server/tables/event_log.py", "triptych/table/codec.py")),
    ("snapshots and glances", ("triptych/server/tables/snapshots.py", "triptych/server/tables/summary.py")),
    ("projections: ledger, histories, summaries", ("triptych/store/project",)),
    ("the recorder of deals and results", ("triptych/server/tables/results_projector.py",)),
    ("commit", ("triptych/store/",)),
    (
        "decide, and follow the events",
        ("triptych/deal/", "triptych/table/", "triptych/scoring/", "triptych/rulesets/"),
    ),
    ("read the message", ("triptych/server/wire/decoding.py",)),
    ("the table’s task, answers, timers", ("triptych/server/tables/",)),
    (
        "the connection: who asks, and how often",
        ("triptych/server/edge/connection.py", "triptych/server/edge/rate_limits.py"),
    ),
    ("socket read and frames", ("triptych/server/edge/",)),
    ("the collector of cycles", ("triptych/server/gc_control.py",)),
)
REST: Final = "the event loop, its tasks and system calls"


def part_of(stack: str) -> str:
    """Return the part that a stack, as py-spy writes it, is looking after."""
    return next((name for name, places in PARTS if any(place in stack for place in places)), REST)


def count_parts(lines: Iterable[str]) -> Counter[str]:
    """Return how many looks each part has, of lines `frame;frame;... looks`."""
    looks: Counter[str] = Counter()
    for line in lines:
        stack, _, number = line.rpartition(" ")
        looks[part_of(stack)] += int(number)
    return looks


async def sampled(group: ServerGroup, tables: int, seconds: float) -> tuple[Counter[str], float, int]:
    """Play at all tables as fast as the server can; return looks, processor time (s) and actions."""
    load = Load()
    async with seated(group.urls, load, tables):
        await play(load, WARM, AT_ONCE)
        raw = Path(group.database).with_name("looks")
        which = ("--pid", str(group.processes[0].process.pid), "--nonblocking")
        how = ("--rate", str(LOOKS_A_SECOND), "--duration", f"{seconds:g}", "--format", "raw", "--output", str(raw))
        quiet = subprocess.DEVNULL
        spy = await asyncio.create_subprocess_exec(SPY, "record", *which, *how, stdout=quiet, stderr=quiet)
        before, acks = group.cpu(), load.acks
        while spy.returncode is None:
            await play(load, AT_ONCE, AT_ONCE)
        used, done = group.cpu() - before, load.acks - acks
    if load.refused or spy.returncode:
        raise SystemExit(f"{load.refused} actions were refused, py-spy ended with {spy.returncode}")
    return count_parts(raw.read_text().splitlines()), used, done


def main() -> None:
    """Load a server, look at it, and write where its time went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=30)
    args = parser.parse_args()
    if not SPY.exists():
        parser.error(f"there is no py-spy here: {COMMAND}")
    with tempfile.TemporaryDirectory() as place, over_sqlite(Path(place)) as group:
        looks, used, done = asyncio.run(sampled(group, args.tables, args.seconds))
    action = used / done * 1e6
    rows = [
        (name, f"{count / looks.total():.0%}", f"{action * count / looks.total():,.0f}")
        for name, count in looks.most_common()
    ]
    rows.append(("all", "100%", f"{action:,.0f}"))
    note = f"{args.tables} tables of three, {done:,} actions, {AT_ONCE} at once, {looks.total():,} looks"
    write("Where the room’s processor time goes", COMMAND, [("part", "share", "µs an action"), *rows], note)


if __name__ == "__main__":
    main()
