"""The room under load: durable actions a second, and the time from a click to the other screens. MEASURES 3.

uv run python -m bench.room [--tables 2000] [--rate 1000] [--seconds 20]

The server, its database and this load generator share the machine; the time ends when the generator has read the
other players' updates, so its own delays count against the server.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import deque
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from bench.report import write

COMMAND = "uv run python -m bench.room"
RULES = {"preset": "pineapple", "clock.seconds": 3000, "seats.buy_in_max": 100_000, "settlement.cap": "none"}
SEATS = 3
TICKS = os.sysconf("SC_CLK_TCK")


class Deal(msgspec.Struct):
    """The part of a view that a program needs to play without looking at the rest."""

    tasks: list[dict[str, Any]]


class View(msgspec.Struct):
    """As above."""

    deal: Deal | None = None


class Parts(msgspec.Struct):
    """What a change tells of that; a part that is missing is as it was."""

    deal: Deal | msgspec.UnsetType | None = msgspec.UNSET
    tasks: list[dict[str, Any]] | msgspec.UnsetType = msgspec.field(name="deal.tasks", default=msgspec.UNSET)


class Message(msgspec.Struct):
    """Any message from the server."""

    t: str
    table: str = ""
    v: int = 0
    view: View | None = None
    parts: Parts | None = None


READ = msgspec.json.Decoder(Message)


@dataclass
class Table:
    """A table under load; `since` is when the last action was sent, `blind` the seats that do not see it yet."""

    name: str
    load: Load
    lines: list[ClientConnection] = field(default_factory=list)
    tasks: list[list[dict[str, Any]]] = field(default_factory=lambda: [[] for _ in range(SEATS)])
    blind: set[int] = field(default_factory=set)
    since: float = 0.0

    def hear(self, seat: int, message: Message) -> None:
        """Note an update, and offer the table to the load when somebody may act."""
        if seat in self.blind:
            self.blind.discard(seat)
            self.load.delays.append(time.perf_counter() - self.since)
        new = message.view or message.parts
        deal = None if new is None else new.deal
        tasks = [] if deal is None else msgspec.UNSET if deal is msgspec.UNSET else deal.tasks
        if message.parts is not None and message.parts.tasks is not msgspec.UNSET:
            tasks = message.parts.tasks
        if tasks is msgspec.UNSET:
            return
        self.tasks[seat] = tasks
        if tasks:
            self.load.ready.append((self, seat))

    async def act(self, seat: int) -> bool:
        """Answer a task in the simplest way; False when there is none any more."""
        if not self.tasks[seat]:
            return False
        task, self.tasks[seat] = self.tasks[seat][0], []
        cards = task["cards"][: task["place"]]
        layout = {}
        for row in ("back", "middle", "front"):
            free = task["open"][row]
            layout[row], cards = cards[:free], cards[free:]
        action = {"do": "place", "hand": task["hand"], "layout": layout}
        self.blind, self.since = {0, 1, 2} - {seat}, time.perf_counter()
        self.load.sent += 1
        await self.lines[seat].send(_do(self.name, f"b{self.load.sent}", action))
        return True


@dataclass
class Load:
    """What is ready to be played, and what has been measured."""

    whole: bool = False
    ready: deque[tuple[Table, int]] = field(default_factory=deque)
    delays: list[float] = field(default_factory=list)
    sent: int = 0
    acks: int = 0
    refused: int = 0
    updates: int = 0
    bytes: int = 0


def _do(table: str, cmd_id: str, action: dict[str, Any]) -> str:
    return msgspec.json.encode({"t": "do", "cmd_id": cmd_id, "table": table, "seen": 0, "action": action}).decode()


async def follow(line: ClientConnection, table: Table, seat: int) -> None:
    """Read everything that a connection gets."""
    while True:
        text = await line.recv(decode=False)
        message = READ.decode(text)
        if message.t in {"update", "parts"}:
            table.load.updates += 1
            table.load.bytes += len(text)
            table.hear(seat, message)
        elif message.t == "ack":
            table.load.acks += 1
        elif message.t == "refused":
            table.load.refused += 1


def guest(url: str) -> str:
    """Return the cookie of a new guest."""
    with urllib.request.urlopen(url + "/api/me") as answer:  # noqa: S310 - our own server
        return str(answer.headers["Set-Cookie"]).partition(";")[0]


def open_table(url: str, cookie: str) -> str:
    """Open a table and return its id."""
    body = msgspec.json.encode({"name": "Load", "rules": RULES, "pause": 0, "start": "full"})
    request = urllib.request.Request(url + "/api/tables", body, {"Cookie": cookie})  # noqa: S310 - as above
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - as above
        name: str = msgspec.json.decode(answer.read())["table"]
        return name


async def seat_table(url: str, load: Load, stack: AsyncExitStack, readers: list[asyncio.Task[None]]) -> None:
    """Open a table with three players, each on a connection of their own."""
    cookies = [await asyncio.to_thread(guest, url) for _ in range(SEATS)]
    table = Table(await asyncio.to_thread(open_table, url, cookies[0]), load)
    for seat, cookie in enumerate(cookies):
        line = await stack.enter_async_context(
            connect(
                url.replace("http", "ws") + "/ws",
                additional_headers={"Cookie": cookie},
                proxy=None,
                compression=None,
                ping_interval=None,
            )
        )
        table.lines.append(line)
        readers.append(asyncio.create_task(follow(line, table, seat)))
        await line.send(msgspec.json.encode({"t": "watch", "table": table.name, "whole": load.whole}).decode())
        await line.send(_do(table.name, f"s{seat}", {"do": "sit", "seat": seat, "buy_in": 100_000}))


async def drive(load: Load, rate: float, seconds: float) -> None:
    """Send actions at a steady rate, whether or not the server keeps up."""
    start = time.perf_counter()
    done = 0
    while (now := time.perf_counter()) < start + seconds:
        while done < (now - start) * rate and load.ready:
            table, seat = load.ready.popleft()
            done += await table.act(seat)
        await asyncio.sleep(0.001)


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


async def measure(
    url: str, pid: int, tables: int, rate: float, seconds: float, *, whole: bool = False
) -> list[tuple[str, ...]]:
    """Seat all players, warm up, and measure."""
    load = Load(whole=whole)
    readers: list[asyncio.Task[None]] = []
    async with AsyncExitStack() as stack:
        at_once = asyncio.Semaphore(16)

        async def seat() -> None:
            async with at_once:
                await seat_table(url, load, stack, readers)

        await asyncio.gather(*(seat() for _ in range(tables)))
        print(f"{tables} tables are seated")
        await drive(load, rate / 2, 3)
        await asyncio.sleep(1)
        load.delays.clear()
        load.updates = load.bytes = 0
        own = time.process_time()
        acks, cpu, start = load.acks, cpu_seconds(pid), time.perf_counter()
        await drive(load, rate, seconds)
        await asyncio.sleep(1)
        wall, used = time.perf_counter() - start - 1, cpu_seconds(pid) - cpu
        print(f"load generator: {(time.process_time() - own) / wall:.2f} of a core; server: {used / wall:.2f}")
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
    if load.refused:
        raise SystemExit(f"{load.refused} actions were refused")
    delays = sorted(load.delays)
    done = load.acks - acks
    return [
        (
            f"{tables:,}",
            f"{tables * SEATS:,}",
            f"{done / wall:,.0f}",
            f"{delays[len(delays) // 2] * 1000:.1f} ms",
            f"{delays[int(len(delays) * 0.99)] * 1000:.1f} ms",
            f"{done / used:,.0f}",
            f"{load.bytes / load.updates:,.0f}",
        )
    ]


class House:
    """The server in a process of its own, always with the same database."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._starts = 0
        self.url = ""
        self.process = self.start()

    def start(self) -> subprocess.Popen[bytes]:
        """Start the server and wait until it says where it is."""
        self._starts += 1
        log = self._folder / f"log{self._starts}"
        program = Path(sys.executable).with_name("triptych")
        options = ("--no-browser", "--port", "0", "--database", str(self._folder / "room.db"))
        with log.open("w") as output:
            self.process = subprocess.Popen([program, *options], stdout=output, stderr=output)  # noqa: S603 - our own
        while "Ctrl-C" not in log.read_text():
            time.sleep(0.01)
        self.url = "http://" + log.read_text().partition("http://")[2].split()[0]
        return self.process


def recover(house: House, tables: int) -> tuple[str, ...]:
    """Kill the server, start it again, and time when tables are back."""
    names = [line["table"] for line in fetch(house.url + "/api/tables")]
    house.process.kill()
    house.process.wait()
    start = time.perf_counter()
    house.start()
    opened = time.perf_counter()
    fetch(f"{house.url}/api/tables/{names[0]}")
    first = time.perf_counter()
    while len(fetch(house.url + "/api/tables")) < tables:
        time.sleep(0.05)
    times = (opened - start, first - opened, time.perf_counter() - opened)
    return (f"{tables:,}", *(f"{each:.2f} s" for each in times))


def fetch(url: str) -> Any:  # noqa: ANN401 - any JSON
    """Return what an address of our own server answers."""
    with urllib.request.urlopen(url) as answer:  # noqa: S310 - our own server
        return msgspec.json.decode(answer.read())


def main() -> None:
    """Load a server, then kill it and see how soon it is back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--whole", action="store_true", help="each update is the whole view, not what changed in it")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder))
        try:
            rows = asyncio.run(
                measure(house.url, house.process.pid, asked.tables, asked.rate, asked.seconds, whole=asked.whole)
            )
            back = recover(house, asked.tables)
        finally:
            house.process.terminate()
            house.process.wait()
    head = (
        "tables",
        "players",
        "durable actions a second",
        "click to other screens p50",
        "p99",
        "actions a CPU second",
        "bytes an update",
    )
    write("Room under load", COMMAND, [head, *rows])
    write(
        "Room after kill -9",
        COMMAND,
        [("tables", "start to lobby", "then first table asked for", "all tables"), back],
    )


if __name__ == "__main__":
    main()
