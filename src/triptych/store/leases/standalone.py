"""Leases within one process; a server that is alone owns everything, for nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from triptych.store.errors import FencedError
from triptych.store.leases.interface import ServerId, ServerInfo, lease_name


class MemoryRegistry:
    """Where servers of one process meet, instead of a database; the tests make time pass in it."""

    def __init__(self) -> None:
        self.servers: dict[int, ServerId] = {}
        self.owners: dict[str, int] = {}
        self.quiet: set[int] = set()
        self.last = 0


class MemoryLeases:
    """See Leases, for servers in one process; with a place of its own it is alone."""

    def __init__(self, place: MemoryRegistry | None = None) -> None:
        self.is_standalone = place is None
        self._place = place or MemoryRegistry()
        self.this_server = ServerId(0, "")
        if self.is_standalone:
            self._place.servers[0] = self.this_server

    @property
    def leader(self) -> ServerId:
        """See Leases."""
        return self._place.servers[min(self._place.servers)]

    def pop_takeover_downtime(self, stream: str) -> int:  # noqa: ARG002 - nobody dies here but in tests
        """See Leases."""
        return 0

    def mark_compensated(self, stream: str) -> None:
        """See Leases."""

    async def register(self, serving: ServerInfo) -> None:
        """See Leases."""
        if not self.is_standalone:
            self._place.last += 1
            self.this_server = ServerId(self._place.last, serving.address, serving.public)
        self._place.servers[self.this_server.number] = self.this_server

    async def acquire(self, stream: str, *, new: bool = False) -> ServerId | None:  # noqa: ARG002 - all are known here
        """See Leases."""
        if self.is_standalone:
            return None
        await self.verify_not_fenced()
        name = lease_name(stream)
        owner = self._place.servers.get(self._place.owners.get(name, self.this_server.number))
        if owner is not None and owner != self.this_server:
            return owner
        self._place.owners[name] = self.this_server.number
        return None

    def holds(self, stream: str) -> bool:
        """See Leases."""
        return self.is_standalone or self._place.owners.get(lease_name(stream)) == self.this_server.number

    async def release(self, streams: Iterable[str]) -> None:
        """See Leases."""
        for name in map(lease_name, streams):
            if self._place.owners.get(name) == self.this_server.number:
                del self._place.owners[name]

    async def renew(self, *, counted: bool = True) -> Sequence[str]:  # noqa: ARG002 - as unheard
        """See Leases."""
        if self.is_standalone:
            return ()
        await self.verify_not_fenced()
        self._place.quiet.discard(self.this_server.number)
        for number in self._place.quiet:
            self._place.servers.pop(number, None)
        return tuple(name for name, number in self._place.owners.items() if number not in self._place.servers)

    @property
    def somebody_silent(self) -> bool:
        """See Leases."""
        return False

    async def over(self, numbers: Sequence[int]) -> Sequence[int]:
        """See Leases."""
        return [number for number in numbers if number not in self._place.servers]

    async def unregister(self, *, counted: bool = True) -> None:  # noqa: ARG002 - as unheard
        """See Leases."""
        self._place.servers.pop(self.this_server.number, None)

    async def verify_not_fenced(self) -> None:
        """See Leases."""
        if self.this_server.number not in self._place.servers:
            raise FencedError
