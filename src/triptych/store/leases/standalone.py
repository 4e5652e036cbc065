"""Leases within one process; a server that is alone owns everything, for nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.store.interface import Over
from triptych.store.leases.interface import Owner, lease_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triptych.store.leases.interface import Serving


class Place:
    """Where servers of one process meet, instead of a database; the tests make time pass in it."""

    def __init__(self) -> None:
        self.servers: dict[int, Owner] = {}
        self.owners: dict[str, int] = {}
        self.quiet: set[int] = set()
        self.last = 0


class HereLeases:
    """See Leases, for servers in one process; with a place of its own it is alone."""

    def __init__(self, place: Place | None = None) -> None:
        self.alone = place is None
        self._place = place or Place()
        self.me = Owner(0, "")
        if self.alone:
            self._place.servers[0] = self.me

    @property
    def eldest(self) -> Owner:
        """See Leases."""
        return self._place.servers[min(self._place.servers)]

    def unheard(self, stream: str) -> int:  # noqa: ARG002 - nobody dies here but in tests
        """See Leases."""
        return 0

    def made_up(self, stream: str) -> None:
        """See Leases."""

    async def join(self, serving: Serving) -> None:
        """See Leases."""
        if not self.alone:
            self._place.last += 1
            self.me = Owner(self._place.last, serving.address, serving.public)
        self._place.servers[self.me.number] = self.me

    async def take(self, stream: str, *, new: bool = False) -> Owner | None:  # noqa: ARG002 - all are known here
        """See Leases."""
        if self.alone:
            return None
        await self.verify()
        name = lease_of(stream)
        owner = self._place.servers.get(self._place.owners.get(name, self.me.number))
        if owner is not None and owner != self.me:
            return owner
        self._place.owners[name] = self.me.number
        return None

    def holds(self, stream: str) -> bool:
        """See Leases."""
        return self.alone or self._place.owners.get(lease_of(stream)) == self.me.number

    async def give(self, streams: Iterable[str]) -> None:
        """See Leases."""
        for name in map(lease_of, streams):
            if self._place.owners.get(name) == self.me.number:
                del self._place.owners[name]

    async def renew(self, *, counted: bool = True) -> Sequence[str]:  # noqa: ARG002 - as unheard
        """See Leases."""
        if self.alone:
            return ()
        await self.verify()
        self._place.quiet.discard(self.me.number)
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

    async def leave(self, *, counted: bool = True) -> None:  # noqa: ARG002 - as unheard
        """See Leases."""
        self._place.servers.pop(self.me.number, None)

    async def verify(self) -> None:
        """See Leases."""
        if self.me.number not in self._place.servers:
            raise Over
