"""One timer for the heartbeats of all connections of a server: each would be two timers and a frame built anew."""

from __future__ import annotations

import asyncio
from typing import Any, Final, Protocol

# Looked at so often while it may stay silent; a few connections at a time, so that nobody waits for all of them.
TICKS_PER_INTERVAL: Final = 4
_GROUPS: Final = 8


class PingTarget(Protocol):
    """A connection with a heartbeat."""

    def on_ping_tick(self, now: float) -> None:
        """Do what is due at a time of the loop's clock: ask whether somebody is there, or give up."""


class PingScheduler:
    """Lets each of its lines beat `LOOKS` times in `interval` seconds, for as long as it has any."""

    def __init__(self, loop: asyncio.AbstractEventLoop, interval: float) -> None:
        self._loop = loop
        self._every = interval / TICKS_PER_INTERVAL / _GROUPS
        self._groups: tuple[dict[PingTarget, None], ...] = tuple({} for _ in range(_GROUPS))
        self._next = 0
        self._timer: asyncio.TimerHandle | None = None

    def add(self, line: PingTarget) -> None:
        """Take a line in."""
        min(self._groups, key=len)[line] = None
        if self._timer is None:
            self._timer = self._loop.call_later(self._every, self._tick)

    def remove(self, line: PingTarget) -> None:
        """Let a line go, if it is here."""
        for group in self._groups:
            group.pop(line, None)

    def _tick(self) -> None:
        self._timer = None
        if not any(self._groups):
            return
        self._timer = self._loop.call_later(self._every, self._tick)
        now = self._loop.time()
        for line in tuple(self._groups[self._next]):
            line.on_ping_tick(now)
        self._next = (self._next + 1) % _GROUPS


def shared_scheduler(server_state: Any, loop: asyncio.AbstractEventLoop, interval: float) -> PingScheduler | None:  # noqa: ANN401 - uvicorn's
    """Return the heart of a server for an interval, by what its connections share; None where nothing beats."""
    if interval <= 0:
        return None
    hearts: dict[float, PingScheduler] = vars(server_state).setdefault("hearts", {})
    if interval not in hearts:
        hearts[interval] = PingScheduler(loop, interval)
    return hearts[interval]
