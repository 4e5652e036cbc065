"""One WebSocket: reads a guest's messages and sends their tables' messages, without waiting for a slow client."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol

import msgspec
import structlog
from msgspec import UNSET

from triptych.errors import error_location
from triptych.i18n.languages import Language
from triptych.i18n.messages import Message, plain_text
from triptych.server.content.bot_levels import verify_level
from triptych.server.edge.api_tokens import Bearer, required_scope
from triptych.server.edge.direct_socket import CLOSE_SECONDS, RATE_LIMITED, UNFINISHED
from triptych.server.edge.guests import Guests, SignedIn
from triptych.server.edge.rate_limits import AddressLimiter, TokenBucket
from triptych.server.edge.send_queue import SendQueue
from triptych.server.tables.actor import QueuedCommand, TableActor
from triptych.server.tables.service import TableService
from triptych.server.tournaments.actor import TournamentActor
from triptych.server.tournaments.event_log import STREAM_PREFIX
from triptych.server.tournaments.service import TournamentService
from triptych.server.wire.decoding import MAX_MESSAGE, decode_request
from triptych.server.wire.errors import OUTCOME_UNKNOWN, TRY_AGAIN, ApiError, RemoteOwnerError, to_wire_error
from triptych.server.wire.localization import localize
from triptych.server.wire.messages import (
    ClientMessage,
    CommandMessage,
    ErrorMessage,
    Hello,
    LimitHit,
    Ping,
    Pong,
    Rejected,
    ServerMessage,
    Subscribe,
    Unsubscribe,
    WireError,
)
from triptych.store.errors import FencedError
from triptych.store.leases.interface import ServerId
from triptych.table.commands import Command, PlayerRequest, SeatBot
from triptych.table.state import seat_of

log = structlog.get_logger()

GOING_AWAY: Final = 1001
WRONG_DATA: Final = 1003
TOO_LARGE: Final = 1009
NO_IDENTITY: Final = 4401
WRONG_ORIGIN: Final = 4403
TOO_MANY_CONNECTIONS: Final = 4430
SLOW_CONSUMER: Final = 4431
CLOSE_CODES: Final = {
    GOING_AWAY: "The server is shutting down.",
    WRONG_DATA: "a binary frame",
    TOO_LARGE: "a message larger than 64 KiB",
    TRY_AGAIN: "a command could not be forwarded: connect again and repeat it",
    NO_IDENTITY: "no guest cookie or token, or one that is invalid or revoked",
    WRONG_ORIGIN: "the page comes from another site",
    UNFINISHED: "a message was not complete within 10 seconds",
    RATE_LIMITED: "too many messages: 40 a second, 120 at once; too many frames: 200 a second, 400 at once, a frame "
    "counting once more for each KiB; or more than 32 commands waiting at a table",
    TOO_MANY_CONNECTIONS: "more than 16 connections of one guest, or 128 of one address",
    SLOW_CONSUMER: "the client did not read its messages",
}

BURST_SECONDS: Final = 3.0
# Close codes of connections over a limit: the limit, and after how many seconds to connect again.
_LIMITS: Final = {
    RATE_LIMITED: LimitHit("messages", int(BURST_SECONDS)),
    TOO_MANY_CONNECTIONS: LimitHit("connections", 5),
}
MAX_TABLES: Final = 16
MAX_PER_GUEST: Final = 16  # connections

_JSON: Final = msgspec.json.Encoder(enc_hook=plain_text)
_READ: Final = msgspec.json.Decoder(ClientMessage)


class Transport(Protocol):
    """The part of a WebSocket that is used here."""

    @property
    def write(self) -> Callable[[str], bool]:
        """The function that sends a text frame at once; it returns False when that has to wait."""

    def listen(self, on_text: Callable[[str], bool], close_with: Callable[[int], None]) -> None:
        """Call `on_text` with each text as it arrives, where the server can; after False the text is received.

        `close_with` closes the connection with a code.
        """

    async def receive(self) -> Any:  # noqa: ANN401 - an ASGI message
        """Return the next ASGI message."""

    async def send_text(self, text: str) -> None:
        """Send a text frame; waits while the network is full."""

    async def close(self, code: int, reason: str) -> None:
        """Send a close frame."""


class RemoteSockets(Protocol):
    """A guest's connections to the servers that own other tables (cluster/socket_proxy.py)."""

    on_text: Callable[[str], None]
    on_close: Callable[[int, str], None]

    def proxies(self, table: str) -> bool:
        """Return whether messages for a table are passed on."""

    async def connect(self, table: str, owner: ServerId) -> None:
        """Pass on messages for a table from now on. Raises OSError when its owner cannot be reached."""

    async def send(self, table: str, text: str) -> None:
        """Pass on a message for a table."""

    async def close(self) -> None:
        """Close all of them."""


class Connection:
    """A guest's connection; `rate`: messages a second that it may send in the long run.

    `bearer`: the token of a program, None for a person.
    """

    def __init__(
        self,
        transport: Transport,
        player: str,
        tables: TableService,
        guests: Guests,
        now: Callable[[], int],
        rate: float,
        tournaments: TournamentService,
        bearer: Bearer | None = None,
    ) -> None:
        self.player = player
        self.bearer = bearer
        self.language: Language = "en"
        self._transport = transport
        self._tables = tables
        self._tournaments = tournaments
        self._guests = guests
        self._now = now
        self._outbox: SendQueue | None = None  # most connections never need one
        self._reader: asyncio.Task[None] | None = None
        # Whether a message is being handled, or none will be any more: other messages have to wait.
        self._busy = True
        self._subscriptions: dict[str, TableActor | TournamentActor] = {}
        self._close_reason: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()
        self._messages = TokenBucket(rate, rate * BURST_SECONDS, time.monotonic())
        self.relays: RemoteSockets | None = None  # where there are other servers
        self.signed_in: SignedIn | None = None  # a person's session; None for a program

    def send_message(self, message: ServerMessage) -> None:
        """Send a message as `send` does, in the connection's language."""
        self.send(_JSON.encode(localize(message, self.language)).decode())

    def send(self, text: str) -> None:
        """Send a message's text, or put it into the outbox; a connection whose outbox is full is closed."""
        if not (self._outbox is not None and self._outbox.waiting) and self._transport.write(text):
            return
        if self._outbox is None:
            self._outbox = SendQueue(self._transport.send_text, self._on_send_failed)
        if not self._outbox.put(text):
            self.close(SLOW_CONSUMER, "socket.slow: messages were not read; connect again")

    def _on_send_failed(self) -> None:
        """End the connection: nothing more can be sent."""
        if self._reader is not None:
            self._reader.cancel()

    def close(self, code: int, reason: str) -> None:
        """Close the connection once its outbox is sent, or at once when it is slow."""
        if not self._close_reason.done():
            self._close_reason.set_result((code, reason))

    async def run(self) -> None:
        """Serve the connection until either side ends it."""
        if self.relays is not None:
            self.relays.on_text, self.relays.on_close = self.send, self.close
        name = await self._guests.name(self.player)
        self.send_message(Hello(self.player, name, self._now()))
        self._transport.listen(self._try_handle_now, self._close_with)
        self._reader = reader = asyncio.create_task(self._read())
        if self._outbox is not None and self._outbox.broken:
            reader.cancel()
        try:
            await asyncio.wait((reader, self._close_reason), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._busy = True
            for actor in self._subscriptions.values():
                actor.unsubscribe(self)
            await self._finish(reader)
            if self.relays is not None:
                await self.relays.close()

    async def _finish(self, reader: asyncio.Task[None]) -> None:
        reader.cancel()
        close_reason = self._close_reason.result() if self._close_reason.done() else None
        if self._outbox is not None:
            # The last messages, such as the reason, are sent first.
            waits = close_reason is not None and close_reason[0] != SLOW_CONSUMER
            await self._outbox.close(CLOSE_SECONDS if waits else 0)
        await asyncio.gather(reader, return_exceptions=True)
        if close_reason is not None:
            try:
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._transport.close(*close_reason)
            except Exception as error:  # noqa: BLE001 - it is closed already, or its network is full
                log.debug("a WebSocket was not closed cleanly", error=error_location(error))

    async def _read(self) -> None:
        while True:
            self._busy = False
            message = await self._transport.receive()
            self._busy = True
            if message["type"] == "websocket.disconnect":
                return
            try:
                await self._on_message(message.get("text"))
            except ApiError as error:
                self.send_message(ErrorMessage(to_wire_error(error)))
            except FencedError:
                # This server was fenced and has to register again: the client connects to find the table's owner.
                self.close(TRY_AGAIN, "server.unsure: connect again")
            except Exception as error:  # noqa: BLE001 - one message must not end a connection
                log.error("message failed", error=error_location(error))  # noqa: TRY400 - its text may hold cards
                self.send_message(ErrorMessage(OUTCOME_UNKNOWN))

    def _try_handle_now(self, text: str) -> bool:
        """Answer a ping, or pass a command to a loaded table; False when the message was not handled."""
        if self._busy or self.bearer is not None or len(text) > MAX_MESSAGE:
            return False
        try:
            message = decode_request(text, _READ)
        except ApiError:
            return False
        if isinstance(message, Ping):
            if self._acquire_message():
                self.send_message(Pong(self._now()))
            return True
        if not isinstance(message, CommandMessage) or isinstance(message.action, SeatBot):
            return False
        actor, name = self._tables.directory.loaded(message.table), self._guests.cached_name(self.player)
        if actor is None or name is None or (self.relays is not None and self.relays.proxies(message.table)):
            return False
        if self._acquire_message():
            self._submit(actor, message, name)
        return True

    async def _on_message(self, text: str | None) -> None:
        if not self._acquire_message():
            return
        if text is None:
            self.close_with_error(WRONG_DATA, "request.binary", "messages are text")
            return
        if len(text) > MAX_MESSAGE:
            self.close_with_error(TOO_LARGE, "request.too_large", f"a message has at most {MAX_MESSAGE} bytes")
            return
        message = decode_request(text, _READ)
        try:
            await self._dispatch(message, text)
        except RemoteOwnerError as error:
            await self._proxy(message, text, error.owner)

    async def _dispatch(self, message: ClientMessage, text: str) -> None:
        if isinstance(message, CommandMessage) and self.bearer is not None:
            try:
                self.bearer.verify(required_scope(message.action), "$.action")
            except ApiError as error:
                self.send_message(Rejected(message.cmd_id, message.table, to_wire_error(error)))
                return
        if self.relays is not None and not isinstance(message, Ping) and self.relays.proxies(message.table):
            await self.relays.send(message.table, text)
            return
        match message:
            case CommandMessage():
                await self._submit_command(message)
            case Subscribe():
                await self._subscribe(message)
            case Unsubscribe():
                actor = self._subscriptions.pop(message.table, None)
                if actor is None:
                    raise ApiError("watch.missing", "this connection does not follow that table", "$.table")
                actor.unsubscribe(self)
            case Ping():
                self.send_message(Pong(self._now()))

    async def _proxy(self, message: ClientMessage, text: str, owner: ServerId) -> None:
        """Pass on the messages for another server's table from now on; close when that server cannot be reached."""
        if self.relays is not None and not isinstance(message, Ping):
            with suppress(OSError):
                await self.relays.connect(message.table, owner)
                await self.relays.send(message.table, text)
                return
        self.close(TRY_AGAIN, "the server of this table cannot be reached; connect again")

    def _acquire_message(self) -> bool:
        """Count a message; False when there were too many, which closes the connection."""
        if self._messages.spend(1, time.monotonic()):
            return True
        self._close_with(RATE_LIMITED)
        return False

    def _close_with(self, code: int) -> None:
        """Close with one of the codes of websocket_protocol.py."""
        if code == RATE_LIMITED:
            self.close_with_error(code, "socket.flood", Message("error.socket.message_flood"))
        else:
            self.close_with_error(code, "request.slow", Message("error.request.slow_message"))

    def close_with_error(self, code: int, error: str, message: str) -> None:
        """Send an error, then close; of several reasons only the first is sent."""
        if self._close_reason.done():
            return
        limit = _LIMITS.get(code, UNSET)
        self.send_message(ErrorMessage(WireError(error, message, limit=limit)))
        self.close(code, f"{error}: {message}")

    async def _submit_command(self, message: CommandMessage) -> None:
        try:
            actor = await self._tables.find(message.table)
            self._verify_own_seat(actor, message.action)
            if isinstance(message.action, SeatBot):
                await verify_level(message.action.level)
            name = await self._guests.name(self.player)
        except RemoteOwnerError:
            raise
        except ApiError as error:
            self.send_message(Rejected(message.cmd_id, message.table, to_wire_error(error)))
            return
        except Exception as error:  # noqa: BLE001 - the command may have been done when it was first sent
            log.error("a command was not forwarded", error=error_location(error))  # noqa: TRY400 - its text may hold cards
            self.close(TRY_AGAIN, "server.unsure: connect again and repeat the command")
            return
        self._submit(actor, message, name)

    def _submit(self, actor: TableActor, message: CommandMessage, name: str) -> None:
        command = Command(self.player, message.action, name=name, program=self.bearer is not None)
        if not actor.submit(QueuedCommand(command, message.cmd_id, self.send_message)):
            self.close_with_error(RATE_LIMITED, "socket.flood", Message("error.socket.pending_moves"))

    def _verify_own_seat(self, actor: TableActor, action: PlayerRequest) -> None:
        """Raise ApiError where a program would play in the seat of a person."""
        if self.bearer is None or required_scope(action) != "play":
            return
        seat = seat_of(actor.state, self.player)
        if seat is not None and not seat.program:
            raise ApiError("token.seat", "you sit here yourself; a program plays where it has sat down", "$.action")

    async def _subscribe(self, message: Subscribe) -> None:
        if len(self._subscriptions) >= MAX_TABLES and message.table not in self._subscriptions:
            raise ApiError("watch.too_many", f"a connection follows at most {MAX_TABLES} tables", "$.table")
        actor = await self._find_subscribable(message.table)
        name = await self._guests.name(self.player)
        self._subscriptions[message.table] = actor
        self.language = message.language
        actor.subscribe(self, name, message.since, whole=message.whole)

    async def _find_subscribable(self, name: str) -> TableActor | TournamentActor:
        if name.startswith(STREAM_PREFIX):
            return await self._tournaments.find(name.removeprefix(STREAM_PREFIX), "$.table")
        return await self._tables.authorize(name, self.player)


class ConnectionRegistry:
    """All connections of this process."""

    def __init__(self, addresses: AddressLimiter) -> None:
        self._addresses = addresses
        self._open: dict[str, set[Connection]] = {}

    async def serve(self, connection: Connection, address: str) -> None:
        """Serve a connection until it ends; close it when its guest or its address has too many."""
        connections = self._open.setdefault(connection.player, set())
        connections.add(connection)
        if len(connections) > MAX_PER_GUEST:
            connection.close_with_error(TOO_MANY_CONNECTIONS, "socket.too_many", Message("error.socket.too_many"))
        if not self._addresses.connection_opened(address):
            connection.close_with_error(
                TOO_MANY_CONNECTIONS, "address.too_many", Message("error.address.too_many_connections")
            )
        try:
            await connection.run()
        finally:
            self._addresses.connection_closed(address)
            connections.discard(connection)
            if not connections:
                self._open.pop(connection.player, None)

    def disconnect_guest(self, signed_in: SignedIn) -> None:
        """Close the connections of a session whose browser has another cookie now; its pages connect again."""
        for connection in self._open.get(signed_in.player, ()):
            # The page may have connected with an older cookie without a session, which was replaced since.
            if connection.signed_in is not None and connection.signed_in.session in ("", signed_in.session):
                connection.close(GOING_AWAY, "this browser's session has changed; connect again")

    def verify(self, guests: Guests) -> None:
        """Close the connections of ended sessions and of deleted guests."""
        for player, connections in self._open.items():
            for connection in connections:
                signed_in = connection.signed_in
                if guests.is_deleted(player) or (signed_in is not None and not guests.is_signed_in(signed_in)):
                    connection.close(NO_IDENTITY, "identity.signed_out: this browser was signed out")

    def disconnect_token(self, player: str, token: str) -> None:
        """Close the connections with a guest's token that was revoked."""
        for connection in self._open.get(player, ()):
            if connection.bearer is not None and connection.bearer.token == token:
                connection.close(NO_IDENTITY, "token.unknown: this token was revoked")

    def count(self) -> int:
        """Return how many connections are open."""
        return sum(map(len, self._open.values()))

    async def close(self) -> None:
        """Close every connection because the server stops, and wait until they are closed, at most a second."""
        for connections in self._open.values():
            for connection in connections:
                connection.close(GOING_AWAY, "The server is shutting down.")
        for _ in range(50):
            if not self._open:
                return
            await asyncio.sleep(0.02)
