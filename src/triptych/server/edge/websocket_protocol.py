"""uvicorn's WebSocket with short ways for what comes and goes all the time.

What is written in one turn of the loop goes to the network together at its end, a whole text frame to the application
without the library's parser and without a task, and one timer serves the heartbeats of all.

An ASGI server may offer more than the standard has in `scope["extensions"]`; here it is `write` and `listen`. Where
they are missing, the network is full, or the listener wants it so, messages go the standard's way. Whatever is no
whole text frame and no answer to a heartbeat is the library's: fragments, closing, and everything that is wrong.

Each frame, and each piece in which one comes, is paid for from a bucket of the connection. Who has spent it, or does
not finish what was begun, is parted from with a code, and is not read any more.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # the quickest one that there is

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
from triptych.server.edge.ping_scheduler import PingScheduler, shared_scheduler
from triptych.server.edge.rate_limits import FLOODS, AddressLimiter, TokenBucket, piece_cost
from triptych.server.edge.tcp_keepalive import enable_keepalive
from triptych.server.edge.timeouts import TIMEOUT_SLACK_SECONDS
from triptych.server.light_asyncio import LightEvent, LightQueue
from triptych.server.wire.errors import ApiError

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
    from uvicorn.config import Config
    from uvicorn.server import ServerState
    from websockets.http11 import Request

# How many frames a connection may send: so many at once, and so many a second for long, times the rate of messages.
# A frame counts once more for each of so many bytes.
BURST_SECONDS: Final = 10
FRAMES_A_MESSAGE: Final = 5
_FRAME_BYTES: Final = 1024
# Of one connection so many frames are read before the others have their turn.
FRAMES_A_TURN: Final = 64
# A refused connection stays open this long so that the client can read why.
PART_SECONDS: Final = 1.0
# Who says more than this before it is listened to, or so large a text, is not read for a moment.
_READ_HIGH_WATER: Final = 8
_LARGE_TEXT: Final = 1 << 14
# Where the system asks, the house asks so many times as rarely: that tells programs that stand still.
_KEEPALIVE_PING_FACTOR: Final = 4
# So many bytes do not wait for the end of the turn.
_FLUSH_BYTES: Final = 1 << 14


class FastWebSocketProtocol(WebSocketsSansIOProtocol):
    """One WebSocket of the house; see `frames`."""

    rate: ClassVar[float] = 40.0
    finish_seconds: ClassVar[float] = 10.0
    addresses: ClassVar[AddressLimiter] = AddressLimiter()
    is_proxied: ClassVar[bool] = False

    # uvicorn's own too, as far as it has them: so many make a dictionary of 1.6 KB.
    __slots__ = (
        "_asked",
        "_begun_at",
        "_bucket",
        "_fragments",
        "_hear",
        "_heard_at",
        "_heart",
        "_house",
        "_part",
        "_parted",
        "_patience",
        "_ping",
        "_rest",
        "_waits",
        "_written",
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
        self._heart: PingScheduler | None = None
        self._heard_at = 0.0
        self._ping_pending = False
        self._idle_timeout = self.ping_interval or 0  # with silence
        # What has come and is not read yet; None while everything is the library's.
        self._rest: bytes | bytearray | None = None
        self._fragments = False
        # Whether the rest is read on in the next turn of the loop.
        self._waits = False
        # Since when a message is not whole; 0 while none is begun.
        self._begun_at = 0.0
        self._bucket = TokenBucket(self.rate * FRAMES_A_MESSAGE, self.rate * BURST_SECONDS, self.loop.time())
        self._parted = False
        # A ping that came while the network was full: the newest is answered when it is not.
        self._ping = b""
        # What was written in this turn of the loop.
        self._written = b""
        self._on_text: Callable[[str], bool] | None = None
        self._part: Callable[[int], None] | None = None
        self.close_timeout = CLOSE_SECONDS

    def handle_connect(self, event: Request) -> None:
        """Offer the way out to the application, which begins after this; nothing is read until it accepts."""
        self.transport.pause_reading()
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[WRITE] = self.write
            extensions[LISTEN] = self.set_listener

    def set_listener(self, hear: Callable[[str], bool], part: Callable[[int], None]) -> None:
        """Let the application hear texts as they come; what it answers False to waits until it receives.

        `part` has to close the connection with the code that it is given (`RATE_LIMITED`, `UNFINISHED`).
        Who listens knows whom it serves: what was said when hands were shaken is kept no longer, a fifth of all that
        a silent connection takes.
        """
        self._on_text, self._part = hear, part
        if self.handshake_complete:
            self.request.headers.clear()  # the library's parser holds the rest
            self.response.headers.clear()
            self.scope["headers"] = []

    def write(self, text: str) -> bool:
        """Send a text with the others of this turn; False when it has to wait, or nobody is there any more."""
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        data = text.encode()
        if not self._written:
            self.loop.call_soon(self._flush)
        self._written += text_head(len(data)) + data
        if len(self._written) >= _FLUSH_BYTES:
            self._flush()
        return True

    def _flush(self) -> None:
        """Send what was written; before anything that the library sends."""
        data, self._written = self._written, b""
        if data and not self.close_sent and not self.transport.is_closing():
            self.transport.write(data)

    async def send(self, message: ASGISendEvent) -> None:
        """Send what the standard has, behind what was written."""
        self._flush()
        await super().send(message)
        if self.close_sent and not self.transport.is_closing():
            if self.close_timer is not None:
                self.close_timer.cancel()
            self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)
            if self._parted:
                self.transport.pause_reading()
                return
            if message.get("code") == RATE_LIMITED:  # of messages, as the application counts them
                self._charge()
            if self._rest:
                self._read_on_later()

    async def receive(self) -> ASGIReceiveEvent:
        """Return what comes next, and read on what had to wait for that."""
        message = await super().receive()
        if self._rest and not self.read_paused:
            if self._begun_at:  # that it was not read is not its sender's fault
                self._begun_at = self.loop.time()
            self._read_on_later()
        return message

    def shutdown(self) -> None:
        """Say goodbye, behind what was written."""
        self._flush()
        super().shutdown()

    def resume_writing(self) -> None:
        """Answer the newest ping of those that came while the network was full."""
        super().resume_writing()
        ping, self._ping = self._ping, b""
        if ping and not self.transport.is_closing():
            self._delegate(ping)

    def connection_lost(self, exc: Exception | None) -> None:
        """Drop what was not read."""
        self._rest = None
        super().connection_lost(exc)

    def _delegate(self, data: bytes) -> None:
        self._flush()
        super().data_received(data)
        if self.transport.is_closing():
            # What it said last may never be taken.
            self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def data_received(self, data: bytes) -> None:
        """Take what comes; frame by frame once hands are shaken."""
        now = self._heard_at = self.loop.time()
        self._ping_pending = False
        if self._rest is None:
            if not self._parted:
                self._delegate(data)
            return
        if self._rest or self._waits or self.read_paused:
            rest = self._rest = self._rest if isinstance(self._rest, bytearray) else bytearray(self._rest)
            rest += data
            if self._waits or self.read_paused:
                return
            if self._is_begun(rest):
                if not self._bucket.spend(piece_cost(len(data)), now):
                    self._part_from(RATE_LIMITED)
                return
            data = bytes(rest)
        self._rest = b""
        self._read_on(data, now)

    def _is_begun(self, data: bytearray) -> bool:
        """Return whether the rest of a frame has to come yet."""
        if len(data) < 2:
            return True
        start, length = content_at(data, 0)
        return length <= self.config.ws_max_size and bool(data[1] & MASKED) and len(data) < start + length

    def _read_on(self, data: bytes, now: float) -> None:
        """Take the whole frames, some of them in this turn of the loop."""
        at = taken = 0
        while len(data) >= at + 2 and not self.transport.is_closing():
            start, length = content_at(data, at)
            if length > self.config.ws_max_size or not data[at + 1] & MASKED:
                self._rest = None  # it is wrong, as the library will say
                self._delegate(data[at:])
                return
            end = start + length
            if end > len(data):
                break
            if self.read_paused or taken == FRAMES_A_TURN:
                self._rest = data[at:]
                if not self.read_paused:
                    self._read_on_later()
                return
            if not self._bucket.spend(1 + length / _FRAME_BYTES, now):
                self._part_from(RATE_LIMITED)
                return
            self._take(data[at:end], start - at)
            if not self._fragments:
                self._begun_at = 0.0
            taken += 1
            at = end
        self._rest = data[at:]
        if (self._rest or self._fragments) and not self._begun_at:
            self._begun_at = now

    def _read_on_later(self) -> None:
        if not self._waits:
            self._waits = True
            self.transport.pause_reading()
            self.loop.call_soon(self._read_rest)

    def _read_rest(self) -> None:
        self._waits = False
        # Where the application still has enough, it receives before this goes on.
        if self._rest is not None and not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()
            data, self._rest = bytes(self._rest), b""
            self._read_on(data, self.loop.time())

    def _take(self, frame: bytes, start: int) -> None:
        """Take a whole frame, whose content begins at `start`."""
        kind = frame[0]
        if self.close_sent and kind != CLOSE:
            return
        if kind == TEXT and not (self._fragments or self.disconnected):
            try:
                text = apply_mask(frame[start:], frame[start - MASK : start]).decode()
            except UnicodeDecodeError:
                self._delegate(frame)
                return
            # What was said before comes first.
            if self._on_text is not None and self.queue.empty() and self._on_text(text):
                return
            self.queue.put_nowait({"type": "websocket.receive", "text": text})
            if not self.read_paused and (self.queue.qsize() >= _READ_HIGH_WATER or len(text) > _LARGE_TEXT):
                self.read_paused = True
                self.transport.pause_reading()
            return
        is_short = len(frame) < start + SHORT
        if kind == PING and is_short and not self.writable.is_set():
            self._ping = frame
        elif kind != PONG or not is_short:
            if not kind & CONTROL:
                self._fragments = not kind & LAST
            self._delegate(frame)

    def _part_from(self, code: int) -> None:
        """End the connection with a code, and read nothing more of it; its address pays."""
        self._parted = True
        self._rest = None
        self.read_paused = False
        self.transport.pause_reading()
        self._charge()
        self.close_timer = self.loop.call_later(PART_SECONDS, self.transport.abort)
        if self.close_sent:
            return
        if self._part is not None:
            self._part(code)
        else:
            self._flush()
            self.conn.fail(code)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code})

    def _charge(self) -> None:
        """Let the address pay for a flood."""
        client = self.scope["client"]
        if client is not None:
            with suppress(ApiError):
                self.addresses.acquire(FLOODS, client[0])

    def start_keepalive(self) -> None:
        """Begin to read frame by frame, and with the heartbeat: hands are shaken."""
        self._rest = b""
        self.transport.resume_reading()
        # Behind a proxy the system hears of that alone.
        if enable_keepalive(self.transport) and not self.is_proxied:
            self._idle_timeout *= _KEEPALIVE_PING_FACTOR
        self._heart = shared_scheduler(self._server_state, self.loop, self._idle_timeout)
        if self._heart is not None:
            self._heard_at = self.loop.time()
            self._heart.add(self)

    def stop_keepalive(self) -> None:
        """End the heartbeat."""
        if self._heart is not None:
            self._heart.remove(self)

    def on_ping_tick(self, now: float) -> None:
        """Ask whether somebody is there who was silent; give up who does not answer."""
        if self._begun_at and not self.read_paused and now - self._begun_at >= self.finish_seconds:
            # As below: its end may lie in the socket.
            self.loop.call_later(TIMEOUT_SLACK_SECONDS, self._part_unfinished, self._begun_at)
        silent, timeout = now - self._heard_at, self.ping_timeout
        if silent < self._idle_timeout or self.close_sent or self.transport.is_closing():
            return
        if not self._ping_pending:
            self._ping_pending = True
            self.transport.write(HEARTBEAT)
        elif timeout is not None and silent >= self._idle_timeout + timeout:
            # A loop that stood still runs its timers before it reads: the answer may lie in the socket.
            self.loop.call_later(TIMEOUT_SLACK_SECONDS, self._give_up)

    def _part_unfinished(self, begun_at: float) -> None:
        if self._begun_at == begun_at and not self._parted and not self.transport.is_closing():
            self._part_from(UNFINISHED)

    def _give_up(self) -> None:
        if self._ping_pending:
            self.keepalive_timeout()


def frames(
    rate: float, finish_seconds: float, addresses: AddressLimiter, *, is_proxied: bool
) -> type[FastWebSocketProtocol]:
    """Return the WebSockets of a house; `is_proxied`: a proxy stands between it and most of them.

    `rate`: messages a second that one may send for long; a message has to be whole in `finish_seconds`.
    """
    limits = {"rate": rate, "finish_seconds": finish_seconds, "addresses": addresses, "is_proxied": is_proxied}
    return type("HouseFrames", (FastWebSocketProtocol,), limits)
