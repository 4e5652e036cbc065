"""Leases in PostgreSQL: one statement each, with the driver alone. The only clock is the database's."""

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
_NEXT_EPOCH: Final = f"UPDATE marks SET value = value + 1 WHERE name = '{EPOCH}' RETURNING value"  # noqa: S608 - our names
_JOIN: Final = f"""
    WITH next AS ({_NEXT_EPOCH}), mark AS (
        INSERT INTO marks (name, value) SELECT '{PROJECTED} ' || value, value << {PARTITION_SHIFT} FROM next
        UNION ALL SELECT '{COMPENSATED_MARK}' || value, {_NOW} FROM next
    )
    INSERT INTO servers (lane, pid, address, public, renewed, over)
    SELECT value, $1, $2, $3, {_NOW}, false FROM next RETURNING lane, renewed
"""  # noqa: S608 - as above
# The server's own row is locked against fencing: a lease is only acquired by a server that is alive.
_ACQUIRE: Final = """
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
# Notes the beginning of a lease's downtime: the owner's last renewal, or the beginning of downtime that it had not
# compensated. The mark stays until the new owner has compensated it and has been alive for a while: if it dies
# before, the next owner does so.
_NOTE_DOWNTIME: Final = f"""
    INSERT INTO marks (name, value) SELECT '{DOWNTIME_MARK}' || $1::text, coalesce(
        (SELECT value FROM marks WHERE name = '{COMPENSATED_MARK}' || $2::bigint), renewed
    ) FROM servers WHERE lane = $2
    ON CONFLICT DO NOTHING
"""  # noqa: S608 - our names
_DOWNTIME: Final = f"SELECT {_NOW} - value FROM marks WHERE name = '{DOWNTIME_MARK}' || $1::text"  # noqa: S608 - as above
# Only by the lease's owner: a server that was fenced meanwhile must not delete a mark of the next owner.
_CLEAR_DOWNTIME: Final = f"""
    WITH mine AS (SELECT lane FROM servers WHERE lane = $1 AND NOT over FOR SHARE)
    DELETE FROM marks USING mine JOIN leases USING (lane)
    WHERE leases.name = ANY($2::text[]) AND marks.name = '{DOWNTIME_MARK}' || leases.name
"""  # noqa: S608 - our names
_FENCED: Final = "SELECT lane FROM servers WHERE over AND lane = ANY($1::bigint[])"
_IS_ALIVE: Final = "SELECT EXISTS (SELECT FROM servers WHERE lane = $1 AND NOT over)"
_RELEASE: Final = "DELETE FROM leases WHERE lane = $1 AND name = ANY($2::text[])"
# Renews a server, notes until when all downtime of its tables is compensated ($2; NULL: not all is), and returns what
# there is to do, so that an idle server needs no other statement.
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
# A server whose process has ended is detected sooner: it has no session any more (postgres/store.py names them).
_FENCE_DEAD: Final = f"""
    UPDATE servers SET over = true WHERE NOT over AND lane <> $1 AND (
        renewed < {_NOW} - $2 OR renewed < {_NOW} - $3 AND NOT EXISTS (
            SELECT FROM pg_stat_activity WHERE application_name LIKE 'triptych %'
            AND split_part(application_name, ' ', 3) = servers.pid::text
            AND starts_with(servers.address, split_part(application_name, ' ', 4))
        )
    )
"""  # noqa: S608 - our names
# A server that was fenced before it left changes nothing: since its last renewal nobody could move.
_LEAVE: Final = f"""
    WITH mine AS (UPDATE servers SET over = true, renewed = {_NOW} WHERE lane = $1 AND NOT over RETURNING lane)
    UPDATE marks SET value = {_NOW} FROM mine WHERE name = '{COMPENSATED_MARK}' || lane AND $2::boolean
"""  # noqa: S608 - our names
# A live server has renewed by then, even if its connections were cut.
DEAD_SESSION_SECONDS: Final = 1.0
# Within this time the new owner of a lease has asked for the downtime of each of its streams.
COMPENSATION_SECONDS: Final = 10.0


class PostgresLeases:
    """See LeaseManager. `connection` lends one that waits for no commit, `renewing` one that waits for nothing."""

    is_standalone: Final = False
    holder: LeaseHolder

    def __init__(
        self,
        connection: Callable[[], AbstractAsyncContextManager[Connection]],
        renewing: Callable[[], AbstractAsyncContextManager[Connection]],
    ) -> None:
        self._connection = connection
        self._renewing = renewing
        self._lock = asyncio.Lock()
        self.this_server = self.leader = ServerId(0, "")
        self.somebody_silent = False
        self._releasing: set[str] = set()
        self._owner_seen_at: dict[str, float] = {}  # by lease: the former owner's last sign of life
        self._reported: set[str] = set()
        self._uncompensated: set[str] = set()  # reported streams that have not compensated yet
        self._acquired_at: dict[str, float] = {}  # leases whose downtime mark still exists
        self._renewed = 0, 0.0  # time of the last renewal: by the database's clock (ms) and by the loop's

    def pop_takeover_downtime(self, stream: str) -> int:
        """See LeaseManager."""
        seen_at = self._owner_seen_at.get(lease_name(stream))
        if seen_at is None or stream in self._reported:
            return 0
        self._reported.add(stream)
        self._uncompensated.add(stream)
        return int((asyncio.get_running_loop().time() - seen_at) * 1000)

    def mark_compensated(self, stream: str) -> None:
        """See LeaseManager."""
        self._uncompensated.discard(stream)

    def _note_takeover(self, name: str, seen_at: float | None) -> None:
        """Note the former owner's last sign of life; None if the lease had no downtime."""
        for streams in (self._reported, self._uncompensated):
            streams.difference_update([stream for stream in streams if lease_name(stream) == name])
        if seen_at is None:
            self._owner_seen_at.pop(name, None)
            self._acquired_at.pop(name, None)
        else:
            self._owner_seen_at[name] = seen_at
            self._acquired_at[name] = asyncio.get_running_loop().time()

    async def register(self, serving: ServerInfo) -> None:
        """See LeaseManager."""
        async with self._connection() as connection:
            number, renewed = await connection.fetchrow(_JOIN, serving.pid, serving.address, serving.public)
        self._renewed = renewed, asyncio.get_running_loop().time()
        self.this_server = ServerId(number, serving.address, serving.public)
        self._owner_seen_at.clear()
        self._acquired_at.clear()
        self._reported.clear()
        self._uncompensated.clear()
        await self.holder.start(number)

    async def acquire(self, stream: str, *, new: bool = False) -> ServerId | None:
        """See LeaseManager."""
        name = lease_name(stream)
        if self.holder.holds(name) and name not in self._releasing:
            return None
        async with self._lock:
            return None if self.holder.holds(name) else await self._acquire(name, stream, new=new)

    async def _acquire(self, name: str, stream: str, *, new: bool) -> ServerId | None:
        while True:
            async with self._connection() as connection:
                lease = await connection.fetchrow(_FIND, name)
                if lease is not None and not lease["over"] and lease["lane"] != self.this_server.number:
                    if lease["quiet"] > DEAD_SESSION_SECONDS * 1000 and await self._fence_dead(connection):
                        continue
                    return ServerId(lease["lane"], lease["address"], lease["public"])
                former = None if lease is None or not lease["over"] else lease["lane"]
                if former is not None:
                    await connection.execute(_NOTE_DOWNTIME, name, former)
                    # First: once the lease is ours, no row says whose partition has to be projected.
                    await self.holder.project_partition(former)
                acquired = await connection.fetchval(_ACQUIRE, name, self.this_server.number, new, stream, former)
                if acquired is None:
                    await self._verify(connection)
                    if lease is None and await connection.fetchrow(_FIND, name) is None:
                        return None
                    continue  # another server was faster
                queried_at = asyncio.get_running_loop().time()
                quiet = await connection.fetchval(_DOWNTIME, name)
                epoch = await connection.fetchval(_NEXT_EPOCH)
            await self.holder.add_lease(name, epoch)
            # Only now: before the lease is held its tables cannot be loaded, nor their clocks compensated.
            self._note_takeover(name, None if quiet is None else queried_at - quiet / 1000)
            return None

    def holds(self, stream: str) -> bool:
        """See LeaseManager."""
        return self.holder.holds(lease_name(stream))

    async def release(self, streams: Iterable[str]) -> None:
        """See LeaseManager."""
        names = [name for name in map(lease_name, streams) if self.holder.holds(name)]
        # From now on acquiring one of them again waits until it is free.
        self._releasing.update(names)
        try:
            async with self._lock:
                await self.holder.drop_leases(names)
                # An evicted stream has compensated everything; the next owner must not do it again.
                await self._clear_downtime(names)
                async with self._connection() as connection:
                    await connection.execute(_RELEASE, self.this_server.number, names)
        finally:
            self._releasing.difference_update(names)

    async def verify_not_fenced(self) -> None:
        """See LeaseManager."""
        async with self._connection() as connection:
            await self._verify(connection)

    async def _verify(self, connection: Connection) -> None:
        if not await connection.fetchval(_IS_ALIVE, self.this_server.number):
            raise FencedError

    async def renew(self, *, is_compensated: bool = True) -> Sequence[str]:
        """See LeaseManager."""
        loop = asyncio.get_running_loop()
        renewed_ms, renewed_at = self._renewed
        # Read before the statement, which may be delayed, as when the machine sleeps. The database's clock has
        # reached at least this time.
        until = renewed_ms + int((loop.time() - renewed_at) * 1000) if is_compensated else None
        silent, free = await self._renew(until)
        if silent:
            async with self._connection() as connection:
                fenced = await self._fence_dead(connection)
            if fenced:
                silent, free = await self._renew(until)
        self.somebody_silent = silent
        await self._clear_downtime(self._compensated_leases())
        return free

    async def _renew(self, until: int | None) -> tuple[bool, Sequence[str]]:
        """Return whether another server has not renewed for long, and the leases whose owner is fenced."""
        async with self._renewing() as connection:
            row = await connection.fetchrow(_RENEW, self.this_server.number, until, int(DEAD_SESSION_SECONDS * 1000))
        if row is None:
            raise FencedError
        renewed, *leader, silent, free = row
        self._renewed = renewed, asyncio.get_running_loop().time()
        self.leader = ServerId(*leader)
        return silent, free

    def _compensated_leases(self) -> list[str]:
        """Return the leases whose downtime at the takeover is compensated.

        A tournament's lease needs the tournament itself, not only one of its tables: it loads the other tables.
        """
        until = asyncio.get_running_loop().time() - COMPENSATION_SECONDS
        uncompensated = set(map(lease_name, self._uncompensated))
        reported = {lease_name(stream) for stream in self._reported if "-" not in stream}
        return [
            name
            for name, acquired_at in self._acquired_at.items()
            if acquired_at < until and name in reported and name not in uncompensated
        ]

    async def _clear_downtime(self, names: Sequence[str]) -> None:
        marked = [name for name in names if name in self._acquired_at]
        if marked:
            async with self._connection() as connection:
                await connection.execute(_CLEAR_DOWNTIME, self.this_server.number, marked)
            for name in marked:
                self._acquired_at.pop(name, None)

    async def _fence_dead(self, connection: Connection) -> bool:
        """Fence the servers that have not renewed in time; return whether there was one."""
        limits_ms = (int(seconds * 1000) for seconds in (LEASE_SECONDS, DEAD_SESSION_SECONDS))
        return bool(await connection.execute(_FENCE_DEAD, self.this_server.number, *limits_ms) != "UPDATE 0")

    async def find_fenced(self, numbers: Sequence[int]) -> Sequence[int]:
        """See LeaseManager."""
        async with self._renewing() as connection:
            return [row["lane"] for row in await connection.fetch(_FENCED, numbers)]

    async def unregister(self, *, is_compensated: bool = True) -> None:
        """See LeaseManager."""
        async with self._connection() as connection:
            await connection.execute(_LEAVE, self.this_server.number, is_compensated)
