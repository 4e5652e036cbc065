"""What servers of one house tell each other: who is there, and what the lobby shows. Never a card, never a point.

The truth is in the database. Whatever is lost here costs news alone: a line in the lobby is old for a while.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

import msgspec
from msgspec import Raw, Struct

from triptych.server.tournaments.summary import TournamentSummary

MAX_MESSAGE_BYTES: Final = 64 * 1024


class ServerJoined(Struct, frozen=True, tag="came"):
    """A server has come, or could not hear the others for a while: it wants to know all that they show."""

    server: int


class ServerLeft(Struct, frozen=True, tag="left"):
    """A server has left, or was found dead: its tables are free."""

    server: int


class TableAnnouncement(Struct, frozen=True, array_like=True):
    """How a table is, as it was sent (tables/summary.py), and which guests follow it."""

    table: str
    glance: Raw
    followers: list[str]


class TablesUpdated(Struct, frozen=True, tag="shown"):
    """How some tables are now that a server has in memory, for the lobby: nobody reads one before it is asked for."""

    server: int
    tables: list[TableAnnouncement]


class TournamentUpdated(Struct, frozen=True, tag="cup"):
    """How a tournament is now that a server plays, as the lobby shows it."""

    server: int
    glance: TournamentSummary


class TableUnloaded(Struct, frozen=True, tag="gone"):
    """A server has a table in memory no longer; as it was shown last, it stays or is closed."""

    server: int
    table: str


class GuestRenamed(Struct, frozen=True, tag="renamed"):
    """A guest has another name."""

    server: int
    player: str
    name: str


class GuestDeleted(Struct, frozen=True, tag="forgotten"):
    """A guest wished to be forgotten: their cookies name nobody any more."""

    server: int
    player: str


class TokenRevoked(Struct, frozen=True, tag="taken_back"):
    """A guest's token, by its id, counts no more."""

    server: int
    player: str
    token: str


class SignedOut(Struct, frozen=True, tag="signed_out"):
    """A guest has ended a session, by its id; or all before an epoch, where the epoch is not 0."""

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


def encode(news: ClusterMessage) -> bytes:
    """Return news as they are sent."""
    return _WRITE.encode(news)


def decode(sent: bytes) -> ClusterMessage | None:
    """Return news as they were sent; None for what is none."""
    if len(sent) > MAX_MESSAGE_BYTES:
        return None
    try:
        return _READ.decode(sent)
    except msgspec.MsgspecError:
        return None


class MessageBus(Protocol):
    """One server's part in it."""

    async def open(self, house: str, hear: Callable[[ClusterMessage], None], again: Callable[[], None]) -> None:
        """Begin to hear what other servers of the house (a word) tell; returns also when nobody can be reached yet.

        `again` is called when news may have been missed, the first time too: once connected, and after each cut.
        """

    def publish(self, news: ClusterMessage) -> None:
        """Tell the others; never waits, and while they cannot be reached it is not told at all."""

    async def close(self) -> None:
        """Tell what is not told yet, if that can be done at once; then hear nothing more."""
