"""The server as a program of its own, which a test may kill, stop for a while, and start again."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.forked_command import Forked
from tests.processes import Running, started
from tests.server.in_process import PATIENCE, http_client
from triptych.cli.entry_point import main

PROGRAM = Path(sys.executable).with_name("triptych")


def free_port() -> int:
    """Return a port that stays free over a restart: below those that the system gives to connections."""
    while True:
        port = 15_000 + secrets.randbelow(17_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


@dataclass
class ServerProcess:
    """A server in a process of its own, always on the same port and the same database."""

    folder: Path
    port: int
    process: Running | None = None
    database: str = ""
    more: tuple[str, ...] = ()
    program: tuple[str | Path, ...] = (PROGRAM,)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        self.begin()
        assert await self.answers(), (self.folder / "server.log").read_text()

    def begin(self) -> None:
        """Start, and wait for nothing."""
        database = self.database or str(self.folder / "room.db")
        options = ("--no-browser", "--port", str(self.port), "--pause", "0", "--bot-delay", "0", *self.more)
        with (self.folder / "server.log").open("ab") as log:
            arguments = (*map(str, self.program[1:]), *options, "--database", database)
            if self.program[0] == PROGRAM:
                self.process = Forked(main, arguments, log)
            else:
                self.process = started([self.program[0], *arguments], log)

    async def answers(self) -> bool:
        """Wait until it serves; False when it has ended before."""
        assert self.process is not None
        async with http_client(base_url=self.url) as http, asyncio.timeout(PATIENCE):
            while self.process.poll() is None:
                with contextlib.suppress(httpx.TransportError):
                    await http.get("/api/levels")
                    return True
                await asyncio.sleep(0.02)
        return False

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
