"""ReviewStore in a database."""

from __future__ import annotations

from functools import partial

from sqlalchemy import Connection, delete, insert, select

from triptych.store.checksums import is_intact, row_checksum
from triptych.store.schema import reviews
from triptych.store.sql.credentials import Query, Transact
from triptych.store.types import StoredReview


class SqlReviews:
    """See ReviewStore."""

    def __init__(self, rows: Query, write: Transact) -> None:
        self._rows = rows
        self._write = write

    async def get(self, player: str, table: str, deal: int) -> StoredReview | None:
        """See ReviewStore."""
        same_deal = (reviews.c.player == player) & (reviews.c.table_id == table) & (reviews.c.deal == deal)
        for row in await self._rows(select(reviews).where(same_deal)):
            if is_intact(row.checksum, row.payload, player, table, deal, row.at):
                return StoredReview(player, table, deal, row.at, bytes(row.payload))
        return None

    async def save(self, review: StoredReview, limit: int) -> None:
        """See ReviewStore."""
        await self._write(partial(_save, review, limit))


def _save(review: StoredReview, limit: int, connection: Connection) -> None:
    player, table, deal, at, payload = review.player, review.table, review.deal, review.at, review.payload
    own = reviews.c.player == player
    connection.execute(delete(reviews).where(own, reviews.c.table_id == table, reviews.c.deal == deal))
    checksum = row_checksum(payload, player, table, deal, at)
    row = {"player": player, "table_id": table, "deal": deal, "at": at, "payload": payload, "checksum": checksum}
    connection.execute(insert(reviews).values(row))
    newest = select(reviews.c.table_id, reviews.c.deal).where(own).order_by(reviews.c.at.desc(), reviews.c.table_id)
    for old in connection.execute(newest.offset(limit)).all():
        same_deal = (reviews.c.table_id == old.table_id) & (reviews.c.deal == old.deal)
        connection.execute(delete(reviews).where(own, same_deal))
