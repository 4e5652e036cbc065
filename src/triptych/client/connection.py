"""One line to a room: it is made again when it is cut, and whatever waits for an answer is asked again.

A command has a name of its own (`cmd_id`), by which the room does it at most once however often it comes.
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
_FORGED: Final = 4401


class Connection:
    """The connection of one guest. `shown`: headers that say who it is; `heard`: takes each table's updates."""

    def __init__(self, url: str, shown: Mapping[str, str], heard: Callable[[Update], None]) -> None:
        self._url = url
        self._shown = shown
        self._heard = heard
        self._tables: dict[str, asyncio.Future[None]] = {}
        self._asked: dict[str, tuple[CommandMessage, asyncio.Future[int]]] = {}
        self._line: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None
        self._name = secrets.token_hex(6)
        self._numbers = 0
        self._wait = 0.0  # what the room has asked for before the next line
        self.reconnects = 0  # how often the line was lost

    def open(self) -> None:
        """Begin to connect; what is asked meanwhile waits."""
        self._reading = asyncio.create_task(self._run(), name="line to a room")

    async def close(self) -> None:
        """Hang up. What still waits for an answer raises `room.gone`; the room may have done it."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        self._fail(ClientError("room.gone", "the line was closed", "$"))

    def drop(self) -> None:
        """Lose the connection, as a bad network does; it is made again."""
        if self._line is not None:
            self._line.transport.abort()

    async def watch(self, table: str) -> None:
        """Follow a table; returns when its first view is there. Raises ClientError, such as `table.unknown`."""
        if table not in self._tables:
            self._tables[table] = asyncio.get_running_loop().create_future()
            await self._send(Subscribe(table))
        try:
            await asyncio.shield(self._tables[table])
        except ClientError:
            del self._tables[table]
            raise

    async def execute(self, table: str, action: PlayerRequest, seen: int) -> int:
        """Ask something of a table until it is answered; the version that it became. Raises ClientError.

        Where the room says that it was too much in a short time, it is asked again when that is over.
        """
        self._numbers += 1
        command = CommandMessage(f"{self._name}-{self._numbers}", table, seen, action)
        while True:
            try:
                return await self._answered(command)
            except ClientError as error:
                if not error.seconds:
                    raise
                await asyncio.sleep(error.seconds)

    async def _answered(self, command: CommandMessage) -> int:
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._asked[command.cmd_id] = command, answer
        try:
            await self._send(command)
            return await answer
        finally:
            self._asked.pop(command.cmd_id, None)

    async def _send(self, message: Subscribe | CommandMessage) -> None:
        if self._line is not None:
            with suppress(ConnectionClosed):  # it is sent again on the next line
                await self._line.send(_WRITE.encode(message).decode())

    async def _run(self) -> None:
        pause = BACKOFF_MIN_SECONDS
        while True:
            try:
                async with connect(
                    self._url,
                    additional_headers=self._shown,
                    max_size=None,
                    compression=None,
                    proxy=None,
                ) as line:
                    await self._follow(line)
                    pause = BACKOFF_MIN_SECONDS
                    if line.close_code == _FORGED:
                        return self._fail(ClientError("guest.unknown", "the room does not know this identity", "$"))
            except InvalidStatus as error:
                if error.response.status_code in (401, 403, 404):
                    return self._fail(ClientError("room.answer", f"no room answers at {self._url}", "$.url"))
            except (OSError, InvalidHandshake, ConnectionClosed, TimeoutError):
                pass  # it is away, and may come back
            finally:
                self._line = None
            self.reconnects += 1
            # Not all at once, when many were cut off together.
            await asyncio.sleep(self._wait + pause * random.uniform(0.5, 1))  # noqa: S311 - not about cards
            self._wait = 0
            pause = min(2 * pause, BACKOFF_MAX_SECONDS)

    async def _follow(self, line: ClientConnection) -> None:
        """Say again what the last line had not brought an answer to, then read until the line ends."""
        self._line = line
        for table in self._tables:
            await line.send(_WRITE.encode(Subscribe(table)).decode())
        for command, _ in tuple(self._asked.values()):
            await line.send(_WRITE.encode(command).decode())
        with suppress(ConnectionClosed):
            async for text in line:
                self._hear(_READ.decode(text))

    def _hear(self, message: ServerMessage) -> None:
        match message:
            case Update():
                self._heard(message)
                begun = self._tables.get(message.table)
                if begun is not None and not begun.done():
                    begun.set_result(None)
            case Ack():
                self._answer(message.cmd_id, message.v)
            case Rejected():
                self._answer(message.cmd_id, to_client_error(message.error))
            case ErrorMessage():
                self._on_error(message)
            case Hello() | ViewPatch() | _:
                pass

    def _answer(self, cmd_id: str, answer: int | ClientError) -> None:
        _, waiting = self._asked.get(cmd_id, (None, None))
        if waiting is None or waiting.done():
            return
        if isinstance(answer, int):
            waiting.set_result(answer)
        else:
            waiting.set_exception(answer)

    def _on_error(self, problem: ErrorMessage) -> None:
        """Return who waits for a table's first view why it does not come; the rest the room mends itself."""
        error = to_client_error(problem.error)
        self._wait = error.seconds
        waiting = [begun for begun in self._tables.values() if not begun.done()]
        if error.code.startswith("table.") and len(waiting) == 1:
            waiting[0].set_exception(error)

    def _fail(self, error: ClientError) -> None:
        futures: list[asyncio.Future[Any]] = [answer for _, answer in self._asked.values()]
        for one in futures + list(self._tables.values()):
            if not one.done():
                one.set_exception(error)
                one.exception()  # it may be that nobody waits
