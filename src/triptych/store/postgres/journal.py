"""The journal in PostgreSQL, with the driver alone: each row is one statement, which is the transaction."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from triptych.store.journal.rows import (
    EPOCH_ENDS,
    PAGE_SIZE,
    PARTITION_SHIFT,
    JournalOp,
    JournalProgram,
    JournalRow,
    ReadCommandIds,
    ReadEpochEnds,
    ReadHeads,
    ReadPosition,
    ReadReplies,
    ReadRows,
    WriteRow,
    decode_heads,
    decode_replies,
)
from triptych.store.projections.project import EPOCH, PROJECTED, projected_mark

if TYPE_CHECKING:
    from asyncpg import Connection

_Result = TypeVar("_Result")
_WRITTEN: Final = "INSERT 0 1"

_MARKS: Final = f"SELECT value FROM marks WHERE name IN ('{EPOCH}', '{PROJECTED}') ORDER BY name"  # noqa: S608
_AFTER: Final = (
    "SELECT number, epoch, tables, frame, checksum, cut FROM journal WHERE number >= $1 AND number < $2"
    " ORDER BY number LIMIT $3"
)
_PARTITION_MARKS: Final = """
    SELECT coalesce((SELECT lane FROM servers WHERE lane = $1 AND NOT over), 0),
    coalesce((SELECT value FROM marks WHERE name = $2), $3)
"""
_HEADS: Final = "SELECT table_id, version, damage FROM streams WHERE table_id = ANY($1::text[])"
_REPLIES: Final = """
    SELECT told.table_id, told.player, told.cmd_id, told.answer, told.checksum
    FROM unnest($1::text[], $2::text[], $3::text[]) AS wanted (table_id, player, cmd_id)
    JOIN commands AS told USING (table_id, player, cmd_id)
"""
_COMMANDS: Final = "SELECT table_id, player, cmd_id FROM commands WHERE table_id = ANY($1::text[])"
# The mark is locked against the beginning of a new epoch, so then no row of an older epoch is still being written.
# Two writers that continue after the same row use the same number, and the second waits for the first.
_WRITE: Final = f"""
    INSERT INTO journal (number, epoch, tables, frame, checksum)
    SELECT $1::bigint, $2, $3, $4, $5 FROM marks WHERE name = '{EPOCH}' AND value = $2
    AND $1 - 1 = (SELECT coalesce(max(number), 0) FROM journal WHERE number <= $1) FOR SHARE OF marks
    ON CONFLICT DO NOTHING
"""  # noqa: S608 - the names are ours
# As above: fencing a server waits for the row that it is writing, and it writes no row afterwards.
_WRITE_PARTITION: Final = """
    INSERT INTO journal (number, epoch, tables, frame, checksum)
    SELECT $1::bigint, $2, $3, $4, $5 FROM servers WHERE lane = $6 AND NOT over
    AND $1 - 1 = (SELECT coalesce(max(number), $7) FROM journal WHERE number > $7 AND number <= $1)
    FOR SHARE OF servers
    ON CONFLICT DO NOTHING
"""


class PostgresJournal:
    """See Journal. `connection` lends the one connection that writes and holds the lock."""

    def __init__(self, connection: Callable[[], AbstractAsyncContextManager[Connection]]) -> None:
        self._connection = connection

    async def run(self, steps: JournalProgram[_Result]) -> _Result:
        """See Journal."""
        async with self._connection() as connection:
            try:
                operation = next(steps)
                while True:
                    operation = steps.send(await _execute(operation, connection))
            except StopIteration as stop:
                result: _Result = stop.value
                return result

    async def close(self) -> None:
        """See Journal; the connection belongs to the database object."""


async def _execute(operation: JournalOp, connection: Connection) -> Any:  # noqa: ANN401 - depends on the operation
    match operation:
        case WriteRow(row):
            values = (row.number, row.epoch, row.tables, row.frame, row.checksum)
            partition = row.number >> PARTITION_SHIFT
            if partition:
                first = partition << PARTITION_SHIFT
                return await connection.execute(_WRITE_PARTITION, *values, partition, first) == _WRITTEN
            return await connection.execute(_WRITE, *values) == _WRITTEN
        case ReadReplies(keys):
            return decode_replies(await connection.fetch(_REPLIES, *map(list, zip(*keys, strict=True))))
        case ReadHeads(tables):
            return decode_heads(await connection.fetch(_HEADS, list(tables)))
        case ReadCommandIds(tables):
            return [tuple(row) for row in await connection.fetch(_COMMANDS, list(tables))]
        case ReadRows(number):
            until = ((number >> PARTITION_SHIFT) + 1) << PARTITION_SHIFT
            return [JournalRow(*row) for row in await connection.fetch(_AFTER, number, until, PAGE_SIZE)]
        case ReadEpochEnds():
            return [number for (number,) in await connection.fetch(EPOCH_ENDS)]
        case ReadPosition(partition) if partition:
            parameters = (partition, projected_mark(partition), partition << PARTITION_SHIFT)
            return tuple(await connection.fetchrow(_PARTITION_MARKS, *parameters))
        case ReadPosition():
            return tuple(value for (value,) in await connection.fetch(_MARKS))
