"""The system's own heartbeat of a connection: it asks the other side's system, which answers without its program."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import Final

# It asks after so many seconds of silence, so often, so many times, and gives up what is unacknowledged for so long.
_SILENT: Final = 2
_AGAIN: Final = 2
_TIMES: Final = 3
_UNHEARD_MS: Final = 7_500
_OPTIONS: Final = {"TCP_KEEPIDLE": _SILENT, "TCP_KEEPALIVE": _SILENT, "TCP_KEEPINTVL": _AGAIN, "TCP_KEEPCNT": _TIMES}
_FOUND: Final = {getattr(socket, name): value for name, value in _OPTIONS.items() if hasattr(socket, name)}
# How long it may be silent, how often it is asked, how many times: all of them, or the system's own hours count.
_NEEDED: Final = 3


def enable_keepalive(transport: asyncio.BaseTransport) -> bool:
    """Let the system end a connection whose network is dead, within eight seconds; False where it cannot."""
    line = transport.get_extra_info("socket")
    if line is None or line.family not in (socket.AF_INET, socket.AF_INET6) or len(_FOUND) < _NEEDED:
        return False
    try:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in _FOUND.items():
            line.setsockopt(socket.IPPROTO_TCP, option, value)
    except OSError:
        return False
    with suppress(AttributeError, OSError):  # Linux alone has it; elsewhere what was sent is given up later
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNHEARD_MS)
    return True
