"""This server as a member of a cluster: it renews its leases, announces its tables and adopts orphans.

A server that was fenced registers again as a new one, which owns nothing.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import Final

import structlog

from triptych.async_tasks import cancel_tasks, wait_at_most
from triptych.errors import error_location
from triptych.server.cluster.bus.protocol import (
    ClusterMessage,
    GuestDeleted,
    GuestRenamed,
    MessageBus,
    ServerJoined,
    ServerLeft,
    SignedOut,
    TableAnnouncement,
    TablesUpdated,
    TableUnloaded,
    TokenRevoked,
    TournamentUpdated,
)
from triptych.server.cluster.listener import ClusterListener
from triptych.server.cluster.owners import OwnerWatch
from triptych.server.cluster.socket_proxy import SocketProxies
from triptych.server.edge.forwarded_address import ForwardedAddressSigner
from triptych.server.tables.actor import TableActor
from triptych.server.tables.summary import encode_json
from triptych.store.errors import FencedError
from triptych.store.interface import EventStore
from triptych.store.leases.interface import RENEW_SECONDS, RENEW_SECONDS_SILENT, ServerId, ServerInfo

log = structlog.get_logger()
ANNOUNCE_INTERVAL_SECONDS: Final = 0.25
# A table that the others know is announced only every so many intervals, so that a second's changes are one message.
ANNOUNCE_EVERY: Final = 4
# Tables in one message: far less than the largest that is read (bus/protocol.py).
ANNOUNCE_BATCH: Final = 16
# Requests for these paths go to the leader, which alone keeps one-time tokens (edge/one_time_tokens.py) and counts
# the tries of an account's password (edge/guesses.py): both are in memory.
_LEADER_PATHS: Final = ("/api/me/device", "/api/me/keys", "/api/signin")


class ClusterMember:
    """This server in its cluster; `owners` ends requests that wait for a server that has left."""

    def __init__(
        self, store: EventStore, bus: MessageBus, signer: ForwardedAddressSigner, listener: ClusterListener
    ) -> None:
        self._store = store
        self._leases = store.leases
        self._bus = bus
        self._signer = signer
        self._listener = listener
        self.owners = OwnerWatch()
        self._info: ServerInfo | None = None
        self._changed: dict[str, None] = {}
        self._announced: set[str] = set()  # local tables that the others know
        self._announced_versions: dict[str, int] = {}  # of tournaments, by their ids
        self._renew_now = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, info: ServerInfo) -> None:
        """Join the cluster; the store is open."""
        self._info = info
        secret = await self._store.get_or_create_secret("servers", secrets.token_bytes(32))
        self._signer.set_key(secret)
        while True:
            try:
                await self._leases.renew()
            except FencedError:  # on a busy machine it did not renew in time
                await self._leases.register(info)
            else:
                break
        cluster = blake2b(secret, digest_size=8, person=b"house").hexdigest()
        await self._bus.open(cluster, self._on_message, self._resync)
        self._tasks = [
            asyncio.create_task(self._renew_loop(), name="leases"),
            asyncio.create_task(self._announce_loop(), name="announce"),
        ]

    async def stop(self) -> None:
        """Stop renewing and announcing; the leases stay."""
        await cancel_tasks(*self._tasks)

    async def leave(self) -> None:
        """Release all leases and tell the other servers; called when all local tables have stopped."""
        if self._tasks:
            with suppress(Exception):
                await self._leases.unregister(is_compensated=self._listener.tables.is_compensated())
            self._bus.publish(ServerLeft(self._leases.this_server.number))
        await self._bus.close()

    def owner_of_path(self, path: str) -> ServerId | None:
        """Return the other server that has to answer a path, None when any server may."""
        if path.startswith(_LEADER_PATHS):
            leader = self._leases.leader
            return None if leader.number == self._leases.this_server.number else leader
        return None

    def socket_proxies(self, headers: Mapping[str, str], address: str) -> SocketProxies:
        """Return the connections of a guest to other servers, none opened yet; `headers`: a cookie or a token."""
        return SocketProxies(self._signer, self.owners, headers, address)

    def on_table_changed(self, table: TableActor) -> None:
        """Called when a table has changed; never waits."""
        self._changed[table.id] = None

    def publish_rename(self, player: str, name: str) -> None:
        """Called when a guest was renamed here."""
        self._bus.publish(GuestRenamed(self._leases.this_server.number, player, name))

    def publish_deletion(self, player: str) -> None:
        """Called when a guest was deleted here."""
        self._bus.publish(GuestDeleted(self._leases.this_server.number, player))

    def publish_revocation(self, player: str, token: str) -> None:
        """Called when a guest has revoked a token here."""
        self._bus.publish(TokenRevoked(self._leases.this_server.number, player, token))

    def signed_out(self, player: str, session: str = "", epoch: int = 0) -> None:
        """Publish that a guest has ended a session here, or all before an epoch."""
        self._bus.publish(SignedOut(self._leases.this_server.number, player, session, epoch))

    async def _renew_loop(self) -> None:
        while True:
            seconds = RENEW_SECONDS_SILENT if self._leases.somebody_silent else RENEW_SECONDS
            await wait_at_most(self._renew_now, seconds)
            self._renew_now.clear()
            try:
                orphans = await self._leases.renew(is_compensated=self._listener.tables.is_compensated())
                if self.owners.numbers:
                    self.owners.on_servers_left(await self._leases.find_fenced(self.owners.numbers))
            except FencedError:
                await self._rejoin()
            except Exception as error:  # noqa: BLE001 - without the store no server is fenced meanwhile
                log.warning("lease not renewed", error=error_location(error))
            else:
                if orphans:
                    self._listener.adopt(orphans)

    async def _rejoin(self) -> None:
        """Register as a new server, which owns nothing."""
        log.error("this server was fenced; other servers run its tables")
        assert self._info is not None  # noqa: S101 - it was opened
        old = self._leases.this_server.number
        await self._listener.drop_all()
        try:
            await self._leases.register(self._info)
        except Exception as error:  # noqa: BLE001 - tried again at the next renewal
            log.warning("could not rejoin the cluster yet", error=error_location(error))
            return
        # Streams that were loaded in between have the leases of the fenced server.
        await self._listener.drop_all()
        self._bus.publish(ServerLeft(old))
        self._resync()

    async def _announce_loop(self) -> None:
        """Announce the tables that have changed; those that are new here in the next interval."""
        while True:
            for _ in range(ANNOUNCE_EVERY - 1):
                await asyncio.sleep(ANNOUNCE_INTERVAL_SECONDS)
                self._announce_tournaments()
                self._announce([table for table in self._changed if table not in self._announced])
            await asyncio.sleep(ANNOUNCE_INTERVAL_SECONDS)
            self._announce_tournaments()
            self._announce(list(self._changed))

    def _announce_tournaments(self) -> None:
        for summary in self._listener.tournaments.local_summaries():
            if self._announced_versions.get(summary.cup) != summary.version:
                self._announced_versions[summary.cup] = summary.version
                self._bus.publish(TournamentUpdated(self._leases.this_server.number, summary))

    def _announce(self, tables: Sequence[str]) -> None:
        """Publish the summaries of tables, and which of them were unloaded."""
        server_number = self._leases.this_server.number
        announcements: list[TableAnnouncement] = []
        for table in tables:
            self._changed.pop(table, None)
            local = self._listener.directory.local_table(table)
            if local is None:
                self._announced.discard(table)
                self._bus.publish(TableUnloaded(server_number, table))
            else:
                self._announced.add(table)
                announcements.append(TableAnnouncement(table, encode_json(local[0]), local[1]))
        for first in range(0, len(announcements), ANNOUNCE_BATCH):
            self._bus.publish(TablesUpdated(server_number, announcements[first : first + ANNOUNCE_BATCH]))

    def _resync(self) -> None:
        """Exchange everything once more: messages may have been lost on both sides."""
        self._bus.publish(ServerJoined(self._leases.this_server.number))
        self._renew_now.set()
        self._listener.on_messages_missed()
        self._announce_all()

    def _announce_all(self) -> None:
        self._announced_versions.clear()
        self._announced.clear()
        self._announce(self._listener.directory.local_tables())

    def _on_message(self, message: ClusterMessage) -> None:
        if isinstance(message, ServerJoined):
            self._announce_all()
            return
        self._listener.on_message(message)
        if isinstance(message, ServerLeft):
            self._renew_now.set()
