"""SnapshotStore in a database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select

from triptych.store.checksum import is_whole, row_checksum
from triptych.store.schema import notes, streams
from triptych.store.schema import snapshots as _snapshots
from triptych.store.snapshots import Snapshot, Standing
from triptych.store.sql_archive import without_snapshot

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import Any

    from sqlalchemy import Connection, Row

    from triptych.store.sql_people import Rows, Write


class SqlSnapshots:
    """See SnapshotStore; `projected` sees to it that the tables' versions are those of the journal."""

    def __init__(self, rows: Rows, write: Write, projected: Callable[[], Awaitable[None]]) -> None:
        self._rows = rows
        self._write = write
        self._projected = projected

    async def of(self, table: str, form: str) -> Snapshot | None:
        """See SnapshotStore."""
        for row in await self._rows(_OF, {"of_table": table, "of_form": form}):
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
        noted = [
            {
                "table_id": one.table,
                "version": one.version,
                "payload": one.note,
                "checksum": row_checksum(one.note, one.table, one.version),
            }
            for one in snapshots
        ]

        def work(connection: Connection) -> None:
            names = [{"of_table": one.table} for one in snapshots]
            connection.execute(_FORGET, names)
            connection.execute(_FORGET_NOTE, names)
            none = without_snapshot([one.table for one in snapshots], connection)
            for table, those in ((_snapshots, rows), (notes, noted)):
                left = [row for row in those if row["table_id"] not in none]
                if left:
                    connection.execute(insert(table), left)

        if rows:
            await self._write(work)

    async def standing(self) -> Sequence[Standing]:
        """See SnapshotStore."""
        await self._projected()
        columns = (notes.c.version.label("noted"), notes.c.payload, notes.c.checksum)
        wanted = (
            select(streams.c.table_id, streams.c.version, *columns)
            .select_from(streams.outerjoin(notes, notes.c.table_id == streams.c.table_id))
            .where(streams.c.ended.is_(False))
            .order_by(streams.c.id)
        )
        return tuple([_standing(row) for row in await self._rows(wanted)])

    async def clear(self) -> None:
        """See SnapshotStore."""

        def work(connection: Connection) -> None:
            connection.execute(delete(_snapshots))
            connection.execute(delete(notes))

        await self._write(work)


def _standing(row: Row[*tuple[Any, ...]]) -> Standing:
    if row.noted is None or not is_whole(row.checksum, row.payload, row.table_id, row.noted):
        return Standing(row.table_id, row.version)
    return Standing(row.table_id, row.version, row.noted, bytes(row.payload))


_OF = select(_snapshots).where(
    _snapshots.c.table_id == bindparam("of_table"), _snapshots.c.form == bindparam("of_form")
)
_FORGET = delete(_snapshots).where(_snapshots.c.table_id == bindparam("of_table"))
_FORGET_NOTE = delete(notes).where(notes.c.table_id == bindparam("of_table"))
