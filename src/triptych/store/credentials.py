"""How guests are known again, as a store keeps it: what they show, where they are signed in, who has gone for good.

It knows bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct


class Credential(Struct, frozen=True):
    """What a guest shows: `name` is unique in the house, `payload` is what it is checked against.

    The payload is never shown in a repr: it may be the hash of a password.
    """

    name: str
    player: str
    payload: bytes

    def __repr__(self) -> str:
        """Show everything but the bytes."""
        return f"{type(self).__name__}({self.name!r}, {self.player!r}, ??)"


class Session(Struct, frozen=True):
    """A browser that is signed in as a guest: its program and system, since when and when it last came (ms)."""

    player: str
    session: str
    browser: str
    system: str
    made: int
    seen: int


class Revoked(NamedTuple):
    """Which cookies are worth nothing: those of ended sessions, and of epochs before a guest's own."""

    sessions: frozenset[tuple[str, str]]
    epochs: dict[str, int]


class CredentialStore(Protocol):
    """Credentials and sessions of guests, and the guests who are to be known no more."""

    async def credential(self, name: str) -> Credential | None:
        """Return a credential by its name."""

    async def credentials(self, player: str) -> Sequence[Credential]:
        """Return a guest's credentials, in the order of their names."""

    async def put(self, credential: Credential) -> bool:
        """Keep a credential, in the place of the guest's own of that name; False when the name is somebody else's."""

    async def delete(self, credential: Credential) -> bool:
        """Keep a guest's credential no longer; False when there was none."""

    async def sessions(self, player: str) -> Sequence[Session]:
        """Return where a guest is signed in, as far as that was kept, in the order of the sessions' ids."""

    async def keep_session(self, session: Session) -> None:
        """Keep a session, or when it last came and with which browser; one that has ended stays ended."""

    async def end_session(self, player: str, session: str) -> None:
        """Note that a session has ended, whether it was kept or not."""

    async def end_sessions(self, player: str) -> int:
        """End all sessions of a guest; returns the epoch that begins."""

    async def epoch(self, player: str) -> int:
        """Return how often all sessions of a guest were ended."""

    async def revoked(self) -> Revoked:
        """Return which cookies are worth nothing."""

    async def delete_guest(self, player: str) -> None:
        """Delete all that is kept of a guest, and note that the id is nobody's any more."""

    async def deleted_guests(self) -> Sequence[str]:
        """Return the ids that are nobody's any more."""
