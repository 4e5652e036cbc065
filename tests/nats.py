"""A NATS server of a test's own, which can be cut and brought back at the same address."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.processes import started

PROGRAM = Path(sys.executable).with_name("nats-server")
PATIENCE = 60.0


@dataclass
class Nats:
    """`log`: what it says goes there; `options`: more words of its command line."""

    log: Path
    port: int = 0
    options: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    async def start(self) -> None:
        if not self.port:
            with socket.create_server(("127.0.0.1", 0)) as free:
                self.port = free.getsockname()[1]
        with self.log.open("ab") as log:
            self.process = started([PROGRAM, "--addr", "127.0.0.1", "--port", str(self.port), *self.options], log)
        async with asyncio.timeout(PATIENCE):
            while True:
                with contextlib.suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                    writer.close()
                    return
                assert self.process.poll() is None, self.log.read_text()
                await asyncio.sleep(0.02)

    def cut(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
