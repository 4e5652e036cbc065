"""Saved reviews of accounts' deals. They are a cache: each can be computed again. Payloads are opaque bytes here."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class StoredReview(Struct, frozen=True):
    """A player's review of one deal of a table; `at`: when it was saved (ms since the epoch).

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
        """Return a player's review; None when it is missing or corrupt."""

    async def save(self, review: StoredReview, limit: int) -> None:
        """Save a review, replacing an earlier one; the newest `limit` of the player stay."""
