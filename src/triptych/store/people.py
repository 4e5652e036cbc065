"""How guests are known again, as a store keeps it: what they show, and who has gone for good. It knows bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence


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


class PeopleStore(Protocol):
    """Credentials of guests, and the guests who are to be known no more."""

    async def credential(self, name: str) -> Credential | None:
        """Return a credential by its name."""

    async def credentials(self, player: str) -> Sequence[Credential]:
        """Return a guest's credentials, in the order of their names."""

    async def keep(self, credential: Credential) -> bool:
        """Keep a credential, in the place of the guest's own of that name; False when the name is somebody else's."""

    async def drop(self, credential: Credential) -> bool:
        """Keep a guest's credential no longer; False when there was none."""

    async def forget(self, player: str) -> None:
        """Delete a guest's name, credentials and results, and note that the id is nobody's any more."""

    async def gone(self) -> Sequence[str]:
        """Return the ids that are nobody's any more."""
