"""CredentialStore in a database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol, TypeVar

from msgspec import to_builtins
from sqlalchemy import ColumnElement, Connection, Executable, Row, delete, insert, select, update

from triptych.store.credentials import Credential, Revoked, Session
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

_Answer = TypeVar("_Answer")


class Query(Protocol):
    """Asks the database."""

    def __call__(
        self, wanted: Executable, parameters: Mapping[str, object] | None = None, /
    ) -> Awaitable[Sequence[Row[*tuple[Any, ...]]]]:
        """Return the rows of what is wanted."""


class Transact(Protocol):
    """Changes the database."""

    def __call__(self, work: Callable[[Connection], _Answer], /) -> Awaitable[_Answer]:
        """Do the work in a transaction."""


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
        wanted = select(credentials).where(credentials.c.player == player).order_by(credentials.c.name)
        return tuple([_read(row) for row in await self._rows(wanted)])

    async def put(self, credential: Credential) -> bool:
        """See CredentialStore."""
        return await self._write(partial(_keep, credential))

    async def delete(self, credential: Credential) -> bool:
        """See CredentialStore."""
        mine = (credentials.c.name == credential.name) & (credentials.c.player == credential.player)
        return await self._write(lambda connection: connection.execute(delete(credentials).where(mine)).rowcount > 0)

    async def sessions(self, player: str) -> Sequence[Session]:
        """See CredentialStore."""
        wanted = select(sessions).where(sessions.c.player == player, ~sessions.c.ended).order_by(sessions.c.session)
        return tuple(
            [
                Session(row.player, row.session, row.browser, row.system, row.made, row.seen)
                for row in await self._rows(wanted)
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
        await self._write(partial(_forget, player))

    async def deleted_guests(self) -> Sequence[str]:
        """See CredentialStore."""
        return tuple([row.player for row in await self._rows(select(deleted_guests.c.player))])


def _read(row: Row[*tuple[Any, ...]]) -> Credential:
    return Credential(row.name, row.player, bytes(row.payload))


def _keep(credential: Credential, connection: Connection) -> bool:
    whose = connection.execute(select(credentials.c.player).where(credentials.c.name == credential.name)).scalar()
    if whose is None:
        added = insert(credentials).values(name=credential.name, player=credential.player, payload=credential.payload)
        connection.execute(added)
        return True
    if whose != credential.player:
        return False
    changed = update(credentials).where(credentials.c.name == credential.name)
    connection.execute(changed.values(payload=credential.payload))
    return True


def _of(player: str, session: str) -> ColumnElement[bool]:
    return (sessions.c.player == player) & (sessions.c.session == session)


def _keep_session(session: Session, connection: Connection) -> None:
    values = to_builtins(session)
    mine = _of(session.player, session.session)
    if connection.execute(select(sessions.c.ended).where(mine)).first() is None:
        connection.execute(insert(sessions).values(**values, ended=False))
    else:
        del values["made"]
        connection.execute(update(sessions).where(mine, ~sessions.c.ended).values(**values))


def _end_session(player: str, session: str, connection: Connection) -> None:
    mine = _of(player, session)
    nothing = {"browser": "", "system": "", "made": 0, "seen": 0, "ended": True}
    if not connection.execute(update(sessions).where(mine).values(**nothing)).rowcount:
        connection.execute(insert(sessions).values(player=player, session=session, **nothing))


def _end_sessions(player: str, connection: Connection) -> int:
    connection.execute(delete(sessions).where(sessions.c.player == player))
    mine = epochs.c.player == player
    if not connection.execute(update(epochs).where(mine).values(epoch=epochs.c.epoch + 1)).rowcount:
        connection.execute(insert(epochs).values(player=player, epoch=1))
    epoch: int = connection.execute(select(epochs.c.epoch).where(mine)).scalar_one()
    return epoch


# Where anything is kept of a guest.
_OF_GUEST: Final = (
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


def _forget(player: str, connection: Connection) -> None:
    for table in _OF_GUEST:
        connection.execute(delete(table).where(table.c.player == player))
    connection.execute(insert(deleted_guests).values(player=player))
