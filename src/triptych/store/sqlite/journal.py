"""The journal in SQLite, with the driver alone: each row is one statement, which is the transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

import msgspec

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
from triptych.store.sqlite.checkpoint import WalCheckpointer
from triptych.store.sqlite.executor import SingleThreadExecutor

_Result = TypeVar("_Result")

_MARKS: Final = f"SELECT value FROM marks WHERE name IN ('{EPOCH}', '{PROJECTED}') ORDER BY name"  # noqa: S608
_AFTER: Final = (
    "SELECT number, epoch, tables, frame, checksum, cut FROM journal WHERE number >= ? AND number < ?"
    " ORDER BY number LIMIT ?"
)
# Other partitions than 0 exist in the copy of a database that servers shared; nothing is written to them here.
_PARTITION_MARKS: Final = """
    SELECT coalesce((SELECT lane FROM servers WHERE lane = ? AND NOT over), 0),
    coalesce((SELECT value FROM marks WHERE name = ?), ?)
"""
_HEADS: Final = "SELECT table_id, version, damage FROM streams WHERE table_id IN (SELECT value FROM json_each(?))"
# One statement for all: the driver acquires Python's lock after each.
_REPLIES: Final = """
    SELECT told.* FROM json_each(?) AS wanted CROSS JOIN commands AS told
    ON told.table_id = json_extract(wanted.value, '$[0]') AND told.player = json_extract(wanted.value, '$[1]')
    AND told.cmd_id = json_extract(wanted.value, '$[2]')
"""
_COMMANDS: Final = "SELECT table_id, player, cmd_id FROM commands WHERE table_id IN (SELECT value FROM json_each(?))"
_WRITE: Final = f"""
    INSERT INTO journal (number, epoch, tables, frame, checksum) SELECT ?, ?, ?, ?, ?
    WHERE ? = (SELECT value FROM marks WHERE name = '{EPOCH}')
    AND ? = (SELECT coalesce(max(number), 0) FROM journal WHERE number <= ?)
"""  # noqa: S608 - the names are ours


class SqliteJournal:
    """See Journal. It runs in the same thread as all other writes, so it never waits for the file's lock."""

    def __init__(
        self, connect: Callable[[], sqlite3.Connection], thread: SingleThreadExecutor, log: WalCheckpointer
    ) -> None:
        self._connect = connect
        self._thread = thread
        self._log = log
        self._connection: sqlite3.Connection | None = None

    async def run(self, steps: JournalProgram[_Result]) -> _Result:
        """See Journal."""
        return await self._thread.run(partial(self._run, steps))

    def _run(self, steps: JournalProgram[_Result]) -> _Result:
        try:
            operation = next(steps)
            while True:
                operation = steps.send(self._execute(operation))
        except StopIteration as stop:
            result: _Result = stop.value
            return result

    def _execute(self, operation: JournalOp) -> Any:  # noqa: ANN401 - depends on the operation
        if self._connection is None:
            self._connection = self._connect()
        execute = self._connection.execute
        match operation:
            case WriteRow(row):
                values = (
                    row.number,
                    row.epoch,
                    row.tables,
                    row.frame,
                    row.checksum,
                    row.epoch,
                    row.number - 1,
                    row.number,
                )
                written = execute(_WRITE, values).rowcount == 1
                self._log.after_commit()
                return written
            case ReadReplies(keys):
                return decode_replies(execute(_REPLIES, (_json(keys),)))
            case ReadHeads(tables):
                return decode_heads(execute(_HEADS, (_json(tables),)))
            case ReadCommandIds(tables):
                return execute(_COMMANDS, (_json(tables),)).fetchall()
            case ReadRows(number):
                until = ((number >> PARTITION_SHIFT) + 1) << PARTITION_SHIFT
                return [JournalRow(*row) for row in execute(_AFTER, (number, until, PAGE_SIZE))]
            case ReadEpochEnds():
                return [number for (number,) in execute(EPOCH_ENDS)]
            case ReadPosition(partition) if partition:
                parameters = (partition, projected_mark(partition), partition << PARTITION_SHIFT)
                return execute(_PARTITION_MARKS, parameters).fetchone()
            case ReadPosition():
                return tuple(value for (value,) in execute(_MARKS))

    async def close(self) -> None:
        """See Journal."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await self._thread.run(connection.close)


def _json(values: object) -> str:
    return msgspec.json.encode(values).decode()
