"""One WebSocket: reads a guest's messages, sends what the tables have for them, and never waits for a slow one."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec
import structlog
from msgspec import UNSET

from triptych.server.bots.driver import verify_level
from triptych.server.edge.api_tokens import scope_of
from triptych.server.edge.buckets import TokenBucket
from triptych.server.edge.send_queue import Outbox
from triptych.server.edge.websocket_protocol import CLOSE_SECONDS, FLOOD, UNFINISHED
from triptych.server.log import where
from triptych.server.tables.actor import Job
from triptych.server.tournaments.event_log import PREFIX
from triptych.server.wire.decoding import LARGEST_MESSAGE, read
from triptych.server.wire.errors import UNSURE, Refusal, told
from triptych.server.wire.localization import told_in
from triptych.server.wire.messages import (
    Do,
    Hello,
    Limit,
    Ping,
    Pong,
    Problem,
    Refused,
    ToServer,
    Unwatch,
    Watch,
    WireError,
)
from triptych.server.wire.ownership import TRY_AGAIN, Elsewhere
from triptych.store.interface import Over
from triptych.table.commands import Command, SeatBot
from triptych.table.state import seat_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from triptych.i18n.translator import Language
    from triptych.server.cluster.socket_proxy import Relays
    from triptych.server.edge.api_tokens import Bearer
    from triptych.server.edge.guests import Guests, SignedIn
    from triptych.server.edge.rate_limits import Addresses
    from triptych.server.tables.actor import LiveTable
    from triptych.server.tables.service import Tables
    from triptych.server.tournaments.actor import LiveCup
    from triptych.server.tournaments.service import Cups
    from triptych.table.commands import PlayerRequest

log = structlog.get_logger()

GOING_AWAY: Final = 1001
WRONG_DATA: Final = 1003
TOO_LARGE: Final = 1009
NO_IDENTITY: Final = 4401
WRONG_ORIGIN: Final = 4403
TOO_MANY: Final = 4430
SLOW: Final = 4431
CLOSES: Final = {
    GOING_AWAY: "the server is going away",
    WRONG_DATA: "a binary frame",
    TOO_LARGE: "a message larger than 64 KiB",
    TRY_AGAIN: "a command could not be passed on: connect again and repeat it",
    NO_IDENTITY: "no guest cookie and no token, or one that is none, or counts no more",
    WRONG_ORIGIN: "the page comes from another site",
    UNFINISHED: "a message that was begun did not come to its end in 10 seconds",
    FLOOD: "too many messages: 40 a second, 120 at once; too many frames: 200 a second, 400 at once, a frame "
    "counting once more for each KiB; or more than 32 commands waiting at a table",
    TOO_MANY: "more than 16 connections of one guest, or 128 of one address",
    SLOW: "the client did not read what it was sent",
}

BURST_SECONDS: Final = 3.0
# Of a connection that is closed for too much: which limit it was, and when to come back.
_LIMITS: Final = {FLOOD: Limit("messages", int(BURST_SECONDS)), TOO_MANY: Limit("connections", 5)}
MOST_TABLES: Final = 16

_JSON: Final = msgspec.json.Encoder()
_READ: Final = msgspec.json.Decoder(ToServer)


class Line(Protocol):
    """The part of a WebSocket that is used here."""

    @property
    def write(self) -> Callable[[str], bool]:
        """What sends a text frame at once; it answers False when that has to wait."""

    def listen(self, hear: Callable[[str], bool], part: Callable[[int], None]) -> None:
        """Let `hear` have each text as it comes, where that can be; what it answers False to is received.

        `part` closes the connection with a code.
        """

    async def receive(self) -> Any:  # noqa: ANN401 - an ASGI message
        """Return the next ASGI message."""

    async def send_text(self, text: str) -> None:
        """Send a text frame; waits while the network is full."""

    async def close(self, code: int, reason: str) -> None:
        """Send a close frame."""


class Connection:
    """A guest's connection; `rate` is how many messages a second it may send for long.

    `bearer`: the token with which a program has come, None for a person.
    """

    def __init__(
        self,
        line: Line,
        player: str,
        tables: Tables,
        guests: Guests,
        now: Callable[[], int],
        rate: float,
        cups: Cups,
        bearer: Bearer | None = None,
    ) -> None:
        self.player = player
        self.bearer = bearer
        self.language: Language = "en"
        self._line = line
        self._tables = tables
        self._cups = cups
        self._guests = guests
        self._now = now
        self._outbox: Outbox | None = None  # most connections never need one
        self._reader: asyncio.Task[None] | None = None
        # Whether a message is being worked on, or none is to be any more: what comes has to wait.
        self._busy = True
        self._follows: dict[str, LiveTable | LiveCup] = {}
        self._ending: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()
        self._messages = TokenBucket(rate, rate * BURST_SECONDS, time.monotonic())
        self.relays: Relays | None = None  # ways to other servers' tables, where there are others
        self.signed_in: SignedIn | None = None  # a person's session; None for a program

    def send(self, text: str) -> None:
        """Send a message, or let it wait in the outbox; a connection whose outbox is full is closed."""
        said = told_in(text, self.language)
        if not (self._outbox is not None and self._outbox.waiting) and self._line.write(said):
            return
        if self._outbox is None:
            self._outbox = Outbox(self._line, self._no_way_out)
        if not self._outbox.put(said):
            self.end(SLOW, "socket.slow: messages were not read; connect again")

    def _no_way_out(self) -> None:
        """End the connection: nothing more can be sent."""
        if self._reader is not None:
            self._reader.cancel()

    def end(self, code: int, reason: str) -> None:
        """Close the connection as soon as what waits in the outbox is sent, or at once when it is slow."""
        if not self._ending.done():
            self._ending.set_result((code, reason))

    async def run(self) -> None:
        """Serve the connection until either side ends it."""
        if self.relays is not None:
            self.relays.say, self.relays.end = self.send, self.end
        name = await self._guests.name(self.player)
        self.send(_text(Hello(self.player, name, self._now())))
        self._line.listen(self._hear_at_once, self._part_from_line)
        self._reader = reader = asyncio.create_task(self._read())
        if self._outbox is not None and self._outbox.broken:
            reader.cancel()
        try:
            await asyncio.wait((reader, self._ending), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._busy = True
            for live in self._follows.values():
                live.unwatch(self)
            await self._finish(reader)
            if self.relays is not None:
                await self.relays.close()

    async def _finish(self, reader: asyncio.Task[None]) -> None:
        reader.cancel()
        told = self._ending.result() if self._ending.done() else None
        if self._outbox is not None:
            # The last words, such as why, go out first.
            await self._outbox.close(CLOSE_SECONDS if told is not None and told[0] != SLOW else 0)
        await asyncio.gather(reader, return_exceptions=True)
        if told is not None:
            try:
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._line.close(*told)
            except Exception as error:  # noqa: BLE001 - it is gone already, or its network is full
                log.debug("socket was not closed in good order", error=where(error))

    async def _read(self) -> None:
        while True:
            self._busy = False
            message = await self._line.receive()
            self._busy = True
            if message["type"] == "websocket.disconnect":
                return
            try:
                await self._hear(message.get("text"))
            except Refusal as refusal:
                self.send(_text(Problem(told(refusal))))
            except Over:
                # It was heard between two lives of this server: what is asked for is to be found anew.
                self.end(TRY_AGAIN, "server.unsure: connect again")
            except Exception as error:  # noqa: BLE001 - one message must not end a connection
                log.error("message failed", error=where(error))  # noqa: TRY400 - its text may hold cards
                self.send(_text(Problem(UNSURE)))

    def _hear_at_once(self, text: str) -> bool:
        """Answer a ping, or pass a command on to a table at hand; False when the message was not looked at."""
        if self._busy or self.bearer is not None or len(text) > LARGEST_MESSAGE:
            return False
        try:
            message = read(text, _READ)
        except Refusal:
            return False
        if isinstance(message, Ping):
            if self._may_speak():
                self.send(_text(Pong(self._now())))
            return True
        if not isinstance(message, Do) or isinstance(message.action, SeatBot):
            return False
        live, name = self._tables.at_hand(message.table), self._guests.known(self.player)
        if live is None or name is None or (self.relays is not None and self.relays.leads_to(message.table)):
            return False
        if self._may_speak():
            self._submit(live, message, name)
        return True

    async def _hear(self, text: str | None) -> None:
        if not self._may_speak():
            return
        if text is None:
            self.part(WRONG_DATA, "request.binary", "messages are text")
            return
        if len(text) > LARGEST_MESSAGE:
            self.part(TOO_LARGE, "request.too_large", f"a message has at most {LARGEST_MESSAGE} bytes")
            return
        message = read(text, _READ)
        try:
            await self._heard(message, text)
        except Elsewhere as elsewhere:
            await self._pass_on(message, text, elsewhere)

    async def _heard(self, message: ToServer, text: str) -> None:
        if isinstance(message, Do) and self.bearer is not None:
            try:
                self.bearer.verify(scope_of(message.action), "$.action")
            except Refusal as refusal:
                self.send(_text(Refused(message.cmd_id, message.table, told(refusal))))
                return
        if self.relays is not None and not isinstance(message, Ping) and self.relays.leads_to(message.table):
            await self.relays.send(message.table, text)
            return
        match message:
            case Do():
                await self._do(message)
            case Watch():
                await self._watch(message)
            case Unwatch():
                live = self._follows.pop(message.table, None)
                if live is None:
                    raise Refusal("watch.missing", "this connection does not follow that table", "$.table")
                live.unwatch(self)
            case Ping():
                self.send(_text(Pong(self._now())))

    async def _pass_on(self, message: ToServer, text: str, elsewhere: Elsewhere) -> None:
        """Send what concerns another server's table there, from now on; who cannot be reached may just have died."""
        if self.relays is not None and not isinstance(message, Ping):
            with suppress(OSError):
                await self.relays.begin(message.table, elsewhere.owner)
                await self.relays.send(message.table, text)
                return
        self.end(TRY_AGAIN, "the server of this table cannot be reached; connect again")

    def _may_speak(self) -> bool:
        """Count a message; False when there were too many, which ends the connection."""
        if self._messages.spend(1, time.monotonic()):
            return True
        self._part_from_line(FLOOD)
        return False

    def _part_from_line(self, code: int) -> None:
        """Close with a code that frames.py has, or would have soon."""
        if code == FLOOD:
            self.part(code, "socket.flood", "too many messages; wait a moment and connect again")
        else:
            self.part(code, "request.slow", "a message did not come to its end in time; connect again")

    def part(self, code: int, error: str, message: str) -> None:
        """Say what is wrong, then close; of several reasons the first is told."""
        if self._ending.done():
            return
        limit = _LIMITS.get(code, UNSET)
        self.send(_text(Problem(WireError(error, message, limit=limit))))
        self.end(code, f"{error}: {message}")

    async def _do(self, message: Do) -> None:
        try:
            live = await self._tables.find(message.table)
            self._verify_own_seat(live, message.action)
            if isinstance(message.action, SeatBot):
                await verify_level(message.action.level)
            name = await self._guests.name(self.player)
        except Elsewhere:
            raise
        except Refusal as refusal:
            self.send(_text(Refused(message.cmd_id, message.table, told(refusal))))
            return
        except Exception as error:  # noqa: BLE001 - it may have been done when it was first sent
            log.error("command not passed on", error=where(error))  # noqa: TRY400 - its text may hold cards
            self.end(TRY_AGAIN, "server.unsure: connect again and repeat the command")
            return
        self._submit(live, message, name)

    def _submit(self, live: LiveTable, message: Do, name: str) -> None:
        command = Command(self.player, message.action, name=name, program=self.bearer is not None)
        if not live.submit(Job(command, message.cmd_id, self.send)):
            self.part(FLOOD, "socket.flood", "too much of yours waits at a table; wait a moment and connect again")

    def _verify_own_seat(self, live: LiveTable, action: PlayerRequest) -> None:
        """Raise Refusal where a program would play for a person, whom the others then took for one."""
        if self.bearer is None or scope_of(action) != "play":
            return
        seat = seat_of(live.state, self.player)
        if seat is not None and not seat.program:
            raise Refusal("token.seat", "you sit here yourself; a program plays where it has sat down", "$.action")

    async def _watch(self, message: Watch) -> None:
        if len(self._follows) >= MOST_TABLES and message.table not in self._follows:
            raise Refusal("watch.too_many", f"a connection follows at most {MOST_TABLES} tables", "$.table")
        live = await self._followed(message.table)
        name = await self._guests.name(self.player)
        self._follows[message.table] = live
        self.language = message.language
        live.watch(self, name, message.since, whole=message.whole)

    async def _followed(self, name: str) -> LiveTable | LiveCup:
        if name.startswith(PREFIX):
            return await self._cups.find(name.removeprefix(PREFIX), "$.table")
        return await self._tables.enter(name, self.player)


def _text(message: Hello | Pong | Problem | Refused) -> str:
    return _JSON.encode(message).decode()


class Connections:
    """All connections of this process, so that a stop can tell them."""

    def __init__(self, addresses: Addresses, most_a_player: int = 16) -> None:
        self._addresses = addresses
        self._open: dict[str, set[Connection]] = {}
        self._most = most_a_player

    async def serve(self, connection: Connection, address: str) -> None:
        """Serve a connection until it ends; one too many of the same guest or address is told so."""
        mine = self._open.setdefault(connection.player, set())
        mine.add(connection)
        if len(mine) > self._most:
            connection.part(TOO_MANY, "socket.too_many", "close one of your other windows")
        if not self._addresses.enter(address):
            connection.part(TOO_MANY, "address.too_many", "too many connections from this address are open")
        try:
            await connection.run()
        finally:
            self._addresses.leave(address)
            mine.discard(connection)
            if not mine:
                self._open.pop(connection.player, None)

    def again(self, signed_in: SignedIn) -> None:
        """Close the connections of a session's pages, which connect again: the browser has another cookie now."""
        for connection in self._open.get(signed_in.player, ()):
            # The page may have connected with a cookie from before sessions, which was replaced since.
            if connection.signed_in is not None and connection.signed_in.session in ("", signed_in.session):
                connection.end(GOING_AWAY, "who this browser is has changed; connect again")

    def verify(self, guests: Guests) -> None:
        """Close the connections of sessions that count no more, and of guests who were deleted."""
        for player, connections in self._open.items():
            for connection in connections:
                signed_in = connection.signed_in
                if guests.is_gone(player) or (signed_in is not None and not guests.is_signed_in(signed_in)):
                    connection.end(NO_IDENTITY, "identity.signed_out: this browser was signed out")

    def taken_back(self, player: str, token: str) -> None:
        """End what is connected with a guest's token, which counts no more."""
        for connection in self._open.get(player, ()):
            if connection.bearer is not None and connection.bearer.token == token:
                connection.end(NO_IDENTITY, "token.unknown: this token was taken back")

    def count(self) -> int:
        """Return how many connections are open."""
        return sum(map(len, self._open.values()))

    async def close(self) -> None:
        """Tell every connection that the server goes away, and wait until they have heard."""
        for mine in self._open.values():
            for connection in mine:
                connection.end(GOING_AWAY, "the server is going away")
        for _ in range(50):
            if not self._open:
                return
            await asyncio.sleep(0.02)
