"""What a table with three players at it takes of the server's memory, and what an idle connection does.

uv run python -m bench.memory [--tables 100 300 1000] [--connections 1000]

Resident memory of the server's own process, and what is more of it than before. First some other tables are played
at until the caches that all tables share (boards as they are shown, SQLite's pages) are nearly full; what they still
take counts as the tables'. A table is weighed when its players have sat down, and again after two deals at each.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.report import write
from bench.room_load import ACTIONS, Load, connection, guest, seated
from bench.room_paired import play
from bench.servers import ServerGroup, over_sqlite

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

COMMAND: Final = "uv run python -m bench.memory"
WARM: Final = 12_000
AT_ONCE: Final = 64
# What is written behind the commits is written by then.
REST_SECONDS: Final = 8.0
A_GUEST: Final = 15  # connections


@asynccontextmanager
async def idle_connections(group: ServerGroup, connections: int) -> AsyncIterator[float]:
    """Open connections that follow nothing; the KB of one."""
    async with AsyncExitStack() as stack:
        before = group.own_memory()
        cookie = ""
        for number in range(connections):
            if number % A_GUEST == 0:
                cookie = await asyncio.to_thread(guest, group.urls[0])
            line = await stack.enter_async_context(connection(group.urls[0], cookie))
            await line.recv()
        yield (group.own_memory() - before) / connections * 1024


async def table_memory(group: ServerGroup, tables: int) -> tuple[float, float]:
    """Return the KB of a table when all have sat down, and after two deals."""
    before = group.own_memory()
    load = Load()
    async with seated(group.urls, load, tables):
        await asyncio.sleep(REST_SECONDS)
        sat = group.own_memory()
        await play(load, 2 * ACTIONS * tables, AT_ONCE)
        await asyncio.sleep(REST_SECONDS)
        after = group.own_memory()
    if load.refused:
        raise SystemExit(f"{load.refused} actions were refused")
    return (sat - before) / tables * 1024, (after - before) / tables * 1024


async def measure_memory(group: ServerGroup, tables: int, connections: int) -> tuple[float, float, float, float]:
    """Return the MB of the server before, and the KB of a connection, of a table, and of one that was played at."""
    load = Load()
    async with seated(group.urls, load, 10):
        await play(load, WARM, AT_ONCE)
        await asyncio.sleep(REST_SECONDS)
        before = group.own_memory()
        async with idle_connections(group, connections) as idle:
            return before, idle, *await table_memory(group, tables)


def row(tables: int, connections: int) -> tuple[str, ...]:
    """Return what so many tables come to on a server of their own."""
    with tempfile.TemporaryDirectory() as place, over_sqlite(Path(place)) as group:
        before, idle, sat, after = asyncio.run(measure_memory(group, tables, connections))
    cells = (f"{tables:,}", f"{before:.0f} MB", f"{sat:.0f} KB", f"{after:.0f} KB", f"{idle:.1f} KB")
    print(" | ".join(cells), flush=True)
    return cells


def main() -> None:
    """Weigh them, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="*", default=[100, 300, 1000])
    parser.add_argument("--connections", type=int, default=1000)
    args = parser.parse_args()
    head = ("tables", "server before", "a table with three", "after two deals", "an idle connection")
    rows = [row(tables, args.connections) for tables in args.tables]
    write("Memory of tables and connections", COMMAND, [head, *rows])


if __name__ == "__main__":
    main()
