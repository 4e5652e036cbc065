"""What is stored of guests: CredentialStore, ReviewStore and DailyStore in a database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol, TypeVar

from msgspec import to_builtins
from msgspec.structs import asdict
from sqlalchemy import ColumnElement, Connection, Executable, Row, delete, insert, select, update

from triptych.store.checksums import is_intact, row_checksum
from triptych.store.schema import (
    credentials,
    daily_results,
    deleted_guests,
    epochs,
    players,
    results,
    reviews,
    session_results,
    sessions,
)
from triptych.store.types import Credential, DailyResult, Revoked, Session, StoredReview

_Result = TypeVar("_Result")


class Query(Protocol):
    """A function that reads rows from the database."""

    def __call__(
        self, query: Executable, parameters: Mapping[str, object] | None = None, /
    ) -> Awaitable[Sequence[Row[*tuple[Any, ...]]]]:
        """Return the rows of a query."""


class Transact(Protocol):
    """A function that changes the database."""

    def __call__(self, work: Callable[[Connection], _Result], /) -> Awaitable[_Result]:
        """Run `work` in a transaction and return its result."""


class SqlCredentials:
    """See CredentialStore."""

    def __init__(self, rows: Query, write: Transact) -> None:
        self._rows = rows
        self._write = write

    async def credential(self, name: str) -> Credential | None:
        """See CredentialStore."""
        rows = await self._rows(select(credentials).where(credentials.c.name == name))
        return next((_read(row) for row in rows), None)

    async def credentials(self, player: str) -> Sequence[Credential]:
        """See CredentialStore."""
        query = select(credentials).where(credentials.c.player == player).order_by(credentials.c.name)
        return tuple([_read(row) for row in await self._rows(query)])

    async def put(self, credential: Credential) -> bool:
        """See CredentialStore."""
        return await self._write(partial(_put, credential))

    async def delete(self, credential: Credential) -> bool:
        """See CredentialStore."""
        own = (credentials.c.name == credential.name) & (credentials.c.player == credential.player)
        return await self._write(lambda connection: connection.execute(delete(credentials).where(own)).rowcount > 0)

    async def sessions(self, player: str) -> Sequence[Session]:
        """See CredentialStore."""
        query = select(sessions).where(sessions.c.player == player, ~sessions.c.ended).order_by(sessions.c.session)
        return tuple(
            [
                Session(row.player, row.session, row.browser, row.system, row.made, row.seen)
                for row in await self._rows(query)
            ]
        )

    async def keep_session(self, session: Session) -> None:
        """See CredentialStore."""
        await self._write(partial(_keep_session, session))

    async def end_session(self, player: str, session: str) -> None:
        """See CredentialStore."""
        await self._write(partial(_end_session, player, session))

    async def end_sessions(self, player: str) -> int:
        """See CredentialStore."""
        return await self._write(partial(_end_sessions, player))

    async def epoch(self, player: str) -> int:
        """See CredentialStore."""
        rows = await self._rows(select(epochs.c.epoch).where(epochs.c.player == player))
        return next((row.epoch for row in rows), 0)

    async def revoked(self) -> Revoked:
        """See CredentialStore."""
        ended = await self._rows(select(sessions.c.player, sessions.c.session).where(sessions.c.ended))
        epoch_rows = await self._rows(select(epochs))
        return Revoked(
            frozenset((row.player, row.session) for row in ended), {row.player: row.epoch for row in epoch_rows}
        )

    async def delete_guest(self, player: str) -> None:
        """See CredentialStore."""
        await self._write(partial(_delete_guest, player))

    async def deleted_guests(self) -> Sequence[str]:
        """See CredentialStore."""
        return tuple([row.player for row in await self._rows(select(deleted_guests.c.player))])


def _read(row: Row[*tuple[Any, ...]]) -> Credential:
    return Credential(row.name, row.player, bytes(row.payload))


def _put(credential: Credential, connection: Connection) -> bool:
    owner = connection.execute(select(credentials.c.player).where(credentials.c.name == credential.name)).scalar()
    if owner is None:
        added = insert(credentials).values(name=credential.name, player=credential.player, payload=credential.payload)
        connection.execute(added)
        return True
    if owner != credential.player:
        return False
    changed = update(credentials).where(credentials.c.name == credential.name)
    connection.execute(changed.values(payload=credential.payload))
    return True


def _is_session(player: str, session: str) -> ColumnElement[bool]:
    return (sessions.c.player == player) & (sessions.c.session == session)


def _keep_session(session: Session, connection: Connection) -> None:
    values = to_builtins(session)
    same_session = _is_session(session.player, session.session)
    if connection.execute(select(sessions.c.ended).where(same_session)).first() is None:
        connection.execute(insert(sessions).values(**values, ended=False))
    else:
        del values["made"]
        connection.execute(update(sessions).where(same_session, ~sessions.c.ended).values(**values))


def _end_session(player: str, session: str, connection: Connection) -> None:
    same_session = _is_session(player, session)
    ended = {"browser": "", "system": "", "made": 0, "seen": 0, "ended": True}
    if not connection.execute(update(sessions).where(same_session).values(**ended)).rowcount:
        connection.execute(insert(sessions).values(player=player, session=session, **ended))


def _end_sessions(player: str, connection: Connection) -> int:
    connection.execute(delete(sessions).where(sessions.c.player == player))
    own = epochs.c.player == player
    if not connection.execute(update(epochs).where(own).values(epoch=epochs.c.epoch + 1)).rowcount:
        connection.execute(insert(epochs).values(player=player, epoch=1))
    epoch: int = connection.execute(select(epochs.c.epoch).where(own)).scalar_one()
    return epoch


# The tables that hold data of a guest.
_GUEST_TABLES: Final = (
    credentials,
    players,
    session_results,
    results,
    reviews,
    daily_results,
    sessions,
    epochs,
    deleted_guests,
)


def _delete_guest(player: str, connection: Connection) -> None:
    for table in _GUEST_TABLES:
        connection.execute(delete(table).where(table.c.player == player))
    connection.execute(insert(deleted_guests).values(player=player))


class SqlReviews:
    """See ReviewStore."""

    def __init__(self, rows: Query, write: Transact) -> None:
        self._rows = rows
        self._write = write

    async def get(self, player: str, table: str, deal: int) -> StoredReview | None:
        """See ReviewStore."""
        same_deal = (reviews.c.player == player) & (reviews.c.table_id == table) & (reviews.c.deal == deal)
        for row in await self._rows(select(reviews).where(same_deal)):
            if is_intact(row.checksum, row.payload, player, table, deal, row.at):
                return StoredReview(player, table, deal, row.at, bytes(row.payload))
        return None

    async def save(self, review: StoredReview, limit: int) -> None:
        """See ReviewStore."""
        await self._write(partial(_save_review, review, limit))


def _save_review(review: StoredReview, limit: int, connection: Connection) -> None:
    player, table, deal, at, payload = review.player, review.table, review.deal, review.at, review.payload
    own = reviews.c.player == player
    connection.execute(delete(reviews).where(own, reviews.c.table_id == table, reviews.c.deal == deal))
    checksum = row_checksum(payload, player, table, deal, at)
    row = {"player": player, "table_id": table, "deal": deal, "at": at, "payload": payload, "checksum": checksum}
    connection.execute(insert(reviews).values(row))
    newest = select(reviews.c.table_id, reviews.c.deal).where(own).order_by(reviews.c.at.desc(), reviews.c.table_id)
    for old in connection.execute(newest.offset(limit)).all():
        same_deal = (reviews.c.table_id == old.table_id) & (reviews.c.deal == old.deal)
        connection.execute(delete(reviews).where(own, same_deal))


class SqlDailyResults:
    """See DailyStore."""

    def __init__(self, rows: Query, write: Transact) -> None:
        self._rows = rows
        self._write = write

    async def save(self, result: DailyResult) -> None:
        """See DailyStore."""
        await self._write(partial(_save_result, result))

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
        await self._write(partial(_delete_results, player))


def _save_result(result: DailyResult, connection: Connection) -> None:
    same_day = (daily_results.c.player == result.player) & (daily_results.c.day == result.day)
    if connection.execute(select(daily_results.c.at).where(same_day)).first() is None:
        connection.execute(insert(daily_results).values(asdict(result)))


def _delete_results(player: str, connection: Connection) -> None:
    connection.execute(delete(daily_results).where(daily_results.c.player == player))
