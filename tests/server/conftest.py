"""What a test of the server may ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tests.faults.house import House
from tests.nats import Nats
from tests.server.room import Room, room

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def server() -> AsyncIterator[Room]:
    async with room() as made:
        yield made


@pytest.fixture
async def house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[House]:
    """Lend servers that share a PostgreSQL and a NATS of their own; none runs yet."""
    nats = Nats(tmp_path / "nats.log")
    await nats.start()
    made = House(tmp_path, request.getfixturevalue("postgres")(f"t{uuid4().hex}"), nats)
    yield made
    made.end()
