"""uvicorn's HTTP protocol with limits: slow or too many connections do not keep others out.

A body in many small pieces is limited too: each piece costs tokens from the connection's bucket.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar, Final

import h11
from msgspec import UNSET
from uvicorn.protocols.http.h11_impl import H11Protocol

from triptych.server.edge.rate_limits import FLOODS, AddressLimiter, TokenBucket, piece_cost
from triptych.server.edge.timeouts import TIMEOUT_SLACK_SECONDS, RequestTimeouts
from triptych.server.wire.bodies import error_body
from triptych.server.wire.errors import ApiError
from triptych.server.wire.messages import LimitHit, WireError

MAX_PER_ADDRESS: Final = 128
RESERVED_FILES: Final = 64  # for the database, the pipes of bots and workers, the log
MIN_CONNECTIONS: Final = 16
RETRY_SECONDS: Final = 5
_MAX_FILES: Final = 65_536
_FLUSH_SECONDS: Final = 10.0
# Small pieces of bodies on one connection: the burst, and the rate. The first piece of a body is free.
PIECES: Final = 400
PIECES_PER_SECOND: Final = 200
# Bytes of a body that may still arrive, and are dropped unread, after its request was answered.
_MAX_DROPPED_BYTES: Final = 1 << 22
# A connection that is closed for sending too much stays open this long so that the client can read why.
_LINGER_SECONDS: Final = 1.0


class TooManyPiecesError(Exception):
    """A body comes in more small pieces than a connection may send."""


class _PieceCounter(h11.Connection):
    """h11's state of a connection, which counts the pieces of bodies."""

    def __init__(self, max_incomplete_event_size: int, clock: Callable[[], float]) -> None:
        super().__init__(h11.SERVER, max_incomplete_event_size)
        self._clock = clock
        self._bucket = TokenBucket(PIECES_PER_SECOND, PIECES, clock())
        self._is_first = True

    def next_event(self) -> Any:  # noqa: ANN401 - h11's events
        """Return the next event. Raises TooManyPiecesError."""
        event = super().next_event()
        if type(event) is h11.Data:
            cost = 0.0 if self._is_first else piece_cost(len(event.data))
            self._is_first = False
            if cost and not self._bucket.spend(cost, self._clock()):
                raise TooManyPiecesError
        elif type(event) is h11.Request:
            self._is_first = True
        return event


class LimitedHttpProtocol(H11Protocol):
    """uvicorn's HTTP connection, with limits of time and number; see `limited_http_protocol`."""

    max_connections: ClassVar[int]
    timeouts: ClassVar[RequestTimeouts]
    addresses: ClassVar[AddressLimiter]
    trusted: ClassVar[str]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.conn = _PieceCounter(self.conn._max_incomplete_event_size, self.loop.time)  # noqa: SLF001 - what uvicorn chose
        self._timer: asyncio.TimerHandle | None = None
        self._awaited_state: object = None
        self._counted_address = ""
        self._is_released = False
        self._dropped_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Accept a connection, or reject it with an error."""
        super().connection_made(transport)
        address = self.client[0] if self.client is not None else ""
        if len(self.connections) > self.max_connections:
            self._reject("503 Service Unavailable", "server.full", "the server is full; come back in a moment")
            return
        if address != self.trusted:
            self._counted_address = address
            if not self.addresses.connection_opened(address, MAX_PER_ADDRESS):
                self._reject(
                    "429 Too Many Requests",
                    "address.too_many",
                    "Too many connections from this address are open.",
                    LimitHit("connections", RETRY_SECONDS),
                )
                return
        self._arm_timeout()

    def data_received(self, data: bytes) -> None:
        """Read received bytes, and set the timeout for those still to come."""
        if self._is_released:
            return
        if self.conn.our_state is h11.DONE and self.conn.their_state is h11.SEND_BODY:
            self._dropped_bytes += len(data)
            if self._dropped_bytes > _MAX_DROPPED_BYTES:
                self._release()
                self._abort_soon()
                return
        super().data_received(data)
        self._arm_timeout()

    def handle_events(self) -> None:
        """Handle the received events, unless they come in too many pieces."""
        try:
            super().handle_events()
        except TooManyPiecesError:
            self._reject_pieces()

    def on_response_complete(self) -> None:
        """Set the timeout for the next request."""
        super().on_response_complete()
        self._dropped_bytes = 0
        self._arm_timeout()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to the WebSocket protocol, which counts it from now on."""
        self._release()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection."""
        self._release()
        super().connection_lost(exc)

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, unless a request is in its socket unread."""
        self.timeout_keep_alive_task = self.loop.call_later(TIMEOUT_SLACK_SECONDS, self._close_idle)

    def _close_idle(self) -> None:
        """Close the connection, by an abort if the other side does not read."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(_FLUSH_SECONDS, self.transport.abort)

    def _release(self) -> None:
        """Read no further, and count the connection no more."""
        self._is_released = True
        self._cancel_timeout()
        address, self._counted_address = self._counted_address, ""
        self.addresses.connection_closed(address)

    def _cancel_timeout(self) -> None:
        self._awaited_state = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm_timeout(self) -> None:
        """Set the timeout for the head of a request or for its body; none while the server answers."""
        if self._is_released:
            return
        state = self.conn.their_state
        # Between two requests uvicorn's own timeout of an idle connection runs.
        is_idle = self.timeout_keep_alive_task is not None
        awaited_state = None if is_idle or state not in (h11.IDLE, h11.SEND_BODY) else state
        if awaited_state is self._awaited_state:
            return
        self._cancel_timeout()
        if awaited_state is not None:
            self._awaited_state = awaited_state
            seconds = self.timeouts.head if awaited_state is h11.IDLE else self.timeouts.body
            self._timer = self.loop.call_later(seconds, self._on_time_up)

    def _on_time_up(self) -> None:
        self._timer = self.loop.call_later(TIMEOUT_SLACK_SECONDS, self._on_timeout)

    def _on_timeout(self) -> None:
        if self._awaited_state is h11.IDLE:
            self._reject("408 Request Timeout", "request.slow", "the request did not come in time")
        else:
            self._release()
            self.transport.abort()

    def _reject_pieces(self) -> None:
        """Answer that a body came in too many pieces, close the connection and charge its address."""
        address = self.scope["client"][0] if self.scope["client"] is not None else ""
        if address != self.trusted:
            with suppress(ApiError):
                self.addresses.acquire(FLOODS, address)
        if self.cycle.response_started:
            self._release()
        else:
            limit = LimitHit("pieces", PIECES // PIECES_PER_SECOND)
            message = "the body came in too many small pieces"
            self._write_error("429 Too Many Requests", "request.pieces", message, limit)
        self.cycle.disconnected = True
        self.cycle.message_event.set()
        self._abort_soon()

    def _abort_soon(self) -> None:
        """Read no more, and close the connection once the client has had time to read the answer."""
        self.flow.pause_reading()
        self.loop.call_later(_LINGER_SECONDS, self.transport.abort)

    def _reject(self, status: str, code: str, message: str, limit: LimitHit | None = None) -> None:
        self._write_error(status, code, message, limit)
        self.transport.close()
        self.loop.call_later(_FLUSH_SECONDS, self.transport.abort)

    def _write_error(self, status: str, code: str, message: str, limit: LimitHit | None = None) -> None:
        self._release()
        body = error_body(WireError(code, message, limit=limit or UNSET))
        limit_header = "" if limit is None else f'RateLimit: "{limit.key}";r=0;t={limit.seconds}\r\n'
        head = (
            f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            f"Retry-After: {RETRY_SECONDS}\r\n{limit_header}Connection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)


def limited_http_protocol(
    addresses: AddressLimiter, timeouts: RequestTimeouts, max_connections: int | None = None, trusted: str = ""
) -> type[LimitedHttpProtocol]:
    """Return the protocol class with a server's limits; `max_connections`: None for as many as its files allow.

    `trusted` is the address of a proxy, which connects for many people and is not limited.
    """
    limits = {
        "max_connections": max_connections or max_open_connections(),
        "timeouts": timeouts,
        "addresses": addresses,
        "trusted": trusted,
    }
    return type("ServerHttpProtocol", (LimitedHttpProtocol,), limits)


def max_open_connections() -> int:
    """Return how many connections this process may have open, after raising its file limit as far as allowed."""
    if sys.platform == "win32":
        return _MAX_FILES
    import resource  # noqa: PLC0415 - not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = _MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, _MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < target:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))
            soft = target
        except (OSError, ValueError):  # macOS allows less than it says
            pass
    files = _MAX_FILES if soft == resource.RLIM_INFINITY else soft
    return max(MIN_CONNECTIONS, files - RESERVED_FILES)
