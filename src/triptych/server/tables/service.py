"""Opens tables, finds them by their id and lists them."""

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

from msgspec.structs import replace

from triptych.async_tasks import wait_at_most
from triptych.i18n.messages import Message
from triptych.server.tables.actor import TableActor, TableDeps
from triptych.server.tables.downtime import Downtime
from triptych.server.tables.event_log import encode_events, replay
from triptych.server.tables.heartbeat import Heartbeat
from triptych.server.tables.summary import TableSummary
from triptych.server.wire.errors import CORRUPT_ERROR, ApiError, RemoteOwnerError
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
# Ids that may be passed to a store: some databases take no NUL, or no half of a pair of surrogates.
# The names of tournaments' streams have a colon.
_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"


def _id_from_bytes(random_bytes: bytes) -> str:
    """Return a table id made from random bytes (8 or more)."""
    number, letters = int.from_bytes(random_bytes[:8], "big"), ""
    for _ in range(8):
        number, letter = divmod(number, len(_ALPHABET))
        letters += _ALPHABET[letter]
    return letters


class ClockOwner(Protocol):
    """The tournaments, whose clocks are not the tables'."""

    def busy(self) -> bool:
        """Return whether any of their clocks runs."""

    def has_pending_downtime(self) -> bool:
        """Return whether there was downtime that is not compensated yet."""

    def add_downtime(self, since: int) -> None:
        """Called when nobody could do anything since a time (ms)."""


class TableService:
    """All tables; `directory` has those in memory.

    `on_fatal` gets the error after which the server cannot go on: another one has taken its database over.
    """

    def __init__(self, deps: TableDeps, directory: TableDirectory, on_fatal: Callable[[Exception], None]) -> None:
        self._deps = deps
        self.directory = directory
        self._heartbeat = Heartbeat(deps, self, on_fatal)
        self.since = 0
        self.tournaments: ClockOwner | None = None
        self._opening_again: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def open(self) -> None:
        """Open the directory; the time of the stop is charged to no clock."""
        self.since = await self._deps.store.last_alive()
        await self.directory.open(self.since)
        self._heartbeat.start()
        # With very many tables the server opens all the same: a table that is requested is loaded first.
        await wait_at_most(self.directory.recovered, OPENING_SECONDS)

    async def close(self) -> None:
        """Stop all tables once their queued commands are done."""
        await self._heartbeat.stop()
        await self.directory.close()
        await self._heartbeat.record_stop()

    def busy(self) -> bool:
        """Return whether a clock runs at any table or tournament."""
        return (self.tournaments is not None and self.tournaments.busy()) or self.directory.busy()

    def is_compensated(self) -> bool:
        """Return whether all clocks have been moved by the downtime until now."""
        self._deps.stall_detector.check()
        return not (
            self.directory.has_pending_downtime()
            or (self.tournaments is not None and self.tournaments.has_pending_downtime())
        )

    def add_downtime(self, downtime: Downtime) -> None:
        """Move the clocks by downtime."""
        self.directory.add_downtime(downtime)
        if self.tournaments is not None:
            self.tournaments.add_downtime(downtime.since)

    async def create(self, config: TableConfig, password: str = "", admitted: tuple[str, ...] = ()) -> TableActor:
        """Open a table; one without an id gets a random one.

        `password`: the hash of the password that guests have to give, except the `admitted` ones. Raises TableError
        when its rules cannot be played, ApiError when the host has too many.
        """
        hosted = sum(summary.opener == config.host for summary in self.directory.summaries())
        if hosted >= MAX_PER_HOST:
            raise ApiError("table.too_many", Message("error.table.too_many", hosted=hosted), status=409)
        if not config.table:
            config = replace(config, table=_id_from_bytes(secrets.token_bytes(8)))
        return await self._opened(config, password, admitted)

    async def rematch(self, host: str, name: str, old: TableState) -> str:
        """Return the id of a closed table's rematch, which is opened the first time. Raises as `create` does.

        Its players and admitted guests need no password. The id follows from the closed table's id, so two servers
        cannot open two rematches.
        """
        secret = await self._deps.store.get_or_create_secret("rematches", secrets.token_bytes(32))
        numbers = count()
        while True:
            again = old.config.table
            table = _id_from_bytes(hmac.digest(secret, f"{again} {next(numbers)}".encode(), "sha256"))
            try:
                actor = await self.directory.get(table)
                if actor is None and not (self.directory.is_corrupt(table) or self.directory.is_expired(table)):
                    guests = {*old.admitted, old.config.host, *(account.player for account in old.accounts)}
                    admitted = tuple(sorted(guests)) if old.password else ()
                    actor = await self.create(_rematch_config(table, name, host, old), old.password, admitted)
            except RemoteOwnerError:  # it is played there
                return table
            if actor is not None and actor.state.config.again == again and not actor.state.closed:
                return table

    async def tournament_table(self, config: TableConfig) -> TableActor:
        """Return a tournament's table; the first time, it is opened."""
        return await self.directory.get(config.table) or await self._opened(config)

    async def _opened(self, config: TableConfig, password: str = "", admitted: tuple[str, ...] = ()) -> TableActor:
        events = open_table(config, self._deps.now(), password, admitted)
        return await self.directory.add(config.table, self._stored(config.table, events))

    async def _stored(self, table: str, events: Sequence[TableEvent]) -> tuple[TableState, Sequence[TableEvent]]:
        """Store a new table; return its state and its events. Raises the store's error if it was not stored."""
        store = self._deps.store
        try:
            await store.append(Append(table=table, expected_version=0, events=encode_events(events)))
        except Exception:
            await store.barrier()
            stored = await store.load(table)
            if not stored:
                raise
            # It was stored all the same; or another server had opened it before.
            state, history = replay(stored)
            return state, [event for _, event in history]
        state = reduce(evolve, events[1:], evolve(None, events[0]))
        return state, events

    def find_rematch(self, table: str) -> str | None:
        """Return the id of a closed table's open rematch, or None."""
        return next((summary.table for summary in self.directory.summaries() if summary.again == table), None)

    def rematch_lock(self, table: str) -> asyncio.Lock:
        """Return the lock to hold while a rematch is opened, so that two requests at once open only one table."""
        return self._opening_again.setdefault(table, asyncio.Lock())

    def is_id(self, table: str) -> bool:
        """Return whether a text can be a table's id and may be passed to the store."""
        return _ID.fullmatch(table) is not None

    def seats_of(self, player: str) -> list[TableSummary]:
        """Return the open tables at which a guest sits."""
        return [summary for summary in self.directory.summaries() if summary.seat_of(player) is not None]

    async def find(self, table: str, path: str = "$.table") -> TableActor:
        """Return a table, also one that has ended. Raises ApiError when there is none."""
        actor = await self.directory.get(table) if self.directory.is_open(table) or self.is_id(table) else None
        if actor is None and self.directory.is_corrupt(table):
            raise ApiError(CORRUPT_ERROR.code, CORRUPT_ERROR.message, path, status=500)
        if actor is None and self.directory.is_expired(table):
            raise ApiError("table.expired", Message("error.table.expired"), path, status=410)
        if actor is None:
            raise ApiError("table.unknown", Message("error.table.unknown"), path, status=404)
        return actor

    async def authorize(self, table: str, player: str, path: str = "$.table") -> TableActor:
        """Return a table that a guest may see (table/access.py).

        Raises ApiError if there is none or they may not.
        """
        actor = await self.find(table, path)
        if player and is_sealed(actor.state) and not can_access(actor.state, player):
            # The order that seats them may be queued: a league notifies its players while it sends the order.
            with suppress(ApiError):
                await actor.execute(Command("", Tick()))
        try:
            verify_access(actor.state, player)
        except TableError as error:
            raise ApiError(error.code, error.message, path, status=403) from None
        return actor

    def on_guest_renamed(self, player: str, name: str) -> None:
        """Pass a guest's new name to the tables that they watch."""
        for actor in self.directory.actors.values():
            if actor.subscribers.is_watching(player):
                actor.check_presence(player, name)


def _rematch_config(table: str, name: str, host: str, old: TableState) -> TableConfig:
    config = old.config
    return TableConfig(
        table,
        name,
        host,
        config.rules,
        config.bots_allowed,
        config.pause,
        start="host",
        private=config.private,
        again=config.table,
        arranging=old.arranging,
        hints=old.hints,
    )
