"""Leases in PostgreSQL: one statement each, by the driver alone. The only clock is the database's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Final

from triptych.store.errors import FencedError
from triptych.store.journal.rows import PARTITION_SHIFT
from triptych.store.leases.interface import LEASE_SECONDS, LeaseHolder, ServerId, ServerInfo, lease_name
from triptych.store.projections.project import COMPENSATED_MARK, DOWNTIME_MARK, EPOCH, PROJECTED

if TYPE_CHECKING:
    from asyncpg import Connection

_NOW: Final = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_NEXT: Final = f"UPDATE marks SET value = value + 1 WHERE name = '{EPOCH}' RETURNING value"  # noqa: S608 - our names
_JOIN: Final = f"""
    WITH next AS ({_NEXT}), mark AS (
        INSERT INTO marks (name, value) SELECT '{PROJECTED} ' || value, value << {PARTITION_SHIFT} FROM next
        UNION ALL SELECT '{COMPENSATED_MARK}' || value, {_NOW} FROM next
    )
    INSERT INTO servers (lane, pid, address, public, renewed, over)
    SELECT value, $1, $2, $3, {_NOW}, false FROM next RETURNING lane, renewed
"""  # noqa: S608 - as above
# One's own row is locked against who would find one dead: what is taken is taken by a server that lives.
_TAKE: Final = """
    INSERT INTO leases AS mine (name, lane) SELECT $1::text, $2 FROM servers WHERE lane = $2 AND NOT over AND (
        $3 OR EXISTS (SELECT FROM streams WHERE table_id = $4::text)
        OR EXISTS (SELECT FROM leases WHERE name = $1::text)
    ) FOR SHARE OF servers
    ON CONFLICT (name) DO UPDATE SET lane = $2 WHERE mine.lane = $2 OR mine.lane = $5 RETURNING lane
"""
_FIND: Final = f"""
    SELECT lane, address, public, over, {_NOW} - renewed AS quiet
    FROM leases JOIN servers USING (lane) WHERE name = $1
"""  # noqa: S608 - as above
# Since when a lease's owner was not heard of, or has lost time that it had not made up. It stays until who took the
# lease has made that up and has lived for a while: one that dies before leaves it to the next one.
_NOTE_DOWNTIME: Final = f"""
    INSERT INTO marks (name, value) SELECT '{DOWNTIME_MARK}' || $1::text, coalesce(
        (SELECT value FROM marks WHERE name = '{COMPENSATED_MARK}' || $2::bigint), renewed
    ) FROM servers WHERE lane = $2
    ON CONFLICT DO NOTHING
"""  # noqa: S608 - our names
_LOST: Final = f"SELECT {_NOW} - value FROM marks WHERE name = '{DOWNTIME_MARK}' || $1::text"  # noqa: S608 - as above
# Only by who owns the lease: one that was held for dead meanwhile may know no more what the next owner has found.
_CLEAR_DOWNTIME: Final = f"""
    WITH mine AS (SELECT lane FROM servers WHERE lane = $1 AND NOT over FOR SHARE)
    DELETE FROM marks USING mine JOIN leases USING (lane)
    WHERE leases.name = ANY($2::text[]) AND marks.name = '{DOWNTIME_MARK}' || leases.name
"""  # noqa: S608 - our names
_OVER: Final = "SELECT lane FROM servers WHERE over AND lane = ANY($1::bigint[])"
_IS_ALIVE: Final = "SELECT EXISTS (SELECT FROM servers WHERE lane = $1 AND NOT over)"
_GIVE: Final = "DELETE FROM leases WHERE lane = $1 AND name = ANY($2::text[])"
# With a lane's renewal is noted until when no time was lost there that is not made up ($2; NULL: some was). Whoever
# renews hears at once what there is to do: the statement is all that a server which plays nothing asks for.
_RENEW: Final = f"""
    WITH mine AS (UPDATE servers SET renewed = {_NOW} WHERE lane = $1 AND NOT over RETURNING lane, renewed),
    counted AS (
        INSERT INTO marks (name, value)
        SELECT '{COMPENSATED_MARK}' || lane, $2::bigint FROM mine WHERE $2::bigint IS NOT NULL
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
    )
    SELECT mine.renewed, eldest.lane, eldest.address, eldest.public,
    EXISTS (SELECT FROM servers WHERE NOT over AND lane <> $1 AND renewed < {_NOW} - $3) AS silent,
    ARRAY(SELECT name FROM leases JOIN servers USING (lane) WHERE over) AS free
    FROM mine, (SELECT lane, address, public FROM servers WHERE NOT over ORDER BY lane LIMIT 1) AS eldest
"""  # noqa: S608 - our names
# One whose process has ended is found sooner: none of its sessions is left (postgres.py gives them their name).
_FENCE_DEAD: Final = f"""
    UPDATE servers SET over = true WHERE NOT over AND lane <> $1 AND (
        renewed < {_NOW} - $2 OR renewed < {_NOW} - $3 AND NOT EXISTS (
            SELECT FROM pg_stat_activity WHERE application_name LIKE 'triptych %'
            AND split_part(application_name, ' ', 3) = servers.pid::text
            AND starts_with(servers.address, split_part(application_name, ' ', 4))
        )
    )
"""  # noqa: S608 - our names
# One that was held for dead before it left has no say in that: since it was last heard of nobody could move.
_LEAVE: Final = f"""
    WITH mine AS (UPDATE servers SET over = true, renewed = {_NOW} WHERE lane = $1 AND NOT over RETURNING lane)
    UPDATE marks SET value = {_NOW} FROM mine WHERE name = '{COMPENSATED_MARK}' || lane AND $2::boolean
"""  # noqa: S608 - our names
# Whoever lives has renewed by then, also when its connections were cut.
DEAD_SESSION_SECONDS: Final = 1.0
# In which who has taken a lease has asked for each of its streams what was lost.
COMPENSATION_SECONDS: Final = 10.0


class PostgresLeases:
    """See Leases. `connection` lends a connection that waits for no commit, `renewing` one that waits for nothing."""

    is_standalone: Final = False
    holder: LeaseHolder

    def __init__(
        self,
        connection: Callable[[], AbstractAsyncContextManager[Connection]],
        renewing: Callable[[], AbstractAsyncContextManager[Connection]],
    ) -> None:
        self._connection = connection
        self._renewing = renewing
        self._taking = asyncio.Lock()
        self.this_server = self.leader = ServerId(0, "")
        self.somebody_silent = False
        self._leaving: set[str] = set()
        self._last_seen: dict[str, float] = {}  # when the owners were last heard of from whom leases were taken
        self._reported: set[str] = set()
        self._owing: set[str] = set()  # streams that are told, and have not made it up
        self._taken: dict[str, float] = {}  # leases whose loss is still noted, and when they were taken
        self._renewed = 0, 0.0  # when, by the database's clock (ms) and then by ours

    def pop_takeover_downtime(self, stream: str) -> int:
        """See Leases."""
        heard = self._last_seen.get(lease_name(stream))
        if heard is None or stream in self._reported:
            return 0
        self._reported.add(stream)
        self._owing.add(stream)
        return int((asyncio.get_running_loop().time() - heard) * 1000)

    def mark_compensated(self, stream: str) -> None:
        """See Leases."""
        self._owing.discard(stream)

    def _note_takeover(self, name: str, heard: float | None) -> None:
        """Note when a lease's owner was last heard of; None for one that had none."""
        for streams in (self._reported, self._owing):
            streams.difference_update([stream for stream in streams if lease_name(stream) == name])
        if heard is None:
            self._last_seen.pop(name, None)
            self._taken.pop(name, None)
        else:
            self._last_seen[name] = heard
            self._taken[name] = asyncio.get_running_loop().time()

    async def register(self, serving: ServerInfo) -> None:
        """See Leases."""
        async with self._connection() as connection:
            lane, renewed = await connection.fetchrow(_JOIN, serving.pid, serving.address, serving.public)
        self._renewed = renewed, asyncio.get_running_loop().time()
        self.this_server = ServerId(lane, serving.address, serving.public)
        self._last_seen.clear()
        self._taken.clear()
        self._reported.clear()
        self._owing.clear()
        await self.holder.start(lane)

    async def acquire(self, stream: str, *, new: bool = False) -> ServerId | None:
        """See Leases."""
        name = lease_name(stream)
        if self.holder.holds(name) and name not in self._leaving:
            return None
        async with self._taking:
            return None if self.holder.holds(name) else await self._take(name, stream, new=new)

    async def _take(self, name: str, stream: str, *, new: bool) -> ServerId | None:
        while True:
            async with self._connection() as connection:
                lease = await connection.fetchrow(_FIND, name)
                if lease is not None and not lease["over"] and lease["lane"] != self.this_server.number:
                    if lease["quiet"] > DEAD_SESSION_SECONDS * 1000 and await self._fence_dead(connection):
                        continue
                    return ServerId(lease["lane"], lease["address"], lease["public"])
                before = None if lease is None or not lease["over"] else lease["lane"]
                if before is not None:
                    await connection.execute(_NOTE_DOWNTIME, name, before)
                    # First: once the lease is ours nobody remembers whose lane has to be read.
                    await self.holder.project_partition(before)
                taken = await connection.fetchval(_TAKE, name, self.this_server.number, new, stream, before)
                if taken is None:
                    await self._verify(connection)
                    if lease is None and await connection.fetchrow(_FIND, name) is None:
                        return None
                    continue  # somebody was quicker
                queried_at = asyncio.get_running_loop().time()
                quiet = await connection.fetchval(_LOST, name)
                epoch = await connection.fetchval(_NEXT)
            await self.holder.add_lease(name, epoch)
            # Only now: until it is held nobody can load its tables, nor make anything up.
            self._note_takeover(name, None if quiet is None else queried_at - quiet / 1000)
            return None

    def holds(self, stream: str) -> bool:
        """See Leases."""
        return self.holder.holds(lease_name(stream))

    async def release(self, streams: Iterable[str]) -> None:
        """See Leases."""
        names = [name for name in map(lease_name, streams) if self.holder.holds(name)]
        # Whoever wants one back from this moment on waits until it is free.
        self._leaving.update(names)
        try:
            async with self._taking:
                await self.holder.drop_leases(names)
                # What rests has made up everything; the next owner is not to hear of it again.
                await self._forget_lost(names)
                async with self._connection() as connection:
                    await connection.execute(_GIVE, self.this_server.number, names)
        finally:
            self._leaving.difference_update(names)

    async def verify_not_fenced(self) -> None:
        """See Leases."""
        async with self._connection() as connection:
            await self._verify(connection)

    async def _verify(self, connection: Connection) -> None:
        if not await connection.fetchval(_IS_ALIVE, self.this_server.number):
            raise FencedError

    async def renew(self, *, counted: bool = True) -> Sequence[str]:
        """See Leases."""
        loop = asyncio.get_running_loop()
        then, at = self._renewed
        # Of before the statement: it may wait in a machine that sleeps. The database's clock is at least so far.
        until = then + int((loop.time() - at) * 1000) if counted else None
        silent, free = await self._renew(until)
        if silent:
            async with self._connection() as connection:
                buried = await self._fence_dead(connection)
            if buried:
                silent, free = await self._renew(until)
        self.somebody_silent = silent
        await self._forget_lost(self._done())
        return free

    async def _renew(self, until: int | None) -> tuple[bool, Sequence[str]]:
        """Return whether somebody has been silent for long, and what has lost its owner."""
        async with self._renewing() as connection:
            row = await connection.fetchrow(_RENEW, self.this_server.number, until, int(DEAD_SESSION_SECONDS * 1000))
        if row is None:
            raise FencedError
        renewed, *eldest, silent, free = row
        self._renewed = renewed, asyncio.get_running_loop().time()
        self.leader = ServerId(*eldest)
        return silent, free

    def _done(self) -> list[str]:
        """Return the leases of which everything is made up that was lost when they were taken.

        A tournament's has not while somebody has asked for one of its tables alone: it asks for the others.
        """
        until = asyncio.get_running_loop().time() - COMPENSATION_SECONDS
        owing = set(map(lease_name, self._owing))
        led = {lease_name(stream) for stream in self._reported if "-" not in stream}
        return [name for name, taken in self._taken.items() if taken < until and name in led and name not in owing]

    async def _forget_lost(self, names: Sequence[str]) -> None:
        noted = [name for name in names if name in self._taken]
        if noted:
            async with self._connection() as connection:
                await connection.execute(_CLEAR_DOWNTIME, self.this_server.number, noted)
            for name in noted:
                self._taken.pop(name, None)

    async def _fence_dead(self, connection: Connection) -> bool:
        """Find who is dead; tell whether anybody is."""
        patience = (int(seconds * 1000) for seconds in (LEASE_SECONDS, DEAD_SESSION_SECONDS))
        return bool(await connection.execute(_FENCE_DEAD, self.this_server.number, *patience) != "UPDATE 0")

    async def over(self, numbers: Sequence[int]) -> Sequence[int]:
        """See Leases."""
        async with self._renewing() as connection:
            return [row["lane"] for row in await connection.fetch(_OVER, numbers)]

    async def unregister(self, *, counted: bool = True) -> None:
        """See Leases."""
        async with self._connection() as connection:
            await connection.execute(_LEAVE, self.this_server.number, counted)
