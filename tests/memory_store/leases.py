"""Leases within one process."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from triptych.store.errors import FencedError
from triptych.store.leases.interface import ServerId, ServerInfo, lease_name


class MemoryRegistry:
    """The servers and owners that several servers of one process share; tests mark servers as quiet."""

    def __init__(self) -> None:
        self.servers: dict[int, ServerId] = {}
        self.owners: dict[str, int] = {}
        self.quiet: set[int] = set()
        self.last = 0


class MemoryLeases:
    """See LeaseManager, for servers in one process; without a registry it is standalone."""

    def __init__(self, registry: MemoryRegistry | None = None) -> None:
        self.is_standalone = registry is None
        self._registry = registry or MemoryRegistry()
        self.this_server = ServerId(0, "")
        if self.is_standalone:
            self._registry.servers[0] = self.this_server

    @property
    def leader(self) -> ServerId:
        """See LeaseManager."""
        return self._registry.servers[min(self._registry.servers)]

    def pop_takeover_downtime(self, stream: str) -> int:  # noqa: ARG002 - servers of one process die only in tests
        """See LeaseManager."""
        return 0

    def mark_compensated(self, stream: str) -> None:
        """See LeaseManager."""

    async def register(self, serving: ServerInfo) -> None:
        """See LeaseManager."""
        if not self.is_standalone:
            self._registry.last += 1
            self.this_server = ServerId(self._registry.last, serving.address, serving.public)
        self._registry.servers[self.this_server.number] = self.this_server

    async def acquire(self, stream: str, *, new: bool = False) -> ServerId | None:  # noqa: ARG002 - all are known here
        """See LeaseManager."""
        if self.is_standalone:
            return None
        await self.verify_not_fenced()
        name = lease_name(stream)
        owner = self._registry.servers.get(self._registry.owners.get(name, self.this_server.number))
        if owner is not None and owner != self.this_server:
            return owner
        self._registry.owners[name] = self.this_server.number
        return None

    def holds(self, stream: str) -> bool:
        """See LeaseManager."""
        return self.is_standalone or self._registry.owners.get(lease_name(stream)) == self.this_server.number

    async def release(self, streams: Iterable[str]) -> None:
        """See LeaseManager."""
        for name in map(lease_name, streams):
            if self._registry.owners.get(name) == self.this_server.number:
                del self._registry.owners[name]

    async def renew(self, *, is_compensated: bool = True) -> Sequence[str]:  # noqa: ARG002 - as above
        """See LeaseManager."""
        if self.is_standalone:
            return ()
        await self.verify_not_fenced()
        self._registry.quiet.discard(self.this_server.number)
        for number in self._registry.quiet:
            self._registry.servers.pop(number, None)
        return tuple(name for name, number in self._registry.owners.items() if number not in self._registry.servers)

    @property
    def somebody_silent(self) -> bool:
        """See LeaseManager."""
        return False

    async def find_fenced(self, numbers: Sequence[int]) -> Sequence[int]:
        """See LeaseManager."""
        return [number for number in numbers if number not in self._registry.servers]

    async def unregister(self, *, is_compensated: bool = True) -> None:  # noqa: ARG002 - as above
        """See LeaseManager."""
        self._registry.servers.pop(self.this_server.number, None)

    async def verify_not_fenced(self) -> None:
        """See LeaseManager."""
        if self.this_server.number not in self._registry.servers:
            raise FencedError
