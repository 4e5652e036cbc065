"""Players that nothing stops: each sends a command again until it is answered, and keeps what it is told."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed, InvalidMessage

from tests.faults.history import HARMLESS, Connection, History
from tests.memory_store.store import MemoryStore
from tests.server.in_process import PATIENCE, Person, RunningServer, http_client, simple

RULES = {"preset": "pineapple", "seats.buy_in_max": 100_000, "settlement.cap": "none"}
GONE = (ConnectionClosed, InvalidMessage, OSError)
BUY_IN = 100_000


@dataclass
class PersistentPlayer:
    """A player who resends each command until it is answered, over as many connections as it takes.

    `whole`: asks for whole views with their events; else for what changed.
    """

    server: RunningServer
    http: httpx.AsyncClient
    history: History
    whole: bool = True
    number: int = 0
    waiting: dict[str, Any] | None = None
    version: int = 0
    acknowledged: int = 0
    answered: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, over: Callable[[dict[str, Any]], bool]) -> None:
        """Play until the view says that it is over, whatever happens to the connection."""
        while True:
            with contextlib.suppress(*GONE):
                async with self.server.socket(self.http) as person:
                    connection = Connection(self.history)
                    try:
                        return await self._play(person, over, connection)
                    finally:
                        self._remember(person, connection)
            await asyncio.sleep(0.02)

    async def _play(self, person: Person, over: Callable[[dict[str, Any]], bool], connection: Connection) -> None:
        table = self.history.table
        await person.watch(table, self.version or None, whole=self.whole)
        while True:
            self._remember(person, connection)
            view = person.views[table]
            if self.waiting is None:
                if over(view):
                    return
                tasks = view["deal"]["tasks"] if view["deal"] else []
                if tasks:
                    self.number += 1
                    self.waiting = {"cmd_id": f"k{self.number}", "action": simple(view["deal"], tasks[0])}
            version = view["v"]
            if self.waiting is not None:
                version = max(version, await self._settle(person, self.waiting) - 1)
                await asyncio.sleep(0.02)
            await person.until(lambda v=version: person.views[table]["v"] > v)  # type: ignore[misc]

    async def _settle(self, person: Person, waiting: dict[str, Any]) -> int:
        """Ask until the command is done or refused for good; return at which version."""
        while True:
            self.history.sent(waiting["cmd_id"])
            answer = await person.do(self.history.table, waiting["action"], waiting["cmd_id"])
            if answer["t"] == "ack" or answer["error"]["code"] not in HARMLESS:
                break
            await asyncio.sleep(0.1)
        self.waiting = None
        self.acknowledged += answer["t"] == "ack"
        self.answered.set()
        version: int = answer.get("v", 0)
        return version

    def _remember(self, person: Person, connection: Connection) -> None:
        """Record the messages received; after a crash the same version must be the same."""
        for message in person.said:
            connection.hear(message)
            if message["t"] == "update" and message.get("table") == self.history.table:
                self.version = max(self.version, message["v"])
        person.said.clear()


async def seat_three(server: RunningServer) -> tuple[str, list[tuple[str, httpx.Cookies]]]:
    """Open a table of two people and a bot; return it with who the people are, who have gone again."""
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        table = await ann.open_table(RULES)
        await ann.watch(table)
        await bob.watch(table)
        await ann.do(table, {"do": "sit", "seat": 0, "buy_in": BUY_IN})
        await ann.do(table, {"do": "seat_bot", "seat": 2, "level": "random", "buy_in": BUY_IN})
        await bob.do(table, {"do": "sit", "seat": 1, "buy_in": BUY_IN})
        cookies = [(person.player, person.http.cookies) for person in (ann, bob)]
    return table, cookies


@dataclass
class Session:
    """A table at which two people and a bot play until they are stopped."""

    table: str
    players: list[PersistentPlayer]
    _playing: list[asyncio.Task[None]] = field(default_factory=list)
    _last: int = 0
    _target: int = 1 << 30

    @property
    def histories(self) -> list[History]:
        """Return the histories of its players."""
        return [player.history for player in self.players]

    def begin(self) -> None:
        """Let them play."""
        self._playing = [asyncio.create_task(player.run(self._over)) for player in self.players]

    def _over(self, view: dict[str, Any]) -> bool:
        self._last = max(self._last, view["sheet"]["deal"] if view["sheet"] else 0)
        return self._last >= self._target

    async def played_on(self) -> None:
        """Wait until somebody has been answered again."""
        for player in self.players:
            player.answered.clear()
        waits = [asyncio.ensure_future(player.answered.wait()) for player in self.players]
        try:
            async with asyncio.timeout(PATIENCE):
                await asyncio.wait([*waits, *self._playing], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        for task in self._playing:
            if task.done():
                task.result()

    async def everybody_played_on(self) -> None:
        """Wait until each of them has been answered again."""
        for player in self.players:
            player.answered.clear()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(player.answered.wait() for player in self.players))

    async def stop(self) -> None:
        """Play two more deals without faults, and end."""
        self._target = self._last + 2
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*self._playing)

    async def give_up(self) -> None:
        """End where they are."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)


@contextlib.asynccontextmanager
async def session(url: str, servers: RunningServer | None = None) -> AsyncIterator[Session]:
    """Seat people at a table of the server at `url`, and let them play; `servers`: where they connect to."""
    server = RunningServer(url, MemoryStore())
    table, cookies = await seat_three(server)
    async with contextlib.AsyncExitStack() as stack:
        table_session = Session(table, [])
        for whole, (player, cookie) in zip((True, False), cookies, strict=True):
            http = await stack.enter_async_context(http_client(base_url=url, cookies=cookie))
            table_session.players.append(PersistentPlayer(servers or server, http, History(player, table), whole))
        table_session.begin()
        try:
            yield table_session
        finally:
            await table_session.give_up()
