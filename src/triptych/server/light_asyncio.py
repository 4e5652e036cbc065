"""asyncio's queue and event without their deques: an idle connection or table holds some of them for hours.

An empty asyncio.Queue takes 2.3 KB, an asyncio.Event 0.8.
"""

from __future__ import annotations

import asyncio
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class LightEvent(asyncio.Event):
    """An asyncio.Event whose waiters are a list."""

    def __init__(self) -> None:  # asyncio's makes a deque
        self._waiters: Any = []
        self._value = False


class LightQueue(asyncio.Queue[T], Generic[T]):
    """The part of asyncio.Queue that one receiver needs; never full."""

    def __init__(self) -> None:  # asyncio's makes deques
        self._items: list[T] = []
        self._getter: asyncio.Future[None] | None = None

    def put_nowait(self, item: T) -> None:
        """Add an item to the end."""
        self._items.append(item)
        if self._getter is not None and not self._getter.done():
            self._getter.set_result(None)

    async def get(self) -> T:
        """Wait for the first item, and remove and return it."""
        while not self._items:
            self._getter = asyncio.get_running_loop().create_future()
            try:
                await self._getter
            finally:
                self._getter = None
        return self._items.pop(0)

    def empty(self) -> bool:
        """Return whether no item waits."""
        return not self._items

    def qsize(self) -> int:
        """Return the number of items."""
        return len(self._items)
