"""Servers that share a PostgreSQL and a NATS, as processes that a test kills, stops and drains."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx

from tests.memory_store.store import MemoryStore
from tests.nats import Nats
from tests.server.in_process import PATIENCE, RunningServer
from tests.server.server_process import PROGRAM, ServerProcess, free_port
from triptych.store.postgres.store import postgres_store


@dataclass
class Cluster:
    """Servers that share everything, each in a folder of its own."""

    folder: Path
    url: str
    nats: Nats
    servers: list[ServerProcess] = field(default_factory=list)

    async def open(self, *program: str | Path) -> ServerProcess:
        """Add a server; `program`: what runs it."""
        folder = self.folder / f"server{len(self.servers)}"
        folder.mkdir()
        more = ("--bus", self.nats.url)
        server = ServerProcess(folder, free_port(), database=self.url, more=more, program=program or (PROGRAM,))
        self.servers.append(server)
        await server.start()
        return server

    async def owner(self, table: str) -> ServerProcess:
        """Return the server that owns a table, as the database says."""
        address = await self.owned_at(table)
        return next(server for server in self.servers if server.url == address)

    async def owned_at(self, table: str) -> str | None:
        """Return the address of the server that owns a table and is not over; None when none does."""
        async with looking(self.url) as connection:
            address: str | None = await connection.fetchval(
                "SELECT address FROM leases JOIN servers USING (lane) WHERE name = $1 AND NOT over", table
            )
        return address

    async def moved(self, table: str, away: ServerProcess) -> None:
        """Wait until another server owns a table."""
        async with asyncio.timeout(PATIENCE):
            while await self.owned_at(table) in {None, away.url}:  # noqa: ASYNC110 - other processes change it
                await asyncio.sleep(0.05)

    def end(self) -> None:
        """Kill everything."""
        for server in self.servers:
            server.kill()
        self.nats.cut()


@contextlib.asynccontextmanager
async def looking(url: str) -> AsyncIterator[Any]:
    """Lend a connection to a database, by the driver alone."""
    reader = postgres_store(url)
    try:
        async with reader._reading.driver() as connection:  # type: ignore[attr-defined]
            yield connection
    finally:
        await reader.close()


class AnyServer(RunningServer):
    """A server behind a proxy: each connection ends at some server that lives."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__("", MemoryStore())
        self._cluster = cluster
        self._rng = Random(7)

    def socket(self, http: httpx.AsyncClient, **headers: str) -> Any:
        alive = [server for server in self._cluster.servers if server.process is not None]
        if not alive:
            raise ConnectionError
        return RunningServer(self._rng.choice(alive).url, self.store).socket(http, **headers)
