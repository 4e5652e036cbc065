"""ResultStore in a database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, tuple_

from triptych.store.bulk_insert import bulk_insert, upsert_clause
from triptych.store.schema import results, results_progress, streams
from triptych.store.schema import session_results as _session_results
from triptych.store.sql.archive import NOT_EXPIRED, expired_of
from triptych.store.sql.guests import Query, Transact
from triptych.store.types import ResultsUpdate, StoredDealResult, StoredSessionResult


class SqlResults:
    """See ResultStore."""

    def __init__(self, rows: Query, write: Transact, projected: Callable[[], Awaitable[None]]) -> None:
        """`projected` waits until every append is projected."""
        self._rows = rows
        self._write = write
        self._projected = projected

    async def stale_tables(self) -> Sequence[str]:
        """See ResultStore."""
        await self._projected()
        progress = streams.outerjoin(results_progress, results_progress.c.table_id == streams.c.table_id)
        query = (
            select(streams.c.table_id)
            .select_from(progress)
            .where(streams.c.version > func.coalesce(results_progress.c.version, 0), NOT_EXPIRED)
            .order_by(streams.c.id)
        )
        return tuple([row.table_id for row in await self._rows(query)])

    async def projected_version(self, table: str) -> int:
        """See ResultStore."""
        query = select(results_progress.c.version).where(results_progress.c.table_id == table)
        return next((row.version for row in await self._rows(query)), 0)

    async def save(self, records: Sequence[ResultsUpdate]) -> None:
        """See ResultStore."""

        def work(connection: Connection) -> None:
            expired = expired_of([record.table for record in records], connection)
            remaining = [record for record in records if record.table not in expired]
            lines = [(e.player, e.table, e.deal, e.at, e.payload) for record in remaining for e in record.lines]
            bulk_insert(connection, results, lines, tail=upsert_clause(results))
            changed = [(e.player, e.table, e.at, e.payload) for record in remaining for e in record.sessions]
            bulk_insert(connection, _session_results, changed, tail=upsert_clause(_session_results))
            bulk_insert(
                connection,
                results_progress,
                [(e.table, e.version) for e in remaining],
                tail=upsert_clause(results_progress),
            )

        if records:
            await self._write(work)

    async def sessions_at(self, table: str) -> Sequence[StoredSessionResult]:
        """See ResultStore."""
        query = (
            select(_session_results).where(_session_results.c.table_id == table).order_by(_session_results.c.player)
        )
        return tuple([_session(row) for row in await self._rows(query)])

    async def session_of(self, player: str, table: str) -> StoredSessionResult | None:
        """See ResultStore."""
        query = select(_session_results).where(
            _session_results.c.player == player, _session_results.c.table_id == table
        )
        return next((_session(row) for row in await self._rows(query)), None)

    async def sessions_of(
        self, player: str, limit: int, before: tuple[int, str] | None = None
    ) -> Sequence[StoredSessionResult]:
        """See ResultStore."""
        query = select(_session_results).where(_session_results.c.player == player)
        if before is not None:
            query = query.where(tuple_(_session_results.c.at, _session_results.c.table_id) < tuple_(*before))
        newest = query.order_by(_session_results.c.at.desc(), _session_results.c.table_id.desc()).limit(limit)
        return tuple([_session(row) for row in await self._rows(newest)])

    async def deals_of(self, player: str, table: str, limit: int, after: int = 0) -> Sequence[StoredDealResult]:
        """See ResultStore."""
        later_deals = (results.c.player == player) & (results.c.table_id == table) & (results.c.deal > after)
        query = select(results).where(later_deals).order_by(results.c.deal).limit(limit)
        rows = await self._rows(query)
        return tuple(
            [StoredDealResult(row.player, row.table_id, row.deal, row.at, bytes(row.payload)) for row in rows]
        )

    async def clear(self) -> None:
        """See ResultStore."""

        def work(connection: Connection) -> None:
            for table in (results_progress, results, _session_results):
                connection.execute(delete(table))

        await self._write(work)


def _session(row: Row[*tuple[Any, ...]]) -> StoredSessionResult:
    return StoredSessionResult(row.player, row.table_id, row.at, bytes(row.payload))
