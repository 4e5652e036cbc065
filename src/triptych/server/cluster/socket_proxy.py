"""A WebSocket whose table another server owns: messages are passed on in both directions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import structlog
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from triptych.async_tasks import cancel_tasks
from triptych.errors import error_location
from triptych.server.cluster.owners import OwnerWatch
from triptych.server.edge.forwarded_address import FORWARDED_HEADER, ForwardedAddressSigner
from triptych.server.wire.errors import TRY_AGAIN
from triptych.store.leases.interface import ServerId

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

log = structlog.get_logger()
CONNECT_SECONDS: Final = 2.0
# A running server that cannot be reached is noticed within two of these; a server that has left is reported sooner by
# the database.
HEARTBEAT_SECONDS: Final = 2.0
FIRST_APP_CLOSE_CODE: Final = 4000  # close codes from here on are this application's own
_HELLO: Final = '{"t":"hello"'


class SocketProxies:
    """One guest's connections to other servers: a WebSocket to each that owns a table that they watch.

    `on_text` gets each of their messages, `on_close` the reason when one of them was closed: then the guest's own
    connection is closed too, and finds the new owner when it is opened again.
    """

    def __init__(
        self, signer: ForwardedAddressSigner, owners: OwnerWatch, headers: Mapping[str, str], address: str
    ) -> None:
        self._signer = signer
        self._owner_watch = owners
        self._headers = headers
        self._address = address
        self._connections: dict[int, ClientConnection] = {}
        self._readers: list[asyncio.Task[None]] = []
        self._owners: dict[str, int] = {}
        self.on_text: Callable[[str], None] = lambda _: None
        self.on_close: Callable[[int, str], None] = lambda _code, _reason: None

    def proxies(self, table: str) -> bool:
        """Return whether messages for a table are passed on."""
        return table in self._owners

    async def connect(self, table: str, owner: ServerId) -> None:
        """Pass on messages for a table from now on. Raises OSError when its owner cannot be reached."""
        if owner.number not in self._connections:
            from websockets.asyncio.client import connect  # noqa: PLC0415 - loaded when it is used

            headers = {FORWARDED_HEADER.decode(): self._signer.sign(self._address).decode(), **self._headers}
            try:
                async with self._owner_watch.until_left(owner.number):
                    connection = await connect(
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
            self._connections[owner.number] = connection
            self._owner_watch.add(owner.number, self._on_owner_gone)
            self._readers.append(asyncio.create_task(self._read(connection), name="relay"))
        self._owners[table] = owner.number

    async def send(self, table: str, text: str) -> None:
        """Pass on a message for a table."""
        try:
            await self._connections[self._owners[table]].send(text)
        except ConnectionClosed:
            self._on_owner_gone()

    def _on_owner_gone(self) -> None:
        self.on_close(TRY_AGAIN, "the server of this table has gone; connect again")

    async def close(self) -> None:
        """Close all connections."""
        for number in self._connections:
            self._owner_watch.remove(number, self._on_owner_gone)
        await cancel_tasks(*self._readers)
        await asyncio.gather(
            *(connection.close() for connection in self._connections.values()), return_exceptions=True
        )

    async def _read(self, connection: ClientConnection) -> None:
        try:
            async for text in connection:
                if isinstance(text, str) and not text.startswith(_HELLO):
                    self.on_text(text)
        except ConnectionClosed:
            pass
        except Exception as error:  # noqa: BLE001 - after any error the guest connects again
            log.error("a forwarded connection failed", error=error_location(error))  # noqa: TRY400 - its text may hold cards
        code = connection.close_code or TRY_AGAIN
        if code >= FIRST_APP_CLOSE_CODE:
            self.on_close(code, connection.close_reason or "")
        else:
            self._on_owner_gone()
