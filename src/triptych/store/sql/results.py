"""RecordStore in a database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, select, tuple_

from triptych.store.bulk_insert import add, replaced
from triptych.store.results import Evening, Line, Record
from triptych.store.schema import evenings as _evenings
from triptych.store.schema import recorded, results, streams
from triptych.store.sql.archive import NOT_EXPIRED, expired_among

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from sqlalchemy import Connection, Row

    from triptych.store.sql.credentials import Rows, Write


class SqlRecords:
    """See RecordStore."""

    def __init__(self, rows: Rows, write: Write, projected: Callable[[], Awaitable[None]]) -> None:
        """`projected` waits until everything that was appended is among the rows."""
        self._rows = rows
        self._write = write
        self._projected = projected

    async def behind(self) -> Sequence[str]:
        """See RecordStore."""
        await self._projected()
        known = streams.outerjoin(recorded, recorded.c.table_id == streams.c.table_id)
        wanted = (
            select(streams.c.table_id)
            .select_from(known)
            .where(streams.c.version > func.coalesce(recorded.c.version, 0), NOT_EXPIRED)
            .order_by(streams.c.id)
        )
        return tuple([row.table_id for row in await self._rows(wanted)])

    async def reached(self, table: str) -> int:
        """See RecordStore."""
        wanted = select(recorded.c.version).where(recorded.c.table_id == table)
        return next((row.version for row in await self._rows(wanted)), 0)

    async def record(self, records: Sequence[Record]) -> None:
        """See RecordStore."""

        def work(connection: Connection) -> None:
            gone = expired_among([record.table for record in records], connection)
            kept = [record for record in records if record.table not in gone]
            lines = [(e.player, e.table, e.deal, e.at, e.payload) for record in kept for e in record.lines]
            add(connection, results, lines, tail=replaced(results))
            changed = [(e.player, e.table, e.at, e.payload) for record in kept for e in record.evenings]
            add(connection, _evenings, changed, tail=replaced(_evenings))
            add(connection, recorded, [(e.table, e.version) for e in kept], tail=replaced(recorded))

        if records:
            await self._write(work)

    async def evenings_at(self, table: str) -> Sequence[Evening]:
        """See RecordStore."""
        wanted = select(_evenings).where(_evenings.c.table_id == table).order_by(_evenings.c.player)
        return tuple([_evening(row) for row in await self._rows(wanted)])

    async def evening_of(self, player: str, table: str) -> Evening | None:
        """See RecordStore."""
        wanted = select(_evenings).where(_evenings.c.player == player, _evenings.c.table_id == table)
        return next((_evening(row) for row in await self._rows(wanted)), None)

    async def evenings_of(self, player: str, limit: int, before: tuple[int, str] | None = None) -> Sequence[Evening]:
        """See RecordStore."""
        wanted = select(_evenings).where(_evenings.c.player == player)
        if before is not None:
            wanted = wanted.where(tuple_(_evenings.c.at, _evenings.c.table_id) < tuple_(*before))
        newest = wanted.order_by(_evenings.c.at.desc(), _evenings.c.table_id.desc()).limit(limit)
        return tuple([_evening(row) for row in await self._rows(newest)])

    async def lines_of(self, player: str, table: str, limit: int, after: int = 0) -> Sequence[Line]:
        """See RecordStore."""
        mine = (results.c.player == player) & (results.c.table_id == table) & (results.c.deal > after)
        wanted = select(results).where(mine).order_by(results.c.deal).limit(limit)
        found = await self._rows(wanted)
        return tuple([Line(row.player, row.table_id, row.deal, row.at, bytes(row.payload)) for row in found])

    async def clear(self) -> None:
        """See RecordStore."""

        def work(connection: Connection) -> None:
            for table in (recorded, results, _evenings):
                connection.execute(delete(table))

        await self._write(work)


def _evening(row: Row[*tuple[Any, ...]]) -> Evening:
    return Evening(row.player, row.table_id, row.at, bytes(row.payload))
