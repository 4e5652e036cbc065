"""Connects the cluster with the local tables and tournaments: their summaries, and reports of other servers."""

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
    """Reads the local tables and tournaments for the cluster, and applies what the other servers report."""

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
        self._adopting: asyncio.Task[None] | None = None
        self._catching_up: asyncio.Task[None] | None = None

    def is_compensated(self) -> bool:
        """Return whether all downtime until now is compensated."""
        return self._tables.is_compensated()

    def local_tables(self) -> Iterable[str]:
        """Return the open tables in this server's memory."""
        return self._directory.local_tables()

    def local_table(self, table: str) -> tuple[TableSummary, list[str]] | None:
        """Return the summary and the watchers of an open table in this server's memory; None for any other."""
        return self._directory.local_table(table)

    def local_tournaments(self) -> Iterable[TournamentSummary]:
        """Return the summaries of the tournaments that this server owns."""
        return self._tournaments.local_summaries()

    def on_tournament_updated(self, summary: TournamentSummary) -> None:
        """Called when another server's tournament has changed."""
        self._tournaments.on_remote_update(summary)

    def on_table_updated(self, server: int, table: str, summary: Raw, watchers: list[str]) -> None:
        """Called when another server's table has changed."""
        self._directory.on_remote_update(server, table, summary, watchers)

    def on_table_unloaded(self, server: int, table: str) -> None:
        """Called when another server has unloaded a table."""
        self._directory.on_remote_unloaded(server, table)

    def on_server_left(self, server: int) -> None:
        """Called when a server has left or was fenced: its tables have no owner."""
        self._directory.on_server_left(server)

    def on_guest_renamed(self, player: str, name: str) -> None:
        """Called when a guest was renamed at another server."""
        self._guests.on_renamed(player, name)
        self._tables.on_guest_renamed(player, name)

    def on_guest_deleted(self, player: str) -> None:
        """Called when a guest was deleted at another server."""
        self._guests.on_deleted(player)
        self._tournaments.on_guest_deleted(player)
        self._connections.verify(self._guests)

    def on_token_revoked(self, player: str, token: str) -> None:
        """Called when a guest's token, named by its id, was revoked at another server."""
        self._connections.disconnect_token(player, token)

    def signed_out(self, player: str, session: str, epoch: int) -> None:
        """Called when a guest has ended a session, or with an empty one all before an epoch."""
        if epoch:
            self._guests.mark_sessions_ended(player, epoch)
        else:
            self._guests.mark_session_ended(player, session)
        self._connections.verify(self._guests)

    def on_messages_missed(self) -> None:
        """Called when messages were lost: names may have changed, and guests may have been deleted."""
        self._catching_up = asyncio.create_task(self._catch_up(), name="missed")

    async def _catch_up(self) -> None:
        await self._guests.refresh()
        self._connections.verify(self._guests)

    def adopt(self, names: Iterable[str]) -> None:
        """Take over streams without an owner, in the background; another server may be quicker."""
        if self._adopting is None or self._adopting.done():
            orphans = list(names)
            # Shuffled, so that several servers do not adopt in the same order.
            SystemRandom().shuffle(orphans)
            self._adopting = asyncio.create_task(self._adopt_all(orphans), name="orphans")

    async def _adopt_all(self, names: list[str]) -> None:
        semaphore = asyncio.Semaphore(ADOPT_CONCURRENCY)

        async def adopt(name: str) -> None:
            async with semaphore:
                try:
                    if await self._directory.get(name) is None and not await self._tournaments.adopt(name):
                        await self._leases.release([name])
                except RemoteOwnerError:
                    return
                except Exception as error:  # noqa: BLE001 - the other orphans go on, and this one is tried again
                    log.error("an orphan cannot be loaded", name=name, error=error_location(error))  # noqa: TRY400
                    self._directory.adopt([name])
                    self._tournaments.adopt_in_background(name)

        await asyncio.gather(*map(adopt, names))

    async def drop_all(self) -> None:
        """Unload everything without writing, and close all connections: this server was fenced."""
        if self._adopting is not None:
            self._adopting.cancel()
        self._tournaments.drop_all()
        self._directory.drop_all()
        await self._connections.close()
