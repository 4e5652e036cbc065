"""The readiness of the server: whether the store answers and can be written."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from triptych.store.interface import EventStore
from triptych.store.sql.error_causes import FULL, LOCKED, UNWRITABLE, error_cause

TIMEOUT_SECONDS: Final = 2.0
# For so long after a write the store counts as writable.
CACHE_SECONDS: Final = 1.0
_NO_ANSWER: Final = "the database does not answer"
_NAMED_CAUSES: Final = {FULL, LOCKED, UNWRITABLE}


class Readiness:
    """Tries a write when it is asked; requests at one time share one attempt."""

    def __init__(self, store: EventStore, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._writable_until = clock()
        self._attempt: asyncio.Task[str] | None = None

    async def fault(self) -> str:
        """Return why nothing can be stored at present; empty when the store is writable."""
        if self._clock() < self._writable_until:
            return ""
        if self._attempt is None or self._attempt.done():
            self._attempt = asyncio.create_task(self._try(), name="readiness")
        return await asyncio.shield(self._attempt)

    async def _try(self) -> str:
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await self._store.last_alive()
                await self._store.try_write()
        except Exception as error:  # noqa: BLE001 - after any error nothing can be stored now
            cause = error_cause(error)
            return cause if cause in _NAMED_CAUSES else _NO_ANSWER
        self._writable_until = self._clock() + CACHE_SECONDS
        return ""
