"""uvicorn's WebSocket protocol with fast paths for the common frames, and with rate limits.

Texts written in one turn of the event loop are sent together at its end. A whole text frame reaches the application
without the library's parser and without a task. One timer serves the pings of all connections.

An ASGI server may offer extensions in `scope["extensions"]`; here they are `write` and `listen`. Messages go the
standard's way where these are missing, where the network is full, or where the listener returns False. The library
handles all frames other than whole texts and pongs: fragments, close frames and protocol errors.

Each frame, and each piece in which a frame arrives, costs tokens from the connection's bucket. A connection over its
limit, or with a message that stays incomplete, is closed with a code and read no further.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # in C

from triptych.server.edge.direct_socket import CLOSE_SECONDS, LISTEN, RATE_LIMITED, UNFINISHED, WRITE
from triptych.server.edge.framing import (
    CLOSE,
    CONTROL,
    HEARTBEAT,
    LAST,
    MASK,
    MASKED,
    PING,
    PONG,
    SHORT,
    TEXT,
    content_at,
    text_head,
)
from triptych.server.edge.keepalive import PingScheduler, enable_keepalive, shared_scheduler
from triptych.server.edge.rate_limits import FLOODS, AddressLimiter, TokenBucket, piece_cost
from triptych.server.edge.timeouts import TIMEOUT_SLACK_SECONDS
from triptych.server.light_asyncio import LightEvent, LightQueue
from triptych.server.wire.errors import ApiError

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
    from uvicorn.config import Config
    from uvicorn.server import ServerState
    from websockets.http11 import Request

# Frames that a connection may send, per message of the message rate; the burst is what comes in BURST_SECONDS.
# A frame counts once more for each _FRAME_BYTES.
BURST_SECONDS: Final = 10
FRAMES_PER_MESSAGE: Final = 5
_FRAME_BYTES: Final = 1024
# Frames read from one connection before the others have their turn.
FRAMES_PER_TURN: Final = 64
# A refused connection stays open this long so that the client can read why.
LINGER_SECONDS: Final = 1.0
# Reading pauses while more messages than this wait for the application, or after a text larger than this.
_READ_HIGH_WATER: Final = 8
_LARGE_TEXT: Final = 1 << 14
# Factor on the ping interval where TCP keepalive notices dead networks: our pings then only find stalled programs.
_KEEPALIVE_PING_FACTOR: Final = 4
# So many outgoing bytes are sent without waiting for the end of the turn.
_FLUSH_BYTES: Final = 1 << 14


class FastWebSocketProtocol(WebSocketsSansIOProtocol):
    """One WebSocket; `limited_websocket_protocol` returns a subclass with a server's limits."""

    rate: ClassVar[float] = 40.0
    finish_seconds: ClassVar[float] = 10.0
    addresses: ClassVar[AddressLimiter] = AddressLimiter()
    is_proxied: ClassVar[bool] = False

    # uvicorn's attributes too: a connection has no dictionary, which would take 1.6 KB.
    __slots__ = (
        "_bucket",
        "_close_with",
        "_deferred_ping",
        "_idle_timeout",
        "_in_fragments",
        "_incomplete_since",
        "_is_terminated",
        "_on_text",
        "_outgoing",
        "_ping_pending",
        "_ping_scheduler",
        "_read_scheduled",
        "_received_at",
        "_server_state",
        "_unread",
        "app",
        "app_state",
        "asgi_version",
        "client",
        "close_sent",
        "close_timeout",
        "close_timer",
        "config",
        "conn",
        "connections",
        "curr_msg_data_type",
        "default_headers",
        "disconnected",
        "frames",
        "handshake_complete",
        "handshake_initiated",
        "initial_response",
        "last_ping_rtt",
        "logger",
        "loop",
        "pending_ping_payload",
        "ping_interval",
        "ping_sent_at",
        "ping_timeout",
        "ping_timer",
        "pong_timer",
        "queue",
        "read_paused",
        "request",
        "response",
        "root_path",
        "scheme",
        "scope",
        "server",
        "tasks",
        "transport",
        "writable",
    )

    def __init__(self, config: Config, server_state: ServerState, *args: Any, **options: Any) -> None:
        super().__init__(config, server_state, *args, **options)
        self.queue = LightQueue()
        self.writable = LightEvent()
        self.writable.set()
        self._server_state = server_state
        self._ping_scheduler: PingScheduler | None = None
        self._received_at = 0.0
        self._ping_pending = False
        self._idle_timeout = self.ping_interval or 0  # seconds of silence before a ping
        # Bytes received and not read yet; None while the library handles everything.
        self._unread: bytes | bytearray | None = None
        self._in_fragments = False
        # Whether the unread bytes are read in the next turn of the loop.
        self._read_scheduled = False
        # Since when a message is incomplete; 0 while none is.
        self._incomplete_since = 0.0
        self._bucket = TokenBucket(self.rate * FRAMES_PER_MESSAGE, self.rate * BURST_SECONDS, self.loop.time())
        self._is_terminated = False
        # The newest ping that arrived while the network was full; answered when it no longer is.
        self._deferred_ping = b""
        # Frames written in this turn of the loop.
        self._outgoing = b""
        self._on_text: Callable[[str], bool] | None = None
        self._close_with: Callable[[int], None] | None = None  # closes with a code
        self.close_timeout = CLOSE_SECONDS

    def handle_connect(self, event: Request) -> None:
        """Offer the extensions to the application, which begins after this; nothing is read until it accepts."""
        self.transport.pause_reading()
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[WRITE] = self.write
            extensions[LISTEN] = self.set_listener

    def set_listener(self, on_text: Callable[[str], bool], close_with: Callable[[int], None]) -> None:
        """Call `on_text` with texts as they arrive; a text to which it returns False waits until it is received.

        `close_with` has to close the connection with the code that it is given (`RATE_LIMITED`, `UNFINISHED`).
        The listening application has read the handshake's headers: they are freed, a fifth of an idle connection's
        memory.
        """
        self._on_text, self._close_with = on_text, close_with
        if self.handshake_complete:
            self.request.headers.clear()  # the library's parser holds the rest
            self.response.headers.clear()
            self.scope["headers"] = []

    def write(self, text: str) -> bool:
        """Send a text with the others of this turn; False when it has to wait, or the connection is closing."""
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        data = text.encode()
        if not self._outgoing:
            self.loop.call_soon(self._flush)
        self._outgoing += text_head(len(data)) + data
        if len(self._outgoing) >= _FLUSH_BYTES:
            self._flush()
        return True

    def _flush(self) -> None:
        """Send the outgoing frames; called before anything that the library sends."""
        data, self._outgoing = self._outgoing, b""
        if data and not self.close_sent and not self.transport.is_closing():
            self.transport.write(data)

    async def send(self, message: ASGISendEvent) -> None:
        """Send an ASGI message, after the outgoing frames."""
        self._flush()
        await super().send(message)
        if self.close_sent and not self.transport.is_closing():
            if self.close_timer is not None:
                self.close_timer.cancel()
            self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)
            if self._is_terminated:
                self.transport.pause_reading()
                return
            if message.get("code") == RATE_LIMITED:  # closed by the application, which counts messages
                self._charge_address()
            if self._unread:
                self._schedule_read()

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next message, and read the frames that waited until it was received."""
        message = await super().receive()
        if self._unread and not self.read_paused:
            if self._incomplete_since:  # the sender is not charged for the time in which it was not read
                self._incomplete_since = self.loop.time()
            self._schedule_read()
        return message

    def shutdown(self) -> None:
        """Close the connection, after the outgoing frames."""
        self._flush()
        super().shutdown()

    def resume_writing(self) -> None:
        """Answer the newest ping that arrived while the network was full."""
        super().resume_writing()
        ping, self._deferred_ping = self._deferred_ping, b""
        if ping and not self.transport.is_closing():
            self._delegate(ping)

    def connection_lost(self, exc: Exception | None) -> None:
        """Drop the unread bytes."""
        self._unread = None
        super().connection_lost(exc)

    def _delegate(self, data: bytes) -> None:
        self._flush()
        super().data_received(data)
        if self.transport.is_closing():
            # The other side may never read the last frames.
            self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def data_received(self, data: bytes) -> None:
        """Read received bytes; frame by frame after the handshake."""
        now = self._received_at = self.loop.time()
        self._ping_pending = False
        if self._unread is None:
            if not self._is_terminated:
                self._delegate(data)
            return
        if self._unread or self._read_scheduled or self.read_paused:
            rest = self._unread = self._unread if isinstance(self._unread, bytearray) else bytearray(self._unread)
            rest += data
            if self._read_scheduled or self.read_paused:
                return
            if self._is_incomplete(rest):
                if not self._bucket.spend(piece_cost(len(data)), now):
                    self._terminate(RATE_LIMITED)
                return
            data = bytes(rest)
        self._unread = b""
        self._read_frames(data, now)

    def _is_incomplete(self, data: bytearray) -> bool:
        """Return whether the data ends before its first frame does; False for a frame that is an error."""
        if len(data) < 2:
            return True
        start, length = content_at(data, 0)
        return length <= self.config.ws_max_size and bool(data[1] & MASKED) and len(data) < start + length

    def _read_frames(self, data: bytes, now: float) -> None:
        """Handle the whole frames, at most FRAMES_PER_TURN of them in this turn of the loop."""
        at = handled = 0
        while len(data) >= at + 2 and not self.transport.is_closing():
            start, length = content_at(data, at)
            if length > self.config.ws_max_size or not data[at + 1] & MASKED:
                self._unread = None  # a protocol error, which the library answers
                self._delegate(data[at:])
                return
            end = start + length
            if end > len(data):
                break
            if self.read_paused or handled == FRAMES_PER_TURN:
                self._unread = data[at:]
                if not self.read_paused:
                    self._schedule_read()
                return
            if not self._bucket.spend(1 + length / _FRAME_BYTES, now):
                self._terminate(RATE_LIMITED)
                return
            self._handle_frame(data[at:end], start - at)
            if not self._in_fragments:
                self._incomplete_since = 0.0
            handled += 1
            at = end
        self._unread = data[at:]
        if (self._unread or self._in_fragments) and not self._incomplete_since:
            self._incomplete_since = now

    def _schedule_read(self) -> None:
        if not self._read_scheduled:
            self._read_scheduled = True
            self.transport.pause_reading()
            self.loop.call_soon(self._resume_frames)

    def _resume_frames(self) -> None:
        self._read_scheduled = False
        # While reading is paused, the application receives its messages first.
        if self._unread is not None and not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()
            data, self._unread = bytes(self._unread), b""
            self._read_frames(data, self.loop.time())

    def _handle_frame(self, frame: bytes, start: int) -> None:
        """Handle a whole frame, whose content begins at `start`."""
        kind = frame[0]
        if self.close_sent and kind != CLOSE:
            return
        if kind == TEXT and not (self._in_fragments or self.disconnected):
            try:
                text = apply_mask(frame[start:], frame[start - MASK : start]).decode()
            except UnicodeDecodeError:
                self._delegate(frame)
                return
            # Texts that wait in the queue come first.
            if self._on_text is not None and self.queue.empty() and self._on_text(text):
                return
            self.queue.put_nowait({"type": "websocket.receive", "text": text})
            if not self.read_paused and (self.queue.qsize() >= _READ_HIGH_WATER or len(text) > _LARGE_TEXT):
                self.read_paused = True
                self.transport.pause_reading()
            return
        is_short = len(frame) < start + SHORT
        if kind == PING and is_short and not self.writable.is_set():
            self._deferred_ping = frame
        elif kind != PONG or not is_short:
            if not kind & CONTROL:
                self._in_fragments = not kind & LAST
            self._delegate(frame)

    def _terminate(self, code: int) -> None:
        """Close the connection with a code, read no more of it, and charge its address."""
        self._is_terminated = True
        self._unread = None
        self.read_paused = False
        self.transport.pause_reading()
        self._charge_address()
        self.close_timer = self.loop.call_later(LINGER_SECONDS, self.transport.abort)
        if self.close_sent:
            return
        if self._close_with is not None:
            self._close_with(code)
        else:
            self._flush()
            self.conn.fail(code)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code})

    def _charge_address(self) -> None:
        client = self.scope["client"]
        if client is not None:
            with suppress(ApiError):
                self.addresses.acquire(FLOODS, client[0])

    def start_keepalive(self) -> None:
        """Begin to read frame by frame and to send pings; called after the handshake."""
        self._unread = b""
        self.transport.resume_reading()
        # Behind a proxy TCP keepalive only watches the connection to the proxy.
        if enable_keepalive(self.transport) and not self.is_proxied:
            self._idle_timeout *= _KEEPALIVE_PING_FACTOR
        self._ping_scheduler = shared_scheduler(self._server_state, self.loop, self._idle_timeout)
        if self._ping_scheduler is not None:
            self._received_at = self.loop.time()
            self._ping_scheduler.add(self)

    def stop_keepalive(self) -> None:
        """Send no more pings."""
        if self._ping_scheduler is not None:
            self._ping_scheduler.remove(self)

    def on_ping_tick(self, now: float) -> None:
        """Ping a silent connection, and close one that does not answer or leaves a message incomplete."""
        if self._incomplete_since and not self.read_paused and now - self._incomplete_since >= self.finish_seconds:
            # As below: the rest of the message may already be in the socket.
            self.loop.call_later(TIMEOUT_SLACK_SECONDS, self._terminate_unfinished, self._incomplete_since)
        silent, timeout = now - self._received_at, self.ping_timeout
        if silent < self._idle_timeout or self.close_sent or self.transport.is_closing():
            return
        if not self._ping_pending:
            self._ping_pending = True
            self.transport.write(HEARTBEAT)
        elif timeout is not None and silent >= self._idle_timeout + timeout:
            # After a stall the loop runs its timers before it reads: the pong may already be in the socket.
            self.loop.call_later(TIMEOUT_SLACK_SECONDS, self._on_pong_timeout)

    def _terminate_unfinished(self, begun_at: float) -> None:
        if self._incomplete_since == begun_at and not self._is_terminated and not self.transport.is_closing():
            self._terminate(UNFINISHED)

    def _on_pong_timeout(self) -> None:
        if self._ping_pending:
            self.keepalive_timeout()


def limited_websocket_protocol(
    rate: float, finish_seconds: float, addresses: AddressLimiter, *, is_proxied: bool
) -> type[FastWebSocketProtocol]:
    """Return the protocol class with a server's limits; `is_proxied`: most WebSockets come through a proxy.

    `rate`: messages a second in the long run, for each connection; a message has to be complete in `finish_seconds`.
    """
    limits = {"rate": rate, "finish_seconds": finish_seconds, "addresses": addresses, "is_proxied": is_proxied}
    return type("LimitedWebSocketProtocol", (FastWebSocketProtocol,), limits)
