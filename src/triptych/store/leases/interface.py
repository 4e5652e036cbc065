"""Leases: the ownership of tables, where several servers share a database. A standalone server owns all of them.

A lease does not expire by itself. It ends when its owner releases it, or with its owner: a server that has not
renewed for LEASE_SECONDS, or has left, is fenced for good. From then on it can write nothing (the statement that
appends checks it, see postgres/journal.py), so no clock decides whether a server that was paused may write again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from msgspec import Struct

LEASE_SECONDS: Final = 2.0
RENEW_SECONDS: Final = 0.5
# While another server has not renewed: its players wait until it is fenced.
RENEW_SECONDS_SILENT: Final = 0.1


class ServerInfo(Struct, frozen=True):
    """The server of a database: its process, its start (ms since the epoch), its address (may be empty).

    `public`: the address at which players' browsers reach this very server, empty when they cannot.
    """

    pid: int
    since: int
    address: str = ""
    public: str = ""


class ServerId(Struct, frozen=True):
    """A server: its number, which is never reused, and the address at which the other servers reach it.

    `public`: the address at which players' browsers reach it, empty when they cannot.
    """

    number: int
    address: str
    public: str = ""


def lease_name(stream: str) -> str:
    """Return the name under which a stream is leased: `cup:abc` and the tables `abc-1`, `abc-2` are one lease."""
    return stream.rpartition(":")[2].partition("-")[0]


class LeaseManager(Protocol):
    """The leases of one server."""

    @property
    def is_standalone(self) -> bool:
        """Return whether no other server can own tables."""

    @property
    def this_server(self) -> ServerId:
        """This server's number and addresses."""

    @property
    def leader(self) -> ServerId:
        """The longest-lived server, as of the last renewal."""

    def pop_takeover_downtime(self, stream: str) -> int:
        """Return how long (ms) a stream's former owner had been silent at the takeover; 0 if it released it.

        Later calls for the same stream return 0: the caller compensates it, then calls `mark_compensated`.
        """

    def mark_compensated(self, stream: str) -> None:
        """Called when a stream's takeover downtime is compensated and stored, so that no later owner repeats it."""

    async def register(self, serving: ServerInfo) -> None:
        """Become a server with a new number that owns nothing; a former number has left or is fenced."""

    async def acquire(self, stream: str, *, new: bool = False) -> ServerId | None:
        """Acquire a stream: return None on success, else its owner. Raises FencedError.

        `new`: the stream does not exist yet. A missing stream has no owner, and returns None too.
        """

    def holds(self, stream: str) -> bool:
        """Return whether this server owns a stream; acquiring a missing stream does not make it the owner."""

    async def release(self, streams: Iterable[str]) -> None:
        """Release streams; this server writes nothing to them any more."""

    async def verify_not_fenced(self) -> None:
        """Raise FencedError when this server is fenced; otherwise it still owns its streams."""

    async def renew(self, *, is_compensated: bool = True) -> Sequence[str]:
        """Renew this server and fence dead ones; return the leases whose owner is fenced. Raises FencedError.

        `is_compensated`: all downtime until now is compensated and stored. Otherwise a server that takes our streams
        over counts from the last time when it was: this one may die before its tables have moved their clocks.
        """

    @property
    def somebody_silent(self) -> bool:
        """Whether at the last renewal another server had not renewed for a while: it may be dead."""

    async def find_fenced(self, numbers: Sequence[int]) -> Sequence[int]:
        """Return the numbers of the fenced servers among `numbers`."""

    async def unregister(self, *, is_compensated: bool = True) -> None:
        """Release everything and leave; the number is fenced from then on."""


class LeaseHolder(Protocol):
    """The writer that needs leases: a store."""

    async def start(self, number: int) -> None:
        """Write as this server from now on; without a lease it writes nothing."""

    async def project_partition(self, partition: int) -> None:
        """Project everything that a fenced server has written."""

    async def add_lease(self, lease: str, epoch: int) -> None:
        """Allow appends under a lease, in this epoch or a later one."""

    def holds(self, lease: str) -> bool:
        """Return whether appends under a lease are allowed."""

    async def drop_leases(self, names: Sequence[str]) -> None:
        """Stop appends under these leases, and project everything for their next owner."""
