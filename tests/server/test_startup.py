"""What a server loads before it is open: a host waits for it (issue 12: playable within a second after a crash)."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"numpy", "alembic", "asyncpg", "nats", "argon2", "scipy"}
CLUSTER = ("triptych.server.cluster", "triptych.store.postgres", "triptych.cli.supervisor", "websockets.asyncio")
# Prints the modules that are loaded when everything is imported, and those when a server on SQLite has answered.
CODE = """
import asyncio, sys, tempfile
from pathlib import Path
import triptych.cli.main, triptych.cli.server_process
import triptych.store.sqlite.store
from triptych.server.bootstrap import bootstrap, store_from_url
print(*sys.modules)
from litestar.testing import AsyncTestClient

async def main(folder: str) -> None:
    app = bootstrap(store_from_url(str(Path(folder, "room.db")))).app
    async with AsyncTestClient(app) as client:
        assert (await client.get("/api/me")).status_code == 200
        print(*sys.modules)

with tempfile.TemporaryDirectory() as folder:
    asyncio.run(main(folder))
"""


@pytest.fixture(scope="module")
def loaded() -> tuple[set[str], set[str]]:
    """Return the names of the modules of a fresh process: after its imports, and once its server has answered."""
    result = subprocess.run([sys.executable, "-c", CODE], check=True, capture_output=True, text=True)
    imported, opened = (set(line.split()) for line in result.stdout.splitlines())
    return imported, opened


def test_rarely_needed_modules_are_not_loaded_at_the_start(loaded: tuple[set[str], set[str]]) -> None:
    imported, _ = loaded
    assert "triptych.server.bootstrap" in imported
    assert not imported & HEAVY


def test_a_single_server_on_sqlite_loads_nothing_of_the_cluster(loaded: tuple[set[str], set[str]]) -> None:
    imported, opened = loaded
    assert "triptych.store.sqlite.store" in opened > imported
    assert not {name for name in opened if name.startswith(CLUSTER)}
