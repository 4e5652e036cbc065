"""How dead connections are noticed: by TCP keepalive where the system has it, and by pings.

The operating system probes the other side's system, which answers without its program. One timer serves the pings of
all connections of a server: uvicorn has two timers and a new frame for each.
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import Any, Final, Protocol

# Seconds of silence before the first probe, seconds between probes, number of probes; how long data may stay
# unacknowledged.
_IDLE_SECONDS: Final = 2
_INTERVAL_SECONDS: Final = 2
_PROBES: Final = 3
_UNACKNOWLEDGED_MS: Final = 7_500
_OPTIONS: Final = {
    "TCP_KEEPIDLE": _IDLE_SECONDS,
    "TCP_KEEPALIVE": _IDLE_SECONDS,
    "TCP_KEEPINTVL": _INTERVAL_SECONDS,
    "TCP_KEEPCNT": _PROBES,
}
_AVAILABLE: Final = {getattr(socket, name): value for name, value in _OPTIONS.items() if hasattr(socket, name)}
# Idle time, interval and number: where the system lacks one, its default of hours would count.
_MIN_OPTIONS: Final = 3
# Each connection is checked so many times in an interval; in groups, so that no tick has to visit all of them.
TICKS_PER_INTERVAL: Final = 4
_GROUPS: Final = 8


class PingTarget(Protocol):
    """A connection that is pinged."""

    def on_ping_tick(self, now: float) -> None:
        """Send a ping or close the connection, as is due at `now` of the loop's clock."""


class PingScheduler:
    """Calls each target TICKS_PER_INTERVAL times in `interval` seconds; its timer runs while there are targets."""

    def __init__(self, loop: asyncio.AbstractEventLoop, interval: float) -> None:
        self._loop = loop
        self._every = interval / TICKS_PER_INTERVAL / _GROUPS
        self._groups: tuple[dict[PingTarget, None], ...] = tuple({} for _ in range(_GROUPS))
        self._next = 0
        self._timer: asyncio.TimerHandle | None = None

    def add(self, target: PingTarget) -> None:
        """Add a target."""
        min(self._groups, key=len)[target] = None
        if self._timer is None:
            self._timer = self._loop.call_later(self._every, self._tick)

    def remove(self, target: PingTarget) -> None:
        """Remove a target, if it is here."""
        for group in self._groups:
            group.pop(target, None)

    def _tick(self) -> None:
        self._timer = None
        if not any(self._groups):
            return
        self._timer = self._loop.call_later(self._every, self._tick)
        now = self._loop.time()
        for target in tuple(self._groups[self._next]):
            target.on_ping_tick(now)
        self._next = (self._next + 1) % _GROUPS


def shared_scheduler(server_state: Any, loop: asyncio.AbstractEventLoop, interval: float) -> PingScheduler | None:  # noqa: ANN401 - uvicorn's
    """Return the scheduler that a server's connections share, one for each interval; None without an interval."""
    if interval <= 0:
        return None
    schedulers: dict[float, PingScheduler] = vars(server_state).setdefault("ping_schedulers", {})
    if interval not in schedulers:
        schedulers[interval] = PingScheduler(loop, interval)
    return schedulers[interval]


def enable_keepalive(transport: asyncio.BaseTransport) -> bool:
    """Let the system close a connection whose network is dead, within eight seconds; False where it cannot."""
    sock = transport.get_extra_info("socket")
    if sock is None or sock.family not in (socket.AF_INET, socket.AF_INET6) or len(_AVAILABLE) < _MIN_OPTIONS:
        return False
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in _AVAILABLE.items():
            sock.setsockopt(socket.IPPROTO_TCP, option, value)
    except OSError:
        return False
    with suppress(AttributeError, OSError):  # only Linux has it; elsewhere unacknowledged data is given up later
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNACKNOWLEDGED_MS)
    return True
