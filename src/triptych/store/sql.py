"""The store in a database, in SQLAlchemy Core; what differs between databases is in `sqlite.py` and `postgres.py`."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import IntegrityError

from triptych.store.checksum import is_whole, verified_events, verified_postings
from triptych.store.commit import ANSWER, transact
from triptych.store.group import GroupCommit
from triptych.store.migrate import migrate
from triptych.store.protocol import Append, CommandKey, Damaged, Player, Posting, Stored, Summary
from triptych.store.schema import commands, deals, events, marks, players, postings, secrets, streams
from triptych.store.sql_people import SqlPeople
from triptych.store.sql_records import SqlRecords

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection, Executable, Row

    from triptych.store.batch import Outcome
    from triptych.store.protocol import Serving

_ALIVE = "alive"
_Answer = TypeVar("_Answer")


class Database(Protocol):
    """A way to a database that never blocks the loop."""

    async def run(self, work: Callable[[Connection], _Answer]) -> _Answer:
        """Do the work in a transaction of its own: durable when this returns, undone when it raises."""

    async def claim(self, serving: Serving) -> None:
        """Keep every other server away until it is closed. Raises claim.Taken."""

    async def close(self) -> None:
        """Give the connections back, and the claim."""


class SqlStore:
    """EventStore in a database; `writing` and `reading` lead to the same one."""

    def __init__(self, writing: Database, reading: Database) -> None:
        self._writing = writing
        self._reading = reading
        self._group = GroupCommit(self._commit)
        # Writers of one process queue here, not on the database's lock, which would be polled.
        self._turn = asyncio.Lock()
        self.people = SqlPeople(self._rows, self._write)
        self.records = SqlRecords(self._rows, self._write)

    async def open(self, serving: Serving | None = None) -> None:
        """Migrate, then begin to write."""
        try:
            if serving is not None:
                await self._writing.claim(serving)
            await self._writing.run(migrate)
        except BaseException:
            await self.close()
            raise
        self._group.start()

    async def close(self) -> None:
        """Write what waits and give the connections back."""
        await self._group.close()
        await self._writing.close()
        await self._reading.close()

    async def append(self, append: Append) -> int:
        """See EventStore."""
        return await self._group.append(append)

    async def _commit(self, batch: Sequence[Append]) -> Sequence[Outcome]:
        async with self._turn:
            for trusting in (True, False):
                with suppress(IntegrityError):
                    return await self._writing.run(partial(transact, batch, trusting=trusting))
            # One of them is at fault, or another process was quicker: each is tried by itself.
            return [await self._alone(append) for append in batch]

    async def _alone(self, append: Append) -> Outcome:
        try:
            (outcome,) = await self._writing.run(partial(transact, [append], trusting=False))
        except IntegrityError as error:
            return error
        return outcome

    async def _rows(self, wanted: Executable) -> Sequence[Row[*tuple[Any, ...]]]:
        return await self._reading.run(lambda connection: connection.execute(wanted).all())

    async def _write(self, work: Callable[[Connection], _Answer]) -> _Answer:
        async with self._turn:
            return await self._writing.run(work)

    async def settle(self) -> None:
        """See EventStore."""
        await self._write(lambda connection: connection.execute(select(1)).all())

    async def load(self, table: str, after: int = 0) -> Sequence[Stored]:
        """See EventStore."""
        columns = (events.c.version, events.c.visibility, events.c.seat, events.c.payload, events.c.checksum)
        heads = (streams.c.version.label("head"), streams.c.checksum.label("head_checksum"))
        # One statement, so that the rows and their head are of the same moment; from the event before on, whose
        # checksum the next one's is made of.
        of_table = (events.c.table_id == streams.c.table_id) & (events.c.version >= after)
        wanted = select(*columns, *heads).select_from(streams.outerjoin(events, of_table))
        rows = await self._rows(wanted.where(streams.c.table_id == table).order_by(events.c.version))
        if rows:
            return verified_events(table, after, rows)
        if await self._rows(select(events.c.version).where(events.c.table_id == table).limit(1)):
            raise Damaged(table, "it is not among the tables")
        return ()

    async def tables(self) -> Sequence[str]:
        """See EventStore."""
        wanted = select(streams.c.table_id).where(streams.c.ended.is_(False)).order_by(streams.c.id)
        return tuple([row.table_id for row in await self._rows(wanted)])

    async def answer(self, table: str, cmd: CommandKey) -> bytes | None:
        """See EventStore."""
        wanted = select(commands.c.answer, commands.c.checksum).where(
            commands.c.table_id == table, commands.c.player == cmd.player, commands.c.cmd_id == cmd.cmd_id
        )
        for row in await self._rows(wanted):
            if not is_whole(row, row.answer, table, cmd.player, cmd.cmd_id):
                raise Damaged(table, ANSWER)
            return bytes(row.answer)
        return None

    async def deals(self, table: str, limit: int = 50) -> Sequence[Summary]:
        """See EventStore."""
        wanted = (
            select(deals.c.deal, deals.c.match, deals.c.payload, deals.c.checksum)
            .where(deals.c.table_id == table)
            .order_by(deals.c.deal.desc())
            .limit(limit)
        )
        rows = await self._rows(wanted)
        for row in rows:
            if not is_whole(row, row.payload, table, row.deal, row.match):
                raise Damaged(table, f"the sheet of deal {row.deal} is not what was written")
        return tuple([Summary(row.deal, row.match, row.payload) for row in rows])

    async def balance(self, account: str) -> int:
        """See EventStore."""
        received = select(func.coalesce(func.sum(postings.c.points), 0)).where(postings.c.credit == account)
        paid = select(func.coalesce(func.sum(postings.c.points), 0)).where(postings.c.debit == account)
        (row,) = await self._rows(select(received.scalar_subquery(), paid.scalar_subquery()))
        return int(row[0]) - int(row[1])

    async def postings(self, table: str) -> Sequence[Posting]:
        """See EventStore."""
        columns = (postings.c.debit, postings.c.credit, postings.c.points, postings.c.reason, postings.c.checksum)
        wanted = (
            select(*columns, streams.c.ledger_checksum.label("head_checksum"))
            .select_from(streams.outerjoin(postings, postings.c.table_id == streams.c.table_id))
            .where(streams.c.table_id == table)
            .order_by(postings.c.id)
        )
        return verified_postings(table, await self._rows(wanted))

    async def player(self, player: str) -> Player | None:
        """See EventStore."""
        wanted = select(players.c.name).where(players.c.player == player)
        return next((Player(player, row.name) for row in await self._rows(wanted)), None)

    async def save_player(self, player: Player) -> None:
        """See EventStore."""
        rename = update(players).where(players.c.player == player.player).values(name=player.name)
        add = insert(players).values(player=player.player, name=player.name)
        await self._write(partial(_update_or_insert, rename, add))

    async def alive(self, at: int) -> None:
        """See EventStore."""
        move = update(marks).where(marks.c.name == _ALIVE).values(value=at)
        await self._write(partial(_update_or_insert, move, insert(marks).values(name=_ALIVE, value=at)))

    async def last_alive(self) -> int:
        """See EventStore."""
        wanted = select(marks.c.value).where(marks.c.name == _ALIVE)
        return next((row.value for row in await self._rows(wanted)), 0)

    async def secret(self, name: str, fresh: bytes) -> bytes:
        """See EventStore."""
        wanted = select(secrets.c.value).where(secrets.c.name == name)

        def keep(connection: Connection) -> bytes:
            kept: bytes | None = connection.execute(wanted).scalar()
            if kept is None:
                connection.execute(insert(secrets).values(name=name, value=fresh))
            return fresh if kept is None else kept

        return await self._write(keep)


def _update_or_insert(change: Executable, add: Executable, connection: Connection) -> None:
    if connection.execute(change).rowcount == 0:
        connection.execute(add)
