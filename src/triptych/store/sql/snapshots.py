"""SnapshotStore in a database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, select

from triptych.store.bulk_insert import bulk_insert, upsert_clause
from triptych.store.checksums import is_intact, row_checksum
from triptych.store.schema import snapshots as _snapshots
from triptych.store.schema import streams, summaries
from triptych.store.snapshots import OpenStream, Snapshot
from triptych.store.sql.archive import without_snapshot
from triptych.store.sql.credentials import Query, Transact


class SqlSnapshots:
    """See SnapshotStore; `projected` sees to it that the tables' versions are those of the journal."""

    def __init__(self, rows: Query, write: Transact, projected: Callable[[], Awaitable[None]]) -> None:
        self._rows = rows
        self._write = write
        self._projected = projected

    async def get(self, table: str, form: str) -> Snapshot | None:
        """See SnapshotStore."""
        for row in await self._rows(_OF, {"of_table": table, "of_form": form}):
            if is_intact(row.checksum, row.payload, table, row.version, form):
                return Snapshot(table, row.version, form, row.payload)
        return None

    async def save(self, snapshots: Sequence[Snapshot]) -> None:
        """See SnapshotStore."""

        def work(connection: Connection) -> None:
            none = without_snapshot([one.table for one in snapshots], connection)
            if none:
                gone = [{"of_table": table} for table in none]
                connection.execute(_FORGET, gone)
                connection.execute(_FORGET_NOTE, gone)
            left = [one for one in snapshots if one.table not in none]
            bulk_insert(connection, _snapshots, [_row(one) for one in left], tail=upsert_clause(_snapshots))
            bulk_insert(connection, summaries, [_note(one) for one in left], tail=upsert_clause(summaries))

        if snapshots:
            await self._write(work)

    async def open_streams(self) -> Sequence[OpenStream]:
        """See SnapshotStore."""
        await self._projected()
        columns = (summaries.c.version.label("noted"), summaries.c.payload, summaries.c.checksum)
        wanted = (
            select(streams.c.table_id, streams.c.version, *columns)
            .select_from(streams.outerjoin(summaries, summaries.c.table_id == streams.c.table_id))
            .where(streams.c.ended.is_(False))
            .order_by(streams.c.id)
        )
        return tuple([_standing(row) for row in await self._rows(wanted)])

    async def clear(self) -> None:
        """See SnapshotStore."""

        def work(connection: Connection) -> None:
            connection.execute(delete(_snapshots))
            connection.execute(delete(summaries))

        await self._write(work)


def _row(one: Snapshot) -> tuple[str, int, str, bytes, bytes]:
    checksum = row_checksum(one.payload, one.table, one.version, one.form)
    return one.table, one.version, one.form, one.payload, checksum


def _note(one: Snapshot) -> tuple[str, int, bytes, bytes]:
    return one.table, one.version, one.summary, row_checksum(one.summary, one.table, one.version)


def _standing(row: Row[*tuple[Any, ...]]) -> OpenStream:
    if row.noted is None or not is_intact(row.checksum, row.payload, row.table_id, row.noted):
        return OpenStream(row.table_id, row.version)
    return OpenStream(row.table_id, row.version, row.noted, bytes(row.payload))


_OF = select(_snapshots).where(
    _snapshots.c.table_id == bindparam("of_table"), _snapshots.c.form == bindparam("of_form")
)
_FORGET = delete(_snapshots).where(_snapshots.c.table_id == bindparam("of_table"))
_FORGET_NOTE = delete(summaries).where(summaries.c.table_id == bindparam("of_table"))
