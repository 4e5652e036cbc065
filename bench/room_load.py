"""Players for bench.room: tables of three, each player on a connection of their own, who play in the simplest way.

The load is open: actions are sent at a steady rate, whether or not the server keeps up.
"""

from __future__ import annotations

import asyncio
import random
import time
import urllib.request
from collections import deque
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError

import msgspec
from websockets.asyncio.client import ClientConnection, connect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

RULES = {"preset": "pineapple", "clock.seconds": 3000, "seats.buy_in_max": 100_000, "settlement.cap": "none"}
SEATS = 3
ACTIONS = 5 * SEATS  # of a deal


class Deal(msgspec.Struct):
    """The part of a view that a program needs to play without looking at the rest."""

    tasks: list[dict[str, Any]]


class View(msgspec.Struct):
    """As above."""

    deal: Deal | None = None


class Message(msgspec.Struct):
    """Any message from the server."""

    t: str
    table: str = ""
    cmd_id: str = ""
    v: int = 0
    view: View | None = None
    # Paths and values by turns; a server of an early commit sends an object of them.
    parts: list[Any] | dict[str, Any] | None = None
    paths: list[tuple[str, Any]] | msgspec.UnsetType = msgspec.UNSET


DECODER = msgspec.json.Decoder(Message)


@dataclass
class Table:
    """A table under load; `sent_at`: when the last action was sent, `seats_behind`: who has no update of it yet."""

    name: str
    load: Load
    connections: list[ClientConnection] = field(default_factory=list)
    tasks: list[list[dict[str, Any]]] = field(default_factory=lambda: [[] for _ in range(SEATS)])
    seats_behind: set[int] = field(default_factory=set)
    sent_at: float = 0.0
    sent: int = 0
    acks: int = 0

    def on_update(self, seat: int, message: Message) -> None:
        """Note an update, and offer the table to the load when somebody may act."""
        if seat in self.seats_behind:
            self.seats_behind.discard(seat)
            self.load.delays.append(time.perf_counter() - self.sent_at)
        if message.paths is not msgspec.UNSET:
            self.load.paths = message.paths
        if message.parts is not None:
            tasks = self.load.tasks_in(message.parts)
        else:
            tasks = [] if message.view is None or message.view.deal is None else message.view.deal.tasks
        if tasks is None:
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
        self.seats_behind, self.sent_at = {0, 1, 2} - {seat}, time.perf_counter()
        self.load.sent += 1
        self.sent += 1
        await self.connections[seat].send(_do(self.name, f"b{self.load.sent}", action))
        return True


@dataclass
class Load:
    """What is ready to be played, and what has been measured.

    `early`: the server is of an early commit, whose tables begin when they are full.
    """

    whole: bool = False
    early: bool = False
    ready: deque[tuple[Table, int]] = field(default_factory=deque)
    delays: list[float] = field(default_factory=list)
    sent: int = 0
    acks: int = 0
    refused: int = 0
    updates: int = 0
    bytes: int = 0
    paths: list[tuple[str, Any]] = field(default_factory=list)

    def tasks_in(self, parts: list[Any] | dict[str, Any]) -> list[dict[str, Any]] | None:
        """Return what is asked of a player from now on, None when nothing of that is new."""
        if isinstance(parts, dict):
            if "deal" in parts:
                return [] if parts["deal"] is None else list(parts["deal"]["tasks"])
            return parts.get("deal.tasks")
        for key, value in zip(parts[::2], parts[1::2], strict=True):
            path, form = self.paths[key] if isinstance(key, int) else (key, 0)
            if path == "deal.tasks":
                return list(unpacked(form, value))
            if path == "deal":
                return [] if value is None else list(unpacked(form, value)["tasks"])
        return None

    def delay_at(self, part: float) -> float:
        """Return the seconds within which such a part of the updates came."""
        return sorted(self.delays)[int(len(self.delays) * part)]


def unpacked(form: Any, value: Any) -> Any:  # noqa: ANN401 - JSON
    """Return a value of a part out of its form, a time as it is sent."""
    if isinstance(form, dict):
        return {name: unpacked(inside, item) for (name, inside), item in zip(form.items(), value, strict=False)}
    if isinstance(form, list):
        return [unpacked(form[0], item) for item in value]
    if form == 3 and isinstance(value, str):  # cards
        return [value[at : at + 2] for at in range(0, len(value), 2)]
    return value


def _do(table: str, cmd_id: str, action: dict[str, Any]) -> str:
    return msgspec.json.encode({"t": "do", "cmd_id": cmd_id, "table": table, "seen": 0, "action": action}).decode()


def _watch(table: str, **choices: bool) -> str:
    return msgspec.json.encode({"t": "watch", "table": table, **choices}).decode()


async def read_messages(line: ClientConnection, table: Table, seat: int) -> None:
    """Read what a connection receives."""
    while True:
        text = await line.recv(decode=False)
        message = DECODER.decode(text)
        if message.t in {"update", "parts"}:
            table.load.updates += 1
            table.load.bytes += len(text)
            table.on_update(seat, message)
        elif message.t == "ack":
            table.load.acks += 1
            table.acks += message.cmd_id.startswith("b")
        elif message.t == "refused":
            table.load.refused += 1
        elif message.t == "problem":
            # A server of an early commit sends whole updates alone, and does not know the word.
            await line.send(_watch(table.name))


def guest(url: str) -> str:
    """Return the cookie of a new guest."""
    with urllib.request.urlopen(url + "/api/me") as answer:  # noqa: S310 - our own server
        return str(answer.headers["Set-Cookie"]).partition(";")[0]


def connection(url: str, cookie: str) -> connect:
    """Return a guest's connection, to be entered."""
    headers = {"Cookie": cookie}
    where = url.replace("http", "ws") + "/ws"
    return connect(where, additional_headers=headers, proxy=None, compression=None, ping_interval=None)


def open_table(url: str, cookie: str, load: Load) -> str:
    """Open a table and return its id. A server of an earlier commit may know less of a table than is asked."""
    early = load.early
    body = {"name": "Load", "rules": RULES, "pause": 0} | ({} if early else {"start": "full"})
    request = urllib.request.Request(  # noqa: S310 - as above
        url + "/api/tables", msgspec.json.encode(body), {"Cookie": cookie}
    )
    try:
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - as above
            name: str = msgspec.json.decode(answer.read())["table"]
            return name
    except HTTPError as refused:
        if early or refused.code != HTTPStatus.BAD_REQUEST:
            raise
    load.early = True
    return open_table(url, cookie, load)


def open_with_guests(url: str, load: Load) -> tuple[str, list[str]]:
    """Open a table; return its id and the cookies of three guests, of whom the first one opened it."""
    cookies = [guest(url) for _ in range(SEATS)]
    return open_table(url, cookies[0], load), cookies


@asynccontextmanager
async def seated(
    urls: Sequence[str],
    load: Load,
    tables: int,
    opener: Callable[[str, Load], tuple[str, list[str]]] = open_with_guests,
) -> AsyncIterator[list[Table]]:
    """Open tables, in turns at several servers, with three players each, who read until the end of it."""
    readers: list[asyncio.Task[None]] = []
    at_once = asyncio.Semaphore(16)
    async with AsyncExitStack() as stack:

        async def seat(number: int) -> Table:
            async with at_once:
                url = urls[number % len(urls)]
                name, cookies = await asyncio.to_thread(opener, url, load)
                table = Table(name, load)
                await _seat_players(url, table, cookies, stack, readers)
                return table

        yield list(await asyncio.gather(*map(seat, range(tables))))
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)


async def _seat_players(
    url: str, table: Table, cookies: Sequence[str], stack: AsyncExitStack, readers: list[asyncio.Task[None]]
) -> None:
    """Let three players sit down, each on a connection of their own."""
    for seat, cookie in enumerate(cookies):
        line = await stack.enter_async_context(connection(url, cookie))
        table.connections.append(line)
        readers.append(asyncio.create_task(read_messages(line, table, seat)))
        await line.send(_watch(table.name, whole=table.load.whole))
        await line.send(_do(table.name, f"s{seat}", {"do": "sit", "seat": seat, "buy_in": 100_000}))


async def spread(load: Load, tables: Sequence[Table], rate: float) -> None:
    """Let each table play another part of its first deal, at a steady rate.

    Deals that all end in the same second, as those of tables that began together do, are no session of anybody's; nor
    do tables come to their turns in the order of what they have played, those that end a deal in a row.
    """
    parts = {table.name: number % ACTIONS for number, table in enumerate(tables)}
    start, done = time.perf_counter(), 0
    waiting: list[tuple[Table, int]] = []
    while any(table.sent < parts[table.name] for table in tables):
        while load.ready and done < (time.perf_counter() - start) * rate:
            table, seat = load.ready.popleft()
            if table.sent < parts[table.name]:
                done += await table.act(seat)
            else:
                waiting.append((table, seat))
        await asyncio.sleep(0.001)
    load.ready.extend(waiting)
    random.Random(0).shuffle(load.ready)


async def drive(load: Load, rate: float, seconds: float) -> None:
    """Send actions at a steady rate, whether or not the server keeps up."""
    start = time.perf_counter()
    done = 0
    while (now := time.perf_counter()) < start + seconds:
        while done < (now - start) * rate and load.ready:
            table, seat = load.ready.popleft()
            done += await table.act(seat)
        await asyncio.sleep(0.001)
