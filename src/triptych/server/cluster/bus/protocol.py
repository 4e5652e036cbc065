"""Messages between the servers of a cluster: members, and summaries for the lobby. They contain no card or point.

The truth is in the database. A lost message only means that a line in the lobby is old for a while.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

import msgspec
from msgspec import Raw, Struct

from triptych.server.tournaments.summary import TournamentSummary

MAX_MESSAGE_BYTES: Final = 64 * 1024


class ServerJoined(Struct, frozen=True, tag="came"):
    """A server has joined, or was cut off for a while: the others send it everything that they show."""

    server: int


class ServerLeft(Struct, frozen=True, tag="left"):
    """A server has left or was fenced: its tables have no owner."""

    server: int


class TableAnnouncement(Struct, frozen=True, array_like=True):
    """A table's summary, encoded (tables/summary.py), and the guests who watch it."""

    table: str
    glance: Raw
    followers: list[str]


class TablesUpdated(Struct, frozen=True, tag="shown"):
    """The present summaries of some of a server's loaded tables, for the lobby; decoded only when needed."""

    server: int
    tables: list[TableAnnouncement]


class TournamentUpdated(Struct, frozen=True, tag="cup"):
    """The present summary of a tournament that a server owns, for the lobby."""

    server: int
    glance: TournamentSummary


class TableUnloaded(Struct, frozen=True, tag="gone"):
    """A server has unloaded a table; its last summary remains valid."""

    server: int
    table: str


class GuestRenamed(Struct, frozen=True, tag="renamed"):
    """A guest has a new name."""

    server: int
    player: str
    name: str


class GuestDeleted(Struct, frozen=True, tag="forgotten"):
    """A guest was deleted: their cookies are no longer valid."""

    server: int
    player: str


class TokenRevoked(Struct, frozen=True, tag="taken_back"):
    """A guest's token, by its id, was revoked."""

    server: int
    player: str
    token: str


class SignedOut(Struct, frozen=True, tag="signed_out"):
    """A guest has ended a session, by its id; or all sessions before an epoch, where the epoch is not 0."""

    server: int
    player: str
    session: str
    epoch: int


ClusterMessage: TypeAlias = (
    ServerJoined
    | ServerLeft
    | TablesUpdated
    | TournamentUpdated
    | TableUnloaded
    | GuestRenamed
    | GuestDeleted
    | TokenRevoked
    | SignedOut
)

_WRITE: Final = msgspec.json.Encoder()
_READ: Final[msgspec.json.Decoder[ClusterMessage]] = msgspec.json.Decoder(ClusterMessage)


def encode(message: ClusterMessage) -> bytes:
    """Return an encoded message."""
    return _WRITE.encode(message)


def decode(data: bytes) -> ClusterMessage | None:
    """Return a decoded message; None for invalid data."""
    if len(data) > MAX_MESSAGE_BYTES:
        return None
    try:
        return _READ.decode(data)
    except msgspec.MsgspecError:
        return None


class MessageBus(Protocol):
    """One server's access to the messages of its cluster."""

    async def open(
        self, cluster: str, on_message: Callable[[ClusterMessage], None], on_connected: Callable[[], None]
    ) -> None:
        """Begin to receive the messages of a cluster's other servers; does not wait for a connection.

        `on_connected` is called at each connection, the first one too: messages may have been missed before it.
        """

    def publish(self, message: ClusterMessage) -> None:
        """Send a message to the others; never waits, and drops it while the bus is not connected."""

    async def close(self) -> None:
        """Send the waiting messages, if that can be done at once, and receive no more."""
