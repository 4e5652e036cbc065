"""This server among the others of its house: who lives, who shows what, and who looks after what has lost its owner.

A server that the others held for dead begins anew, with nothing.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import Final

import structlog

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
# Of a table that the others know is told at every so many of these: what is done there in a second is one news.
ANNOUNCE_EVERY: Final = 4
# Tables in one message: far less than the largest that is read (bus/protocol.py).
ANNOUNCE_BATCH: Final = 16
# Passed on by path: what counts once and is kept in memory (edge/one_time_tokens.py) is kept by the eldest server.
# So are tries of an account's password (edge/guesses.py): they count once for the house.
_LEADER_PATHS: Final = ("/api/me/device", "/api/me/keys", "/api/signin")


class ClusterMember:
    """See above."""

    def __init__(
        self, store: EventStore, bus: MessageBus, hops: ForwardedAddressSigner, listener: ClusterListener
    ) -> None:
        self._store = store
        self._leases = store.leases
        self._bus = bus
        self._hops = hops
        self._listener = listener
        self.owners = OwnerWatch()
        self._serving: ServerInfo | None = None
        self._changed: dict[str, None] = {}
        self._known: set[str] = set()  # tables of ours of which the others know
        self._told: dict[str, int] = {}  # the versions of tournaments that the others know
        self._hurry = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, serving: ServerInfo) -> None:
        """Begin; the store is open."""
        self._serving = serving
        secret = await self._store.get_or_create_secret("servers", secrets.token_bytes(32))
        self._hops.set_key(secret)
        while True:
            try:
                await self._leases.renew()
            except FencedError:  # a busy machine: the others have waited for a word of it too long
                await self._leases.register(serving)
            else:
                break
        house = blake2b(secret, digest_size=8, person=b"house").hexdigest()
        await self._bus.open(house, self._on_message, self._resync)
        self._tasks = [
            asyncio.create_task(self._renew_loop(), name="leases"),
            asyncio.create_task(self._announce_loop(), name="shown"),
        ]

    async def stop(self) -> None:
        """Look after nothing more; what is owned is still ours."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def leave(self) -> None:
        """Own nothing any more, and say so; everything of ours has stopped."""
        if self._tasks:
            with suppress(Exception):
                await self._leases.unregister(counted=self._listener.is_compensated())
            self._bus.publish(ServerLeft(self._leases.this_server.number))
        await self._bus.close()

    def owner_of_path(self, path: str) -> ServerId | None:
        """Return which other server keeps what is asked for at a path, None for what any may answer."""
        if path.startswith(_LEADER_PATHS):
            eldest = self._leases.leader
            return None if eldest.number == self._leases.this_server.number else eldest
        return None

    def socket_proxies(self, shown: Mapping[str, str], address: str) -> SocketProxies:
        """Return the ways of a guest to tables of other servers, none opened yet; `shown`: a cookie or a token."""
        return SocketProxies(self._hops, self.owners, shown, address)

    def on_table_changed(self, live: TableActor) -> None:
        """Called when a table has changed; never waits."""
        self._changed[live.id] = None

    def publish_rename(self, player: str, name: str) -> None:
        """Called when a guest has taken another name here."""
        self._bus.publish(GuestRenamed(self._leases.this_server.number, player, name))

    def publish_deletion(self, player: str) -> None:
        """Called when a guest was forgotten here."""
        self._bus.publish(GuestDeleted(self._leases.this_server.number, player))

    def publish_revocation(self, player: str, token: str) -> None:
        """Called when a guest took a token back here."""
        self._bus.publish(TokenRevoked(self._leases.this_server.number, player, token))

    def signed_out(self, player: str, session: str = "", epoch: int = 0) -> None:
        """Tell that a guest has ended a session here, or all before an epoch."""
        self._bus.publish(SignedOut(self._leases.this_server.number, player, session, epoch))

    async def _renew_loop(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(RENEW_SECONDS_SILENT if self._leases.somebody_silent else RENEW_SECONDS):
                    await self._hurry.wait()
            self._hurry.clear()
            try:
                free = await self._leases.renew(counted=self._listener.is_compensated())
                if self.owners.numbers:
                    self.owners.over(await self._leases.over(self.owners.numbers))
            except FencedError:
                await self._rejoin()
            except Exception as error:  # noqa: BLE001 - the store is away: nobody can be found dead meanwhile
                log.warning("lease not renewed", error=error_location(error))
            else:
                if free:
                    self._listener.adopt(free)

    async def _rejoin(self) -> None:
        """Come back as another server, owning nothing."""
        log.error("this server was not heard of for too long; its tables are played elsewhere")
        assert self._serving is not None  # noqa: S101 - it was opened
        old = self._leases.this_server.number
        await self._listener.drop_all()
        try:
            await self._leases.register(self._serving)
        except Exception as error:  # noqa: BLE001 - tried again at the next renewal
            log.warning("could not come back yet", error=error_location(error))
            return
        # What was asked for in between was loaded by the leases of the one that is over.
        await self._listener.drop_all()
        self._bus.publish(ServerLeft(old))
        self._resync()

    async def _announce_loop(self) -> None:
        """Tell what has changed: at most so often, and what is new here at once."""
        while True:
            for _ in range(ANNOUNCE_EVERY - 1):
                await asyncio.sleep(ANNOUNCE_INTERVAL_SECONDS)
                self._tell_cups()
                self._announce([table for table in self._changed if table not in self._known])
            await asyncio.sleep(ANNOUNCE_INTERVAL_SECONDS)
            self._tell_cups()
            self._announce(list(self._changed))

    def _tell_cups(self) -> None:
        for glance in self._listener.local_tournaments():
            if self._told.get(glance.cup) != glance.version:
                self._told[glance.cup] = glance.version
                self._bus.publish(TournamentUpdated(self._leases.this_server.number, glance))

    def _announce(self, tables: Sequence[str]) -> None:
        """Return how tables are; of one that is here no longer, that."""
        me = self._leases.this_server.number
        told: list[TableAnnouncement] = []
        for table in tables:
            self._changed.pop(table, None)
            shown = self._listener.local_table(table)
            if shown is None:
                self._known.discard(table)
                self._bus.publish(TableUnloaded(me, table))
            else:
                self._known.add(table)
                told.append(TableAnnouncement(table, encode_json(shown[0]), shown[1]))
        for first in range(0, len(told), ANNOUNCE_BATCH):
            self._bus.publish(TablesUpdated(me, told[first : first + ANNOUNCE_BATCH]))

    def _resync(self) -> None:
        """News may have been missed, on both sides."""
        self._bus.publish(ServerJoined(self._leases.this_server.number))
        self._hurry.set()
        self._listener.on_messages_missed()
        self._tell_all()

    def _tell_all(self) -> None:
        self._told.clear()
        self._known.clear()
        self._announce(list(self._listener.local_tables()))

    def _on_message(self, news: ClusterMessage) -> None:
        match news:
            case ServerJoined():
                self._tell_all()
            case TournamentUpdated(_, cup):
                self._listener.on_tournament_updated(cup)
            case ServerLeft(server):
                self._listener.on_server_left(server)
                self._hurry.set()
            case TablesUpdated(server, tables):
                for each in tables:
                    self._listener.on_table_updated(server, each.table, each.glance, each.followers)
            case TableUnloaded(server, table):
                self._listener.on_table_unloaded(server, table)
            case _:
                self._heard_of_guest(news)

    def _heard_of_guest(self, news: ClusterMessage) -> None:
        match news:
            case GuestRenamed(_, player, name):
                self._listener.on_guest_renamed(player, name)
            case GuestDeleted(_, player):
                self._listener.on_guest_deleted(player)
            case TokenRevoked(_, player, token):
                self._listener.on_token_revoked(player, token)
            case SignedOut(_, player, session, epoch):
                self._listener.signed_out(player, session, epoch)
