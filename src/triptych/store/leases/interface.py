"""Who owns which table, where several servers share a database. One that is alone owns all of them, for nothing.

A lease has no end of its own. It ends when its owner gives it up, or with its owner: a server that has not renewed
itself for LEASE_SECONDS, or has left, is over for good. From then on nothing of it is written (the statement that
appends asks for that, see postgres/journal.py), so no clock decides whether a server that was paused may write again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from msgspec import Struct

LEASE_SECONDS: Final = 2.0
RENEW_SECONDS: Final = 0.5
# While another server is silent: its players wait until it is found dead.
RENEW_SECONDS_SILENT: Final = 0.1


class ServerInfo(Struct, frozen=True):
    """Which server serves a database: its process, since when (ms since the epoch), its address (may be empty).

    `public`: the address at which players' browsers reach this very server, empty when they do not.
    """

    pid: int
    since: int
    address: str = ""
    public: str = ""


class ServerId(Struct, frozen=True):
    """A server: its number, never given twice, and the address at which the others reach it.

    `public`: the address at which players' browsers reach it, empty when they do not.
    """

    number: int
    address: str
    public: str = ""


def lease_name(stream: str) -> str:
    """Return the name under which a stream is leased: `cup:abc` and the tables `abc-1`, `abc-2` are one lease."""
    return stream.rpartition(":")[2].partition("-")[0]


class LeaseManager(Protocol):
    """One server's part in it."""

    @property
    def is_standalone(self) -> bool:
        """Return whether nobody else can own anything."""

    @property
    def this_server(self) -> ServerId:
        """Who this server is."""

    @property
    def leader(self) -> ServerId:
        """Which server has been here for longest, as far as was known at the last renewal."""

    def pop_takeover_downtime(self, stream: str) -> int:
        """Return for how long (ms) nobody has heard of the owner from whom we took a stream; 0: it gave it up.

        Told once for each stream: whoever asks makes it up, and says so.
        """

    def mark_compensated(self, stream: str) -> None:
        """Called when what was unheard of a stream is made up, and stored: whoever has it after us need not know."""

    async def register(self, serving: ServerInfo) -> None:
        """Become a server with a new number, that owns nothing. Its owner has called `leave`, or is over."""

    async def acquire(self, stream: str, *, new: bool = False) -> ServerId | None:
        """Own a stream from now on: None when we do, else who does. Raises Over.

        `new`: it is not there yet. One that is not there is nobody's, and None as well.
        """

    def holds(self, stream: str) -> bool:
        """Return whether a stream is ours; one made elsewhere after we took it, when it was not there, is not."""

    async def release(self, streams: Iterable[str]) -> None:
        """Own streams no longer; nothing is written to them any more."""

    async def verify_not_fenced(self) -> None:
        """Raise Over when the others hold us for dead; what we own is ours until then."""

    async def renew(self, *, counted: bool = True) -> Sequence[str]:
        """Say that we live, and find who does not. Returns what has lost its owner and is free. Raises Over.

        `counted`: no time was lost until now that is not made up, and stored. While one is, whoever takes our streams
        counts from when none was: a server that woke may die before its tables have moved their clocks.
        """

    @property
    def somebody_silent(self) -> bool:
        """Whether some other server had not renewed itself for a while at the last renewal: it may be dead soon."""

    async def over(self, numbers: Sequence[int]) -> Sequence[int]:
        """Return which of these servers are over."""

    async def unregister(self, *, counted: bool = True) -> None:
        """Own nothing any more, and be over."""


class LeaseHolder(Protocol):
    """Who writes under leases."""

    async def start(self, number: int) -> None:
        """Write as this server from now on, and nothing until it holds something."""

    async def project_partition(self, lane: int) -> None:
        """See to it that everything is projected that a server has written which is over."""

    async def add_lease(self, lease: str, epoch: int) -> None:
        """Write under a lease too, in this epoch or a later one."""

    def holds(self, lease: str) -> bool:
        """Return whether something may be written under a lease."""

    async def drop_leases(self, names: Sequence[str]) -> None:
        """Write nothing more under these leases; whatever was can be read by the next one."""
