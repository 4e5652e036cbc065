"""Compares the computer's clock with the last time that the server is known to have run: either may be wrong.

A clock that is wrong when the server starts would let it delete what has to be kept. While the two disagree nothing
is deleted, until the server has run for a day under its clock: somebody can read the warning meanwhile. A clock that
is set while the server runs is followed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, NamedTuple

import structlog

from triptych.async_tasks import cancel_tasks
from triptych.errors import error_location
from triptych.server.clock import SteadyClock
from triptych.server.tables.downtime import Downtime
from triptych.store.interface import EventStore

log = structlog.get_logger()
TOLERANCE_MS: Final = 3_600_000
DOUBT_MS: Final = 86_400_000
# After a longer absence the server logs a warning even where nothing is deleted by its clock.
LONG_ABSENCE_MS: Final = 7 * 86_400_000
POLL_SECONDS: Final = 60.0
NOTE_INTERVAL_MS: Final = 600_000


class Clocks(NamedTuple):
    """In ms: `now`, the server's time, and `steady`, which is never set; `server`: the clock behind `now`, if any."""

    now: Callable[[], int]
    steady: Callable[[], int]
    server: SteadyClock | None = None


class ClockCheck:
    """See above; `add_downtime` compensates tables for steps of the clock. `deletes`: data expires by the clock."""

    def __init__(
        self, store: EventStore, clocks: Clocks, add_downtime: Callable[[Downtime], None], *, deletes: bool
    ) -> None:
        self._store = store
        self._clocks = clocks
        self._add_downtime = add_downtime
        self._deletes = deletes
        self._last_run_ms = 0  # when the server is known to have run before this start, 0 for never
        self._since_ms = 0  # on the steady clock: since when the server runs under the present clock
        self._noted_ms: int | None = None
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Compare the clock with the store's last time, and watch it from now on."""
        self._last_run_ms = await self._store.last_clock() or await self._store.last_alive()
        self._since_ms = self._clocks.steady()
        self._warn()
        self._task = asyncio.create_task(self._run(), name="clock check")

    async def close(self) -> None:
        """Note that the server has run until now, if the clock is believed."""
        if self._task is not None:
            await cancel_tasks(self._task)
            await self._note()

    def is_believed(self) -> bool:
        """Return whether things may be deleted by the clock."""
        return abs(self._gap()) <= TOLERANCE_MS or self._clocks.steady() - self._since_ms >= DOUBT_MS

    def _gap(self) -> int:
        """Return how far the clock, when the server began to run under it, was ahead of the last known time (ms)."""
        if not self._last_run_ms:
            return 0
        return self._clocks.now() - (self._clocks.steady() - self._since_ms) - self._last_run_ms

    def _warn(self) -> None:
        gap = self._gap()
        if gap < -TOLERANCE_MS:
            warning = (
                "this computer's clock is behind the last time that this server ran: it was wrong then, or is wrong "
                "now; new tables and tournaments go by it as it is now"
            )
        elif gap > (TOLERANCE_MS if self._deletes else LONG_ABSENCE_MS):
            warning = (
                "by this computer's clock this server has not run for long; if that is not so, set the clock right "
                "and restart the server"
            )
        else:
            return
        hints = {"keep": "nothing is deleted until the server has run for a day"} if self._deletes else {}
        now, last = _time_text(self._clocks.now()), _time_text(self._last_run_ms)
        log.warning(warning, now=now, last_ran=last, difference=_duration_text(abs(gap)), **hints)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            self.check()
            steady = self._clocks.steady()
            if self._noted_ms is None or steady - self._noted_ms >= NOTE_INTERVAL_MS:
                self._noted_ms = steady
                await self._note()

    def check(self) -> None:
        """Follow a clock that was set; no table's time goes back, and no player is charged for the step."""
        clock = self._clocks.server
        if clock is None:
            return
        before, step = clock.now(), clock.drift_ms()
        if abs(step) <= TOLERANCE_MS:
            return
        if step > 0:
            self._add_downtime(Downtime(before, before + step, "still"))
        clock.sync()
        self._since_ms = self._clocks.steady() if step > 0 else self._since_ms
        log.warning(
            "this computer's clock was set while the server runs; new tables and tournaments go by it",
            now=_time_text(clock.now()),
            before=_time_text(before),
        )
        self._warn()

    async def _note(self) -> None:
        if not self.is_believed():
            return
        now, steady = self._clocks.now(), self._clocks.steady()
        try:
            await self._store.note_clock(now)
        except Exception as error:  # noqa: BLE001 - the store may be away; it is noted later
            log.warning("the time could not be stored", error=error_location(error))
        else:
            self._last_run_ms, self._since_ms = now, steady


def _time_text(at: int) -> str:
    try:
        return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} UTC"
    except (OverflowError, OSError, ValueError):  # a clock may be as wrong as that
        return f"{at} ms"


def _duration_text(milliseconds: int) -> str:
    hours = round(milliseconds / 3_600_000)
    return f"{hours} hours" if hours < 48 else f"{round(hours / 24)} days"
