"""PeopleStore in a database."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from sqlalchemy import delete, insert, select, update

from triptych.store.people import Credential
from triptych.store.schema import credentials, evenings, gone, players, results

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from sqlalchemy import Connection, Executable, Row

_Answer = TypeVar("_Answer")


class Rows(Protocol):
    """Asks the database."""

    def __call__(
        self, wanted: Executable, asked: Mapping[str, object] | None = None, /
    ) -> Awaitable[Sequence[Row[*tuple[Any, ...]]]]:
        """Return the rows of what is wanted."""


class Write(Protocol):
    """Changes the database."""

    def __call__(self, work: Callable[[Connection], _Answer], /) -> Awaitable[_Answer]:
        """Do the work in a transaction."""


class SqlPeople:
    """See PeopleStore."""

    def __init__(self, rows: Rows, write: Write) -> None:
        self._rows = rows
        self._write = write

    async def credential(self, name: str) -> Credential | None:
        """See PeopleStore."""
        found = await self._rows(select(credentials).where(credentials.c.name == name))
        return next((_read(row) for row in found), None)

    async def credentials(self, player: str) -> Sequence[Credential]:
        """See PeopleStore."""
        wanted = select(credentials).where(credentials.c.player == player).order_by(credentials.c.name)
        return tuple([_read(row) for row in await self._rows(wanted)])

    async def keep(self, credential: Credential) -> bool:
        """See PeopleStore."""
        return await self._write(partial(_keep, credential))

    async def drop(self, credential: Credential) -> bool:
        """See PeopleStore."""
        mine = (credentials.c.name == credential.name) & (credentials.c.player == credential.player)
        return await self._write(lambda connection: connection.execute(delete(credentials).where(mine)).rowcount > 0)

    async def forget(self, player: str) -> None:
        """See PeopleStore."""
        await self._write(partial(_forget, player))

    async def gone(self) -> Sequence[str]:
        """See PeopleStore."""
        return tuple([row.player for row in await self._rows(select(gone.c.player))])


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


def _forget(player: str, connection: Connection) -> None:
    for table in (credentials, players, evenings, results, gone):
        connection.execute(delete(table).where(table.c.player == player))
    connection.execute(insert(gone).values(player=player))
