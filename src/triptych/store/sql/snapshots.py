"""SnapshotStore in a database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, select

from triptych.store.bulk_insert import bulk_insert, upsert_clause
from triptych.store.checksums import is_intact, row_checksum
from triptych.store.schema import snapshots as _snapshots
from triptych.store.schema import streams, summaries
from triptych.store.sql.archive import without_snapshot
from triptych.store.sql.guests import Query, Transact
from triptych.store.types import OpenStream, Snapshot


class SqlSnapshots:
    """See SnapshotStore; `projected` waits until every append is projected."""

    def __init__(self, rows: Query, write: Transact, projected: Callable[[], Awaitable[None]]) -> None:
        self._rows = rows
        self._write = write
        self._projected = projected

    async def get(self, table: str, form: str) -> Snapshot | None:
        """See SnapshotStore."""
        for row in await self._rows(_SELECT, {"of_table": table, "of_form": form}):
            if is_intact(row.checksum, row.payload, table, row.version, form):
                return Snapshot(table, row.version, form, row.payload)
        return None

    async def save(self, snapshots: Sequence[Snapshot]) -> None:
        """See SnapshotStore."""

        def work(connection: Connection) -> None:
            obsolete = without_snapshot([snapshot.table for snapshot in snapshots], connection)
            if obsolete:
                parameters = [{"of_table": table} for table in obsolete]
                connection.execute(_DELETE_SNAPSHOT, parameters)
                connection.execute(_DELETE_SUMMARY, parameters)
            remaining = [snapshot for snapshot in snapshots if snapshot.table not in obsolete]
            rows = [_snapshot_row(snapshot) for snapshot in remaining]
            bulk_insert(connection, _snapshots, rows, tail=upsert_clause(_snapshots))
            bulk_insert(connection, summaries, [_summary_row(s) for s in remaining], tail=upsert_clause(summaries))

        if snapshots:
            await self._write(work)

    async def open_streams(self) -> Sequence[OpenStream]:
        """See SnapshotStore."""
        await self._projected()
        columns = (summaries.c.version.label("noted"), summaries.c.payload, summaries.c.checksum)
        query = (
            select(streams.c.table_id, streams.c.version, *columns)
            .select_from(streams.outerjoin(summaries, summaries.c.table_id == streams.c.table_id))
            .where(streams.c.ended.is_(False))
            .order_by(streams.c.id)
        )
        return tuple([_open_stream(row) for row in await self._rows(query)])

    async def clear(self) -> None:
        """See SnapshotStore."""

        def work(connection: Connection) -> None:
            connection.execute(delete(_snapshots))
            connection.execute(delete(summaries))

        await self._write(work)


def _snapshot_row(snapshot: Snapshot) -> tuple[str, int, str, bytes, bytes]:
    table, version, form, payload = snapshot.table, snapshot.version, snapshot.form, snapshot.payload
    return table, version, form, payload, row_checksum(payload, table, version, form)


def _summary_row(snapshot: Snapshot) -> tuple[str, int, bytes, bytes]:
    table, version, summary = snapshot.table, snapshot.version, snapshot.summary
    return table, version, summary, row_checksum(summary, table, version)


def _open_stream(row: Row[*tuple[Any, ...]]) -> OpenStream:
    if row.noted is None or not is_intact(row.checksum, row.payload, row.table_id, row.noted):
        return OpenStream(row.table_id, row.version)
    return OpenStream(row.table_id, row.version, row.noted, bytes(row.payload))


_SELECT = select(_snapshots).where(
    _snapshots.c.table_id == bindparam("of_table"), _snapshots.c.form == bindparam("of_form")
)
_DELETE_SNAPSHOT = delete(_snapshots).where(_snapshots.c.table_id == bindparam("of_table"))
_DELETE_SUMMARY = delete(summaries).where(summaries.c.table_id == bindparam("of_table"))
