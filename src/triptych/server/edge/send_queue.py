"""Texts that a connection could not be sent at once because its network was full; they are sent in order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from triptych.async_tasks import cancel_tasks
from triptych.server.wire.decoding import MAX_HELD

MAX_QUEUED: Final = 256


class SendQueue:
    """A queue with a task that sends its texts. `waiting`: texts not sent yet, which nothing may overtake."""

    def __init__(self, send_text: Callable[[str], Awaitable[None]], on_broken: Callable[[], None]) -> None:
        """`send_text` may wait while the network is full; `on_broken` is called when nothing more can be sent."""
        self.waiting = 0
        self._size = 0
        self._send_text = send_text
        self._on_broken = on_broken
        self._texts: asyncio.Queue[str] = asyncio.Queue(MAX_QUEUED)
        self._writer = asyncio.create_task(self._write())
        self._writer.add_done_callback(self._on_writer_done)

    @property
    def broken(self) -> bool:
        """Return whether nothing more can be sent."""
        return self._writer.done()

    def put(self, text: str) -> bool:
        """Queue a text; False when too many texts or characters wait already."""
        if self.waiting and self._size + len(text) > MAX_HELD:
            return False
        try:
            self._texts.put_nowait(text)
        except asyncio.QueueFull:
            return False
        self.waiting += 1
        self._size += len(text)
        return True

    async def close(self, seconds: float) -> None:
        """Send the waiting texts within so many seconds, then stop."""
        if seconds and not self._writer.done():
            drained = asyncio.create_task(self._texts.join())
            await asyncio.wait((drained, self._writer), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            await cancel_tasks(drained)
        await cancel_tasks(self._writer)

    async def _write(self) -> None:
        while True:
            text = await self._texts.get()
            await self._send_text(text)
            self.waiting -= 1
            self._size -= len(text)
            self._texts.task_done()

    def _on_writer_done(self, writer: asyncio.Task[None]) -> None:
        # The exception is retrieved so that the loop does not log it; the reader notices the closed connection.
        if not writer.cancelled():
            writer.exception()
        self._on_broken()
