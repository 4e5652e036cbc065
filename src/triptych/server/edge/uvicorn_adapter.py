"""The protocols that uvicorn is run with: this server's own where they fit its version, else uvicorn's.

Both of this server's are subclasses of uvicorn's and use names that are not part of its API. With another version
everything works all the same: messages take longer, and floods of frames and pieces are not limited.
"""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

import structlog
import uvicorn

from triptych.server.edge.rate_limits import AddressLimiter
from triptych.server.edge.timeouts import RequestTimeouts

log = structlog.get_logger()
# The first version that the protocols are tested with, and the first later one that they are not.
FITTING_VERSIONS: Final = ((0, 49), (0, 55))


class UvicornProtocols(NamedTuple):
    """Classes, or the names by which uvicorn knows its own."""

    http: type[asyncio.Protocol] | str
    websocket: type[asyncio.Protocol] | str


UVICORNS_OWN: Final = UvicornProtocols("h11", "websockets-sansio")


def fits(version: str) -> bool:
    """Return whether the protocols are tested with a version of uvicorn."""
    first, end = FITTING_VERSIONS
    major, minor = (int(part) for part in version.split(".")[:2])
    return first <= (major, minor) < end


def uvicorn_protocols(
    addresses: AddressLimiter,
    timeouts: RequestTimeouts,
    *,
    max_connections: int | None,
    trusted: str,
    rate: float,
    version: str = uvicorn.__version__,
) -> UvicornProtocols:
    """Return the protocols for a version of uvicorn.

    `max_connections`: None for as many as the process may have files open. `trusted`: the address of a proxy, through
    which most WebSockets then come. `rate`: messages a second in the long run.
    """
    if not fits(version):
        log.warning("not tested with this uvicorn: slower, and with fewer limits", uvicorn=version)
        return UVICORNS_OWN
    from triptych.server.edge.http_protocol import limited_http_protocol  # noqa: PLC0415 - only where they fit
    from triptych.server.edge.websocket_protocol import limited_websocket_protocol  # noqa: PLC0415 - as above

    return UvicornProtocols(
        limited_http_protocol(addresses, timeouts, max_connections, trusted),
        limited_websocket_protocol(rate, timeouts.head, addresses, is_proxied=bool(trusted)),
    )
