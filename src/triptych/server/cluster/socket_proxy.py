"""A WebSocket whose table another server owns: what is said goes there, and what is said there comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import structlog
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from triptych.errors import error_location
from triptych.server.cluster.owners import OwnerWatch
from triptych.server.edge.forwarded_address import FORWARDED_HEADER, ForwardedAddressSigner
from triptych.server.wire.ownership import TRY_AGAIN
from triptych.store.leases.interface import ServerId

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

log = structlog.get_logger()
CONNECT_SECONDS: Final = 2.0
# Of a way of its own to a server: one that lives but cannot be reached is noticed within two of these. That a server
# is over is told by the database, sooner.
HEARTBEAT_SECONDS: Final = 2.0
FIRST_APP_CLOSE_CODE: Final = 4000  # from here on the house's own: why a connection was closed
_HELLO: Final = '{"t":"hello"'


class SocketProxies:
    """One guest's ways to other servers: a WebSocket to each that owns something they follow.

    `say` takes what comes back, `end` why one of them has ended: then the guest's own connection does, too, and
    whoever is connected again finds the new owner.
    """

    def __init__(
        self, hops: ForwardedAddressSigner, owners: OwnerWatch, shown: Mapping[str, str], address: str
    ) -> None:
        self._hops = hops
        self._watch = owners
        self._shown = shown
        self._address = address
        self._lines: dict[int, ClientConnection] = {}
        self._readers: list[asyncio.Task[None]] = []
        self._owners: dict[str, int] = {}
        self.on_text: Callable[[str], None] = lambda _: None
        self.on_close: Callable[[int, str], None] = lambda _code, _reason: None

    def proxies(self, table: str) -> bool:
        """Return whether what is asked of a table is passed on."""
        return table in self._owners

    async def connect(self, table: str, owner: ServerId) -> None:
        """Pass on from now on what is asked of a table. Raises OSError when its owner cannot be reached."""
        if owner.number not in self._lines:
            from websockets.asyncio.client import connect  # noqa: PLC0415 - a house of one server opens no line

            headers = {FORWARDED_HEADER.decode(): self._hops.sign(self._address).decode(), **self._shown}
            try:
                async with self._watch.until_over(owner.number):
                    line = await connect(
                        owner.address.replace("http", "ws", 1) + "/ws",
                        additional_headers=headers,
                        max_size=None,
                        compression=None,
                        proxy=None,
                        open_timeout=CONNECT_SECONDS,
                        close_timeout=CONNECT_SECONDS,
                        ping_interval=HEARTBEAT_SECONDS,
                        ping_timeout=HEARTBEAT_SECONDS,
                    )
            except (InvalidHandshake, OSError) as error:  # TimeoutError is one
                log.warning("another server cannot be reached", address=owner.address, error=error_location(error))
                raise OSError from error
            self._lines[owner.number] = line
            self._watch.add(owner.number, self._gone)
            self._readers.append(asyncio.create_task(self._read(line), name="relay"))
        self._owners[table] = owner.number

    async def send(self, table: str, text: str) -> None:
        """Pass on what is asked of a table."""
        try:
            await self._lines[self._owners[table]].send(text)
        except ConnectionClosed:
            self._gone()

    def _gone(self) -> None:
        self.on_close(TRY_AGAIN, "the server of this table has gone; connect again")

    async def close(self) -> None:
        """End all ways."""
        for number in self._lines:
            self._watch.remove(number, self._gone)
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*self._readers, return_exceptions=True)
        await asyncio.gather(*(line.close() for line in self._lines.values()), return_exceptions=True)

    async def _read(self, line: ClientConnection) -> None:
        try:
            async for text in line:
                if isinstance(text, str) and not text.startswith(_HELLO):
                    self.on_text(text)
        except ConnectionClosed:
            pass
        except Exception as error:  # noqa: BLE001 - whatever it is, the guest connects again
            log.error("a relay failed", error=error_location(error))  # noqa: TRY400 - its text may hold cards
        code = line.close_code or TRY_AGAIN
        if code >= FIRST_APP_CLOSE_CODE:
            self.on_close(code, line.close_reason or "")
        else:
            self._gone()
