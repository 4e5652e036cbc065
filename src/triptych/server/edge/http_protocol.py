"""The house's door: who is slow to say what they want, or comes when the house is full, does not keep others out.

Nor who sends a body in small pieces: each is paid for from a bucket of the connection.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar, Final

import h11
import msgspec
from msgspec import UNSET
from uvicorn.protocols.http.h11_impl import H11Protocol

from triptych.i18n.messages import plain_text
from triptych.server.edge.rate_limits import FLOODS, AddressLimiter, TokenBucket, piece_cost
from triptych.server.edge.timeouts import TIMEOUT_SLACK_SECONDS, RequestTimeouts
from triptych.server.wire.bodies import ErrorBody
from triptych.server.wire.errors import ApiError
from triptych.server.wire.messages import LimitHit, WireError

MAX_FROM_AN_ADDRESS: Final = 128
RESERVED_FILES: Final = 64  # the database's, the bots' and the workers' pipes, the log
MIN_CONNECTIONS: Final = 16
RETRY_SECONDS: Final = 5
_MAX_FILES: Final = 65_536
_FLUSH_SECONDS: Final = 10.0
# Small pieces of bodies on one connection: so many at once, and so many a second for long. A body's first is free.
PIECES: Final = 400
PIECES_A_SECOND: Final = 200
# Of a body that goes on when the answer is given so many bytes are dropped unread.
_DROPPED_BYTES: Final = 1 << 22
# Who is hung up on for too much has so long to hear why.
_PART_SECONDS: Final = 1.0


class TooManyPiecesError(Exception):
    """A body comes in more small pieces than a connection may send."""


class _Pieces(h11.Connection):
    """h11's side of a connection, which counts the pieces of bodies."""

    def __init__(self, max_incomplete_event_size: int, clock: Callable[[], float]) -> None:
        super().__init__(h11.SERVER, max_incomplete_event_size)
        self._clock = clock
        self._bucket = TokenBucket(PIECES_A_SECOND, PIECES, clock())
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
    """uvicorn's HTTP connection, with limits of time and number; see `door`."""

    most: ClassVar[int]
    patience: ClassVar[RequestTimeouts]
    addresses: ClassVar[AddressLimiter]
    trusted: ClassVar[str]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.conn = _Pieces(self.conn._max_incomplete_event_size, self.loop.time)  # noqa: SLF001 - what uvicorn chose
        self._timer: asyncio.TimerHandle | None = None
        self._awaited: object = None
        self._counted = ""
        self._shut = False
        self._dropped = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Let a connection in, or say why not."""
        super().connection_made(transport)
        address = self.client[0] if self.client is not None else ""
        if len(self.connections) > self.most:
            self._reject("503 Service Unavailable", "server.full", "the server is full; come back in a moment")
            return
        if address != self.trusted:
            self._counted = address
            if not self.addresses.connection_opened(address, MAX_FROM_AN_ADDRESS):
                self._reject(
                    "429 Too Many Requests",
                    "address.too_many",
                    "Too many connections from this address are open.",
                    LimitHit("connections", RETRY_SECONDS),
                )
                return
        self._arm_timeout()

    def data_received(self, data: bytes) -> None:
        """Take what comes in, and see what is still to come."""
        if self._shut:
            return
        if self.conn.our_state is h11.DONE and self.conn.their_state is h11.SEND_BODY:
            self._dropped += len(data)
            if self._dropped > _DROPPED_BYTES:
                self._leave()
                self._abort_soon()
                return
        super().data_received(data)
        self._arm_timeout()

    def handle_events(self) -> None:
        """Read what has come, unless it comes in too many pieces."""
        try:
            super().handle_events()
        except TooManyPiecesError:
            self._part()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._dropped = 0
        self._arm_timeout()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over: it is counted as a guest's from now on."""
        self._leave()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._leave()
        super().connection_lost(exc)

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, unless a request lies unread."""
        self.timeout_keep_alive_task = self.loop.call_later(TIMEOUT_SLACK_SECONDS, self._close_idle)

    def _close_idle(self) -> None:
        """Close also when the other side does not take what it was sent."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(_FLUSH_SECONDS, self.transport.abort)

    def _leave(self) -> None:
        self._shut = True
        self._unset()
        counted, self._counted = self._counted, ""
        self.addresses.connection_closed(counted)

    def _unset(self) -> None:
        self._awaited = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm_timeout(self) -> None:
        """Set the time for what is to come now: the head of a request or its body; none while the server answers."""
        if self._shut:
            return
        state = self.conn.their_state
        # Between two requests uvicorn's own time for an idle connection runs.
        between = self.timeout_keep_alive_task is not None
        awaited = None if between or state not in (h11.IDLE, h11.SEND_BODY) else state
        if awaited is self._awaited:
            return
        self._unset()
        if awaited is not None:
            self._awaited = awaited
            wait = self.patience.head if awaited is h11.IDLE else self.patience.body
            self._timer = self.loop.call_later(wait, self._too_slow)

    def _too_slow(self) -> None:
        self._timer = self.loop.call_later(TIMEOUT_SLACK_SECONDS, self._on_timeout)

    def _on_timeout(self) -> None:
        if self._awaited is h11.IDLE:
            self._reject("408 Request Timeout", "request.slow", "the request did not come in time")
        else:
            self._leave()
            self.transport.abort()

    def _part(self) -> None:
        """Say that a body came in too many pieces, and hang up; its address pays."""
        address = self.scope["client"][0] if self.scope["client"] is not None else ""
        if address != self.trusted:
            with suppress(ApiError):
                self.addresses.acquire(FLOODS, address)
        if self.cycle.response_started:
            self._leave()
        else:
            limit = LimitHit("pieces", PIECES // PIECES_A_SECOND)
            message = "the body came in too many small pieces"
            self._say("429 Too Many Requests", "request.pieces", message, limit)
        self.cycle.disconnected = True
        self.cycle.message_event.set()
        self._abort_soon()

    def _abort_soon(self) -> None:
        """Read nothing more, and hang up when what was said may be heard."""
        self.flow.pause_reading()
        self.loop.call_later(_PART_SECONDS, self.transport.abort)

    def _reject(self, status: str, code: str, message: str, limit: LimitHit | None = None) -> None:
        self._say(status, code, message, limit)
        self.transport.close()
        self.loop.call_later(_FLUSH_SECONDS, self.transport.abort)

    def _say(self, status: str, code: str, message: str, limit: LimitHit | None = None) -> None:
        self._leave()
        body = msgspec.json.encode(ErrorBody(WireError(code, message, limit=limit or UNSET)), enc_hook=plain_text)
        limit_header = "" if limit is None else f'RateLimit: "{limit.key}";r=0;t={limit.seconds}\r\n'
        head = (
            f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            f"Retry-After: {RETRY_SECONDS}\r\n{limit_header}Connection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)


def limited_protocol(
    addresses: AddressLimiter, patience: RequestTimeouts, most: int | None = None, trusted: str = ""
) -> type[LimitedHttpProtocol]:
    """Return the connections of a house: at most `most` at once, unless told otherwise as its file limit allows.

    `trusted` is the address of a proxy: what comes from there is many people's.
    """
    limits = {"most": most or most_connections(), "patience": patience, "addresses": addresses, "trusted": trusted}
    return type("HouseDoor", (LimitedHttpProtocol,), limits)


def most_connections() -> int:
    """Return how many connections this process may have open; raises its own limit to what the system allows."""
    if sys.platform == "win32":
        return _MAX_FILES
    import resource  # noqa: PLC0415 - not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, _MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError):  # macOS allows less than it says
            pass
    files = _MAX_FILES if soft == resource.RLIM_INFINITY else soft
    return max(MIN_CONNECTIONS, files - RESERVED_FILES)
