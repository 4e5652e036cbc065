"""The interface for credentials, sessions and deleted guests. Payloads are opaque bytes here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct


class Credential(Struct, frozen=True):
    """A guest's credential: `name` is unique on the server, `payload` is what a sign-in is checked against.

    The payload is never shown in a repr: it may be the hash of a password.
    """

    name: str
    player: str
    payload: bytes

    def __repr__(self) -> str:
        """Show everything but the bytes."""
        return f"{type(self).__name__}({self.name!r}, {self.player!r}, ??)"


class Session(Struct, frozen=True):
    """A browser that is signed in as a guest: its program, its system, and its first and last visit (ms)."""

    player: str
    session: str
    browser: str
    system: str
    made: int
    seen: int


class Revoked(NamedTuple):
    """The invalid cookies: those of ended sessions, and those of epochs before a guest's current one."""

    sessions: frozenset[tuple[str, str]]
    epochs: dict[str, int]


class CredentialStore(Protocol):
    """Credentials and sessions of guests, and the ids of deleted guests."""

    async def credential(self, name: str) -> Credential | None:
        """Return a credential by its name."""

    async def credentials(self, player: str) -> Sequence[Credential]:
        """Return a guest's credentials, in the order of their names."""

    async def put(self, credential: Credential) -> bool:
        """Save a credential, replacing the guest's own of that name; False when the name is another guest's."""

    async def delete(self, credential: Credential) -> bool:
        """Delete a guest's credential; False when there was none."""

    async def sessions(self, player: str) -> Sequence[Session]:
        """Return a guest's stored sessions, in the order of their ids."""

    async def keep_session(self, session: Session) -> None:
        """Save a session, or update its last visit and its browser; an ended session stays ended."""

    async def end_session(self, player: str, session: str) -> None:
        """End a session, whether it was stored or not."""

    async def end_sessions(self, player: str) -> int:
        """End all sessions of a guest; return the epoch that begins."""

    async def epoch(self, player: str) -> int:
        """Return a guest's epoch: how often all of their sessions were ended."""

    async def revoked(self) -> Revoked:
        """Return the invalid cookies."""

    async def delete_guest(self, player: str) -> None:
        """Delete everything that is stored of a guest, and add the id to the deleted ones."""

    async def deleted_guests(self) -> Sequence[str]:
        """Return the ids of deleted guests."""
