"""One WebSocket connection to a server: it reconnects when it is lost, and repeats the commands without a reply.

A command has an id (`cmd_id`), so that the server executes it at most once however often it arrives.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from triptych.async_tasks import cancel_tasks
from triptych.client.errors import ClientError, to_client_error
from triptych.server.wire.messages import (
    Ack,
    CommandMessage,
    ErrorMessage,
    Hello,
    Rejected,
    ServerMessage,
    Subscribe,
    Update,
    ViewPatch,
)
from triptych.table.commands import PlayerRequest

_READ: Final = msgspec.json.Decoder(ServerMessage)
_WRITE: Final = msgspec.json.Encoder()
BACKOFF_MIN_SECONDS: Final = 0.1
BACKOFF_MAX_SECONDS: Final = 5.0
_CLOSE_UNKNOWN_GUEST: Final = 4401


class Connection:
    """The connection of one guest. `headers` identify the guest; `on_update` is called with each table's updates."""

    def __init__(self, url: str, headers: Mapping[str, str], on_update: Callable[[Update], None]) -> None:
        self._url = url
        self._headers = headers
        self._on_update = on_update
        self._tables: dict[str, asyncio.Future[None]] = {}  # done when a table's first view has come
        self._pending: dict[str, tuple[CommandMessage, asyncio.Future[int]]] = {}
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._id_prefix = secrets.token_hex(6)
        self._last_number = 0
        self._retry_after = 0.0  # seconds that the server has asked for before the next connection
        self.reconnects = 0  # how often the connection was lost

    def open(self) -> None:
        """Begin to connect; commands wait until the connection is open."""
        self._task = asyncio.create_task(self._run(), name="connection to a server")

    async def close(self) -> None:
        """Disconnect. Commands without a reply raise `room.gone`; the server may have executed them."""
        await cancel_tasks(self._task)
        self._fail(ClientError("room.gone", "the connection was closed", "$"))

    def drop(self) -> None:
        """Abort the connection, as a bad network does; it reconnects."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def subscribe(self, table: str) -> None:
        """Subscribe to a table and wait for its first view. Raises ClientError, such as `table.unknown`."""
        if table not in self._tables:
            self._tables[table] = asyncio.get_running_loop().create_future()
            await self._send(Subscribe(table))
        try:
            await asyncio.shield(self._tables[table])
        except ClientError:
            del self._tables[table]
            raise

    async def execute(self, table: str, action: PlayerRequest, version: int) -> int:
        """Send a command to a table and wait for the reply; return the table's new version. Raises ClientError.

        `version`: that of the view on which the command is based. After a rate limit the command is sent again.
        """
        self._last_number += 1
        command = CommandMessage(f"{self._id_prefix}-{self._last_number}", table, version, action)
        while True:
            try:
                return await self._send_and_wait(command)
            except ClientError as error:
                if not error.seconds:
                    raise
                await asyncio.sleep(error.seconds)

    async def _send_and_wait(self, command: CommandMessage) -> int:
        reply: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._pending[command.cmd_id] = command, reply
        try:
            await self._send(command)
            return await reply
        finally:
            self._pending.pop(command.cmd_id, None)

    async def _send(self, message: Subscribe | CommandMessage) -> None:
        if self._socket is not None:
            with suppress(ConnectionClosed):  # it is sent again on the next connection
                await self._socket.send(_WRITE.encode(message).decode())

    async def _run(self) -> None:
        backoff = BACKOFF_MIN_SECONDS
        while True:
            try:
                async with connect(
                    self._url, additional_headers=self._headers, max_size=None, compression=None, proxy=None
                ) as connection:
                    await self._read(connection)
                    backoff = BACKOFF_MIN_SECONDS
                    if connection.close_code == _CLOSE_UNKNOWN_GUEST:
                        return self._fail(ClientError("guest.unknown", "the server does not know this identity", "$"))
            except InvalidStatus as error:
                if error.response.status_code in (401, 403, 404):
                    return self._fail(
                        ClientError("room.answer", f"no Triptych server answers at {self._url}", "$.url")
                    )
            except (OSError, InvalidHandshake, ConnectionClosed, TimeoutError):
                pass  # the server may come back
            finally:
                self._socket = None
            self.reconnects += 1
            # Random, so that many clients that lost their connections together do not reconnect at once.
            await asyncio.sleep(self._retry_after + backoff * random.uniform(0.5, 1))  # noqa: S311 - not about cards
            self._retry_after = 0
            backoff = min(2 * backoff, BACKOFF_MAX_SECONDS)

    async def _read(self, connection: ClientConnection) -> None:
        """Repeat the subscriptions and the commands without a reply, then read until the connection is closed."""
        self._socket = connection
        for table in self._tables:
            await connection.send(_WRITE.encode(Subscribe(table)).decode())
        for command, _ in tuple(self._pending.values()):
            await connection.send(_WRITE.encode(command).decode())
        with suppress(ConnectionClosed):
            async for text in connection:
                self._on_message(_READ.decode(text))

    def _on_message(self, message: ServerMessage) -> None:
        match message:
            case Update():
                self._on_update(message)
                first_view = self._tables.get(message.table)
                if first_view is not None and not first_view.done():
                    first_view.set_result(None)
            case Ack():
                self._on_reply(message.cmd_id, message.v)
            case Rejected():
                self._on_reply(message.cmd_id, to_client_error(message.error))
            case ErrorMessage():
                self._on_error(message)
            case Hello() | ViewPatch() | _:
                pass

    def _on_reply(self, cmd_id: str, result: int | ClientError) -> None:
        _, reply = self._pending.get(cmd_id, (None, None))
        if reply is None or reply.done():
            return
        if isinstance(result, int):
            reply.set_result(result)
        else:
            reply.set_exception(result)

    def _on_error(self, message: ErrorMessage) -> None:
        """Raise the error where a table's first view is awaited; after other errors reconnecting is enough."""
        error = to_client_error(message.error)
        self._retry_after = error.seconds
        waiting = [first_view for first_view in self._tables.values() if not first_view.done()]
        if error.code.startswith("table.") and len(waiting) == 1:
            waiting[0].set_exception(error)

    def _fail(self, error: ClientError) -> None:
        futures: list[asyncio.Future[Any]] = [reply for _, reply in self._pending.values()]
        for future in futures + list(self._tables.values()):
            if not future.done():
                future.set_exception(error)
                future.exception()  # marks it as retrieved, for futures that nobody awaits
