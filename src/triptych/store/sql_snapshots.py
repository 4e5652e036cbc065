"""SnapshotStore in a database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select

from triptych.store.checksum import is_whole, row_checksum
from triptych.store.schema import snapshots as _snapshots
from triptych.store.snapshots import Snapshot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from triptych.store.sql_people import Rows, Write


class SqlSnapshots:
    """See SnapshotStore."""

    def __init__(self, rows: Rows, write: Write) -> None:
        self._rows = rows
        self._write = write

    async def of(self, table: str, form: str) -> Snapshot | None:
        """See SnapshotStore."""
        wanted = select(_snapshots).where(_snapshots.c.table_id == table, _snapshots.c.form == form)
        for row in await self._rows(wanted):
            if is_whole(row.checksum, row.payload, table, row.version, form):
                return Snapshot(table, row.version, form, row.payload)
        return None

    async def keep(self, snapshots: Sequence[Snapshot]) -> None:
        """See SnapshotStore."""
        rows = [
            {
                "table_id": one.table,
                "version": one.version,
                "form": one.form,
                "payload": one.payload,
                "checksum": row_checksum(one.payload, one.table, one.version, one.form),
            }
            for one in snapshots
        ]

        def work(connection: Connection) -> None:
            connection.execute(_FORGET, [{"of_table": one.table} for one in snapshots])
            connection.execute(insert(_snapshots), rows)

        if rows:
            await self._write(work)

    async def clear(self) -> None:
        """See SnapshotStore."""
        await self._write(lambda connection: connection.execute(delete(_snapshots)))


_FORGET = delete(_snapshots).where(_snapshots.c.table_id == bindparam("of_table"))
