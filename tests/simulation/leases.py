"""A database's servers and leases, as the real statements of store/postgres/leases.py ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

from triptych.store.leases.interface import lease_name
from triptych.store.postgres import leases as sql

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.simulation.disk import Disk


class Server:
    """A row of `servers`; `ended`: none of its sessions is left."""

    def __init__(self, address: str, renewed: int) -> None:
        self.address, self.renewed, self.counted = address, renewed, renewed
        self.over = self.ended = False


class SimConnection:
    """Answers each statement at once, as one transaction, after a while and with luck (`passing`)."""

    def __init__(self, disk: Disk, now: Callable[[], int], passing: Callable[[], Awaitable[None]]) -> None:
        """`now`: the database's clock (ms)."""
        self._disk = disk
        self._now = now
        self._pass = passing

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def fetchval(self, statement: str, *values: Any) -> Any:
        return await self._done(statement, values)

    fetchrow = fetch = execute = fetchval

    async def _done(self, statement: str, values: tuple[Any, ...]) -> Any:
        await self._pass()
        done = _STATEMENTS[statement](self, *values)
        await self._pass()
        return done

    def _join(self, _pid: int, address: str, _public: str) -> tuple[int, int]:
        lane = self._next()
        self._disk.servers[lane] = Server(address, self._now())
        self._disk.lanes[lane] = []
        return lane, self._now()

    def _next(self) -> int:
        self._disk.epoch += 1
        return self._disk.epoch

    def _take(self, name: str, lane: int, new: bool, stream: str, before: int | None) -> int | None:  # noqa: FBT001
        disk = self._disk
        exists = new or stream in disk.streams or name in disk.leases
        if disk.servers[lane].over or not exists or disk.leases.get(name, lane) not in {lane, before}:
            return None
        disk.leases[name] = lane
        return lane

    def _find(self, name: str) -> dict[str, Any] | None:
        lane = self._disk.leases.get(name)
        if lane is None:
            return None
        server = self._disk.servers[lane]
        quiet = self._now() - server.renewed
        return {"lane": lane, "address": server.address, "public": "", "over": server.over, "quiet": quiet}

    def _lives(self, lane: int) -> bool:
        return not self._disk.servers[lane].over

    def _give(self, lane: int, names: list[str]) -> None:
        for name in names:
            if self._disk.leases.get(name) == lane:
                del self._disk.leases[name]

    def _renew(self, lane: int, counted_at: int | None, patience: int) -> tuple[Any, ...] | None:
        server = self._disk.servers[lane]
        if server.over:
            return None
        if counted_at is not None:
            server.counted = counted_at
        server.renewed = self._now()
        living = {lane: server for lane, server in self._disk.servers.items() if not server.over}
        silent = any(each.renewed < self._now() - patience for each in living.values())
        free = [name for name, owner in self._disk.leases.items() if self._disk.servers[owner].over]
        return server.renewed, min(living), living[min(living)].address, "", silent, free

    def _bury(self, lane: int, patience: int, ended: int) -> str:
        dead = [
            server
            for other, server in self._disk.servers.items()
            if other != lane
            and not server.over
            and server.renewed < self._now() - (min(patience, ended) if server.ended else patience)
        ]
        for server in dead:
            server.over = True
        return f"UPDATE {len(dead)}"

    def _lose(self, name: str, lane: int) -> None:
        self._disk.lost.setdefault(name, self._disk.servers[lane].counted)

    def _lost(self, name: str) -> int | None:
        since = self._disk.lost.get(name)
        return None if since is None else self._now() - since

    def _made_up(self, lane: int, names: list[str]) -> None:
        for name in names:
            if self._lives(lane) and self._disk.leases.get(name) == lane:
                self._disk.lost.pop(name, None)

    def _leave(self, lane: int, counted_at: bool) -> None:  # noqa: FBT001 - as the statement's values come
        server = self._disk.servers[lane]
        if server.over:
            return
        server.over, server.renewed = True, self._now()
        if counted_at:
            server.counted = server.renewed


_STATEMENTS: Final[dict[str, Callable[..., Any]]] = {
    sql._JOIN: SimConnection._join,
    sql._NEXT_EPOCH: SimConnection._next,
    sql._ACQUIRE: SimConnection._take,
    sql._FIND: SimConnection._find,
    sql._IS_ALIVE: SimConnection._lives,
    sql._RELEASE: SimConnection._give,
    sql._RENEW: SimConnection._renew,
    sql._FENCE_DEAD: SimConnection._bury,
    sql._NOTE_DOWNTIME: SimConnection._lose,
    sql._DOWNTIME: SimConnection._lost,
    sql._CLEAR_DOWNTIME: SimConnection._made_up,
    sql._LEAVE: SimConnection._leave,
}


def owner_of(disk: Disk, table: str) -> int | None:
    """Return the lane of the server that owns a table."""
    return disk.leases.get(lease_name(table))
