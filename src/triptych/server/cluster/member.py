"""This server among the others of its house: who lives, who shows what, and who looks after what has lost its owner.

A server that the others held for dead begins anew, with nothing.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, Protocol

import structlog

from triptych.server.cluster.bus.protocol import (
    Came,
    CupShown,
    Forgotten,
    Gone,
    Left,
    News,
    Renamed,
    Shown,
    SignedOut,
    TableNews,
    TakenBack,
)
from triptych.server.cluster.owners import OwnerWatch
from triptych.server.cluster.socket_proxy import Relays
from triptych.server.log import where
from triptych.server.tables.summary import sent
from triptych.store.interface import Over
from triptych.store.leases.interface import RENEW_SECONDS, RENEW_SECONDS_SILENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from msgspec import Raw

    from triptych.server.cluster.bus.protocol import Bus
    from triptych.server.cluster.signing import Hops
    from triptych.server.tables.actor import LiveTable
    from triptych.server.tables.summary import Glance
    from triptych.server.tournaments.summary import CupGlance
    from triptych.store.interface import EventStore
    from triptych.store.leases.interface import Owner, Serving

log = structlog.get_logger()
SHOW_SECONDS: Final = 0.25
# Of a table that the others know is told at every so many of these: what is done there in a second is one news.
ROUNDS: Final = 4
# Tables in one message: far less than the largest that is read (bus/protocol.py).
TOGETHER: Final = 16
# Passed on by path: what counts once and is kept in memory (edge/one_time_tokens.py) is kept by the eldest server.
# So are tries of an account's password (edge/guesses.py): they count once for the house.
_KEPT_BY_ELDEST: Final = ("/api/me/device", "/api/me/keys", "/api/signin")


class Floor(Protocol):
    """What a server has of its own and knows of the others', as this room needs it."""

    def counted(self) -> bool:
        """Tell whether no time was lost until now that is not made up."""

    def own(self) -> Iterable[str]:
        """Return the open tables in this server's memory."""

    def shown(self, table: str) -> tuple[Glance, list[str]] | None:
        """Return how an open table in this server's memory is, and who follows it; None for any other."""

    def own_cups(self) -> Iterable[CupGlance]:
        """Return the tournaments that this server plays."""

    def show_cup(self, glance: CupGlance) -> None:
        """Hear how another server's tournament is now."""

    def show(self, server: int, table: str, told: Raw, followers: list[str]) -> None:
        """Hear how another server's table is now."""

    def hide(self, server: int, table: str) -> None:
        """Hear that another server has a table in memory no longer."""

    def left(self, server: int) -> None:
        """Hear that a server is over: what it owned is nobody's."""

    def look_after(self, names: Iterable[str]) -> None:
        """Take what has lost its owner, if nobody is quicker."""

    async def abandon(self) -> None:
        """Drop everything as it is: nothing more may be written of it, and its players have to connect again."""

    def renamed(self, player: str, name: str) -> None:
        """Hear that a guest has another name."""

    def forgotten(self, player: str) -> None:
        """Hear that a guest is nobody any more."""

    def taken_back(self, player: str, token: str) -> None:
        """Hear that a guest's token, by its id, counts no more."""

    def signed_out(self, player: str, session: str, epoch: int) -> None:
        """Hear that a guest has ended a session, or with an empty one all before an epoch."""

    def missed(self) -> None:
        """Hear that names and who is forgotten may have changed unheard."""


class Company:
    """See above."""

    def __init__(self, store: EventStore, bus: Bus, hops: Hops, floor: Floor) -> None:
        self._store = store
        self._leases = store.leases
        self._bus = bus
        self._hops = hops
        self._floor = floor
        self.owners = OwnerWatch()
        self._serving: Serving | None = None
        self._changed: dict[str, None] = {}
        self._known: set[str] = set()  # tables of ours of which the others know
        self._told: dict[str, int] = {}  # the versions of tournaments that the others know
        self._hurry = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, serving: Serving) -> None:
        """Begin; the store is open."""
        self._serving = serving
        secret = await self._store.secret("servers", secrets.token_bytes(32))
        self._hops.open(secret)
        while True:
            try:
                await self._leases.renew()
            except Over:  # a busy machine: the others have waited for a word of it too long
                await self._leases.join(serving)
            else:
                break
        house = blake2b(secret, digest_size=8, person=b"house").hexdigest()
        await self._bus.open(house, self._heard, self._again)
        self._tasks = [
            asyncio.create_task(self._renew(), name="leases"),
            asyncio.create_task(self._show(), name="shown"),
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
                await self._leases.leave(counted=self._floor.counted())
            self._bus.tell(Left(self._leases.me.number))
        await self._bus.close()

    def home(self, path: str) -> Owner | None:
        """Return which other server keeps what is asked for at a path, None for what any may answer."""
        if path.startswith(_KEPT_BY_ELDEST):
            eldest = self._leases.eldest
            return None if eldest.number == self._leases.me.number else eldest
        return None

    def relays(self, shown: Mapping[str, str], address: str) -> Relays:
        """Return the ways of a guest to tables of other servers, none opened yet; `shown`: a cookie or a token."""
        return Relays(self._hops, self.owners, shown, address)

    def changed(self, live: LiveTable) -> None:
        """Hear of a table's new state; never waits."""
        self._changed[live.id] = None

    def renamed(self, player: str, name: str) -> None:
        """Hear that a guest has taken another name here."""
        self._bus.tell(Renamed(self._leases.me.number, player, name))

    def forgotten(self, player: str) -> None:
        """Hear that a guest was forgotten here."""
        self._bus.tell(Forgotten(self._leases.me.number, player))

    def taken_back(self, player: str, token: str) -> None:
        """Hear that a guest took a token back here."""
        self._bus.tell(TakenBack(self._leases.me.number, player, token))

    def signed_out(self, player: str, session: str = "", epoch: int = 0) -> None:
        """Tell that a guest has ended a session here, or all before an epoch."""
        self._bus.tell(SignedOut(self._leases.me.number, player, session, epoch))

    async def _renew(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(RENEW_SECONDS_SILENT if self._leases.somebody_silent else RENEW_SECONDS):
                    await self._hurry.wait()
            self._hurry.clear()
            try:
                free = await self._leases.renew(counted=self._floor.counted())
                if self.owners.numbers:
                    self.owners.over(await self._leases.over(self.owners.numbers))
            except Over:
                await self._begin_anew()
            except Exception as error:  # noqa: BLE001 - the store is away: nobody can be found dead meanwhile
                log.warning("lease not renewed", error=where(error))
            else:
                if free:
                    self._floor.look_after(free)

    async def _begin_anew(self) -> None:
        """Come back as another server, owning nothing."""
        log.error("this server was not heard of for too long; its tables are played elsewhere")
        assert self._serving is not None  # noqa: S101 - it was opened
        old = self._leases.me.number
        await self._floor.abandon()
        try:
            await self._leases.join(self._serving)
        except Exception as error:  # noqa: BLE001 - tried again at the next renewal
            log.warning("could not come back yet", error=where(error))
            return
        # What was asked for in between was loaded by the leases of the one that is over.
        await self._floor.abandon()
        self._bus.tell(Left(old))
        self._again()

    async def _show(self) -> None:
        """Tell what has changed: at most so often, and what is new here at once."""
        while True:
            for _ in range(ROUNDS - 1):
                await asyncio.sleep(SHOW_SECONDS)
                self._tell_cups()
                self._tell([table for table in self._changed if table not in self._known])
            await asyncio.sleep(SHOW_SECONDS)
            self._tell_cups()
            self._tell(list(self._changed))

    def _tell_cups(self) -> None:
        for glance in self._floor.own_cups():
            if self._told.get(glance.cup) != glance.version:
                self._told[glance.cup] = glance.version
                self._bus.tell(CupShown(self._leases.me.number, glance))

    def _tell(self, tables: Sequence[str]) -> None:
        """Tell how tables are; of one that is here no longer, that."""
        me = self._leases.me.number
        told: list[TableNews] = []
        for table in tables:
            self._changed.pop(table, None)
            shown = self._floor.shown(table)
            if shown is None:
                self._known.discard(table)
                self._bus.tell(Gone(me, table))
            else:
                self._known.add(table)
                told.append(TableNews(table, sent(shown[0]), shown[1]))
        for first in range(0, len(told), TOGETHER):
            self._bus.tell(Shown(me, told[first : first + TOGETHER]))

    def _again(self) -> None:
        """News may have been missed, on both sides."""
        self._bus.tell(Came(self._leases.me.number))
        self._hurry.set()
        self._floor.missed()
        self._tell_all()

    def _tell_all(self) -> None:
        self._told.clear()
        self._known.clear()
        self._tell(list(self._floor.own()))

    def _heard(self, news: News) -> None:
        match news:
            case Came():
                self._tell_all()
            case CupShown(_, cup):
                self._floor.show_cup(cup)
            case Left(server):
                self._floor.left(server)
                self._hurry.set()
            case Shown(server, tables):
                for each in tables:
                    self._floor.show(server, each.table, each.glance, each.followers)
            case Gone(server, table):
                self._floor.hide(server, table)
            case _:
                self._heard_of_guest(news)

    def _heard_of_guest(self, news: News) -> None:
        match news:
            case Renamed(_, player, name):
                self._floor.renamed(player, name)
            case Forgotten(_, player):
                self._floor.forgotten(player)
            case TakenBack(_, player, token):
                self._floor.taken_back(player, token)
            case SignedOut(_, player, session, epoch):
                self._floor.signed_out(player, session, epoch)
