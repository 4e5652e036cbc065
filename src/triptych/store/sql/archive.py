"""ArchiveStore in a database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import asdict
from sqlalchemy import ColumnElement, Connection, Row, and_, bindparam, delete, func, insert, or_, select, update

from triptych.store.archive import compaction
from triptych.store.archive.interface import MAX_GUESTS, Counts
from triptych.store.archive.rows import (
    ArchivedRecord,
    ArchiveRow,
    decode_row,
    encode_row,
    ledger_checksums,
    net_postings,
    verify_content,
)
from triptych.store.checksums import FIRST, event_checksum, verified_postings, verified_sheet
from triptych.store.errors import CorruptRecordError, RecordExpiredError
from triptych.store.projections.event_rows import decode_following
from triptych.store.schema import (
    archive,
    commands,
    credentials,
    daily_results,
    deals,
    events,
    inactive_guests,
    players,
    postings,
    results,
    results_progress,
    reviews,
    session_results,
    sessions,
    snapshots,
    streams,
    summaries,
)
from triptych.store.sql.guests import Query, Transact
from triptych.store.types import NewEvent, StoredEvent, StoredSheet

# Events that one transaction deletes.
_BATCH: Final = 1_000
# A table with so few events opens as fast without a snapshot, which would be larger than its row.
SNAPSHOT_MIN_EVENTS: Final = 500
NOT_EXPIRED: Final = (
    ~select(archive.c.table_id).where(archive.c.table_id == streams.c.table_id, archive.c.kept.is_(False)).exists()
)


def expired_of(tables: Sequence[str], connection: Connection) -> set[str]:
    """Return the tables among these whose record was deleted."""
    return set(connection.execute(_EXPIRED, {"table_ids": tables}).scalars())


def without_snapshot(tables: Sequence[str], connection: Connection) -> set[str]:
    """Return the tables among these that are archived and keep no snapshot; one may be stored from before."""
    return set(connection.execute(_NO_SNAPSHOT, {"table_ids": tables}).scalars())


_AMONG: Final = archive.c.table_id.in_(bindparam("table_ids", expanding=True))
_EXPIRED: Final = select(archive.c.table_id).where(_AMONG, archive.c.kept.is_(False))
_NO_SNAPSHOT: Final = select(archive.c.table_id).where(
    _AMONG, or_(archive.c.kept.is_(False), archive.c.version <= SNAPSHOT_MIN_EVENTS)
)


class SqlArchive:
    """See ArchiveStore."""

    def __init__(
        self,
        rows: Query,
        write: Transact,
        projected: Callable[[], Awaitable[None]],
        load_events: Callable[[str], Awaitable[Sequence[StoredEvent]]],
    ) -> None:
        """`projected` waits until every append is projected; `load_events` loads a table's events."""
        self._rows = rows
        self._write = write
        self._projected = projected
        self._load_events = load_events

    async def unarchived(self) -> Sequence[str]:
        """See ArchiveStore."""
        await self._projected()
        streams_and_archive = streams.outerjoin(archive, archive.c.table_id == streams.c.table_id)
        behind = streams.c.version > func.coalesce(archive.c.version, 0)
        query = (
            select(streams.c.table_id)
            .select_from(streams_and_archive)
            .where(streams.c.ended.is_(True), streams.c.damage.is_(None), behind)
            .where(or_(archive.c.kept.is_(None), archive.c.kept.is_(True)))
            .order_by(streams.c.id)
        )
        return tuple([row.table_id for row in await self._rows(query)])

    async def load(self, table: str, after: int) -> tuple[int, Sequence[StoredEvent]]:
        """Return the version of an archived table, and its events after `after`.

        Raises CorruptRecordError, RecordExpiredError.
        """
        rows = await self._rows(_ARCHIVED.where(archive.c.table_id == table))
        return await asyncio.to_thread(_loaded, table, after, rows)

    async def sheets(self, table: str) -> Sequence[StoredSheet]:
        """Return the archived sheets of a table, newest first. Raises CorruptRecordError."""
        row = await self._row(table)
        if row is None:
            return ()
        return tuple(reversed((await asyncio.to_thread(decode_row, row)).summaries))

    async def _row(self, table: str) -> ArchiveRow | None:
        rows = await self._rows(select(archive).where(archive.c.table_id == table))
        return next((_archived(row) for row in rows), None)

    async def archive(self, table: str, version: int, at: int) -> bool:
        """See ArchiveStore."""
        await self._projected()
        # Postings and sheets come with events only, so they change only with the version.
        ledger, archived = await self._rows(LEDGER.where(streams.c.table_id == table)), await self._row(table)
        if not ledger or not ledger[0].ended or ledger[0].version != version:
            return False
        if archived is not None and (not archived.is_complete or archived.version == version):
            return archived.is_complete
        sheets = await self._rows(select(deals).where(deals.c.table_id == table).order_by(deals.c.deal))
        stored = await self._load_events(table)
        if len(stored) != version:
            return False
        content = await asyncio.to_thread(_content, table, stored, ledger, sheets, archived)
        row = await asyncio.to_thread(encode_row, table, version, at, content)
        if not await self._write(partial(_archive, row, content.head)):
            return False
        await self._clear(table, version)
        return True

    async def _clear(self, table: str, version: int) -> None:
        """Delete archived events from the hot table, the last event last: while it exists, others may exist too."""
        for first in range(0, version + 1, _BATCH):
            in_batch = events.c.version.between(first, min(first + _BATCH - 1, version))
            await self._write(_delete_where(events, (events.c.table_id == table) & in_batch))

    async def ended_before(self, at: int, limit: int) -> Sequence[str]:
        """See ArchiveStore."""
        due = (archive.c.at < at) & archive.c.kept.is_(True)
        query = select(archive.c.table_id).where(due).order_by(archive.c.at, archive.c.table_id).limit(limit)
        return tuple([row.table_id for row in await self._rows(query)])

    async def expire(self, table: str) -> None:
        """See ArchiveStore."""
        row = await self._row(table)
        if row is None or not row.is_complete:
            return
        content = await asyncio.to_thread(decode_row, row)
        remaining = ArchivedRecord((), net_postings(content.postings), (), content.head)
        expired = encode_row(table, row.version, row.at, remaining, is_kept=False)
        await self._write(partial(_expire, row.checksum, expired, remaining))

    async def expired(self) -> Sequence[str]:
        """See ArchiveStore."""
        deleted = select(archive.c.table_id).where(archive.c.kept.is_(False))
        query = deleted.order_by(archive.c.at, archive.c.table_id)
        return tuple([row.table_id for row in await self._rows(query)])

    async def compact(self) -> None:
        """See ArchiveStore."""
        last_event = (events.c.table_id == archive.c.table_id) & (events.c.version == archive.c.version)
        uncleared = select(archive.c.table_id, archive.c.version).where(select(events).where(last_event).exists())
        for row in await self._rows(uncleared):
            await self._clear(row.table_id, row.version)
        for row_range in await self._write(compaction.compactable_ranges):
            rest: compaction.RowRange | None = row_range
            while rest is not None:
                batch = await self._write(partial(compaction.find_rows, rest))
                for numbers in compaction.chunks(batch.numbers):
                    await self._write(partial(compaction.compact_rows, numbers, batch.versions))
                rest = None if batch.after is None else rest._replace(after=batch.after)
            await self._write(partial(compaction.drop_empty_rows, row_range))

    async def counts(self) -> Counts:
        """See ArchiveStore."""
        records = select(func.count()).select_from(archive).where(archive.c.kept.is_(True))
        guests = select(func.count()).select_from(inactive_guests)
        (row,) = await self._rows(select(records.scalar_subquery(), guests.scalar_subquery()))
        return Counts(int(row[0]), int(row[1]))

    async def delete_inactive_guests(
        self, at: int, before: int, but: Collection[str], limit: int = MAX_GUESTS
    ) -> int:
        """See ArchiveStore."""
        await self._projected()
        return await self._write(partial(_delete_inactive_guests, at, before, but, limit))


def restore_heads(connection: Connection) -> None:
    """Restore the heads and the ledgers of archived tables, after all projections were deleted."""
    names = select(archive.c.table_id).order_by(archive.c.at, archive.c.table_id)
    for name in connection.execute(names).scalars().all():  # row by row: a row may have some megabytes
        row = _archived(connection.execute(select(archive).where(archive.c.table_id == name)).one())
        head: dict[str, Any] = {"table_id": row.table, "version": row.version, "ended": True}
        try:
            content = decode_row(row)
            if row.is_complete:
                verify_content(row.table, row.version, content)
        except CorruptRecordError as damage:
            corrupt = {"checksum": FIRST, "ledger_checksum": FIRST, "damage": damage.what}
            connection.execute(insert(streams).values(**head, **corrupt))
            continue
        ledger = _ledger_rows(row.table, content)
        last = ledger[-1]["checksum"] if ledger else FIRST
        connection.execute(insert(streams).values(**head, checksum=content.head, ledger_checksum=last))
        if ledger:
            connection.execute(insert(postings), ledger)


def _ledger_rows(table: str, content: ArchivedRecord) -> list[dict[str, Any]]:
    checksums = ledger_checksums(table, content.postings)
    return [
        {"table_id": table, **asdict(posting), "checksum": checksum}
        for posting, checksum in zip(content.postings, checksums, strict=True)
    ]


def _archived(row: Row[*tuple[Any, ...]]) -> ArchiveRow:
    return ArchiveRow(row.table_id, row.version, row.at, bool(row.kept), bytes(row.payload), bytes(row.checksum))


_HEAD: Final = (
    streams.c.version.label("head"),
    streams.c.checksum.label("head_checksum"),
    streams.c.damage.label("damage"),
)
# One statement, so that the archived row and the later events are of the same moment.
_ARCHIVED: Final = (
    select(
        archive,
        *_HEAD,
        events.c.version.label("number"),
        events.c.payload.label("event"),
        events.c.checksum.label("event_checksum"),
    )
    .select_from(
        archive.join(streams, streams.c.table_id == archive.c.table_id).outerjoin(
            events, and_(events.c.table_id == archive.c.table_id, events.c.version > archive.c.version)
        )
    )
    .order_by(events.c.version)
)
LEDGER: Final = (
    select(
        streams.c.version,
        streams.c.ended,
        streams.c.ledger_checksum.label("head_checksum"),
        postings.c.debit,
        postings.c.credit,
        postings.c.points,
        postings.c.reason,
        postings.c.checksum,
    )
    .select_from(streams.outerjoin(postings, postings.c.table_id == streams.c.table_id))
    .order_by(postings.c.id)
)


def _loaded(table: str, after: int, rows: Sequence[Row[*tuple[Any, ...]]]) -> tuple[int, Sequence[StoredEvent]]:
    if not rows:
        raise CorruptRecordError(table, "it is not among the tables")
    row = _archived(rows[0])
    if rows[0].damage is not None:
        raise CorruptRecordError(table, rows[0].damage)
    if not row.is_complete:
        raise RecordExpiredError(table)
    content = decode_row(row)
    verify_content(table, row.version, content)
    stored = [StoredEvent(*_fields(event), version=number) for number, event in enumerate(content.events, 1)]
    # `number` is NULL when there are no later events.
    rest = [(later.number, later.event, later.event_checksum) for later in rows if later.number is not None]
    later, checksum = decode_following(table, row.version, content.head, rest)
    stored += later
    if (len(stored), checksum) != (rows[0].head, rows[0].head_checksum):
        raise CorruptRecordError(
            table, f"there are {len(stored)} events of {rows[0].head}, or its last one is another"
        )
    return len(stored), stored[after:]


def _fields(event: NewEvent) -> tuple[Any, ...]:
    return event.visibility, event.seat, event.payload


def _content(
    table: str,
    stored: Sequence[StoredEvent],
    ledger: Sequence[Row[*tuple[Any, ...]]],
    sheets: Sequence[Row[*tuple[Any, ...]]],
    before: ArchiveRow | None,
) -> ArchivedRecord:
    """Return a table's complete record. Raises CorruptRecordError."""
    checksum = FIRST
    for event in stored:
        checksum = event_checksum(checksum, table, event.version, event)
    all_sheets = [] if before is None else list(decode_row(before).summaries)
    all_sheets += [verified_sheet(table, row) for row in sheets]
    new_events = tuple([NewEvent(*_fields(event)) for event in stored])
    return ArchivedRecord(new_events, verified_postings(table, ledger), tuple(all_sheets), checksum)


def _values(row: ArchiveRow) -> dict[str, Any]:
    return {
        "table_id": row.table,
        "version": row.version,
        "at": row.at,
        "kept": row.is_complete,
        "payload": row.payload,
        "checksum": row.checksum,
    }


def _archive(row: ArchiveRow, head: bytes, connection: Connection) -> bool:
    """Write a row unless the table has newer events; the caller deletes its events. `head`: the last checksum."""
    version = select(streams.c.version).where(streams.c.table_id == row.table, streams.c.damage.is_(None))
    if connection.execute(version.with_for_update()).scalar() != row.version:
        return False
    connection.execute(delete(archive).where(archive.c.table_id == row.table))
    connection.execute(insert(archive).values(_values(row)))
    connection.execute(update(streams).where(streams.c.table_id == row.table).values(checksum=head))
    obsolete = (deals, commands, snapshots, summaries) if row.version <= SNAPSHOT_MIN_EVENTS else (deals, commands)
    for table in obsolete:
        connection.execute(delete(table).where(table.c.table_id == row.table))
    return True


def _expire(before: bytes, row: ArchiveRow, remaining: ArchivedRecord, connection: Connection) -> None:
    """Replace the row that has the checksum `before`, and delete everything else that is stored of its table."""
    version = select(streams.c.version).where(streams.c.table_id == row.table).with_for_update()
    if connection.execute(version).scalar() != row.version:
        return  # it has newer events, and is archived again first
    same = (archive.c.table_id == row.table) & (archive.c.checksum == before)
    if not connection.execute(update(archive).where(same).values(_values(row))).rowcount:
        return
    for table in (
        events,
        deals,
        commands,
        snapshots,
        summaries,
        session_results,
        results,
        reviews,
        results_progress,
        postings,
    ):
        connection.execute(delete(table).where(table.c.table_id == row.table))
    ledger = _ledger_rows(row.table, remaining)
    if ledger:
        connection.execute(insert(postings), ledger)
    last = ledger[-1]["checksum"] if ledger else FIRST
    connection.execute(update(streams).where(streams.c.table_id == row.table).values(ledger_checksum=last))


def _delete_where(table: Any, condition: ColumnElement[bool]) -> Callable[[Connection], None]:  # noqa: ANN401 - a table's
    def work(connection: Connection) -> None:
        connection.execute(delete(table).where(condition))

    return work


def _delete_inactive_guests(at: int, before: int, but: Collection[str], limit: int, connection: Connection) -> int:
    """Note the guests without a result, and delete those who have had none for long. Return how many."""
    signed_in = select(sessions.c.player).where(~sessions.c.ended)
    known_players = select(players.c.player).union(select(credentials.c.player), signed_in).subquery()
    played = select(session_results.c.player).where(session_results.c.player == known_players.c.player).exists()
    unplayed = set(connection.execute(select(known_players.c.player).where(~played)).scalars()) - set(but)
    noted = {row.player: row.since for row in connection.execute(select(inactive_guests))}
    due = sorted((noted.get(player, at), player) for player in unplayed)
    expired = [player for since, player in due[:limit] if since < before]
    active = [player for player in noted if player not in unplayed]
    new = [{"player": player, "since": at} for player in unplayed if player not in noted]
    for player in (*expired, *active):
        connection.execute(delete(inactive_guests).where(inactive_guests.c.player == player))
    for player in expired:
        for table in (players, credentials, reviews, daily_results):
            connection.execute(delete(table).where(table.c.player == player))
        # Ended sessions stay: their cookies may still be in browsers.
        connection.execute(delete(sessions).where(sessions.c.player == player, ~sessions.c.ended))
    if new:
        connection.execute(insert(inactive_guests), new)
    return len(expired)
