"""Run the application on a socket until Ctrl-C, telling every connection before it stops."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import uvicorn

from triptych.server.gc_control import GcController
from triptych.server.wire.decoding import MAX_HELD

if sys.platform == "win32":
    from asyncio import new_event_loop
else:
    from uvloop import new_event_loop  # libuv's takes half the time for a message

if TYPE_CHECKING:
    from triptych.server.bootstrap import ServerHandle

SHUTDOWN_SECONDS = 5
PING_INTERVAL_SECONDS = 2.5
# More than a stall of our own: what waits in the socket is read only after it.
PING_TIMEOUT_SECONDS = 5
# The store's thread needs Python for a moment after each statement; a busy loop would keep it waiting 5 ms each time.
# More often than so it makes players wait longer: p99 17 ms at 0.2 ms, 14 at 1, under the load of bench.room.
SWITCH_SECONDS = 0.001
GC_CHECK_TICKS = 50  # of a tenth of a second


class PortInUseError(Exception):
    """Something else listens there."""


def bind_socket(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """Return a socket that is bound to an address; port 0 takes any free one. Raises PortInUseError or OSError.

    `shared`: by several processes, each with a socket of its own; the system gives each some of the connections.
    """
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    bound = socket.socket(family, kind, protocol)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT if shared else socket.SO_REUSEADDR, 1)
    try:
        bound.bind(address)
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            raise PortInUseError(
                f"port {port} is in use; choose another one with --port, or --port 0 for any"
            ) from error
        raise
    return bound


class _Uvicorn(uvicorn.Server):
    """Uvicorn that says goodbye to WebSockets itself, and ends without an error when it is asked to end."""

    def __init__(self, config: uvicorn.Config, server: ServerHandle, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._room = server
        self._ready = ready
        self._collector = GcController()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._collector.start()
            self._ready()

    async def on_tick(self, counter: int) -> bool:
        if counter % GC_CHECK_TICKS == 0:
            self._collector.step()
        return await super().on_tick(counter) or bool(self._room.failures)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._collector.stop()
        await self._room.connections.close()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {each: signal.signal(each, self.handle_exit) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


def run(server: ServerHandle, bound: Sequence[socket.socket], ready: Callable[[], None]) -> None:
    """Serve on sockets until a signal comes; `ready` is called when the lobby answers.

    Raises what kept the server from starting, or from going on.
    """

    def opened() -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        ready()

    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(build_uvicorn(server, opened).serve(list(bound)))
    except SystemExit:  # uvicorn's way to say that the application did not start
        if not server.failures:
            raise
    if server.failures:
        raise server.failures[0]


def _head_as_get(app: Any) -> Any:  # noqa: ANN401 - ASGI
    """Answer HEAD as GET (RFC 9110 9.3.2); uvicorn, which knows what was asked, leaves the body out."""

    async def asked(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        await app({**scope, "method": "GET"} if scope.get("method") == "HEAD" else scope, receive, send)

    return asked


def build_uvicorn(server: ServerHandle, ready: Callable[[], None]) -> uvicorn.Server:
    """Return the web server, not running yet; its `should_exit` stops it."""
    config = uvicorn.Config(
        server.guard.around(_head_as_get(server.app)),
        http=server.protocols.http,
        proxy_headers=False,  # the guard reads them
        log_config=None,
        access_log=False,
        server_header=False,
        ws=server.protocols.websocket,
        # More than the server reads, so that a message that is too large gets a proper answer. Of a connection there
        # may be another half: what the network gives at once.
        ws_max_size=MAX_HELD // 2,
        ws_per_message_deflate=False,
        # A network that died without a word is noticed before a street is over (websocket_protocol.py).
        ws_ping_interval=PING_INTERVAL_SECONDS,
        ws_ping_timeout=PING_TIMEOUT_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        lifespan="on",
    )
    return _Uvicorn(config, server, ready)
