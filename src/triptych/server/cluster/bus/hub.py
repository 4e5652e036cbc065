"""The bus of processes on one machine: each is connected to a hub in the process that started them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from secrets import compare_digest, token_hex
from typing import Final
from urllib.parse import urlsplit

import structlog

from triptych.async_tasks import cancel_tasks
from triptych.errors import error_location
from triptych.server.cluster.bus.protocol import MAX_MESSAGE_BYTES, ClusterMessage, decode, encode

log = structlog.get_logger()
RECONNECT_SECONDS: Final = 0.5
# A server that does not read is disconnected; it connects again and gets everything once more.
MAX_BUFFERED_BYTES: Final = 8 * 1024 * 1024


class BusHub:
    """Passes on the messages of each connection to the others that know its token and have the same cluster."""

    def __init__(self) -> None:
        self._token = token_hex(16)
        self._server: asyncio.Server | None = None
        self._clusters: dict[asyncio.StreamWriter, bytes] = {}
        self.url = ""

    async def open(self) -> None:
        """Listen on the loopback address."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2 * MAX_MESSAGE_BYTES)
        self.url = f"hub://{self._token}@127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        """Close all connections."""
        if self._server is not None:
            self._server.close()
        for writer in tuple(self._clusters):
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            token, _, cluster = (await reader.readline()).strip().partition(b" ")
            if not compare_digest(token, self._token.encode()):
                return
            self._clusters[writer] = cluster
            writer.write(b"\n")
            while line := await reader.readline():
                for other, other_cluster in tuple(self._clusters.items()):
                    if other is writer or other_cluster != cluster:
                        continue
                    if other.transport.get_write_buffer_size() > MAX_BUFFERED_BYTES:
                        other.transport.abort()
                    else:
                        other.write(line)
        except (ConnectionError, ValueError):  # closed, or a line that is too long
            pass
        finally:
            self._clusters.pop(writer, None)
            writer.close()


class HubBus:
    """See MessageBus; `url` is a hub's."""

    def __init__(self, url: str) -> None:
        address = urlsplit(url)
        self._host, self._port, self._token = address.hostname or "", address.port or 0, address.username or ""
        self._writer: asyncio.StreamWriter | None = None
        self._task: asyncio.Task[None] | None = None

    async def open(
        self, cluster: str, on_message: Callable[[ClusterMessage], None], on_connected: Callable[[], None]
    ) -> None:
        """See MessageBus."""
        self._task = asyncio.create_task(self._run(cluster, on_message, on_connected), name="bus")

    def publish(self, message: ClusterMessage) -> None:
        """See MessageBus."""
        writer = self._writer
        if writer is None or self._task is None:
            return
        if writer.transport.get_write_buffer_size() > MAX_BUFFERED_BYTES:
            writer.transport.abort()
        else:
            writer.write(encode(message) + b"\n")

    async def close(self) -> None:
        """See MessageBus."""
        task, self._task = self._task, None
        if task is None:
            return
        if self._writer is not None:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(1):
                    await self._writer.drain()
        await cancel_tasks(task)

    async def _run(
        self, cluster: str, on_message: Callable[[ClusterMessage], None], on_connected: Callable[[], None]
    ) -> None:
        while True:
            try:
                reader, writer = await asyncio.open_connection(self._host, self._port, limit=2 * MAX_MESSAGE_BYTES)
                try:
                    writer.write(f"{self._token} {cluster}\n".encode())
                    await reader.readline()  # the hub's answer: the connection is registered
                    self._writer = writer
                    on_connected()
                    while line := await reader.readline():
                        message = decode(line)
                        if message is not None:
                            on_message(message)
                finally:
                    self._writer = None
                    writer.close()
            except (OSError, ValueError) as error:
                log.debug("bus", error=error_location(error))
            await asyncio.sleep(RECONNECT_SECONDS)
