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

from triptych.async_tasks import cancel_tasks
from triptych.errors import error_location
from triptych.server.cluster.bus.protocol import ClusterMessage, decode, encode

if TYPE_CHECKING:
    from nats.aio.msg import Msg

log = structlog.get_logger()
RECONNECT_SECONDS: Final = 1
PING_INTERVAL_SECONDS: Final = 5
CLOSE_SECONDS: Final = 1.0
# More than a cluster changes within a moment; the oldest messages are dropped.
MAX_QUEUED: Final = 4_096


class NatsBus:
    """See MessageBus. Nothing waits while NATS cannot be reached; connecting is retried."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client = Client()
        self._subject = ""
        self._queue: deque[bytes] = deque(maxlen=MAX_QUEUED)
        self._has_messages = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._has_connected = False
        self._on_message: Callable[[ClusterMessage], None] = lambda _: None
        self._on_connected: Callable[[], None] = lambda: None

    async def open(
        self, cluster: str, on_message: Callable[[ClusterMessage], None], on_connected: Callable[[], None]
    ) -> None:
        """See MessageBus."""
        self._subject, self._on_message, self._on_connected = f"triptych.{cluster}", on_message, on_connected
        self._task = asyncio.create_task(self._run(), name="bus")

    def publish(self, message: ClusterMessage) -> None:
        """See MessageBus."""
        if self._task is not None and self._client.is_connected:
            self._queue.append(encode(message))
            self._has_messages.set()

    async def close(self) -> None:
        """See MessageBus."""
        task, self._task = self._task, None
        if task is None:
            return
        await cancel_tasks(task)
        if not self._has_connected:
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
            await self._has_messages.wait()
            self._has_messages.clear()
            try:
                await self._send()
            except (Error, OSError) as error:
                self._queue.clear()
                log.warning("a message was not sent over the bus", error=error_location(error))

    async def _send(self) -> None:
        while self._queue:
            await self._client.publish(self._subject, self._queue.popleft())

    async def _flush(self) -> None:
        """Wait until NATS has received everything. The client's ping overtakes its buffer: so there are two."""
        await self._client.flush()
        await self._client.flush()

    async def _connect(self) -> None:
        """Connect the first time, however long that takes; afterwards the client reconnects by itself."""
        while True:
            self._has_connected = True
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
                await self._client.subscribe(self._subject, cb=self._on_nats_message)
                await self._flush()
            except (Error, OSError, TimeoutError) as error:
                log.warning("cannot connect to the bus yet", error=error_location(error))
                with suppress(Error, OSError):
                    await self._client.close()
                self._client = Client()
                await asyncio.sleep(RECONNECT_SECONDS)
            else:
                self._on_connected()
                return

    async def _on_nats_message(self, nats_message: Msg) -> None:
        message = decode(nats_message.data)
        if message is None:
            log.warning("a message from the bus cannot be read")
        else:
            self._on_message(message)

    async def _on_disconnected(self) -> None:
        self._queue.clear()
        if self._task is not None:
            log.warning("the connection to the bus is lost; the lobby may be out of date")

    async def _on_reconnected(self) -> None:
        log.info("connected to the bus again")
        self._on_connected()


async def _failed(error: Exception) -> None:
    log.debug("bus", error=error_location(error))
