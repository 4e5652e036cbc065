"""Reviews of deals that accounts keep: a cache, each can be measured again. A store knows bytes."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class StoredReview(Struct, frozen=True):
    """A player's review of one deal of a table; `at`: when it was kept (ms since the epoch).

    The payload is never shown in a repr: it holds cards.
    """

    player: str
    table: str
    deal: int
    at: int
    payload: bytes

    def __repr__(self) -> str:
        """Show everything but the bytes."""
        return f"{type(self).__name__}({self.player!r}, {self.table!r}, {self.deal}, {self.at}, ??)"


class ReviewStore(Protocol):
    """Reviews by player, table and deal."""

    async def get(self, player: str, table: str, deal: int) -> StoredReview | None:
        """Return a player's review; None without one that is what was written."""

    async def save(self, review: StoredReview, limit: int) -> None:
        """Keep a review in the place of an earlier one; of its player the newest `limit` stay."""
