"""How soon a server is back after kill -9, what it weighs then, and how soon a table's view arrives.

uv run python -m bench.restart [--tables 100 1000 2000 10000] [--deals 1 10 100 1000] [--connections 100 300 1000]

Tables rest (nobody is there, no clock runs), are under way (three people, a clock, the middle of a deal), or are over
and put away. Connections come back all at once, each to one of a hundred tables that were under way. Times are
those of a new process, from its start until it says that it is open, until all tables that were under way are back
(`/readyz`), and from a connection's `watch` to the whole view: 48 tables, asked for one after the other as soon as
the room is open, while the others are brought back. Processor time and memory are those when all are back.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import AsyncExitStack, closing, contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from websockets.asyncio.client import connect

from bench.report import write
from bench.stock import StoredTable, fill, play_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COMMAND = "uv run python -m bench.restart"
TABLES_PER_CONNECTION = 12  # of the 16 that are allowed
GUESTS = 4
CROWD = 100  # tables to which connections come back
KINDS = 8  # tables that were played differently


class RunningServer(NamedTuple):
    """A server that has just been started."""

    url: str
    pid: int
    start: float
    opened: float

    def ready(self) -> float:
        """Wait until all tables that were under way are back; return the seconds since the start."""
        while not _is_ready(self.url):
            time.sleep(0.01)
        return time.perf_counter() - self.start

    def memory(self) -> float:
        """Return its resident memory, in MB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def cpu(self) -> float:
        """Return the processor time that all its threads have used, in seconds."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100


@contextmanager
def running_server(database: Path) -> Iterator[RunningServer]:
    """Start a server over a database, and kill it afterwards."""
    program = Path(sys.executable).with_name("triptych")
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as log:
        options = ("--no-browser", "--port", "0", "--database", str(database))
        process = subprocess.Popen([program, *options], stdout=log, stderr=log)  # noqa: S603 - our own
        try:
            text = ""
            while "Ctrl-C" not in text:
                if process.poll() is not None:
                    raise SystemExit(text)
                time.sleep(0.005)
                text = _text(log.fileno())
            opened = time.perf_counter() - start
            url = "http://" + text.partition("http://")[2].split()[0]
            yield RunningServer(url, process.pid, start, opened)
        finally:
            process.kill()
            process.wait()


def _text(file: int) -> str:
    return Path(f"/proc/self/fd/{file}").read_text()


def _is_ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(url + "/readyz"):  # noqa: S310 - our own server
            return True
    except urllib.error.HTTPError:
        return False


def _guest(url: str) -> str:
    with urllib.request.urlopen(url + "/api/me") as answer:  # noqa: S310 - our own server
        return str(answer.headers["Set-Cookie"]).partition(";")[0]


async def seconds_to_views(url: str, tables: Sequence[str]) -> list[float]:
    """Return the seconds from `watch` to the view of each table, one after the other."""
    times = []
    for first in range(0, len(tables), TABLES_PER_CONNECTION):
        headers = {"Cookie": _guest(url)}
        async with connect(url.replace("http", "ws") + "/ws", additional_headers=headers, proxy=None) as line:
            await line.recv()
            for table in tables[first : first + TABLES_PER_CONNECTION]:
                start = time.perf_counter()
                await line.send(msgspec.json.encode({"t": "watch", "table": table}).decode())
                while b'"t":"update"' not in await line.recv(decode=False):
                    pass
                times.append(time.perf_counter() - start)
    return times


async def seconds_to_reconnect(server: RunningServer, tables: Sequence[str], connections: int) -> float:
    """Let so many come back at once; return the seconds from the start until the last one sees its table."""
    cookies = [await asyncio.to_thread(_guest, server.url) for _ in range(-(-connections // 15))]
    async with AsyncExitStack() as stack:
        turns = asyncio.Semaphore(100)  # connections that are being opened

        async def one(number: int) -> None:
            headers = {"Cookie": cookies[number // 15]}
            async with turns:
                opening = connect(server.url.replace("http", "ws") + "/ws", additional_headers=headers, proxy=None)
                line = await stack.enter_async_context(opening)
                await line.recv()
            table = tables[number % len(tables)]
            await line.send(msgspec.json.encode({"t": "watch", "table": table}).decode())
            while b'"t":"update"' not in await line.recv(decode=False):
                pass

        await asyncio.gather(*map(one, range(connections)))
        return time.perf_counter() - server.start


def measure_reconnection(connections: int) -> tuple[str, ...]:
    """Return a row: how long it takes until all see their tables, and what that weighs."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "room.db"
        names = asyncio.run(fill(database, CROWD, [play_table(1, under_way=True)]))
        with running_server(database) as server:
            seconds = asyncio.run(seconds_to_reconnect(server, names, connections))
            ready = server.ready()
            cells = (
                f"{connections:,}",
                f"{ready:.2f} s",
                f"{seconds:.2f} s",
                f"{server.cpu():.2f} s",
                f"{server.memory():.0f} MB",
            )
    print(" | ".join(cells), flush=True)
    return cells


def measure_restart(database: Path, names: Sequence[str]) -> tuple[str, ...]:
    """Return a row: start, all back, memory, the first tables that are asked for."""
    with running_server(database) as server:
        step = max(1, len(names) // (TABLES_PER_CONNECTION * GUESTS))
        times = sorted(asyncio.run(seconds_to_views(server.url, names[::step][: TABLES_PER_CONNECTION * GUESTS])))
        ready, weight, cpu = server.ready(), server.memory(), server.cpu()
    return (
        f"{server.opened:.2f} s",
        f"{ready:.2f} s",
        f"{cpu:.2f} s",
        f"{weight:.0f} MB",
        f"{median(times) * 1000:.1f} ms" if times else "",
        f"{times[int(len(times) * 0.95)] * 1000:.1f} ms" if times else "",
    )


def row(tables: int, deals: int, templates: Sequence[StoredTable], what: str) -> tuple[str, ...]:
    """Return what a database with such tables comes to."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "room.db"
        names = asyncio.run(fill(database, tables, templates))
        with closing(sqlite3.connect(database)) as packed:
            packed.execute("VACUUM")
        size = sum(file.stat().st_size for file in Path(folder).iterdir()) / 2**20
        cells = (f"{tables:,}", f"{deals:,}", what, f"{size:,.0f} MB", *measure_restart(database, names))
    print(" | ".join(cells), flush=True)
    return cells


def main() -> None:
    """Measure along both axes, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="*", default=[100, 1000, 2000, 10_000])
    parser.add_argument("--deals", type=int, nargs="*", default=[1, 10, 100, 1000])
    parser.add_argument("--connections", type=int, nargs="*", default=[100, 300, 1000])
    parser.add_argument("--at", type=int, default=20, help="tables where the deals differ")
    args = parser.parse_args()
    head = ("tables", "deals each", "they", "database", "open", "all back", "CPU", "memory", "shown p50", "p95")
    rows: list[tuple[str, ...]] = [head]
    for under_way in (False, True):
        what = "are under way" if under_way else "rest"
        few = [play_table(1, under_way=under_way) for _ in range(KINDS)]
        rows += [row(tables, 1, few, what) for tables in (0, *args.tables) if tables or not under_way]
        rows += [row(args.at, deals, [play_table(deals, under_way=under_way)], what) for deals in args.deals]
    few = [play_table(1, over=True) for _ in range(KINDS)]
    rows += [row(tables, 1, few, "are over") for tables in args.tables]
    rows += [row(args.at, deals, [play_table(deals, over=True)], "are over") for deals in args.deals]
    write("Restart after kill -9", COMMAND, rows)
    crowd = [("connections", "all back", "all shown", "CPU", "memory"), *map(measure_reconnection, args.connections)]
    write(f"Restart of {CROWD} tables under way", COMMAND, crowd)


if __name__ == "__main__":
    main()
