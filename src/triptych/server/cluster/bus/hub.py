"""The bus of processes on one machine: each has a line to a hub, which the process that started them keeps."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from secrets import compare_digest, token_hex
from typing import Final
from urllib.parse import urlsplit

import structlog

from triptych.errors import error_location
from triptych.server.cluster.bus.protocol import MAX_MESSAGE_BYTES, ClusterMessage, decode, encode

log = structlog.get_logger()
RECONNECT_SECONDS: Final = 0.5
# Who does not read is cut off: they come back, and ask for all there is.
MAX_BUFFERED_BYTES: Final = 8 * 1024 * 1024


class BusHub:
    """Passes on what each line says to the others that know its token and are of the same house."""

    def __init__(self) -> None:
        self._token = token_hex(16)
        self._server: asyncio.Server | None = None
        self._lines: dict[asyncio.StreamWriter, bytes] = {}
        self.url = ""

    async def open(self) -> None:
        """Listen, on this machine alone."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2 * MAX_MESSAGE_BYTES)
        self.url = f"hub://{self._token}@127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        """Cut all lines."""
        if self._server is not None:
            self._server.close()
        for line in tuple(self._lines):
            line.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            token, _, house = (await reader.readline()).strip().partition(b" ")
            if not compare_digest(token, self._token.encode()):
                return
            self._lines[writer] = house
            writer.write(b"\n")
            while line := await reader.readline():
                for other, theirs in tuple(self._lines.items()):
                    if other is writer or theirs != house:
                        continue
                    if other.transport.get_write_buffer_size() > MAX_BUFFERED_BYTES:
                        other.transport.abort()
                    else:
                        other.write(line)
        except (ConnectionError, ValueError):  # gone, or a line that is too long
            pass
        finally:
            self._lines.pop(writer, None)
            writer.close()


class HubBus:
    """See Bus; `url` is a hub's."""

    def __init__(self, url: str) -> None:
        place = urlsplit(url)
        self._host, self._port, self._token = place.hostname or "", place.port or 0, place.username or ""
        self._writer: asyncio.StreamWriter | None = None
        self._task: asyncio.Task[None] | None = None

    async def open(self, house: str, hear: Callable[[ClusterMessage], None], again: Callable[[], None]) -> None:
        """See Bus."""
        self._task = asyncio.create_task(self._run(house, hear, again), name="bus")

    def publish(self, news: ClusterMessage) -> None:
        """See Bus."""
        writer = self._writer
        if writer is None or self._task is None:
            return
        if writer.transport.get_write_buffer_size() > MAX_BUFFERED_BYTES:
            writer.transport.abort()
        else:
            writer.write(encode(news) + b"\n")

    async def close(self) -> None:
        """See Bus."""
        task, self._task = self._task, None
        if task is None:
            return
        if self._writer is not None:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(1):
                    await self._writer.drain()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def _run(self, house: str, hear: Callable[[ClusterMessage], None], again: Callable[[], None]) -> None:
        while True:
            try:
                reader, writer = await asyncio.open_connection(self._host, self._port, limit=2 * MAX_MESSAGE_BYTES)
                try:
                    writer.write(f"{self._token} {house}\n".encode())
                    await reader.readline()  # from now on it is heard
                    self._writer = writer
                    again()
                    while line := await reader.readline():
                        news = decode(line)
                        if news is not None:
                            hear(news)
                finally:
                    self._writer = None
                    writer.close()
            except (OSError, ValueError) as error:
                log.debug("bus", error=error_location(error))
            await asyncio.sleep(RECONNECT_SECONDS)
