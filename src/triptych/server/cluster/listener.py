"""The tables and tournaments of a house as its servers see each other's."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from random import SystemRandom
from typing import Final

import structlog
from msgspec import Raw

from triptych.errors import error_location
from triptych.server.edge.connection import ConnectionRegistry
from triptych.server.edge.guests import Guests
from triptych.server.tables.directory import TableDirectory
from triptych.server.tables.service import TableService
from triptych.server.tables.summary import TableSummary
from triptych.server.tournaments.service import TournamentService
from triptych.server.tournaments.summary import TournamentSummary
from triptych.server.wire.ownership import RemoteOwnerError
from triptych.store.leases.interface import LeaseManager

log = structlog.get_logger()
ADOPT_CONCURRENCY: Final = 8


class ClusterListener:
    """What this server tells the cluster of its tables and guests, and does when the cluster reports something."""

    def __init__(
        self,
        *,
        leases: LeaseManager,
        directory: TableDirectory,
        tables: TableService,
        tournaments: TournamentService,
        connections: ConnectionRegistry,
        guests: Guests,
    ) -> None:
        self._leases = leases
        self._directory = directory
        self._tables = tables
        self._tournaments = tournaments
        self._connections = connections
        self._guests = guests
        self._looking: asyncio.Task[None] | None = None
        self._missing: asyncio.Task[None] | None = None

    def is_compensated(self) -> bool:
        """Return whether no time was lost until now that is not made up."""
        return self._tables.is_compensated()

    def local_tables(self) -> Iterable[str]:
        """Return the open tables in this server's memory."""
        return self._directory.local_tables()

    def local_table(self, table: str) -> tuple[TableSummary, list[str]] | None:
        """Return how an open table in this server's memory is, and who follows it; None for any other."""
        return self._directory.local_table(table)

    def local_tournaments(self) -> Iterable[TournamentSummary]:
        """Return the tournaments that this server plays."""
        return self._tournaments.local_summaries()

    def on_tournament_updated(self, glance: TournamentSummary) -> None:
        """Called when another server's tournament has changed."""
        self._tournaments.on_remote_update(glance)

    def on_table_updated(self, server: int, table: str, told: Raw, followers: list[str]) -> None:
        """Called when another server's table has changed."""
        self._directory.on_remote_update(server, table, told, followers)

    def on_table_unloaded(self, server: int, table: str) -> None:
        """Called when another server has a table in memory no longer."""
        self._directory.on_remote_unloaded(server, table)

    def on_server_left(self, server: int) -> None:
        """Called when a server is over: what it owned is nobody's."""
        self._directory.on_server_left(server)

    def on_guest_renamed(self, player: str, name: str) -> None:
        """Called when a guest has another name."""
        self._guests.on_renamed(player, name)
        self._tables.on_guest_renamed(player, name)

    def on_guest_deleted(self, player: str) -> None:
        """Called when a guest is nobody any more."""
        self._guests.on_deleted(player)
        self._connections.verify(self._guests)

    def on_token_revoked(self, player: str, token: str) -> None:
        """Called when a guest's token, by its id, counts no more."""
        self._connections.disconnect_token(player, token)

    def signed_out(self, player: str, session: str, epoch: int) -> None:
        """Called when a guest has ended a session, or with an empty one all before an epoch."""
        if epoch:
            self._guests.lost_sessions(player, epoch)
        else:
            self._guests.lost_session(player, session)
        self._connections.verify(self._guests)

    def on_messages_missed(self) -> None:
        """Called when names and who is forgotten may have changed unheard."""
        self._missing = asyncio.create_task(self._catch_up(), name="missed")

    async def _catch_up(self) -> None:
        await self._guests.refresh()
        self._connections.verify(self._guests)

    def adopt(self, names: Iterable[str]) -> None:
        """Take what has lost its owner, if nobody is quicker."""
        if self._looking is None or self._looking.done():
            found = list(names)
            # So that several servers do not go for the same ones.
            SystemRandom().shuffle(found)
            self._looking = asyncio.create_task(self._look_after(found), name="orphans")

    async def _look_after(self, names: list[str]) -> None:
        turn = asyncio.Semaphore(ADOPT_CONCURRENCY)

        async def one(name: str) -> None:
            async with turn:
                try:
                    if await self._directory.get(name) is None and not await self._tournaments.adopt(name):
                        await self._leases.release([name])
                except RemoteOwnerError:
                    return
                except Exception as error:  # noqa: BLE001 - the others are waiting, and this one comes again
                    log.error("what has lost its owner cannot be loaded", name=name, error=error_location(error))  # noqa: TRY400
                    self._directory.adopt([name])
                    self._tournaments.adopt_in_background(name)

        await asyncio.gather(*map(one, names))

    async def drop_all(self) -> None:
        """Drop everything as it is: nothing more may be written of it, and its players have to connect again."""
        if self._looking is not None:
            self._looking.cancel()
        self._tournaments.drop_all()
        self._directory.drop_all()
        await self._connections.close()
