"""Snapshots of tables at the end of a deal: a table is opened from its last one and what followed.

They are a cache: without them all events are replayed. Each has the version of its format, so a snapshot in another
format is never read. The events before a snapshot are verified afterwards, in the background.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

import msgspec
from msgspec.structs import replace

from triptych.async_tasks import cancel_tasks
from triptych.errors import error_location
from triptych.i18n.stored import restore_text, stored_text
from triptych.server.log import RateLimitedLogger
from triptych.server.tables.event_log import replay
from triptych.server.tables.summary import encode, summarize
from triptych.store.interface import EventStore
from triptych.store.types import Snapshot
from triptych.table.events import TableEvent
from triptych.table.state import TableState

# A table that plays deal after deal gets one snapshot for several deals.
PAUSE_SECONDS: Final = 20.0
MAX_TOGETHER: Final = 50
_WRITE: Final = msgspec.msgpack.Encoder(enc_hook=stored_text)
_READ: Final = msgspec.msgpack.Decoder(TableState)
# Raised when the fields of a state change, or when the same events give another state: older snapshots are not read
# then. tests/golden/test_snapshots.py fails when it has to be raised.
SNAPSHOT_VERSION: Final = "5"


class UnreadableStreamError(Exception):
    """A table's events cannot be read.

    `where`: the code's line that failed, since the events must not be logged.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.where = error_location(error)


async def load_table(store: EventStore, table: str) -> tuple[TableState, list[tuple[int, TableEvent]], bool] | None:
    """Return a table, its last events with their versions, and whether all of its record was read.

    None when there is no such table. Raises CorruptRecordError, UnreadableStreamError, and the store's errors.
    """
    state = await load_snapshot(store, table)
    stored = await store.load(table, 0 if state is None else state.version)
    if state is None and not stored:
        return None
    try:
        return *replay(stored, state), state is None
    except Exception as error:  # noqa: BLE001 - any error here means that the stored events are wrong
        raise UnreadableStreamError(error) from None


async def load_snapshot(store: EventStore, table: str) -> TableState | None:
    """Return a table's state at its last snapshot, or None if this code reads none."""
    stored = await store.snapshots.get(table, SNAPSHOT_VERSION)
    if stored is None:
        return None
    with suppress(msgspec.MsgspecError):
        state = _READ.decode(stored.payload)
        if (state.config.table, state.version) == (stored.table, stored.version):
            return replace(state, verdict=restore_text(state.verdict))
    return None


class SnapshotWriter:
    """Writes snapshots in the background, some seconds after the deals."""

    def __init__(self, store: EventStore, trouble: RateLimitedLogger) -> None:
        self._store = store
        self._trouble = trouble
        self._latest: dict[str, TableState] = {}
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start to write."""
        self._task = asyncio.create_task(self._run(), name="snapshots")

    async def close(self) -> None:
        """Write the waiting snapshots, if the store allows it."""
        if self._task is not None:
            await cancel_tasks(self._task)
            with suppress(Exception):
                while self._latest:
                    await self._write()

    def enqueue(self, state: TableState) -> None:
        """Add a table at the end of a deal, or when it is unloaded; never waits."""
        self._latest[state.config.table] = state

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(PAUSE_SECONDS)
            try:
                while self._latest:
                    await self._write()
            except Exception as error:  # noqa: BLE001 - the store may be unavailable; a later deal writes another
                self._trouble.error("snapshots not written", error=error_location(error))

    async def _write(self) -> None:
        states = [self._latest.pop(table) for table in list(self._latest)[:MAX_TOGETHER]]
        await self._store.snapshots.save([_snapshot(state) for state in states])


def _snapshot(state: TableState) -> Snapshot:
    return Snapshot(
        state.config.table, state.version, SNAPSHOT_VERSION, _WRITE.encode(state), encode(summarize(state))
    )
