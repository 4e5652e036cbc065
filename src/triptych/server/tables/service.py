"""All tables of this process: opened, found by their id, listed."""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import reduce
from itertools import count
from typing import TYPE_CHECKING, Final, Protocol
from weakref import WeakValueDictionary

from triptych.i18n.messages import Message
from triptych.server.tables.actor import TableActor, TableDeps
from triptych.server.tables.downtime import Downtime
from triptych.server.tables.event_log import encode_events, replay
from triptych.server.tables.heartbeat import Heartbeat
from triptych.server.tables.options import TableOptions
from triptych.server.tables.summary import TableSummary
from triptych.server.wire.errors import CORRUPT_ERROR, ApiError
from triptych.server.wire.ownership import RemoteOwnerError
from triptych.store.types import Append
from triptych.table.access import can_access, verify_access
from triptych.table.aggregate import evolve, open_table
from triptych.table.commands import Command, Tick
from triptych.table.errors import TableError
from triptych.table.events import TableEvent
from triptych.table.state import TableConfig, TableState, is_sealed

if TYPE_CHECKING:
    from triptych.server.tables.directory import TableDirectory

MAX_PER_HOST: Final = 20
OPENING_SECONDS: Final = 0.1
# What a store may be asked for: some databases take no NUL, or no half of a pair of surrogates.
# Tournaments, which lie beside the tables, have a colon in their names.
_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"


def _id_from_bytes(chance: bytes) -> str:
    """Return the id that random bytes (8 or more) give a table."""
    number, letters = int.from_bytes(chance[:8], "big"), ""
    for _ in range(8):
        number, letter = divmod(number, len(_ALPHABET))
        letters += _ALPHABET[letter]
    return letters


class ClockOwner(Protocol):
    """What goes on beside the tables and has a clock of its own."""

    def busy(self) -> bool:
        """Return whether time counts there."""

    def has_pending_downtime(self) -> bool:
        """Return whether time was lost there that is not made up yet."""

    def add_downtime(self, since: int) -> None:
        """Called when nobody could do anything since then (ms)."""


class TableService:
    """The tables that there are; `directory` has those in memory.

    `ended` hears why the server cannot go on: another one has taken its database over.
    """

    def __init__(self, deps: TableDeps, directory: TableDirectory, ended: Callable[[Exception], None]) -> None:
        self._deps = deps
        self.directory = directory
        self._heart = Heartbeat(deps, self, ended)
        self.since = 0
        self.beside: ClockOwner | None = None
        self._opening_again: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def open(self) -> None:
        """Look what tables there are; the time of the stop is charged to nobody's clock."""
        self.since = await self._deps.store.last_alive()
        await self.directory.open(self.since)
        self._heart.start()
        # A house with very many tables opens at once all the same: a table that is asked for is brought back first.
        with suppress(TimeoutError):
            async with asyncio.timeout(OPENING_SECONDS):
                await self.directory.recovered.wait()

    async def close(self) -> None:
        """Stop all tables when each has done what was asked of it."""
        await self._heart.stop()
        await self.directory.close()
        await self._heart.record_stop()

    def busy(self) -> bool:
        """Return whether time counts at any table or beside them."""
        return (self.beside is not None and self.beside.busy()) or self.directory.busy()

    def is_compensated(self) -> bool:
        """Return whether no time was lost until now by which clocks are not moved yet."""
        self._deps.stall_detector.check()
        return not (
            self.directory.has_pending_downtime() or (self.beside is not None and self.beside.has_pending_downtime())
        )

    def add_downtime(self, lost: Downtime) -> None:
        """Move the clocks by a time in which nobody could do anything."""
        self.directory.add_downtime(lost)
        if self.beside is not None:
            self.beside.add_downtime(lost.since)

    async def create(self, host: str, wishes: TableOptions, table: str = "") -> TableActor:
        """Open a table, with an id at random unless there is one for it.

        Raises TableError when its rules cannot be played, ApiError when the host has too many.
        """
        hosted = sum(one.opener == host for one in self.directory.summaries())
        if hosted >= MAX_PER_HOST:
            raise ApiError("table.too_many", Message("error.table.too_many", hosted=hosted), status=409)
        config = TableConfig(
            table or _id_from_bytes(secrets.token_bytes(8)),
            wishes.name,
            host,
            wishes.rules,
            bots_allowed=wishes.bots_allowed,
            pause=wishes.pause,
            start=wishes.start,
            private=wishes.private,
            again=wishes.again,
            arranging=wishes.arranging,
            hints=wishes.hints,
        )
        return await self._opened(config, wishes.password, wishes.admitted)

    async def rematch(self, host: str, wishes: TableOptions) -> str:
        """Return the table at which a closed one is played once more; the first time, it is opened. As `create`.

        Its id follows from the closed table's: servers that do not hear of each other cannot open two.
        """
        secret = await self._deps.store.get_or_create_secret("rematches", secrets.token_bytes(32))
        numbers = count()
        while True:
            table = _id_from_bytes(hmac.digest(secret, f"{wishes.again} {next(numbers)}".encode(), "sha256"))
            try:
                live = await self.directory.get(table)
                if live is None and not (self.directory.is_corrupt(table) or self.directory.is_expired(table)):
                    live = await self.create(host, wishes, table)
            except RemoteOwnerError:  # it is played there
                return table
            if live is not None and live.state.config.again == wishes.again and not live.state.closed:
                return table

    async def tournament_table(self, config: TableConfig) -> TableActor:
        """Return a tournament's table; the first time, it is opened."""
        return await self.directory.get(config.table) or await self._opened(config)

    async def _opened(self, config: TableConfig, password: str = "", admitted: tuple[str, ...] = ()) -> TableActor:
        events = open_table(config, self._deps.now(), password, admitted)
        return await self.directory.add(config.table, self._stored(config.table, events))

    async def _stored(self, table: str, events: Sequence[TableEvent]) -> tuple[TableState, Sequence[TableEvent]]:
        """Store a new table; return it and its events. Raises what kept it from being stored, if it was not."""
        store = self._deps.store
        try:
            await store.append(Append(table=table, expected_version=0, events=encode_events(events)))
        except Exception:
            await store.barrier()
            result = await store.load(table)
            if not result:
                raise
            # It was stored all the same; or another server had opened it before.
            state, history = replay(result)
            return state, [event for _, event in history]
        state = reduce(evolve, events[1:], evolve(None, events[0]))
        return state, events

    def find_rematch(self, table: str) -> str | None:
        """Return the open table at which a closed one is played once more, None when nobody has opened it."""
        return next((one.table for one in self.directory.summaries() if one.again == table), None)

    def rematch_lock(self, table: str) -> asyncio.Lock:
        """Return what is held from asking `again` until the table is open: two who ask at once meet at one table."""
        return self._opening_again.setdefault(table, asyncio.Lock())

    def is_id(self, table: str) -> bool:
        """Return whether a text can be a table's id, and the store be asked for it."""
        return _ID.fullmatch(table) is not None

    def seats_of(self, player: str) -> list[TableSummary]:
        """Return the open tables at which a guest sits."""
        return [one for one in self.directory.summaries() if one.seat_of(player) is not None]

    async def find(self, table: str, path: str = "$.table") -> TableActor:
        """Return a table, also one that has ended. Raises ApiError when there is none."""
        live = await self.directory.get(table) if self.directory.is_open(table) or self.is_id(table) else None
        if live is None and self.directory.is_corrupt(table):
            raise ApiError(CORRUPT_ERROR.code, CORRUPT_ERROR.message, path, status=500)
        if live is None and self.directory.is_expired(table):
            raise ApiError(
                "table.expired",
                Message("error.table.expired"),
                path,
                status=410,
            )
        if live is None:
            raise ApiError("table.unknown", Message("error.table.unknown"), path, status=404)
        return live

    async def authorize(self, table: str, player: str, path: str = "$.table") -> TableActor:
        """Return a table that a guest may see (table/access.py). Raises ApiError: none, or they may not."""
        live = await self.find(table, path)
        if player and is_sealed(live.state) and not can_access(live.state, player):
            # The order that seats them may be on its way: a league tells its players where to go as it sends it.
            with suppress(ApiError):
                await live.execute(Command("", Tick()))
        try:
            verify_access(live.state, player)
        except TableError as refused:
            raise ApiError(refused.code, refused.message, path, status=403) from None
        return live

    def on_guest_renamed(self, player: str, name: str) -> None:
        """Tell the tables that a guest follows how they are called now."""
        for live in self.directory.live.values():
            if live.audience.is_watching(player):
                live.check_presence(player, name)
