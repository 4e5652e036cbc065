"""What a test of the server may ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from argon2 import PasswordHasher

from tests.faults.cluster import Cluster
from tests.nats import Nats
from tests.server.in_process import RunningServer, run_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def _quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a password's hash costs is no matter here, and a busy machine takes seconds for each of them."""
    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr("triptych.server.edge.passwords._hasher", lambda: hasher)


@pytest.fixture
async def server() -> AsyncIterator[RunningServer]:
    async with run_server() as instance:
        yield instance


@pytest.fixture
async def cluster(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Cluster]:
    """Lend servers that share a PostgreSQL and a NATS of their own; none runs yet."""
    nats = Nats(tmp_path / "nats.log")
    await nats.start()
    servers = Cluster(tmp_path, request.getfixturevalue("migrated")(f"t{uuid4().hex}"), nats)
    yield servers
    servers.end()
