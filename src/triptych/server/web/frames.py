"""uvicorn's WebSocket with short ways for what comes and goes all the time.

What is written in one turn of the loop goes to the network together at its end, a whole text frame to the application
without the library's parser and without a task, and one timer serves the heartbeats of all.

An ASGI server may offer more than the standard has in `scope["extensions"]`; here it is `write` and `listen`. Where
they are missing, the network is full, or the listener wants it so, messages go the standard's way. Whatever is no
whole text frame and no answer to a heartbeat is the library's: fragments, closing, and everything that is wrong.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # the quickest one that there is

from triptych.server.light import LightEvent, LightQueue
from triptych.server.web.door import READ_FIRST_SECONDS
from triptych.server.web.heart import heart_of
from triptych.server.web.keepalive import keep_alive

if TYPE_CHECKING:
    from collections.abc import Callable

    from uvicorn._types import ASGISendEvent
    from uvicorn.config import Config
    from uvicorn.server import ServerState
    from websockets.http11 import Request

    from triptych.server.web.heart import Heart

EXTENSION: Final = "triptych.write"
LISTEN: Final = "triptych.listen"
# RFC 6455 5.2: a whole text frame, an answer to a heartbeat, and a heartbeat without a word; the second byte has the
# mask's bit and a length, which may stand in the next 2 or 8 bytes instead.
_TEXT: Final = 0x81
_PONG: Final = 0x8A
_PING: Final = b"\x89\x00"
_MASKED: Final = 0x80
_MASK: Final = 4
_SHORT: Final = 126
_MIDDLE: Final = 1 << 16
# Of the first byte: the last of its fragments; one that may come between others' fragments.
_LAST: Final = 0x80
_BETWEEN: Final = 0x08
# Who says more than this before it is listened to is not read for a moment.
_UNHEARD: Final = 8
# Where the system asks, the house asks so many times as rarely: that tells programs that stand still.
_SELDOM: Final = 4
# So many bytes do not wait for the end of the turn.
_LARGE: Final = 1 << 14


class Frames(WebSocketsSansIOProtocol):
    """One WebSocket of the house."""

    # uvicorn's own too, as far as it has them: so many make a dictionary of 1.6 KB.
    __slots__ = (
        "_asked",
        "_chunks",
        "_fragments",
        "_hear",
        "_heard_at",
        "_heart",
        "_house",
        "_patience",
        "_rest",
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
        self._house = server_state
        self._heart: Heart | None = None
        self._heard_at = 0.0
        self._asked = False
        self._patience = self.ping_interval or 0  # with silence
        self._chunks = 0
        # What came of a frame that is not whole yet; None while everything is the library's.
        self._rest: bytes | None = None
        self._fragments = False
        # What was written in this turn of the loop.
        self._written = b""
        self._hear: Callable[[str], bool] | None = None

    def handle_connect(self, event: Request) -> None:
        """Offer the way out to the application, which begins after this."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self.write
            extensions[LISTEN] = self.listen

    def listen(self, hear: Callable[[str], bool]) -> None:
        """Let the application hear texts as they come; what it answers False to waits until it receives.

        Who listens knows whom it serves: what was said when hands were shaken is kept no longer, a fifth of all that
        a silent connection takes.
        """
        self._hear = hear
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
        self._written += _head(len(data)) + data
        if len(self._written) >= _LARGE:
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

    def shutdown(self) -> None:
        """Say goodbye, behind what was written."""
        self._flush()
        super().shutdown()

    def _leave_to_library(self, data: bytes) -> None:
        self._flush()
        super().data_received(data)

    def data_received(self, data: bytes) -> None:
        """Take what comes; frame by frame once hands are shaken."""
        self._heard_at = self.loop.time()
        self._asked = False
        self._chunks += 1
        if self._rest is None:
            self._leave_to_library(data)
            return
        data, self._rest = self._rest + data, b""
        at = 0
        while len(data) >= at + 2 and not self.transport.is_closing():
            start, length = _content(data, at)
            if length > self.config.ws_max_size or not data[at + 1] & _MASKED:
                self._rest = None  # it is wrong, as the library will say
                self._leave_to_library(data[at:])
                return
            end = start + length
            if end > len(data):
                break
            self._take(data[at:end], start - at)
            at = end
        self._rest = data[at:]

    def _take(self, frame: bytes, start: int) -> None:
        """Take a whole frame, whose content begins at `start`."""
        kind = frame[0]
        if kind == _TEXT and not (self._fragments or self.close_sent or self.disconnected):
            try:
                text = apply_mask(frame[start:], frame[start - _MASK : start]).decode()
            except UnicodeDecodeError:
                self._leave_to_library(frame)
                return
            # What was said before comes first.
            if self._hear is not None and self.queue.empty() and self._hear(text):
                return
            self.queue.put_nowait({"type": "websocket.receive", "text": text})
            if not self.read_paused and self.queue.qsize() >= _UNHEARD:
                self.read_paused = True
                self.transport.pause_reading()
        elif kind != _PONG or len(frame) >= start + _SHORT:
            if not kind & _BETWEEN:
                self._fragments = not kind & _LAST
            self._leave_to_library(frame)

    def start_keepalive(self) -> None:
        """Begin to read frame by frame, and with the heartbeat: hands are shaken."""
        # The library may hold half a frame of one who has spoken after asking.
        if self._chunks == 1:
            self._rest = b""
        # Behind a proxy the system hears of that alone.
        if keep_alive(self.transport) and not self.config.proxy_headers:
            self._patience *= _SELDOM
        self._heart = heart_of(self._house, self.loop, self._patience)
        if self._heart is not None:
            self._heard_at = self.loop.time()
            self._heart.join(self)

    def stop_keepalive(self) -> None:
        """End the heartbeat."""
        if self._heart is not None:
            self._heart.leave(self)

    def beat(self, now: float) -> None:
        """Ask whether somebody is there who was silent; give up who does not answer."""
        silent, timeout = now - self._heard_at, self.ping_timeout
        if silent < self._patience or self.close_sent or self.transport.is_closing():
            return
        if not self._asked:
            self._asked = True
            self.transport.write(_PING)
        elif timeout is not None and silent >= self._patience + timeout:
            # A loop that stood still runs its timers before it reads: the answer may lie in the socket.
            self.loop.call_later(READ_FIRST_SECONDS, self._give_up)

    def _give_up(self) -> None:
        if self._asked:
            self.keepalive_timeout()


def _content(data: bytes, at: int) -> tuple[int, int]:
    """Return where the content of the masked frame at `at` begins, and its length; 0 until that has come."""
    length = data[at + 1] & ~_MASKED
    if length < _SHORT:
        return at + 2 + _MASK, length
    head = 2 if length == _SHORT else 8
    told = data[at + 2 : at + 2 + head]
    return at + 2 + head + _MASK, int.from_bytes(told, "big") if len(told) == head else 0


def _head(size: int) -> bytes:
    if size < _SHORT:
        return struct.pack("!BB", _TEXT, size)
    if size < _MIDDLE:
        return struct.pack("!BBH", _TEXT, _SHORT, size)
    return struct.pack("!BBQ", _TEXT, _SHORT + 1, size)


def way_out(scope: Any) -> Callable[[str], bool]:  # noqa: ANN401 - ASGI
    """Return what sends a message at once where the server can; else what says that it has to wait."""
    found: Callable[[str], bool] | None = scope.get("extensions", {}).get(EXTENSION)
    return _waits if found is None else found


def way_in(scope: Any, hear: Callable[[str], bool]) -> None:  # noqa: ANN401 - ASGI
    """Let `hear` have each message as it comes where the server can; what it answers False to is received as ever."""
    listen: Callable[[Callable[[str], bool]], None] | None = scope.get("extensions", {}).get(LISTEN)
    if listen is not None:
        listen(hear)


def _waits(_text: str) -> bool:
    return False
