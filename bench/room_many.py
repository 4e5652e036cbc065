"""What an action costs the room with 1, 2 and 4 servers on one PostgreSQL, in turns: a busy machine tells it too.

uv run python -m bench.room_many [--servers 1 2 4] [--tables 120] [--rate 200] [--turns 4] [--seconds 5]
    [--each] [--other ../other/.venv/bin/python --name COMMIT]

Each turn plays at the same steady rate at one of the groups, while the others have nothing to do: from that comes
what a server costs that is idle, with its tables and players. With `--each` the rate is each server's: one with less
to do pays more an action, for its wake-ups and its cold caches, however many others there are. With `--other` the
groups of another checkout take turns with ours.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from bench.report import write
from bench.room_load import Load, drive, seated
from bench.servers import BEHIND_SECONDS, ServerGroup, over_postgres

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMAND = "uv run python -m bench.room_many"
HEAD = (
    "room",
    "servers",
    "actions a second",
    "µs an action",
    "to one server",
    "to the other room",
    "database’s own",
    "idle server",
)


@dataclass
class MeasuredGroup:
    """A group of servers and its turns: seconds of a processor an action, its database's too, and a second idle."""

    name: str
    servers: int
    rate: float
    group: ServerGroup
    load: Load = field(default_factory=Load)
    actions: list[float] = field(default_factory=list)
    database_seconds: list[float] = field(default_factory=list)
    idle: list[float] = field(default_factory=list)

    @property
    def cost(self) -> float:
        """Return the microseconds of an action."""
        return median(self.actions) * 1e6


async def measure(all_of: Sequence[MeasuredGroup], tables: int, turns: int, seconds: float) -> None:
    """Seat everybody, warm up, and play in turns."""
    async with AsyncExitStack() as stack:
        for measurement in all_of:
            await stack.enter_async_context(seated(measurement.group.urls, measurement.load, tables))
            await drive(measurement.load, measurement.rate, BEHIND_SECONDS)
        for turn in range(turns):
            for playing in all_of if turn % 2 else reversed(all_of):
                await _turn(playing, all_of, seconds)
    if any(measurement.load.refused for measurement in all_of):
        raise SystemExit("actions were refused")


async def _turn(playing: MeasuredGroup, all_of: Sequence[MeasuredGroup], seconds: float) -> None:
    """Play at one group, and measure from when what is done behind its commits keeps up with them."""
    await drive(playing.load, playing.rate, BEHIND_SECONDS)
    acks, database_before = playing.load.acks, playing.group.database_cpu()
    began, start = [measurement.group.cpu() for measurement in all_of], time.perf_counter()
    await drive(playing.load, playing.rate, seconds)
    wall = time.perf_counter() - start
    for measurement, before in zip(all_of, began, strict=True):
        spent = measurement.group.cpu() - before
        if measurement is playing:
            measurement.actions.append(spent / (measurement.load.acks - acks))
            measurement.database_seconds.append(
                (measurement.group.database_cpu() - database_before) / (measurement.load.acks - acks)
            )
        else:
            measurement.idle.append(spent / wall / measurement.servers)


def main() -> None:
    """Start all groups, load them in turns, and write what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--tables", type=int, default=120)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--each", action="store_true", help="so many actions a second for each server, not for all")
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--other", type=Path, help="Python of the other checkout's environment")
    parser.add_argument("--name", default="the other", help="the other checkout's commit")
    args = parser.parse_args()
    setups = [("this one", None)]
    if args.other is not None:
        setups.insert(0, (args.name, args.other.absolute()))
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        all_of = []
        for name, python in setups:
            for servers in args.servers:
                folder = Path(place) / f"{name.replace(' ', '_')}-{servers}"
                folder.mkdir()
                group = stack.enter_context(over_postgres(folder, servers, python=python))
                rate = args.rate * servers if args.each else args.rate
                all_of.append(MeasuredGroup(name, servers, rate, group))
        asyncio.run(measure(all_of, args.tables, args.turns, args.seconds))
    costs = {(measurement.name, measurement.servers): measurement.cost for measurement in all_of}
    rows = [
        (
            measurement.name,
            f"{measurement.servers}",
            f"{measurement.rate:g}",
            f"{measurement.cost:,.0f}",
            f"{measurement.cost / costs[measurement.name, args.servers[0]]:.2f}",
            f"{measurement.cost / costs[setups[0][0], measurement.servers]:.2f}",
            f"{median(measurement.database_seconds) * 1e6:,.0f} µs",
            f"{median(measurement.idle) * 1000:.1f} ms a second" if measurement.idle else "–",
        )
        for measurement in all_of
    ]
    shape = f"--tables {args.tables} --rate {args.rate:g} --turns {args.turns} --seconds {args.seconds:g}"
    shape += " --each" if args.each else ""
    beside = "" if args.other is None else f" --other … --name {args.name}"
    title = "Servers on one PostgreSQL, as busy each" if args.each else "Servers on one PostgreSQL"
    write(title, f"{COMMAND} {shape}{beside}", [HEAD, *rows], "medians of the turns")


if __name__ == "__main__":
    main()
