"""DailyStore in a database."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import asdict
from sqlalchemy import Connection, delete, insert, select

from triptych.store.schema import daily_results
from triptych.store.sql.credentials import Query, Transact
from triptych.store.types import DailyResult


class SqlDailyResults:
    """See DailyStore."""

    def __init__(self, rows: Query, write: Transact) -> None:
        self._rows = rows
        self._write = write

    async def save(self, result: DailyResult) -> None:
        """See DailyStore."""
        await self._write(partial(_save, result))

    async def between(self, first: str, last: str) -> Sequence[DailyResult]:
        """See DailyStore."""
        query = select(daily_results).where(daily_results.c.day.between(first, last))
        ordered = query.order_by(daily_results.c.day, daily_results.c.player)
        return tuple([DailyResult(row.player, row.day, row.points, row.at) for row in await self._rows(ordered)])

    async def days_of(self, player: str) -> Sequence[str]:
        """See DailyStore."""
        query = select(daily_results.c.day).where(daily_results.c.player == player)
        return tuple([row.day for row in await self._rows(query.order_by(daily_results.c.day.desc()))])

    async def delete(self, player: str) -> None:
        """See DailyStore."""
        await self._write(partial(_delete, player))


def _save(result: DailyResult, connection: Connection) -> None:
    same_day = (daily_results.c.player == result.player) & (daily_results.c.day == result.day)
    if connection.execute(select(daily_results.c.at).where(same_day)).first() is None:
        connection.execute(insert(daily_results).values(asdict(result)))


def _delete(player: str, connection: Connection) -> None:
    connection.execute(delete(daily_results).where(daily_results.c.player == player))
