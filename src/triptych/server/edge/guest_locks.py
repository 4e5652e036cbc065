"""One after the other, by guest: what a guest asks twice at once is done once and then found done."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary


class GuestLocks:
    """Gives each guest one turn at a time; other guests do not wait."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def lock(self, player: str) -> asyncio.Lock:
        """Return the guest's lock; it is forgotten when nobody holds it or waits for it."""
        return self._locks.setdefault(player, asyncio.Lock())
