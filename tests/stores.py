"""Stores that fail when a test wants it: a wrapper for any of them, and a line to PostgreSQL that can be cut."""

from __future__ import annotations

import asyncio
import contextlib
import re
import zlib
from collections.abc import AsyncIterator, Sequence
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

from triptych.store.errors import CorruptRecordError, FencedError
from triptych.store.interface import EventStore
from triptych.store.types import Append, IdempotencyKey, StoredEvent

SYNC = b"S\x00\x00\x00\x04"
CutWhen = Literal["before the answer", "with the commit"]


class FailingStore:
    """A store that can be told to fail: `before` it writes, after it has written (`after`, or once for the commands
    `lost`), when it `reads`, to be `over`, and to find a record `damaged`. All else goes to the store behind it.
    """

    before = after = reads = damaged = over = False

    def __init__(self, behind: EventStore) -> None:
        self.behind = behind
        self.lost: set[str] = set()
        self.failures = 0
        self.asked = asyncio.Event()  # what became of a command

    def __getattr__(self, name: str) -> Any:
        return getattr(self.behind, name)

    async def append(self, append: Append) -> int:
        if self.damaged:
            raise CorruptRecordError(append.table, "a test says so")
        if self.before:
            self.failures += 1
            raise OSError
        version = await self.behind.append(append)
        if self.after or (append.idempotency_key is not None and append.idempotency_key.cmd_id in self.lost):
            self.lost.clear()
            raise OSError
        return version

    async def record_alive(self, at: int) -> None:
        if self.before:
            raise OSError
        await self.behind.record_alive(at)

    async def barrier(self) -> None:
        self.asked.set()
        if self.over:
            raise FencedError
        if self.reads:
            raise OSError
        await self.behind.barrier()

    async def load(self, table: str, after: int = 0) -> Sequence[StoredEvent]:
        if self.over:
            raise FencedError
        if self.reads:
            raise OSError
        return await self.behind.load(table, after)

    async def reply(self, table: str, cmd: IdempotencyKey) -> bytes | None:
        if self.reads:
            raise OSError
        return await self.behind.reply(table, cmd)


class Wire:
    """A line to a PostgreSQL on this machine. `cut` has the connection cut that makes a command durable."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._socket = f"{parse_qs(parts.query)['host'][0]}/.s.PGSQL.5432"
        self._database = parts.path.lstrip("/")
        self._port = 0
        self._wanted: bytes | None = None
        self._when: CutWhen = "before the answer"
        self.cuts = 0
        self._shut = False
        self._lines: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        return f"postgresql://postgres:@127.0.0.1:{self._port}/{self._database}"

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[Wire]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()

    def cut(self, cmd_id: str, when: CutWhen) -> None:
        """Cut the line when it carries the journal's row with the answer to this command."""
        self._wanted, self._when = b'"cmd_id":"%s"' % cmd_id.encode(), when

    def drop(self) -> None:
        """Cut every connection; new ones are possible."""
        for line in tuple(self._lines):
            line.close()

    def shut(self) -> None:
        """Cut every connection, and let none through any more."""
        self._shut = True
        self.drop()

    def reopen(self) -> None:
        """Let connections through again."""
        self._shut = False

    async def _serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        if self._shut:
            to_client.close()
            return
        database, to_database = await asyncio.open_unix_connection(self._socket)
        muted = asyncio.Event()
        back = asyncio.create_task(self._answers(database, to_client, muted))
        self._lines.update((to_database, to_client))
        marked = False
        try:
            while chunk := await client.read(1 << 16):
                if self._wanted is not None and _carries(chunk, self._wanted):
                    self._wanted, marked = None, True
                # A statement of the driver's own ends with Sync, and with it begins its commit.
                if marked and chunk.endswith(SYNC):
                    self.cuts += 1
                    if self._when == "before the answer":
                        muted.set()
                        to_database.write(chunk)
                        await back
                    else:
                        to_database.write(chunk)
                    return
                to_database.write(chunk)
        except ConnectionError:
            pass
        finally:
            back.cancel()
            await asyncio.gather(back, return_exceptions=True)
            for side in (to_database, to_client):
                self._lines.discard(side)
                side.close()

    async def _answers(
        self, database: asyncio.StreamReader, to_client: asyncio.StreamWriter, muted: asyncio.Event
    ) -> None:
        """Pass on what the database says; once muted, swallow its word that it has committed and end."""
        with contextlib.suppress(ConnectionError):
            while chunk := await database.read(1 << 16):
                if muted.is_set():
                    if b"INSERT 0 1\x00" in chunk:
                        return
                    continue
                to_client.write(chunk)
            to_client.close()


def _carries(chunk: bytes, text: bytes) -> bool:
    """Return whether a text is in what is sent, or in a row of the journal that zlib has made shorter."""
    return text in chunk or any(text in _inflated(chunk[at.start() :]) for at in re.finditer(b"x\x01", chunk))


def _inflated(chunk: bytes) -> bytes:
    with contextlib.suppress(zlib.error):
        return zlib.decompressobj().decompress(chunk)
    return b""
