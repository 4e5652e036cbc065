"""Records regularly that the server runs, and detects when the process or its store stood still."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

import structlog

from triptych.async_tasks import cancel_tasks
from triptych.errors import error_location
from triptych.server.clock import STALL_CHECK_MS, STALL_MS
from triptych.server.tables.actor import TableDeps
from triptych.server.tables.downtime import Downtime
from triptych.store.file_lock import DatabaseInUseError

log = structlog.get_logger()
HEARTBEAT_SECONDS: Final = 2.0


class ClockOwner(Protocol):
    """The owner of running clocks."""

    def busy(self) -> bool:
        """Return whether any clock runs."""

    def is_compensated(self) -> bool:
        """Return whether all clocks have been moved by the downtime until now."""

    def add_downtime(self, downtime: Downtime) -> None:
        """Called when nobody could do anything for a time."""


class Heartbeat:
    """Writes the server's sign of life; `on_fatal` gets the error after which the server cannot go on."""

    def __init__(self, deps: TableDeps, clock_owner: ClockOwner, on_fatal: Callable[[Exception], None]) -> None:
        self._deps = deps
        self._clock_owner = clock_owner
        self._on_fatal = on_fatal
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start the heartbeat and the stall check."""
        self._deps.stall_detector.on_stall = lambda since, until: self._clock_owner.add_downtime(
            Downtime(since, until, "still")
        )
        self._tasks = [
            asyncio.create_task(self._beat_loop(), name="heartbeat"),
            asyncio.create_task(self._check_stalls(), name="stall check"),
        ]

    async def stop(self) -> None:
        """Stop the heartbeat and the stall check."""
        await cancel_tasks(*self._tasks)

    async def record_stop(self) -> None:
        """Record that the server ran until now, if that can be stored."""
        if self._tasks:
            with suppress(Exception):
                await self._deps.store.record_alive(self._deps.now())

    async def _check_stalls(self) -> None:
        while True:
            self._deps.stall_detector.check()
            await asyncio.sleep(STALL_CHECK_MS / 1000)

    async def _beat_loop(self) -> None:
        """Record every two seconds that the server runs, so that no clock is charged for the time after a crash."""
        while True:
            try:
                if self._clock_owner.busy():
                    await self._record_alive()
                else:
                    await self._deps.store.barrier()
            except DatabaseInUseError as error:
                log.error("another server has taken over the database")  # noqa: TRY400 - the server ends with the reason
                self._on_fatal(error)
                return
            except Exception as error:  # noqa: BLE001 - the next beat tries again
                log.warning("heartbeat failed", error=error_location(error))
            await asyncio.sleep(HEARTBEAT_SECONDS)

    async def _record_alive(self) -> None:
        """Record that the server runs.

        If that fails or takes long, the time is downtime: no move could be stored.
        """
        is_compensated, began = self._clock_owner.is_compensated(), self._deps.now()
        try:
            # While downtime is pending, an earlier heartbeat stays the last: after a crash it is counted from there.
            if is_compensated:
                await self._deps.store.record_alive(began)
            await self._deps.store.barrier()  # raises when another server has taken the database over
        except DatabaseInUseError:
            raise
        except Exception:
            self._clock_owner.add_downtime(Downtime(began, None, "store"))
            raise
        self._deps.stall_detector.check()
        now = self._deps.now()
        if now - began > STALL_MS:
            self._clock_owner.add_downtime(Downtime(began, now, "store"))
