"""Ends the requests to another server when that server has left, even if its connections stay open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager


class OwnerWatch:
    """The other servers with requests under way, and the callbacks for when one of them has left.

    A stalled server keeps its connections open: the network does not report its end.
    """

    def __init__(self) -> None:
        self._callbacks: dict[int, dict[Callable[[], None], None]] = {}

    def add(self, number: int, callback: Callable[[], None]) -> None:
        """Call `callback` once the server of this number has left."""
        self._callbacks.setdefault(number, {})[callback] = None

    def remove(self, number: int, callback: Callable[[], None]) -> None:
        """Remove a callback, if it was added."""
        callbacks = self._callbacks.get(number, {})
        callbacks.pop(callback, None)
        if not callbacks:
            self._callbacks.pop(number, None)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the servers with callbacks."""
        return tuple(self._callbacks)

    def on_servers_left(self, numbers: Iterable[int]) -> None:
        """Call the callbacks of servers that have left."""
        for number in numbers:
            for callback in self._callbacks.pop(number, {}):
                callback()

    @asynccontextmanager
    async def until_left(self, number: int) -> AsyncIterator[None]:
        """Raise TimeoutError in the block once the server of this number has left."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(None) as limit:

            def expire() -> None:
                limit.reschedule(loop.time())

            self.add(number, expire)
            try:
                yield
            finally:
                self.remove(number, expire)
