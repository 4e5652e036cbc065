"""What a test of the server may ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.server.room import Room, room

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def server() -> AsyncIterator[Room]:
    async with room() as made:
        yield made
