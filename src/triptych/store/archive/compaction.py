"""Remove archived appends from the journal, which then holds those of hot tables only.

A row keeps its number and its checksum, which the next row's includes; its remaining appends get another checksum.
Of consecutive empty rows only the last stays. Appends are removed only when they are projected. The last row of a
partition is never deleted: the writer continues after its number and checksum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from sqlalchemy import Connection, delete, func, select, text, update

from triptych.store.checksums import FIRST
from triptych.store.journal.batch import command_id_of
from triptych.store.journal.rows import PARTITION_SHIFT, JournalRow, compacted_row, decode_rows, streams_of
from triptych.store.projections.project import projected_mark
from triptych.store.schema import archive, commands, counters, journal, servers
from triptych.store.types import Append

PAGE: Final = 1_000
_TRANSACTION_ROWS: Final = 50
_QUERY_NAMES: Final = 500
_T = TypeVar("_T")


class RowRange(NamedTuple):
    """Projected rows of a partition: those after `after`, up to `until`."""

    after: int
    until: int


def compactable_ranges(connection: Connection) -> Sequence[RowRange]:
    """Return the rows of each partition that may be compacted."""
    ranges: list[RowRange] = []
    partition = 0
    while True:
        first = connection.execute(
            select(func.min(journal.c.number)).where(journal.c.number >= partition << PARTITION_SHIFT)
        ).scalar()
        if first is None:
            return ranges
        partition = first >> PARTITION_SHIFT
        until = _projected(connection, partition)
        if until is not None and until >= first:
            ranges.append(RowRange(partition << PARTITION_SHIFT, until))
        partition += 1


def _projected(connection: Connection, partition: int) -> int | None:
    """Return the number of a partition's last projected row; None when nothing is projected yet."""
    projected: int | None = connection.execute(
        select(counters.c.value).where(counters.c.name == projected_mark(partition))
    ).scalar()
    if projected is not None or partition == 0:
        return projected
    if connection.execute(select(servers.c.lane).where(servers.c.lane == partition)).scalar() is not None:
        return None  # its server has just begun
    last: int | None = connection.execute(  # its server's record was deleted: all of it is projected
        select(func.max(journal.c.number)).where(journal.c.number < (partition + 1) << PARTITION_SHIFT)
    ).scalar()
    return last


class CompactionPage(NamedTuple):
    """Rows that hold archived appends; `after`: the last row that was searched, None at the end."""

    numbers: Sequence[int]
    versions: Mapping[str, int]
    after: int | None


def find_rows(row_range: RowRange, connection: Connection) -> CompactionPage:
    """Return the rows to be compacted in the next page of a range."""
    query = (
        select(journal.c.number, journal.c.tables)
        .where(journal.c.number > row_range.after, journal.c.number <= row_range.until)
        .order_by(journal.c.number)
        .limit(PAGE)
    )
    rows = [(row.number, streams_of(row.tables)) for row in connection.execute(query)]
    versions = _versions({table for _, tables in rows for table in tables}, connection)
    numbers = [number for number, tables in rows if any(table in versions for table in tables)]
    return CompactionPage(numbers, versions, rows[-1][0] if len(rows) == PAGE else None)


def _versions(tables: Iterable[str], connection: Connection) -> Mapping[str, int]:
    versions: dict[str, int] = {}
    for names in _split(sorted(tables), _QUERY_NAMES):
        query = select(archive.c.table_id, archive.c.version).where(archive.c.table_id.in_(names))
        versions.update({row.table_id: row.version for row in connection.execute(query)})
    return versions


def chunks(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Divide rows into transactions."""
    return _split(numbers, _TRANSACTION_ROWS)


def _split(values: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    return (values[first : first + size] for first in range(0, len(values), size))


def compact_rows(numbers: Sequence[int], versions: Mapping[str, int], connection: Connection) -> None:
    """Remove the archived appends from rows; a corrupt row stays as it is."""
    for number in numbers:
        row = _row(number, connection)
        if row is None:
            continue
        (decoded,) = decode_rows([row], _checksum_before(number, connection))
        if decoded.appends is None:
            continue
        remaining = tuple([append for append in decoded.appends if not _is_archived(append, versions)])
        if len(remaining) == len(decoded.appends):
            continue
        compacted = compacted_row(row, remaining)
        changed = {"tables": compacted.tables, "frame": compacted.frame, "cut": compacted.compacted_checksum}
        connection.execute(update(journal).where(journal.c.number == number).values(changed))
        _delete_replies([append for append in decoded.appends if append not in remaining], connection)


def _is_archived(append: Append, versions: Mapping[str, int]) -> bool:
    return append.expected_version + len(append.events) <= versions.get(append.table, -1)


def _row(number: int, connection: Connection) -> JournalRow | None:
    stored = connection.execute(select(journal).where(journal.c.number == number)).one_or_none()
    return None if stored is None else JournalRow(*stored)


def _checksum_before(number: int, connection: Connection) -> bytes:
    query = (
        select(journal.c.checksum)
        .where(journal.c.number < number, journal.c.number >= number >> PARTITION_SHIFT << PARTITION_SHIFT)
        .order_by(journal.c.number.desc())
        .limit(1)
    )
    checksum: bytes | None = connection.execute(query).scalar()
    return FIRST if checksum is None else checksum


def _delete_replies(appends: Iterable[Append], connection: Connection) -> None:
    for append in appends:
        key = command_id_of(append)
        if key is not None:
            table, player, cmd_id = key
            command = (commands.c.table_id == table) & (commands.c.player == player) & (commands.c.cmd_id == cmd_id)
            connection.execute(delete(commands).where(command))


_DELETE_EMPTY: Final = text("""
    DELETE FROM journal WHERE number > :after AND number < :until AND tables = '' AND cut IS NOT NULL
    AND (SELECT next.tables FROM journal AS next WHERE next.number > journal.number ORDER BY next.number LIMIT 1) = ''
""")


def drop_empty_rows(row_range: RowRange, connection: Connection) -> None:
    """Delete empty rows, except the last of each run of consecutive ones."""
    connection.execute(_DELETE_EMPTY, {"after": row_range.after, "until": row_range.until})
