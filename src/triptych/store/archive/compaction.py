"""What is put away (archive.py) goes from the journal, which then holds the hot tables' appends and no others.

A row keeps its number and the checksum that the next one's is made of; what is left in it has a checksum of its own.
Of rows one after the other in which nothing is left the last one stays. Nothing is cut that is not projected, and
never the last row of a lane: where a lane goes on, and behind what, is read from there.
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
_TOGETHER: Final = 50
_NAMES: Final = 500
_T = TypeVar("_T")


class RowRange(NamedTuple):
    """Rows of a lane that are projected: those after `after`, up to `until`."""

    after: int
    until: int


def compactable_ranges(connection: Connection) -> Sequence[RowRange]:
    """Return what of each lane may be cut."""
    ranges: list[RowRange] = []
    lane = 0
    while True:
        first = connection.execute(
            select(func.min(journal.c.number)).where(journal.c.number >= lane << PARTITION_SHIFT)
        ).scalar()
        if first is None:
            return ranges
        lane = first >> PARTITION_SHIFT
        until = _projected(connection, lane)
        if until is not None and until >= first:
            ranges.append(RowRange(lane << PARTITION_SHIFT, until))
        lane += 1


def _projected(connection: Connection, lane: int) -> int | None:
    reached: int | None = connection.execute(
        select(counters.c.value).where(counters.c.name == projected_mark(lane))
    ).scalar()
    if reached is not None or lane == 0:
        return reached
    if connection.execute(select(servers.c.lane).where(servers.c.lane == lane)).scalar() is not None:
        return None  # it has just begun
    last: int | None = connection.execute(  # looked after no more: all of it is projected
        select(func.max(journal.c.number)).where(journal.c.number < (lane + 1) << PARTITION_SHIFT)
    ).scalar()
    return last


class CompactionPage(NamedTuple):
    """Rows that hold something that is put away; `after`: up to where it was looked, None at the end."""

    numbers: Sequence[int]
    versions: Mapping[str, int]
    after: int | None


def find_rows(stretch: RowRange, connection: Connection) -> CompactionPage:
    """Return what is to be cut in the next rows of a stretch."""
    wanted = (
        select(journal.c.number, journal.c.tables)
        .where(journal.c.number > stretch.after, journal.c.number <= stretch.until)
        .order_by(journal.c.number)
        .limit(PAGE)
    )
    rows = [(row.number, streams_of(row.tables)) for row in connection.execute(wanted)]
    versions = _versions({table for _, tables in rows for table in tables}, connection)
    numbers = [number for number, tables in rows if any(table in versions for table in tables)]
    return CompactionPage(numbers, versions, rows[-1][0] if len(rows) == PAGE else None)


def _versions(tables: Iterable[str], connection: Connection) -> Mapping[str, int]:
    versions: dict[str, int] = {}
    for names in _parts(sorted(tables), _NAMES):
        wanted = select(archive.c.table_id, archive.c.version).where(archive.c.table_id.in_(names))
        versions.update({row.table_id: row.version for row in connection.execute(wanted)})
    return versions


def chunks(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Divide rows into transactions."""
    return _parts(numbers, _TOGETHER)


def _parts(those: Sequence[_T], most: int) -> Iterator[Sequence[_T]]:
    return (those[first : first + most] for first in range(0, len(those), most))


def compact_rows(numbers: Sequence[int], versions: Mapping[str, int], connection: Connection) -> None:
    """Take out of rows what is put away; one that is not what was written stays as it is."""
    for number in numbers:
        row = _row(number, connection)
        if row is None:
            continue
        (read,) = decode_rows([row], _before(number, connection))
        if read.appends is None:
            continue
        left = tuple([append for append in read.appends if not _is_archived(append, versions)])
        if len(left) == len(read.appends):
            continue
        compacted = compacted_row(row, left)
        changed = {"tables": compacted.tables, "frame": compacted.frame, "cut": compacted.compacted_checksum}
        connection.execute(update(journal).where(journal.c.number == number).values(changed))
        _forget_answers([append for append in read.appends if append not in left], connection)


def _is_archived(append: Append, versions: Mapping[str, int]) -> bool:
    return append.expected_version + len(append.events) <= versions.get(append.table, -1)


def _row(number: int, connection: Connection) -> JournalRow | None:
    stored = connection.execute(select(journal).where(journal.c.number == number)).one_or_none()
    return None if stored is None else JournalRow(*stored)


def _before(number: int, connection: Connection) -> bytes:
    wanted = (
        select(journal.c.checksum)
        .where(journal.c.number < number, journal.c.number >= number >> PARTITION_SHIFT << PARTITION_SHIFT)
        .order_by(journal.c.number.desc())
        .limit(1)
    )
    checksum: bytes | None = connection.execute(wanted).scalar()
    return FIRST if checksum is None else checksum


def _forget_answers(appends: Iterable[Append], connection: Connection) -> None:
    for append in appends:
        key = command_id_of(append)
        if key is not None:
            table, player, cmd_id = key
            mine = (commands.c.table_id == table) & (commands.c.player == player) & (commands.c.cmd_id == cmd_id)
            connection.execute(delete(commands).where(mine))


_MERGE: Final = text("""
    DELETE FROM journal WHERE number > :after AND number < :until AND tables = '' AND cut IS NOT NULL
    AND (SELECT next.tables FROM journal AS next WHERE next.number > journal.number ORDER BY next.number LIMIT 1) = ''
""")


def drop_empty_rows(stretch: RowRange, connection: Connection) -> None:
    """Keep of rows in which nothing is left only the last of those that follow each other."""
    connection.execute(_MERGE, {"after": stretch.after, "until": stretch.until})
