"""The room under load: durable actions a second, and the time from a click to the other screens.

uv run python -m bench.room [--tables 2000] [--rates 1000] [--seconds 20] [--store sqlite] [--servers 1] [--workers 1]

The servers, their database and this load generator share the machine; the time ends when the generator has read the
other players' updates, so its own delays count against the servers. With several rates the first one whose p99 passes
100 ms ends the run. Afterwards the record is read: an acknowledged action that is not in it is lost, and what stands
there that nobody has sent is doubled.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from bench.report import write
from bench.room_load import SEATS, Load, Table, drive, seated, spread
from bench.servers import BEHIND_SECONDS, ServerGroup, over_postgres, over_sqlite, start_server
from triptych.server.bootstrap import store_from_url

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

COMMAND = "uv run python -m bench.room"
TOO_LATE = 0.1
HEAD = (
    "store",
    "servers",
    "tables",
    "players",
    "asked a second",
    "durable actions a second",
    "click to other screens p50",
    "p99",
    "p99.9",
    "actions a CPU second",
    "cores",
    "database’s own CPU an action",
    "memory",
    "bytes an update",
    "KB written an action",
)


class Options(NamedTuple):
    """What the command line asks for."""

    tables: int
    rates: Sequence[float]
    seconds: float
    store: str
    servers: int
    workers: int
    whole: bool

    @property
    def command(self) -> str:
        """Return how to run it again."""
        rates = " ".join(f"{rate:g}" for rate in self.rates)
        shape = f"--store {self.store} --servers {self.servers} --workers {self.workers}"
        return f"{COMMAND} {shape} --tables {self.tables} --rates {rates} --seconds {self.seconds:g}"

    def server_group(self, folder: Path) -> AbstractContextManager[ServerGroup]:
        """Return the servers, not started yet."""
        return over_sqlite(folder) if self.store == "sqlite" else over_postgres(folder, self.servers, self.workers)


async def measure(group: ServerGroup, options: Options) -> tuple[list[tuple[str, ...]], list[Table]]:
    """Seat all players, warm up, and measure at each rate; return the rows and the tables that were played."""
    load = Load(whole=options.whole)
    rows: list[tuple[str, ...]] = []
    async with seated(group.urls, load, options.tables) as played:
        print(f"{options.tables} tables are seated", flush=True)
        # Collecting all that the players hold stops the load for half a second, which the server would answer for.
        gc.collect()
        gc.freeze()
        gc.disable()
        await spread(load, played, options.rates[0])
        await asyncio.sleep(BEHIND_SECONDS)
        for rate in options.rates:
            rows.append(await _at(rate, group, options, load))
            print(" | ".join(rows[-1]), flush=True)
            if load.delay_at(0.99) > TOO_LATE:
                break
    if load.refused:
        raise SystemExit(f"{load.refused} actions were refused")
    return rows, played


async def _at(rate: float, group: ServerGroup, options: Options, load: Load) -> tuple[str, ...]:
    """Return what one rate comes to."""
    load.delays.clear()
    load.updates = load.bytes = 0
    own, acks, cpu, database_before = time.process_time(), load.acks, group.cpu(), group.database_cpu()
    written_before = group.bytes_written()
    start = time.perf_counter()
    await drive(load, rate, options.seconds)
    wall, own_used = time.perf_counter() - start, time.process_time() - own
    await asyncio.sleep(BEHIND_SECONDS)
    used, database_seconds = group.cpu() - cpu, group.database_cpu() - database_before
    done = load.acks - acks
    print(f"load generator: {own_used / wall:.2f} of a core")
    shape = f"{options.servers}" if options.workers == 1 else f"1 of {options.workers} workers"
    return (
        options.store,
        shape,
        f"{options.tables:,}",
        f"{options.tables * SEATS:,}",
        f"{rate:,.0f}",
        f"{done / wall:,.0f}",
        *(f"{load.delay_at(part) * 1000:.1f} ms" for part in (0.5, 0.99, 0.999)),
        f"{done / used:,.0f}",
        f"{used / wall:.2f}",
        f"{database_seconds / done * 1e6:.0f} µs" if group.database_pid is not None else "in it",
        f"{group.memory():.0f} MB",
        f"{load.bytes / load.updates:,.0f}",
        f"{(group.bytes_written() - written_before) / done / 1e3:.1f}",
    )


async def checked(database: str, tables: Sequence[Table]) -> tuple[int, int]:
    """Return how many acknowledged actions the record lacks, and how many stand there that nobody was told of."""
    store = store_from_url(database)
    lost = doubled = 0
    try:
        for table in tables:
            events = await store.load(table.name)
            placed = sum(msgspec.json.decode(event.payload)["e"] == "placed" for event in events)
            lost += max(0, table.acks - placed)
            doubled += max(0, placed - table.sent)
    finally:
        await store.close()
    return lost, doubled


def recover(folder: Path, tables: int) -> tuple[str, ...]:
    """Start a server that was killed, and time when tables are back."""
    start = time.perf_counter()
    server = start_server(folder, ("--port", "0", "--database", str(folder / "room.db")))
    try:
        url = "http://" + server.wait_for_output("Ctrl-C").partition("http://")[2].split()[0]
        opened = time.perf_counter()
        names = [line["table"] for line in fetch(url + "/api/tables")]
        fetch(f"{url}/api/tables/{names[0]}")
        first = time.perf_counter()
        while len(fetch(url + "/api/tables")) < tables:
            time.sleep(0.05)
        times = (opened - start, first - opened, time.perf_counter() - opened)
    finally:
        server.stop()
    return (f"{tables:,}", *(f"{each:.2f} s" for each in times))


def fetch(url: str) -> Any:  # noqa: ANN401 - any JSON
    """Return what an address of our own server answers."""
    with urllib.request.urlopen(url) as answer:  # noqa: S310 - our own server
        return msgspec.json.decode(answer.read())


def main() -> None:
    """Load servers, look at what they have written, then start one again over what a killed one has left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--rates", type=float, nargs="+", default=[1000])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--servers", type=int, default=1, help="rooms with an address each; each owns its tables")
    parser.add_argument("--workers", type=int, default=1, help="processes that share a port")
    parser.add_argument("--whole", action="store_true", help="each update is the whole view, not what changed in it")
    options = Options(**vars(parser.parse_args()))
    if options.store == "sqlite" and options.servers * options.workers > 1:
        parser.error("only one server can use a SQLite file; give --store postgres")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with options.server_group(folder) as group:
            rows, tables = asyncio.run(measure(group, options))
            for process in group.processes:
                process.process.kill()
                process.process.wait()
            lost, doubled = asyncio.run(checked(group.database, tables))
        note = f"{sum(table.acks for table in tables):,} actions were acknowledged; lost {lost}, doubled {doubled}"
        alone = options.servers * options.workers == 1
        shape = (
            ""
            if alone
            else f", {options.servers} servers"
            if options.workers == 1
            else f", {options.workers} workers"
        )
        name = "SQLite" if options.store == "sqlite" else "PostgreSQL"
        write(f"Room under load on {name}{shape}", options.command, [HEAD, *rows], note)
        if options.store == "sqlite":
            head = ("tables", "start to lobby", "then first table asked for", "all tables")
            write("Room after kill -9", COMMAND, [head, recover(folder, options.tables)])


if __name__ == "__main__":
    main()
