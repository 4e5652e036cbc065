"""The bus within one process, for tests; without a hub it connects nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from triptych.server.cluster.bus.protocol import ClusterMessage, decode, encode


class MemoryBusHub:
    """Connects the buses of one process; `sent` keeps every message."""

    def __init__(self) -> None:
        self.buses: list[MemoryBus] = []
        self.sent: list[bytes] = []


class MemoryBus:
    """See MessageBus. Without a hub it sends nothing."""

    def __init__(self, hub: MemoryBusHub | None = None) -> None:
        self.hub = hub
        self.cluster = ""
        self._on_message: Callable[[ClusterMessage], None] = lambda _: None

    async def open(
        self, cluster: str, on_message: Callable[[ClusterMessage], None], on_connected: Callable[[], None]
    ) -> None:
        """See MessageBus."""
        self.cluster, self._on_message = cluster, on_message
        if self.hub is not None:
            self.hub.buses.append(self)
            on_connected()

    def publish(self, message: ClusterMessage) -> None:
        """See MessageBus."""
        if self.hub is None or self not in self.hub.buses:
            return
        data = encode(message)
        self.hub.sent.append(data)
        for other in self.hub.buses:
            if other is not self and other.cluster == self.cluster:
                asyncio.get_running_loop().call_soon(other.receive, data)

    def receive(self, data: bytes) -> None:
        """Called when another server of the process publishes."""
        message = decode(data)
        if message is not None and self.hub is not None and self in self.hub.buses:
            self._on_message(message)

    async def close(self) -> None:
        """See MessageBus."""
        if self.hub is not None and self in self.hub.buses:
            self.hub.buses.remove(self)
            await asyncio.sleep(0)
