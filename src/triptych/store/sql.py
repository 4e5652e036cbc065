"""The store in a database, in SQLAlchemy Core; what differs between databases is in `sqlite.py` and `postgres.py`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, insert, select, tuple_, update
from sqlalchemy.exc import IntegrityError

from triptych.store.batch import CommandId, Outcome, command_id, judge
from triptych.store.group import GroupCommit
from triptych.store.migrate import migrate
from triptych.store.protocol import Append, CommandKey, Player, Posting, Stored, Summary
from triptych.store.schema import commands, deals, events, marks, players, postings, secrets, streams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

_ALIVE = "alive"
_MOVE_HEAD = (
    update(streams)
    .where(streams.c.table_id == bindparam("of"))
    .values(version=bindparam("to"), ended=bindparam("over"))
)


class SqlStore:
    """EventStore in a database; `writing` and `reading` are engines on the same database."""

    def __init__(self, writing: AsyncEngine, reading: AsyncEngine) -> None:
        self._writing = writing
        self._reading = reading
        self._group = GroupCommit(self._commit)
        # Writers of one process queue here, not on the database's lock, which would be polled.
        self._turn = asyncio.Lock()

    async def open(self) -> None:
        """Migrate, then begin to write."""
        try:
            async with self._writing.begin() as connection:
                await connection.run_sync(migrate)
        except BaseException:
            await self.close()
            raise
        self._group.start()

    async def close(self) -> None:
        """Write what waits and give the connections back."""
        await self._group.close()
        await self._writing.dispose()
        await self._reading.dispose()

    async def append(self, append: Append) -> int:
        """See EventStore."""
        return await self._group.append(append)

    async def _commit(self, batch: Sequence[Append]) -> Sequence[Outcome]:
        async with self._turn:
            try:
                return await self._transact(batch)
            except IntegrityError:
                # One of them is at fault, or another process was quicker: each stands for itself.
                return [await self._alone(append) for append in batch]

    async def _alone(self, append: Append) -> Outcome:
        try:
            (outcome,) = await self._transact([append])
        except IntegrityError as error:
            return error
        return outcome

    async def _transact(self, batch: Sequence[Append]) -> Sequence[Outcome]:
        async with self._writing.begin() as connection:
            heads = await _heads(connection, batch)
            outcomes, accepted = judge(batch, heads, await _answers(connection, batch))
            await _write(connection, accepted, heads)
        return outcomes

    async def load(self, table: str, after: int = 0) -> Sequence[Stored]:
        """See EventStore."""
        wanted = (
            select(events.c.visibility, events.c.seat, events.c.payload, events.c.version)
            .where(events.c.table_id == table, events.c.version > after)
            .order_by(events.c.version)
        )
        async with self._reading.connect() as connection:
            rows = (await connection.execute(wanted)).all()
        return tuple(Stored(row.visibility, row.seat, row.payload, version=row.version) for row in rows)

    async def tables(self) -> Sequence[str]:
        """See EventStore."""
        wanted = select(streams.c.table_id).where(streams.c.ended.is_(False)).order_by(streams.c.id)
        async with self._reading.connect() as connection:
            return tuple((await connection.execute(wanted)).scalars())

    async def answer(self, table: str, cmd: CommandKey) -> bytes | None:
        """See EventStore."""
        wanted = select(commands.c.answer).where(
            commands.c.table_id == table, commands.c.player == cmd.player, commands.c.cmd_id == cmd.cmd_id
        )
        async with self._reading.connect() as connection:
            return (await connection.execute(wanted)).scalar()

    async def deals(self, table: str, limit: int = 50) -> Sequence[Summary]:
        """See EventStore."""
        wanted = (
            select(deals.c.deal, deals.c.match, deals.c.payload)
            .where(deals.c.table_id == table)
            .order_by(deals.c.deal.desc())
            .limit(limit)
        )
        async with self._reading.connect() as connection:
            rows = (await connection.execute(wanted)).all()
        return tuple(Summary(row.deal, row.match, row.payload) for row in rows)

    async def balance(self, account: str) -> int:
        """See EventStore."""
        received = select(func.coalesce(func.sum(postings.c.points), 0)).where(postings.c.credit == account)
        paid = select(func.coalesce(func.sum(postings.c.points), 0)).where(postings.c.debit == account)
        async with self._reading.connect() as connection:
            row = (await connection.execute(select(received.scalar_subquery(), paid.scalar_subquery()))).one()
        return int(row[0]) - int(row[1])

    async def postings(self, table: str) -> Sequence[Posting]:
        """See EventStore."""
        wanted = (
            select(postings.c.debit, postings.c.credit, postings.c.points, postings.c.reason)
            .where(postings.c.table_id == table)
            .order_by(postings.c.id)
        )
        async with self._reading.connect() as connection:
            rows = (await connection.execute(wanted)).all()
        return tuple(Posting(row.debit, row.credit, row.points, row.reason) for row in rows)

    async def player(self, player: str) -> Player | None:
        """See EventStore."""
        wanted = select(players.c.name).where(players.c.player == player)
        async with self._reading.connect() as connection:
            name = (await connection.execute(wanted)).scalar()
        return None if name is None else Player(player, name)

    async def save_player(self, player: Player) -> None:
        """See EventStore."""
        rename = update(players).where(players.c.player == player.player).values(name=player.name)
        async with self._turn, self._writing.begin() as connection:
            if (await connection.execute(rename)).rowcount == 0:
                await connection.execute(insert(players).values(player=player.player, name=player.name))

    async def alive(self, at: int) -> None:
        """See EventStore."""
        async with self._turn, self._writing.begin() as connection:
            if (await connection.execute(update(marks).where(marks.c.name == _ALIVE).values(value=at))).rowcount == 0:
                await connection.execute(insert(marks).values(name=_ALIVE, value=at))

    async def last_alive(self) -> int:
        """See EventStore."""
        async with self._reading.connect() as connection:
            at = (await connection.execute(select(marks.c.value).where(marks.c.name == _ALIVE))).scalar()
        return at or 0

    async def secret(self, name: str, fresh: bytes) -> bytes:
        """See EventStore."""
        wanted = select(secrets.c.value).where(secrets.c.name == name)
        async with self._turn, self._writing.begin() as connection:
            kept: bytes | None = (await connection.execute(wanted)).scalar()
            if kept is None:
                await connection.execute(insert(secrets).values(name=name, value=fresh))
        return fresh if kept is None else kept


async def _heads(connection: AsyncConnection, batch: Sequence[Append]) -> dict[str, int]:
    # The rows are locked, always in the same order, against other processes; SQLite has locked the whole file.
    wanted = (
        select(streams.c.table_id, streams.c.version)
        .where(streams.c.table_id.in_({append.table for append in batch}))
        .order_by(streams.c.table_id)
        .with_for_update()
    )
    return {row.table_id: row.version for row in await connection.execute(wanted)}


async def _answers(connection: AsyncConnection, batch: Sequence[Append]) -> dict[CommandId, bytes]:
    keys = {key for append in batch if (key := command_id(append)) is not None}
    if not keys:
        return {}
    key_of = tuple_(commands.c.table_id, commands.c.player, commands.c.cmd_id)
    found = await connection.execute(select(commands).where(key_of.in_(keys)))
    return {(row.table_id, row.player, row.cmd_id): row.answer for row in found}


async def _write(connection: AsyncConnection, accepted: Sequence[Append], heads: dict[str, int]) -> None:
    """Write the accepted appends, one statement a database table however many appends there are."""
    ends = {append.table: append.expected + len(append.events) for append in accepted}
    over = {append.table: append.ends for append in accepted}
    work = (
        (
            insert(streams),
            [{"table_id": of, "version": to, "ended": over[of]} for of, to in ends.items() if of not in heads],
        ),
        (_MOVE_HEAD, [{"of": of, "to": to, "over": over[of]} for of, to in ends.items() if of in heads]),
        (insert(events), [row for append in accepted for row in _event_rows(append)]),
        (
            insert(commands),
            [
                {"table_id": key[0], "player": key[1], "cmd_id": key[2], "answer": append.answer}
                for append in accepted
                if (key := command_id(append)) is not None
            ],
        ),
        (
            insert(postings),
            [
                {
                    "table_id": append.table,
                    "debit": posting.debit,
                    "credit": posting.credit,
                    "points": posting.points,
                    "reason": posting.reason,
                }
                for append in accepted
                for posting in append.postings
            ],
        ),
        (
            insert(deals),
            [
                {"table_id": append.table, "deal": deal.deal, "match": deal.match, "payload": deal.payload}
                for append in accepted
                for deal in append.summaries
            ],
        ),
    )
    for statement, rows in work:
        if rows:
            await connection.execute(statement, rows)


def _event_rows(append: Append) -> list[dict[str, object]]:
    return [
        {
            "table_id": append.table,
            "version": version,
            "visibility": event.visibility,
            "seat": event.seat,
            "payload": event.payload,
        }
        for version, event in enumerate(append.events, append.expected + 1)
    ]
