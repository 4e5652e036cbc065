"""SnapshotStore in a database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, select

from triptych.store.bulk_insert import add, replaced
from triptych.store.checksums import is_whole, row_checksum
from triptych.store.schema import notes, streams
from triptych.store.schema import snapshots as _snapshots
from triptych.store.snapshots import Snapshot, Standing
from triptych.store.sql.archive import without_snapshot

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import Any

    from sqlalchemy import Connection, Row

    from triptych.store.sql.credentials import Rows, Write


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

        def work(connection: Connection) -> None:
            none = without_snapshot([one.table for one in snapshots], connection)
            if none:
                gone = [{"of_table": table} for table in none]
                connection.execute(_FORGET, gone)
                connection.execute(_FORGET_NOTE, gone)
            left = [one for one in snapshots if one.table not in none]
            add(connection, _snapshots, [_row(one) for one in left], tail=replaced(_snapshots))
            add(connection, notes, [_note(one) for one in left], tail=replaced(notes))

        if snapshots:
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


def _row(one: Snapshot) -> tuple[str, int, str, bytes, bytes]:
    checksum = row_checksum(one.payload, one.table, one.version, one.form)
    return one.table, one.version, one.form, one.payload, checksum


def _note(one: Snapshot) -> tuple[str, int, bytes, bytes]:
    return one.table, one.version, one.note, row_checksum(one.note, one.table, one.version)


def _standing(row: Row[*tuple[Any, ...]]) -> Standing:
    if row.noted is None or not is_whole(row.checksum, row.payload, row.table_id, row.noted):
        return Standing(row.table_id, row.version)
    return Standing(row.table_id, row.version, row.noted, bytes(row.payload))


_OF = select(_snapshots).where(
    _snapshots.c.table_id == bindparam("of_table"), _snapshots.c.form == bindparam("of_form")
)
_FORGET = delete(_snapshots).where(_snapshots.c.table_id == bindparam("of_table"))
_FORGET_NOTE = delete(notes).where(notes.c.table_id == bindparam("of_table"))
