"""All tables of this process: opened, found by their id, brought back after a stop."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Final

import structlog

from triptych.room.commands import Command, Connected, Resumed
from triptych.room.state import TableConfig, phase
from triptych.room.table import evolve, open_table
from triptych.server.log import where
from triptych.server.tables.live import Job, LiveTable, fold, stored
from triptych.server.wire.errors import Refusal
from triptych.store.protocol import Append

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from triptych.room.state import TableState
    from triptych.rules.model import Ruleset
    from triptych.server.tables.live import Outside

log = structlog.get_logger()
MOST_HOSTED: Final = 20
HEARTBEAT_SECONDS: Final = 2.0
OPENING_SECONDS: Final = 0.5
_ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"


class Tables:
    """The registry of live tables; `changed` hears of every new state of any of them."""

    def __init__(self, outside: Outside, changed: Callable[[LiveTable], None]) -> None:
        self._outside = outside
        self._changed = changed
        self._live: dict[str, LiveTable] = {}
        self._opening = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []
        self._since = 0

    async def open(self) -> None:
        """Bring every table back from its events; the time of the stop is charged to nobody's clock."""
        self._since = await self._outside.store.last_alive()
        waiting = iter(await self._outside.store.tables())
        recovering = asyncio.create_task(self._recover_all(waiting), name="recovery")
        self._tasks = [recovering, asyncio.create_task(self._beat(), name="heartbeat")]
        # A house with very many tables opens at once all the same: who asks for a table gets it first.
        await asyncio.wait([recovering], timeout=OPENING_SECONDS)

    async def close(self) -> None:
        """Stop all tables when each has done what was asked of it."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(live.stop() for live in self._live.values()))
        if self._tasks:
            await self._outside.store.alive(self._outside.now())

    async def _beat(self) -> None:
        """Note every two seconds that the server runs, so that a crash charges no clock for what came after it."""
        while True:
            if any(live.state.clocks or live.state.next_at for live in self._live.values()):
                try:
                    await self._outside.store.alive(self._outside.now())
                except Exception as error:  # noqa: BLE001 - the next beat tries again
                    log.warning("heartbeat failed", error=where(error))
            await asyncio.sleep(HEARTBEAT_SECONDS)

    async def _recover_all(self, waiting: Iterable[str]) -> None:
        for table in waiting:
            await self._recovered(table)

    async def _recovered(self, table: str) -> LiveTable | None:
        """Return a live table, brought back from its events when that has not happened yet; None when it has none."""
        async with self._opening:
            return self._live.get(table) or await self._recover(table)

    async def _recover(self, table: str) -> LiveTable | None:
        stored = await self._outside.store.load(table)
        if not stored:
            return None
        try:
            state, history = fold(stored)
        except Exception as error:  # noqa: BLE001 - one unreadable table must not keep the others shut
            log.error(  # noqa: TRY400 - an exception's text may hold cards
                "table cannot be read", table=table, error=where(error)
            )
            return None
        live = LiveTable(state, self._outside, self._changed)
        self._live[table] = live
        live.start(history)
        live.submit(Job(Command("", Resumed(self._since))))
        return live

    async def create(self, host: str, name: str, rules: Ruleset, pause: int, *, bots_allowed: bool) -> LiveTable:
        """Open a table. Raises RoomError when its rules cannot be played, Refusal when the host has too many."""
        hosted = sum(live.state.config.host == host and not live.state.closed for live in self._live.values())
        if hosted >= MOST_HOSTED:
            raise Refusal("table.too_many", f"you host {hosted} tables already; close one of them first", status=409)
        table = "".join(secrets.choice(_ALPHABET) for _ in range(8))
        config = TableConfig(table, name, host, rules, bots_allowed=bots_allowed, pause=pause)
        events = open_table(config, self._outside.now())
        await self._outside.store.append(
            Append(table=table, expected=0, events=tuple(stored(event) for event in events))
        )
        state: TableState | None = None
        for event in events:
            state = evolve(state, event)
        assert state is not None  # noqa: S101 - a table begins with an event; this is for the type checker
        live = LiveTable(state, self._outside, self._changed)
        self._live[table] = live
        live.start(tuple(enumerate(events, 1)))
        return live

    def open_tables(self) -> list[LiveTable]:
        """Return the tables that are not closed, oldest first."""
        return [live for live in self._live.values() if phase(live.state) != "closed"]

    async def find(self, table: str, path: str = "$.table") -> LiveTable:
        """Return a table, also one that has ended. Raises Refusal when there is none."""
        live = self._live.get(table) or await self._recovered(table)
        if live is None:
            raise Refusal("table.unknown", "there is no such table; look for it in the lobby", path, status=404)
        return live

    def renamed(self, player: str, name: str) -> None:
        """Tell the tables that a guest follows how they are called now."""
        for live in self._live.values():
            if live.audience.follows(player):
                live.submit(Job(Command(player, Connected(), name=name)))
