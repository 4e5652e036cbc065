"""The protocols that uvicorn is run with: this server's own where they fit its version, else uvicorn's.

Both of this server's are made from uvicorn's classes and use names that uvicorn does not promise. With another
version everything works all the same: messages take longer, and floods of frames and pieces are not held back.
"""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

import structlog
import uvicorn

from triptych.server.edge.rate_limits import AddressLimiter
from triptych.server.edge.timeouts import RequestTimeouts

log = structlog.get_logger()
# The first version that the protocols are tested with, and the first one that they are not.
FITTING_VERSIONS: Final = ((0, 49), (0, 55))


class UvicornProtocols(NamedTuple):
    """Classes, or the names by which uvicorn knows its own."""

    http: type[asyncio.Protocol] | str
    websocket: type[asyncio.Protocol] | str


UVICORNS_OWN: Final = UvicornProtocols("h11", "websockets-sansio")


def fits(version: str) -> bool:
    """Return whether the protocols are made for a version of uvicorn."""
    first, end = FITTING_VERSIONS
    major, minor = (int(part) for part in version.split(".")[:2])
    return first <= (major, minor) < end


def uvicorn_protocols(
    addresses: AddressLimiter,
    patience: RequestTimeouts,
    *,
    max_connections: int | None,
    trusted: str,
    rate: float,
    version: str = uvicorn.__version__,
) -> UvicornProtocols:
    """Return the protocols for a version of uvicorn.

    `max_connections`: None for as many as the process may have files open. `trusted`: the address of a proxy, which
    then stands between this server and most of its WebSockets. `rate`: messages a second for long.
    """
    if not fits(version):
        log.warning("not tested with this uvicorn: slower, and with fewer limits", uvicorn=version)
        return UVICORNS_OWN
    # They are loaded only where they fit.
    from triptych.server.edge.http_protocol import limited_protocol  # noqa: PLC0415 - as said
    from triptych.server.edge.websocket_protocol import frames  # noqa: PLC0415 - as said

    return UvicornProtocols(
        limited_protocol(addresses, patience, max_connections, trusted),
        frames(rate, patience.head, addresses, is_proxied=bool(trusted)),
    )
