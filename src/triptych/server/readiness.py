"""Whether the server can be played at: its tables are back, and the store answers and can be written."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from triptych.store.interface import EventStore
from triptych.store.sql.error_causes import FULL, LOCKED, UNWRITABLE, error_cause

TIMEOUT_SECONDS: Final = 2.0
# That something was written says for so long that it can be.
GOOD_SECONDS: Final = 1.0
_SILENT: Final = "the database does not answer"
_WORDS: Final = {FULL, LOCKED, UNWRITABLE}


class Readiness:
    """Tries to write when it is asked, for all who ask meanwhile."""

    def __init__(self, store: EventStore, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._good_until = clock()
        self._trying: asyncio.Task[str] | None = None

    async def fault(self) -> str:
        """Return why nothing can be stored at present; empty when it can."""
        if self._clock() < self._good_until:
            return ""
        if self._trying is None or self._trying.done():
            self._trying = asyncio.create_task(self._try(), name="readiness")
        return await asyncio.shield(self._trying)

    async def _try(self) -> str:
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await self._store.last_alive()
                await self._store.try_write()
        except Exception as error:  # noqa: BLE001 - whatever it is, nothing can be stored now
            cause = error_cause(error)
            return cause if cause in _WORDS else _SILENT
        self._good_until = self._clock() + GOOD_SECONDS
        return ""
