"""The bus over NATS (https://nats.io). Needs the extra `triptych[nats]`."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import structlog
from nats.aio.client import Client
from nats.errors import Error

from triptych.errors import error_location
from triptych.server.cluster.bus.protocol import ClusterMessage, decode, encode

if TYPE_CHECKING:
    from nats.aio.msg import Msg

log = structlog.get_logger()
RECONNECT_SECONDS: Final = 1
PING_INTERVAL_SECONDS: Final = 5
CLOSE_SECONDS: Final = 1.0
# More than a house changes within a moment; what does not fit was not worth waiting for.
MAX_QUEUED: Final = 4_096


class NatsBus:
    """See Bus. While NATS cannot be reached nothing waits for it, and it is looked for until it is there."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client = Client()
        self._subject = ""
        self._unsent: deque[bytes] = deque(maxlen=MAX_QUEUED)
        self._come = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._tried = False
        self._hear: Callable[[ClusterMessage], None] = lambda _: None
        self._again: Callable[[], None] = lambda: None

    async def open(self, house: str, hear: Callable[[ClusterMessage], None], again: Callable[[], None]) -> None:
        """See Bus."""
        self._subject, self._hear, self._again = f"triptych.{house}", hear, again
        self._task = asyncio.create_task(self._run(), name="bus")

    def publish(self, news: ClusterMessage) -> None:
        """See Bus."""
        if self._task is not None and self._client.is_connected:
            self._unsent.append(encode(news))
            self._come.set()

    async def close(self) -> None:
        """See Bus."""
        task, self._task = self._task, None
        if task is None:
            return
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        if not self._tried:
            return
        with suppress(Error, TimeoutError, OSError):
            async with asyncio.timeout(CLOSE_SECONDS):
                if self._client.is_connected:
                    await self._send()
                    await self._flush()
        with suppress(Error, TimeoutError, OSError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._client.close()

    async def _run(self) -> None:
        await self._connect()
        while True:
            await self._come.wait()
            self._come.clear()
            try:
                await self._send()
            except (Error, OSError) as error:
                self._unsent.clear()
                log.warning("news not sent", error=error_location(error))

    async def _send(self) -> None:
        while self._unsent:
            await self._client.publish(self._subject, self._unsent.popleft())

    async def _flush(self) -> None:
        """Wait until NATS has what was sent. The client asks before it writes what waits: so it asks twice."""
        await self._client.flush()
        await self._client.flush()

    async def _connect(self) -> None:
        """Connect the first time, however long that takes; afterwards the client does so by itself."""
        while True:
            self._tried = True
            try:
                await self._client.connect(
                    [self._url],
                    no_echo=True,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=RECONNECT_SECONDS,
                    ping_interval=PING_INTERVAL_SECONDS,
                    pending_size=0,
                    error_cb=_failed,
                    disconnected_cb=self._on_disconnected,
                    reconnected_cb=self._on_reconnected,
                )
                await self._client.subscribe(self._subject, cb=self._heard)
                await self._flush()
            except (Error, OSError, TimeoutError) as error:
                log.warning("no bus yet", error=error_location(error))
                with suppress(Error, OSError):
                    await self._client.close()
                self._client = Client()
                await asyncio.sleep(RECONNECT_SECONDS)
            else:
                self._again()
                return

    async def _heard(self, message: Msg) -> None:
        news = decode(message.data)
        if news is None:
            log.warning("what came over the bus cannot be read")
        else:
            self._hear(news)

    async def _on_disconnected(self) -> None:
        self._unsent.clear()
        if self._task is not None:
            log.warning("the bus is cut; the lobby may be old for a while")

    async def _on_reconnected(self) -> None:
        log.info("the bus is back")
        self._again()


async def _failed(error: Exception) -> None:
    log.debug("bus", error=error_location(error))
