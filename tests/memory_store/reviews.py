"""ReviewStore in this process's memory."""

from __future__ import annotations

from triptych.store.types import StoredReview


class MemoryReviews:
    """See ReviewStore."""

    def __init__(self) -> None:
        self._reviews: dict[tuple[str, str, int], StoredReview] = {}

    async def get(self, player: str, table: str, deal: int) -> StoredReview | None:
        """See ReviewStore."""
        return self._reviews.get((player, table, deal))

    async def save(self, review: StoredReview, limit: int) -> None:
        """See ReviewStore."""
        self._reviews[review.player, review.table, review.deal] = review
        mine = [other for other in self._reviews.values() if other.player == review.player]
        for old in sorted(mine, key=lambda item: (-item.at, item.table))[limit:]:
            del self._reviews[old.player, old.table, old.deal]

    def drop(self, *, player: str = "", table: str = "") -> None:
        """Delete a player's reviews, or those of a table."""
        items = self._reviews.items()
        self._reviews = {key: review for key, review in items if review.player != player and review.table != table}
