"""What a connection could not be sent at once, because its network was full: it goes out in order, as that allows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from triptych.server.wire.decoding import MAX_HELD

MAX_QUEUED: Final = 256


class TextSink(Protocol):
    """Where the texts go."""

    async def send_text(self, text: str) -> None:
        """Send a text frame; waits while the network is full."""


class SendQueue:
    """Begins with the first text. `waiting`: so many are not on their way yet, and nothing may overtake them."""

    def __init__(self, line: TextSink, broken: Callable[[], None]) -> None:
        """`broken` is called when nothing more can be sent."""
        self.waiting = 0
        self._size = 0
        self._line = line
        self._broken = broken
        self._texts: asyncio.Queue[str] = asyncio.Queue(MAX_QUEUED)
        self._writer = asyncio.create_task(self._write())
        self._writer.add_done_callback(self._ended)

    @property
    def broken(self) -> bool:
        """Return whether nothing more can be sent."""
        return self._writer.done()

    def put(self, text: str) -> bool:
        """Let a text wait; False when there are too many, or too long ones."""
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
        """Send what waits, within so much time, and end."""
        if seconds and not self._writer.done():
            drained = asyncio.create_task(self._texts.join())
            await asyncio.wait((drained, self._writer), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            drained.cancel()
            await asyncio.gather(drained, return_exceptions=True)
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

    async def _write(self) -> None:
        while True:
            text = await self._texts.get()
            await self._line.send_text(text)
            self.waiting -= 1
            self._size -= len(text)
            self._texts.task_done()

    def _ended(self, writer: asyncio.Task[None]) -> None:
        # Looked at, or the loop would log it: whoever reads hears that the line is gone.
        if not writer.cancelled():
            writer.exception()
        self._broken()
