"""The bus within one process; a server that is alone hears nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from triptych.server.cluster.bus.protocol import ClusterMessage, decode, encode


class MemoryBusHub:
    """Where servers of one process hear each other; what was sent stays to be looked at."""

    def __init__(self) -> None:
        self.buses: list[MemoryBus] = []
        self.sent: list[bytes] = []


class MemoryBus:
    """See Bus. Without a hub it costs nothing."""

    def __init__(self, hub: MemoryBusHub | None = None) -> None:
        self.hub = hub
        self.house = ""
        self._hear: Callable[[ClusterMessage], None] = lambda _: None

    async def open(self, house: str, hear: Callable[[ClusterMessage], None], again: Callable[[], None]) -> None:
        """See Bus."""
        self.house, self._hear = house, hear
        if self.hub is not None:
            self.hub.buses.append(self)
            again()

    def publish(self, news: ClusterMessage) -> None:
        """See Bus."""
        if self.hub is None or self not in self.hub.buses:
            return
        sent = encode(news)
        self.hub.sent.append(sent)
        for other in self.hub.buses:
            if other is not self and other.house == self.house:
                asyncio.get_running_loop().call_soon(other.receive, sent)

    def receive(self, sent: bytes) -> None:
        """Called when another server of the process publishes."""
        news = decode(sent)
        if news is not None and self.hub is not None and self in self.hub.buses:
            self._hear(news)

    async def close(self) -> None:
        """See Bus."""
        if self.hub is not None and self in self.hub.buses:
            self.hub.buses.remove(self)
            await asyncio.sleep(0)
