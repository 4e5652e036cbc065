"""What waits for another server ends when that server is over, however long its connections stay open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager


class OwnerWatch:
    """Which other servers are waited for, and whom to call once one of them is over.

    A server that stands still keeps its connections open: nobody hears of its end from the network.
    """

    def __init__(self) -> None:
        self._callbacks: dict[int, dict[Callable[[], None], None]] = {}

    def add(self, number: int, callback: Callable[[], None]) -> None:
        """Call `callback` once the server of this number is over."""
        self._callbacks.setdefault(number, {})[callback] = None

    def remove(self, number: int, callback: Callable[[], None]) -> None:
        """Do not call `callback` any more, if it was to be called."""
        callbacks = self._callbacks.get(number, {})
        callbacks.pop(callback, None)
        if not callbacks:
            self._callbacks.pop(number, None)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The servers that are waited for."""
        return tuple(self._callbacks)

    def over(self, numbers: Iterable[int]) -> None:
        """End what waits for servers that are over."""
        for number in numbers:
            for callback in self._callbacks.pop(number, {}):
                callback()

    @asynccontextmanager
    async def until_over(self, number: int) -> AsyncIterator[None]:
        """Raise TimeoutError in the block once the server of this number is over."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(None) as limit:

            def expire() -> None:
                limit.reschedule(loop.time())

            self.add(number, expire)
            try:
                yield
            finally:
                self.remove(number, expire)
