"""The server's own pulse: notes while it runs that it does, and notices when it, or its store, stood still."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

import structlog

from triptych.errors import error_location
from triptych.server.clock import STALL_CHECK_MS, STALL_MS
from triptych.server.tables.actor import TableDeps
from triptych.server.tables.downtime import Downtime
from triptych.store.file_lock import DatabaseInUseError

log = structlog.get_logger()
HEARTBEAT_SECONDS: Final = 2.0


class ClockOwner(Protocol):
    """What has clocks that run."""

    def busy(self) -> bool:
        """Return whether time counts for anybody there."""

    def is_compensated(self) -> bool:
        """Return whether no time was lost until now by which clocks are not moved yet."""

    def add_downtime(self, lost: Downtime) -> None:
        """Called when nobody could do anything for a time."""


class Heartbeat:
    """Beats for those whose time counts; `ended` hears why the server cannot go on."""

    def __init__(self, deps: TableDeps, timed: ClockOwner, ended: Callable[[Exception], None]) -> None:
        self._deps = deps
        self._timed = timed
        self._ended = ended
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to beat."""
        self._deps.stall_detector.on_stall = lambda since, until: self._timed.add_downtime(
            Downtime(since, until, "still")
        )
        self._tasks = [
            asyncio.create_task(self._beat_loop(), name="heartbeat"),
            asyncio.create_task(self._check_stalls(), name="pulse"),
        ]

    async def stop(self) -> None:
        """Beat no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def record_stop(self) -> None:
        """Note that the server ran until now, if that can be stored."""
        if self._tasks:
            with suppress(Exception):
                await self._deps.store.record_alive(self._deps.now())

    async def _check_stalls(self) -> None:
        """Keep the pulse, by which a process that stood still is noticed."""
        while True:
            self._deps.stall_detector.check()
            await asyncio.sleep(STALL_CHECK_MS / 1000)

    async def _beat_loop(self) -> None:
        """Note every two seconds that the server runs, so that a crash charges no clock for what came after it."""
        while True:
            try:
                if self._timed.busy():
                    await self._note_alive()
                else:
                    await self._deps.store.barrier()
            except DatabaseInUseError as taken:
                log.error("the database has been taken over")  # noqa: TRY400 - the server ends with the reason
                self._ended(taken)
                return
            except Exception as error:  # noqa: BLE001 - the next beat tries again
                log.warning("heartbeat failed", error=error_location(error))
            await asyncio.sleep(HEARTBEAT_SECONDS)

    async def _note_alive(self) -> None:
        """Note that the server runs. While that cannot be stored, or takes long, no move could be either."""
        counted, began = self._timed.is_compensated(), self._deps.now()
        try:
            # After a crash now, what is lost and not stored yet is counted from an earlier beat.
            if counted:
                await self._deps.store.record_alive(began)
            await self._deps.store.barrier()  # a busy server, too, has to hear that it serves no more
        except DatabaseInUseError:
            raise
        except Exception:
            self._timed.add_downtime(Downtime(began, None, "store"))
            raise
        self._deps.stall_detector.check()
        now = self._deps.now()
        if now - began > STALL_MS:
            self._timed.add_downtime(Downtime(began, now, "store"))
