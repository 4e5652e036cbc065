"""The tables and tournaments of a house as its servers see each other's."""

from __future__ import annotations

import asyncio
from random import SystemRandom
from typing import TYPE_CHECKING, Final

import structlog

from triptych.server.log import where
from triptych.server.wire.ownership import Elsewhere

if TYPE_CHECKING:
    from collections.abc import Iterable

    from msgspec import Raw

    from triptych.server.edge.connection import Connections
    from triptych.server.edge.guests import Guests
    from triptych.server.tables.directory import Shelf
    from triptych.server.tables.service import Tables
    from triptych.server.tables.summary import Glance
    from triptych.server.tournaments.service import Cups
    from triptych.server.tournaments.summary import CupGlance
    from triptych.store.leases.interface import Leases

log = structlog.get_logger()
AT_ONCE: Final = 8


class HouseFloor:
    """See company.Floor."""

    def __init__(
        self, leases: Leases, shelf: Shelf, tables: Tables, cups: Cups, connections: Connections, guests: Guests
    ) -> None:
        self._leases = leases
        self._shelf = shelf
        self._tables = tables
        self._cups = cups
        self._connections = connections
        self._guests = guests
        self._looking: asyncio.Task[None] | None = None
        self._missing: asyncio.Task[None] | None = None

    def counted(self) -> bool:
        """See Floor."""
        return self._tables.counted()

    def own(self) -> Iterable[str]:
        """See Floor."""
        return self._shelf.own()

    def shown(self, table: str) -> tuple[Glance, list[str]] | None:
        """See Floor."""
        return self._shelf.shown(table)

    def own_cups(self) -> Iterable[CupGlance]:
        """See Floor."""
        return self._cups.own()

    def show_cup(self, glance: CupGlance) -> None:
        """See Floor."""
        self._cups.show(glance)

    def show(self, server: int, table: str, told: Raw, followers: list[str]) -> None:
        """See Floor."""
        self._shelf.show(server, table, told, followers)

    def hide(self, server: int, table: str) -> None:
        """See Floor."""
        self._shelf.hide(server, table)

    def left(self, server: int) -> None:
        """See Floor."""
        self._shelf.left(server)

    def renamed(self, player: str, name: str) -> None:
        """See Floor."""
        self._guests.heard(player, name)
        self._tables.renamed(player, name)

    def forgotten(self, player: str) -> None:
        """See Floor."""
        self._guests.lost(player)
        self._connections.verify(self._guests)

    def taken_back(self, player: str, token: str) -> None:
        """See Floor."""
        self._connections.taken_back(player, token)

    def signed_out(self, player: str, session: str, epoch: int) -> None:
        """See Floor."""
        if epoch:
            self._guests.lost_sessions(player, epoch)
        else:
            self._guests.lost_session(player, session)
        self._connections.verify(self._guests)

    def missed(self) -> None:
        """See Floor."""
        self._missing = asyncio.create_task(self._catch_up(), name="missed")

    async def _catch_up(self) -> None:
        await self._guests.catch_up()
        self._connections.verify(self._guests)

    def look_after(self, names: Iterable[str]) -> None:
        """See Floor. What is left over is heard of again."""
        if self._looking is None or self._looking.done():
            found = list(names)
            # So that several servers do not go for the same ones.
            SystemRandom().shuffle(found)
            self._looking = asyncio.create_task(self._look_after(found), name="orphans")

    async def _look_after(self, names: list[str]) -> None:
        turn = asyncio.Semaphore(AT_ONCE)

        async def one(name: str) -> None:
            async with turn:
                try:
                    if await self._shelf.get(name) is None and not await self._cups.look_after(name):
                        await self._leases.give([name])
                except Elsewhere:
                    return
                except Exception as error:  # noqa: BLE001 - the others are waiting, and this one comes again
                    log.error("what has lost its owner cannot be loaded", name=name, error=where(error))  # noqa: TRY400
                    self._shelf.look_after([name])
                    self._cups.look_after_soon(name)

        await asyncio.gather(*map(one, names))

    async def abandon(self) -> None:
        """See Floor."""
        if self._looking is not None:
            self._looking.cancel()
        self._cups.abandon()
        self._shelf.abandon()
        await self._connections.close()
