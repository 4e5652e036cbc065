"""A way to a server that a test can shut, as if that server were gone: what it has worked out stays with it."""

from __future__ import annotations

import contextlib
import socket
import threading
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE = 1 << 16  # bytes


class CuttableProxy(ThreadingTCPServer):
    """Passes on everything that comes to `url`, until it is shut."""

    daemon_threads = True

    def __init__(self, behind: str) -> None:
        self.port = urlsplit(behind).port or 0
        self.ways: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Forwarder)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def shut(self) -> None:
        """Let nobody through any more, also who is on the way."""
        self.shutdown()
        self.server_close()
        for way in list(self.ways):
            with contextlib.suppress(OSError):
                way.shutdown(socket.SHUT_RDWR)


class _Forwarder(BaseRequestHandler):
    def handle(self) -> None:
        gate = self.server
        assert isinstance(gate, CuttableProxy)
        with socket.create_connection(("127.0.0.1", gate.port)) as behind:
            ways = {self.request, behind}
            gate.ways |= ways
            back = threading.Thread(target=_carry, args=(behind, self.request), daemon=True)
            back.start()
            _carry(self.request, behind)
            back.join()
            gate.ways -= ways


def _carry(come: socket.socket, go: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while piece := come.recv(PIECE):
            go.sendall(piece)
    with contextlib.suppress(OSError):
        go.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def gate(behind: str) -> Iterator[CuttableProxy]:
    """Open a way to the server at an address; it is shut at the latest when the block is left."""
    way = CuttableProxy(behind)
    try:
        yield way
    finally:
        way.shut()
