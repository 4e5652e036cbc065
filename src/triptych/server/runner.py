"""Runs the application on sockets until Ctrl-C, and closes every connection before it stops."""

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
# Longer than a stall of our own process, after which the pongs in the socket are read.
PING_TIMEOUT_SECONDS = 5
# The store's thread needs the GIL for a moment after each statement; a busy loop would make it wait 5 ms each time.
# With a shorter interval players wait longer.
SWITCH_SECONDS = 0.001
GC_CHECK_TICKS = 50  # of a tenth of a second


class PortInUseError(Exception):
    """Another process listens on the port."""


def bind_socket(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """Return a socket that is bound to an address; port 0 means any free port. Raises PortInUseError or OSError.

    `shared`: by several processes, each with its own socket; the system distributes the connections.
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
    """uvicorn's server, which here closes WebSockets with its own messages and ends signals without an error."""

    def __init__(self, config: uvicorn.Config, server: ServerHandle, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._server = server
        self._ready = ready
        self._gc = GcController()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._gc.start()
            self._ready()

    async def on_tick(self, counter: int) -> bool:
        if counter % GC_CHECK_TICKS == 0:
            self._gc.step()
        return await super().on_tick(counter) or bool(self._server.failures)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._gc.stop()
        await self._server.connections.close()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {
            signal_number: signal.signal(signal_number, self.handle_exit)
            for signal_number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def run(server: ServerHandle, bound: Sequence[socket.socket], ready: Callable[[], None]) -> None:
    """Serve on sockets until a signal comes; `ready` is called when the lobby answers.

    Raises the error that kept the server from starting or going on.
    """

    def on_ready() -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        ready()

    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(build_uvicorn(server, on_ready).serve(list(bound)))
    except SystemExit:  # uvicorn raises it when the application did not start
        if not server.failures:
            raise
    if server.failures:
        raise server.failures[0]


def _head_as_get(app: Any) -> Any:  # noqa: ANN401 - ASGI
    """Answer HEAD as GET (RFC 9110 9.3.2); uvicorn, which knows the real method, leaves the body out."""

    async def head_as_get(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        await app({**scope, "method": "GET"} if scope.get("method") == "HEAD" else scope, receive, send)

    return head_as_get


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
        # Larger than the messages that the server accepts, so that a larger one gets a proper error. A connection may
        # hold as much again in unread bytes.
        ws_max_size=MAX_HELD // 2,
        ws_per_message_deflate=False,
        # A dead network is noticed before a street is over (websocket_protocol.py).
        ws_ping_interval=PING_INTERVAL_SECONDS,
        ws_ping_timeout=PING_TIMEOUT_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        lifespan="on",
    )
    return _Uvicorn(config, server, ready)
