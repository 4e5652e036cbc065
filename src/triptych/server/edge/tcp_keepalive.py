"""TCP keepalive: the operating system probes the other side's system, which answers without its program."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import Final

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
