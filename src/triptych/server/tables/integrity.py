"""What stops a table for good while the others go on: a damaged record, or a command that breaks an invariant."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from triptych.async_tasks import wait_at_most
from triptych.errors import error_location
from triptych.server.backoff import backoff_seconds
from triptych.server.wire.errors import CORRUPT_ERROR, INVARIANT_ERROR
from triptych.server.wire.messages import WireError
from triptych.store.errors import CorruptRecordError, RecordExpiredError
from triptych.store.interface import EventStore
from triptych.table.events import TableEvent
from triptych.table.invariants import find_violation
from triptych.table.state import TableState

log = structlog.get_logger()
READING_SECONDS: Final = 0.02  # from one table to the next
RECOVERY_SECONDS: Final = 60.0  # how long it waits for the recovery of tables


class InvariantError(CorruptRecordError):
    """A command would break an invariant of a table. Nothing of it was stored."""

    def __init__(self, table: str, violation: str) -> None:
        super().__init__(table, violation)
        self.args = (f"a command at table {table} was not stored: {violation}",)


def stop_notice(cause: CorruptRecordError) -> WireError:
    """Return the error that the players of a stopped table get."""
    return INVARIANT_ERROR if isinstance(cause, InvariantError) else CORRUPT_ERROR


def verify_invariants(before: TableState, after: TableState, events: Sequence[TableEvent]) -> None:
    """Raise InvariantError when these events, which are not stored yet, break an invariant of the table."""
    violation = find_violation(before, after, events)
    if violation:
        raise InvariantError(after.config.table, violation)


class StreamVerifier:
    """Reads the records of tables opened from a snapshot, in the background; `on_damage` gets what is damaged."""

    def __init__(self, store: EventStore, on_damage: Callable[[CorruptRecordError], None]) -> None:
        self._store = store
        self._on_damage = on_damage
        self._unread: deque[str] = deque()
        self._enqueued = asyncio.Event()
        self._verified: set[str] = set()

    def mark_verified(self, table: str) -> None:
        """Called when all of a table's record was read by this process."""
        self._verified.add(table)

    def enqueue(self, table: str) -> None:
        """Called when a table was opened from a snapshot: its earlier events were not read."""
        if table not in self._verified:
            self._add(table)

    def _add(self, table: str) -> None:
        self._unread.append(table)
        self._enqueued.set()

    async def run(self, recovered: asyncio.Event) -> None:
        """Read one table after the other until cancelled."""
        failures = 0
        await wait_at_most(recovered, RECOVERY_SECONDS)
        while True:
            await asyncio.sleep(backoff_seconds(failures) or READING_SECONDS)
            if not self._unread:
                self._enqueued.clear()
                await self._enqueued.wait()
            table = self._unread.popleft()
            try:
                await self._store.load(table)
            except CorruptRecordError as damage:
                self._on_damage(damage)
            except RecordExpiredError:
                continue  # deleted meanwhile
            except Exception as error:  # noqa: BLE001 - the store may be away
                log.warning("a table was not verified", table=table, error=error_location(error))
                failures += 1
                self._add(table)
            else:
                self._verified.add(table)
                failures = 0
