"""Connects the cluster with the local tables and tournaments: their summaries, and reports of other servers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from random import SystemRandom
from typing import Final

import structlog

from triptych.errors import error_location
from triptych.server.cluster.bus.protocol import (
    ClusterMessage,
    GuestDeleted,
    GuestRenamed,
    ServerLeft,
    SignedOut,
    TablesUpdated,
    TableUnloaded,
    TokenRevoked,
    TournamentUpdated,
)
from triptych.server.edge.connection import ConnectionRegistry
from triptych.server.edge.guests import Guests
from triptych.server.tables.service import TableService
from triptych.server.tournaments.service import TournamentService
from triptych.server.wire.errors import RemoteOwnerError
from triptych.store.leases.interface import LeaseManager

log = structlog.get_logger()
ADOPT_CONCURRENCY: Final = 8


class ClusterListener:
    """Reads the local tables and tournaments for the cluster, and applies what the other servers report."""

    def __init__(
        self,
        *,
        leases: LeaseManager,
        tables: TableService,
        tournaments: TournamentService,
        connections: ConnectionRegistry,
        guests: Guests,
    ) -> None:
        self._leases = leases
        self.tables = tables
        self.directory = tables.directory
        self.tournaments = tournaments
        self._connections = connections
        self._guests = guests
        self._adopting: asyncio.Task[None] | None = None
        self._catching_up: asyncio.Task[None] | None = None

    def on_message(self, message: ClusterMessage) -> None:
        """Apply what another server reports of its tables and tournaments, of guests, or that it has left."""
        match message:
            case TournamentUpdated(_, summary):
                self.tournaments.on_remote_update(summary)
            case ServerLeft(server):
                self.directory.on_server_left(server)
            case TablesUpdated(server, tables):
                for announcement in tables:
                    self.directory.on_remote_update(
                        server, announcement.table, announcement.glance, announcement.followers
                    )
            case TableUnloaded(server, table):
                self.directory.on_remote_unloaded(server, table)
            case _:
                self._on_guest_message(message)

    def _on_guest_message(self, message: ClusterMessage) -> None:
        match message:
            case GuestRenamed(_, player, name):
                self._guests.on_renamed(player, name)
                self.tables.on_guest_renamed(player, name)
            case GuestDeleted(_, player):
                self._guests.on_deleted(player)
                self.tournaments.on_guest_deleted(player)
                self._connections.verify(self._guests)
            case TokenRevoked(_, player, token):
                self._connections.disconnect_token(player, token)
            case SignedOut(_, player, session, epoch):
                if epoch:
                    self._guests.mark_sessions_ended(player, epoch)
                else:
                    self._guests.mark_session_ended(player, session)
                self._connections.verify(self._guests)

    def on_messages_missed(self) -> None:
        """Called when messages were lost: names may have changed, and guests may have been deleted."""
        self._catching_up = asyncio.create_task(self._catch_up(), name="catch up")

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
                    if await self.directory.get(name) is None and not await self.tournaments.adopt(name):
                        await self._leases.release([name])
                except RemoteOwnerError:
                    return
                except Exception as error:  # noqa: BLE001 - the other orphans go on, and this one is tried again
                    log.error("an orphan cannot be loaded", orphan=name, error=error_location(error))  # noqa: TRY400
                    self.directory.adopt([name])
                    self.tournaments.adopt_in_background(name)

        await asyncio.gather(*map(adopt, names))

    async def drop_all(self) -> None:
        """Unload everything without writing, and close all connections: this server was fenced."""
        if self._adopting is not None:
            self._adopting.cancel()
        self.tournaments.drop_all()
        self.directory.drop_all()
        await self._connections.close()
