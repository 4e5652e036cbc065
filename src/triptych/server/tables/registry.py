"""All tables of this process: opened, found by their id, brought back after a restart."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections import deque
from typing import TYPE_CHECKING, Final, Protocol

import structlog

from triptych.room.errors import RoomError
from triptych.room.gate import verify_entry
from triptych.room.state import TableConfig, phase
from triptych.room.table import evolve, open_table
from triptych.server.log import where
from triptych.server.tables.heartbeat import Heartbeat
from triptych.server.tables.live import LiveTable
from triptych.server.tables.lost import Lost, wait_after
from triptych.server.tables.record import is_table, stored
from triptych.server.tables.snapshots import Unreadable, load_table
from triptych.server.wire.errors import DAMAGED, Refusal
from triptych.store.protocol import Append, Damaged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from triptych.room.state import TableState
    from triptych.server.tables.live import Outside
    from triptych.server.tables.wishes import Wishes

log = structlog.get_logger()
MOST_HOSTED: Final = 20
OPENING_SECONDS: Final = 0.5
READING_SECONDS: Final = 0.02  # from one table to the next that is read through
# What a store may be asked for: some databases take no NUL, or no half of a pair of surrogates.
# Tournaments, which lie beside the tables, have a colon in their names.
_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"


class Beside(Protocol):
    """What goes on beside the tables and has a clock of its own."""

    def busy(self) -> bool:
        """Tell whether time counts there."""

    def stood_still(self, since: int) -> None:
        """Hear that nobody could do anything since then (ms)."""


class Tables:
    """The registry of live tables; `changed` hears of every new state of any of them.

    `ended` hears why the server cannot go on: another one has taken its database over.
    """

    def __init__(
        self, outside: Outside, changed: Callable[[LiveTable], None], ended: Callable[[Exception], None]
    ) -> None:
        self._outside = outside
        self._heart = Heartbeat(outside, self, ended)
        self._changed = changed
        self._live: dict[str, LiveTable] = {}
        self._opening = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []
        self.since = 0
        self.beside: Beside | None = None
        self._damaged: set[str] = set()
        self._unread: deque[str] = deque()  # opened from a snapshot; what lies before it was not read

    async def open(self) -> None:
        """Bring every table back from its events; the time of the stop is charged to nobody's clock."""
        self.since = await self._outside.store.last_alive()
        self._outside.reach(self.since)
        waiting = [table for table in await self._outside.store.tables() if is_table(table)]
        self._heart.start()
        recovering = asyncio.create_task(self._recover_all(waiting), name="recovery")
        self._tasks = [
            recovering,
            asyncio.create_task(self._read_through(), name="read through"),
        ]
        if self._outside.snapshots is not None:
            self._outside.snapshots.open()
        # A house with very many tables opens at once all the same: a table that is asked for is brought back first.
        await asyncio.wait([recovering], timeout=OPENING_SECONDS)

    async def close(self) -> None:
        """Stop all tables when each has done what was asked of it."""
        await self._heart.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(live.stop() for live in self._live.values()))
        if self._outside.snapshots is not None:
            await self._outside.snapshots.close()
        await self._heart.last()

    def busy(self) -> bool:
        """Tell whether a clock runs at any table, or time counts beside them."""
        beside = self.beside is not None and self.beside.busy()
        return beside or any(live.state.clocks or live.state.next_at for live in self._live.values())

    def stood_still(self, lost: Lost) -> None:
        """Move the clocks by a time in which nobody could do anything."""
        for live in self._live.values():
            if live.state.clocks or live.state.next_at is not None:
                live.stood_still(lost)
        if self.beside is not None:
            self.beside.stood_still(lost.since)

    async def _recover_all(self, tables: Iterable[str]) -> None:
        """Bring tables back one after the other; one that cannot be loaded now is tried again after the others."""
        waiting = deque(tables)
        failures = 0
        while waiting:
            table = waiting.popleft()
            try:
                await self._recovered(table)
            except Exception as error:  # noqa: BLE001 - the others are waiting
                log.error("table cannot be loaded", table=table, error=where(error))  # noqa: TRY400 - it may hold cards
                failures += 1
                waiting.append(table)
                await asyncio.sleep(wait_after(failures))
            else:
                failures = 0

    async def _read_through(self) -> None:
        """Read whole what was opened from a snapshot, behind the tables: damage there stops them as any other."""
        failures = 0
        while True:
            await asyncio.sleep(wait_after(failures) or READING_SECONDS)
            if not self._unread:
                continue
            table = self._unread.popleft()
            try:
                await self._outside.store.load(table)
            except Damaged as damage:
                self._damaged.add(table)
                live = self._live.pop(table, None)
                if live is not None:
                    live.stop_damaged(damage)
            except Exception as error:  # noqa: BLE001 - the store may be away
                log.warning("table not read through", table=table, error=where(error))
                failures += 1
                self._unread.append(table)
            else:
                failures = 0

    async def _recovered(self, table: str) -> LiveTable | None:
        """Return a live table, brought back from its events when that has not happened yet; None when it has none."""
        async with self._opening:
            if table in self._damaged:
                return None
            return self._live.get(table) or await self._recover(table)

    async def _recover(self, table: str) -> LiveTable | None:
        try:
            found = await load_table(self._outside.store, table)
        except Damaged as damage:
            log.error("a table stays shut", table=table, error=str(damage))  # noqa: TRY400 - it says all
            self._damaged.add(table)
            return None
        except Unreadable as error:  # one table must not keep the others shut
            log.error(  # noqa: TRY400 - an exception's text may hold cards
                "table cannot be read", table=table, error=error.where
            )
            self._damaged.add(table)
            return None
        if found is None:
            return None
        state, history, whole = found
        if not whole:
            self._unread.append(table)
        self._outside.reach(state.at)
        live = LiveTable(state, self._outside, self._changed)
        self._live[table] = live
        live.start(history, Lost(self.since, None, "restart"))
        return live

    async def create(self, host: str, wishes: Wishes) -> LiveTable:
        """Open a table. Raises RoomError when its rules cannot be played, Refusal when the host has too many."""
        hosted = sum(live.state.config.host == host and not live.state.closed for live in self._live.values())
        if hosted >= MOST_HOSTED:
            raise Refusal("table.too_many", f"you host {hosted} tables already; close one of them first", status=409)
        table = "".join(secrets.choice(_ALPHABET) for _ in range(8))
        config = TableConfig(
            table,
            wishes.name,
            host,
            wishes.rules,
            bots_allowed=wishes.bots_allowed,
            pause=wishes.pause,
            start=wishes.start,
            private=wishes.private,
            again=wishes.again,
            arranging=wishes.arranging,
        )
        return await self._opened(config, wishes.password, wishes.admitted)

    async def directed(self, config: TableConfig) -> LiveTable:
        """Return a tournament's table; the first time, it is opened."""
        return await self._recovered(config.table) or await self._opened(config)

    async def _opened(self, config: TableConfig, password: str = "", admitted: tuple[str, ...] = ()) -> LiveTable:
        table = config.table
        events = open_table(config, self._outside.now(), password, admitted)
        await self._store_first(Append(table=table, expected=0, events=tuple(stored(event) for event in events)))
        state: TableState | None = None
        for event in events:
            state = evolve(state, event)
        assert state is not None  # noqa: S101 - a table begins with an event; this is for the type checker
        live = LiveTable(state, self._outside, self._changed)
        self._live[table] = live
        live.start(tuple(enumerate(events, 1)))
        return live

    async def _store_first(self, append: Append) -> None:
        """Store a new table. Raises what kept it from being stored, and only when it was not."""
        try:
            await self._outside.store.append(append)
        except Exception:
            await self._outside.store.settle()
            if not await self._outside.store.load(append.table):
                raise

    def again(self, table: str) -> LiveTable | None:
        """Return the open table at which a closed one is played once more, None when nobody has opened it."""
        return next((live for live in self.open_tables() if live.state.config.again == table), None)

    def is_id(self, table: str) -> bool:
        """Tell whether a text can be a table's id, and the store be asked for it."""
        return _ID.fullmatch(table) is not None

    def is_open(self, table: str) -> bool:
        """Tell whether a table can be played at."""
        live = self._live.get(table)
        return live is not None and not live.state.closed and not live.damaged

    def seats_of(self, player: str) -> list[LiveTable]:
        """Return the open tables at which a guest sits."""
        return [live for live in self.open_tables() if any(seat.player == player for seat in live.state.seats)]

    def open_tables(self) -> list[LiveTable]:
        """Return the tables that are not closed, oldest first."""
        return [live for live in self._live.values() if phase(live.state) != "closed" and not live.damaged]

    def recovering(self) -> bool:
        """Tell whether tables are still being brought back."""
        return any(task.get_name() == "recovery" and not task.done() for task in self._tasks)

    def damaged(self) -> int:
        """Return how many tables have stopped because their record is damaged."""
        return len(self._damaged) + sum(live.damaged for live in self._live.values())

    def stop_damaged(self, damage: Damaged) -> None:
        """Stop the table whose stored record was found damaged; the others go on."""
        live = self._live.get(damage.table)
        if live is not None:
            live.stop_damaged(damage)

    async def find(self, table: str, path: str = "$.table") -> LiveTable:
        """Return a table, also one that has ended. Raises Refusal when there is none."""
        known = self._live.get(table)
        live = known if known is not None or not _ID.fullmatch(table) else await self._recovered(table)
        if live is None and table in self._damaged:
            raise Refusal(DAMAGED.code, DAMAGED.message, path, status=500)
        if live is None:
            raise Refusal("table.unknown", "there is no such table; look for it in the lobby", path, status=404)
        return live

    async def enter(self, table: str, player: str, path: str = "$.table") -> LiveTable:
        """Return a table that a guest may see. Raises Refusal when there is none, or its password was not given."""
        live = await self.find(table, path)
        try:
            verify_entry(live.state, player)
        except RoomError as refused:
            raise Refusal(refused.code, refused.message, path, status=403) from None
        return live

    def renamed(self, player: str, name: str) -> None:
        """Tell the tables that a guest follows how they are called now."""
        for live in self._live.values():
            if live.audience.follows(player):
                live.look_for(player, name)
