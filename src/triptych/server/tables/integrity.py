"""Verifies the records of tables opened from a snapshot, in the background; damage stops the table."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog

from triptych.errors import error_location
from triptych.server.backoff import backoff_seconds
from triptych.store.errors import CorruptRecordError, RecordExpiredError
from triptych.store.interface import EventStore

log = structlog.get_logger()
READING_SECONDS: Final = 0.02  # from one table to the next
RECOVERY_SECONDS: Final = 60.0  # how long it waits for the recovery of tables


class StreamVerifier:
    """Reads records in the background; `on_damage` is called for a table whose record is damaged."""

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
        with suppress(TimeoutError):
            async with asyncio.timeout(RECOVERY_SECONDS):
                await recovered.wait()
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
                log.warning("table not read through", table=table, error=error_location(error))
                failures += 1
                self._add(table)
            else:
                self._verified.add(table)
                failures = 0
