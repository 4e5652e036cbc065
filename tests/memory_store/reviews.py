"""ReviewStore in this process's memory."""

from __future__ import annotations

from triptych.store.reviews import StoredReview


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
        mine = [one for one in self._reviews.values() if one.player == review.player]
        for old in sorted(mine, key=lambda one: (-one.at, one.table))[limit:]:
            del self._reviews[old.player, old.table, old.deal]

    def drop(self, *, player: str = "", table: str = "") -> None:
        """Delete a player's reviews, or those of a table."""
        items = self._reviews.items()
        self._reviews = {key: one for key, one in items if one.player != player and one.table != table}
