"""The journal in SQLite, by the driver alone: a row is one statement, and the statement is the transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

import msgspec

from triptych.store.checksums import is_intact
from triptych.store.errors import CorruptRecordError
from triptych.store.journal.rows import (
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
)
from triptych.store.journal.writer import ANSWER
from triptych.store.projections.project import EPOCH, PROJECTED, projected_mark
from triptych.store.sqlite.checkpoint import WalCheckpointer
from triptych.store.sqlite.executor import SingleThreadExecutor

_Result = TypeVar("_Result")

_MARKS: Final = f"SELECT value FROM marks WHERE name IN ('{EPOCH}', '{PROJECTED}') ORDER BY name"  # noqa: S608
_AFTER: Final = (
    "SELECT number, epoch, tables, frame, checksum, cut FROM journal WHERE number >= ? AND number < ?"
    " ORDER BY number LIMIT ?"
)
# Other lanes than the first are there in the copy of a database that servers shared; nobody writes in them here.
_LANE_MARKS: Final = """
    SELECT coalesce((SELECT lane FROM servers WHERE lane = ? AND NOT over), 0),
    coalesce((SELECT value FROM marks WHERE name = ?), ?)
"""
_RUNS: Final = "SELECT max(number) FROM journal GROUP BY epoch ORDER BY epoch"
_HEADS: Final = "SELECT table_id, version, damage FROM streams WHERE table_id IN (SELECT value FROM json_each(?))"
# One statement for all: the driver asks for Python's lock after each.
_ANSWERS: Final = """
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
    """See Journal. It works in the thread in which everything else is written, so it never waits for the file."""

    def __init__(
        self, connect: Callable[[], sqlite3.Connection], thread: SingleThreadExecutor, log: WalCheckpointer
    ) -> None:
        self._connect = connect
        self._thread = thread
        self._log = log
        self._connection: sqlite3.Connection | None = None

    async def run(self, steps: JournalProgram[_Result]) -> _Result:
        """See Journal."""
        return await self._thread.run(partial(self._do, steps))

    def _do(self, steps: JournalProgram[_Result]) -> _Result:
        try:
            ask = next(steps)
            while True:
                ask = steps.send(self._execute(ask))
        except StopIteration as done:
            result: _Result = done.value
            return result

    def _execute(self, ask: JournalOp) -> Any:  # noqa: ANN401 - by what is asked
        if self._connection is None:
            self._connection = self._connect()
        say = self._connection.execute
        match ask:
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
                written = say(_WRITE, values).rowcount == 1
                self._log.after_commit()
                return written
            case ReadReplies(keys):
                return {
                    (table, *key): answer
                    if is_intact(checksum, answer, table, *key)
                    else CorruptRecordError(table, ANSWER)
                    for table, *key, answer, checksum in say(_ANSWERS, (_json(keys),))
                }
            case ReadHeads(tables):
                heads = say(_HEADS, (_json(tables),))
                return {
                    table: CorruptRecordError(table, damage) if damage else version
                    for table, version, damage in heads
                }
            case ReadCommandIds(tables):
                return say(_COMMANDS, (_json(tables),)).fetchall()
            case ReadRows(number):
                until = ((number >> PARTITION_SHIFT) + 1) << PARTITION_SHIFT
                return [JournalRow(*row) for row in say(_AFTER, (number, until, PAGE_SIZE))]
            case ReadEpochEnds():
                return [number for (number,) in say(_RUNS)]
            case ReadPosition(lane) if lane:
                return say(_LANE_MARKS, (lane, projected_mark(lane), lane << PARTITION_SHIFT)).fetchone()
            case ReadPosition():
                return tuple(value for (value,) in say(_MARKS))

    async def close(self) -> None:
        """See Journal."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await self._thread.run(connection.close)


def _json(values: object) -> str:
    return msgspec.json.encode(values).decode()
